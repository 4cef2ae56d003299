//! One test at every width.

use gdl_runtime::lanes::Width;
use gdl_testing::seed_or;

/// Runs a test at every width that this processor has, with the seed 1 or that of the variable
/// `SEED`.
pub fn at_every_width(test: impl Fn(Width, u64)) {
    let widths = Width::ALL.into_iter().filter(|width| width.available());
    widths.for_each(|width| test(width, seed_or(1)));
}

/// As [`at_every_width`] for a test that is generic over the word.
macro_rules! with_every_word {
    ($test:ident) => {{
        use gdl_runtime::lanes::{Portable128, Portable256, Width, Word128, Word256, Word512};
        crate::widths::at_every_width(|width, seed| match width {
            Width::W64 => $test::<u64>(seed),
            Width::Portable128 => $test::<Portable128>(seed),
            Width::Portable256 => $test::<Portable256>(seed),
            Width::W128 => $test::<Word128>(seed),
            Width::W256 => $test::<Word256>(seed),
            Width::W512 => $test::<Word512>(seed),
        });
    }};
}

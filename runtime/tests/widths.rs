//! One test at every width of a word.

/// Runs a generic test at every width that this processor has, with the seed 1 or
/// that of the variable `SEED`.
macro_rules! at_every_width {
    ($test:ident) => {{
        let seed = gdl_testing::seed_or(1);
        $test::<u64>(seed);
        use gdl_runtime::lanes::{Portable128, Portable256, Width, Word128, Word256, Word512};
        $test::<Portable128>(seed);
        $test::<Portable256>(seed);
        if Width::W128.available() {
            $test::<Word128>(seed);
        }
        if Width::W256.available() {
            $test::<Word256>(seed);
        }
        if Width::W512.available() {
            $test::<Word512>(seed);
        }
    }};
}

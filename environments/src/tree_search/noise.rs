//! Noise on the priors of roots, which makes self-play try what the priors neglect.

use rand_distr::{Distribution as _, Gamma};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Numbers with a symmetric Dirichlet distribution: positive, with a sum of 1.
///
/// If all draws are zero, which happens with tiny concentrations, the result is uniform.
pub(super) fn dirichlet(
    concentration: f32,
    count: usize,
    random: &mut Xoshiro256PlusPlus,
) -> Vec<f32> {
    let uniform = || vec![1.0 / count as f32; count];
    let Ok(gamma) = Gamma::new(concentration, 1.0_f32) else {
        return uniform();
    };
    let draws: Vec<f32> = gamma.sample_iter(random).take(count).collect();
    let sum: f32 = draws.iter().sum();
    if sum > 0.0 && sum.is_finite() {
        return draws.into_iter().map(|draw| draw / sum).collect();
    }
    uniform()
}

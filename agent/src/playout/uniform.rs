//! Uniformly random playouts.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Playout, SamplingMode, Situation};

/// Every legal move of every role equally likely.
#[derive(Debug, Clone, Copy, Default)]
pub struct Uniform;

impl Playout for Uniform {
    fn sampling_mode(&mut self) -> SamplingMode<'_> {
        SamplingMode::Uniform
    }

    fn choose(&mut self, situation: &Situation<'_>, random: &mut Xoshiro256PlusPlus) -> usize {
        random.random_range(0..situation.moves.len())
    }
}

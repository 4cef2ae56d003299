//! [`PatternFinder`]: what it takes to look for patterns.

use gdl_runtime::engine::State;
use gdl_runtime::symmetry::StateSymmetry;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::names::FluentNames;
use crate::expander::Expander;

/// Finds the patterns of a game.
pub struct PatternFinder<'a> {
    /// What examines states of the game and makes moves.
    pub expander: &'a mut Expander,
    /// The state in which the game begins.
    pub initial: &'a State,
    /// What random moves are drawn with.
    pub random: &'a mut Xoshiro256PlusPlus,
    /// The names of the game's fluents.
    pub names: &'a FluentNames,
    /// Symmetries of the game, of which others are products: what is a pattern is one in all its
    /// images.
    pub symmetries: &'a [StateSymmetry],
    /// Asked now and then whether there is time to go on.
    pub goes_on: &'a mut dyn FnMut() -> bool,
}

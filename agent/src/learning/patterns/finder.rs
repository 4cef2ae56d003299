//! [`PatternFinder`]: what it takes to look for patterns.

use std::time::Duration;

use gdl_runtime::engine::State;
use gdl_runtime::symmetry::StateSymmetry;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::names::FluentNames;
use crate::expander::Expander;
use crate::learning::time_slice::TimeSlice;

/// Finds the patterns of a game.
pub struct PatternFinder<'a> {
    /// What examines states of the game and makes moves.
    pub expander: &'a mut Expander,
    /// The state in which the game begins.
    pub initial: &'a State,
    /// The source of random moves.
    pub random: &'a mut Xoshiro256PlusPlus,
    /// The names of the game's fluents.
    pub names: &'a FluentNames,
    /// Symmetries of the game, of which others are products: every image of a pattern is a pattern,
    /// too.
    pub symmetries: &'a [StateSymmetry],
    /// The time for it.
    pub time: TimeSlice<'a>,
}

impl PatternFinder<'_> {
    /// The same with no more than this time.
    pub(super) fn within(&mut self, time: Duration) -> PatternFinder<'_> {
        PatternFinder {
            expander: self.expander,
            initial: self.initial,
            random: self.random,
            names: self.names,
            symmetries: self.symmetries,
            time: self.time.until(time),
        }
    }
}

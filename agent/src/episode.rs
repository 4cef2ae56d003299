//! What a simulation was, for the parts that learn from it.

use runtime::engine::{Move, NO_CHOICE, Role};

/// A simulation that has ended, from the state that the search began at.
///
/// Only what somebody [asked for](crate::playout::Playout::observes) is there.
#[derive(Debug, Clone, Copy)]
pub struct Episode<'a> {
    /// How many simulations this stands for: several that came to the same
    /// proven end count alike.
    pub simulations: u32,
    /// What each role got, 0 to 100.
    pub goals: &'a [i32],
    /// The joint moves in the order in which they were made, a number a role;
    /// [`NO_CHOICE`] where a role had nothing to choose.
    pub moves: &'a [u32],
    /// How many of the joint moves were made inside the tree: the first ones.
    pub inside: usize,
    /// The words of the states in which the moves were made, and of the last
    /// one; empty if nobody asked.
    pub states: &'a [u64],
}

impl<'a> Episode<'a> {
    /// The joint moves, in order.
    pub fn steps(
        &self,
    ) -> impl DoubleEndedIterator<Item = &'a [u32]> + ExactSizeIterator + use<'a> {
        self.moves.chunks_exact(self.goals.len())
    }

    /// The choices of all roles in a number of steps, in order: role and move.
    pub fn choices(
        &self,
        steps: std::ops::Range<usize>,
    ) -> impl DoubleEndedIterator<Item = (Role, Move)> + use<'a> {
        let roles = self.goals.len();
        let moves = &self.moves[steps.start * roles..steps.end * roles];
        let numbered = moves.iter().enumerate();
        numbered
            .filter(|&(_, &mv)| mv != NO_CHOICE)
            .map(move |(index, &mv)| (index % roles, Move(mv)))
    }

    /// How many joint moves there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len() / self.goals.len()
    }

    /// Whether no move was made.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The words of one state, of as many as there are joint moves and one.
    #[must_use]
    pub fn state(&self, step: usize) -> &'a [u64] {
        let words = self.states.len() / (self.len() + 1);
        &self.states[step * words..][..words]
    }
}

/// A move's number in an episode: none where there was no choice.
pub(crate) fn number(mv: Move, alone: bool) -> u32 {
    if alone { NO_CHOICE } else { mv.0 }
}

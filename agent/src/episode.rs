//! What a simulation was, for the parts that learn from it.

use gdl_runtime::engine::{Move, NO_CHOICE, Role};

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

/// What simulations that took one path through the tree did after it, for the parts
/// that learn from all of them at once.
#[derive(Debug, Default, Clone)]
pub struct Continuations {
    /// The goal values of each, a number a role.
    goals: Vec<i32>,
    /// Joint moves, a number a role as in [`Episode::moves`], and where those of each
    /// end.
    moves: Vec<u32>,
    ends: Vec<usize>,
    /// How many simulations each stands for.
    simulations: Vec<u32>,
}

impl Continuations {
    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.goals.clear();
        self.moves.clear();
        self.ends.clear();
        self.simulations.clear();
    }

    /// Adds one that stands for so many simulations.
    pub fn push(&mut self, simulations: u32, goals: &[i32], moves: &[u32]) {
        self.goals.extend_from_slice(goals);
        self.moves.extend_from_slice(moves);
        self.ends.push(self.moves.len());
        self.simulations.push(simulations);
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Of each, how many simulations it stands for, its goals and its moves.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &[i32], &[u32])> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let moves = starts
            .zip(&self.ends)
            .map(|(start, &end)| &self.moves[start..end]);
        let roles = self.goals.len() / self.ends.len().max(1);
        let goals = self.goals.chunks_exact(roles.max(1));
        let each = self.simulations.iter().zip(goals).zip(moves);
        each.map(|((&simulations, goals), moves)| (simulations, goals, moves))
    }
}

/// A move's number in an episode: none where there was no choice.
pub(crate) fn number(mv: Move, alone: bool) -> u32 {
    if alone { NO_CHOICE } else { mv.0 }
}

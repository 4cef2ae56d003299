//! What happened in a simulation, for the components that learn from it.

use gdl_runtime::engine::{Move, NO_CHOICE, Role};

/// A finished simulation, from the root of the search.
///
/// Contains only what some component [observes](crate::playout::Playout::observes).
#[derive(Debug, Clone, Copy)]
pub struct Episode<'a> {
    /// The number of simulations this stands for: those that reach the same proven end together are
    /// reported as one.
    pub simulations: u32,
    /// The goal value of each role, 0 to 100.
    pub goals: &'a [i32],
    /// The joint moves in order, one number per role; [`NO_CHOICE`] where a role had
    /// only one legal move.
    pub moves: &'a [u32],
    /// The number of joint moves made inside the tree, which come first.
    pub inside: usize,
    /// The words of the states in which the moves were made, and of the last one; empty
    /// if not observed.
    pub states: &'a [u64],
}

impl<'a> Episode<'a> {
    /// The joint moves, in order.
    pub fn steps(
        &self,
    ) -> impl DoubleEndedIterator<Item = &'a [u32]> + ExactSizeIterator + use<'a> {
        self.moves.chunks_exact(self.goals.len())
    }

    /// The choices of all roles in a range of steps, in order, as role and move.
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

    /// The number of joint moves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len() / self.goals.len()
    }

    /// Whether no move was made.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The words of a state, by its index: there is one state more than joint moves.
    #[must_use]
    pub fn state(&self, step: usize) -> &'a [u64] {
        let words = self.states.len() / (self.len() + 1);
        &self.states[step * words..][..words]
    }
}

/// What the simulations of a batch did after their common path through the tree, for
/// components that learn from all of them at once.
#[derive(Debug, Default, Clone)]
pub struct Continuations {
    /// The goal values of each simulation, one per role.
    goals: Vec<i32>,
    /// The joint moves of all simulations, one number per role as in
    /// [`Episode::moves`], and the index at which those of each simulation end.
    moves: Vec<u32>,
    ends: Vec<usize>,
    /// The number of simulations that each entry stands for.
    simulations: Vec<u32>,
}

impl Continuations {
    /// Removes all entries.
    pub fn clear(&mut self) {
        self.goals.clear();
        self.moves.clear();
        self.ends.clear();
        self.simulations.clear();
    }

    /// Adds an entry that stands for this number of simulations.
    pub fn push(&mut self, simulations: u32, goals: &[i32], moves: &[u32]) {
        self.goals.extend_from_slice(goals);
        self.moves.extend_from_slice(moves);
        self.ends.push(self.moves.len());
        self.simulations.push(simulations);
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of simulations, the goals and the moves of each entry.
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

/// The number of a move in an episode: [`NO_CHOICE`] if it was the only legal one.
pub(crate) fn number(mv: Move, alone: bool) -> u32 {
    if alone { NO_CHOICE } else { mv.0 }
}

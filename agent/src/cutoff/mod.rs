//! Whether simulations end before the game does: one rule a file.

pub mod early;

use gdl_runtime::engine::Role;

/// The goal value of a draw.
pub(crate) const DRAW: i32 = 50;

/// How a simulation that is cut off is scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutoffScore {
    /// By the goal values that hold in its last state.
    Goals,
    /// As a draw: 50 for every role.
    Draw,
}

/// What a rule decided on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutoffPoint {
    /// Moves outside the tree after which a simulation ends.
    pub after: u64,
    /// How it is scored then.
    pub score: CutoffScore,
}

/// A rule that ends simulations early.
///
/// It first asks to see whole games, which are played from the initial state
/// outside the tree; then it decides for good.
pub trait Cutoff: Send {
    /// How many more games it wants to see.
    fn wanted_samples(&self) -> u32;

    /// A sampled game: the goal values of the role that the search is for, in
    /// every state from the initial to the terminal one.
    fn sample(&mut self, role: Role, roles: usize, goals: &[i32]);

    /// What it decided on; nothing as long as it wants to see games, and where
    /// it does not apply.
    fn cut(&self) -> Option<CutoffPoint>;

    /// What it decided on and why, in words.
    fn verdict(&self) -> String;
}

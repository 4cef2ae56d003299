//! Cutoffs: whether playouts end before the game does.

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

/// The decision of a cutoff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutoffPoint {
    /// The number of moves outside the tree after which a simulation ends.
    pub after: u64,
    /// How it is scored.
    pub score: CutoffScore,
}

/// A rule that ends playouts early.
///
/// It first samples the simulations of the search, whose playouts then are played to the
/// end of the game, and then decides for good.
pub trait Cutoff: Send {
    /// The number of further samples it needs.
    fn wanted_samples(&self) -> u32;

    /// Takes a sample: the goal values of the role that the search is for, in every
    /// state of a simulation from the state searched to the terminal one.
    fn sample(&mut self, role: Role, roles: usize, goals: &[i32]);

    /// Its decision; `None` as long as it needs samples, and if it does not apply.
    fn cut(&self) -> Option<CutoffPoint>;

    /// Its decision and the reasons for it, in words.
    fn verdict(&self) -> String;
}

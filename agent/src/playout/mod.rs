//! How a simulation goes on once it has left the tree: one policy a file.
//!
//! A policy is in one of three [manners](SamplingMode), by what its choice depends on.
//! Whatever the manner, [`Playout::choose`] says exactly how it chooses: the
//! selection asks it for moves at the fringe of the tree, and tests compare.

pub mod fast;
pub mod mast;
pub mod past;
pub mod uniform;
pub mod weights;

use weights::MoveWeights;

use gdl_runtime::engine::{Move, Role};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::episode::Episode;

/// What a role chooses from.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// Who chooses.
    pub role: Role,
    /// The words of the state.
    pub state: &'a [u64],
    /// The moves: at least one.
    pub moves: &'a [Move],
}

/// How the lanes are to carry out a policy.
#[derive(Debug)]
pub enum SamplingMode<'a> {
    /// Every legal move of every role equally likely.
    Uniform,
    /// In proportion to weights that depend on nothing but the move.
    Weighted(&'a mut MoveWeights),
    /// Asked in every state of every lane: the slow one.
    PerLane,
}

/// What a part wants to see of simulations, in rising order of cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Observed {
    /// Nothing: it does not learn.
    Nothing,
    /// The moves that were made inside the tree, and the goals.
    SearchTree,
    /// All moves that were made.
    Moves,
    /// All moves, and the states that they were made in.
    States,
}

/// A playout policy.
pub trait Playout: Send {
    /// Whether the policy has anything to say in this game.
    fn applies(&self) -> bool {
        true
    }

    /// How it is carried out.
    fn sampling_mode(&mut self) -> SamplingMode<'_>;

    /// The position in `situation.moves` of the move that is made.
    fn choose(&mut self, situation: &Situation<'_>, random: &mut Xoshiro256PlusPlus) -> usize;

    /// What it learns from.
    fn observes(&self) -> Observed {
        Observed::Nothing
    }

    /// Learns from a simulation. `role` is whom the search is for.
    fn learn(&mut self, _role: Role, _episode: &Episode<'_>) {}
}

//! Playout policies: how moves are chosen outside the tree. Each has a file of its own.
//!
//! What a policy's choice depends on decides in which [mode](SamplingMode) the lanes
//! apply it. [`Playout::choose`] is the reference for all modes: selection rules ask it
//! for untried moves, and tests compare against it.

mod average;
mod board_model;
mod board_survey;
pub mod decay;
pub mod fallback;
pub mod fast;
pub mod history;
pub mod last_reply;
pub mod mast;
pub mod mini;
pub mod ngram;
pub mod past;
pub mod product;
pub mod sampling;
pub mod uniform;
pub mod weights;

use history::MoveHistory;
use weights::MoveWeights;

use gdl_runtime::engine::{Move, Role};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::episode::Episode;

/// A role's choice in a playout.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The role that chooses.
    pub role: Role,
    /// The words of the state.
    pub state: &'a [u64],
    /// The legal moves, at least one.
    pub moves: &'a [Move],
}

/// How the lanes apply a policy.
#[derive(Debug)]
pub enum SamplingMode<'a> {
    /// All legal moves of a role are equally likely.
    Uniform,
    /// In proportion to weights that depend only on the move.
    Weighted(&'a mut MoveWeights),
    /// The policy is asked in every state of every lane, which is slow.
    PerLane,
}

/// What a component observes of simulations, in ascending order of cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Observed {
    /// Nothing: it does not learn.
    Nothing,
    /// The moves made inside the tree, and the goals.
    SearchTree,
    /// All moves, and the goals.
    Moves,
    /// All moves, the states in which they were made, and the goals.
    States,
}

/// What a policy decided for a whole playout, in a form of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct PlayoutPlan(pub u64);

/// A playout policy.
pub trait Playout: Send {
    /// Whether the policy is applicable to the game.
    fn applies(&self) -> bool {
        true
    }

    /// How the lanes apply it.
    fn sampling_mode(&mut self) -> SamplingMode<'_>;

    /// Chooses a move, as an index into `situation.moves`.
    fn choose(&mut self, situation: &Situation<'_>, random: &mut Xoshiro256PlusPlus) -> usize;

    /// Chooses as [`choose`](Self::choose) does, given the moves made before: what lanes
    /// ask for. Selection rules know nothing of those moves.
    fn choose_after(
        &mut self,
        situation: &Situation<'_>,
        _history: &MoveHistory<'_>,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize {
        self.choose(situation, random)
    }

    /// Appends ln P(a) for each of the moves, up to a common term, and returns true; or
    /// returns false, with whatever it appended, if it prefers none of the moves to the
    /// others there or does not know the probabilities. `random` decides what the
    /// probabilities depend on, if anything, such as the moves of others.
    fn preferences(
        &mut self,
        _situation: &Situation<'_>,
        _history: &MoveHistory<'_>,
        _random: &mut Xoshiro256PlusPlus,
        _logarithms: &mut Vec<f32>,
    ) -> bool {
        false
    }

    /// The policies that it combines, which are told whatever it is told.
    fn combined(&self) -> &[Box<dyn Playout>] {
        &[]
    }

    /// The same policies, to be told.
    fn combined_mut(&mut self) -> &mut [Box<dyn Playout>] {
        &mut []
    }

    /// What it observes of simulations.
    fn observes(&self) -> Observed {
        let observed = self.combined().iter().map(|policy| policy.observes());
        observed.max().unwrap_or(Observed::Nothing)
    }

    /// Learns from a simulation. `role` is the role the search is for.
    fn learn(&mut self, role: Role, episode: &Episode<'_>) {
        let combined = self.combined_mut().iter_mut();
        combined.for_each(|policy| policy.learn(role, episode));
    }

    /// Decides how the next playout is played, if it is asked lane by lane.
    fn begin_playout(&mut self) -> PlayoutPlan {
        // At most one of several plans; the plans of the others are the least.
        let plans = self
            .combined_mut()
            .iter_mut()
            .map(|policy| policy.begin_playout());
        plans.max().unwrap_or_default()
    }

    /// From now on, the choices that lanes ask for belong to a playout with this plan.
    fn resume_playout(&mut self, plan: PlayoutPlan) {
        let combined = self.combined_mut().iter_mut();
        combined.for_each(|policy| policy.resume_playout(plan));
    }

    /// Learns from the goals of a playout with this plan, after [`learn`](Self::learn) has.
    fn end_playout(&mut self, plan: PlayoutPlan, goals: &[i32]) {
        let combined = self.combined_mut().iter_mut();
        combined.for_each(|policy| policy.end_playout(plan, goals));
    }

    /// Called when the search continues after a move of the game.
    fn begin_move(&mut self) {
        let combined = self.combined_mut().iter_mut();
        combined.for_each(|policy| policy.begin_move());
    }

    /// Multiplies the samples that it has learned from by a factor, 0 to 1.
    fn fade(&mut self, factor: f32) {
        let combined = self.combined_mut().iter_mut();
        combined.for_each(|policy| policy.fade(factor));
    }

    /// As [`fade`](Self::fade), for what occurred in a simulation; the factor is not 0.
    fn fade_made(&mut self, factor: f32, episode: &Episode<'_>) {
        let combined = self.combined_mut().iter_mut();
        combined.for_each(|policy| policy.fade_made(factor, episode));
    }
}

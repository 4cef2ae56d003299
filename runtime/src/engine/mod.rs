//! The interface of an engine, the same for the reference engine, for interpreted
//! lookup tables and for compiled code: [`Engine`] answers questions about single
//! states, [`Lanes`] advance many positions at once.

mod lanes;
mod step_sequence;
mod tally;

pub use lanes::{
    LaneObservation, LanePlayouts, LaneSets, LaneSteps, LaneWeights, Lanes, MOST_WEIGHT, NO_CHOICE,
    Pick, WEIGHT_BITS, lanes_of,
};
pub use step_sequence::StepSequence;
pub use tally::Tally;

use crate::automorphism::AutomorphismFinder;
use crate::factors::FactorFinder;
use crate::goal_conditions::GoalConditionFinder;
use crate::layout::Layout;
use crate::reachability::ReachabilityFinder;
use crate::symmetry::SymmetryFinder;
use std::fmt;
use std::sync::Arc;

/// The zero-based index of a role in the order of the rule sheet.
pub type Role = usize;

/// A move of one role, by its engine's number: engines that know all moves
/// beforehand number each role's moves from 0, the reference engine numbers moves
/// as it encounters them. A number identifies a move only together with its role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u32);

/// A state of a game, in its engine's own encoding.
///
/// Two states of one engine are the same exactly if their words are equal, so
/// states can be hashed and compared without the engine.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub Box<[u64]>);

/// What the rules say about a state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Position {
    /// Whether the game is over.
    pub terminal: bool,
    /// The legal moves of every role, in the order of [`LaneSteps::legal`]; also
    /// given for terminal states, where they are meaningless.
    pub legal: Vec<Vec<Move>>,
    /// The goal values that hold, ascending, for every role: one in the terminal
    /// states of a well-formed game, none or several where the rules say so.
    pub goals: Vec<Vec<i32>>,
}

/// A fact that no state of the game can contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFact(pub String);

impl fmt::Display for UnknownFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no state of this game contains {}", self.0)
    }
}

impl std::error::Error for UnknownFact {}

/// An engine, loaded with one game: takes states, returns positions and states.
pub trait Engine: Send {
    /// `reference`, `net` or `native`, with the lane width if it has one.
    fn name(&self) -> String;

    /// The roles' names, in order.
    fn roles(&self) -> &[String];

    /// The names of fluents and moves, if the engine knows all of them: the bits of
    /// states and the numbers of moves follow its order.
    fn layout(&self) -> Option<Arc<Layout>> {
        None
    }

    /// For every role, the goal value that it gets however the game ends, if the engine knows it
    /// to be constant, as that of a die is.
    fn constant_goals(&self) -> Vec<Option<i32>> {
        let layout = self.layout().unwrap_or_default();
        let roles = 0..self.roles().len();
        roles.map(|role| layout.constant_goal(role)).collect()
    }

    /// The finder of the game's automorphisms that preserve its initial state, if there is one.
    fn automorphism_finder(&self) -> Option<AutomorphismFinder> {
        None
    }

    /// The finder of the same symmetries without the images of moves; derived from
    /// [`automorphism_finder`](Self::automorphism_finder).
    fn symmetry_finder(&self) -> Option<SymmetryFinder> {
        let finder = self.automorphism_finder()?;
        let states = move || finder().iter().map(|found| found.states.clone()).collect();
        Some(Arc::new(states))
    }

    /// The finder of the parts of the game that are games of their own, if there is one.
    fn factor_finder(&self) -> Option<FactorFinder> {
        None
    }

    /// The finder of the conditions of the goals, if there is one.
    fn goal_condition_finder(&self) -> Option<GoalConditionFinder> {
        None
    }

    /// The finder of which role is the first to reach what several can bring about, if there is
    /// one.
    fn reachability_finder(&self) -> Option<ReachabilityFinder> {
        None
    }

    /// The initial state.
    fn initial(&self) -> State;

    /// The facts of a state, as KIF without `true`, sorted.
    fn facts(&self, state: &State) -> Vec<String>;

    /// The state in which exactly these facts hold, given as KIF without `true`, in
    /// any case and spacing.
    ///
    /// # Errors
    /// If the engine knows that a fact can never hold.
    fn state(&mut self, facts: &[String]) -> Result<State, UnknownFact>;

    /// Evaluates a state: whether it is terminal, the legal moves, the goals.
    fn examine(&mut self, state: &State) -> Position;

    /// The successor of a state under a joint move: one legal move per role, in
    /// order.
    fn next(&mut self, state: &State, joint: &[Move]) -> State;

    /// A move as KIF.
    fn move_name(&self, role: Role, mv: Move) -> String;

    /// New lanes of this game; the same seed plays the same games.
    fn lanes(&self, seed: u64) -> Box<dyn Lanes>;
}

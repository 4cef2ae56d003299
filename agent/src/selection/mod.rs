//! Selection: which of a role's moves a simulation tries next at a node of the tree.
//!
//! Each [`SelectionRule`] has a file of its own. [`Uct`](uct::Uct) takes further
//! components: the value of moves ([`Estimate`]), and the treatment of untried moves
//! ([`FirstPlayUrgency`]).

pub mod grave;
pub mod guided;
pub(crate) mod highest;
mod history;
pub mod moving_average;
pub mod progressive_bias;
pub mod progressive_unpruning;
pub mod proof_numbers;
pub mod rave;
pub mod roulette;
pub mod selective_rave;
pub mod sufficiency;
pub mod temporal_difference;
pub mod uct;
pub mod urgency;

use gdl_runtime::engine::Role;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::credit::Credit;
use crate::episode::Continuations;
use crate::playout::{Observed, Playout};
use crate::tree::edge::{EdgeScore, MoveEdge, SolvedStatus};
use crate::tree::node::TreeNodeId;
use crate::tree::path::SearchPath;
use crate::tree::{Mover, SearchTree};

/// What a role that has to choose a move knows.
#[derive(Debug, Clone, Copy)]
pub struct MoveChoice<'a> {
    /// The tree.
    pub tree: &'a SearchTree,
    /// The nodes through which the simulation came here, from the root.
    pub path: &'a [TreeNodeId],
    /// The node.
    pub node: TreeNodeId,
    /// The words of its state.
    pub state: &'a [u64],
    /// The role that chooses.
    pub role: Role,
    /// Whether simulations of moves whose value is proven teach nothing: at the root, where
    /// they only serve to learn, and anywhere if proven values enter those of nodes above them
    /// (see [`closed`](crate::closed)).
    pub skips_proven: bool,
    /// Whether no other role has a choice here.
    pub alone: bool,
    /// The number of simulations through the node, including those in flight.
    pub visits: u32,
    /// The role's moves, at least two.
    pub edges: &'a [MoveEdge],
    /// What a descent reads of them, in the same order.
    pub scores: &'a [EdgeScore],
    /// The rule's own statistics of them, in the same order:
    /// [`SelectionRule::statistics`] for each move.
    pub statistics: &'a [f32],
}

impl<'a> MoveChoice<'a> {
    /// A role's choice at an expanded node, reached from the root through `path`.
    #[inline]
    #[must_use]
    pub fn new(tree: &'a SearchTree, path: &'a [TreeNodeId], node: TreeNodeId, role: Role) -> Self {
        Self {
            tree,
            path,
            node,
            state: tree.state(node),
            role,
            skips_proven: path.is_empty(),
            alone: tree.mover(node) != Mover::Several,
            visits: tree.started(node),
            edges: tree.edges(node, role),
            scores: tree.scores(node, role),
            statistics: tree.statistics(node, role),
        }
    }

    /// Leaves out moves whose value is proven, as long as others are open: where all are proven
    /// but the node is not, which of the best ones is made decides between other roles.
    pub(crate) fn skip_proven(&mut self) {
        let is_open = |edge: &MoveEdge| edge.status == SolvedStatus::Open;
        self.skips_proven = self.edges.iter().any(is_open);
    }

    /// The average returns of the moves.
    #[must_use]
    pub fn averages(&self) -> Vec<f64> {
        self.edges.iter().map(MoveEdge::mean).collect()
    }
}

/// A rule that picks moves inside the tree. Every role is asked separately, so simultaneous moves
/// are decoupled.
pub trait SelectionRule: Send {
    /// Picks a move, as an index into `choice.edges`.
    fn choose(
        &mut self,
        choice: &MoveChoice<'_>,
        playout: &mut dyn Playout,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize;

    /// The values by which the final move is chosen, in the order of `choice.edges`: by
    /// default the average returns. Untried moves are not considered, whatever their
    /// value.
    fn values(&self, choice: &MoveChoice<'_>) -> Vec<f64> {
        choice.averages()
    }

    /// The number of statistics it keeps of its own for each edge. They start at 0.
    fn statistics(&self) -> usize {
        0
    }

    /// What it observes of simulations, beyond the returns that edges keep anyway.
    fn observes(&self) -> Observed {
        Observed::Nothing
    }

    /// Learns from the simulations of a batch, at least one: their path through the
    /// tree, the joint moves on it as in [`Episode::moves`], and what each of them did
    /// afterwards.
    ///
    /// [`Episode::moves`]: crate::episode::Episode::moves
    fn learn(
        &mut self,
        _tree: &mut SearchTree,
        _path: &SearchPath,
        _inside: &[u32],
        _sequels: &Continuations,
    ) {
    }

    /// Whether [`credit`](Self::credit) is to be called.
    fn takes_credit(&self) -> bool {
        false
    }

    /// Learns from the returns of a batch that has ended, before edges are credited.
    fn credit(&mut self, _tree: &mut SearchTree, _credit: &Credit<'_>) {}
}

/// The value of moves of which nothing is known: the best possible one, so that they are
/// soon tried.
const UNKNOWN: f32 = 100.0;

/// The value of moves for [`Uct`](uct::Uct), in place of their average return.
pub trait Estimate: Send {
    /// Appends the value of each move, 0 to 100, in the order of `choice.edges`.
    fn estimate(&self, choice: &MoveChoice<'_>, values: &mut Vec<f32>);

    /// Whether its values of untried moves mean something, so that they need not be
    /// tried first.
    fn rates_untried(&self) -> bool {
        false
    }

    /// Adds a bonus for exploration of its own to the values of moves, in the order of
    /// `choice.edges`, with the constant C in goal points. Returns whether it has one; if
    /// not, moves get that of UCT.
    fn explore(&self, _choice: &MoveChoice<'_>, _constant: f32, _values: &mut [f32]) -> bool {
        false
    }

    /// As [`SelectionRule::statistics`].
    fn statistics(&self) -> usize {
        0
    }

    /// As [`SelectionRule::observes`].
    fn observes(&self) -> Observed {
        Observed::Nothing
    }

    /// As [`SelectionRule::learn`].
    fn learn(
        &mut self,
        _tree: &mut SearchTree,
        _path: &SearchPath,
        _inside: &[u32],
        _continuations: &Continuations,
    ) {
    }

    /// As [`SelectionRule::takes_credit`].
    fn takes_credit(&self) -> bool {
        false
    }

    /// As [`SelectionRule::credit`].
    fn credit(&mut self, _tree: &mut SearchTree, _credit: &Credit<'_>) {}
}

/// Knowledge about moves, which changes their values for [`Uct`](uct::Uct) during the
/// search, but not those by which the final move is chosen.
pub trait Knowledge: Send {
    /// Changes the values of moves, in the order of `choice.edges`; minus infinity for
    /// those that are not to be tried.
    fn apply(&mut self, choice: &MoveChoice<'_>, values: &mut [f32]);

    /// As [`Estimate::rates_untried`].
    fn rates_untried(&self) -> bool {
        false
    }

    /// As [`SelectionRule::observes`]; all moves by default.
    fn observes(&self) -> Observed {
        Observed::Moves
    }

    /// Learns as [`SelectionRule::learn`] does.
    fn learn(&mut self, _inside: &[u32], _continuations: &Continuations) {}
}

/// Options that other components contribute to a selection rule.
#[derive(Default)]
pub struct SelectionOptions {
    /// The value of moves, if not the average of their returns.
    pub estimate: Option<Box<dyn Estimate>>,
    /// How untried moves are treated, if they do not simply come first.
    pub first_play: Option<Box<dyn FirstPlayUrgency>>,
    /// Where exploration ends, if anywhere.
    pub exploration: Option<Box<dyn Exploration>>,
    /// What is known about moves, applied in this order.
    pub knowledge: Vec<Box<dyn Knowledge>>,
}

impl SelectionOptions {
    /// Whether no component contributes anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.estimate.is_none()
            && self.first_play.is_none()
            && self.exploration.is_none()
            && self.knowledge.is_empty()
    }

    /// Whether values of untried moves mean something, so that they need not be tried
    /// first.
    #[must_use]
    pub fn rates_untried(&self) -> bool {
        let mut knowledge = self.knowledge.iter();
        let estimate = self.estimate.as_ref();
        estimate.is_some_and(|part| part.rates_untried())
            || knowledge.any(|part| part.rates_untried())
    }
}

/// A node with both tried and untried moves.
#[derive(Debug, Clone, Copy)]
pub struct Frontier {
    /// The highest value, including exploration, of the tried moves.
    pub exploit: f32,
    /// The number of untried moves.
    pub untried: usize,
    /// The number of moves.
    pub moves: usize,
    /// The number of simulations through the node.
    pub visits: u32,
    /// The exploration constant C of the selection rule.
    pub exploration: f32,
}

/// How much [`Uct`](uct::Uct) explores.
pub trait Exploration: Send {
    /// Whether exploration is over at a node, so that C = 0. `values` are those of the
    /// moves, in the order of `choice.edges`.
    fn is_over(&self, choice: &MoveChoice<'_>, values: &[f32]) -> bool;
}

/// First-play urgency: what [`Uct`](uct::Uct) does where some moves are untried.
pub trait FirstPlayUrgency: Send {
    /// Whether the best of the tried moves is made again. Otherwise the playout policy
    /// picks an untried one.
    fn exploits(&mut self, frontier: &Frontier) -> bool;
}

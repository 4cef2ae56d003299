//! How a role leaves a node: which of its moves a simulation tries next.
//!
//! A [`SelectionRule`] is a whole rule, a file each. [`Uct`] is put together from
//! further parts: what it takes a move to be worth ([`Estimate`]), and what it
//! does where some moves have not been tried yet ([`FirstPlayUrgency`]).

pub mod guided;
pub mod rave;
pub mod uct;
pub mod urgency;

use gdl_runtime::engine::Role;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::episode::Continuations;
use crate::playout::{Observed, Playout};
use crate::tree::edge::{EdgeScore, MoveEdge};
use crate::tree::node::TreeNodeId;
use crate::tree::path::SearchPath;
use crate::tree::{Mover, SearchTree};

/// What a role knows where it has to choose.
#[derive(Debug, Clone, Copy)]
pub struct MoveChoice<'a> {
    /// The node, for selections that keep statistics of their own.
    pub node: TreeNodeId,
    /// The words of its state.
    pub state: &'a [u64],
    /// Who chooses.
    pub role: Role,
    /// Whether this is the state to move from, where only what is learned
    /// counts: moves whose value is proven need no more simulations.
    pub at_root: bool,
    /// Whether no other role has a choice here.
    pub alone: bool,
    /// Simulations through the node, those in flight included.
    pub visits: u32,
    /// The role's moves: at least two.
    pub edges: &'a [MoveEdge],
    /// What there is to read of them, in the same order.
    pub scores: &'a [EdgeScore],
    /// What the selection itself keeps of them, in the same order: see
    /// [`SelectionRule::statistics`].
    pub statistics: &'a [f32],
}

impl<'a> MoveChoice<'a> {
    /// A role's choice at an expanded node.
    #[must_use]
    pub fn new(tree: &'a SearchTree, node: TreeNodeId, role: Role, at_root: bool) -> Self {
        Self {
            node,
            state: tree.state(node),
            role,
            at_root,
            alone: tree.mover(node) != Mover::Several,
            visits: tree.started(node),
            edges: tree.edges(node, role),
            scores: tree.scores(node, role),
            statistics: tree.statistics(node, role),
        }
    }

    /// The average returns of the moves.
    #[must_use]
    pub fn averages(&self) -> Vec<f64> {
        self.edges.iter().map(MoveEdge::mean).collect()
    }
}

/// A rule that picks a move for one role. Every role of a node is asked by
/// itself, which for simultaneous moves is decoupled.
pub trait SelectionRule: Send {
    /// The position of the picked move in `choice.edges`.
    fn choose(
        &mut self,
        choice: &MoveChoice<'_>,
        playout: &mut dyn Playout,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize;

    /// What the moves are worth now that one of them is to be made for good, in the
    /// order of `choice.edges`: the averages of their returns, unless it knows
    /// better. What was never tried has no say.
    fn values(&self, choice: &MoveChoice<'_>) -> Vec<f64> {
        choice.averages()
    }

    /// How many statistics of its own it keeps for every edge; 0 at first.
    fn statistics(&self) -> usize {
        0
    }

    /// What it learns from, beyond the returns that edges keep anyway.
    fn observes(&self) -> Observed {
        Observed::Nothing
    }

    /// Learns from all simulations of a batch: the path that they took through the
    /// tree, the joint moves along it as in [`Episode::moves`], and what they did then,
    /// at least one.
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
}

/// What [`Uct`] takes moves to be worth, other than the average of their returns.
pub trait Estimate: Send {
    /// The worth of every move, 0 to 100, in the order of `choice.edges`.
    fn estimate(&self, choice: &MoveChoice<'_>, values: &mut Vec<f32>);

    /// As [`SelectionRule::statistics`].
    fn statistics(&self) -> usize;

    /// As [`SelectionRule::observes`].
    fn observes(&self) -> Observed;

    /// As [`SelectionRule::learn`].
    fn learn(
        &mut self,
        tree: &mut SearchTree,
        path: &SearchPath,
        inside: &[u32],
        continuations: &Continuations,
    );
}

/// Options that other components contribute to a selection rule.
#[derive(Default)]
pub struct SelectionOptions {
    /// The value of moves, if not the average of their returns.
    pub estimate: Option<Box<dyn Estimate>>,
    /// How untried moves are treated, if they do not simply come first.
    pub first_play: Option<Box<dyn FirstPlayUrgency>>,
}

/// What a fringe has to decide on: a node with both tried and untried moves.
#[derive(Debug, Clone, Copy)]
pub struct Frontier {
    /// The highest value, exploration included, of the moves that were tried.
    pub exploit: f32,
    /// How many moves were not.
    pub untried: usize,
    /// How many moves there are.
    pub moves: usize,
    /// Simulations through the node.
    pub visits: u32,
    /// C of the selection.
    pub exploration: f32,
}

/// What [`Uct`] does where some moves have been tried and others not.
pub trait FirstPlayUrgency: Send {
    /// Whether one of the tried moves is made again, the best of them; else the
    /// playout policy picks one of the others.
    fn exploits(&mut self, frontier: &Frontier) -> bool;
}

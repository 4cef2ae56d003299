//! The propositional network, or propnet: gates over the fluents of a state and the moves made.
//!
//! Input: a [`GroundProgram`](crate::ground::GroundProgram). Output: a [`Propnet`],
//! improved by the passes of [`passes`]. Invariant: operands come before the
//! gates that use them, so the propnet is free of cycles; recursion is cut at loop
//! atoms, which are inputs with a definition.

mod aiger;
pub mod analyses;
mod assemble;
pub mod factors;
pub mod passes;
pub mod reachability;
pub(crate) mod rebuild;
mod show;
pub mod symmetries;

pub use aiger::Aiger;
pub use assemble::assemble;
pub use show::{show_dot, show_propnet};

use self::analyses::MutexGroups;
use crate::complemented_edge::ComplementedEdge;
use crate::ground::{BaseId, MoveId, RoleId};
use crate::id::{IdVec, ids};
use smallvec::SmallVec;
use std::fmt;
use std::sync::Arc;

ids! {
    /// A node of the propnet.
    pub struct PropNodeId;
    /// A recursive atom at which a cycle is cut.
    pub struct LoopId;
}

/// A node's value or its negation; node 0 is the constant true.
pub type Signal = ComplementedEdge<PropNodeId>;

/// A gate or an input.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PropNode {
    /// The constant; node 0 of every propnet and only there.
    True,
    /// A fluent's value in the current state.
    Base(BaseId),
    /// Whether a move is made.
    Does(MoveId),
    /// The value of a recursive atom: the least fixpoint.
    Loop(LoopId),
    /// Whether all operands hold. A disjunction is an inverted conjunction of
    /// inverted operands.
    And(Operands),
}

/// The operands of a conjunction. Most conjunctions have few, which are stored without an
/// allocation: large games have millions of gates, and every pass rebuilds them.
pub type Operands = SmallVec<[Signal; 4]>;

/// A game as gates.
#[derive(Debug, Clone)]
pub struct Propnet {
    /// The roles' names.
    pub roles: IdVec<RoleId, String>,
    /// The fluents.
    pub bases: IdVec<BaseId, PropnetBase>,
    /// The moves; a role's moves are neighbours, roles in order.
    pub moves: IdVec<MoveId, PropnetMove>,
    /// The nodes, operands first.
    pub nodes: IdVec<PropNodeId, PropNode>,
    /// The recursive atoms at which cycles are cut.
    pub loops: IdVec<LoopId, LoopAtom>,
    /// Whether the game is over.
    pub terminal: Signal,
    /// The goal values.
    pub goals: Vec<PropnetGoal>,
    /// The groups of mutually exclusive fluents, if a pass found them: what it proved holds
    /// for every propnet of the game.
    pub mutex_groups: Option<Arc<MutexGroups>>,
}

/// A fluent.
#[derive(Debug, Clone)]
pub struct PropnetBase {
    /// As KIF; shared with the propnets that passes make of this one.
    pub name: Arc<str>,
    /// Whether it holds in the initial state.
    pub initially: bool,
    /// Its value in the following state.
    pub next: Signal,
}

/// A move.
#[derive(Debug, Clone)]
pub struct PropnetMove {
    /// The role that it belongs to.
    pub role: RoleId,
    /// As KIF; shared as those of fluents are.
    pub name: Arc<str>,
    /// Whether it is legal; never depends on moves.
    pub legal: Signal,
}

/// A goal value of a role.
#[derive(Debug, Clone)]
pub struct PropnetGoal {
    /// The role that it belongs to.
    pub role: RoleId,
    /// The value.
    pub value: i32,
    /// Whether it holds; never depends on moves.
    pub holds: Signal,
}

/// A recursive atom at which a cycle is cut.
#[derive(Debug, Clone)]
pub struct LoopAtom {
    /// As KIF.
    pub name: String,
    /// Atoms of one group depend on each other and are solved together; groups
    /// depend on earlier groups only.
    pub group: u32,
    /// Its value, computed from loop atoms of its own and earlier groups;
    /// monotone in its own group's.
    pub definition: Signal,
}

impl Propnet {
    /// Every signal that is read from outside the nodes, with the loop atoms'
    /// definitions, in a fixed order.
    pub fn roots(&self) -> impl Iterator<Item = Signal> {
        let bases = self.bases.iter().map(|base| base.next);
        let moves = self.moves.iter().map(|mv| mv.legal);
        let goals = self.goals.iter().map(|goal| goal.holds);
        let loops = self.loops.iter().map(|atom| atom.definition);
        std::iter::once(self.terminal)
            .chain(moves)
            .chain(goals)
            .chain(bases)
            .chain(loops)
    }

    /// The moves of a role that are not known to be illegal in all states.
    pub fn possible_moves(&self, role: RoleId) -> impl Iterator<Item = MoveId> {
        let moves = self.moves.iter_ids();
        moves
            .filter(move |(_, mv)| mv.role == role && mv.legal != Signal::FALSE)
            .map(|(id, _)| id)
    }

    /// Replaces every root, in the order of [`roots`](Self::roots).
    pub fn map_roots(&mut self, mut map: impl FnMut(Signal) -> Signal) {
        self.terminal = map(self.terminal);
        self.moves
            .iter_mut()
            .for_each(|mv| mv.legal = map(mv.legal));
        self.goals
            .iter_mut()
            .for_each(|goal| goal.holds = map(goal.holds));
        self.bases
            .iter_mut()
            .for_each(|base| base.next = map(base.next));
        self.loops
            .iter_mut()
            .for_each(|atom| atom.definition = map(atom.definition));
    }

    /// The same roles, fluents and moves with other nodes; `map` gives what stands for each root.
    pub(crate) fn with_nodes(
        &self,
        nodes: IdVec<PropNodeId, PropNode>,
        map: impl FnMut(Signal) -> Signal,
    ) -> Self {
        let mut result = Self {
            nodes,
            roles: self.roles.clone(),
            bases: self.bases.clone(),
            moves: self.moves.clone(),
            loops: self.loops.clone(),
            terminal: self.terminal,
            goals: self.goals.clone(),
            mutex_groups: self.mutex_groups.clone(),
        };
        result.map_roots(map);
        result
    }

    /// The number of gates and of their operands.
    #[must_use]
    pub fn size(&self) -> PropnetSize {
        let mut size = PropnetSize::default();
        for node in &self.nodes {
            if let PropNode::And(operands) = node {
                size.gates += 1;
                size.operands += operands.len();
            }
        }
        size
    }
}

/// A propnet's size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PropnetSize {
    /// Conjunctions.
    pub gates: usize,
    /// Operands of conjunctions.
    pub operands: usize,
}

impl fmt::Display for PropnetSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} gates, {} operands", self.gates, self.operands)
    }
}

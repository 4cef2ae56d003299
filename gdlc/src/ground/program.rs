//! [`GroundProgram`]: rules without variables.

use crate::id::{IdVec, ids};

ids! {
    /// A fluent that may hold in some state.
    pub struct BaseId;
    /// A role.
    pub struct RoleId;
    /// A move of one particular role that may be legal in some state.
    pub struct MoveId;
    /// A ground atom that varies with the state or the moves.
    pub struct AtomId;
}

/// A rule sheet instantiated over everything that can be reached.
///
/// Relations that are the same in every state have been evaluated: what is left
/// varies with the state or the moves. An atom that no rule derives is false.
/// Atoms may depend on each other in cycles (recursion), but not through
/// negation: their meaning is the least fixpoint.
#[derive(Debug, Clone, Default)]
pub struct GroundProgram {
    /// The names of the roles, in order.
    pub roles: IdVec<RoleId, String>,
    /// The fluents, as KIF without `true`.
    pub bases: IdVec<BaseId, GroundBase>,
    /// The moves of all roles, role by role.
    pub moves: IdVec<MoveId, GroundMove>,
    /// The atoms.
    pub atoms: IdVec<AtomId, GroundAtom>,
    /// The rules, in the order in which they were found, without duplicates.
    pub rules: Vec<GroundRule>,
    /// `terminal`, unless no state can be terminal.
    pub terminal: Option<AtomId>,
    /// The `goal` atoms.
    pub goals: Vec<GroundGoal>,
}

/// A fluent.
#[derive(Debug, Clone)]
pub struct GroundBase {
    /// As KIF, in the rule sheet's spelling.
    pub name: String,
    /// Whether it holds in the initial state.
    pub initially: bool,
    /// The atom `true(f)`, if some rule asks for it.
    pub holds: Option<AtomId>,
    /// The atom `next(f)`, if some rule derives it.
    pub next: Option<AtomId>,
}

/// A move of one role.
#[derive(Debug, Clone)]
pub struct GroundMove {
    /// The role that can make it.
    pub role: RoleId,
    /// As KIF, in the rule sheet's spelling.
    pub name: String,
    /// The atom `legal(r, m)`.
    pub legal: AtomId,
    /// The atom `does(r, m)`, if some rule asks for it.
    pub does: Option<AtomId>,
}

/// A goal value of one role.
#[derive(Debug, Clone)]
pub struct GroundGoal {
    /// The role that it belongs to.
    pub role: RoleId,
    /// The value; grounding refuses games in which it is not a whole number.
    pub value: i32,
    /// The atom `goal(r, v)`.
    pub atom: AtomId,
}

/// A ground atom.
#[derive(Debug, Clone)]
pub struct GroundAtom {
    /// As KIF, for output.
    pub name: String,
    /// Where its value comes from.
    pub kind: AtomKind,
}

/// Where the value of an atom comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtomKind {
    /// The state.
    Base(BaseId),
    /// The moves made.
    Does(MoveId),
    /// The rules that derive it.
    View,
}

/// `head` holds if every literal of `body` does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GroundRule {
    /// An atom of kind [`AtomKind::View`].
    pub head: AtomId,
    /// The conditions; empty if the head always holds.
    pub body: Box<[GroundLiteral]>,
}

/// An atom or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroundLiteral {
    /// The atom.
    pub atom: AtomId,
    /// Whether it must not hold.
    pub negated: bool,
}

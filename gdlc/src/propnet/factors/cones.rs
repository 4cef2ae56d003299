//! [`Cones`]: the fluents and moves that signals depend on.

use crate::ground::{BaseId, MoveId};
use crate::id::{Id as _, IdVec, ids};
use crate::propnet::analyses::find_autonomous_bases;
use crate::propnet::{PropNode, PropNodeId, Propnet, Signal};

ids! {
    /// A fluent or a move.
    pub struct InputId;
}

/// Looks up what signals depend on. Fluents that do not depend on moves are left out.
pub(super) struct Cones<'a> {
    net: &'a Propnet,
    autonomous: IdVec<BaseId, bool>,
    /// For each node, the number of the last cone that it was in.
    visited: IdVec<PropNodeId, u32>,
    cone: u32,
    visits: u64,
    most_visits: u64,
}

impl<'a> Cones<'a> {
    /// Visits this many nodes at most, all cones together.
    pub(super) fn new(net: &'a Propnet, most_visits: u64) -> Self {
        Self {
            net,
            autonomous: find_autonomous_bases(net),
            visited: IdVec::filled(0, net.nodes.len()),
            cone: 0,
            visits: 0,
            most_visits,
        }
    }

    /// The number of inputs.
    pub(super) fn inputs(&self) -> usize {
        self.net.bases.len() + self.net.moves.len()
    }

    pub(super) fn base(&self, base: BaseId) -> InputId {
        InputId::new(base.index())
    }

    pub(super) fn mv(&self, mv: MoveId) -> InputId {
        InputId::new(self.net.bases.len() + mv.index())
    }

    pub(super) fn as_base(&self, input: InputId) -> Option<BaseId> {
        (!self.is_move(input)).then(|| BaseId::new(input.index()))
    }

    pub(super) fn as_move(&self, input: InputId) -> Option<MoveId> {
        let index = input.index().checked_sub(self.net.bases.len());
        index.map(MoveId::new)
    }

    pub(super) fn is_move(&self, input: InputId) -> bool {
        input.index() >= self.net.bases.len()
    }

    /// Whether it is a fluent that depends on no move.
    pub(super) fn is_autonomous(&self, input: InputId) -> bool {
        self.as_base(input)
            .is_some_and(|base| self.autonomous[base])
    }

    /// The inputs that a signal depends on, except autonomous fluents; `None` once all
    /// cones together have become too large.
    pub(super) fn of(&mut self, signal: Signal) -> Option<Vec<InputId>> {
        self.cone += 1;
        let mut found = Vec::new();
        let mut open = vec![signal.node()];
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut self.visited[node], self.cone) == self.cone {
                continue;
            }
            self.visits += 1;
            match &self.net.nodes[node] {
                PropNode::True => {}
                PropNode::Base(base) if self.autonomous[*base] => {}
                PropNode::Base(base) => found.push(self.base(*base)),
                PropNode::Does(mv) => found.push(self.mv(*mv)),
                PropNode::Loop(atom) => open.push(self.net.loops[*atom].definition.node()),
                PropNode::And(operands) => {
                    open.extend(operands.iter().map(|operand| operand.node()));
                }
            }
        }
        (self.visits <= self.most_visits).then_some(found)
    }
}

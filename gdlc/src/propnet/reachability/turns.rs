//! Whose turn it is: fluents that change in the same way whatever moves are made, such as
//! those for whose turn it is and how many moves have been made, with their values while a
//! role has a choice.

use super::super::analyses::find_autonomous_bases;
use super::super::{PropNode, PropNodeId, Propnet, Signal};
use crate::ground::{BaseId, RoleId};
use crate::id::IdVec;
use rustc_hash::FxHashSet;

/// The largest number of states that are looked at.
const MOST_STATES: usize = 256;

/// The values of a fluent while a role has a choice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TurnValues {
    pub(super) can_hold: bool,
    pub(super) can_fail: bool,
}

/// The values of the autonomous fluents while one role has a choice.
#[derive(Debug, Clone)]
pub(super) struct RoleTurns {
    /// `None` for the other fluents.
    values: IdVec<BaseId, Option<TurnValues>>,
}

impl RoleTurns {
    /// Whether a fluent depends on no move.
    pub(super) fn is_autonomous(&self, base: BaseId) -> bool {
        self.values[base].is_some()
    }

    /// The values of an autonomous fluent.
    pub(super) fn values(&self, base: BaseId) -> Option<TurnValues> {
        self.values[base]
    }
}

/// For each role, the values of the autonomous fluents while it has a choice.
pub(super) fn find_turns(net: &Propnet) -> IdVec<RoleId, RoleTurns> {
    let autonomous = find_autonomous_bases(net);
    let values = autonomous
        .iter()
        .map(|&is_autonomous| is_autonomous.then(TurnValues::default));
    let nothing = RoleTurns {
        values: values.collect(),
    };
    let mut turns = IdVec::filled(nothing, net.roles.len());
    let mut state: IdVec<BaseId, bool> = net.bases.iter().map(|base| base.initially).collect();
    let mut seen = FxHashSet::default();
    while seen.len() < MOST_STATES {
        let own: Vec<bool> = own_values(&state, &autonomous);
        if !seen.insert(own) {
            break;
        }
        let known = known_values(net, &state, &autonomous);
        for role in net.roles.ids() {
            if has_choice(net, role, &known) {
                add_values(&mut turns[role], &state);
            }
        }
        state = net
            .bases
            .iter()
            .map(|base| value(&known, base.next).unwrap_or(false))
            .collect();
    }
    turns
}

fn own_values(state: &IdVec<BaseId, bool>, autonomous: &IdVec<BaseId, bool>) -> Vec<bool> {
    let both = state.iter().zip(autonomous);
    both.map(|(holds, own)| *holds && *own).collect()
}

fn add_values(turns: &mut RoleTurns, state: &IdVec<BaseId, bool>) {
    for (values, &holds) in turns.values.iter_mut().zip(state) {
        if let Some(values) = values {
            values.can_hold |= holds;
            values.can_fail |= !holds;
        }
    }
}

/// The values that follow from those of the autonomous fluents.
fn known_values(
    net: &Propnet,
    state: &IdVec<BaseId, bool>,
    autonomous: &IdVec<BaseId, bool>,
) -> IdVec<PropNodeId, Option<bool>> {
    let mut known: IdVec<PropNodeId, Option<bool>> = IdVec::new();
    for node in &net.nodes {
        known.push(match node {
            PropNode::True => Some(true),
            PropNode::Base(base) => autonomous[*base].then_some(state[*base]),
            PropNode::Does(_) | PropNode::Loop(_) => None,
            PropNode::And(operands) => {
                let mut values = operands.iter().map(|&it| value(&known, it));
                if values.clone().any(|value| value == Some(false)) {
                    Some(false)
                } else {
                    values.all(|value| value == Some(true)).then_some(true)
                }
            }
        });
    }
    known
}

fn value(known: &IdVec<PropNodeId, Option<bool>>, signal: Signal) -> Option<bool> {
    known[signal.node()].map(|value| value != signal.inverted())
}

/// Whether a role may have several moves.
fn has_choice(net: &Propnet, role: RoleId, known: &IdVec<PropNodeId, Option<bool>>) -> bool {
    let moves = net.moves.iter().filter(|mv| mv.role == role);
    let possible = moves.filter(|mv| value(known, mv.legal) != Some(false));
    possible.take(2).count() == 2
}

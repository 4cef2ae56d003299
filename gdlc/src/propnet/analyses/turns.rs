//! [`Turns`]: two roles of which exactly one acts at a time.

use super::{Exclusion, ImpliedLiterals, MutexGroups};
use crate::ground::{MoveId, RoleId};
use crate::id::Id;
use crate::propnet::{PropNode, Propnet, Signal};
use rustc_hash::FxHashMap;

/// Two roles that take turns. Each has one idle move; in legal play the idle moves of
/// both are never legal together, nor are acting moves of both. So exactly one acting
/// move is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turns {
    /// The idle move of each role.
    pub idle: [MoveId; 2],
}

impl Turns {
    /// The turns of a game with two roles, if it can be proved that they take turns.
    #[must_use]
    pub fn find(net: &Propnet, implied: &ImpliedLiterals, groups: &MutexGroups) -> Option<Self> {
        let roles: Vec<RoleId> = net.roles.ids().collect();
        let [first, second] = roles[..] else {
            return None;
        };
        let [first, second] = [first, second].map(|role| all_but_one(net, implied, role));
        let mut exclusion = Exclusion::new(net, implied, groups);
        for (one, idle) in &first {
            for (other, other_idle) in &second {
                let idle = [*idle, *other_idle];
                let [mine, theirs] = idle.map(|mv| net.moves[mv].legal);
                let exclude = *one == !*other || in_one_group(net, groups, *one, *other);
                if exclude && exclusion.proves(mine, theirs) {
                    return Some(Self { idle });
                }
            }
        }
        None
    }
}

/// The signals that all possible moves of a role but one imply, each with that one
/// move.
fn all_but_one(net: &Propnet, implied: &ImpliedLiterals, role: RoleId) -> Vec<(Signal, MoveId)> {
    let moves: Vec<MoveId> = net.possible_moves(role).collect();
    // For each signal, how many moves imply it, and the sum of their indices: the
    // difference from the sum of all indices is the index of the one that does not.
    let mut implying: FxHashMap<Signal, (usize, usize)> = FxHashMap::default();
    for &mv in &moves {
        for &signal in implied.of(net.moves[mv].legal) {
            let (count, sum) = implying.entry(signal).or_default();
            *count += 1;
            *sum += mv.index();
        }
    }
    let all: usize = moves.iter().map(|mv| mv.index()).sum();
    let mut found: Vec<_> = implying
        .into_iter()
        .filter(|(_, (count, _))| moves.len() > 1 && count + 1 == moves.len())
        .map(|(signal, (_, sum))| (signal, MoveId::new(all - sum)))
        .collect();
    found.sort_unstable();
    found
}

fn in_one_group(net: &Propnet, groups: &MutexGroups, one: Signal, other: Signal) -> bool {
    match (&net.nodes[one.node()], &net.nodes[other.node()]) {
        (PropNode::Base(first), PropNode::Base(second)) => {
            !one.inverted() && !other.inverted() && groups.exclude(*first, *second)
        }
        _ => false,
    }
}

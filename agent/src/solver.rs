//! Proven values: a node is solved once every role's goal value under best play is
//! known, as in MCTS-Solver (Winands, Björnsson and Saito 2008).
//!
//! The search solves terminal nodes. From there:
//! - Where one role decides, it takes the best solved successor once all successors are
//!   solved, or at once if that gives it 100. If several best successors differ for
//!   other roles, the node stays open, except that a role with a certain 100 is assumed
//!   to play the first one found: always exact for the deciding role, and for every
//!   role where the sum of goals is constant.
//! - A role whose goal does not depend on how the game ends, such as a die, may make any of its
//!   moves: a node where it decides is solved once all of them lead to the same goals.
//! - Where several roles decide, the node is solved if all joint moves lead to the same
//!   goals, or if all joint moves that contain a certain move of a role lead to the
//!   same goals and give that role 100.

use gdl_runtime::engine::Role;

use crate::component::{Component, Slot};
use crate::tree::edge::SolvedStatus;
use crate::tree::node::TreeNodeId;
use crate::tree::path::SearchPath;
use crate::tree::{Mover, OutcomeId, SearchTree};

/// The component that switches proofs off.
pub const UNPROVEN: Component = Component {
    name: "unproven",
    slot: Slot::Proofs,
    summary: "nothing is proven except the ends of games themselves: values are averages only, \
              as in the papers of 2008 to 2012",
    source: "",
    parameters: &[],
    build: |builder, _, _| builder.settings.proves = false,
};

/// The highest goal value.
const WON: i32 = 100;

/// Maximum number of joint moves examined to solve one node; nodes with more stay open.
const JOINTS: usize = 4096;

/// Follows a path back from its solved end for as long as this solves nodes.
pub(crate) fn prove(tree: &mut SearchTree, path: &SearchPath) {
    for (node, joint) in path.steps().rev() {
        if tree.outcome(node).is_some() {
            continue;
        }
        let solved = match tree.mover(node) {
            Mover::One(role) if tree.has_preferences(role) => decide_one(tree, node, role),
            Mover::One(_) => decide_by_chance(tree, node, joint),
            Mover::Several => decide_several(tree, node, joint),
        };
        match solved {
            Some(outcome) => tree.mark_solved(node, outcome),
            None => break,
        }
    }
}

/// The outcome of a node where one role decides, if it is solved. Also marks the node's
/// edges.
fn decide_one(tree: &mut SearchTree, node: TreeNodeId, role: Role) -> Option<OutcomeId> {
    let mut best: Option<(i32, OutcomeId)> = None;
    let mut open = false;
    let mut ambiguous = false;
    for index in tree.span(node, role) {
        let child = tree.edge_child(index as u32);
        let Some(outcome) = child.and_then(|child| tree.outcome(child)) else {
            // A pruned move that leads nowhere yet is as good as one of the others.
            open |= tree.edge(index as u32).status != SolvedStatus::Pruned;
            continue;
        };
        let value = tree.goals(outcome)[role];
        match best {
            Some((highest, _)) if value < highest => {}
            Some((highest, other)) if value == highest => ambiguous |= outcome != other,
            _ => {
                best = Some((value, outcome));
                ambiguous = false;
            }
        }
    }
    let (highest, outcome) = best?;
    tree.set_best_proven(node, outcome);
    mark_edges(tree, node, role, highest, open);
    (highest >= WON || (!open && !ambiguous)).then_some(outcome)
}

/// Makes the averages of solved edges exact, and prunes those that cannot be best.
fn mark_edges(tree: &mut SearchTree, node: TreeNodeId, role: Role, highest: i32, open: bool) {
    for index in tree.span(node, role) {
        let child = tree.edge_child(index as u32);
        let Some(outcome) = child.and_then(|child| tree.outcome(child)) else {
            continue;
        };
        let value = tree.goals(outcome)[role];
        let status = if value < highest || (value <= 0 && open) {
            SolvedStatus::Pruned
        } else {
            SolvedStatus::Proven
        };
        tree.mark_edge(index as u32, status, value);
    }
}

/// The outcome of a node where an indifferent role decides, if it is solved now that the successor
/// by `joint` is.
fn decide_by_chance(tree: &SearchTree, node: TreeNodeId, joint: &[u32]) -> Option<OutcomeId> {
    let outcome = tree.outcome(tree.child(node, joint)?)?;
    all_lead_to(tree, node, None, outcome).then_some(outcome)
}

/// The outcome of a node where several roles decide, if it is solved now that the
/// successor by `joint` is.
fn decide_several(tree: &mut SearchTree, node: TreeNodeId, joint: &[u32]) -> Option<OutcomeId> {
    let outcome = tree.outcome(tree.child(node, joint)?)?;
    for (role, &edge) in joint.iter().enumerate() {
        let wins = tree.has_preferences(role) && tree.goals(outcome)[role] >= WON;
        if wins && all_lead_to(tree, node, Some((role, edge)), outcome) {
            tree.mark_edge(edge, SolvedStatus::Proven, WON);
            return Some(outcome);
        }
    }
    all_lead_to(tree, node, None, outcome).then_some(outcome)
}

/// Whether all joint moves lead to this outcome; with `fixed`, all joint moves that
/// contain this move of a role.
fn all_lead_to(
    tree: &SearchTree,
    node: TreeNodeId,
    fixed: Option<(Role, u32)>,
    outcome: OutcomeId,
) -> bool {
    let spans: Vec<_> = (0..tree.roles())
        .map(|role| match fixed {
            Some((who, edge)) if who == role => edge..edge + 1,
            _ => {
                let span = tree.span(node, role);
                span.start as u32..span.end as u32
            }
        })
        .collect();
    let mut joint: Vec<u32> = spans.iter().map(|span| span.start).collect();
    for _ in 0..JOINTS {
        let solved = tree
            .child(node, &joint)
            .and_then(|child| tree.outcome(child));
        if solved != Some(outcome) {
            return false;
        }
        let Some(role) = (0..joint.len()).rfind(|&role| joint[role] + 1 < spans[role].end) else {
            return true;
        };
        joint[role] += 1;
        for later in role + 1..joint.len() {
            joint[later] = spans[later].start;
        }
    }
    false
}

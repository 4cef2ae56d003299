//! The final move by the top two levels of the tree: a shallow minimax over averages.

use gdl_runtime::engine::Role;

use crate::tree::edge::{MoveEdge, SolvedStatus};
use crate::tree::node::TreeNodeId;
use crate::tree::{Mover, SearchTree};

/// The choice of the final move by what follows it (survey of 2015, section 2.3.5, on
/// MINI-Player).
///
/// Where one role alone chooses in the state after a move, the move is valued by what that
/// role makes of it: by the highest average of ours if we choose there, otherwise by the
/// lowest average that is left to us. Where several choose at once, here or there, the value
/// lies between the move's own average and the lowest one that follows.
///
/// Edges only have the returns of the role that moves along them, so that ours are taken to
/// be 100 minus those of the other role; games of more than two roles are left as they are.
/// The survey also raises the averages of moves that end the game. Here their values are
/// proven instead.
///
/// Cost: none per simulation; at the end of a search, a look at all moves of two levels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoLevel {
    /// The weight of the lowest value that follows, 0 to 1, where several roles choose.
    pub weight: f64,
    /// Visits below which a move of the second level does not count.
    pub least: u32,
}

impl TwoLevel {
    /// Replaces the values of a role's moves at the root, in the order of its edges, as far
    /// as they are not proven.
    pub(crate) fn revise(
        self,
        tree: &SearchTree,
        root: TreeNodeId,
        role: Role,
        values: &mut [f64],
    ) {
        if tree.roles() > 2 {
            return;
        }
        let alone = tree.mover(root) == Mover::One(role);
        let edges = tree.span(root, role).zip(tree.edges(root, role));
        for ((index, edge), value) in edges.zip(values) {
            if edge.status != SolvedStatus::Open {
                continue;
            }
            let children = children(tree, root, role, index as u32);
            let scored = children.filter_map(|child| Some((child, self.score(tree, child, role)?)));
            let lowest = scored.min_by(|one, other| one.1.total_cmp(&other.1));
            if let Some((child, score)) = lowest {
                let several = !alone || tree.mover(child) == Mover::Several;
                let weight = if several { self.weight } else { 1.0 };
                *value += weight * (score - *value);
            }
        }
    }

    /// What a role gets from a state, by the moves that were tried there.
    fn score(self, tree: &SearchTree, node: TreeNodeId, role: Role) -> Option<f64> {
        if let Some(outcome) = tree.outcome(node) {
            return Some(f64::from(tree.goals(outcome)[role]));
        }
        let highest = |role| {
            let tried = tree.edges(node, role).iter();
            let tried = tried.filter(|edge| edge.visits >= self.least);
            tried.map(MoveEdge::mean).reduce(f64::max)
        };
        match tree.mover(node) {
            Mover::One(decider) if decider == role => highest(role),
            Mover::One(decider) => highest(decider).map(|score| 100.0 - score),
            Mover::Several => average(tree.edges(node, role)),
        }
    }
}

/// The average return of all simulations along some edges.
fn average(edges: &[MoveEdge]) -> Option<f64> {
    let visits: u32 = edges.iter().map(|edge| edge.visits).sum();
    let sum: f64 = edges.iter().map(|edge| edge.sum).sum();
    (visits > 0).then(|| sum / f64::from(visits))
}

/// The known successors of a node of at most two roles after one of them moves along an
/// edge.
fn children(
    tree: &SearchTree,
    node: TreeNodeId,
    role: Role,
    edge: u32,
) -> impl Iterator<Item = TreeNodeId> {
    let others = match tree.roles() {
        1 => 0..1,
        _ => tree.span(node, 1 - role),
    };
    others.filter_map(move |other| {
        let other = other as u32;
        let joint = if role == 0 {
            [edge, other]
        } else {
            [other, edge]
        };
        tree.child(node, &joint[..tree.roles()])
    })
}

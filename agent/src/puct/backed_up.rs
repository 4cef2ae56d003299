//! Backed-up values of the states of a tree, which look as far ahead as the tree does beneath each
//! of them.

use gdl_runtime::engine::Role;

use super::bounds::GoalModel;
use super::tree::{Edge, NodeId, PuctTree};
use crate::learning::network::MAX_HEADS;

/// How far the most visited moves are followed to where a role decides.
const LONGEST_LINE: usize = 16;

impl PuctTree {
    /// Calls `tell` with each state that was visited at least this often and its values for all
    /// roles, 0 to 1.
    pub(super) fn for_each_visited(
        &self,
        least: u32,
        goals: &GoalModel,
        tell: &mut dyn FnMut(&[u64], &[f32]),
    ) {
        let mut values = [0.0; MAX_HEADS];
        let values = &mut values[..self.roles()];
        for (index, node) in (0..).zip(&self.nodes) {
            // Ends of games have no moves, and a node with a single move is worth what follows it.
            if node.count > 1 && node.visits >= least {
                let node = NodeId(index);
                self.write_backed_up_values(node, goals, values);
                tell(self.state(node), values);
            }
        }
    }

    /// Writes what a node is worth to each role by what was seen beneath it: to the role that
    /// decides, the mean value of its best move; to the others, what they have where they decide
    /// next along such moves, unless an indifferent role decides before that. Where several
    /// decide, means over all visits.
    fn write_backed_up_values(&self, node: NodeId, goals: &GoalModel, values: &mut [f32]) {
        let mut is_known = [false; MAX_HEADS];
        let mut next = Some(node);
        for _ in 0..LONGEST_LINE {
            let Some(at) = next else { break };
            for role in (0..values.len()).filter(|&role| !is_known[role]) {
                values[role] = match self.decider(at) {
                    Some(_) => self.values(at)[role],
                    None => mean(self.edges_of(at, role)).unwrap_or(self.values(at)[role]),
                };
            }
            let Some(decider) = self.decider(at) else {
                break;
            };
            // The move of an indifferent role cannot be foreseen.
            let best = self.best_known(at, decider);
            let Some(best) = best.filter(|_| goals.has_preferences(decider)) else {
                break;
            };
            if !is_known[decider] {
                values[decider] = self.value_of(best, decider);
                is_known[decider] = true;
            }
            if goals.has_constant_sum {
                values[1 - decider] = 1.0 - values[decider];
                break;
            }
            next = best.child();
        }
        self.clamp(node, values);
    }

    /// The move of a role that is best by what is known: the most visited one, unless one that
    /// takes no more visits is worth as much.
    fn best_known(&self, node: NodeId, role: Role) -> Option<&Edge> {
        // Of equals the more likely one: it comes first.
        let among = |is_closed: bool| {
            let edges = self.edges_of(node, role).iter().rev();
            edges.filter(move |edge| edge.is_closed == is_closed)
        };
        let value = |edge: &Edge| self.value_of(edge, role);
        let open = among(false).max_by_key(|edge| edge.visits);
        let closed = among(true).max_by(|one, other| value(one).total_cmp(&value(other)));
        match (open, closed) {
            (Some(open), Some(closed)) if value(closed) < value(open) => Some(open),
            (open, closed) => closed.or(open),
        }
    }

    /// The mean value of a move for its role, as far as the bounds of its successor allow it.
    fn value_of(&self, edge: &Edge, role: Role) -> f32 {
        let bounds = edge.child().map(|child| self.bounds(child)[role]);
        let [low, high] = bounds
            .unwrap_or([0, 100])
            .map(|goal| f32::from(goal) / 100.0);
        edge.mean.clamp(low, high)
    }

    fn edges_of(&self, node: NodeId, role: Role) -> &[Edge] {
        &self.edges[self.span(node, role)]
    }
}

/// The mean value of these moves over all their visits; `None` if there were none.
fn mean(edges: &[Edge]) -> Option<f32> {
    let visits: u32 = edges.iter().map(|edge| edge.visits).sum();
    let sum: f32 = (edges.iter())
        .map(|edge| edge.mean * edge.visits as f32)
        .sum();
    (visits > 0).then(|| sum / visits as f32)
}

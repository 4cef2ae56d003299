//! Solved nodes that take no simulations: what is proven enters the values of the nodes above
//! it, and simulations go where something is left to find out (after Cazenave and Saffidine,
//! "Score Bounded Monte-Carlo Tree Search", 2010).
//!
//! Without this, simulations keep going into a solved successor as long as its average is the
//! highest, and teach nothing. With it, a role that has a proven move is credited with the value of
//! that move, or with what its open move returns if that is worth more on average. (Taking the
//! greater of the two in each simulation would give more than either: the choice between a move
//! that wins one time in four and a certain draw would count as 62 points.)

use crate::component::{Component, Slot};
use crate::tree::node::TreeNodeId;
use crate::tree::{Mover, SearchTree};

/// The component.
pub const COMPONENT: Component = Component {
    name: "closed",
    slot: Slot::Proofs,
    summary: "moves whose value is proven take no more simulations, anywhere in the tree: these go \
              to open moves, and count for no less than the best proven one",
    source: "Cazenave and Saffidine 2010",
    parameters: &[],
    build: |builder, _, _| builder.settings.closes = true,
};

/// Lets proven values at a node count in the backup of simulations that made this joint move there:
/// keeps the value of a proven move exact, and replaces the returns, one sum per role, with those
/// of the best proven move if that gives the role that decides more than the move made, on average.
pub(crate) fn enter_proven(
    tree: &mut SearchTree,
    node: TreeNodeId,
    joint: &[u32],
    simulations: u32,
    returns: &mut [f64],
) {
    let (Mover::One(role), Some(best)) = (tree.mover(node), tree.best_proven(node)) else {
        return;
    };
    let made = joint[role];
    let child = tree.edge_child(made);
    if let Some(outcome) = child.and_then(|child| tree.outcome(child)) {
        let (status, value) = (tree.edge(made).status, tree.goals(outcome)[role]);
        tree.mark_edge(made, status, value);
    }
    let (simulations, goals) = (f64::from(simulations), tree.goals(best));
    if f64::from(goals[role]) > tree.edge(made).mean() {
        let sums = goals.iter().map(|&goal| f64::from(goal) * simulations);
        returns.iter_mut().zip(sums).for_each(|(to, sum)| *to = sum);
    }
}

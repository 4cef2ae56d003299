//! Proof numbers: moves that are close to a proven win are preferred.

use super::{Knowledge, MoveChoice};
use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::playout::Observed;
use crate::tree::node::TreeNodeId;
use crate::tree::path::SearchPath;
use crate::tree::{Mover, SearchTree};

/// The component.
pub const COMPONENT: Component = Component {
    name: "proof-numbers",
    slot: Slot::Knowledge,
    summary: "W·(1 − p(a)/p) is added to the value of a move, where p(a) is the number of leaves \
              that have to be won to prove that the role wins after it, and p the greatest such \
              number of its moves",
    source: "Kowalski, Soemers, Kosakowski and Winands 2025",
    parameters: &[Parameter {
        name: "weight",
        meaning: "W, the greatest bonus, in goal points",
        kind: ParameterKind::Number {
            default: 10.0,
            range: 0.0..=10_000.0,
        },
    }],
    build: |builder, values, _| {
        builder.settings.keeps_proof_numbers = true;
        builder.knowledge(ProofNumbers {
            weight: values.get(0) as f32,
        });
    },
};

/// The goal that counts as a win.
const WON: i32 = 100;

/// Proof numbers in the selection, one for every role ("Generalized Proof-Number Monte-Carlo Tree
/// Search", 2025). How numbers become a bonus is our choice.
///
/// Every role has a proof number at every node: the least number of leaves whose proof would
/// prove that it wins. A leaf has 1, a win 0, and any other end infinitely many. A role that
/// decides has the minimum over its moves, the others the sum. Where several roles decide at once,
/// the numbers are those of a leaf. The move with the greatest number of those that are finite gets
/// no bonus, and neither do moves that cannot win.
///
/// Cost: with every batch, the moves of all nodes on its path are read once more; every edge
/// takes four more bytes for each role.
#[derive(Debug)]
pub struct ProofNumbers {
    weight: f32,
}

impl Knowledge for ProofNumbers {
    fn apply(&mut self, choice: &MoveChoice<'_>, values: &mut [f32]) {
        if !choice.alone {
            return;
        }
        let numbers = (choice.tree).proof_numbers(choice.node, choice.role, choice.role);
        let finite = numbers.clone().filter(|number| number.is_finite());
        let greatest = finite.fold(0.0, f32::max);
        if greatest == 0.0 {
            return;
        }
        for (value, number) in values.iter_mut().zip(numbers) {
            *value += self.weight * (1.0 - number / greatest).max(0.0);
        }
    }

    fn observes(&self) -> Observed {
        Observed::Nothing
    }
}

/// Brings the proof numbers along a path up to date, from its end to its beginning.
pub(crate) fn update(tree: &mut SearchTree, path: &SearchPath) {
    let mut numbers = vec![1.0; tree.roles()];
    for (node, joint) in path.steps().rev() {
        let Mover::One(role) = tree.mover(node) else {
            continue;
        };
        if let Some(child) = tree.edge_child(joint[role]) {
            number(tree, child, &mut numbers);
            tree.set_proof_numbers(joint[role], &numbers);
        }
    }
}

/// The proof number of every role at a node.
fn number(tree: &SearchTree, node: TreeNodeId, numbers: &mut [f32]) {
    if let Some(outcome) = tree.outcome(node) {
        for (number, &goal) in numbers.iter_mut().zip(tree.goals(outcome)) {
            *number = if goal >= WON { 0.0 } else { f32::INFINITY };
        }
        return;
    }
    match tree.mover(node) {
        Mover::One(decider) if tree.is_expanded(node) => {
            for (role, number) in numbers.iter_mut().enumerate() {
                let moves = tree.proof_numbers(node, decider, role);
                *number = match role == decider {
                    true => moves.fold(f32::INFINITY, f32::min),
                    false => sum(moves),
                };
            }
        }
        _ => numbers.fill(1.0),
    }
}

/// The sum of numbers, infinite only if one of them is: transpositions are counted on every way
/// to them, so that sums grow without bound.
fn sum(mut numbers: impl Iterator<Item = f32> + Clone) -> f32 {
    let sum: f32 = numbers.clone().sum();
    match numbers.all(f32::is_finite) {
        true => sum.min(f32::MAX),
        false => f32::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use gdl_runtime::engine::Move;

    /// A tree of a game of two roles that move in turns: a node for each number.
    struct Nodes {
        tree: SearchTree,
        ids: Vec<TreeNodeId>,
    }

    impl Nodes {
        /// The roles and numbers of moves of the nodes that are expanded.
        fn new(expanded: &[(usize, u32)], count: u64) -> Self {
            let mut tree = SearchTree::new(2, 1 << 20, 0).with_proof_numbers(true);
            let ids = (0..count).map(|state| tree.insert(&[state]).unwrap().0);
            let ids: Vec<TreeNodeId> = ids.collect();
            for (&node, &(role, moves)) in ids.iter().zip(expanded) {
                let mut all = [vec![Move(0)], vec![Move(0)]];
                all[role] = (0..moves).map(Move).collect();
                tree.expand(node, &all);
            }
            Self { tree, ids }
        }

        /// Makes a simulation along these nodes and moves, to the node after them.
        fn simulate(&mut self, steps: &[(usize, usize)], end: usize) {
            let mut path = SearchPath::new(2);
            let nodes = steps.iter().map(|&(node, _)| node).chain([end]);
            let nodes: Vec<usize> = nodes.collect();
            for (&(node, mv), &next) in steps.iter().zip(&nodes[1..]) {
                let node = self.ids[node];
                let mut joint = [0, 1].map(|role| self.tree.span(node, role).start as u32);
                let Mover::One(role) = self.tree.mover(node) else {
                    panic!("one role decides");
                };
                joint[role] += mv as u32;
                self.tree.link(node, &joint, self.ids[next]);
                self.tree.add_pending(node, &joint, 1);
                self.tree.credit(node, &joint, 1, &[50.0, 50.0]);
                path.push(node, &joint);
            }
            update(&mut self.tree, &path);
        }

        fn numbers(&self, node: usize, role: usize) -> Vec<f32> {
            let decider = [0, 1].into_iter().find(|&role| {
                let mover = self.tree.mover(self.ids[node]);
                mover == Mover::One(role)
            });
            let node = self.ids[node];
            self.tree
                .proof_numbers(node, decider.unwrap(), role)
                .collect()
        }
    }

    /// The root is the first role's, with two moves, to nodes of the other role with three moves
    /// and with one.
    fn two_replies() -> Nodes {
        let mut nodes = Nodes::new(&[(0, 2), (1, 3), (1, 1)], 5);
        for (mv, child) in [(0, 1), (1, 2)] {
            nodes.simulate(&[(0, mv)], child);
        }
        nodes
    }

    #[test]
    fn a_role_needs_one_of_its_own_moves_and_all_of_the_others() {
        let mut nodes = two_replies();
        // All three replies have to be won against, or the only one.
        assert_eq!(nodes.numbers(0, 0), [3.0, 1.0]);
        // The second role wins by any of its replies.
        assert_eq!(nodes.numbers(0, 1), [1.0, 1.0]);
        let won = nodes.tree.outcome_of(&[100, 0]).unwrap();
        nodes.tree.mark_solved(nodes.ids[4], won);
        nodes.simulate(&[(0, 0), (1, 1)], 4);
        assert_eq!(nodes.numbers(1, 0), [1.0, 0.0, 1.0]);
        assert_eq!(nodes.numbers(1, 1), [1.0, f32::INFINITY, 1.0]);
        assert_eq!(nodes.numbers(0, 0), [2.0, 1.0]);
    }

    #[test]
    fn sums_are_infinite_only_if_a_number_is() {
        assert_eq!(sum([f32::MAX, f32::MAX].into_iter()), f32::MAX);
        assert_eq!(sum([1.0, f32::INFINITY].into_iter()), f32::INFINITY);
    }

    #[test]
    fn what_is_nearly_proven_gets_a_bonus() {
        let nodes = two_replies();
        let choice = MoveChoice::new(&nodes.tree, &[], nodes.ids[0], 0);
        let mut values = [50.0, 50.0];
        ProofNumbers { weight: 30.0 }.apply(&choice, &mut values);
        assert_eq!(values, [50.0, 70.0]);
    }

    #[test]
    fn moves_that_cannot_win_get_none() {
        let mut nodes = two_replies();
        let lost = nodes.tree.outcome_of(&[0, 100]).unwrap();
        nodes.tree.mark_solved(nodes.ids[3], lost);
        nodes.simulate(&[(0, 1), (2, 0)], 3);
        assert_eq!(nodes.numbers(0, 0), [3.0, f32::INFINITY]);
        let choice = MoveChoice::new(&nodes.tree, &[], nodes.ids[0], 0);
        let mut values = [50.0, 50.0];
        ProofNumbers { weight: 30.0 }.apply(&choice, &mut values);
        assert_eq!(values, [50.0, 50.0]);
    }
}

//! Making room: drops the nodes that the root can no longer reach.
//!
//! Tables are compacted in place. Entries only move towards the front, in order, so
//! that there is never a second graph: a search with a deadline cannot wait for a copy.

use std::num::NonZeroU32;
use std::ops::Range;

use super::table::give_back;
use super::{SEVERAL, SearchTree, TreeNodeId};
use crate::reach::reached;

/// The new number of each node, if it is kept.
type Numbers = [Option<TreeNodeId>];

impl SearchTree {
    /// Drops every node that cannot be reached from `root`, and returns the root's new
    /// number. No simulation may be in flight.
    pub fn keep_reachable(&mut self, root: TreeNodeId) -> Option<TreeNodeId> {
        let numbers = self.number_reachable(root);
        self.pack_edges(&numbers);
        let mut all = numbers.iter();
        self.nodes
            .retain(|_| all.next().is_some_and(Option::is_some));
        self.states.pack(&numbers);
        self.pack_joints(&numbers);
        self.joint_statistics.pack(&numbers);
        for score in &mut self.scores {
            score.child = score.child.and_then(|child| numbers[child.index()]);
        }
        self.nodes.iter_mut().for_each(|node| node.descent = 0);
        self.descent = 0;
        self.root = None;
        self.give_back_room();
        numbers[root.index()]
    }

    /// Shrinks the tables of nodes and edges that have far more room than they need.
    pub(super) fn give_back_room(&mut self) {
        give_back(&mut self.nodes);
        give_back(&mut self.bounds);
        give_back(&mut self.edges);
        give_back(&mut self.scores);
        self.statistics.give_back();
        self.strategies.give_back();
        self.proof_numbers.give_back();
    }

    /// Numbers the nodes that can be reached from a root, in their present order.
    fn number_reachable(&self, root: TreeNodeId) -> Vec<Option<TreeNodeId>> {
        let joints = self.joints.iter();
        let joints = joints.map(|(&(node, _), &child)| (node.index(), child.index()));
        let successors = |node| {
            let moves = TreeNodeId::new(node).map_or(0..0, |node| self.all_moves(node));
            let scores = self.scores[moves].iter();
            scores.filter_map(|score| Some(score.child?.index()))
        };
        let reached = reached(self.nodes.len(), root.index(), joints, successors, |_| true);
        let mut kept = 0;
        let number = |reached: bool| {
            kept += usize::from(reached);
            reached.then(|| TreeNodeId::new(kept - 1)).flatten()
        };
        reached.into_iter().map(number).collect()
    }

    /// The indices of all roles' moves among all edges; empty if not expanded.
    fn all_moves(&self, node: TreeNodeId) -> Range<usize> {
        self.span(node, 0).start..self.span(node, self.roles - 1).end
    }

    /// Keeps the edges of kept nodes with their statistics; nodes still have their old
    /// numbers.
    fn pack_edges(&mut self, numbers: &Numbers) {
        let nodes = self.nodes.iter().zip(numbers).enumerate();
        let kept = nodes.filter(|(_, (_, number))| number.is_some());
        let expanded = kept.filter_map(|(index, (node, _))| Some((node.first?, index)));
        let mut expanded: Vec<(NonZeroU32, usize)> = expanded.collect();
        expanded.sort_unstable();
        let (mut edges, mut bounds) = (0, 0);
        for (_, index) in expanded {
            let Some(node) = TreeNodeId::new(index) else {
                continue;
            };
            let span = self.all_moves(node);
            self.move_edges(span.clone(), edges);
            let entry = &mut self.nodes[index];
            entry.first = NonZeroU32::new(edges as u32 + 1);
            if entry.mover == SEVERAL {
                let from = std::mem::replace(&mut entry.extent, bounds as u32) as usize;
                self.bounds.copy_within(from..=from + self.roles, bounds);
                let own = &mut self.bounds[bounds..=bounds + self.roles];
                let shift = (span.start - edges) as u32;
                own.iter_mut().for_each(|bound| *bound -= shift);
                bounds += self.roles + 1;
            }
            edges += span.len();
        }
        self.edges.truncate(edges);
        self.scores.truncate(edges);
        self.statistics.truncate(edges);
        self.strategies.truncate(edges);
        self.proof_numbers.truncate(edges);
        self.bounds.truncate(bounds);
    }

    fn move_edges(&mut self, span: Range<usize>, to: usize) {
        self.statistics.shift(span.clone(), to);
        self.strategies.shift(span.clone(), to);
        self.proof_numbers.shift(span.clone(), to);
        self.edges.copy_within(span.clone(), to);
        self.scores.copy_within(span, to);
    }

    fn pack_joints(&mut self, numbers: &Numbers) {
        let joints = std::mem::take(&mut self.joints).into_iter();
        let renumbered = joints.filter_map(|((node, joint), child)| {
            Some(((numbers[node.index()]?, joint), numbers[child.index()]?))
        });
        self.joints = renumbered.collect();
    }
}

#[cfg(test)]
mod tests {
    use super::super::joint::UNCHOSEN;
    use super::super::{SearchTree, TreeNodeId};
    use gdl_runtime::engine::{Move, State};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::collections::BTreeMap;

    const NODES: u64 = 60;

    /// States differ in length as those of engines without a layout do.
    fn state(number: u64) -> State {
        State((0..1 + number % 3).map(|_| number).collect())
    }

    fn number(tree: &SearchTree, node: TreeNodeId) -> u64 {
        tree.state(node)[0]
    }

    /// All edges of a node by role, as one joint move each that there is.
    fn joints(tree: &SearchTree, node: TreeNodeId) -> Vec<[u32; 2]> {
        let [first, second] = [0, 1].map(|role| tree.span(node, role));
        let pair = |one: usize| second.clone().map(move |other| [one as u32, other as u32]);
        first.flat_map(pair).collect()
    }

    /// A graph in which some nodes have moves, of one role or of both, and some of
    /// these lead somewhere.
    fn random_graph(random: &mut Xoshiro256PlusPlus) -> SearchTree {
        let mut tree = SearchTree::new(2, 1 << 30, 2)
            .with_strategies(1)
            .with_proof_numbers(true);
        for number in 0..NODES {
            tree.insert(&state(number).0);
        }
        for index in 0..NODES {
            let node = tree.find(&state(index)).expect("it was inserted");
            tree.count_visits(node, random.random_range(0..100));
            if random.random_bool(0.3) {
                continue;
            }
            let moves = [0, 1].map(|_| (0..random.random_range(1..4)).map(Move).collect());
            tree.expand(node, &moves);
            for role in 0..2 {
                let statistics = tree.statistics_mut(node, role).1;
                statistics.fill_with(|| random.random());
                let strategies = tree.strategies_mut(node, role);
                strategies.fill_with(|| random.random());
                for edge in tree.span(node, role) {
                    tree.set_proof_numbers(edge as u32, &[random.random(), random.random()]);
                }
            }
            for joint in joints(&tree, node) {
                for part in [joint, [joint[0], UNCHOSEN]] {
                    let cell = tree.cell_mut(node, &part).expect("there is room");
                    cell.credit(1, &[random.random(), random.random()]);
                }
                if random.random_bool(0.6) {
                    let child = state(random.random_range(0..NODES));
                    let child = tree.find(&child).expect("it was inserted");
                    tree.link(node, &joint, child);
                }
            }
        }
        tree
    }

    /// What a graph knows below a node, by states.
    fn knowledge(tree: &SearchTree, root: TreeNodeId) -> BTreeMap<u64, String> {
        let mut known = BTreeMap::new();
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            let children = joints(tree, node);
            let children: Vec<_> = children
                .iter()
                .map(|joint| tree.child(node, joint))
                .collect();
            let numbers = children
                .iter()
                .map(|child| child.map(|child| number(tree, child)));
            let numbers: Vec<_> = numbers.collect();
            let moves = [0, 1].map(|role| {
                let edges = tree.edges(node, role).iter().map(|edge| edge.mv);
                let statistics = tree.statistics(node, role);
                let strategies = tree.strategies(node, role);
                let numbers =
                    [0, 1].map(|of| tree.proof_numbers(node, role, of).collect::<Vec<_>>());
                (edges.collect::<Vec<_>>(), statistics, strategies, numbers)
            });
            let joints = joints(tree, node).into_iter();
            let cells = joints.flat_map(|joint| [joint, [joint[0], UNCHOSEN]]);
            let cells: Vec<_> = cells.map(|part| tree.cell(node, &part)).collect();
            let all = format!("{:?} {numbers:?} {moves:?} {cells:?}", tree.visits(node));
            if known.insert(number(tree, node), all).is_none() {
                open.extend(children.into_iter().flatten());
            }
        }
        known
    }

    #[test]
    fn what_can_be_reached_stays_as_it_was() {
        let mut dropped = 0;
        for seed in 0..200 {
            let mut tree = random_graph(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
            let root = tree.find(&state(seed % NODES)).expect("it was inserted");
            let before = knowledge(&tree, root);
            let root = tree.keep_reachable(root).expect("the root stays");
            assert_eq!(knowledge(&tree, root), before, "seed {seed}");
            assert_eq!(tree.len(), before.len(), "seed {seed}");
            for index in 0..NODES {
                let found = tree.find(&state(index)).is_some();
                assert_eq!(found, before.contains_key(&index), "seed {seed}");
            }
            dropped += NODES as usize - tree.len();
            // It grows as if nothing had been dropped.
            let (node, new) = tree.insert(&state(NODES).0).expect("there is room");
            assert!(new && tree.find(&state(NODES)) == Some(node), "seed {seed}");
        }
        assert!((2000..10_000).contains(&dropped), "{dropped}");
    }
}

//! Making room in the graph: drops what the root cannot reach, and what was visited least.
//!
//! Tables are compacted in place. Entries only move towards the front, in order, so that there is
//! never a second graph, and memory is read and written from one end to the other.

use super::tree::{Edge, NO_NODE, Node, NodeId, PuctTree};
use crate::reach::reached;

/// A node with more visits than this is not dropped.
const MOST_VISITS: u32 = 1 << 30;

/// What is dropped besides what the root cannot reach.
#[derive(Debug, Clone, Copy)]
struct Threshold {
    /// Nodes with fewer visits go.
    visits: u32,
    /// Whether closed nodes stay all the same: what is proven of them is not found again
    /// without effort.
    keeps_closed: bool,
}

/// The new numbers of a node and of its first edge.
#[derive(Debug, Clone, Copy)]
struct NewNumbers {
    node: u32,
    edge: u32,
}

const DROPPED: NewNumbers = NewNumbers {
    node: NO_NODE,
    edge: 0,
};

impl PuctTree {
    /// Drops what the root cannot reach, and of the rest nodes with few visits until the graph
    /// takes no more than this many bytes and has about this number of nodes at most: those that
    /// stay are what takes time. Returns the root's new number.
    pub(super) fn trim(&mut self, root: NodeId, bytes: usize, nodes: usize) -> NodeId {
        let mut root = root;
        if self.most_reachable(root) <= nodes {
            root = self.keep(root, 0, true);
        }
        let mut visits = self.visits_to_fit(bytes, nodes);
        let mut keeps_closed = true;
        // Joint moves and closed nodes take some of the room, too.
        while (self.bytes() > bytes || self.nodes.len() > nodes) && visits < MOST_VISITS {
            root = self.keep(root, visits, keeps_closed);
            visits *= 2;
            keeps_closed = false;
        }
        root
    }

    /// About the largest number of nodes that a node reaches, itself included: each visit adds one
    /// at most. Nodes that were added by way of other nodes come on top.
    pub(super) fn most_reachable(&self, node: NodeId) -> usize {
        let visits = self.nodes[node.index()].visits as usize;
        (visits + 1).min(self.nodes.len())
    }

    /// The number of visits below which nodes have to go so that no more than this number is left,
    /// and these take no more than this many bytes with their edges; a power of 2.
    fn visits_to_fit(&self, bytes: usize, nodes: usize) -> u32 {
        // Bytes and nodes, by the number of binary digits of their visits.
        let mut taken = [(0, 0); u32::BITS as usize + 1];
        for node in &self.nodes {
            let edges = node.count as usize * size_of::<Edge>();
            let (bytes, nodes) = &mut taken[(u32::BITS - node.visits.leading_zeros()) as usize];
            *bytes += self.node_bytes() + edges;
            *nodes += 1;
        }
        let mut total = (0, 0);
        let fits = |(more_bytes, more_nodes): &&(usize, usize)| {
            total.0 += more_bytes;
            total.1 += more_nodes;
            total.0 <= bytes && total.1 <= nodes
        };
        let fitting = taken.iter().rev().take_while(fits).count();
        let digits = (taken.len() - fitting).clamp(1, u32::BITS as usize);
        1 << (digits - 1)
    }

    /// Keeps what a node can reach through nodes with at least this number of visits, and
    /// through closed ones if those are to stay. Returns the node's new number.
    fn keep(&mut self, root: NodeId, visits: u32, keeps_closed: bool) -> NodeId {
        let threshold = Threshold {
            visits,
            keeps_closed,
        };
        let numbers = self.numbers(&self.reached(root, threshold));
        self.pack_joints(&numbers);
        self.pack_nodes(&numbers);
        self.index_states();
        NodeId(numbers[root.index()].node)
    }

    /// Which nodes a node can reach through those that stay.
    fn reached(&self, root: NodeId, threshold: Threshold) -> Vec<bool> {
        let joints = self.joints.iter();
        let joints = joints.map(|(&(node, _), &child)| (node.index(), child.index()));
        let successors = |node| {
            let edges = self.edges[self.all_edges(NodeId(node as u32))].iter();
            edges.filter_map(|edge| Some(edge.child()?.index()))
        };
        let stays = |node: usize| {
            let entry = &self.nodes[node];
            entry.visits >= threshold.visits
                || entry.is_closed && (threshold.keeps_closed || entry.count == 0)
        };
        reached(self.nodes.len(), root.index(), joints, successors, stays)
    }

    /// Where the nodes that were reached come to be, in their present order.
    fn numbers(&self, reached: &[bool]) -> Vec<NewNumbers> {
        let mut next = NewNumbers { node: 0, edge: 0 };
        let number = |(node, &is_reached): (&Node, &bool)| {
            if !is_reached {
                return DROPPED;
            }
            let own = next;
            next = NewNumbers {
                node: own.node + 1,
                edge: own.edge + node.count,
            };
            own
        };
        self.nodes.iter().zip(reached).map(number).collect()
    }

    /// Moves all that belongs to nodes and their edges to its new numbers.
    fn pack_nodes(&mut self, numbers: &[NewNumbers]) {
        let (roles, words) = (self.roles(), self.words);
        let (mut nodes, mut edges, mut spans) = (0, 0, 0);
        for (index, new) in numbers.iter().enumerate() {
            if new.node == NO_NODE {
                continue;
            }
            let entry = &self.nodes[index];
            debug_assert!(entry.count == 0 || new.edge <= entry.first, "in order");
            let (from, to) = (self.all_edges(NodeId(index as u32)), new.edge as usize);
            edges = to + from.len();
            self.edges.copy_within(from, to);
            self.edges[to..edges]
                .iter_mut()
                .for_each(|edge| edge.relink(|child| numbers[child.index()].moved()));
            let mut opened = entry.opened;
            if self.decider(NodeId(index as u32)).is_none() {
                debug_assert!(spans <= opened as usize, "in order");
                let counts = opened as usize..opened as usize + roles;
                self.spans.copy_within(counts, spans);
                opened = spans as u32;
                spans += roles;
            }
            self.nodes[nodes] = Node {
                first: new.edge,
                opened,
                ..self.nodes[index]
            };
            let own = |size: usize| index * size..(index + 1) * size;
            self.states.copy_within(own(words), nodes * words);
            self.values.copy_within(own(roles), nodes * roles);
            self.bounds.copy_within(own(roles), nodes * roles);
            nodes += 1;
        }
        self.nodes.truncate(nodes);
        self.edges.truncate(edges);
        self.spans.truncate(spans);
        self.states.truncate(nodes * words);
        self.values.truncate(nodes * roles);
        self.bounds.truncate(nodes * roles);
    }

    /// Renumbers the nodes of joint moves and of the ends of games.
    fn pack_joints(&mut self, numbers: &[NewNumbers]) {
        let moved = |node: NodeId| numbers[node.index()].moved().map(|(node, _)| node);
        let joints = std::mem::take(&mut self.joints).into_iter();
        let renumbered = joints
            .filter_map(|((node, joint), child)| Some(((moved(node)?, joint), moved(child)?)));
        self.joints = renumbered.collect();
        self.outcomes.retain(|_, node| match moved(*node) {
            Some(to) => {
                *node = to;
                true
            }
            None => false,
        });
    }
}

impl NewNumbers {
    /// The new numbers of a node and of its first edge, if it stays.
    fn moved(self) -> Option<(NodeId, u32)> {
        (self.node != NO_NODE).then_some((NodeId(self.node), self.edge))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdl_runtime::engine::Move;
    use gdl_testing::seed;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::collections::BTreeMap;

    const NODES: u64 = 300;
    const MOVES: u32 = 3;

    /// For every state that the root reaches: its visits, the values of its moves, and the states
    /// or goals that these lead to.
    type Graph = BTreeMap<u64, (u32, Vec<f32>, Vec<Option<u64>>)>;

    /// A graph in which one role or both decide, with some ends of games.
    fn random_tree(random: &mut Xoshiro256PlusPlus) -> PuctTree {
        let mut tree = PuctTree::new(2, 1);
        let nodes: Vec<NodeId> = (0..NODES).map(|n| tree.insert(&[n], &[100, 100])).collect();
        for &node in &nodes {
            let edges: Vec<Edge> = (0..MOVES)
                .map(|mv| Edge::new(Move(mv), 0.3, random.random(), 1))
                .collect();
            match random.random_ratio(1, 4) {
                true => tree.expand_several(node, &[edges.clone(), edges]),
                false => tree.expand_one(node, random.random_range(0..2), edges.into_iter()),
            }
            let entry = &mut tree.nodes[node.index()];
            entry.visits = random.random_range(1..100);
            entry.is_closed = random.random_ratio(1, 10);
        }
        for &node in &nodes {
            for joint in joints(&tree, node) {
                let child = match random.random_range(0..10) {
                    0 => tree.outcome(&[100, 0]),
                    1..=5 => nodes[random.random_range(0..nodes.len())],
                    _ => continue,
                };
                tree.link(node, &joint, child);
            }
        }
        tree
    }

    /// The joint moves of a node.
    fn joints(tree: &PuctTree, node: NodeId) -> Vec<Vec<u32>> {
        let span = |role| tree.span(node, role).map(|edge| edge as u32);
        match tree.decider(node) {
            Some(role) => span(role).map(|edge| vec![edge]).collect(),
            None => span(0)
                .flat_map(|one| span(1).map(move |other| vec![one, other]))
                .collect(),
        }
    }

    fn is_end(tree: &PuctTree, node: NodeId) -> bool {
        tree.nodes[node.index()].count == 0
    }

    /// What the root reaches through nodes that stay.
    fn graph(tree: &PuctTree, root: NodeId, stays: impl Fn(NodeId) -> bool) -> Graph {
        let mut graph = Graph::new();
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            let children: Vec<Option<NodeId>> = joints(tree, node)
                .iter()
                .map(|joint| tree.child(node, joint))
                .map(|child| child.filter(|&child| stays(child)))
                .collect();
            let name = |child: NodeId| match is_end(tree, child) {
                true => u64::from(tree.bounds(child)[0][0]) + NODES,
                false => tree.state(child)[0],
            };
            let names = children.iter().map(|child| child.map(name)).collect();
            let means = tree.edges[tree.all_edges(node)].iter();
            let means = means.map(|edge| edge.mean).collect();
            let entry = (tree.nodes[node.index()].visits, means, names);
            if graph.insert(tree.state(node)[0], entry).is_none() {
                let children = children.into_iter().flatten();
                open.extend(children.filter(|&child| !is_end(tree, child)));
            }
        }
        graph
    }

    #[test]
    fn what_stays_is_as_it_was() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed());
        for keeps_closed in [true, false] {
            for visits in [0, 1, 8, 64] {
                let mut tree = random_tree(&mut random);
                let root = NodeId(random.random_range(0..NODES as u32));
                let before = graph(&tree, root, |child| {
                    let node = &tree.nodes[child.index()];
                    let is_proof = node.is_closed && (keeps_closed || node.count == 0);
                    child == root || node.visits >= visits || is_proof
                });
                let root = tree.keep(root, visits, keeps_closed);
                let after = graph(&tree, root, |_| true);
                assert_eq!(before, after);
                let ends = tree.nodes.iter().filter(|node| node.count == 0).count();
                assert_eq!(tree.nodes.len() - ends, after.len(), "nothing else stays");
                for state in 0..NODES {
                    let found = tree.find(&[state]).map(|node| tree.state(node)[0]);
                    let is_kept = after.contains_key(&state);
                    assert_eq!(found, is_kept.then_some(state));
                }
                for (index, edge) in (0..).zip(&tree.edges) {
                    if let Some(child) = edge.child().filter(|&child| !is_end(&tree, child)) {
                        let first = tree.nodes[child.index()].first;
                        assert_eq!(tree.first_edge(&[index], child), first);
                    }
                }
            }
        }
    }

    #[test]
    fn a_tree_is_trimmed_to_what_it_may_take() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed());
        let mut tree = random_tree(&mut random);
        let before = tree.bytes();
        for share in [2, 4, 16] {
            // The root stays the first node.
            let root = tree.trim(NodeId(0), before / share, usize::MAX);
            assert!(tree.bytes() <= before / share, "{share}");
            assert_eq!(root.index(), 0);
        }
        let mut tree = random_tree(&mut random);
        tree.trim(NodeId(0), before, 20);
        assert!(tree.nodes.len() <= 20);
    }
}

//! Making room: a graph without what its root can no longer reach.

use std::num::NonZeroU32;

use runtime::engine::State;

use super::{NodeId, Tree};

impl Tree {
    /// Drops every node that cannot be reached from `root`, and gives the
    /// root's new number. No simulation may be in flight.
    pub fn keep_reachable(&mut self, root: NodeId) -> Option<NodeId> {
        let mut kept = Self::new(self.roles, self.limit);
        std::mem::swap(&mut kept.outcomes, &mut self.outcomes);
        // By node; the map itself is in order of insertion.
        let mut joints: Vec<_> = self.joints.iter().map(|(&key, &to)| (key, to)).collect();
        joints.sort_unstable();
        let mut states: Vec<Option<State>> = std::mem::take(&mut self.states)
            .into_iter()
            .map(Some)
            .collect();
        let mut numbers: Vec<Option<NodeId>> = vec![None; self.nodes.len()];
        let mut queue = vec![root];
        let mut at = 0;
        kept.adopt(self, root, &mut states, &mut numbers);
        while let Some(&old) = queue.get(at) {
            at += 1;
            let from = joints.partition_point(|&((node, _), _)| node < old);
            let own = joints[from..]
                .iter()
                .take_while(|((node, _), _)| *node == old);
            let edges = (0..self.roles).flat_map(|role| self.edges(old, role));
            let children = edges.filter_map(|edge| edge.child);
            for child in children.chain(own.map(|&(_, child)| child)) {
                if numbers[child.index()].is_none() {
                    kept.adopt(self, child, &mut states, &mut numbers);
                    queue.push(child);
                }
            }
        }
        for edge in &mut kept.edges {
            edge.child = edge.child.and_then(|child| numbers[child.index()]);
        }
        for ((node, joint), child) in joints {
            if let (Some(node), Some(child)) = (numbers[node.index()], numbers[child.index()]) {
                kept.joints.insert((node, joint), child);
            }
        }
        *self = kept;
        numbers[root.index()]
    }

    /// Takes over one node of `old`; its edges still lead to old numbers.
    fn adopt(
        &mut self,
        old: &Self,
        node: NodeId,
        states: &mut [Option<State>],
        numbers: &mut [Option<NodeId>],
    ) {
        let Some(state) = states[node.index()].take() else {
            return;
        };
        self.state_bytes += size_of_val(&*state.0);
        let (index, _) = self.states.insert_full(state);
        numbers[node.index()] = NodeId::new(index);
        let mut entry = old.nodes[node.index()];
        entry.descent = 0;
        if let Some(start) = entry.moves {
            let start = start.get() as usize;
            entry.moves = NonZeroU32::new(self.bounds.len() as u32);
            let first = old.bounds[start];
            let shift = self.edges.len() as u32;
            let bounds = &old.bounds[start..=start + self.roles];
            self.bounds
                .extend(bounds.iter().map(|bound| bound - first + shift));
            let span = first as usize..bounds[self.roles] as usize;
            self.edges.extend_from_slice(&old.edges[span.clone()]);
            self.scores.extend_from_slice(&old.scores[span]);
        }
        self.nodes.push(entry);
    }
}

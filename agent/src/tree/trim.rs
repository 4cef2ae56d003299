//! Making room: a graph without what its root can no longer reach.

use std::num::NonZeroU32;

use super::{NodeId, SEVERAL, Tree};

impl Tree {
    /// Drops every node that cannot be reached from `root`, and gives the
    /// root's new number. No simulation may be in flight.
    pub fn keep_reachable(&mut self, root: NodeId) -> Option<NodeId> {
        let mut kept = Self::new(self.roles, self.limit, self.figures_per_edge);
        std::mem::swap(&mut kept.outcomes, &mut self.outcomes);
        // By node; the map itself is in order of insertion.
        let mut joints: Vec<_> = self.joints.iter().map(|(&key, &to)| (key, to)).collect();
        joints.sort_unstable();
        let mut numbers: Vec<Option<NodeId>> = vec![None; self.nodes.len()];
        let mut queue = vec![root];
        let mut at = 0;
        kept.adopt(self, root, &mut numbers);
        while let Some(&old) = queue.get(at) {
            at += 1;
            let from = joints.partition_point(|&((node, _), _)| node < old);
            let own = joints[from..]
                .iter()
                .take_while(|((node, _), _)| *node == old);
            let scores = (0..self.roles).flat_map(|role| self.scores(old, role));
            let children = scores.filter_map(|score| score.child);
            for child in children.chain(own.map(|&(_, child)| child)) {
                if numbers[child.index()].is_none() {
                    kept.adopt(self, child, &mut numbers);
                    queue.push(child);
                }
            }
        }
        for score in &mut kept.scores {
            score.child = score.child.and_then(|child| numbers[child.index()]);
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
    fn adopt(&mut self, old: &Self, node: NodeId, numbers: &mut [Option<NodeId>]) {
        let (index, _) = self.states.insert(old.state(node));
        numbers[node.index()] = NodeId::new(index);
        let mut entry = old.nodes[node.index()];
        entry.descent = 0;
        if let Some(first) = entry.first {
            let span = first.get() as usize - 1..old.span(node, self.roles - 1).end;
            let shift = |edge: u32| edge - span.start as u32 + self.edges.len() as u32;
            if entry.mover == SEVERAL {
                let bounds = entry.extent as usize;
                entry.extent = self.bounds.len() as u32;
                let bounds = &old.bounds[bounds..=bounds + self.roles];
                self.bounds.extend(bounds.iter().map(|&bound| shift(bound)));
            }
            entry.first = NonZeroU32::new(shift(first.get()));
            self.edges.extend_from_slice(&old.edges[span.clone()]);
            let each = self.figures_per_edge;
            let figures = &old.figures[span.start * each..span.end * each];
            self.figures.extend_from_slice(figures);
            self.scores.extend_from_slice(&old.scores[span]);
        }
        self.nodes.push(entry);
    }
}

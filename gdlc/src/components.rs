//! Strongly connected components: the largest sets of vertices that all reach
//! one another. They show where relations, rules and atoms are recursive.

use crate::id::{Id, IdVec};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// The strongly connected components of a directed graph over ids.
#[derive(Debug)]
pub struct Components<I: Id> {
    members: Vec<Vec<I>>,
    component_of: IdVec<I, usize>,
}

impl<I: Id> Components<I> {
    /// The components of a graph with the vertices `0..vertices`, where an edge
    /// `(a, b)` says that `a` depends on `b`. The order of the edges breaks ties
    /// between equally good orders of components.
    #[must_use]
    pub fn find(vertices: usize, edges: impl IntoIterator<Item = (I, I)>) -> Self {
        let mut graph: DiGraph<(), ()> = DiGraph::default();
        for _ in 0..vertices {
            graph.add_node(());
        }
        for (from, to) in edges {
            let (from, to) = (NodeIndex::new(from.index()), NodeIndex::new(to.index()));
            graph.add_edge(from, to, ());
        }
        let mut component_of = IdVec::filled(0, vertices);
        let mut members = Vec::new();
        // Not Tarjan's algorithm: petgraph's version recurses as deep as the longest
        // path, whose length a rule sheet controls.
        for nodes in kosaraju_scc(&graph) {
            let mut component: Vec<I> = nodes.iter().map(|node| I::new(node.index())).collect();
            component.sort_unstable();
            for &member in &component {
                component_of[member] = members.len();
            }
            members.push(component);
        }
        Self {
            members,
            component_of,
        }
    }

    /// The components, each after all that it depends on, members in ascending
    /// order.
    #[must_use]
    pub fn members(&self) -> &[Vec<I>] {
        &self.members
    }

    /// The position in [`members`](Self::members) of a vertex's component.
    #[must_use]
    pub fn component_of(&self, vertex: I) -> usize {
        self.component_of[vertex]
    }

    /// Whether two vertices are in one component: they are the same, or each
    /// depends on the other.
    #[must_use]
    pub fn are_connected(&self, one: I, other: I) -> bool {
        self.component_of[one] == self.component_of[other]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::ids;

    ids! {
        pub struct VertexId;
    }

    fn find(vertices: usize, edges: &[(usize, usize)]) -> Components<VertexId> {
        let edge = |&(from, to): &(usize, usize)| (VertexId::new(from), VertexId::new(to));
        Components::find(vertices, edges.iter().map(edge))
    }

    #[test]
    fn components_come_after_all_that_they_depend_on() {
        let found = find(5, &[(0, 1), (1, 2), (2, 1), (2, 3), (4, 4)]);
        let [one, two, three] = [1, 2, 3].map(VertexId::new);
        assert!(found.are_connected(one, two));
        assert!(!found.are_connected(two, three));
        assert_eq!(found.members().len(), 4);
        assert_eq!(found.members()[found.component_of(two)], [one, two]);
        let order = [3, 2, 0].map(|vertex| found.component_of(VertexId::new(vertex)));
        assert!(order.is_sorted());
    }

    #[test]
    fn long_paths_need_no_deep_stack() {
        let edges: Vec<(usize, usize)> = (0..200_000).map(|n| (n, n + 1)).collect();
        assert_eq!(find(200_001, &edges).members().len(), 200_001);
    }
}

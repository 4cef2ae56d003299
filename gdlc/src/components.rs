//! Strongly connected components: the largest sets of vertices that all reach
//! one another. Recursion among relations, rules and atoms is found as these.

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
    /// `(a, b)` says that `a` depends on `b`. The order of the edges decides
    /// between orders of components that are equally good.
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
        // Not Tarjan's algorithm: petgraph's recurses as deep as the longest
        // path, which a rule sheet can make as long as it likes.
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

    /// The position in [`members`](Self::members) of a vertex' component.
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

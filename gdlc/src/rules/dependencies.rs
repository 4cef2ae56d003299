//! [`Dependencies`]: which relations are defined through which.

use super::{Atom, Program, RelationId, Rule};
use crate::id::{Id, IdVec};
use crate::source::Span;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{EdgeReference, NodeIndex};
use petgraph::visit::EdgeRef as _;
use petgraph::{Direction, Graph};
use std::collections::VecDeque;

/// The dependency graph: an edge from the relation of a rule's head to the
/// relation of every literal of its body, and its cycles. `true` and `does`
/// depend on nothing, even if a wrong rule sheet has rules for them.
pub struct Dependencies {
    graph: Graph<RelationId, Dependency>,
    /// The strongly connected components, each after all it depends on.
    components: Vec<Vec<RelationId>>,
    /// Which component a relation is in.
    component_of: IdVec<RelationId, usize>,
}

/// Why one relation depends on another.
#[derive(Debug, Clone, Copy)]
struct Dependency {
    negative: bool,
    span: Span,
}

/// One relation depends on another.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// What depends.
    pub from: RelationId,
    /// What it depends on.
    pub to: RelationId,
    /// Whether through `not`.
    pub negative: bool,
    /// The atom in the body of the rule.
    pub span: Span,
}

impl Dependencies {
    /// The dependencies of a program's rules.
    #[must_use]
    pub fn find(program: &Program) -> Self {
        let mut graph = Graph::new();
        for relation in program.relations.ids() {
            graph.add_node(relation);
        }
        let is_given = |rule: &&Rule| program.is_given(rule.head.relation);
        for rule in program.rules.iter().filter(|rule| !is_given(rule)) {
            for (atom, negative) in rule.body.iter().filter_map(super::Literal::atom) {
                let Atom { relation, span, .. } = *atom;
                graph.add_edge(
                    node(rule.head.relation),
                    node(relation),
                    Dependency { negative, span },
                );
            }
        }
        // Kosaraju's algorithm rather than Tarjan's: petgraph's Tarjan recurses
        // as deep as the longest chain of rules.
        let components: Vec<Vec<_>> = kosaraju_scc(&graph)
            .into_iter()
            .map(|component| sorted(component.into_iter().map(|node| graph[node]).collect()))
            .collect();
        let mut component_of = IdVec::filled(0, program.relations.len());
        for (index, component) in components.iter().enumerate() {
            for &relation in component {
                component_of[relation] = index;
            }
        }
        Self {
            graph,
            components,
            component_of,
        }
    }

    /// The strongly connected components, each after all it depends on.
    #[must_use]
    pub fn components(&self) -> &[Vec<RelationId>] {
        &self.components
    }

    /// Whether each of the two depends on the other.
    #[must_use]
    pub fn is_cyclic(&self, one: RelationId, other: RelationId) -> bool {
        self.component_of[one] == self.component_of[other]
    }

    /// For every relation that depends on `target`, the first step of a
    /// shortest way there.
    #[must_use]
    pub fn ways_to(&self, target: RelationId) -> IdVec<RelationId, Option<Step>> {
        let mut ways = IdVec::filled(None, self.component_of.len());
        let mut queue = VecDeque::from([target]);
        while let Some(relation) = queue.pop_front() {
            for edge in self
                .graph
                .edges_directed(node(relation), Direction::Incoming)
            {
                let step = self.step(&edge);
                if step.from != target && ways[step.from].is_none() {
                    ways[step.from] = Some(step);
                    queue.push_back(step.from);
                }
            }
        }
        ways
    }

    /// What `relation` depends on directly, in the order of the text.
    pub fn of(&self, relation: RelationId) -> impl Iterator<Item = Step> {
        let mut steps: Vec<_> = self
            .graph
            .edges(node(relation))
            .map(|edge| self.step(&edge))
            .collect();
        // petgraph lists the newest edge first.
        steps.reverse();
        steps.into_iter()
    }

    fn step(&self, edge: &EdgeReference<'_, Dependency>) -> Step {
        let Dependency { negative, span } = *edge.weight();
        Step {
            from: self.graph[edge.source()],
            to: self.graph[edge.target()],
            negative,
            span,
        }
    }
}

fn node(relation: RelationId) -> NodeIndex {
    NodeIndex::new(relation.index())
}

fn sorted(mut relations: Vec<RelationId>) -> Vec<RelationId> {
    relations.sort_unstable();
    relations
}

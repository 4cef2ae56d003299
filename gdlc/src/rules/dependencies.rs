//! [`Dependencies`]: which relations are defined by which others.

use super::{Literal, Program, RelationId, Rule};
use crate::components::Components;
use crate::id::IdVec;
use crate::source::Span;
use std::collections::VecDeque;

/// The dependency graph and its cycles. The relation of a rule's head depends on
/// the relation of every literal of its body. `true` and `does` depend on
/// nothing, even if an invalid rule sheet has rules for them.
pub struct Dependencies {
    /// What each relation depends on, in the order of the text.
    outgoing: IdVec<RelationId, Vec<Dependency>>,
    /// What depends on each relation, in the order of the text.
    incoming: IdVec<RelationId, Vec<Dependency>>,
    components: Components<RelationId>,
}

/// One relation depends on another.
#[derive(Debug, Clone, Copy)]
pub struct Dependency {
    /// The relation that depends.
    pub from: RelationId,
    /// The relation that it depends on.
    pub to: RelationId,
    /// Whether the atom is negated.
    pub negative: bool,
    /// The atom in the body of the rule.
    pub span: Span,
}

impl Dependencies {
    /// The dependencies of a program's rules.
    #[must_use]
    pub fn find(program: &Program) -> Self {
        let relations = program.relations.len();
        let mut outgoing = IdVec::filled(Vec::new(), relations);
        let mut incoming = IdVec::filled(Vec::new(), relations);
        let mut edges = Vec::new();
        let is_supplied = |rule: &&Rule| program.is_supplied(rule.head.relation);
        for rule in program.rules.iter().filter(|rule| !is_supplied(rule)) {
            for (atom, negative) in rule.body.iter().filter_map(Literal::atom) {
                let dependency = Dependency {
                    from: rule.head.relation,
                    to: atom.relation,
                    negative,
                    span: atom.span,
                };
                outgoing[dependency.from].push(dependency);
                incoming[dependency.to].push(dependency);
                edges.push((dependency.from, dependency.to));
            }
        }
        Self {
            outgoing,
            incoming,
            components: Components::find(relations, edges),
        }
    }

    /// The strongly connected components, each after all it depends on.
    #[must_use]
    pub fn components(&self) -> &[Vec<RelationId>] {
        self.components.members()
    }

    /// Whether two relations are the same, or each depends on the other.
    #[must_use]
    pub fn are_connected(&self, one: RelationId, other: RelationId) -> bool {
        self.components.are_connected(one, other)
    }

    /// For every relation that depends on `target`, the first dependency on a
    /// shortest path to it.
    #[must_use]
    pub fn paths_to(&self, target: RelationId) -> IdVec<RelationId, Option<Dependency>> {
        let mut paths = IdVec::filled(None, self.incoming.len());
        let mut queue = VecDeque::from([target]);
        while let Some(relation) = queue.pop_front() {
            for &dependency in self.incoming[relation].iter().rev() {
                let from = dependency.from;
                if from != target && paths[from].is_none() {
                    paths[from] = Some(dependency);
                    queue.push_back(from);
                }
            }
        }
        paths
    }

    /// What `relation` depends on directly, in the order of the text.
    #[must_use]
    pub fn of(&self, relation: RelationId) -> &[Dependency] {
        &self.outgoing[relation]
    }
}

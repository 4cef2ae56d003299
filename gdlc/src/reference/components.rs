//! The order in which relations are evaluated.
//!
//! A component is a set of relations that depend on one another in a circle, or
//! one relation that does not. Everything that a component depends on outside
//! itself stands in earlier components: this is the program's stratification,
//! as fine as it gets, so that a query evaluates only what it depends on.

use super::error::ReferenceError;
use super::join::Join;
use crate::id::{Id, IdVec};
use crate::rules::{Dependence, Keyword, Literal, Program, RelationId, Rule, RuleId};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeMap;

/// Relations that are evaluated together, and how far that has got.
#[derive(Debug, Clone)]
pub(super) struct Component {
    pub(super) relations: Vec<RelationId>,
    /// The rules that have one of the relations as head.
    pub(super) rules: Vec<RuleId>,
    pub(super) dependence: Dependence,
    /// Whether the extensions are those of the state and moves at hand.
    pub(super) evaluated: bool,
    /// Whether a large one is worth an attempt to restrict it to what is asked.
    pub(super) may_be_restricted: bool,
    /// The rules, prepared at the first evaluation.
    pub(super) joins: Option<Joins>,
}

/// The rules of a component, prepared.
#[derive(Debug, Clone, Default)]
pub(super) struct Joins {
    /// Every rule over all facts.
    pub(super) whole: Vec<(RuleId, Join)>,
    /// Every rule once for every literal of a relation of the component itself,
    /// which is matched against the facts of the last round only.
    pub(super) fresh: Vec<(RuleId, Join)>,
}

/// All components in order of evaluation, and which of them every keyword needs.
#[derive(Debug, Clone)]
pub(super) struct Components {
    pub(super) list: Vec<Component>,
    needed: BTreeMap<Keyword, Vec<usize>>,
}

impl Components {
    /// Finds the components of a program.
    pub(super) fn find(program: &Program) -> Result<Self, ReferenceError> {
        let graph = dependency_graph(program);
        let mut component_of = IdVec::filled(0, program.relations.len());
        let mut list = Vec::new();
        for nodes in kosaraju_scc(&graph) {
            let mut relations: Vec<RelationId> = nodes
                .iter()
                .map(|node| RelationId::new(node.index()))
                .collect();
            relations.sort_unstable();
            for &relation in &relations {
                component_of[relation] = list.len();
            }
            list.push(Component::new(program, relations));
        }
        for (id, rule) in program.rules.iter_ids() {
            list[component_of[rule.head.relation]].rules.push(id);
        }
        check_stratification(program, &component_of)?;
        find_dependence(program, &component_of, &mut list);
        let needed = (program.relations.iter_ids())
            .filter_map(|(id, relation)| {
                Some((relation.keyword?, needed_by(id, &graph, &component_of)))
            })
            .collect();
        Ok(Self { list, needed })
    }

    /// The components that any of the keywords depends on, in order.
    pub(super) fn needed_by(&self, keywords: &[Keyword]) -> Vec<usize> {
        let mut needed: Vec<usize> = (keywords.iter())
            .filter_map(|keyword| self.needed.get(keyword))
            .flatten()
            .copied()
            .collect();
        needed.sort_unstable();
        needed.dedup();
        needed
    }
}

impl Component {
    fn new(program: &Program, relations: Vec<RelationId>) -> Self {
        Self {
            dependence: Dependence::Static,
            may_be_restricted: (relations.iter())
                .all(|&relation| program.relations[relation].keyword.is_none()),
            relations,
            rules: Vec::new(),
            evaluated: false,
            joins: None,
        }
    }

    /// The places in the rule's body of positive literals of this component.
    pub(super) fn recursive_literals(&self, rule: &Rule) -> Vec<usize> {
        let is_own = |literal: &Literal| match literal {
            Literal::Positive(atom) => self.relations.contains(&atom.relation),
            Literal::Negative(_) | Literal::Distinct(..) => false,
        };
        (0..rule.body.len())
            .filter(|&place| is_own(&rule.body[place]))
            .collect()
    }
}

/// An edge from every relation to those that its rules ask for.
fn dependency_graph(program: &Program) -> DiGraph<(), ()> {
    let mut graph = DiGraph::new();
    for _ in &program.relations {
        graph.add_node(());
    }
    let node = |relation: RelationId| NodeIndex::new(relation.index());
    for rule in &program.rules {
        for literal in &rule.body {
            if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                graph.update_edge(node(rule.head.relation), node(atom.relation), ());
            }
        }
    }
    graph
}

/// The components that `relation` depends on, its own among them, in order.
fn needed_by(
    relation: RelationId,
    graph: &DiGraph<(), ()>,
    component_of: &IdVec<RelationId, usize>,
) -> Vec<usize> {
    let mut walk = petgraph::visit::Dfs::new(graph, NodeIndex::new(relation.index()));
    let mut needed = Vec::new();
    while let Some(node) = walk.next(graph) {
        needed.push(component_of[RelationId::new(node.index())]);
    }
    needed.sort_unstable();
    needed.dedup();
    needed
}

/// A component varies with what its rules ask for.
fn find_dependence(
    program: &Program,
    component_of: &IdVec<RelationId, usize>,
    list: &mut [Component],
) {
    for at in 0..list.len() {
        let own = match program.relations[list[at].relations[0]].keyword {
            Some(Keyword::True) => Dependence::State,
            Some(Keyword::Does) => Dependence::Moves,
            _ => Dependence::Static,
        };
        let rules = list[at].rules.iter().map(|&rule| &program.rules[rule]);
        let atoms = rules.flat_map(|rule| rule.body.iter().filter_map(Literal::atom));
        list[at].dependence = atoms
            .map(|(atom, _)| list[component_of[atom.relation]].dependence)
            .fold(own, Dependence::max);
    }
}

fn check_stratification(
    program: &Program,
    component_of: &IdVec<RelationId, usize>,
) -> Result<(), ReferenceError> {
    for rule in &program.rules {
        for literal in &rule.body {
            if let Literal::Negative(atom) = literal
                && component_of[atom.relation] == component_of[rule.head.relation]
            {
                let name = program.relations[atom.relation].name;
                return Err(ReferenceError::Unstratified {
                    relation: program.symbols[name].clone(),
                });
            }
        }
    }
    Ok(())
}

//! [`Negations`]: which negations close a cycle, and which only seem to.
//!
//! A rule sheet is stratified if no relation depends on its own negation. Taken
//! literally, that excludes public games with rules such as
//! `(<= (goal r 0) (not (goal r 100)))`, whose meaning is well defined. Therefore
//! rules are considered instead of relations: a rule depends on another if an
//! atom of its body may match the other's head, including the arguments.

use super::dependencies::{Dependencies, Dependency};
use super::{Atom, Literal, Program, RelationId, Rule, RuleId, Term};
use crate::components::Components;
use crate::id::{IdVec, ids};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The maximum number of times that an atom is matched with a head. Relations
/// that need more are treated as a whole, without regard to arguments.
const MAX_MATCHES: usize = 1_000_000;

/// The maximum number of cycles reported; each costs a search.
const MAX_CYCLES: usize = 50;

/// The negations between relations that depend on each other.
#[derive(Debug, Default)]
pub struct Negations {
    /// Cycles of rules, each starting with a negation.
    pub cycles: Vec<Vec<Link>>,
    /// Negations that are in a cycle of relations, but in no cycle of rules.
    pub apart: Vec<Link>,
    /// The rules that atoms may match.
    pub heads: Heads,
}

/// A literal of a rule's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The rule.
    pub rule: RuleId,
    /// The zero-based position in its body.
    pub literal: usize,
}

impl Negations {
    /// Classifies the negations of a program.
    #[must_use]
    pub fn find(program: &Program, dependencies: &Dependencies) -> Self {
        let is_inside = |dependency: &Dependency| {
            dependency.negative && dependencies.are_connected(dependency.from, dependency.to)
        };
        let suspects: Vec<_> = (dependencies.components().iter())
            .filter(|component| {
                let mut all = (component.iter()).flat_map(|&relation| dependencies.of(relation));
                all.any(is_inside)
            })
            .collect();
        if suspects.is_empty() {
            return Self::default();
        }
        let mut found = Self {
            heads: Heads::find(program, suspects.iter().copied().flatten().copied()),
            ..Self::default()
        };
        for component in suspects {
            let graph = RuleGraph::build(program, dependencies, &found.heads, component);
            graph.sort_negations(&mut found.cycles, &mut found.apart);
        }
        found
    }
}

/// The rules of every relation.
#[derive(Debug, Default)]
pub struct Heads {
    rules: IdVec<RelationId, Vec<RuleId>>,
    /// Whether atoms of the relation are matched with the heads of its rules.
    is_matched: IdVec<RelationId, bool>,
}

impl Heads {
    /// The rules of every relation, in the order of the text; atoms of the
    /// `suspects` are matched with their heads.
    fn find(program: &Program, suspects: impl Iterator<Item = RelationId>) -> Self {
        let mut rules = IdVec::filled(Vec::new(), program.relations.len());
        let mut uses = IdVec::filled(0_usize, program.relations.len());
        for (id, rule) in program.rules.iter_ids() {
            rules[rule.head.relation].push(id);
            for (_, atom) in atoms(rule) {
                uses[atom.relation] += 1;
            }
        }
        let mut is_matched = IdVec::filled(false, program.relations.len());
        let mut left = MAX_MATCHES;
        for relation in suspects {
            let matches = uses[relation].saturating_mul(rules[relation].len());
            if let Some(rest) = left.checked_sub(matches) {
                left = rest;
                is_matched[relation] = true;
            }
        }
        Self { rules, is_matched }
    }

    /// The rules whose heads match `atom` for some values of its variables.
    pub fn matching(&self, rules: &IdVec<RuleId, Rule>, atom: &Atom) -> Vec<RuleId> {
        let is_match = |rule: &&RuleId| {
            !self.is_matched[atom.relation] || may_match(&rules[**rule].head.args, &atom.args)
        };
        self.rules[atom.relation]
            .iter()
            .filter(is_match)
            .copied()
            .collect()
    }
}

/// Whether terms of two rules may be equal; a variable may have any value.
fn may_match(left: &[Term], right: &[Term]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|pair| match pair {
            (Term::Variable(_), _) | (_, Term::Variable(_)) => true,
            (Term::Constant(left), Term::Constant(right)) => left == right,
            (Term::Function(left, left_args), Term::Function(right, right_args)) => {
                left == right && may_match(left_args, right_args)
            }
            _ => false,
        })
}

ids! {
    /// A vertex of a [`RuleGraph`].
    pub struct RuleNodeId;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RuleNode {
    Rule(RuleId),
    /// All rules of a relation; keeps the graph small if there are many.
    Relation(RelationId),
}

/// The rules of relations that depend on each other, and the uses between them.
struct RuleGraph<'a> {
    program: &'a Program,
    nodes: BTreeMap<RuleNode, RuleNodeId>,
    edges: Vec<RuleEdge>,
    /// The edges that begin at each vertex.
    outgoing: IdVec<RuleNodeId, Vec<RuleEdge>>,
}

/// Says that one vertex may use another, and by which literal.
#[derive(Clone, Copy)]
struct RuleEdge {
    from: RuleNodeId,
    to: RuleNodeId,
    link: Option<Link>,
}

impl<'a> RuleGraph<'a> {
    fn build(
        program: &'a Program,
        dependencies: &Dependencies,
        heads: &Heads,
        component: &[RelationId],
    ) -> Self {
        let mut graph = Self {
            program,
            nodes: BTreeMap::new(),
            edges: Vec::new(),
            outgoing: IdVec::new(),
        };
        for &relation in component {
            for &rule in &heads.rules[relation] {
                if !heads.is_matched[relation] {
                    graph.connect(RuleNode::Relation(relation), RuleNode::Rule(rule), None);
                }
                for (literal, atom) in atoms(&program.rules[rule]) {
                    if dependencies.are_connected(relation, atom.relation) {
                        graph.link(Link { rule, literal }, atom, heads);
                    }
                }
            }
        }
        graph
    }

    fn link(&mut self, link: Link, atom: &Atom, heads: &Heads) {
        if !heads.is_matched[atom.relation] {
            self.connect(
                RuleNode::Rule(link.rule),
                RuleNode::Relation(atom.relation),
                Some(link),
            );
            return;
        }
        let matching = heads.matching(&self.program.rules, atom);
        if matching.is_empty() {
            self.node(RuleNode::Rule(link.rule));
        }
        for target in matching {
            self.connect(
                RuleNode::Rule(link.rule),
                RuleNode::Rule(target),
                Some(link),
            );
        }
    }

    fn node(&mut self, node: RuleNode) -> RuleNodeId {
        let outgoing = &mut self.outgoing;
        *self
            .nodes
            .entry(node)
            .or_insert_with(|| outgoing.push(Vec::new()))
    }

    fn connect(&mut self, from: RuleNode, to: RuleNode, link: Option<Link>) {
        let (from, to) = (self.node(from), self.node(to));
        let edge = RuleEdge { from, to, link };
        self.edges.push(edge);
        self.outgoing[from].push(edge);
    }

    fn sort_negations(&self, cycles: &mut Vec<Vec<Link>>, apart: &mut Vec<Link>) {
        let edges = self.edges.iter().map(|edge| (edge.from, edge.to));
        let components = Components::find(self.nodes.len(), edges);
        let mut closing = BTreeSet::new();
        for &RuleEdge { from, to, link } in &self.edges {
            let Some(link) = link.filter(|link| self.is_negative(*link)) else {
                continue;
            };
            let is_cycle = components.are_connected(from, to);
            if is_cycle && closing.insert((link.rule, link.literal)) && cycles.len() < MAX_CYCLES {
                let mut cycle = vec![link];
                cycle.extend(self.path(to, from));
                cycles.push(cycle);
            }
        }
        let negations = self.negations();
        apart.extend(negations.filter(|link| !closing.contains(&(link.rule, link.literal))));
    }

    /// Every negation of an atom inside the component, even if it matches no head.
    fn negations(&self) -> impl Iterator<Item = Link> {
        let of_component: BTreeSet<RelationId> = (self.nodes.keys())
            .map(|node| match node {
                RuleNode::Rule(rule) => self.program.rules[*rule].head.relation,
                RuleNode::Relation(relation) => *relation,
            })
            .collect();
        let rules = self.nodes.keys().filter_map(|node| match node {
            RuleNode::Rule(rule) => Some(*rule),
            RuleNode::Relation(_) => None,
        });
        let links = rules.flat_map(|rule| {
            atoms(&self.program.rules[rule])
                .map(move |(literal, atom)| (Link { rule, literal }, atom))
        });
        links
            .filter(move |(link, atom)| {
                self.is_negative(*link) && of_component.contains(&atom.relation)
            })
            .map(|(link, _)| link)
    }

    fn is_negative(&self, link: Link) -> bool {
        let rule = &self.program.rules[link.rule];
        matches!(rule.body[link.literal], Literal::Negative(_))
    }

    /// A shortest path from one vertex to another.
    fn path(&self, from: RuleNodeId, to: RuleNodeId) -> Vec<Link> {
        let mut reached_by = BTreeMap::from([(from, None)]);
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for edge in self.outgoing[node].iter().rev() {
                if let Entry::Vacant(entry) = reached_by.entry(edge.to) {
                    entry.insert(Some((node, edge.link)));
                    queue.push_back(edge.to);
                }
            }
        }
        let mut links = Vec::new();
        let mut at = to;
        while let Some(Some((before, link))) = reached_by.get(&at) {
            links.extend(*link);
            at = *before;
        }
        links.reverse();
        links
    }
}

/// The atoms of a rule's body, each with its position.
fn atoms(rule: &Rule) -> impl Iterator<Item = (usize, &Atom)> {
    (rule.body.iter().enumerate())
        .filter_map(|(position, literal)| literal.atom().map(|(atom, _)| (position, atom)))
}

//! Restricts relations to the facts that queries can ask about.
//!
//! Input: a program and relations too large to be evaluated whole, such as all
//! lists of some elements, or all ways to count on from any number. Output: an
//! equivalent program in which those relations hold only facts that a query can
//! come to ask about: every rule of such a relation also requires that its head
//! is asked about, and for every literal of the relation a rule derives what the
//! literal asks about. Answers to queries do not change.
//!
//! These are *magic sets* (Beeri, Ramakrishnan: On the Power of Magic, 1991)
//! with one pattern of bound arguments per relation: the arguments that are
//! bound in every literal.

use crate::id::IdVec;
use crate::rules::{
    Atom, Dependence, Keyword, Literal, Program, Relation, RelationId, Rule, Term, VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// The positions of each restricted relation's arguments that are bound in every
/// literal.
type BoundPositions = BTreeMap<RelationId, BTreeSet<usize>>;

/// A literal of a restricted relation, and what is known when it is evaluated.
struct Subgoal<'p> {
    rule: &'p Rule,
    asked: &'p Atom,
    /// The positive literals that are evaluated before.
    before: Vec<&'p Literal>,
    /// Whether the rule itself is restricted, so that its head's bound arguments
    /// are known too.
    head_known: bool,
}

/// Restricts `chosen` relations to what queries about a state ask for, except
/// those without bound arguments. Returns `None` if that leaves none.
pub(super) fn apply_magic_sets(
    program: &Program,
    chosen: &BTreeSet<RelationId>,
) -> Option<Program> {
    let mut chosen = chosen.clone();
    loop {
        if chosen.is_empty() {
            return None;
        }
        let bound = bound_arguments(program, &chosen);
        let before = chosen.len();
        chosen.retain(|relation| !bound[relation].is_empty());
        if chosen.len() == before {
            return Some(rewrite(program, &bound));
        }
    }
}

/// The relations and all that depend on them, except keywords, since queries
/// about those have no bound arguments.
pub(super) fn callers(program: &Program, relations: &[RelationId]) -> BTreeSet<RelationId> {
    let mut found: BTreeSet<RelationId> = relations.iter().copied().collect();
    let mut before = 0;
    while found.len() > before {
        before = found.len();
        for rule in &program.rules {
            let asks = |literal: &Literal| {
                (literal.atom()).is_some_and(|(atom, _)| found.contains(&atom.relation))
            };
            if rule.body.iter().any(asks) {
                found.insert(rule.head.relation);
            }
        }
    }
    found.retain(|&relation| program.relations[relation].keyword.is_none());
    found
}

/// Starts with every argument and drops those that some subgoal leaves unbound,
/// until nothing changes.
fn bound_arguments(program: &Program, chosen: &BTreeSet<RelationId>) -> BoundPositions {
    let all = |relation: RelationId| (0..program.relations[relation].arity).collect();
    let mut bound: BoundPositions = chosen
        .iter()
        .map(|&relation| (relation, all(relation)))
        .collect();
    loop {
        let before = bound.clone();
        for subgoal in subgoals(program, &before) {
            let known = subgoal.known_variables(&before);
            let is_open = |&position: &usize| {
                let mut open = false;
                let visit = &mut |variable| open |= !known.contains(&variable);
                subgoal.asked.args[position].for_each_variable(visit);
                open
            };
            if let Some(positions) = bound.get_mut(&subgoal.asked.relation) {
                positions.retain(|position| !is_open(position));
            }
        }
        if bound == before {
            return bound;
        }
    }
}

/// All literals of restricted relations in the rules that queries about a state
/// use.
fn subgoals<'p>(program: &'p Program, bound: &BoundPositions) -> Vec<Subgoal<'p>> {
    let used = used_by_queries(program);
    let mut subgoals = Vec::new();
    for rule in program
        .rules
        .iter()
        .filter(|rule| used.contains(&rule.head.relation))
    {
        for (place, literal) in rule.body.iter().enumerate() {
            if let Some((asked, _)) = literal.atom()
                && bound.contains_key(&asked.relation)
            {
                subgoals.push(Subgoal::new(program, bound, rule, place, asked));
            }
        }
    }
    subgoals
}

impl<'p> Subgoal<'p> {
    /// Unrestricted literals are evaluated first, restricted ones in the order of
    /// the text. A relation that does not depend on the moves must not depend on
    /// them through its bound arguments, since it is also queried when no moves
    /// are made.
    fn new(
        program: &'p Program,
        bound: &BoundPositions,
        rule: &'p Rule,
        place: usize,
        asked: &'p Atom,
    ) -> Self {
        let latest = program.relations[asked.relation]
            .dependence
            .max(Dependence::State);
        let in_time = |relation: RelationId| program.relations[relation].dependence <= latest;
        let is_before = |&(other, literal): &(usize, &Literal)| match literal.atom() {
            Some((atom, false)) => {
                let restricted = bound.contains_key(&atom.relation);
                in_time(atom.relation) && other != place && (!restricted || other < place)
            }
            _ => false,
        };
        Self {
            rule,
            asked,
            before: (rule.body.iter().enumerate())
                .filter(is_before)
                .map(|(_, literal)| literal)
                .collect(),
            head_known: bound.contains_key(&rule.head.relation) && in_time(rule.head.relation),
        }
    }

    fn known_variables(&self, bound: &BoundPositions) -> BTreeSet<VariableId> {
        let mut known = BTreeSet::new();
        let mut add = |term: &Term| {
            term.for_each_variable(&mut |variable| {
                known.insert(variable);
            });
        };
        if self.head_known {
            bound_args(&self.rule.head, bound).for_each(&mut add);
        }
        for (atom, _) in self.before.iter().filter_map(|literal| literal.atom()) {
            atom.args.iter().for_each(&mut add);
        }
        known
    }
}

/// The relations whose rules the queries about a state use.
fn used_by_queries(program: &Program) -> BTreeSet<RelationId> {
    let queries = [
        Keyword::Terminal,
        Keyword::Legal,
        Keyword::Goal,
        Keyword::Next,
    ];
    let mut used = BTreeSet::new();
    let mut ahead: Vec<RelationId> = queries
        .into_iter()
        .filter_map(|query| program.keyword(query))
        .collect();
    while let Some(relation) = ahead.pop() {
        if used.insert(relation) {
            for rule in program.rules_of(relation) {
                let atoms = rule.body.iter().filter_map(Literal::atom);
                ahead.extend(atoms.map(|(atom, _)| atom.relation));
            }
        }
    }
    used
}

/// Adds the magic predicates, and the rules that derive and use them.
fn rewrite(program: &Program, bound: &BoundPositions) -> Program {
    let mut restricted = program.clone();
    let mut predicates = BTreeMap::new();
    for (&relation, positions) in bound {
        let Relation { name, .. } = program.relations[relation];
        let name = format!("asked about {}", program.symbols[name]);
        let predicate = Relation {
            name: restricted.symbols.push(name),
            arity: positions.len(),
            keyword: None,
            dependence: Dependence::State,
        };
        predicates.insert(relation, restricted.relations.push(predicate));
    }
    let magic_atom = |atom: &Atom| Atom {
        relation: predicates[&atom.relation],
        args: bound_args(atom, bound).cloned().collect(),
        span: atom.span,
    };

    let mut rules: IdVec<_, Rule> = IdVec::new();
    for subgoal in subgoals(program, bound) {
        let head = magic_atom(subgoal.asked);
        let known = subgoal.head_known.then(|| magic_atom(&subgoal.rule.head));
        if known
            .as_ref()
            .is_none_or(|known| known.args != head.args || known.relation != head.relation)
        {
            let body = known.map(Literal::Positive).into_iter();
            rules.push(Rule {
                head,
                body: body.chain(subgoal.before.into_iter().cloned()).collect(),
                ..subgoal.rule.clone()
            });
        }
    }
    for rule in &program.rules {
        let mut rule = rule.clone();
        if bound.contains_key(&rule.head.relation) {
            rule.body
                .insert(0, Literal::Positive(magic_atom(&rule.head)));
        }
        rules.push(rule);
    }
    restricted.rules = rules;
    restricted
}

/// The arguments of an atom at the bound positions of its relation.
fn bound_args<'a>(atom: &'a Atom, bound: &'a BoundPositions) -> impl Iterator<Item = &'a Term> {
    let positions = bound.get(&atom.relation).into_iter().flatten();
    positions.filter_map(|&position| atom.args.get(position))
}

//! Prepares rules for evaluation: orders bodies and flattens literals.
//!
//! Input: a rule of the program and the facts known so far, whose numbers guide
//! the order. Output: a [`PreparedRule`], a sequence of [`MatchStep`]s, each of
//! which matches one positive literal and so binds variables. The order affects
//! speed only. Conditions that bind nothing (`not`, `distinct`) are tested as
//! soon as all their variables are bound; in safe rules, they always are in the end.

use super::error::Cause;
use super::extension::{Extension, Shape, ViewIndex};
use super::term::{TermId, TermInterner};
use crate::id::IdVec;
use crate::rules::{Atom, Literal, RelationId, Rule, SymbolId, Term, VariableId};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// A rule that is ready to be applied.
#[derive(Debug, Clone)]
pub(super) struct PreparedRule {
    pub(super) head: RelationId,
    pub(super) head_args: Template,
    pub(super) variables: usize,
    /// Conditions without variables.
    pub(super) preconditions: Vec<Filter>,
    pub(super) steps: Vec<MatchStep>,
    /// The number of steps after which the head's variables are bound. The later
    /// steps only need one solution, unless derivations are counted: then this is the number of
    /// all steps.
    pub(super) binding_steps: usize,
}

/// Matches one positive literal, then tests the conditions that can be tested.
#[derive(Debug, Clone)]
pub(super) struct MatchStep {
    pub(super) relation: RelationId,
    pub(super) view: ViewIndex,
    pub(super) rows: RowChoice,
    /// Columns and the variables that they bind.
    pub(super) binds: Vec<(usize, VariableId)>,
    /// Columns and the bound variables or ground terms that they must equal.
    pub(super) agrees: Vec<(usize, HoleTerm)>,
    /// Whether the row of the rule's seed is skipped.
    pub(super) skips_seed: bool,
    pub(super) filters: Vec<Filter>,
}

/// Where the matching of a rule's body begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// With the literal that is expected to match the fewest facts.
    Anywhere,
    /// With the positive literal at this position in the body, matched against the facts of the
    /// last round only.
    Fresh(usize),
    /// With the literal at this position, matched against a single fact, the seed. A negated one
    /// is matched like a positive one. Literals before it treat the seed as absent, so that each
    /// derivation that depends on the seed is found exactly once (the telescoping sum of Gupta,
    /// Mumick and Subrahmanian, *Maintaining views incrementally*, 1993).
    Seed(usize),
}

/// Which rows of a view a step looks at.
#[derive(Debug, Clone)]
pub(super) enum RowChoice {
    /// The rows with these terms in the columns of an index, given by its position.
    Key(usize, Vec<HoleTerm>),
    /// The rows that the last round of a fixpoint added.
    Fresh,
    /// The row of the seed.
    Seed,
}

/// A condition that binds nothing.
#[derive(Debug, Clone)]
pub(super) enum Filter {
    /// No row of a view has these terms in the columns of an index.
    Absent {
        relation: RelationId,
        view: ViewIndex,
        index: usize,
        key: Vec<HoleTerm>,
        /// Whether the row of the rule's seed is treated as absent.
        skips_seed: bool,
    },
    /// The two terms of the template differ.
    Distinct(Template),
}

/// What fills a hole of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HoleTerm {
    Variable(VariableId),
    Ground(TermId),
}

/// Terms with variables in postfix order.
#[derive(Debug, Clone, Default)]
pub(super) struct Template(Vec<TemplateOp>);

#[derive(Debug, Clone, Copy)]
enum TemplateOp {
    HoleTerm(HoleTerm),
    /// Applies a function to the preceding terms; the number is its arity.
    Apply(SymbolId, usize),
}

/// The terms that a rule's variables are bound to.
pub(super) type Bindings = IdVec<VariableId, TermId>;

impl HoleTerm {
    pub(super) fn value(self, bindings: &Bindings) -> TermId {
        match self {
            Self::Variable(variable) => bindings[variable],
            Self::Ground(term) => term,
        }
    }
}

impl Template {
    /// Replaces variables by the terms that they are bound to, and writes the
    /// resulting terms to `out`.
    pub(super) fn instantiate(
        &self,
        bindings: &Bindings,
        terms: &mut TermInterner,
        out: &mut Vec<TermId>,
    ) -> Result<(), Cause> {
        out.clear();
        for part in &self.0 {
            match *part {
                TemplateOp::HoleTerm(leaf) => out.push(leaf.value(bindings)),
                TemplateOp::Apply(symbol, arity) => {
                    let args = out.len() - arity;
                    let term = terms.apply(symbol, &out[args..])?;
                    out.truncate(args);
                    out.push(term);
                }
            }
        }
        Ok(())
    }
}

/// Which variables are bound.
type BoundVariables = IdVec<VariableId, bool>;

/// Prepares rules against the facts known so far.
pub(super) struct RuleCompiler<'a> {
    terms: &'a mut TermInterner,
    extensions: &'a mut IdVec<RelationId, Extension>,
    /// Whether derivations are counted.
    counts: bool,
    /// The expected numbers of rows with known terms in some columns of a view.
    estimates: FxHashMap<(RelationId, ViewIndex, Vec<usize>), f64>,
}

/// An atom of a body, flattened.
struct FlatAtom {
    relation: RelationId,
    view: ViewIndex,
    leaves: Vec<HoleTerm>,
    skips_seed: bool,
}

/// A condition of a body that binds nothing.
struct PendingCondition<'r> {
    literal: &'r Literal,
    skips_seed: bool,
}

impl<'a> RuleCompiler<'a> {
    /// Prepares rules whose derivations are counted, or not.
    pub(super) fn new(
        terms: &'a mut TermInterner,
        extensions: &'a mut IdVec<RelationId, Extension>,
        counts: bool,
    ) -> Self {
        Self {
            terms,
            extensions,
            counts,
            estimates: FxHashMap::default(),
        }
    }

    /// The number of facts of a relation.
    pub(super) fn count_facts(&self, relation: RelationId) -> usize {
        self.extensions[relation].len()
    }

    /// Prepares a rule.
    pub(super) fn compile(&mut self, rule: &Rule, start: Start) -> Result<PreparedRule, Cause> {
        let seed = match start {
            Start::Seed(place) => rule.body[place]
                .atom()
                .map(|(atom, _)| (place, atom.relation)),
            Start::Anywhere | Start::Fresh(_) => None,
        };
        let skips_seed = |place: usize, literal: &Literal| {
            let relation = literal.atom().map(|(atom, _)| atom.relation);
            seed.is_some_and(|(seed, of)| place < seed && relation == Some(of))
        };
        let mut bound = IdVec::filled(false, rule.variables.len());
        let mut conditions = Vec::new();
        let mut patterns = Vec::new();
        let mut first = None;
        for (place, literal) in rule.body.iter().enumerate() {
            let skips_seed = skips_seed(place, literal);
            match literal {
                Literal::Positive(atom) if start == Start::Fresh(place) => {
                    first = Some((self.pattern(atom, false)?, RowChoice::Fresh));
                }
                Literal::Positive(atom) | Literal::Negative(atom)
                    if start == Start::Seed(place) =>
                {
                    first = Some((self.pattern(atom, false)?, RowChoice::Seed));
                }
                Literal::Positive(atom) => patterns.push(self.pattern(atom, skips_seed)?),
                Literal::Negative(_) | Literal::Distinct(..) => {
                    conditions.push(PendingCondition {
                        literal,
                        skips_seed,
                    });
                }
            }
        }

        let preconditions = self.take_filters(&mut conditions, &bound)?;
        let mut steps = Vec::new();
        if let Some((pattern, rows)) = first {
            steps.push(bind(&pattern, rows, 0..pattern.leaves.len(), &mut bound));
        }
        while let Some(pattern) = self.take_cheapest(&mut patterns, &bound) {
            steps.push(self.step(&pattern, &mut bound));
        }
        self.assign_filters(rule, &mut conditions, &mut steps)?;
        Ok(PreparedRule {
            head: rule.head.relation,
            head_args: self.template(&rule.head.args),
            variables: rule.variables.len(),
            preconditions,
            binding_steps: match self.counts {
                true => steps.len(),
                false => binding_steps(&rule.head, &steps),
            },
            steps,
        })
    }

    /// Removes and returns the pattern expected to match the fewest rows; among equals, the one
    /// that leaves the fewest patterns with unbound variables: the others are mere tests.
    fn take_cheapest(
        &mut self,
        patterns: &mut Vec<FlatAtom>,
        bound: &BoundVariables,
    ) -> Option<FlatAtom> {
        // Mere tests come first, in any order; a body may have hundreds of them.
        let is_test = |pattern: &FlatAtom| pattern.leaves.iter().all(|leaf| is_known(leaf, bound));
        if let Some(test) = patterns.iter().position(is_test) {
            return Some(patterns.remove(test));
        }
        let costs: Vec<(f64, usize)> = (patterns.iter())
            .map(|pattern| {
                let matches = self.expected_matches(pattern, bound);
                (matches, open_after(patterns, pattern, bound))
            })
            .collect();
        let cheapest = (0..patterns.len()).min_by(|&left, &right| {
            let ((matches, open), (other_matches, other_open)) = (costs[left], costs[right]);
            matches
                .total_cmp(&other_matches)
                .then(open.cmp(&other_open))
        })?;
        Some(patterns.remove(cheapest))
    }

    /// The expected number of rows that match.
    fn expected_matches(&mut self, pattern: &FlatAtom, bound: &BoundVariables) -> f64 {
        let known = known_positions(pattern, bound);
        let view = self.extensions[pattern.relation].updated_view(pattern.view, self.terms);
        let key = (pattern.relation, pattern.view, known);
        match self.estimates.entry(key) {
            Entry::Occupied(estimate) => *estimate.get(),
            Entry::Vacant(place) => {
                let estimate = view.rows_per_key(&place.key().2);
                *place.insert(estimate)
            }
        }
    }

    /// Matches the pattern against the rows that agree with all known terms.
    fn step(&mut self, pattern: &FlatAtom, bound: &mut BoundVariables) -> MatchStep {
        let known = known_positions(pattern, bound);
        let key = known.iter().map(|&column| pattern.leaves[column]).collect();
        let unknown = (0..pattern.leaves.len()).filter(|column| !known.contains(column));
        let unknown: Vec<usize> = unknown.collect();
        let extension = &mut self.extensions[pattern.relation];
        let rows = RowChoice::Key(extension.index_by(pattern.view, known), key);
        bind(pattern, rows, unknown.into_iter(), bound)
    }

    /// Assigns every condition to the first step that binds all its variables.
    fn assign_filters(
        &mut self,
        rule: &Rule,
        conditions: &mut Vec<PendingCondition<'_>>,
        steps: &mut [MatchStep],
    ) -> Result<(), Cause> {
        let mut bound = IdVec::filled(false, rule.variables.len());
        for step in steps {
            for &(_, variable) in &step.binds {
                bound[variable] = true;
            }
            step.filters = self.take_filters(conditions, &bound)?;
        }
        Ok(())
    }

    /// Removes and prepares the conditions whose variables are all bound.
    fn take_filters(
        &mut self,
        conditions: &mut Vec<PendingCondition<'_>>,
        bound: &BoundVariables,
    ) -> Result<Vec<Filter>, Cause> {
        let ready = conditions.extract_if(.., |condition| is_bound(condition.literal, bound));
        ready.map(|condition| self.filter(&condition)).collect()
    }

    fn filter(&mut self, condition: &PendingCondition<'_>) -> Result<Filter, Cause> {
        match condition.literal {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                let pattern = self.pattern(atom, condition.skips_seed)?;
                let columns = (0..pattern.leaves.len()).collect();
                let extension = &mut self.extensions[pattern.relation];
                Ok(Filter::Absent {
                    relation: pattern.relation,
                    view: pattern.view,
                    index: extension.index_by(pattern.view, columns),
                    key: pattern.leaves,
                    skips_seed: pattern.skips_seed,
                })
            }
            Literal::Distinct(left, right, _) => Ok(Filter::Distinct(self.template([left, right]))),
        }
    }

    /// Splits an atom into the shape of its arguments and what fills the holes.
    fn pattern(&mut self, atom: &Atom, skips_seed: bool) -> Result<FlatAtom, Cause> {
        let mut shape = Shape::default();
        let mut leaves = Vec::new();
        let mut ahead: Vec<&Term> = atom.args.iter().rev().collect();
        while let Some(term) = ahead.pop() {
            match term {
                Term::Function(symbol, args) if !term.is_ground() => {
                    shape.0.push(Some((*symbol, args.len())));
                    ahead.extend(args.iter().rev());
                }
                Term::Variable(variable) => {
                    shape.0.push(None);
                    leaves.push(HoleTerm::Variable(*variable));
                }
                Term::Constant(_) | Term::Function(..) => {
                    shape.0.push(None);
                    leaves.push(HoleTerm::Ground(self.ground(term)?));
                }
            }
        }
        let view = self.extensions[atom.relation].view_of(shape);
        Ok(FlatAtom {
            relation: atom.relation,
            view,
            leaves,
            skips_seed,
        })
    }

    /// A term without variables.
    fn ground(&mut self, term: &Term) -> Result<TermId, Cause> {
        let mut instance = Vec::new();
        self.template([term])
            .instantiate(&IdVec::new(), self.terms, &mut instance)?;
        Ok(instance[0])
    }

    fn template<'t>(&mut self, terms: impl IntoIterator<Item = &'t Term>) -> Template {
        let mut template = Template::default();
        for term in terms {
            self.append(term, &mut template);
        }
        template
    }

    fn append(&mut self, term: &Term, template: &mut Template) {
        match term {
            Term::Variable(variable) => template
                .0
                .push(TemplateOp::HoleTerm(HoleTerm::Variable(*variable))),
            Term::Constant(symbol) => {
                let constant = self.terms.constant(*symbol);
                template
                    .0
                    .push(TemplateOp::HoleTerm(HoleTerm::Ground(constant)));
            }
            Term::Function(symbol, args) => {
                for arg in args {
                    self.append(arg, template);
                }
                template.0.push(TemplateOp::Apply(*symbol, args.len()));
            }
        }
    }
}

/// A step that looks at `columns` of every row: the first occurrence of an
/// unbound variable binds it, everything else has to be equal.
fn bind(
    pattern: &FlatAtom,
    rows: RowChoice,
    columns: impl Iterator<Item = usize>,
    bound: &mut BoundVariables,
) -> MatchStep {
    let mut step = MatchStep {
        relation: pattern.relation,
        view: pattern.view,
        rows,
        binds: Vec::new(),
        agrees: Vec::new(),
        skips_seed: pattern.skips_seed,
        filters: Vec::new(),
    };
    for column in columns {
        match pattern.leaves[column] {
            HoleTerm::Variable(variable) if !bound[variable] => {
                bound[variable] = true;
                step.binds.push((column, variable));
            }
            leaf => step.agrees.push((column, leaf)),
        }
    }
    step
}

/// The columns whose terms are known before the pattern is matched.
fn known_positions(pattern: &FlatAtom, bound: &BoundVariables) -> Vec<usize> {
    (0..pattern.leaves.len())
        .filter(|&column| is_known(&pattern.leaves[column], bound))
        .collect()
}

fn is_known(leaf: &HoleTerm, bound: &BoundVariables) -> bool {
    match leaf {
        HoleTerm::Variable(variable) => bound[*variable],
        HoleTerm::Ground(_) => true,
    }
}

/// The number of patterns with unbound variables once one of them has been matched.
fn open_after(patterns: &[FlatAtom], matched: &FlatAtom, bound: &BoundVariables) -> usize {
    let is_open = |leaf: &HoleTerm| match leaf {
        HoleTerm::Variable(variable) => !bound[*variable] && !matched.leaves.contains(leaf),
        HoleTerm::Ground(_) => false,
    };
    let is_open = |pattern: &&FlatAtom| pattern.leaves.iter().any(is_open);
    patterns.iter().filter(is_open).count()
}

/// The number of steps after which every variable of the head is bound.
fn binding_steps(head: &Atom, steps: &[MatchStep]) -> usize {
    let mut in_head = Vec::new();
    head.for_each_variable(&mut |variable| in_head.push(variable));
    steps
        .iter()
        .rposition(|step| {
            step.binds
                .iter()
                .any(|(_, variable)| in_head.contains(variable))
        })
        .map_or(0, |last| last + 1)
}

fn is_bound(literal: &Literal, bound: &BoundVariables) -> bool {
    let mut all = true;
    literal.for_each_variable(&mut |variable| all &= bound[variable]);
    all
}

//! Rules prepared for evaluation: bodies ordered, patterns flattened.
//!
//! Input: a rule of the program and the facts known so far, whose numbers guide
//! the order. Output: a [`Join`], a sequence of [`Step`]s, each of which matches
//! one positive literal and thereby binds variables. Order is a matter of speed
//! only. Conditions that bind nothing (`not`, `distinct`) are tested as soon as
//! all their variables are bound, which safety guarantees to happen.

use super::error::Cause;
use super::extension::{Extension, Shape, ViewIndex};
use super::terms::{TermId, Terms};
use crate::id::IdVec;
use crate::rules::{Atom, Literal, RelationId, Rule, SymbolId, Term, VariableId};

/// A rule, prepared.
#[derive(Debug, Clone)]
pub(super) struct Join {
    pub(super) head: RelationId,
    pub(super) head_args: Template,
    pub(super) variables: usize,
    /// Conditions without variables.
    pub(super) guards: Vec<Filter>,
    pub(super) steps: Vec<Step>,
    /// After so many steps the head's variables are bound. What follows only
    /// has to be possible: how often does not matter.
    pub(super) binding_steps: usize,
}

/// Matches one positive literal, then tests what can be tested.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub(super) relation: RelationId,
    pub(super) view: ViewIndex,
    pub(super) rows: RowChoice,
    /// Columns that give variables their terms.
    pub(super) binds: Vec<(usize, VariableId)>,
    /// Columns that must agree with a variable or a ground term.
    pub(super) agrees: Vec<(usize, Leaf)>,
    pub(super) filters: Vec<Filter>,
}

/// Which rows of a view a step looks at.
#[derive(Debug, Clone)]
pub(super) enum RowChoice {
    /// All.
    All,
    /// Those with these terms in the columns of an index.
    Key(usize, Vec<Leaf>),
    /// Those that the last round of a fixpoint added.
    Fresh,
}

/// A condition that binds nothing.
#[derive(Debug, Clone)]
pub(super) enum Filter {
    /// No row of a view has these terms in the columns of an index.
    Absent {
        relation: RelationId,
        view: ViewIndex,
        index: usize,
        key: Vec<Leaf>,
    },
    /// The two terms of the template differ.
    Distinct(Template),
}

/// What stands in a hole of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaf {
    Variable(VariableId),
    Ground(TermId),
}

/// Terms with variables, in postfix order.
#[derive(Debug, Clone, Default)]
pub(super) struct Template(Vec<Part>);

#[derive(Debug, Clone, Copy)]
enum Part {
    Leaf(Leaf),
    /// Applies a function to the terms before it, as many as its arity.
    Apply(SymbolId, usize),
}

/// What a rule's variables are bound to.
pub(super) type Bindings = IdVec<VariableId, TermId>;

impl Leaf {
    pub(super) fn value(self, bindings: &Bindings) -> TermId {
        match self {
            Self::Variable(variable) => bindings[variable],
            Self::Ground(term) => term,
        }
    }
}

impl Template {
    /// Replaces variables by what they are bound to; the terms end up in `out`.
    pub(super) fn instantiate(
        &self,
        bindings: &Bindings,
        terms: &mut Terms,
        out: &mut Vec<TermId>,
    ) -> Result<(), Cause> {
        out.clear();
        for part in &self.0 {
            match *part {
                Part::Leaf(leaf) => out.push(leaf.value(bindings)),
                Part::Apply(symbol, arity) => {
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
type Bound = IdVec<VariableId, bool>;

/// Prepares rules against the facts known so far.
pub(super) struct Compiler<'a> {
    pub(super) terms: &'a mut Terms,
    pub(super) extensions: &'a mut IdVec<RelationId, Extension>,
}

/// A positive literal, flattened.
struct Pattern {
    relation: RelationId,
    view: ViewIndex,
    leaves: Vec<Leaf>,
}

impl Compiler<'_> {
    /// Prepares a rule. With `fresh`, the positive literal at that place in the
    /// body is matched first, against the facts of the last round only.
    pub(super) fn compile(&mut self, rule: &Rule, fresh: Option<usize>) -> Result<Join, Cause> {
        let mut bound = IdVec::filled(false, rule.variables.len());
        let mut conditions = Vec::new();
        let mut patterns = Vec::new();
        let mut first = None;
        for (place, literal) in rule.body.iter().enumerate() {
            match literal {
                Literal::Positive(atom) if fresh == Some(place) => {
                    first = Some(self.pattern(atom)?);
                }
                Literal::Positive(atom) => patterns.push(self.pattern(atom)?),
                Literal::Negative(_) | Literal::Distinct(..) => conditions.push(literal),
            }
        }

        let guards = self.take_filters(&mut conditions, &bound)?;
        let mut steps = Vec::new();
        if let Some(pattern) = first {
            steps.push(self.fresh_step(&pattern, &mut bound));
        }
        while let Some(pattern) = self.take_cheapest(&mut patterns, &bound) {
            steps.push(self.step(&pattern, &mut bound));
        }
        self.place_filters(rule, &mut conditions, &mut steps)?;
        Ok(Join {
            head: rule.head.relation,
            head_args: self.template(&rule.head.args),
            variables: rule.variables.len(),
            guards,
            binding_steps: binding_steps(&rule.head, &steps),
            steps,
        })
    }

    /// Removes and returns the pattern expected to match the fewest rows.
    fn take_cheapest(&self, patterns: &mut Vec<Pattern>, bound: &Bound) -> Option<Pattern> {
        let cost = |place: usize| self.expected_matches(&patterns[place], bound);
        let cheapest =
            (0..patterns.len()).min_by(|&left, &right| cost(left).total_cmp(&cost(right)))?;
        Some(patterns.remove(cheapest))
    }

    /// How many rows will match, supposing that the columns are independent of
    /// one another and equally selective.
    fn expected_matches(&self, pattern: &Pattern, bound: &Bound) -> f64 {
        let rows = self.extensions[pattern.relation]
            .view(pattern.view)
            .rows
            .len();
        let known = known_columns(pattern, bound).len();
        let columns = pattern.leaves.len();
        if known == columns {
            return 0.0;
        }
        (rows.max(2) as f64).powf((columns - known) as f64 / columns as f64)
    }

    /// Matches the pattern against rows found by all that is known by now.
    fn step(&mut self, pattern: &Pattern, bound: &mut Bound) -> Step {
        let known = known_columns(pattern, bound);
        let unknown = |column: &usize| !known.contains(column);
        let mut step = bind(pattern, (0..pattern.leaves.len()).filter(unknown), bound);
        if !known.is_empty() {
            let key = known.iter().map(|&column| pattern.leaves[column]).collect();
            let extension = &mut self.extensions[pattern.relation];
            step.rows = RowChoice::Key(extension.demand_index(pattern.view, known), key);
        }
        step
    }

    /// Matches the pattern against the facts of the last round.
    fn fresh_step(&mut self, pattern: &Pattern, bound: &mut Bound) -> Step {
        let mut step = bind(pattern, 0..pattern.leaves.len(), bound);
        step.rows = RowChoice::Fresh;
        step
    }

    /// Puts every condition after the first step that binds all its variables.
    fn place_filters(
        &mut self,
        rule: &Rule,
        conditions: &mut Vec<&Literal>,
        steps: &mut [Step],
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
        conditions: &mut Vec<&Literal>,
        bound: &Bound,
    ) -> Result<Vec<Filter>, Cause> {
        let (ready, rest): (Vec<&Literal>, Vec<&Literal>) = conditions
            .iter()
            .partition(|literal| is_bound(literal, bound));
        *conditions = rest;
        ready
            .into_iter()
            .map(|literal| self.filter(literal))
            .collect()
    }

    fn filter(&mut self, literal: &Literal) -> Result<Filter, Cause> {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                let pattern = self.pattern(atom)?;
                let columns = (0..pattern.leaves.len()).collect();
                let extension = &mut self.extensions[pattern.relation];
                Ok(Filter::Absent {
                    relation: pattern.relation,
                    view: pattern.view,
                    index: extension.demand_index(pattern.view, columns),
                    key: pattern.leaves,
                })
            }
            Literal::Distinct(left, right, _) => Ok(Filter::Distinct(self.template([left, right]))),
        }
    }

    /// Splits an atom into the shape of its arguments and what fills the holes.
    fn pattern(&mut self, atom: &Atom) -> Result<Pattern, Cause> {
        let mut shape = Shape::default();
        let mut leaves = Vec::new();
        let mut ahead: Vec<&Term> = atom.args.iter().rev().collect();
        while let Some(term) = ahead.pop() {
            match term {
                Term::Function(symbol, args) if !is_ground(term) => {
                    shape.0.push(Some((*symbol, args.len())));
                    ahead.extend(args.iter().rev());
                }
                Term::Variable(variable) => {
                    shape.0.push(None);
                    leaves.push(Leaf::Variable(*variable));
                }
                Term::Constant(_) | Term::Function(..) => {
                    shape.0.push(None);
                    leaves.push(Leaf::Ground(self.ground(term)?));
                }
            }
        }
        let view = self.extensions[atom.relation].demand_view(shape, self.terms);
        Ok(Pattern {
            relation: atom.relation,
            view,
            leaves,
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
            Term::Variable(variable) => template.0.push(Part::Leaf(Leaf::Variable(*variable))),
            Term::Constant(symbol) => {
                let constant = self.terms.constant(*symbol);
                template.0.push(Part::Leaf(Leaf::Ground(constant)));
            }
            Term::Function(symbol, args) => {
                for arg in args {
                    self.append(arg, template);
                }
                template.0.push(Part::Apply(*symbol, args.len()));
            }
        }
    }
}

/// A step that looks at `columns` of every row: the first occurrence of an
/// unbound variable binds it, everything else has to agree.
fn bind(pattern: &Pattern, columns: impl Iterator<Item = usize>, bound: &mut Bound) -> Step {
    let mut step = Step {
        relation: pattern.relation,
        view: pattern.view,
        rows: RowChoice::All,
        binds: Vec::new(),
        agrees: Vec::new(),
        filters: Vec::new(),
    };
    for column in columns {
        match pattern.leaves[column] {
            Leaf::Variable(variable) if !bound[variable] => {
                bound[variable] = true;
                step.binds.push((column, variable));
            }
            leaf => step.agrees.push((column, leaf)),
        }
    }
    step
}

/// The columns whose terms are known before the pattern is matched.
fn known_columns(pattern: &Pattern, bound: &Bound) -> Vec<usize> {
    let is_known = |leaf: &Leaf| match leaf {
        Leaf::Variable(variable) => bound[*variable],
        Leaf::Ground(_) => true,
    };
    (0..pattern.leaves.len())
        .filter(|&column| is_known(&pattern.leaves[column]))
        .collect()
}

/// How many steps it takes until every variable of the head is bound.
fn binding_steps(head: &Atom, steps: &[Step]) -> usize {
    let mut in_head = Vec::new();
    for arg in &head.args {
        arg.for_each_variable(&mut |variable| in_head.push(variable));
    }
    steps
        .iter()
        .rposition(|step| {
            step.binds
                .iter()
                .any(|(_, variable)| in_head.contains(variable))
        })
        .map_or(0, |last| last + 1)
}

fn is_ground(term: &Term) -> bool {
    let mut ground = true;
    term.for_each_variable(&mut |_| ground = false);
    ground
}

fn is_bound(literal: &Literal, bound: &Bound) -> bool {
    let mut all = true;
    let mut visit = |variable: VariableId| all &= bound[variable];
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => {
            for arg in &atom.args {
                arg.for_each_variable(&mut visit);
            }
        }
        Literal::Distinct(left, right, _) => {
            left.for_each_variable(&mut visit);
            right.for_each_variable(&mut visit);
        }
    }
    all
}

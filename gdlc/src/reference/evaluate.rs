//! Applies a rule to the facts: every match of its body derives its head.
//!
//! Input: a [`PreparedRule`] and the facts. Output: the head's new facts, added, or the
//! derivations of its facts, counted.
//! The steps are nested loops; their loop variables are kept in a list, so that
//! long bodies need no deep stack.

use super::error::{Cause, EvaluationBudget};
use super::extension::Extension;
use super::join::{Bindings, Filter, HoleTerm, MatchStep, PreparedRule, RowChoice};
use super::term::{TermId, TermInterner};
use crate::id::{Id, IdVec};
use crate::rules::{Dependence, RelationId};

/// A fact counts once more for every so many bytes of its terms.
const LONG_FACT: u64 = 64;

/// What has been used of an [`EvaluationBudget`].
#[derive(Debug, Clone)]
pub(super) struct EvaluationMeter {
    budget: EvaluationBudget,
    facts: u64,
    /// The limit on `facts`, at most that of the budget.
    facts_limit: u64,
    matches: u64,
    /// The number of rows looked for, looked at, and derived, in all evaluations.
    pub(super) work: u64,
}

/// What is done with a head that is derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// It holds, and gains a derivation.
    Insert,
    /// It gains a derivation, and will hold once that is propagated.
    Derive,
    /// It loses a derivation.
    Retract,
}

impl Effect {
    /// What is done with the head of a rule if the literal that changes is negated.
    pub(super) const fn opposite(self) -> Self {
        match self {
            Self::Insert => Self::Insert,
            Self::Derive => Self::Retract,
            Self::Retract => Self::Derive,
        }
    }
}

/// What rules are applied to.
pub(super) struct Evaluator<'a> {
    pub(super) terms: &'a mut TermInterner,
    pub(super) extensions: &'a mut IdVec<RelationId, Extension>,
    pub(super) meter: &'a mut EvaluationMeter,
    pub(super) progress: &'a mut MatchProgress,
    pub(super) effect: Effect,
}

/// How far the application of a rule has got. It is kept between applications to save
/// allocations.
#[derive(Debug, Clone, Default)]
pub(super) struct MatchProgress {
    bindings: Bindings,
    /// The row that each step looks at next.
    next_rows: Vec<Option<usize>>,
    /// Instances of templates.
    instance: Vec<TermId>,
    /// The row of the seed, if the rule has one.
    seed: usize,
}

impl EvaluationMeter {
    /// Nothing used yet.
    pub(super) const fn new(budget: EvaluationBudget) -> Self {
        Self {
            budget,
            facts: 0,
            facts_limit: budget.facts,
            matches: 0,
            work: 0,
        }
    }

    /// Begins another evaluation, with the whole budget.
    pub(super) const fn reset(&mut self) {
        let work = self.work;
        *self = Self::new(self.budget);
        self.work = work;
    }

    /// Allows only as many more facts as a stratum may have unrestricted.
    pub(super) fn limit_stratum(&mut self, dependence: Dependence) {
        let times = if dependence == Dependence::Static {
            200
        } else {
            1
        };
        let more = self.budget.unrestricted.saturating_mul(times);
        let limit = self.facts.saturating_add(more);
        self.facts_limit = limit.min(self.budget.facts);
    }

    /// The number of facts above which a stratum is restricted by magic sets.
    pub(super) const fn unrestricted(&self) -> u64 {
        self.budget.unrestricted
    }

    /// Allows all facts of the budget again.
    pub(super) const fn lift_limit(&mut self) {
        self.facts_limit = self.budget.facts;
    }

    fn count_match(&mut self) -> Result<(), Cause> {
        self.matches += 1;
        self.work += 1;
        if self.matches > self.budget.matches {
            return Err(Cause::TooManyMatches(self.budget.matches));
        }
        Ok(())
    }

    /// Counts a fact whose terms are of this length.
    fn count_fact(&mut self, length: u64) -> Result<(), Cause> {
        self.facts += 1 + length / LONG_FACT;
        if self.facts > self.facts_limit {
            return Err(Cause::TooManyFacts(self.facts_limit));
        }
        Ok(())
    }
}

impl Evaluator<'_> {
    /// Derives the head for every match of the body that takes its seed from this row.
    pub(super) fn apply_to(&mut self, join: &PreparedRule, seed: usize) -> Result<(), Cause> {
        self.progress.seed = seed;
        self.apply(join)
    }

    /// Derives the head for every match of the body.
    pub(super) fn apply(&mut self, join: &PreparedRule) -> Result<(), Cause> {
        let progress = &mut *self.progress;
        progress.bindings.resize(join.variables, TermId::new(0));
        progress.next_rows.resize(join.steps.len(), None);
        if !self.pass(&join.preconditions)? {
            return Ok(());
        }
        if join.steps.is_empty() {
            return self.derive(join);
        }
        let mut depth = 0;
        self.open(join, depth);
        loop {
            if !self.find_match(&join.steps[depth], depth)? {
                match depth.checked_sub(1) {
                    Some(outer) => depth = outer,
                    None => return Ok(()),
                }
            } else if depth + 1 < join.steps.len() {
                depth += 1;
                self.open(join, depth);
            } else {
                self.derive(join)?;
                match join.binding_steps.checked_sub(1) {
                    Some(last_binding) => depth = last_binding,
                    None => return Ok(()),
                }
            }
        }
    }

    /// Sets a step to the first row that it looks at.
    fn open(&mut self, join: &PreparedRule, depth: usize) {
        let step = &join.steps[depth];
        let view = self.extensions[step.relation].updated_view(step.view, self.terms);
        let MatchProgress { bindings, seed, .. } = &*self.progress;
        self.meter.work += 1;
        self.progress.next_rows[depth] = match &step.rows {
            RowChoice::Key(index, key) => {
                view.first(*index, key.iter().map(|leaf| leaf.value(bindings)))
            }
            RowChoice::Fresh => view.next_fresh(0),
            RowChoice::Seed => view.contains(*seed).then_some(*seed),
        };
    }

    /// Binds a step's variables to its next row that matches; returns whether there
    /// is one.
    fn find_match(&mut self, step: &MatchStep, depth: usize) -> Result<bool, Cause> {
        while let Some(row) = self.progress.next_rows[depth] {
            self.meter.count_match()?;
            let view = self.extensions[step.relation].view(step.view);
            self.progress.next_rows[depth] = match step.rows {
                RowChoice::Key(index, _) => view.next(index, row),
                RowChoice::Fresh => view.next_fresh(row + 1),
                RowChoice::Seed => None,
            };
            if step.skips_seed && row == self.progress.seed {
                continue;
            }
            let cells = view.row(row);
            let bindings = &mut self.progress.bindings;
            for &(column, variable) in &step.binds {
                bindings[variable] = cells[column];
            }
            let agrees =
                |&(column, leaf): &(usize, HoleTerm)| cells[column] == leaf.value(bindings);
            if step.agrees.iter().all(agrees) && self.pass(&step.filters)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn pass(&mut self, filters: &[Filter]) -> Result<bool, Cause> {
        let MatchProgress {
            bindings,
            instance,
            seed,
            ..
        } = &mut *self.progress;
        for filter in filters {
            let passes = match filter {
                Filter::Absent {
                    relation,
                    view,
                    index,
                    key,
                    skips_seed,
                } => {
                    let view = self.extensions[*relation].updated_view(*view, self.terms);
                    let found = view.first(*index, key.iter().map(|leaf| leaf.value(bindings)));
                    found.is_none_or(|row| *skips_seed && row == *seed)
                }
                Filter::Distinct(pair) => {
                    pair.instantiate(bindings, self.terms, instance)?;
                    instance[0] != instance[1]
                }
            };
            if !passes {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn derive(&mut self, join: &PreparedRule) -> Result<(), Cause> {
        let MatchProgress {
            bindings, instance, ..
        } = &mut *self.progress;
        join.head_args.instantiate(bindings, self.terms, instance)?;
        self.meter.work += 1;
        let extension = &mut self.extensions[join.head];
        let is_counted = match self.effect {
            Effect::Insert => extension.insert(instance),
            Effect::Derive => {
                extension.derive(instance);
                true
            }
            Effect::Retract => {
                extension.retract(instance);
                false
            }
        };
        if is_counted {
            self.meter.count_fact(self.terms.length(instance))?;
        }
        Ok(())
    }
}

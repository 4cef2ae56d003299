//! Applies a rule to the facts: every match of its body derives its head.
//!
//! Input: a [`PreparedRule`] and the facts. Output: the head's new facts, added.
//! The steps are nested loops; their loop variables are kept in a list, so that
//! long bodies need no deep stack.

use super::error::{Cause, EvaluationBudget};
use super::extension::Extension;
use super::join::{Bindings, Filter, HoleTerm, MatchStep, PreparedRule, RowChoice};
use super::term::{TermId, TermInterner};
use crate::id::{Id, IdVec};
use crate::rules::{Dependence, RelationId};

/// What has been used of an [`EvaluationBudget`].
#[derive(Debug, Clone)]
pub(super) struct EvaluationMeter {
    budget: EvaluationBudget,
    facts: u64,
    /// The limit on `facts`, at most that of the budget.
    facts_limit: u64,
    matches: u64,
}

/// The facts and the state of a rule's application.
pub(super) struct Evaluator<'a> {
    terms: &'a mut TermInterner,
    extensions: &'a mut IdVec<RelationId, Extension>,
    meter: &'a mut EvaluationMeter,
    bindings: Bindings,
    /// The row that each step looks at next.
    next_rows: Vec<Option<usize>>,
    /// Reused for keys and instances of templates.
    buffer: Vec<TermId>,
}

impl EvaluationMeter {
    /// Nothing used yet.
    pub(super) const fn new(budget: EvaluationBudget) -> Self {
        Self {
            budget,
            facts: 0,
            facts_limit: budget.facts,
            matches: 0,
        }
    }

    /// Sets the counts back to zero for another evaluation.
    pub(super) const fn reset(&mut self) {
        *self = Self::new(self.budget);
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

    /// Allows all facts of the budget again.
    pub(super) const fn lift_limit(&mut self) {
        self.facts_limit = self.budget.facts;
    }

    fn count_match(&mut self) -> Result<(), Cause> {
        self.matches += 1;
        if self.matches > self.budget.matches {
            return Err(Cause::TooManyMatches(self.budget.matches));
        }
        Ok(())
    }

    fn count_fact(&mut self) -> Result<(), Cause> {
        self.facts += 1;
        if self.facts > self.facts_limit {
            return Err(Cause::TooManyFacts(self.facts_limit));
        }
        Ok(())
    }
}

impl<'a> Evaluator<'a> {
    pub(super) const fn new(
        terms: &'a mut TermInterner,
        extensions: &'a mut IdVec<RelationId, Extension>,
        meter: &'a mut EvaluationMeter,
    ) -> Self {
        Self {
            terms,
            extensions,
            meter,
            bindings: IdVec::new(),
            next_rows: Vec::new(),
            buffer: Vec::new(),
        }
    }

    /// Derives the head for every match of the body.
    pub(super) fn apply(&mut self, join: &PreparedRule) -> Result<(), Cause> {
        self.bindings.resize(join.variables, TermId::new(0));
        self.next_rows.resize(join.steps.len(), None);
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

    /// Sets a step to the first of its rows.
    fn open(&mut self, join: &PreparedRule, depth: usize) {
        let step = &join.steps[depth];
        let view = self.extensions[step.relation].updated_view(step.view, self.terms);
        self.next_rows[depth] = match &step.rows {
            RowChoice::All => (view.rows.len() > 0).then_some(0),
            RowChoice::Fresh => view.fresh().next(),
            RowChoice::Key(index, key) => {
                fill(&mut self.buffer, key, &self.bindings);
                view.first(*index, &self.buffer)
            }
        };
    }

    /// Binds a step's variables to its next row that matches; returns whether there
    /// is one.
    fn find_match(&mut self, step: &MatchStep, depth: usize) -> Result<bool, Cause> {
        while let Some(row) = self.next_rows[depth] {
            self.meter.count_match()?;
            let view = self.extensions[step.relation].view(step.view);
            self.next_rows[depth] = match step.rows {
                RowChoice::All => (row + 1 < view.rows.len()).then_some(row + 1),
                RowChoice::Fresh => view.fresh().contains(&(row + 1)).then_some(row + 1),
                RowChoice::Key(index, _) => view.following(index, row),
            };
            let cells = view.rows.row(row);
            for &(column, variable) in &step.binds {
                self.bindings[variable] = cells[column];
            }
            let agrees =
                |&(column, leaf): &(usize, HoleTerm)| cells[column] == leaf.value(&self.bindings);
            if step.agrees.iter().all(agrees) && self.pass(&step.filters)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn pass(&mut self, filters: &[Filter]) -> Result<bool, Cause> {
        for filter in filters {
            let passes = match filter {
                Filter::Absent {
                    relation,
                    view,
                    index,
                    key,
                } => {
                    fill(&mut self.buffer, key, &self.bindings);
                    let view = self.extensions[*relation].updated_view(*view, self.terms);
                    view.first(*index, &self.buffer).is_none()
                }
                Filter::Distinct(pair) => {
                    pair.instantiate(&self.bindings, self.terms, &mut self.buffer)?;
                    self.buffer[0] != self.buffer[1]
                }
            };
            if !passes {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn derive(&mut self, join: &PreparedRule) -> Result<(), Cause> {
        join.head_args
            .instantiate(&self.bindings, self.terms, &mut self.buffer)?;
        if self.extensions[join.head].insert(&self.buffer) {
            self.meter.count_fact()?;
        }
        Ok(())
    }
}

fn fill(buffer: &mut Vec<TermId>, leaves: &[HoleTerm], bindings: &Bindings) {
    buffer.clear();
    buffer.extend(leaves.iter().map(|leaf| leaf.value(bindings)));
}

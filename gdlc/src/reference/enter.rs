//! From one state to the next.
//!
//! Most facts of a state, and most of what follows from them, are the same as in the state
//! before. So strata without recursion are *kept*: the derivations of each of their facts are
//! counted, and a fact that begins or ceases to hold adds or removes the derivations that use
//! it (the counting algorithm of Gupta, Mumick and Subrahmanian, *Maintaining views
//! incrementally*, 1993). Facts change one by one, and between two changes every count is
//! correct for the facts that hold, so the order does not matter.
//!
//! That does not pay where most facts change, such as the moves of players who take turns.
//! Now and then there is a trial, in which everything is evaluated anew. If the changes to
//! a stratum over several trials take more work than evaluating it would, it is no longer
//! kept. This affects speed only.

use super::entered_state::{EnteredState, for_each_change};
use super::error::ReferenceError;
use super::evaluate::{Effect, Evaluator};
use super::join::{RuleCompiler, Start};
use super::model::{Model, over_budget};
use super::strata::SeededRule;
use super::term::TermId;
use crate::rules::{Dependence, Keyword, RelationId};
use std::sync::Arc;

impl Model {
    /// Makes `true` hold of a state's facts and `does` of the moves; if there are no moves, no
    /// query will depend on them.
    pub(super) fn enter(&mut self, state: &[TermId], moves: &[(TermId, TermId)]) {
        let current = self.current.take();
        let entered = current.and_then(|current| self.enter_from(current, state, moves));
        if entered.is_none() {
            self.enter_anew(state, moves);
        }
        self.current = entered.or_else(|| {
            Some(EnteredState {
                state: state.into(),
                moves: moves.to_vec(),
            })
        });
    }

    /// Changes what differs from the state and the moves that were entered last; `None` if
    /// everything has to be evaluated anew.
    fn enter_from(
        &mut self,
        mut current: EnteredState,
        state: &[TermId],
        moves: &[(TermId, TermId)],
    ) -> Option<EnteredState> {
        let is_same_state = *current.state == *state;
        let are_same_moves = moves.is_empty() || current.moves == moves;
        if !is_same_state {
            if !self.change_state(&current.state, state) {
                return None;
            }
            current.state = state.into();
        }
        if !are_same_moves {
            self.change_moves(&current.moves, moves);
            current.moves = moves.to_vec();
        }
        // What exceeds the budget here, such as what follows from old moves in a new state, need
        // not exceed it when only what a query needs is evaluated.
        let is_done = (is_same_state && are_same_moves) || self.propagate().unwrap_or(false);
        is_done.then_some(current)
    }

    /// Makes the facts of a state and its moves hold, and nothing else; strata are evaluated when
    /// a query needs them.
    fn enter_anew(&mut self, state: &[TermId], moves: &[(TermId, TermId)]) {
        for at in 0..self.strata.list.len() {
            if self.strata.list[at].dependence != Dependence::Static {
                self.empty(at);
            }
        }
        if let Some(holds) = self.program.keyword(Keyword::True) {
            for &fact in state {
                self.extensions[holds].insert(&[fact]);
            }
        }
        if let Some(does) = self.program.keyword(Keyword::Does) {
            for &(role, mv) in moves {
                self.extensions[does].insert(&[role, mv]);
            }
        }
    }

    /// Changes the facts of the state, unless too many change or it is time for a trial.
    fn change_state(&mut self, old: &[TermId], new: &[TermId]) -> bool {
        let mut changes = 0;
        for_each_change(old, new, |_, _| changes += 1);
        self.trials.leave_state(self.meter.work);
        if 2 * changes > new.len() + 8 {
            return false;
        }
        if self.trials.enter_by_changes() {
            self.begin_trial();
            return false;
        }
        self.forget(Dependence::State);
        if let Some(holds) = self.program.keyword(Keyword::True) {
            let facts = &mut self.extensions[holds];
            for_each_change(old, new, |fact, begins| match begins {
                true => facts.derive(&[fact]),
                false => facts.retract(&[fact]),
            });
        }
        true
    }

    fn change_moves(&mut self, old: &[(TermId, TermId)], new: &[(TermId, TermId)]) {
        self.forget(Dependence::Moves);
        if let Some(does) = self.program.keyword(Keyword::Does) {
            let facts = &mut self.extensions[does];
            for &(role, mv) in old {
                facts.retract(&[role, mv]);
            }
            for &(role, mv) in new {
                facts.derive(&[role, mv]);
            }
        }
    }

    /// Empties what is not kept and varies with the state, or with the moves alone.
    fn forget(&mut self, dependence: Dependence) {
        for at in 0..self.strata.list.len() {
            let stratum = &self.strata.list[at];
            if stratum.dependence >= dependence && !stratum.is_kept {
                self.empty(at);
            }
        }
    }

    /// Updates kept strata to what has changed; returns false if that takes too much work, or if a
    /// stratum has become so large that it may have to be restricted.
    fn propagate(&mut self) -> Result<bool, ReferenceError> {
        self.meter.reset();
        for at in 0..self.strata.list.len() {
            if !self.strata.list[at].is_kept {
                continue;
            }
            self.strata.list[at].work.end_state();
            for place in 0..self.strata.list[at].relations.len() {
                let relation = self.strata.list[at].relations[place];
                while let Some((row, holds)) = self.extensions[relation].take_change() {
                    if !self.change_fact(at, relation, row, holds)? {
                        return Ok(false);
                    }
                }
            }
            if self.strata.list[at].may_be_restricted
                && self.count_facts(at) as u64 > self.meter.unrestricted()
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Makes a fact begin or cease to hold; returns false if its consequences take too much work.
    fn change_fact(
        &mut self,
        at: usize,
        relation: RelationId,
        row: usize,
        holds: bool,
    ) -> Result<bool, ReferenceError> {
        // Rules match the fact while it holds.
        if holds {
            let goes_on = self.change_later(at, relation, row, Effect::Retract)?;
            self.extensions[relation].toggle(row, &self.terms);
            Ok(goes_on)
        } else {
            self.extensions[relation].toggle(row, &self.terms);
            self.change_later(at, relation, row, Effect::Derive)
        }
    }

    /// Adds the derivations that use a fact to the strata that depend on its stratum, or removes
    /// them; returns false if that takes too much work.
    fn change_later(
        &mut self,
        at: usize,
        relation: RelationId,
        row: usize,
        effect: Effect,
    ) -> Result<bool, ReferenceError> {
        for place in 0..self.strata.later[at].len() {
            let later = self.strata.later[at][place];
            let stratum = &self.strata.list[later];
            if !stratum.is_kept || !stratum.evaluated {
                continue;
            }
            let Some(joins) = &stratum.joins else {
                continue;
            };
            let seeded = match joins.seeded.get(&relation) {
                Some(seeded) => Arc::clone(seeded),
                None => self.prepare_seeded(later, relation)?,
            };
            let work = self.meter.work;
            self.apply_seeded(relation, &seeded, row, effect)?;
            let stratum = &mut self.strata.list[later];
            stratum.work.in_state += self.meter.work - work;
            if stratum.work.in_state > stratum.work.most_in_state() {
                self.begin_trial();
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Applies the rules that begin with a fact of a relation, given by its row.
    fn apply_seeded(
        &mut self,
        relation: RelationId,
        rules: &[SeededRule],
        row: usize,
        effect: Effect,
    ) -> Result<(), ReferenceError> {
        for seeded in rules {
            let view = self.extensions[relation].updated_view(seeded.view, &self.terms);
            if !view.contains(row) {
                continue;
            }
            let mut evaluator = Evaluator {
                terms: &mut self.terms,
                extensions: &mut self.extensions,
                meter: &mut self.meter,
                progress: &mut self.progress,
                effect: match seeded.is_negated {
                    true => effect.opposite(),
                    false => effect,
                },
            };
            evaluator
                .apply_to(&seeded.join, row)
                .map_err(|cause| over_budget(&self.program, seeded.rule, cause))?;
        }
        Ok(())
    }

    /// Prepares the rules of a stratum, each once for every literal of a relation.
    fn prepare_seeded(
        &mut self,
        at: usize,
        relation: RelationId,
    ) -> Result<Arc<[SeededRule]>, ReferenceError> {
        let mut compiler = RuleCompiler::new(&mut self.terms, &mut self.extensions, true);
        let mut seeded = Vec::new();
        for &id in &self.strata.list[at].rules {
            let rule = &self.program.rules[id];
            for (place, literal) in rule.body.iter().enumerate() {
                let Some((_, is_negated)) =
                    literal.atom().filter(|(atom, _)| atom.relation == relation)
                else {
                    continue;
                };
                let join = compiler.compile(rule, Start::Seed(place));
                let join = join.map_err(|cause| over_budget(&self.program, id, cause))?;
                seeded.push(SeededRule {
                    rule: id,
                    is_negated,
                    view: join.steps[0].view,
                    join,
                });
            }
        }
        let seeded: Arc<[SeededRule]> = seeded.into();
        if let Some(joins) = &mut self.strata.list[at].joins {
            joins.seeded.insert(relation, Arc::clone(&seeded));
        }
        Ok(seeded)
    }

    /// Begins a trial: everything is about to be evaluated anew.
    fn begin_trial(&mut self) {
        let (states, after) = self.trials.begin();
        let strata = self.strata.list.iter_mut();
        for stratum in strata.filter(|stratum| stratum.is_kept) {
            stratum.work.begin_trial(states, after);
        }
    }

    /// Notes the work of evaluating a stratum, and stops keeping it if changes take more.
    pub(super) fn judge(&mut self, at: usize, work: u64) {
        if self.strata.list[at].work.note_evaluation(work) {
            self.strata.give_up(at);
        }
    }
}

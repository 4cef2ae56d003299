//! The stratified model: all facts that follow in one state.
//!
//! Input: a program, a state and the moves made in it. Output: the extensions of
//! relations. Strata are evaluated one after another, each to its least
//! fixpoint, and only those that a query depends on. What does not vary with the
//! state is evaluated once; the rest is valid until another state is entered
//! (`enter`).

use super::entered_state::EnteredState;
use super::error::{Cause, EvaluationBudget, ReferenceError};
use super::evaluate::{Effect, EvaluationMeter, Evaluator, MatchProgress};
use super::extension::Extension;
use super::join::{PreparedRule, RuleCompiler, Start};
use super::magic_sets;
use super::strata::{PreparedRules, Strata, Stratum};
use super::term::{TermId, TermInterner};
use super::trials::TrialSchedule;
use crate::id::IdVec;
use crate::rules::{Dependence, Keyword, Literal, Program, RelationId, RuleId};
use gdl_runtime::kif::write_list;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A program and the facts that follow in one state.
#[derive(Debug, Clone)]
pub(super) struct Model {
    pub(super) terms: TermInterner,
    /// The rules as they are evaluated.
    pub(super) program: Arc<Program>,
    /// The rules as they were passed in.
    original: Arc<Program>,
    /// The relations that magic sets restrict.
    restricted: BTreeSet<RelationId>,
    pub(super) extensions: IdVec<RelationId, Extension>,
    pub(super) strata: Strata,
    pub(super) meter: EvaluationMeter,
    pub(super) progress: MatchProgress,
    /// The state and the moves that the extensions belong to; `None` if they belong to no state.
    pub(super) current: Option<EnteredState>,
    /// When it is next measured how states are best entered.
    pub(super) trials: TrialSchedule,
}

/// Whether an evaluation has to start again, with other rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EvaluationOutcome {
    Done,
    RulesChanged,
}

impl Model {
    /// Nothing evaluated yet.
    pub(super) fn new(
        program: Arc<Program>,
        budget: EvaluationBudget,
    ) -> Result<Self, ReferenceError> {
        Ok(Self {
            terms: TermInterner::new(&program.symbols, budget),
            extensions: no_facts(&program),
            strata: Strata::find(&program)?,
            meter: EvaluationMeter::new(budget),
            progress: MatchProgress::default(),
            restricted: BTreeSet::new(),
            current: None,
            trials: TrialSchedule::default(),
            original: Arc::clone(&program),
            program,
        })
    }

    /// Evaluates what some keywords depend on, static relations only.
    pub(super) fn evaluate_static(&mut self, keywords: &[Keyword]) -> Result<(), ReferenceError> {
        'anew: loop {
            for &keyword in keywords {
                if self.evaluate(keyword, Dependence::Static)? == EvaluationOutcome::RulesChanged {
                    continue 'anew;
                }
            }
            return Ok(());
        }
    }

    /// Evaluates what a keyword depends on, in a state in which the roles make
    /// these moves; empty if the moves do not matter.
    pub(super) fn evaluate_in(
        &mut self,
        state: &[TermId],
        moves: &[(TermId, TermId)],
        keyword: Keyword,
    ) -> Result<(), ReferenceError> {
        loop {
            self.enter(state, moves);
            match self.evaluate(keyword, Dependence::Moves) {
                Ok(EvaluationOutcome::Done) => return Ok(()),
                Ok(EvaluationOutcome::RulesChanged) => {}
                Err(error) => {
                    // A stratum has been evaluated in part.
                    self.current = None;
                    return Err(error);
                }
            }
        }
    }

    /// The relations that magic sets restrict.
    #[cfg(test)]
    pub(super) const fn restricted(&self) -> &BTreeSet<RelationId> {
        &self.restricted
    }

    /// The facts of a keyword's relation; none if no rule mentions it.
    pub(super) fn facts_of(&self, keyword: Keyword) -> impl Iterator<Item = &[TermId]> {
        let relation = self.program.keyword(keyword);
        relation
            .into_iter()
            .flat_map(|relation| self.extensions[relation].facts())
    }

    /// The facts of every static relation of the original rules that is not a keyword.
    pub(super) fn static_relations(&self) -> Vec<Vec<String>> {
        let relations = self.original.relations.iter_ids();
        let relations = relations.filter(|(_, relation)| {
            relation.dependence == Dependence::Static && relation.keyword.is_none()
        });
        relations
            .map(|(id, relation)| {
                let name = &self.original.symbols[relation.name];
                let facts = self.extensions[id].facts();
                facts.map(|args| self.show_fact(name, args)).collect()
            })
            .collect()
    }

    fn show_fact(&self, name: &str, args: &[TermId]) -> String {
        let mut text = String::new();
        let _ = write_list(&mut text, name, args, |text, &arg| {
            text.push_str(&self.terms.show(arg));
            Ok(())
        });
        text
    }

    /// Evaluates the strata that a keyword depends on, unless they have been evaluated or
    /// depend on something later than `latest`.
    fn evaluate(
        &mut self,
        keyword: Keyword,
        latest: Dependence,
    ) -> Result<EvaluationOutcome, ReferenceError> {
        self.meter.reset();
        for &at in self.strata.needed_by(keyword).iter() {
            let stratum = &self.strata.list[at];
            if !stratum.evaluated
                && stratum.dependence <= latest
                && self.evaluate_stratum(at)? == EvaluationOutcome::RulesChanged
            {
                return Ok(EvaluationOutcome::RulesChanged);
            }
        }
        Ok(EvaluationOutcome::Done)
    }

    /// Adds what follows from the rules of one stratum and all earlier ones; if
    /// that is too much, changes the rules instead.
    fn evaluate_stratum(&mut self, at: usize) -> Result<EvaluationOutcome, ReferenceError> {
        let work = self.meter.work;
        let joins = match self.strata.list[at].joins.take() {
            Some(joins) if !self.outgrown(&joins) => joins,
            Some(joins) => self.prepare(at, &joins.sizes)?,
            None => self.prepare(at, &BTreeMap::new())?,
        };
        if self.strata.list[at].may_be_restricted {
            self.meter.limit_stratum(self.strata.list[at].dependence);
            match self.run_to_fixpoint(at, &joins) {
                Err(error) if error.is_too_many_facts() => {
                    if self.restrict(at) {
                        return Ok(EvaluationOutcome::RulesChanged);
                    }
                    self.strata.list[at].may_be_restricted = false;
                    self.meter.lift_limit();
                    self.empty(at);
                    self.run_to_fixpoint(at, &joins)?;
                }
                result => result?,
            }
            self.meter.lift_limit();
        } else {
            self.run_to_fixpoint(at, &joins)?;
        }
        let stratum = &mut self.strata.list[at];
        stratum.joins = Some(joins);
        stratum.evaluated = true;
        self.judge(at, self.meter.work - work);
        Ok(EvaluationOutcome::Done)
    }

    /// Restricts a stratum, and all that depends on it, to what queries ask about.
    /// Returns whether that is possible; if so, everything has to be evaluated
    /// again.
    fn restrict(&mut self, at: usize) -> bool {
        if self.strata.needed_by(Keyword::Init).contains(&at) {
            return false;
        }
        let mut chosen = magic_sets::callers(&self.original, &self.strata.list[at].relations);
        chosen.extend(&self.restricted);
        let Some(program) = magic_sets::apply_magic_sets(&self.original, &chosen) else {
            return false;
        };
        let Ok(mut strata) = Strata::find(&program) else {
            return false;
        };
        // Restricting once is enough, and magic predicates cannot be restricted.
        let is_new = |relation: &RelationId| {
            !chosen.contains(relation) && self.original.relations.get(*relation).is_some()
        };
        for stratum in &mut strata.list {
            stratum.may_be_restricted &= stratum.relations.iter().all(is_new);
        }
        for &relation in &self.strata.list[at].relations {
            let name = &self.original.symbols[self.original.relations[relation].name];
            tracing::debug!("{name} is large: restricted by magic sets");
        }
        self.extensions = no_facts(&program);
        self.program = Arc::new(program);
        self.strata = strata;
        self.restricted = chosen;
        self.trials = TrialSchedule::default();
        self.current = None;
        true
    }

    /// Applies the rules until nothing new follows.
    ///
    /// A fact that is new in a later round depends on one that the round before
    /// derived, so later rounds match one literal against those only (*semi-naive
    /// evaluation*: Abiteboul, Hull, Vianu, *Foundations of Databases*, 13.1).
    fn run_to_fixpoint(&mut self, at: usize, joins: &PreparedRules) -> Result<(), ReferenceError> {
        self.apply(&joins.whole)?;
        if joins.fresh.is_empty() {
            return Ok(());
        }
        let mut before = 0;
        while self.count_facts(at) > before {
            before = self.count_facts(at);
            for &relation in &self.strata.list[at].relations {
                self.extensions[relation].begin_round(&self.terms);
            }
            self.apply(&joins.fresh)?;
        }
        Ok(())
    }

    fn apply(&mut self, joins: &[(RuleId, PreparedRule)]) -> Result<(), ReferenceError> {
        let mut evaluator = Evaluator {
            terms: &mut self.terms,
            extensions: &mut self.extensions,
            meter: &mut self.meter,
            progress: &mut self.progress,
            effect: Effect::Insert,
        };
        for (rule, join) in joins {
            evaluator
                .apply(join)
                .map_err(|cause| over_budget(&self.program, *rule, cause))?;
        }
        Ok(())
    }

    /// Whether a relation has far more facts than when the rules were prepared, so
    /// that another order of the literals may be better: boards fill. The orders
    /// follow the largest numbers seen, so that each rule is prepared only as often as
    /// a relation can double.
    fn outgrown(&self, joins: &PreparedRules) -> bool {
        let facts = |relation: RelationId| self.extensions[relation].len();
        (joins.sizes.iter()).any(|(&relation, &before)| facts(relation) > 2 * before + 4)
    }

    /// Prepares the rules of a stratum; `before` has the largest numbers of facts for which they
    /// have been prepared.
    fn prepare(
        &mut self,
        at: usize,
        before: &BTreeMap<RelationId, usize>,
    ) -> Result<PreparedRules, ReferenceError> {
        let stratum: &Stratum = &self.strata.list[at];
        let mut compiler =
            RuleCompiler::new(&mut self.terms, &mut self.extensions, stratum.is_kept);
        let mut joins = PreparedRules::default();
        let rules = stratum.rules.iter().map(|&id| &self.program.rules[id]);
        let asked: BTreeSet<RelationId> = rules
            .flat_map(|rule| rule.body.iter().filter_map(Literal::atom))
            .map(|(atom, _)| atom.relation)
            .filter(|relation| !stratum.relations.contains(relation))
            .collect();
        joins.sizes = (asked.into_iter())
            .map(|relation| {
                let largest = before.get(&relation).copied().unwrap_or(0);
                (relation, compiler.count_facts(relation).max(largest))
            })
            .collect();
        for &id in &stratum.rules {
            let rule = &self.program.rules[id];
            let mut compile = |start| {
                let join = compiler.compile(rule, start);
                let join = join.map_err(|cause| over_budget(&self.program, id, cause))?;
                Ok((id, join))
            };
            joins.whole.push(compile(Start::Anywhere)?);
            for place in stratum.recursive_literals(rule) {
                joins.fresh.push(compile(Start::Fresh(place))?);
            }
        }
        Ok(joins)
    }

    /// Removes the facts of a stratum.
    pub(super) fn empty(&mut self, at: usize) {
        let stratum = &mut self.strata.list[at];
        stratum.evaluated = false;
        for &relation in &stratum.relations {
            self.extensions[relation].clear();
        }
    }

    pub(super) fn count_facts(&self, at: usize) -> usize {
        let relations = &self.strata.list[at].relations;
        relations
            .iter()
            .map(|&relation| self.extensions[relation].len())
            .sum()
    }
}

fn no_facts(program: &Program) -> IdVec<RelationId, Extension> {
    let arities = program.relations.iter().map(|relation| relation.arity);
    arities.map(Extension::new).collect()
}

pub(super) fn over_budget(program: &Program, rule: RuleId, cause: Cause) -> ReferenceError {
    let rule = &program.rules[rule];
    ReferenceError::OverBudget {
        rule: program.show_rule(rule),
        line: program.source.line_column(rule.span.start as usize).0,
        cause,
    }
}

//! The reference engine: what GDL means, evaluated as it stands.
//!
//! Input: a checked [`Program`]. Output: initial state, legal moves, goals,
//! end and successor of any state. Nothing is instantiated beforehand and no
//! code is shared with grounding: what the other engines compute is compared
//! with what is computed here.
//!
//! **The meaning of a rule sheet** (Genesereth, Love: *General Game Playing:
//! Game Description Language Specification*, 2008; Thielscher, Schiffel: *A
//! Multiagent Semantics for the Game Description Language*, 2009). A state is a
//! finite set of ground terms, its facts. Let `true` hold of a state's facts
//! and `does` of the moves made in it. The facts that follow from the rules
//! are the stratified model:
//! 1. Relations are divided into [components], each depending on earlier ones
//!    and perhaps on itself, on itself never through negation.
//! 2. Component after component, the smallest sets of facts are added that the
//!    component's rules allow: whenever every literal of a body holds, the head
//!    does. `not` asks for the absence of a fact of an earlier component, whose
//!    facts are complete by then; `distinct` for two different terms.
//! 3. The initial state consists of the terms for which `init` follows, the
//!    successor of those for which `next` follows; `legal`, `goal` and
//!    `terminal` are read off likewise.
//!
//! One file, one part: [`terms`] and [`extension`] store ground terms and facts,
//! [`join`] prepares one rule, [`evaluate`] applies it, this file runs the
//! components to their fixpoints and answers queries.
//!
//! Rules with functions may describe infinitely many facts: a [`Budget`] ends
//! such an evaluation with an error.

mod components;
mod error;
mod evaluate;
mod extension;
mod join;
mod terms;
#[cfg(test)]
mod tests;

pub use error::{Budget, Cause, ParseTermError, ReferenceError};
pub use terms::TermId;

use crate::id::IdVec;
use crate::rules::{Dependence, Keyword, Program, RelationId, RuleId};
use components::{Component, Components, Joins};
use evaluate::{Evaluator, Meter};
use extension::Extension;
use join::Compiler;
use std::sync::Arc;
use terms::Terms;

/// A game, played by evaluating its rules.
///
/// States are slices of facts, in ascending order and without duplicates, as
/// [`initial`](Self::initial), [`next`](Self::next) and [`state`](Self::state)
/// return them. What has been computed about a state is kept until another one
/// is asked about.
#[derive(Debug, Clone)]
pub struct Reference {
    program: Arc<Program>,
    terms: Terms,
    extensions: IdVec<RelationId, Extension>,
    components: Components,
    meter: Meter,
    roles: Vec<TermId>,
    initial: Box<[TermId]>,
    /// The state that the state-dependent extensions belong to.
    current: Option<Box<[TermId]>>,
}

impl Reference {
    /// Loads a game, with the default budget.
    ///
    /// # Errors
    /// If the initial state cannot be computed.
    pub fn new(program: Arc<Program>) -> Result<Self, ReferenceError> {
        Self::with_budget(program, Budget::default())
    }

    /// Loads a game; every later query has to keep to the budget, too.
    ///
    /// # Errors
    /// If the initial state cannot be computed.
    pub fn with_budget(program: Arc<Program>, budget: Budget) -> Result<Self, ReferenceError> {
        let mut terms = Terms::new(&program.symbols, budget.depth);
        let mut reference = Self {
            extensions: (program.relations.iter())
                .map(|relation| Extension::new(relation.arity))
                .collect(),
            components: Components::find(&program)?,
            meter: Meter::new(budget),
            roles: (program.roles.iter())
                .map(|&role| terms.constant(role))
                .collect(),
            initial: Box::default(),
            current: None,
            program,
            terms,
        };
        reference.evaluate(Keyword::Init)?;
        reference.initial = reference.state_of(Keyword::Init);
        reference.evaluate_static()?;
        Ok(reference)
    }

    /// The roles, in order.
    #[must_use]
    pub fn roles(&self) -> &[TermId] {
        &self.roles
    }

    /// The initial state.
    #[must_use]
    pub const fn initial(&self) -> &[TermId] {
        &self.initial
    }

    /// Whether the game is over.
    ///
    /// # Errors
    /// If the rules cannot be evaluated within the budget; so for all queries.
    pub fn terminal(&mut self, state: &[TermId]) -> Result<bool, ReferenceError> {
        self.query(state, Keyword::Terminal)?;
        Ok(self.facts_of(Keyword::Terminal).next().is_some())
    }

    /// The legal moves of a role (by its position), in an order that depends
    /// only on the state.
    ///
    /// # Errors
    /// As [`terminal`](Self::terminal).
    pub fn legal(&mut self, state: &[TermId], role: usize) -> Result<Vec<TermId>, ReferenceError> {
        self.query(state, Keyword::Legal)?;
        let mut moves = self.values_of(Keyword::Legal, role);
        moves.sort_unstable_by(|&left, &right| self.terms.compare(left, right));
        Ok(moves)
    }

    /// The goal values of a role (by its position), ascending: one in a sound
    /// game's terminal states.
    ///
    /// # Errors
    /// As [`terminal`](Self::terminal), and if a value is not a whole number.
    pub fn goals(&mut self, state: &[TermId], role: usize) -> Result<Vec<i32>, ReferenceError> {
        self.query(state, Keyword::Goal)?;
        let mut goals = Vec::new();
        for value in self.values_of(Keyword::Goal, role) {
            let value = self.terms.show(value);
            let number = value.parse();
            goals.push(number.map_err(|_| ReferenceError::Goal { value })?);
        }
        goals.sort_unstable();
        goals.dedup();
        Ok(goals)
    }

    /// The state that follows when every role makes its move of `joint`.
    ///
    /// # Errors
    /// As [`terminal`](Self::terminal), and if there is not one move a role.
    pub fn next(
        &mut self,
        state: &[TermId],
        joint: &[TermId],
    ) -> Result<Box<[TermId]>, ReferenceError> {
        if joint.len() != self.roles.len() {
            return Err(ReferenceError::JointMove {
                roles: self.roles.len(),
                moves: joint.len(),
            });
        }
        self.enter(state);
        self.forget(Dependence::Moves);
        if let Some(does) = self.program.keyword(Keyword::Does) {
            for (&role, &mv) in self.roles.iter().zip(joint) {
                self.extensions[does].insert(&[role, mv], &self.terms);
            }
        }
        self.evaluate(Keyword::Next)?;
        Ok(self.state_of(Keyword::Next))
    }

    /// A fact, move or role as KIF, in the rule sheet's spelling.
    #[must_use]
    pub fn show(&self, term: TermId) -> String {
        self.terms.show(term)
    }

    /// Reads a fact or a move from KIF, in any case and spacing.
    ///
    /// # Errors
    /// If it is not one ground term over the rule sheet's symbols.
    pub fn parse(&mut self, text: &str) -> Result<TermId, ParseTermError> {
        self.terms.parse(text)
    }

    /// The state that consists of these facts.
    #[must_use]
    pub fn state(facts: &[TermId]) -> Box<[TermId]> {
        let mut state = facts.to_vec();
        state.sort_unstable();
        state.dedup();
        state.into()
    }

    /// Makes sure that the extension of a keyword is that of the state.
    fn query(&mut self, state: &[TermId], keyword: Keyword) -> Result<(), ReferenceError> {
        self.enter(state);
        self.evaluate(keyword)
    }

    /// Lets `true` hold of a state's facts.
    fn enter(&mut self, state: &[TermId]) {
        if self.current.as_deref() == Some(state) {
            return;
        }
        self.forget(Dependence::Moves);
        self.forget(Dependence::State);
        if let Some(holds) = self.program.keyword(Keyword::True) {
            for &fact in state {
                self.extensions[holds].insert(&[fact], &self.terms);
            }
        }
        self.current = Some(state.into());
    }

    /// Empties the extensions that vary with the moves, or with the state.
    fn forget(&mut self, dependence: Dependence) {
        for component in &mut self.components.list {
            if component.dependence == dependence {
                component.evaluated = false;
                for &relation in &component.relations {
                    self.extensions[relation].clear();
                }
            }
        }
    }

    /// Evaluates the static relations that some query about a state needs.
    fn evaluate_static(&mut self) -> Result<(), ReferenceError> {
        let queries = [
            Keyword::Terminal,
            Keyword::Legal,
            Keyword::Goal,
            Keyword::Next,
        ];
        for at in self.components.needed_by(&queries) {
            if self.components.list[at].dependence == Dependence::Static {
                self.evaluate_component(at)?;
            }
        }
        Ok(())
    }

    /// Evaluates what a keyword depends on, as far as that is not done yet.
    fn evaluate(&mut self, keyword: Keyword) -> Result<(), ReferenceError> {
        self.meter.reset();
        for at in self.components.needed_by(&[keyword]) {
            self.evaluate_component(at)?;
        }
        Ok(())
    }

    /// Adds what the rules of one component allow, given all earlier ones.
    fn evaluate_component(&mut self, at: usize) -> Result<(), ReferenceError> {
        if self.components.list[at].evaluated {
            return Ok(());
        }
        let joins = match self.components.list[at].joins.take() {
            Some(joins) => joins,
            None => self.prepare(at)?,
        };
        self.run_to_fixpoint(at, &joins)?;
        self.components.list[at].joins = Some(joins);
        self.components.list[at].evaluated = true;
        Ok(())
    }

    /// Applies the rules until nothing new follows.
    ///
    /// A fact that the first round missed must rest on one that some earlier
    /// round derived, so later rounds match one literal against what the last
    /// one added (*semi-naive* evaluation: Abiteboul, Hull, Vianu, *Foundations
    /// of Databases*, 13.1).
    fn run_to_fixpoint(&mut self, at: usize, joins: &Joins) -> Result<(), ReferenceError> {
        self.apply(&joins.whole)?;
        if joins.fresh.is_empty() {
            return Ok(());
        }
        let mut before = 0;
        while self.count_facts(at) > before {
            before = self.count_facts(at);
            for &relation in &self.components.list[at].relations {
                self.extensions[relation].begin_round();
            }
            self.apply(&joins.fresh)?;
        }
        Ok(())
    }

    fn apply(&mut self, joins: &[(RuleId, join::Join)]) -> Result<(), ReferenceError> {
        let mut evaluator = Evaluator::new(&mut self.terms, &mut self.extensions, &mut self.meter);
        for (rule, join) in joins {
            evaluator
                .apply(join)
                .map_err(|cause| over_budget(&self.program, *rule, cause))?;
        }
        Ok(())
    }

    /// Prepares the rules of a component.
    fn prepare(&mut self, at: usize) -> Result<Joins, ReferenceError> {
        let component: &Component = &self.components.list[at];
        let mut compiler = Compiler {
            terms: &mut self.terms,
            extensions: &mut self.extensions,
        };
        let mut joins = Joins::default();
        for &id in &component.rules {
            let rule = &self.program.rules[id];
            let mut compile = |fresh| {
                let join = compiler.compile(rule, fresh);
                let join = join.map_err(|cause| over_budget(&self.program, id, cause))?;
                Ok((id, join))
            };
            joins.whole.push(compile(None)?);
            for place in component.recursive_literals(rule) {
                joins.fresh.push(compile(Some(place))?);
            }
        }
        Ok(joins)
    }

    fn count_facts(&self, at: usize) -> usize {
        let relations = &self.components.list[at].relations;
        relations
            .iter()
            .map(|&relation| self.extensions[relation].len())
            .sum()
    }

    /// The facts of a keyword's relation; none if no rule mentions it.
    fn facts_of(&self, keyword: Keyword) -> impl Iterator<Item = &[TermId]> {
        let relation = self.program.keyword(keyword);
        relation
            .into_iter()
            .flat_map(|relation| self.extensions[relation].facts())
    }

    /// The second arguments of a keyword's facts about a role.
    fn values_of(&self, keyword: Keyword, role: usize) -> Vec<TermId> {
        let role = self.roles.get(role);
        self.facts_of(keyword)
            .filter(|fact| fact.first() == role)
            .filter_map(|fact| fact.get(1).copied())
            .collect()
    }

    /// The terms of which `init` or `next` holds.
    fn state_of(&self, keyword: Keyword) -> Box<[TermId]> {
        let facts: Vec<TermId> = self.facts_of(keyword).flatten().copied().collect();
        Self::state(&facts)
    }
}

fn over_budget(program: &Program, rule: RuleId, cause: Cause) -> ReferenceError {
    let rule = &program.rules[rule];
    ReferenceError::OverBudget {
        rule: program.show_rule(rule),
        line: program.source.line_column(rule.span.start as usize).0,
        cause,
    }
}

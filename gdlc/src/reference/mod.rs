//! The reference engine: evaluates the rules directly, as GDL defines them.
//!
//! Input: a checked [`Program`]. Output: the initial state, and the legal moves,
//! goals, terminality and successor of any state. Nothing is instantiated
//! beforehand, and the only code shared with grounding is the search for strongly
//! connected components: the other engines are tested against this one.
//!
//! **The meaning of a rule sheet** (Genesereth, Love: *General Game Playing:
//! Game Description Language Specification*, 2008; Thielscher, Schiffel: *A
//! Multiagent Semantics for the Game Description Language*, 2009). A state is a
//! finite set of ground terms, its facts. Let `true` hold of a state's facts
//! and `does` of the moves made in it. The facts that follow from the rules
//! are the stratified model:
//! 1. Relations are divided into strata. Each depends on earlier strata and
//!    perhaps on itself, but on itself never through negation.
//! 2. Stratum by stratum, the smallest sets of facts are added that satisfy the
//!    stratum's rules: whenever every literal of a body holds, so does the head.
//!    `not` holds if a fact is absent from an earlier stratum, whose facts are
//!    complete by then; `distinct` holds of two different terms.
//! 3. The initial state consists of the terms for which `init` follows, the
//!    successor of those for which `next` follows; `legal`, `goal` and
//!    `terminal` are read off in the same way.
//!
//! `term`, `extension` and `column_index` store ground terms and facts, `join`
//! prepares a rule, `evaluate` applies it, `model` takes the strata to their
//! fixpoints, `enter` takes them from one state to the next, and this file answers
//! queries. `magic_sets` restricts relations that would otherwise hold far more
//! facts than queries ask for.
//!
//! Rules with functions may describe infinitely many facts: an
//! [`EvaluationBudget`] ends such an evaluation with an error.

mod column_index;
mod enter;
mod entered_state;
mod error;
mod evaluate;
mod extension;
mod join;
mod magic_sets;
mod model;
mod strata;
mod term;
#[cfg(test)]
mod tests;
mod trials;

pub use error::{Cause, EvaluationBudget, ParseTermError, ReferenceError};
pub use term::TermId;

use crate::rules::{Keyword, Program};
use model::Model;
use std::sync::Arc;

/// A game that is played by evaluating its rules.
///
/// States are slices of facts in ascending order and without duplicates, as
/// [`initial`](Self::initial), [`next`](Self::next) and [`state`](Self::state) return
/// them. What has been computed about a state is cached until a query asks about another
/// one, and then updated where the two differ.
#[derive(Debug, Clone)]
pub struct Reference {
    model: Model,
    roles: Vec<TermId>,
    initial: Box<[TermId]>,
}

impl Reference {
    /// Loads a game, with the default budget.
    ///
    /// # Errors
    /// If the initial state cannot be computed.
    pub fn new(program: Arc<Program>) -> Result<Self, ReferenceError> {
        Self::with_budget(program, EvaluationBudget::default())
    }

    /// Loads a game. The budget applies to loading and to each later query.
    ///
    /// # Errors
    /// If the initial state cannot be computed.
    pub fn with_budget(
        program: Arc<Program>,
        budget: EvaluationBudget,
    ) -> Result<Self, ReferenceError> {
        let roles = program.roles.clone();
        let mut model = Model::new(program, budget)?;
        let constant = |role| model.terms.constant(role);
        let roles = roles.into_iter().map(constant).collect();
        model.evaluate_static(&[Keyword::Init])?;
        let initial = state_of(&model, Keyword::Init);
        model.evaluate_static(&[
            Keyword::Terminal,
            Keyword::Legal,
            Keyword::Goal,
            Keyword::Next,
        ])?;
        Ok(Self {
            model,
            roles,
            initial,
        })
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
    /// If the rules cannot be evaluated within the budget, as for all queries.
    pub fn terminal(&mut self, state: &[TermId]) -> Result<bool, ReferenceError> {
        self.model.evaluate_in(state, &[], Keyword::Terminal)?;
        Ok(self.model.facts_of(Keyword::Terminal).next().is_some())
    }

    /// The legal moves of a role, given by its zero-based position, in an order
    /// that depends only on the state.
    ///
    /// # Errors
    /// As [`terminal`](Self::terminal).
    pub fn legal(&mut self, state: &[TermId], role: usize) -> Result<Vec<TermId>, ReferenceError> {
        self.model.evaluate_in(state, &[], Keyword::Legal)?;
        let mut moves = self.values_of(Keyword::Legal, role);
        moves.sort_unstable_by(|&left, &right| self.model.terms.compare(left, right));
        Ok(moves)
    }

    /// The goal values of a role, given by its zero-based position, in ascending
    /// order; exactly one in the terminal states of a well-formed game.
    ///
    /// # Errors
    /// As [`terminal`](Self::terminal), and if a value is not a whole number.
    pub fn goals(&mut self, state: &[TermId], role: usize) -> Result<Vec<i32>, ReferenceError> {
        self.model.evaluate_in(state, &[], Keyword::Goal)?;
        let mut goals = Vec::new();
        for value in self.values_of(Keyword::Goal, role) {
            let value = self.model.terms.show(value);
            let number = value.parse();
            goals.push(number.map_err(|_| ReferenceError::Goal { value })?);
        }
        goals.sort_unstable();
        goals.dedup();
        Ok(goals)
    }

    /// The state that follows when every role makes its move in `joint`.
    ///
    /// # Errors
    /// As [`terminal`](Self::terminal), and if `joint` does not have exactly one move
    /// per role.
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
        let moves: Vec<(TermId, TermId)> = self
            .roles
            .iter()
            .copied()
            .zip(joint.iter().copied())
            .collect();
        self.model.evaluate_in(state, &moves, Keyword::Next)?;
        Ok(state_of(&self.model, Keyword::Next))
    }

    /// The facts, as KIF, of every relation that does not vary with the state, as far as
    /// anything that the players can notice depends on them. For relations that were too
    /// large, some or all facts are missing.
    #[must_use]
    pub fn static_relations(&self) -> Vec<Vec<String>> {
        self.model.static_relations()
    }

    /// A fact, move or role as KIF, in the rule sheet's spelling.
    #[must_use]
    pub fn show(&self, term: TermId) -> String {
        self.model.terms.show(term)
    }

    /// Reads a fact or a move from KIF; case and spacing do not matter.
    ///
    /// # Errors
    /// If the text is not one ground term over the rule sheet's symbols.
    pub fn parse(&mut self, text: &str) -> Result<TermId, ParseTermError> {
        self.model.terms.parse(text)
    }

    /// The state that consists of these facts.
    #[must_use]
    pub fn state(facts: &[TermId]) -> Box<[TermId]> {
        let mut state = facts.to_vec();
        state.sort_unstable();
        state.dedup();
        state.into()
    }

    /// The second arguments of a keyword's facts about a role.
    fn values_of(&self, keyword: Keyword, role: usize) -> Vec<TermId> {
        let role = self.roles.get(role);
        self.model
            .facts_of(keyword)
            .filter(|fact| fact.first() == role)
            .filter_map(|fact| fact.get(1).copied())
            .collect()
    }
}

/// The terms of which `init` or `next` holds, as a state.
fn state_of(model: &Model, keyword: Keyword) -> Box<[TermId]> {
    let facts: Vec<TermId> = model.facts_of(keyword).flatten().copied().collect();
    Reference::state(&facts)
}

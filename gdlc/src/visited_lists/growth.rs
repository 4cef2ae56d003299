//! Whether a visited list can hold all elements.
//!
//! The question is put to grounding as a game that is over if all elements can be added one
//! after another, and whose other rules are those about lists.

use super::alike::relations_asked;
use super::recursion::{Recursion, Step};
use crate::ground::{GroundRule, GroundingBudget, ground_asked_for};
use crate::id::{Id, IdVec};
use crate::rules::{
    Atom, Keyword, Literal, Program, RelationId, Rule, SymbolId, Term, VariableId, replace,
    restratify, substitute,
};
use std::collections::BTreeMap;

/// Lists of more elements are not tried out: each of them is a condition of one rule.
const MOST_ELEMENTS: usize = 400;

/// Conditions of one trial, each of which may contain all elements, so often that they are not
/// written out.
const MOST_CONDITIONS: usize = 4_000_000;

/// The number of atoms that the question may take.
const MOST_ATOMS: u64 = 1_000_000;

/// Whether elements can be added to `start` in the given order, and every list on the way is
/// as all rules ask.
pub(super) fn can_hold_all(
    program: &Program,
    recursion: &Recursion,
    start: &Term,
    elements: &[SymbolId],
    budget: &GroundingBudget,
) -> bool {
    let Some(terminal) = program.keyword(Keyword::Terminal) else {
        return false;
    };
    if elements.len() > MOST_ELEMENTS || !grows_slowly(recursion, elements.len()) {
        return false;
    }
    let game = game_of_growth(
        program,
        recursion,
        terminal,
        growth(recursion, start, elements),
    );
    let budget = GroundingBudget {
        atoms: budget.atoms.min(MOST_ATOMS),
        ..budget.clone()
    };
    ground_asked_for(&game, &budget).is_ok_and(|ground| {
        let is_over =
            |rule: &GroundRule| Some(rule.head) == ground.terminal && rule.body.is_empty();
        ground.rules.iter().any(is_over)
    })
}

/// Whether the question stays short: a list that is written twice in the next one would double
/// with every element.
fn grows_slowly(recursion: &Recursion, elements: usize) -> bool {
    let steps = recursion.tests.iter().chain([&recursion.extension]);
    let conditions: usize = steps.map(|step| step.literals.len()).sum();
    let mut occurrences = 0;
    let list = VariableId::new(0);
    let mut count = |variable| occurrences += usize::from(variable == list);
    recursion.extension.result.for_each_variable(&mut count);
    occurrences < 2 && conditions * elements * elements <= MOST_CONDITIONS
}

/// The conditions under which all elements can be added.
fn growth(recursion: &Recursion, start: &Term, elements: &[SymbolId]) -> ListGrowth {
    let mut growth = ListGrowth::default();
    let mut list = start.clone();
    for &element in elements {
        growth.test(recursion, &list);
        list = growth.take(&recursion.extension, &list, Some(element));
    }
    growth.test(recursion, &list);
    growth
}

#[derive(Default)]
struct ListGrowth {
    conditions: Vec<Literal>,
    variables: IdVec<VariableId, String>,
}

impl ListGrowth {
    /// Asks of a list what the rules ask that hand it on.
    fn test(&mut self, recursion: &Recursion, list: &Term) {
        for test in &recursion.tests {
            self.take(test, list, None);
        }
    }

    /// Asks of a list what a step asks; returns what the step hands on.
    fn take(&mut self, step: &Step, list: &Term, element: Option<SymbolId>) -> Term {
        let given = [Some(list.clone()), element.map(Term::Constant)];
        let mut given = given.into_iter().flatten();
        let mut value = || given.next().unwrap_or_else(|| self.new_variable());
        let variables = (0..step.variables).map(VariableId::new);
        let values: BTreeMap<VariableId, Term> =
            variables.map(|variable| (variable, value())).collect();
        let conditions = step.literals.iter();
        let conditions = conditions.map(|literal| substitute(literal, &values));
        self.conditions.extend(conditions);
        replace(&step.result, &values)
    }

    fn new_variable(&mut self) -> Term {
        let name = format!("?{}", self.variables.len());
        Term::Variable(self.variables.push(name))
    }
}

/// The game that is over if these conditions can be met.
fn game_of_growth(
    program: &Program,
    recursion: &Recursion,
    terminal: RelationId,
    growth: ListGrowth,
) -> Program {
    let steps = recursion.tests.iter().chain([&recursion.extension]);
    let kept = relations_asked(program, steps);
    let rules = program.rules.iter();
    let rules = rules.filter(|rule| kept.contains(&rule.head.relation));
    let (rule, _) = recursion.extending[0];
    let span = program.rules[rule].span;
    let over = Rule {
        head: Atom {
            relation: terminal,
            args: Vec::new(),
            span,
        },
        body: growth.conditions,
        variables: growth.variables,
        span,
    };
    let mut game = Program {
        rules: rules.cloned().chain([over]).collect(),
        ..program.clone()
    };
    restratify(&mut game);
    game
}

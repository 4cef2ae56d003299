//! Whether a visited list can hold all elements.
//!
//! The question is put to grounding as a game. Its rules are those about lists, and one for
//! every element, whose list is the previous one with the element added. The game is over if
//! the last list exists.

use super::alike::relations_asked;
use super::recursion::{Recursion, Step};
use crate::ground::{GroundRule, GroundingBudget, ground_asked_for};
use crate::id::{Id, IdVec};
use crate::rules::{
    Atom, Dependence, Keyword, Literal, Program, Relation, RelationId, Rule, SymbolId, Term,
    VariableId, replace, restratify, substitute,
};
use crate::source::Span;
use std::collections::BTreeMap;

/// The number of atoms that the question may take.
const MOST_ATOMS: u64 = 1_000_000;

/// Whether elements can be added to `start` in the given order, with every list on the way
/// meeting what all rules ask.
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
    let budget = GroundingBudget {
        atoms: budget.atoms.min(MOST_ATOMS),
        ..budget.clone()
    };
    let game = GameOfGrowth::new(program, recursion).asking(terminal, start, elements);
    ground_asked_for(&game, &budget).is_ok_and(|ground| {
        let is_over =
            |rule: &GroundRule| Some(rule.head) == ground.terminal && rule.body.is_empty();
        ground.rules.iter().any(is_over)
    })
}

/// The rules about lists, and those that add elements one after another.
struct GameOfGrowth<'a> {
    recursion: &'a Recursion,
    game: Program,
    /// The position in the text that the new rules are given.
    span: Span,
}

impl<'a> GameOfGrowth<'a> {
    /// The rules about lists alone.
    fn new(program: &Program, recursion: &'a Recursion) -> Self {
        let steps = recursion.tests.iter().chain([&recursion.extension]);
        let kept = relations_asked(program, steps);
        let rules = program.rules.iter();
        let rules = rules.filter(|rule| kept.contains(&rule.head.relation));
        let (extending, _) = recursion.extending[0];
        Self {
            recursion,
            game: Program {
                rules: rules.cloned().collect(),
                ..program.clone()
            },
            span: program.rules[extending].span,
        }
    }

    /// The game that is over if these elements can be added to `start`.
    fn asking(mut self, terminal: RelationId, start: &Term, elements: &[SymbolId]) -> Program {
        let mut held = self.new_relation(0);
        self.add_rule(held, vec![start.clone()], RuleBody::default());
        for (count, &element) in elements.iter().enumerate() {
            let longer = self.new_relation(count + 1);
            let mut body = self.tested(held);
            let result = body.take(&self.recursion.extension, Some(element));
            self.add_rule(longer, vec![result], body);
            held = longer;
        }
        let last = self.tested(held);
        self.add_rule(terminal, Vec::new(), last);
        restratify(&mut self.game);
        self.game
    }

    /// A relation of lists with this number of elements.
    fn new_relation(&mut self, elements: usize) -> RelationId {
        let name = self.game.symbols.push(format!("held@{elements}"));
        self.game.relations.push(Relation {
            name,
            arity: 1,
            keyword: None,
            dependence: Dependence::Static,
        })
    }

    fn add_rule(&mut self, relation: RelationId, args: Vec<Term>, body: RuleBody) {
        self.game.rules.push(Rule {
            head: Atom {
                relation,
                args,
                span: self.span,
            },
            body: body.literals,
            variables: body.variables,
            span: self.span,
        });
    }

    /// A body about the list of `held`, with the conditions of rules that pass a list on as it is.
    fn tested(&self, held: RelationId) -> RuleBody {
        let mut body = RuleBody::default();
        let args = vec![body.new_variable()];
        body.literals.push(Literal::Positive(Atom {
            relation: held,
            args,
            span: self.span,
        }));
        for test in &self.recursion.tests {
            body.take(test, None);
        }
        body
    }
}

/// Conditions of one rule; the first variable is the list.
#[derive(Default)]
struct RuleBody {
    literals: Vec<Literal>,
    variables: IdVec<VariableId, String>,
}

impl RuleBody {
    /// Adds what a step asks of the list; returns the list that the step passes on.
    fn take(&mut self, step: &Step, element: Option<SymbolId>) -> Term {
        let list = Term::Variable(VariableId::new(0));
        let given = [Some(list), element.map(Term::Constant)];
        let mut given = given.into_iter().flatten();
        let mut value = || given.next().unwrap_or_else(|| self.new_variable());
        let variables = (0..step.variables).map(VariableId::new);
        let values: BTreeMap<VariableId, Term> =
            variables.map(|variable| (variable, value())).collect();
        let literals = step.literals.iter();
        let literals = literals.map(|literal| substitute(literal, &values));
        self.literals.extend(literals);
        replace(&step.result, &values)
    }

    fn new_variable(&mut self) -> Term {
        let name = format!("?{}", self.variables.len());
        Term::Variable(self.variables.push(name))
    }
}

//! Finds negations and conjunctions beside fluents that may be functional.

use super::claims::{FunctionalConjunction, FunctionalFluent, FunctionalNegation};
use crate::rules::{
    Atom, Dependence, Keyword, Literal, Program, RelationId, Rule, RuleId, Term, VariableId,
};
use std::collections::BTreeSet;

/// What says which states follow from each other, however the game ends.
pub(super) const PLAY: [Keyword; 6] = [
    Keyword::Role,
    Keyword::Init,
    Keyword::Next,
    Keyword::Legal,
    Keyword::Base,
    Keyword::Input,
];

/// Atoms with fewer variables have few instances anyway.
const FEWEST_VARIABLES: usize = 4;

/// All pairs of a negated atom and a fluent in one body that share variables. Only
/// rules on which legality depends but the successor of a state does not are
/// considered: there, leaving out a negation can only make more moves legal.
pub(super) fn find_negations(program: &Program) -> Vec<FunctionalNegation> {
    let (Some(legal), Some(holds)) = (
        program.keyword(Keyword::Legal),
        program.keyword(Keyword::True),
    ) else {
        return Vec::new();
    };
    let monotone = monotone_in(program, legal);
    let mut found = Vec::new();
    for (id, rule) in program.rules.iter_ids() {
        if !monotone.contains(&rule.head.relation) {
            continue;
        }
        for (negated, atom) in wide_negations(program, rule) {
            let asked = atom.variables();
            for (position, literal) in rule.body.iter().enumerate() {
                let determined = match literal {
                    Literal::Positive(atom) if atom.relation == holds => {
                        shared_arguments(&atom.args[0], &asked)
                    }
                    _ => Vec::new(),
                };
                if !determined.is_empty() {
                    let fluent = FunctionalFluent {
                        rule: id,
                        holds: position,
                        determined,
                    };
                    found.push(FunctionalNegation { fluent, negated });
                }
            }
        }
    }
    found
}

/// All rules with atoms of many variables which fluents may determine. Only rules on
/// which neither legality nor the successor of a state depends are considered: there,
/// leaving out atoms has no effect on which states follow.
pub(super) fn find_conjunctions(program: &Program) -> Vec<FunctionalConjunction> {
    let outcomes = depended_on(program, &[Keyword::Goal, Keyword::Terminal]);
    let play = depended_on(program, &PLAY);
    let rules = program.rules.iter_ids();
    let rules = rules.filter(|(_, rule)| {
        outcomes.contains(&rule.head.relation) && !play.contains(&rule.head.relation)
    });
    rules
        .filter_map(|(id, rule)| conjunction_of(program, id, rule))
        .collect()
}

/// The relations on which keywords depend, and the keywords themselves.
pub(super) fn depended_on(program: &Program, keywords: &[Keyword]) -> BTreeSet<RelationId> {
    let keywords = keywords.iter().filter_map(|&word| program.keyword(word));
    program.depended_on(keywords.collect(), |_| true)
}

fn conjunction_of(program: &Program, id: RuleId, rule: &Rule) -> Option<FunctionalConjunction> {
    let kept = rule.head.variables();
    let projected = rule.body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) if !program.is_supplied(atom.relation) => {
            Some(&atom.variables() - &kept)
        }
        _ => None,
    });
    let wide = projected.filter(|variables| variables.len() >= FEWEST_VARIABLES);
    let mut asked: BTreeSet<VariableId> = wide.flatten().collect();
    let mut fluents = Vec::new();
    for (position, literal) in rule.body.iter().enumerate() {
        let Literal::Positive(atom) = literal else {
            continue;
        };
        if program.relations[atom.relation].keyword != Some(Keyword::True) {
            continue;
        }
        let determined = shared_arguments(&atom.args[0], &asked);
        if !determined.is_empty() {
            asked = &asked - &atom.variables();
            fluents.push(FunctionalFluent {
                rule: id,
                holds: position,
                determined,
            });
        }
    }
    (fluents.len() > 1).then_some(FunctionalConjunction { rule: id, fluents })
}

/// The relations whose growth can make moves legal, and has no other effect on what
/// states follow: `legal` depends on them through no negation, `next` not at all.
fn monotone_in(program: &Program, legal: RelationId) -> BTreeSet<RelationId> {
    let positive = program.depended_on([legal].into(), |negated| !negated);
    let mut denied = BTreeSet::new();
    for rule in &program.rules {
        for (atom, negated) in rule.body.iter().filter_map(Literal::atom) {
            if negated && positive.contains(&rule.head.relation) {
                denied.insert(atom.relation);
            }
        }
    }
    denied.extend(program.keyword(Keyword::Next));
    denied.extend(program.keyword(Keyword::Init));
    let denied = program.depended_on(denied, |_| true);
    positive.difference(&denied).copied().collect()
}

/// The negated atoms of a rule that vary and have many variables, with their positions.
fn wide_negations<'a>(
    program: &'a Program,
    rule: &'a Rule,
) -> impl Iterator<Item = (usize, &'a Atom)> {
    let literals = rule.body.iter().enumerate();
    literals.filter_map(|(position, literal)| match literal {
        Literal::Negative(atom)
            if program.relations[atom.relation].dependence != Dependence::Static
                && !program.is_supplied(atom.relation)
                && atom.variables().len() >= FEWEST_VARIABLES =>
        {
            Some((position, atom))
        }
        _ => None,
    })
}

/// The positions of a fluent's arguments that are variables of `asked` and occur
/// nowhere else in the fluent.
fn shared_arguments(fluent: &Term, asked: &BTreeSet<VariableId>) -> Vec<usize> {
    let Term::Function(_, args) = fluent else {
        return Vec::new();
    };
    let occurrences = |wanted: VariableId| {
        let mut count = 0;
        fluent.for_each_variable(&mut |variable| count += usize::from(variable == wanted));
        count
    };
    let is_shared = |arg: &Term| matches!(arg, Term::Variable(variable) if asked.contains(variable) && occurrences(*variable) == 1);
    let positions = args.iter().enumerate();
    positions
        .filter(|(_, arg)| is_shared(arg))
        .map(|(position, _)| position)
        .collect()
}

//! Proves which fluents are functional, on an abstraction of the game: one in which
//! more moves are legal, and which never ends.
//!
//! Without the literals in question, the rules are ground quickly. Fluents that
//! exclude each other in the abstraction do so in the original too: the original's
//! legal moves are legal there, its states follow from each other by the same rules,
//! and so all its states are reached there.

use super::candidates::{PLAY, depended_on};
use super::claims::{FunctionalFluent, FunctionalNegation};
use crate::ground::{BaseId, GroundingBudget, ground_in_full};
use crate::propnet::analyses::{ImpliedLiterals, MutexGroups, keep_proved, one_argument_groups};
use crate::propnet::passes::run_passes_while;
use crate::propnet::{self, Propnet};
use crate::propnet_budget::{PropnetBudget, PropnetMeter};
use crate::rules::{Atom, Literal, Program, Rule, RuleId, Term, VariableId, restratify};
use gdl_runtime::kif::GroundTerm;
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// A fluent whose determined arguments have fewer values is not worth rewriting, and
/// one with more is not worth the proof.
const GROUP_SIZES: std::ops::RangeInclusive<usize> = 8..=512;

/// What may be spent on grounding the abstraction; that of chess has more than a million
/// atoms.
const ABSTRACTION: GroundingBudget = GroundingBudget {
    atoms: 3_000_000,
    instances: 6_000_000,
    ..GroundingBudget::UNLIMITED
};

/// Frame rules list all moves that do not touch a fluent: what they imply is longer
/// than usual.
const LONGEST_IMPLICATION: usize = 2048;

/// The rules of play without the negations that may be rewritten.
pub(super) fn rules_of_play(program: &Program, negations: &[FunctionalNegation]) -> Program {
    let negated = negations.iter();
    let negated: BTreeSet<(RuleId, usize)> = negated
        .map(|negation| (negation.fluent.rule, negation.negated))
        .collect();
    let mut abstraction = program.clone();
    for &(rule, position) in negated.iter().rev() {
        abstraction.rules[rule].body.remove(position);
    }
    let used = depended_on(&abstraction, &PLAY);
    let rules = abstraction.rules.iter();
    abstraction.rules = rules
        .filter(|rule| used.contains(&rule.head.relation))
        .cloned()
        .collect();
    restratify(&mut abstraction);
    abstraction
}

/// Those of a program's fluents that are functional in every state of the abstraction.
pub(super) fn prove(
    program: &Program,
    abstraction: &Program,
    fluents: BTreeSet<FunctionalFluent>,
    budget: &GroundingBudget,
) -> BTreeSet<FunctionalFluent> {
    let Some(net) = compiled(abstraction, budget) else {
        return BTreeSet::new();
    };
    let questions: Vec<(FunctionalFluent, Vec<Vec<BaseId>>)> = fluents
        .into_iter()
        .filter_map(|fluent| groups_of(program, &fluent, &net).map(|groups| (fluent, groups)))
        .collect();
    let asked = questions.iter().flat_map(|(_, groups)| groups).cloned();
    let mut asked: Vec<Vec<BaseId>> = asked.chain(one_argument_groups(&net)).collect();
    asked.sort_unstable();
    asked.dedup();
    let implied = ImpliedLiterals::find_up_to(&net, LONGEST_IMPLICATION);
    let proved = keep_proved(&net, &implied, asked);
    let answers = questions
        .into_iter()
        .filter(|(_, groups)| groups.iter().all(|group| is_proved(&proved, group)));
    answers.map(|(fluent, _)| fluent).collect()
}

/// The propnet of the abstraction, unless that takes too much.
fn compiled(abstraction: &Program, budget: &GroundingBudget) -> Option<Propnet> {
    let ground = ground_in_full(abstraction, &budget.at_most(&ABSTRACTION)).ok()?;
    let limits = PropnetBudget {
        time: budget.time_left(),
        ..PropnetBudget::default()
    };
    let meter = PropnetMeter::start(abstraction, &limits, budget.stop.as_ref());
    let assembled = propnet::assemble(&ground);
    meter.check_size(assembled.size()).ok()?;
    let (net, _) = run_passes_while(assembled, &[], || meter.check_time()).ok()?;
    meter.check_time().is_ok().then_some(net)
}

fn is_proved(proved: &MutexGroups, group: &[BaseId]) -> bool {
    proved.groups.iter().any(|other| other == group)
}

/// The sets of fluents that have to exclude each other: a set for each choice of the
/// arguments that are not determined. None if the rewriting would not pay.
///
/// Facts of the rule restrict only those choices, which the rewritten rule still makes. What
/// it says of the determined arguments is not repeated wherever they are projected out.
fn groups_of(
    program: &Program,
    claim: &FunctionalFluent,
    net: &Propnet,
) -> Option<Vec<Vec<BaseId>>> {
    let rule = &program.rules[claim.rule];
    let Literal::Positive(holds) = &rule.body[claim.holds] else {
        return None;
    };
    let Term::Function(name, args) = &holds.args[0] else {
        return None;
    };
    let mut groups: IndexMap<Vec<String>, Vec<BaseId>> = IndexMap::new();
    let is_chosen = |position: &usize| !claim.determined.contains(position);
    let wanted: Vec<Option<BTreeSet<String>>> = (args.iter().enumerate())
        .map(|(position, arg)| values_of(program, rule, arg).filter(|_| is_chosen(&position)))
        .collect();
    for (id, base) in net.bases.iter_ids() {
        let Ok(fluent) = GroundTerm::parse(&base.name) else {
            continue;
        };
        if fluent.symbol() != program.symbols[*name] || fluent.args().len() != args.len() {
            continue;
        }
        let shown: Vec<String> = fluent.args().iter().map(ToString::to_string).collect();
        let matches = |(value, wanted): (&String, &Option<BTreeSet<String>>)| {
            wanted.as_ref().is_none_or(|wanted| wanted.contains(value))
        };
        if shown.iter().zip(&wanted).all(matches) {
            let rest = shown.into_iter().enumerate();
            let rest = rest.filter(|(position, _)| is_chosen(position));
            groups
                .entry(rest.map(|(_, value)| value).collect())
                .or_default()
                .push(id);
        }
    }
    let sizes = || groups.values().map(Vec::len);
    let pays = sizes().any(|size| GROUP_SIZES.contains(&size))
        && sizes().all(|size| size <= *GROUP_SIZES.end());
    let several = groups.values().filter(|group| group.len() > 1);
    pays.then(|| several.cloned().collect())
}

/// The values that an argument can have, as far as constants and facts in the rule's
/// body restrict them.
fn values_of(program: &Program, rule: &Rule, arg: &Term) -> Option<BTreeSet<String>> {
    match arg {
        Term::Constant(symbol) => Some([program.symbols[*symbol].clone()].into()),
        Term::Function(..) => None,
        Term::Variable(variable) => {
            let atoms = rule.body.iter().filter_map(|literal| match literal {
                Literal::Positive(atom) => Some(atom),
                _ => None,
            });
            let mut values: Option<BTreeSet<String>> = None;
            for found in atoms.filter_map(|atom| values_in_facts(program, atom, *variable)) {
                values = Some(match values {
                    Some(values) => values.intersection(&found).cloned().collect(),
                    None => found,
                });
            }
            values
        }
    }
}

/// The values of a variable in the facts that match an atom, if the atom contains it
/// and its relation is defined only by facts without variables.
fn values_in_facts(
    program: &Program,
    atom: &Atom,
    variable: VariableId,
) -> Option<BTreeSet<String>> {
    let position = atom
        .args
        .iter()
        .position(|arg| *arg == Term::Variable(variable))?;
    let facts = program.listed_facts(atom)?.into_iter();
    let values = facts.map(|fact| program.show_term(fact, &fact.head.args[position]));
    Some(values.collect())
}

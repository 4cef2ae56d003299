//! Unfolding: replaces a call of a relation by the rules of that relation.

use crate::rules::{Atom, Literal, Program, RelationId, Rule, Term, VariableId, substitute};
use std::collections::BTreeMap;

/// The rules of a relation, if they can replace its calls: none of them calls the relation
/// itself, and the arguments of their heads are different variables.
pub(super) fn plain_rules(program: &Program, relation: RelationId) -> Option<Vec<&Rule>> {
    let is_plain = |rule: &&Rule| {
        let mut args = rule.head.args.iter();
        let all_variables = args.all(|arg| matches!(arg, Term::Variable(_)));
        let distinct = rule.head.variables().len() == rule.head.args.len();
        let mut atoms = rule.body.iter().filter_map(Literal::atom);
        all_variables && distinct && !atoms.any(|(atom, _)| atom.relation == relation)
    };
    if program.is_supplied(relation) {
        return None;
    }
    let rules: Vec<&Rule> = program.rules_of(relation).collect();
    rules.iter().all(is_plain).then_some(rules)
}

/// The rules that result when `call` is added to `caller` and replaced by the rules of the
/// called relation; if these are not [plain](plain_rules), `caller` with `call` as it is.
pub(super) fn unfold(program: &Program, caller: &Rule, call: &Atom) -> Vec<Rule> {
    let Some(callees) = plain_rules(program, call.relation) else {
        let mut whole = caller.clone();
        whole.body.push(Literal::Positive(call.clone()));
        return vec![whole];
    };
    callees
        .into_iter()
        .map(|callee| join(caller, call, callee))
        .collect()
}

/// The body of `callee` appended to that of `caller`, with the arguments of the call
/// for the variables of its head.
pub(super) fn join(caller: &Rule, call: &Atom, callee: &Rule) -> Rule {
    let mut joined = caller.clone();
    let mut values: BTreeMap<VariableId, Term> = BTreeMap::new();
    for (parameter, arg) in callee.head.args.iter().zip(&call.args) {
        if let Term::Variable(parameter) = parameter {
            values.insert(*parameter, arg.clone());
        }
    }
    for (variable, name) in callee.variables.iter_ids() {
        values
            .entry(variable)
            .or_insert_with(|| Term::Variable(joined.variables.push(name.clone())));
    }
    let substituted = callee
        .body
        .iter()
        .map(|literal| substitute(literal, &values));
    joined.body.extend(substituted);
    joined
}

//! Error: recursion that may build ever larger terms.
//!
//! The recursion restriction of the GDL specification (Love, Hinrichs, Haley,
//! Schkufza, Genesereth: General Game Playing: Game Description Language
//! Specification, 2008): in a rule for `p`, every argument of a literal whose
//! relation is in a cycle with `p` must be ground, or an argument of the head,
//! or a variable that is an argument of a positive literal whose relation is in
//! no cycle with `p`.
//!
//! A variable inside a function of such a literal, as `?y` in
//! `(true (link ?x ?y))`, violates the wording but has finitely many values too:
//! only a warning.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::rules::{Atom, Literal, Rule, Term, VariableId};
use rustc_hash::FxHashSet;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    for rule in &context.program.rules {
        let is_cyclic = |atom: &Atom| {
            context
                .dependencies
                .are_connected(rule.head.relation, atom.relation)
        };
        let (cyclic, others): (Vec<_>, Vec<_>) = positive(rule).partition(|atom| is_cyclic(atom));
        if cyclic.is_empty() {
            continue;
        }
        let finite = finite_arguments(rule, &others);
        let bound = bound_variables(&others);
        for atom in cyclic {
            for arg in &atom.args {
                if arg.is_ground() || finite.contains(arg) {
                    continue;
                }
                let is_bound = matches!(arg, Term::Variable(variable) if bound.contains(variable));
                report(context, rule, (atom, arg), is_bound, sink);
            }
        }
    }
}

fn positive(rule: &Rule) -> impl Iterator<Item = &Atom> {
    rule.body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) => Some(atom),
        _ => None,
    })
}

/// The terms that a recursive literal may use: those of the head and those of
/// the literals outside the cycle.
fn finite_arguments<'a>(rule: &'a Rule, others: &[&'a Atom]) -> FxHashSet<&'a Term> {
    let of_others = others.iter().flat_map(|atom| &atom.args);
    rule.head.args.iter().chain(of_others).collect()
}

/// The variables of the literals outside the cycle, including those inside
/// functions.
fn bound_variables(others: &[&Atom]) -> FxHashSet<VariableId> {
    let mut bound = FxHashSet::default();
    for arg in others.iter().flat_map(|atom| &atom.args) {
        arg.for_each_variable(&mut |variable| {
            bound.insert(variable);
        });
    }
    bound
}

fn report(
    context: &CheckContext<'_>,
    rule: &Rule,
    (atom, arg): (&Atom, &Term),
    is_bound: bool,
    sink: &mut Sink,
) {
    let program = context.program;
    let name = program.relation_name(atom.relation);
    let arg = program.show_term(rule, arg);
    let code = "unrestricted-recursion";
    let diagnostic = if is_bound {
        let message = format!(
            "the argument `{arg}` of the recursive `{name}` is bound inside a function only"
        );
        sink.warning(code, atom.span, message)
    } else {
        let message =
            format!("the argument `{arg}` of the recursive `{name}` may grow without bound");
        sink.error(code, atom.span, message)
    };
    let head = program.relation_name(rule.head.relation);
    diagnostic
        .label(if head == name {
            format!("`{name}` depends on itself")
        } else {
            format!("`{name}` and `{head}` depend on each other")
        })
        .note(format!(
            "GDL requires `{arg}` to be ground, an argument of the head, or an argument of a literal outside the recursion"
        ));
}

//! Error: recursion that may build terms without end.
//!
//! The recursion restriction of the GDL specification (Love, Hinrichs, Haley,
//! Schkufza, Genesereth: General Game Playing: Game Description Language
//! Specification, 2008): in a rule for `p`, every argument of a literal whose
//! relation is in a cycle with `p` must be ground, or an argument of the head,
//! or bound by a positive literal whose relation is in no cycle with `p`.
//! Read here a little wider than written: "bound" includes variables inside a
//! function, as in `(true (cell ?x ?y))`, since these too have finitely many
//! values.

use super::Subject;
use crate::diag::Sink;
use crate::rules::{Atom, Literal, Rule, Term};
use rustc_hash::FxHashSet;

pub fn check(subject: &Subject<'_>, sink: &mut Sink) {
    for rule in &subject.program.rules {
        let is_cyclic = |atom: &Atom| {
            subject
                .dependencies
                .is_cyclic(rule.head.relation, atom.relation)
        };
        let (cyclic, others): (Vec<_>, Vec<_>) = positive(rule).partition(|atom| is_cyclic(atom));
        if cyclic.is_empty() {
            continue;
        }
        let finite = finite_terms(rule, &others);
        for atom in cyclic {
            for arg in &atom.args {
                if !is_ground(arg) && !finite.contains(arg) {
                    report(subject, rule, atom, arg, sink);
                }
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

/// The terms that a recursive literal may use: those of the head, those of the
/// literals outside the cycle, and the variables of the latter.
fn finite_terms(rule: &Rule, others: &[&Atom]) -> FxHashSet<Term> {
    let mut finite: FxHashSet<Term> = rule.head.args.iter().cloned().collect();
    for arg in others.iter().flat_map(|atom| &atom.args) {
        finite.insert(arg.clone());
        arg.for_each_variable(&mut |variable| {
            finite.insert(Term::Variable(variable));
        });
    }
    finite
}

fn is_ground(term: &Term) -> bool {
    let mut ground = true;
    term.for_each_variable(&mut |_| ground = false);
    ground
}

fn report(subject: &Subject<'_>, rule: &Rule, atom: &Atom, arg: &Term, sink: &mut Sink) {
    let program = subject.program;
    let head = program.relation_name(rule.head.relation);
    let name = program.relation_name(atom.relation);
    let arg = program.show_term(rule, arg);
    let message = format!("the argument `{arg}` of the recursive `{name}` may grow without end");
    sink.error("unrestricted-recursion", atom.span, message)
        .label(format!("`{name}` and `{head}` depend on each other"))
        .note(format!(
            "`{arg}` must be ground, an argument of the head, or bound by a literal outside the recursion"
        ));
}

//! Printing and parsing undo each other.
#![allow(clippy::unwrap_used)]

use gdlc::diag::{Sink, render};
use gdlc::source::{Source, Span};
use gdlc::syntax::{
    AtomSyntax, ConditionSyntax, Description, Name, RuleSyntax, Statement, TermSyntax, parse,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn name(pattern: &'static str) -> impl Strategy<Value = Name> {
    pattern.prop_map(|text| Name {
        text,
        span: Span::default(),
    })
}

/// Names of relations and functions, `+`, `<` and letters of any alphabet
/// among them, and no word that means something to the parser.
fn symbol() -> impl Strategy<Value = Name> {
    name("[a-zA-Z0-9+<>é漢'\"|_-][a-zA-Z0-9+<>=?é漢'\"|_-]{0,8}").prop_filter("reserved", |name| {
        !["<=", "and", "or", "not", "distinct"].contains(&name.text.to_lowercase().as_str())
    })
}

fn term() -> impl Strategy<Value = TermSyntax> {
    let leaf = prop_oneof![
        name("[?][a-zA-Z0-9+?_-]{1,5}").prop_map(TermSyntax::Variable),
        symbol().prop_map(TermSyntax::Constant),
    ];
    leaf.prop_recursive(4, 16, 4, |inner| {
        (symbol(), prop::collection::vec(inner, 1..4))
            .prop_map(|(name, args)| TermSyntax::Function(name, args, Span::default()))
    })
}

fn atom() -> impl Strategy<Value = AtomSyntax> {
    (symbol(), prop::collection::vec(term(), 0..4)).prop_map(|(name, args)| AtomSyntax {
        name,
        args,
        span: Span::default(),
    })
}

fn condition() -> impl Strategy<Value = ConditionSyntax> {
    let leaf = prop_oneof![
        atom().prop_map(ConditionSyntax::Atom),
        (term(), term()).prop_map(|(left, right)| ConditionSyntax::Distinct(
            left,
            right,
            Span::default()
        )),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let parts = prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            inner.prop_map(|inner| ConditionSyntax::Not(Box::new(inner), Span::default())),
            parts
                .clone()
                .prop_map(|parts| ConditionSyntax::And(parts, Span::default())),
            parts.prop_map(|parts| ConditionSyntax::Or(parts, Span::default())),
        ]
    })
}

fn statement() -> impl Strategy<Value = Statement> {
    prop_oneof![
        atom().prop_map(Statement::Fact),
        (atom(), prop::collection::vec(condition(), 0..5)).prop_map(|(head, body)| {
            Statement::Rule(RuleSyntax {
                head,
                body,
                span: Span::default(),
            })
        }),
    ]
}

fn description() -> impl Strategy<Value = Description> {
    prop::collection::vec(statement(), 0..8).prop_map(|statements| Description { statements })
}

fn read(text: &str) -> Description {
    let mut sink = Sink::new(Source::new("printed.kif", text));
    let description = parse(&mut sink);
    let found = sink.finish();
    assert!(found.is_empty(), "{}", render(&found, false));
    description
}

/// The description with every span zero.
fn without_spans(mut description: Description) -> Description {
    for statement in &mut description.statements {
        match statement {
            Statement::Fact(atom) => strip_atom(atom),
            Statement::Rule(rule) => {
                rule.span = Span::default();
                strip_atom(&mut rule.head);
                rule.body.iter_mut().for_each(strip_condition);
            }
        }
    }
    description
}

fn strip_atom(atom: &mut AtomSyntax) {
    atom.span = Span::default();
    atom.name.span = Span::default();
    atom.args.iter_mut().for_each(strip_term);
}

fn strip_term(term: &mut TermSyntax) {
    match term {
        TermSyntax::Variable(name) | TermSyntax::Constant(name) => name.span = Span::default(),
        TermSyntax::Function(name, args, span) => {
            name.span = Span::default();
            *span = Span::default();
            args.iter_mut().for_each(strip_term);
        }
    }
}

fn strip_condition(condition: &mut ConditionSyntax) {
    match condition {
        ConditionSyntax::Atom(atom) => strip_atom(atom),
        ConditionSyntax::Distinct(left, right, span) => {
            *span = Span::default();
            strip_term(left);
            strip_term(right);
        }
        ConditionSyntax::Not(inner, span) => {
            *span = Span::default();
            strip_condition(inner);
        }
        ConditionSyntax::And(parts, span) | ConditionSyntax::Or(parts, span) => {
            *span = Span::default();
            parts.iter_mut().for_each(strip_condition);
        }
    }
}

/// The usual configuration, with the seed that all random tests take.
fn seeded() -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(gdl_testing::seed()),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(seeded())]

    #[test]
    fn printed_descriptions_parse_to_themselves(description in description()) {
        let parsed = read(&description.to_string());
        prop_assert_eq!(without_spans(parsed), description);
    }

    /// Blanks and comments between tokens mean nothing.
    #[test]
    fn layout_means_nothing(description in description(), comment in "[^\r\n]{0,12}") {
        let printed = description.to_string();
        let spread = printed.replace(')', "\t)\r\n").replace('(', &format!(" ( ;{comment}\n"));
        prop_assert_eq!(without_spans(read(&spread)), description);
    }

    #[test]
    fn spans_cover_what_was_read(description in description()) {
        let text = description.to_string();
        let source = Source::new("printed.kif", text.as_str());
        for statement in &read(&text).statements {
            prop_assert_eq!(statement.span().text(&source), statement.to_string());
            for condition in statement.body() {
                prop_assert_eq!(condition.span().text(&source), condition.to_string());
            }
            statement.for_each_term(&mut |term| {
                assert_eq!(term.span().text(&source), term.to_string());
            });
        }
    }
}

#[test]
fn words_are_read_in_any_case_and_layout() {
    let text = "\u{feff}; a comment (with parentheses\n\u{a0}\
        (<= (P ?x)(NOT (q ?x));end\r\n (Or (r ?x) s) (And) (DISTINCT ?x (f)))terminal(s)";
    assert_eq!(
        read(text).to_string(),
        "(<= (P ?x)\n    (not (q ?x))\n    (or (r ?x) s)\n    (and)\n    (distinct ?x f))\nterminal\ns\n"
    );
}

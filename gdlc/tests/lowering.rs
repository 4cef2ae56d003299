//! The programs to which rules are lowered.
#![allow(clippy::unwrap_used, clippy::needless_pass_by_value)]

use expect_test::{Expect, expect};
use gdlc::diag::render;
use gdlc::rules::{Dependence, Program, check};
use gdlc::source::Source;

const REST: &str = "
(role white)
(<= (legal ?r noop) (role ?r))
(goal white 50)
(<= terminal (true end))
";

fn program(rules: &str) -> Program {
    let checked = check(Source::new("game.kif", format!("{rules}{REST}")));
    let rendered = render(&checked.diagnostics, false);
    checked.program.unwrap_or_else(|| panic!("{rendered}"))
}

/// The rules of a program, without those of [`REST`].
fn lowered(rules: &str, expected: Expect) {
    let program = program(rules);
    let own = program
        .rules
        .iter()
        .filter(|rule| (rule.span.start as usize) < rules.len());
    let text: String = own.map(|rule| program.show_rule(rule) + "\n").collect();
    expected.assert_eq(&text);
}

#[test]
fn alternatives_are_multiplied_in_order() {
    lowered(
        "(<= (p ?x) (or (q ?x) (and (r ?x) (or (s ?x) t))) u (or v (not w)))",
        expect![[r#"
            (<= (p ?x) (q ?x) u v)
            (<= (p ?x) (q ?x) u (not w))
            (<= (p ?x) (r ?x) (s ?x) u v)
            (<= (p ?x) (r ?x) (s ?x) u (not w))
            (<= (p ?x) (r ?x) t u v)
            (<= (p ?x) (r ?x) t u (not w))
        "#]],
    );
}

#[test]
fn an_empty_alternative_leaves_no_rule() {
    lowered(
        "(<= p (or) q) (<= p (and) q)",
        expect![[r#"
        (<= p q)
    "#]],
    );
}

#[test]
fn names_compare_without_case_and_keep_their_first_spelling() {
    lowered(
        "(<= (Won ?X) (TRUE (Cell ?x B)) (not (LOST ?X))) (<= (lost ?y) (true (cELL ?Y b)))",
        expect![[r#"
            (<= (Won ?X) (TRUE (Cell ?X B)) (not (LOST ?X)))
            (<= (LOST ?y) (TRUE (Cell ?y B)))
        "#]],
    );
}

#[test]
fn variables_are_numbered_in_each_alternative() {
    let program = program("(<= p (or (q ?a) (r ?b ?a)))");
    let names: Vec<Vec<_>> = (program.rules.iter().take(2))
        .map(|rule| rule.variables.iter().map(String::as_str).collect())
        .collect();
    assert_eq!(names, [vec!["?a"], vec!["?b", "?a"]]);
}

#[test]
fn roles_stand_in_the_order_of_their_facts() {
    let program = program("(role blue) (role RED) (<= (p ?x) (role ?x)) (role blue) (role red)");
    let roles: Vec<_> = program
        .roles
        .iter()
        .map(|&role| &program.symbols[role])
        .collect();
    assert_eq!(roles, ["blue", "RED", "white"]);
}

#[test]
fn dependences_follow_rules() {
    let program = program(
        "(fixed a) (<= (state ?x) (fixed ?x) (true ?x)) (<= moved (not (does white noop)) (state ?x))
         (<= (even ?x) (odd ?x)) (<= (odd ?x) (even ?x)) (<= (odd ?x) (state ?x)) (<= (next end) moved)",
    );
    let of = |name: &str| {
        let found = program
            .relations
            .iter()
            .find(|relation| program.symbols[relation.name] == name);
        found.unwrap().dependence
    };
    assert_eq!(of("fixed"), Dependence::Static);
    assert_eq!(of("role"), Dependence::Static);
    assert_eq!(of("state"), Dependence::State);
    assert_eq!(of("even"), Dependence::State);
    assert_eq!(of("true"), Dependence::State);
    assert_eq!(of("moved"), Dependence::Moves);
    assert_eq!(of("next"), Dependence::Moves);
}

#[test]
fn strata_begin_with_what_is_given() {
    let program = program(
        "(<= (p ?x) (true ?x) (not (q ?x))) (<= (q ?x) (true ?x)) (<= (next ?m) (does ?r ?m) (not (p ?m)))",
    );
    let strata = program.strata.iter().map(|stratum| {
        let names = stratum
            .iter()
            .map(|&relation| program.relation_name(relation));
        names.collect::<Vec<_>>().join(" ")
    });
    let text = strata.collect::<Vec<_>>().join(" | ");
    let at = |name: &str| {
        text.split(" | ")
            .position(|stratum| stratum == name)
            .unwrap()
    };
    assert!(at("true") < 2 && at("does") < 2, "{text}");
    assert!(at("q") < at("p") && at("p") < at("next"), "{text}");
}

#[test]
fn relations_are_split_where_only_arguments_keep_negation_apart() {
    lowered(
        "(<= (goal ?r 100) (role ?r) (won ?r))\n\
         (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))\n\
         (<= (won ?r) (true (has ?r all)))",
        expect![[r#"
            (<= (goal ?r 100) (role ?r) (won ?r))
            (<= (goal ?r 0) (role ?r) (not (goal#1 ?r 100)))
            (<= (won ?r) (true (has ?r all)))
            (<= (goal#1 ?r 100) (role ?r) (won ?r))
        "#]],
    );
    // The parts of a cycle of several relations refer to each other.
    lowered(
        "(<= (p 1) (not (p 2)))\n\
         (<= (p 2) (q 1))\n\
         (<= (q ?x) (p 3) (r ?x))\n\
         (<= (p 3) (true a))\n\
         (<= (p 4) (not (p 5)))\n\
         (r 1)",
        expect![[r#"
            (<= (p 1) (not (p#1 2)))
            (<= (p 2) (q 1))
            (<= (q ?x) (p 3) (r ?x))
            (<= (p 3) (true a))
            (<= (p 4) (not (p#2 5)))
            (r 1)
            (<= (p#1 2) (q#3 1))
            (<= (q#3 ?x) (p#4 3) (r ?x))
            (<= (p#4 3) (true a))
        "#]],
    );
}

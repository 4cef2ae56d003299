//! Factors and symmetries of small games.

use gdlc::compile::{CompileOptions, compile};
use gdlc::ground::{GroundingBudget, ground};
use gdlc::propnet::analyses::{ImpliedLiterals, find_mutex_groups};
use gdlc::propnet::factors::{Factors, show_factors};
use gdlc::propnet::symmetries::{SymmetryGroup, prepare, show_symmetries};
use gdlc::propnet::{Propnet, assemble};
use gdlc::rules::{Program, check};
use gdlc::source::Source;
use std::collections::BTreeSet;

fn program(rules: &str) -> Program {
    check(Source::new("test", rules))
        .program
        .expect("the rules are sound")
}

fn factors(rules: &str) -> (Propnet, Factors) {
    let compiled = compile(&program(rules), &CompileOptions::default());
    let net = compiled.expect("the game is small").propnet;
    let groups = find_mutex_groups(&net, &ImpliedLiterals::find(&net));
    let factors = Factors::find(&net, &groups).expect("the game is small");
    (net, factors)
}

fn symmetries(rules: &str) -> (Propnet, SymmetryGroup) {
    let ground = ground(&program(rules), &GroundingBudget::default());
    let net = prepare(assemble(&ground.expect("the game is small")));
    let group = SymmetryGroup::find(&net);
    assert!(group.is_complete);
    (net, group)
}

/// Lamps in a row; a press turns one on for good. `rest` says what is wanted.
fn lamps(rest: &str) -> String {
    format!(
        "(role r) (lamp a) (lamp b) (lamp c) (init (step 0)) (after 0 1) (after 1 2) (after 2 3)
        (<= (legal r (press ?l)) (lamp ?l))
        (<= (next (on ?l)) (does r (press ?l)))
        (<= (next (on ?l)) (true (on ?l)))
        (<= (next (step ?n)) (true (step ?m)) (after ?m ?n))
        (<= terminal (true (step 3)))
        {rest}"
    )
}

const ALL: &str = "
    (<= (goal r 100) (true (on a)) (true (on b)) (true (on c)))
    (<= (goal r 0) (not (true (on a)))) (<= (goal r 0) (not (true (on b))))
    (<= (goal r 0) (not (true (on c))))";

#[test]
fn what_depends_on_nothing_else_is_a_factor() {
    let (net, found) = factors(&lamps(ALL));
    let sizes = found
        .factors
        .iter()
        .map(|factor| (factor.bases.len(), factor.moves.len()));
    assert_eq!(sizes.collect::<Vec<_>>(), [(1, 1); 3]);
    assert!(found.factors.iter().all(|factor| factor.after.is_empty()));
    // The steps.
    assert!(found.autonomous.len() >= 3 && found.idle.is_empty());
    let text = show_factors(&net, &found);
    assert!(
        text.contains("; factor 1: 1 fluents, 1 moves\n(true (on a))\n(does r (press a))\n"),
        "{text}"
    );
}

#[test]
fn moves_are_seen_through_recursion() {
    let path = "
        (role r) (legal r go) (legal r wait)
        (edge a b) (edge b a) (edge b c) (edge c b) (edge c d) (edge d c) (edge d e) (edge e d)
        (<= (reach a) (does r go))
        (<= (reach ?y) (reach ?x) (edge ?x ?y))
        (<= (next (lit ?x)) (reach ?x))
        (<= terminal (true (lit e)))
        (<= (goal r 100) (true (lit e))) (<= (goal r 0) (not (true (lit e))))";
    let (net, found) = factors(path);
    assert!(!net.loops.is_empty(), "the rules are recursive");
    assert_eq!(found.autonomous, []);
}

#[test]
fn goals_keep_together_what_they_need_together() {
    let pairs = "
        (<= pair (true (on a)) (true (on b))) (<= pair (true (on b)) (true (on c)))
        (<= pair (true (on a)) (true (on c)))
        (<= (goal r 100) pair) (<= (goal r 0) (not pair))";
    assert_eq!(factors(&lamps(pairs)).1.factors.len(), 1);
    let one = "(<= (goal r 100) (true (on b))) (<= (goal r 0) (not (true (on b))))";
    assert_eq!(factors(&lamps(one)).1.factors.len(), 3);
}

#[test]
fn moves_that_change_several_parts_keep_them_together() {
    let twice = "(<= (next (on b)) (does r (press a)))";
    let (_, found) = factors(&lamps(&format!("{ALL} {twice}")));
    let sizes: BTreeSet<usize> = found
        .factors
        .iter()
        .map(|factor| factor.bases.len())
        .collect();
    assert_eq!(sizes, BTreeSet::from([1, 2]));
}

#[test]
fn what_waits_for_another_part_comes_after_it() {
    let serial = "(role r) (init (s 0)) (after 0 1) (after 1 2) (init (t 0))
        (legal r wait)
        (<= (legal r one) (not (true (s 2)))) (<= (legal r two) (true (s 2)) (not (true (t 2))))
        (<= (next (s ?m)) (does r one) (true (s ?n)) (after ?n ?m))
        (<= (next (s ?n)) (true (s ?n)) (not (does r one)))
        (<= (next (t ?m)) (does r two) (true (t ?n)) (after ?n ?m))
        (<= (next (t ?n)) (true (t ?n)) (not (does r two)))
        (<= terminal (true (t 2))) (goal r 100)";
    let (net, found) = factors(serial);
    let text = show_factors(&net, &found);
    assert_eq!(found.factors.len(), 2, "{text}");
    let after: Vec<usize> = found
        .factors
        .iter()
        .map(|factor| factor.after.len())
        .collect();
    assert_eq!(after, [0, 1], "{text}");
    assert!(text.contains("after 1") && found.idle.len() == 1, "{text}");
}

#[test]
fn lamps_that_are_wanted_alike_can_be_exchanged() {
    let (net, group) = symmetries(&lamps(ALL));
    assert_eq!(group.order, Some(6));
    let text = show_symmetries(&net, &group);
    assert!(
        text.starts_with("; 6 symmetries with the identity, 2 generators\n"),
        "{text}"
    );
    assert!(
        text.contains("(does r (press a)) -> (does r (press b))"),
        "{text}"
    );

    let one = "(<= (goal r 100) (true (on b))) (<= (goal r 0) (not (true (on b))))";
    assert_eq!(symmetries(&lamps(one)).1.order, Some(2));
    let different = "
        (<= (goal r 100) (true (on a)) (not (true (on c)))) (<= (goal r 50) (true (on c)))
        (<= (goal r 0) (not (true (on a))) (not (true (on c))))";
    assert_eq!(symmetries(&lamps(different)).1.order, Some(1));
}

/// A row of three is written as a pair and one more, from left to right, where pairs count, too.
#[test]
fn what_conditions_share_hides_no_symmetry() {
    let row = "
        (role r) (right a b) (right b c) (right c d)
        (cell a) (cell b) (cell c) (cell d)
        (<= (legal r (mark ?c)) (cell ?c))
        (<= (next (marked ?c)) (does r (mark ?c)))
        (<= (next (marked ?c)) (true (marked ?c)))
        (<= (pair ?c ?c2) (right ?c ?c2) (true (marked ?c)) (true (marked ?c2)))
        (<= (three ?c ?c3) (pair ?c ?c2) (right ?c2 ?c3) (true (marked ?c3)))
        (<= two (pair ?c ?c2))
        (<= terminal (three ?c ?c3))
        (<= (goal r 100) (three ?c ?c3))
        (<= (goal r 50) two (not terminal)) (<= (goal r 0) (not two))";
    let (net, group) = symmetries(row);
    assert_eq!(group.order, Some(2), "{}", show_symmetries(&net, &group));
}

#[test]
fn roles_are_exchanged_with_their_moves() {
    let pennies = |more: &str| {
        format!(
            "(role x) (role y) (coin 1) (coin 2) (init start)
            (<= (legal ?r (show ?c)) (role ?r) (coin ?c))
            (<= (next (shown ?r ?c)) (does ?r (show ?c)))
            (<= terminal (not (true start)))
            (<= same (true (shown x ?c)) (true (shown y ?c)))
            (<= (goal ?r 100) (role ?r) same) (<= (goal ?r 0) (role ?r) (not same)) {more}"
        )
    };
    // Exchanges of the roles, and of the coins.
    let (net, group) = symmetries(&pennies(""));
    assert_eq!(group.order, Some(4), "{}", show_symmetries(&net, &group));
    let exchanged = group
        .generators
        .iter()
        .filter(|generator| net.roles.ids().any(|role| generator.roles[role] != role));
    assert!(exchanged.count() > 0);
    assert_eq!(symmetries(&pennies("(init (shown x 2))")).1.order, Some(1));
}

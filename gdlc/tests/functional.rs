//! Negations and conjunctions beside functional fluents are rewritten where that is sound,
//! and nowhere else; the result means the same.

#![allow(clippy::unwrap_used)]

use crate::ground::{compare_program, program};
use gdl_runtime::stop_flag::StopFlag;
use gdl_testing::seed_or;
use gdlc::functional::rewrite;
use gdlc::ground::{GroundingBudget, ground, ground_on_demand};
use std::sync::Arc;

/// A ruler and a block against a hunter that sees two cells far: the block may be moved, and
/// the ruler may step, only if the hunter does not see the ruler afterwards.
const WATCH: &str = "
    (role white) (role black)
    (init (control white)) (init (round 0))
    (init (at 1 1 king)) (init (at 3 3 guard)) (init (at 2 1 stone))
    (index 1) (index 2) (index 3) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
    (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)
    (figure king white ruler) (figure guard black hunter) (figure stone white block)
    (<= (near ?x ?y) (succ ?x ?y) (index ?x) (index ?y))
    (<= (near ?x ?y) (succ ?y ?x) (index ?x) (index ?y))
    (<= (beside ?x ?y ?u ?y) (near ?x ?u) (index ?y))
    (<= (beside ?x ?y ?x ?v) (near ?y ?v) (index ?x))
    (<= (taken ?x ?y) (true (at ?x ?y ?f)))
    (<= (watched ?p ?x ?y ?ix ?iy) (role ?p) (figure ?f ?o hunter) (distinct ?p ?o)
        (true (at ?u ?v ?f)) (beside ?u ?v ?x ?y) (index ?ix) (index ?iy))
    (<= (watched ?p ?x ?y ?ix ?iy) (role ?p) (figure ?f ?o hunter) (distinct ?p ?o)
        (true (at ?u ?v ?f)) (beside ?u ?v ?ix ?iy) (beside ?ix ?iy ?x ?y))
    (<= (legal ?p (move ?f ?x ?y ?u ?v)) (true (control ?p)) (figure ?f ?p block)
        (true (at ?x ?y ?f)) (beside ?x ?y ?u ?v) (not (taken ?u ?v))
        (figure ?k ?p ruler) (true (at ?kx ?ky ?k)) (not (watched ?p ?kx ?ky ?x ?y)))
    (<= (legal ?p (move ?f ?x ?y ?u ?v)) (true (control ?p)) (figure ?f ?p ruler)
        (true (at ?x ?y ?f)) (beside ?x ?y ?u ?v) (not (taken ?u ?v))
        (not (watched ?p ?u ?v ?x ?y)))
    (<= (legal ?p (move ?f ?x ?y ?u ?v)) (true (control ?p)) (figure ?f ?p hunter)
        (true (at ?x ?y ?f)) (beside ?x ?y ?u ?v) (not (taken ?u ?v)))
    (<= (legal ?p rest) (true (control ?p)))
    (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
    (<= (moves ?f) (does ?p (move ?f ?x ?y ?u ?v)))
    (<= (next (at ?u ?v ?f)) (does ?p (move ?f ?x ?y ?u ?v)))
    (<= (next (at ?x ?y ?f)) (true (at ?x ?y ?f)) (not (moves ?f)))
    (<= (next (control white)) (true (control black)))
    (<= (next (control black)) (true (control white)))
    (<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
    (<= terminal (true (round 9)))
    (<= (goal ?p 50) (role ?p))
";

/// What the sheet and some more rules are rewritten to.
fn rewritten(more: &str) -> Option<gdlc::rules::Program> {
    let program = program("watch", &format!("{WATCH}{more}"));
    rewrite(&program, &GroundingBudget::default())
}

/// The watch with the negation taken from the rules for the ruler and the block.
fn without_legal_negations(more: &str) -> String {
    let text = WATCH
        .replace(
            "(not (watched ?p ?kx ?ky ?x ?y))",
            "(safe ?p ?kx ?ky ?x ?y)",
        )
        .replace("(not (watched ?p ?u ?v ?x ?y))", "(safe ?p ?u ?v ?x ?y)");
    format!("{text}{more}")
}

/// That nobody watches, as a relation of its own.
const SAFE: &str = "
    (<= (safe ?p ?x ?y ?ix ?iy) (figure ?k ?p ruler) (index ?x) (index ?y)
        (true (at ?kx ?ky ?k)) (index ?ix) (index ?iy) (not (watched ?p ?x ?y ?ix ?iy))
        (not (watched ?p ?kx ?ky ?ix ?iy)))
";

#[test]
fn negations_beside_a_functional_fluent_are_rewritten() {
    let rewritten = rewritten("").unwrap();
    let ground = ground(&rewritten, &GroundingBudget::default()).unwrap();
    let asks_for = |name: &str| ground.atoms.iter().any(|atom| atom.name.starts_with(name));
    assert!(asks_for("(watched@"));
    assert!(!asks_for("(watched "));
}

#[test]
fn rewritten_rules_mean_what_the_rules_mean() {
    let original = Arc::new(program("watch", WATCH));
    let rewritten = rewritten("").unwrap();
    let budget = GroundingBudget::default();
    for ground in [ground, ground_on_demand] {
        let ground = ground(&rewritten, &budget).unwrap();
        for seed in (seed_or(0)..).take(40) {
            compare_program(&original, &ground, "watch", seed);
        }
    }
}

#[test]
fn relations_that_only_legality_depends_on_are_rewritten_too() {
    let text = without_legal_negations(SAFE);
    let original = Arc::new(program("safe", &text));
    let budget = GroundingBudget::default();
    let rewritten = rewrite(&original, &budget).unwrap();
    let ground = ground(&rewritten, &budget).unwrap();
    for seed in (seed_or(0)..).take(20) {
        compare_program(&original, &ground, "safe", seed);
    }
}

#[test]
fn a_fluent_that_holds_twice_initially_is_not_functional() {
    assert!(rewritten("(init (at 1 3 king)) (init (at 2 3 stone))").is_none());
}

#[test]
fn a_fluent_that_can_come_to_hold_twice_is_not_functional() {
    let twins = "(<= (next (at 2 2 ?f)) (does white rest) (figure ?f white ?t))";
    assert!(rewritten(twins).is_none());
}

/// That the ruler is on the board says a fact of the rule alone, which is no part of what
/// replaces the negation.
#[test]
fn facts_do_not_make_a_fluent_functional_beside_a_negation() {
    let text = WATCH.replace(
        "(true (at ?kx ?ky ?k))",
        "(true (at ?kx ?ky ?k)) (lives ?kx ?z)",
    );
    let ghost = "
        (lives 1 here) (lives 2 here) (lives 3 here) (init (at 0 0 king)) (init (at 0 0 stone))
        (<= (watched ?p 0 0 ?x ?y) (true (control ?p)) (index ?x) (index ?y))";
    let original = program("ghost", &format!("{text}{ghost}"));
    assert!(rewrite(&original, &GroundingBudget::default()).is_none());
}

#[test]
fn nothing_is_proved_for_nobody() {
    let stop = StopFlag::default();
    stop.raise();
    let budget = GroundingBudget {
        stop: Some(stop),
        ..GroundingBudget::default()
    };
    assert!(rewrite(&program("watch", WATCH), &budget).is_none());
}

/// A negation that the next state depends on cannot be left out of the proof.
#[test]
fn negations_that_states_depend_on_stay() {
    let alarm = "(<= (next alarm) (safe white 1 1 2 2))";
    let text = without_legal_negations(&format!("{SAFE}{alarm}"));
    assert!(rewrite(&program("alarm", &text), &GroundingBudget::default()).is_none());
}

/// More legal moves would mean fewer of what is denied.
#[test]
fn negations_that_are_denied_in_turn_stay() {
    let text = without_legal_negations(SAFE).replace(
        "(<= (legal ?p rest) (true (control ?p)))",
        "(<= (legal ?p rest) (true (control ?p)) (not (safe ?p 1 1 2 2)))",
    );
    assert!(rewrite(&program("denied", &text), &GroundingBudget::default()).is_none());
}

/// Four dials and a lock that is open when exactly one of them shows three, and exactly
/// one five.
const LOCK: &str = "
    (role thief) (dial a) (dial b) (dial c) (dial d)
    (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8)
    (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (after 7 8) (after 8 1)
    (skip 1 3) (skip 3 5) (skip 5 7) (skip 7 1) (same 3 3) (same 5 5)
    (init (shows a 1)) (init (shows b 2)) (init (shows c 5)) (init (shows d 7)) (init (round 1))
    (<= (legal thief (turn ?d ?new)) (true (shows ?d ?old)) (after ?old ?new))
    (<= (legal thief (turn ?d ?new)) (true (shows ?d ?old)) (skip ?old ?new))
    (<= (next (shows ?d ?new)) (does thief (turn ?d ?new)))
    (<= (turned ?d) (does thief (turn ?d ?new)))
    (<= (next (shows ?d ?digit)) (true (shows ?d ?digit)) (not (turned ?d)))
    (<= (next (round ?m)) (true (round ?n)) (after ?n ?m))
    (<= terminal (true (round 8)))
    (<= (first ?z ?w ?x ?y ?v) (same ?z ?w) (digit ?x) (digit ?y) (digit ?v)
        (not (same ?z ?x)) (not (same ?z ?y)) (distinct ?z ?v))
    (<= (once ?z ?w ?x ?y ?v) (first ?z ?w ?x ?y ?v))
    (<= (once ?z ?w ?x ?y ?v) (first ?z ?x ?w ?y ?v))
    (<= (once ?z ?w ?x ?y ?v) (first ?z ?y ?w ?x ?v))
    (<= (once ?z ?w ?x ?y ?v) (first ?z ?v ?w ?x ?y))
    (<= open (true (shows a ?w)) (true (shows b ?x)) (true (shows c ?y)) (true (shows d ?v))
        (once 3 ?w ?x ?y ?v) (once 5 ?w ?x ?y ?v))
    (<= (goal thief 100) open)
    (<= (goal thief 0) (not open))
";

#[test]
fn conjunctions_beside_functional_fluents_are_split() {
    let original = Arc::new(program("lock", LOCK));
    let budget = GroundingBudget::default();
    let rewritten = rewrite(&original, &budget).unwrap();
    for ground in [ground, ground_on_demand] {
        let ground = ground(&rewritten, &budget).unwrap();
        for seed in (seed_or(0)..).take(40) {
            compare_program(&original, &ground, "lock", seed);
        }
    }
    let ground = ground_on_demand(&rewritten, &budget).unwrap();
    let atoms = || ground.atoms.iter().map(|atom| atom.name.as_str());
    assert!(atoms().any(|name| name.starts_with("once@")));
    assert!(!atoms().any(|name| name.starts_with("(once ")));
    // Nothing is about the digits of two dials.
    assert!(!atoms().any(|name| name.starts_with("(first@")));
}

/// A dial that shows three and five shows only one of them at a time.
#[test]
fn conjunctions_beside_fluents_that_hold_twice_stay() {
    let closed = LOCK.replace("(shows c 5)", "(shows c 6)");
    for twice in [
        "(init (shows a 3)) (init (shows a 5))",
        "(<= (next (shows b 5)) (does thief (turn b 3)))",
    ] {
        let text = format!("{closed}{twice}");
        let original = Arc::new(program("twice", &text));
        let budget = GroundingBudget::default();
        let rewritten = rewrite(&original, &budget).unwrap();
        let ground = ground_on_demand(&rewritten, &budget).unwrap();
        for seed in (seed_or(0)..).take(40) {
            compare_program(&original, &ground, "twice", seed);
        }
    }
}

/// A dial that shows a digit and a light shows only one digit at a time, but the literals
/// of a conjunction are split from the facts that leave out the light.
#[test]
fn facts_do_not_make_a_fluent_functional_beside_a_conjunction() {
    let text = LOCK.replace("(init (shows b 2))", "(init (shows b 1))");
    let anything: String = (1..=8).map(|digit| format!("(any {digit})")).collect();
    let light = "
        (any lit) (init (shows a lit))
        (<= (differ ?w ?x ?y ?v) (any ?w) (any ?x) (any ?y) (any ?v) (distinct ?w ?x))
        (<= open (true (shows a ?w)) (true (shows b ?x)) (true (shows c ?y))
            (true (shows d ?v)) (digit ?w) (digit ?x) (digit ?y) (digit ?v)
            (differ ?w ?x ?y ?v))";
    let original = Arc::new(program("light", &format!("{text}{anything}{light}")));
    let budget = GroundingBudget::default();
    let rewritten = rewrite(&original, &budget).unwrap();
    let ground = ground_on_demand(&rewritten, &budget).unwrap();
    for seed in (seed_or(0)..).take(40) {
        compare_program(&original, &ground, "light", seed);
    }
}

/// Without the conjunction nothing says which value the goal has.
#[test]
fn conjunctions_that_bind_a_goal_value_do_not_prevent_the_proof() {
    let paid = "
        (<= (paid ?n ?w ?x ?y ?v) (once 3 ?w ?x ?y ?v) (digit ?n))
        (<= (goal thief ?n) (true (shows a ?w)) (true (shows b ?x)) (true (shows c ?y))
            (true (shows d ?v)) (paid ?n ?w ?x ?y ?v))";
    let original = Arc::new(program("paid", &format!("{LOCK}{paid}")));
    let budget = GroundingBudget::default();
    let rewritten = rewrite(&original, &budget).unwrap();
    let ground = ground_on_demand(&rewritten, &budget).unwrap();
    for seed in (seed_or(0)..).take(20) {
        compare_program(&original, &ground, "paid", seed);
    }
}

/// A conjunction that moves depend on cannot be left out of the proof.
#[test]
fn conjunctions_that_legality_depends_on_stay() {
    let text = format!("{LOCK}(<= (legal thief (turn a 8)) open)");
    assert!(rewrite(&program("rattle", &text), &GroundingBudget::default()).is_none());
}

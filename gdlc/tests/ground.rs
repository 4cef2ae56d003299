//! Grounding: ground rules mean what the rules mean, are few, and budgets end
//! in errors that name the rule.

#![allow(clippy::unwrap_used)]

use crate::evaluate::Evaluator;
use gdl_runtime::stop_flag::StopFlag;
use gdl_testing::seed_or;
use gdlc::diag::Diagnostic;
use gdlc::ground::{GroundProgram, GroundingBudget, Refusal, ground, show_ground};
use gdlc::reference::Reference;
use gdlc::rules::{self, Program};
use gdlc::source::Source;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Functions in fluents and moves, variables for whole fluents, distinct on
/// nested terms, a role whose moves are constant.
const SWAPPER: &str = "
    (role mover) (role clock)
    (init (at a (pos 1 2))) (init (at b (pos 2 1))) (init (lamp on)) (init (step 0))
    (number 1) (number 2) (number 3)
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
    (<= (legal mover (put ?who (pos ?x ?y)))
        (true (at ?who (pos ?u ?v))) (number ?x) (number ?y)
        (distinct (pos ?x ?y) (pos ?u ?v)) (not (occupied (pos ?x ?y))))
    (<= (legal mover (flip ?who)) (true (at ?who (pos ?x ?y))) (distinct ?x ?y))
    (legal clock tick)
    (<= (occupied ?where) (true (at ?who ?where)))
    (<= (gone (at ?who ?where)) (true (at ?who ?where)) (does mover (put ?who ?there)))
    (<= (gone (at ?who ?where)) (true (at ?who ?where)) (does mover (flip ?who)))
    (<= (gone (step ?n)) (true (step ?n)) (does clock tick))
    (<= (next ?fluent) (true ?fluent) (not (gone ?fluent)))
    (<= (next (at ?who ?there)) (does mover (put ?who ?there)))
    (<= (next (at ?who (pos ?y ?x))) (does mover (flip ?who)) (true (at ?who (pos ?x ?y))))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= terminal (true (step 5)))
    (<= terminal (true (at ?one (pos ?x ?x))) (true (at ?other (pos ?y ?y))) (distinct ?one ?other))
    (<= (goal mover 100) (true (at a (pos ?x ?x))))
    (<= (goal mover 0) (not diagonal)) (<= diagonal (true (at a (pos ?x ?x))))
    (<= (goal clock ?n) (true (step ?n)))
";

/// Recursion through the state, and two roles that move at once.
const BRIDGES: &str = "
    (role left) (role right)
    (init (free n1 n2)) (init (free n2 n3)) (init (free n3 n4)) (init (free n1 n3)) (init (free n2 n4))
    (<= (legal ?p (build ?a ?b)) (role ?p) (true (free ?a ?b)))
    (<= (legal ?p wait) (role ?p))
    (<= (taken ?a ?b) (does ?p (build ?a ?b)))
    (<= (next (free ?a ?b)) (true (free ?a ?b)) (not (taken ?a ?b)))
    (<= (next (bridge ?a ?b)) (taken ?a ?b))
    (<= (next (bridge ?a ?b)) (true (bridge ?a ?b)))
    (<= (linked ?a ?b) (true (bridge ?a ?b)))
    (<= (linked ?a ?b) (true (bridge ?b ?a)))
    (<= (reach ?a ?b) (linked ?a ?b))
    (<= (reach ?a ?c) (reach ?a ?b) (linked ?b ?c))
    (<= terminal (reach n1 n4))
    (<= terminal (not open)) (<= open (true (free ?a ?b)))
    (<= (goal ?p 100) (role ?p) (reach n1 n4))
    (<= (goal ?p 10) (role ?p) (not (reach n1 n4)))
";

/// Adds up cell by cell: without magic predicates the sum starts anywhere.
const COUNTER: &str = "
    (role r)
    (init (cell 1 b)) (init (cell 2 b)) (init (cell 3 b)) (init (cell 4 b))
    (after 1 2) (after 2 3) (after 3 4)
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
    (number 0) (number 1) (number 2) (number 3) (number 4) (number 5) (number 6) (number 7)
    (<= (legal r (mark ?c ?m)) (true (cell ?c b)) (mark ?m))
    (mark x) (mark o)
    (<= (next (cell ?c ?m)) (does r (mark ?c ?m)))
    (<= (next (cell ?c ?m)) (true (cell ?c ?m)) (distinct ?m b))
    (<= (next (cell ?c b)) (true (cell ?c b)) (does r (mark ?d ?m)) (distinct ?c ?d))
    (<= (one ?c ?n ?m) (true (cell ?c x)) (succ ?n ?m))
    (<= (one ?c ?n ?n) (true (cell ?c o)) (number ?n))
    (<= (one ?c ?n ?n) (true (cell ?c b)) (number ?n))
    (<= (sum 4 ?n ?m) (one 4 ?n ?m))
    (<= (sum ?c ?n ?m) (one ?c ?n ?k) (after ?c ?d) (sum ?d ?k ?m))
    (<= (total ?n) (sum 1 0 ?n))
    (<= terminal (not open)) (<= open (true (cell ?c b)))
    (<= (goal r ?n) (total ?n))
";

/// Rules that join parts which share little.
const WIDE: &str = "
    (role w) (role k)
    (init (control w)) (init (step 1))
    (<= (init (cell ?x ?y b)) (index ?x) (index ?y))
    (index 1) (index 2) (index 3) (index 4)
    (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal ?p (swap ?x1 ?y1 ?x2 ?y2)) (true (control ?p))
        (true (cell ?x1 ?y1 ?c)) (true (cell ?x2 ?y2 ?d)) (succ ?x1 ?x2) (index ?y2)
        (distinct ?y1 ?y2))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (control w)) (true (control k))) (<= (next (control k)) (true (control w)))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (does ?p (swap ?x1 ?y1 ?x2 ?y2))
        (not (same ?x ?y ?x2 ?y2)))
    (<= (next (cell ?x2 ?y2 ?p)) (does ?p (swap ?x1 ?y1 ?x2 ?y2)))
    (<= (same ?x ?y ?x ?y) (index ?x) (index ?y))
    (<= (row ?p) (true (cell 2 ?y1 ?p)) (true (cell 3 ?y2 ?p)) (true (cell 4 ?y3 ?p))
        (role ?p) (distinct ?y1 ?y3))
    (<= terminal (true (step 4)) (true (cell ?x ?y ?any)))
    (<= (goal ?p 100) (row ?p) (role ?other) (distinct ?p ?other))
    (<= (goal ?p 50) (role ?p) (not (row ?p)))
";

const SHEETS: [(&str, &str); 4] = [
    ("swapper", SWAPPER),
    ("bridges", BRIDGES),
    ("counter", COUNTER),
    ("wide", WIDE),
];

pub fn program(name: &str, text: &str) -> Program {
    let checked = rules::check(Source::new(name, text));
    let diagnostics = format!("{:#?}", checked.diagnostics);
    checked.program.expect(&diagnostics)
}

fn grounded(name: &str, text: &str) -> GroundProgram {
    ground(&program(name, text), &GroundingBudget::default()).unwrap()
}

fn refused(text: &str, budget: &GroundingBudget) -> gdlc::ground::GroundError {
    ground(&program("refused", text), budget).unwrap_err()
}

/// Plays at random on the reference engine and compares every state.
fn compare_with_reference(name: &str, text: &str, seed: u64) {
    compare_within(&GroundingBudget::default(), name, text, seed);
}

fn compare_within(budget: &GroundingBudget, name: &str, text: &str, seed: u64) {
    let program = Arc::new(program(name, text));
    let ground = ground(&program, budget).unwrap();
    compare_program(&program, &ground, name, seed);
}

/// Plays at random on the reference engine and compares every state with ground rules.
pub fn compare_program(program: &Arc<Program>, ground: &GroundProgram, name: &str, seed: u64) {
    let evaluator = Evaluator::new(ground);
    let mut reference = Reference::new(Arc::clone(program)).unwrap();
    let mut rng = StdRng::seed_from_u64(seed);
    let mut state = reference.initial().to_vec();
    let mut expected = evaluator.initial();
    for step in 0..12 {
        let place = format!("{name}, seed {seed}, step {step}");
        let facts: Vec<String> = state.iter().map(|&fact| reference.show(fact)).collect();
        assert_eq!(sorted(&facts), expected, "{place}");
        let terminal = reference.terminal(&state).unwrap();
        let mut joint = Vec::new();
        let bare = evaluator.examine(&facts, &[]).unwrap();
        assert_eq!(bare.terminal, terminal, "{place}");
        for role in 0..ground.roles.len() {
            let legal = reference.legal(&state, role).unwrap();
            let names: Vec<String> = legal.iter().map(|&mv| reference.show(mv)).collect();
            let mut goals = reference.goals(&state, role).unwrap();
            goals.sort_unstable();
            assert_eq!(bare.legal[role], sorted(&names), "{place}");
            assert_eq!(bare.goals[role], goals, "{place}");
            if !legal.is_empty() {
                joint.push(legal[rng.random_range(0..legal.len())]);
            }
        }
        if terminal || joint.len() < ground.roles.len() {
            return;
        }
        let made: Vec<String> = joint.iter().map(|&mv| reference.show(mv)).collect();
        expected = evaluator.examine(&facts, &made).unwrap().next;
        state = reference.next(&state, &joint).unwrap().to_vec();
    }
}

fn sorted(names: &[String]) -> Vec<String> {
    let mut names: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    names.sort();
    names
}

#[test]
fn ground_rules_mean_what_the_rules_mean() {
    let seed = seed_or(0);
    for (name, text) in SHEETS {
        for seed in (seed..).take(40) {
            compare_with_reference(name, text, seed);
        }
    }
}

#[test]
fn the_same_program_grounds_to_the_same() {
    for (name, text) in SHEETS {
        let (one, other) = (grounded(name, text), grounded(name, text));
        assert_eq!(show_ground(&one), show_ground(&other));
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
    }
}

#[test]
fn fluents_and_moves_come_in_natural_order() {
    let ground = grounded(
        "order",
        "(role r) (init (cell 10 b)) (init (cell 2 b)) (init (cell 2 a10)) (init (cell 2 a9))
         (init zero) (legal r noop) (goal r 0) terminal
         (<= (next ?f) (true ?f))",
    );
    let names: Vec<&str> = ground.bases.iter().map(|base| &base.name[..]).collect();
    assert_eq!(
        names,
        [
            "zero",
            "(cell 2 a9)",
            "(cell 2 a10)",
            "(cell 2 b)",
            "(cell 10 b)"
        ]
    );
}

#[test]
fn what_is_decided_leaves_no_trace() {
    let ground = grounded(
        "decided",
        "(role r) (init (on a))
         (<= (legal r go) (always)) (<= (always) (not (true never)))
         (<= (legal r stay) (true never))
         (<= (next (on b)) (true (on a)) (always) (not (impossible)))
         (<= (next never) (does r stay))
         (<= (impossible) (true never) (true (on a)))
         (<= terminal (true (on b))) (goal r 7)",
    );
    assert_eq!(ground.moves.len(), 1);
    assert_eq!(ground.bases.len(), 2);
    assert!(ground.moves[gdlc::id::Id::new(0)].does.is_none());
    expect_test::expect![[r#"
        ; 1 roles, 2 fluents, 1 moves, 6 atoms, 4 rules, 2 literals
        (role r)
        (init (on a))
        (base (on b))
        (input r go)
        (goal r 7)
        (legal r go)
        (<= (next (on b)) (true (on a)))
        (<= terminal (true (on b)))
    "#]]
    .assert_eq(&show_ground(&ground));
}

/// As written, the frame rule of the wide sheet has an instance for each of 16 cells,
/// 36 moves, 2 roles and 3 contents; split, it has a few for each cell.
#[test]
fn splitting_keeps_rules_few() {
    let ground = grounded("wide", WIDE);
    assert!(ground.moves.len() > 70);
    assert!(ground.rules.len() < 1000, "{} rules", ground.rules.len());
}

#[test]
fn sums_start_where_they_are_asked_for() {
    let ground = grounded("counter", COUNTER);
    let is_sum = |name: &str| name.starts_with("(sum ");
    let sums = ground.atoms.iter().filter(|atom| is_sum(&atom.name));
    // Cell c is reached with 0 to c - 1, and adds 0 to 5 - c.
    assert_eq!(sums.count(), 5 + 2 * 4 + 3 * 3 + 4 * 2);
    let values: Vec<i32> = ground.goals.iter().map(|goal| goal.value).collect();
    assert_eq!(values, [0, 1, 2, 3, 4]);
}

#[test]
fn functions_that_grow_end_in_an_error_with_the_rule() {
    let text = "(role r) (init (n z)) (legal r go) terminal (goal r 0)\n\
                (<= (next (n (s ?x)))\n    (true (n ?x)))";
    let error = refused(text, &GroundingBudget::default());
    assert_eq!(error.refusal, Refusal::TermSize { limit: 1000 });
    assert_eq!(error.sheet.line_column(error.span.start as usize), (2, 1));
    let diagnostic = Diagnostic::from(error);
    assert!(diagnostic.message.contains("more than 1000 symbols"));
}

/// A path along a hundred edges, with a test after each step. Each node has one
/// edge, since the reference engine follows every path.
fn long_rule() -> String {
    let steps: String = (0..100)
        .map(|n| {
            let m = n + 1;
            format!("(not (true (closed ?x{n}))) (true (edge ?x{n} ?x{m})) (distinct ?x{m} z) ")
        })
        .collect();
    format!(
        "(role r) (init (edge a b)) (init (edge b c)) (init (edge c a))
         (legal r (close a)) (legal r (close b)) (legal r wait)
         (<= (next (edge ?x ?y)) (true (edge ?x ?y)))
         (<= (next (closed ?x)) (does r (close ?x)))
         (<= (far ?x0 ?x100) {steps})
         (<= terminal (not (far a b)))
         (<= (goal r 100) (far a ?x)) (<= (goal r 0) (not (far b b)))"
    )
}

#[test]
fn long_bodies_are_cut_and_mean_the_same() {
    let text = long_rule();
    for seed in (seed_or(0)..).take(10) {
        compare_with_reference("long", &text, seed);
    }
    let ground = grounded("long", &text);
    assert!(ground.atoms.iter().any(|atom| atom.name.contains("link-")));
}

/// Directions between all cells of a large board, few of which are ever asked
/// for: as written nearly 400,000 atoms that are the same in every state.
fn compass() -> String {
    let numbers: String = (0..25).map(|n| format!("(number {n})")).collect();
    let successors: String = (0..24).map(|n| format!("(succ {n} {})", n + 1)).collect();
    format!(
        "(role r) (init (at 1 1)) (init (target 2 2)) (init (step 0)) {numbers} {successors}
         (<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?y) (succ ?x ?z) (less ?z ?y))
         (<= (compared ?x ?y less) (less ?x ?y)) (<= (compared ?x ?y more) (less ?y ?x))
         (<= (compared ?x ?x same) (number ?x))
         (<= (toward ?x ?y ?u ?v ?a ?b) (compared ?x ?u ?a) (compared ?y ?v ?b))
         (<= (legal r (go ?a ?b)) (true (at ?x ?y)) (true (target ?u ?v)) (toward ?x ?y ?u ?v ?a ?b))
         (legal r flee) (other 1 2) (other 2 1)
         (<= (next (at ?x ?y)) (does r (go ?a ?b)) (true (target ?x ?y)))
         (<= (next (at ?u ?y)) (does r flee) (true (at ?x ?y)) (other ?x ?u))
         (<= (next (target ?v ?u)) (true (target ?x ?y)) (other ?x ?u) (other ?y ?v))
         (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
         (<= terminal (true (step 9))) (<= (goal r ?n) (true (step ?n)))"
    )
}

/// Compares within fewer atoms than the rules have as written.
fn compare_on_demand(name: &str, text: &str) {
    let tight = GroundingBudget {
        atoms: 30_000,
        ..GroundingBudget::default()
    };
    for seed in (seed_or(0)..).take(10) {
        compare_within(&tight, name, text, seed);
    }
}

#[test]
fn what_is_too_large_is_tried_again_with_all_magic_sets() {
    compare_on_demand("compass", &compass());
}

/// Which piece stands between which others. Only a king and a rook matter, but the rule that asks
/// names them last. As written, 64,000 atoms.
fn pins() -> String {
    let pieces: String = (0..40).map(|n| format!("(piece {n})")).collect();
    format!(
        "(role r) {pieces} (king 3) (rook 7) (init (left 3 0)) (init (right 7 1))
         (<= (legal r (guard ?l ?m)) (true (left ?l ?k)) (piece ?m))
         (<= (legal r (attack ?r ?m)) (true (right ?r ?k)) (piece ?m))
         (<= (next (left ?l ?m)) (does r (guard ?l ?m)))
         (<= (next (left ?m ?l)) (does r (attack ?l ?m)))
         (<= (next (right ?r ?m)) (does r (attack ?r ?m)))
         (<= (next (right ?m ?r)) (does r (guard ?r ?m)))
         (<= (next (pinned ?m)) (pinned ?m))
         (<= (between ?l ?m ?r) (true (left ?l ?m)) (true (right ?r ?m)))
         (<= (pinned ?m) (between ?l ?m ?r) (king ?l) (rook ?r))
         (<= terminal (true (pinned ?m)))
         (<= (goal r 100) (true (pinned ?m))) (<= (goal r 0) (not terminal))"
    )
}

#[test]
fn what_is_asked_for_may_be_said_afterwards() {
    compare_on_demand("pins", &pins());
}

/// A wall of the maze holds for ever, so no state is beyond it.
#[test]
fn fluents_that_hold_for_ever_bound_what_can_be_reached() {
    let text = "(role r) (init (at 1)) (init (wall 3))
        (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
        (<= (legal r go) (true (at ?x))) 
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (not (true (wall ?x))))
        (<= (next (at ?x)) (true (at ?x)) (true (wall ?x)))
        (<= (next (wall ?x)) (true (wall ?x)))
        (<= terminal (true (wall ?x)) (true (at ?x))) (goal r 100)";
    compare_with_reference("maze", text, 0);
    let ground = grounded("maze", text);
    let names: Vec<&str> = ground.bases.iter().map(|base| &base.name[..]).collect();
    assert_eq!(names, ["(at 1)", "(at 2)", "(at 3)", "(wall 3)"]);
}

/// All quadruples of twenty things: enough to exceed every budget.
fn explosion() -> String {
    let things: String = (0..20).map(|n| format!("(thing {n})")).collect();
    format!(
        "(role r) (init on) (legal r go) terminal (goal r 0) {things}
         (<= (many ?a ?b ?c ?d) (true on) (thing ?a) (thing ?b) (thing ?c) (thing ?d))
         (<= (next on) (many ?a ?b ?c ?d) (many ?d ?c ?b ?a))"
    )
}

#[test]
fn every_limit_of_the_budget_is_kept() {
    let text = explosion();
    let atoms = GroundingBudget {
        atoms: 50_000,
        ..GroundingBudget::default()
    };
    assert_eq!(
        refused(&text, &atoms).refusal,
        Refusal::Atoms { limit: 50_000 }
    );
    let instances = GroundingBudget {
        instances: 50_000,
        ..GroundingBudget::default()
    };
    let error = refused(&text, &instances);
    assert_eq!(error.refusal, Refusal::Instances { limit: 50_000 });
    assert!(error.progress.instances > 50_000 && error.progress.instances < 200_000);
    assert_eq!(error.sheet.line_column(error.span.start as usize).0, 2);
    let bytes = GroundingBudget {
        bytes: 1 << 20,
        ..GroundingBudget::default()
    };
    assert_eq!(
        refused(&text, &bytes).refusal,
        Refusal::Bytes { limit: 1 << 20 }
    );
    let time = GroundingBudget {
        time: Duration::ZERO,
        ..GroundingBudget::default()
    };
    assert_eq!(
        refused(&text, &time).refusal,
        Refusal::Time {
            limit: Duration::ZERO
        }
    );
    let spent = GroundingBudget {
        time: Duration::from_secs(1),
        started: Instant::now().checked_sub(Duration::from_secs(1)),
        ..GroundingBudget::default()
    };
    assert_eq!(
        refused(&text, &spent).refusal,
        Refusal::Time {
            limit: Duration::from_secs(1)
        }
    );
    let stop = StopFlag::default();
    stop.raise();
    let cancelled = GroundingBudget {
        stop: Some(stop),
        ..GroundingBudget::default()
    };
    assert_eq!(refused(&text, &cancelled).refusal, Refusal::Cancelled);
}

/// A thousand atoms are few, but each of these takes 40 kB.
#[test]
fn atoms_with_many_arguments_count_for_many() {
    let things: String = (0..1_000).map(|n| format!("(thing {n})")).collect();
    let (variables, others) = ("?x ".repeat(10_000), "?y ".repeat(10_000));
    let text = format!(
        "(role r) (init on) (legal r go) (<= (next on) (true on)) (goal r 0) {things}
         (<= (wide {variables}) (thing ?x) (true on)) (<= terminal (wide {others}))"
    );
    let budget = GroundingBudget {
        bytes: 4 << 20,
        ..GroundingBudget::default()
    };
    let error = refused(&text, &budget);
    assert_eq!(error.refusal, Refusal::Bytes { limit: 4 << 20 });
    assert!(error.progress.bytes < 16 << 20, "{}", error.progress);
}

#[test]
fn goal_values_have_to_be_whole_numbers() {
    let text = "(role r) (init on) (legal r go) (<= terminal (true on))\n(goal r much)";
    let error = refused(text, &GroundingBudget::default());
    assert_eq!(
        error.to_string(),
        "refused:2:1: a goal value has to be a whole number, but (goal r much) can hold"
    );
    let diagnostic = Diagnostic::from(error);
    assert_eq!(diagnostic.label, "can derive this value");
    assert!(diagnostic.notes.is_empty());
}

#[test]
fn what_others_do_is_no_move_of_a_role() {
    let ground = grounded(
        "stranger",
        "(role r) (init on) (<= (legal ?who go) (anybody ?who)) (anybody r) (anybody stranger)
         (<= (next off) (does stranger go)) (<= (next on) (does r go))
         (<= terminal (true off)) (goal r 0) (goal stranger 100)",
    );
    assert_eq!(ground.moves.len(), 1);
    assert_eq!(ground.bases.len(), 1);
    assert_eq!(ground.goals.len(), 1);
    assert_eq!(ground.terminal, None);
}

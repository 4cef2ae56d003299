//! Lists that decide nothing are dropped, and no others; the result means the same.

#![allow(clippy::unwrap_used)]

use crate::ground::{compare_program, program};
use gdl_testing::seed_or;
use gdlc::ground::{GroundingBudget, ground};
use gdlc::rules::Program;
use gdlc::visited_lists::without_visited_lists;
use std::sync::Arc;

/// Two roles claim the stones of a ring with a bridge across it, in turns; who connects `s1`
/// and `s4` wins. Lists have at most five elements; `add` adds one that a list lacks.
const STONES: &str = "
    (role left) (role right) (init (control left))
    (init (free s1)) (init (free s2)) (init (free s3)) (init (free s4)) (init (free s5))
    (link s1 s2) (link s2 s3) (link s3 s4) (link s4 s5) (link s5 s1) (link s2 s4)
    (<= (beside ?x ?y) (link ?x ?y)) (<= (beside ?x ?y) (link ?y ?x))
    (<= (legal ?p (claim ?x)) (true (control ?p)) (true (free ?x)))
    (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
    (<= (claimed ?x) (does ?p (claim ?x)))
    (<= (next (free ?x)) (true (free ?x)) (not (claimed ?x)))
    (<= (next (owner ?x ?p)) (does ?p (claim ?x)))
    (<= (next (owner ?x ?p)) (true (owner ?x ?p)))
    (<= (next (control left)) (true (control right)))
    (<= (next (control right)) (true (control left)))
    (<= full (not vacant)) (<= vacant (true (free ?x)))
    (<= terminal full) (<= terminal (won ?p))
    (<= (goal ?p 100) (won ?p)) (<= (goal ?p 0) (role ?p) (not (won ?p)))
    (name s1 a) (name s2 b) (name s3 c) (name s4 d) (name s5 e)
    (element a) (element b) (element c) (element d) (element e)
    (size0 nil) (<= (is_list ?t) (size0 ?t)) (<= (is_list ?t) (size1 ?t)) (<= (is_list ?t) (size2 ?t))
    (<= (is_list ?t) (size3 ?t)) (<= (is_list ?t) (size4 ?t)) (<= (is_list ?t) (size5 ?t))
    (<= (size1 (list ?e ?t)) (element ?e) (size0 ?t)) (<= (size2 (list ?e ?t)) (element ?e) (size1 ?t))
    (<= (size3 (list ?e ?t)) (element ?e) (size2 ?t)) (<= (size4 (list ?e ?t)) (element ?e) (size3 ?t))
    (<= (size5 (list ?e ?t)) (element ?e) (size4 ?t))
    (<= (add ?e nil (list ?e nil)) (element ?e))
    (<= (add ?e (list ?f ?t) (list ?f ?u))
        (element ?f) (is_list ?t) (is_list ?u) (add ?e ?t ?u) (distinct ?e ?f))
";

/// Walks whose list `add` makes longer; the list is asked whether it is a list, too.
const WALKS: &str = "
    (<= (stand ?x ?y ?p ?t) (name ?x ?e) (add ?e ?t ?u) (walk ?x ?y ?p ?u))
    (<= (walk ?x ?y ?p ?t) (beside ?x ?y) (true (owner ?y ?p)) (is_list ?t))
    (<= (walk ?x ?y ?p ?t) (beside ?x ?z) (true (owner ?z ?p)) (stand ?z ?y ?p ?t))
    (<= (won ?p) (true (owner s1 ?p)) (stand s1 s4 ?p nil))
";

/// Walks whose list is made longer in the call itself.
const CALLS: &str = "
    (<= (lacks ?e nil) (element ?e))
    (<= (lacks ?e (list ?f ?t)) (element ?f) (is_list ?t) (lacks ?e ?t) (distinct ?e ?f))
    (<= (way ?x ?y ?p ?t) (name ?x ?e) (lacks ?e ?t) (beside ?x ?y) (true (owner ?y ?p)))
    (<= (way ?x ?y ?p ?t) (name ?x ?e) (lacks ?e ?t) (beside ?x ?z) (true (owner ?z ?p))
        (is_list (list ?e ?t)) (way ?z ?y ?p (list ?e ?t)))
    (<= (won ?p) (true (owner s1 ?p)) (way s1 s4 ?p nil))
";

fn stones(walks: &str) -> Program {
    program("stones", &format!("{STONES}{walks}"))
}

fn rewritten(program: &Program) -> Option<Program> {
    without_visited_lists(program, &GroundingBudget::default())
}

/// Asserts that the lists are dropped, and that the game is the same without them.
fn assert_dropped(walks: &str) {
    let original = Arc::new(stones(walks));
    let rewritten = rewritten(&original).unwrap();
    let budget = GroundingBudget::default();
    let without = ground(&rewritten, &budget).unwrap();
    let lists = |atom: &gdlc::ground::GroundAtom| atom.name.contains("nil");
    assert!(ground(&original, &budget).unwrap().atoms.iter().any(lists));
    assert!(!without.atoms.iter().any(lists));
    for seed in (seed_or(0)..).take(40) {
        compare_program(&original, &without, "stones", seed);
    }
}

/// Asserts that lists stay where `from` in the walks is replaced.
fn assert_kept(walks: &str, from: &str, to: &str) {
    assert!(walks.contains(from), "{from} is not there");
    assert!(rewritten(&stones(&walks.replace(from, to))).is_none());
}

#[test]
fn a_list_that_a_relation_makes_longer_is_dropped() {
    assert_dropped(WALKS);
}

#[test]
fn a_list_that_a_call_makes_longer_is_dropped() {
    assert_dropped(CALLS);
}

#[test]
fn lists_that_cannot_hold_all_elements_decide_something() {
    let longest = "(<= (is_list ?t) (size5 ?t))";
    assert!(STONES.contains(longest));
    let shorter = STONES.replace(longest, "");
    assert!(rewritten(&program("stones", &format!("{shorter}{WALKS}"))).is_none());
}

#[test]
fn elements_that_stand_for_several_stones_decide_something() {
    assert!(STONES.contains("(name s2 b)"));
    let ambiguous = STONES.replace("(name s2 b)", "(name s2 a)");
    assert!(rewritten(&program("stones", &format!("{ambiguous}{WALKS}"))).is_none());
}

#[test]
fn elements_that_rules_tell_apart_decide_something() {
    for (from, to) in [
        (
            "(walk ?x ?y ?p ?u))",
            "(walk ?x ?y ?p ?u) (distinct ?u (list b nil)))",
        ),
        ("s4 ?p nil)", "s4 ?p (list c nil))"),
        (
            "(is_list ?t))\n",
            "(fits ?t))\n (<= (fits ?t) (is_list ?t) (distinct ?t (list b nil)))\n",
        ),
        (
            "(is_list ?t))\n",
            "(fits ?t))\n (<= (fits ?t) (is_list ?t) (not (odd ?t))) (odd (list a nil))\n",
        ),
    ] {
        assert_kept(WALKS, from, to);
    }
}

#[test]
fn lists_that_something_else_asks_about_decide_something() {
    for (from, to) in [
        ("(is_list ?t))\n", "(true (free ?t)) (is_list ?t))\n"),
        (
            "(stand ?z ?y ?p ?t))",
            "(stand ?z ?t ?p ?t) (beside ?y ?x))",
        ),
        ("s4 ?p nil))", "s4 ?p ?t) (is_list ?t))"),
    ] {
        assert_kept(WALKS, from, to);
    }
}

#[test]
fn what_changes_beside_what_elements_name_decides_something() {
    // Whether the walk has an even number of steps.
    let turned = WALKS
        .replace("?p ?t)", "?p ?even ?t)")
        .replace("?p ?u)", "?p ?even ?u)");
    let turned = turned.replace(
        "(stand ?z ?y ?p ?even ?t)",
        "(stand ?z ?y ?p ?odd ?t) (other ?even ?odd)",
    );
    let turned = turned.replace("(is_list ?t))", "(other ?even yes) (is_list ?t))");
    let turned = turned.replace("s4 ?p nil", "s4 ?p yes nil") + "(other yes no) (other no yes)";
    let original = stones(&turned);
    assert!(rewritten(&original).is_none());
}

#[test]
fn elements_that_are_added_by_several_relations_decide_something() {
    let adds =
        "(<= (walk ?x ?y ?p ?t) (name ?x ?e) (add ?e ?t ?u) (walk ?x ?y ?p ?u))\n    (<= (won";
    assert_kept(WALKS, "(<= (won", adds);
}

/// Without its list, `way` would be about any stone.
#[test]
fn elements_that_only_lists_tell_decide_something() {
    let told = "
        (told s1 nil) (told s2 nil) (told s2 (list s1 nil)) (told s1 (list s2 nil))
        (element s1) (element s2)
        (<= (way ?p ?t) (told ?e ?t) (true (owner ?e ?p)))
        (<= (way ?p ?t) (told ?e ?t) (is_list (list ?e ?t)) (true (owner ?e ?p)) (way ?p (list ?e ?t)))
        (<= (won ?p) (way ?p nil))";
    assert!(rewritten(&stones(told)).is_none());
}

/// A list that is twice in the next one doubles with each of sixty elements, and soon is longer
/// than terms may be; one that is there once grows by one.
#[test]
fn lists_that_double_decide_something() {
    let elements: String = (0..60)
        .map(|n| format!("(name x{n} e{n}) (element e{n})"))
        .collect();
    let growing = |next: &str| {
        let sizes = (0..65).map(|n| {
            let longer = n + 1;
            format!(
                "(<= (size_{longer} {next}) (element ?e) (size_{n} ?t))
                 (<= (sized ?t) (size_{longer} ?t))"
            )
        });
        let walks = format!(
            "(<= (way ?x ?p ?t) (name ?x ?e) (lists ?e ?t) (true (owner ?x ?p)))
             (<= (way ?x ?p ?t) (name ?x ?e) (lists ?e ?t) (sized {next})
                 (beside ?x ?z) (true (owner ?z ?p)) (way ?z ?p {next}))
             (<= (lists ?e ?t) (element ?e) (sized ?t))
             (size_0 nil) (sized nil) (<= (won ?p) (way s1 ?p nil))"
        );
        rewritten(&stones(&format!(
            "{elements}{walks}{}",
            sizes.collect::<String>()
        )))
    };
    assert!(growing("(both ?e ?t)").is_some());
    assert!(growing("(both ?e (both ?t ?t))").is_none());
}

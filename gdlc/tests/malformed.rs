//! No text makes the front end panic, overflow the stack or take long.
#![allow(clippy::unwrap_used)]

use gdlc::diag::{Severity, render};
use gdlc::rules::{Checked, check};
use gdlc::source::Source;
use rand::prelude::*;
use rand::rngs::SmallRng;
use std::time::{Duration, Instant};

const GAME: &str = "; a game (with a comment)
(role white) (role black)
(init (cell 1 b)) (init (control white))
(<= (legal ?r (mark ?n)) (true (control ?r)) (true (cell ?n b)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (cell ?n ?r)) (does ?r (mark ?n)))
(<= (next (cell ?n ?c)) (true (cell ?n ?c)) (distinct ?c b))
(<= (next (control ?r)) (role ?r) (or (not (true (control ?r))) full))
(<= full (and (true (cell 1 ?c)) (distinct ?c b)))
(<= (goal ?r 100) (true (cell 1 ?r)))
(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))
(<= terminal full)
";

/// Checks a text and renders what is found, as `gdl check` does.
fn run(text: &str) -> Checked {
    let checked = check(Source::new("text.kif", text));
    let rendered = render(&checked.diagnostics, false);
    let errors = checked
        .diagnostics
        .iter()
        .any(|found| found.severity == Severity::Error);
    assert_eq!(errors, checked.program.is_none(), "{rendered}");
    checked
}

fn errors_of(text: &str) -> Vec<&'static str> {
    let errors = |checked: Checked| {
        let mut found = checked.diagnostics;
        found.retain(|found| found.severity == Severity::Error);
        found
    };
    errors(run(text)).iter().map(|found| found.code).collect()
}

#[test]
fn the_game_is_in_order() {
    assert!(run(GAME).program.is_some());
}

#[test]
fn cut_anywhere() {
    for end in 0..GAME.len() {
        run(&GAME[..end]);
        run(&GAME[end..]);
    }
}

#[test]
fn each_byte_left_out_or_replaced() {
    for at in 0..GAME.len() {
        for with in ["", "(", ")", ";", "?", " ", "\0", "é", "\u{feff}"] {
            run(&[&GAME[..at], with, &GAME[at + 1..]].concat());
        }
    }
}

#[test]
fn random_mutations() {
    let mut random = SmallRng::seed_from_u64(gdl_testing::seed());
    let words: Vec<&str> = GAME.split_inclusive([' ', '\n', '(', ')']).collect();
    for _ in 0..2_000 {
        let mut words = words.clone();
        for _ in 0..random.random_range(1..6) {
            let (from, to) = (
                random.random_range(0..words.len()),
                random.random_range(0..words.len()),
            );
            match random.random_range(0..3) {
                0 => words.swap(from, to),
                1 => words[to] = words[from],
                _ => words.insert(to, words[from]),
            }
        }
        run(&words.concat());
    }
}

#[test]
fn random_bytes() {
    let mut random = SmallRng::seed_from_u64(gdl_testing::seed());
    for _ in 0..300 {
        let length = random.random_range(0..300);
        let any: Vec<u8> = (0..length).map(|_| random.random()).collect();
        run(&String::from_utf8_lossy(&any));
        let likely = b"()() \n;?ap<=";
        let text: Vec<u8> = (0..length)
            .filter_map(|_| likely.choose(&mut random).copied())
            .collect();
        run(&String::from_utf8_lossy(&text));
    }
}

#[test]
fn nested_too_deep() {
    let deep = |n: usize| format!("(p {}a{})", "(f ".repeat(n - 1), ")".repeat(n - 1));
    let game_with = |n| format!("{GAME}(<= terminal {})\n{}", deep(n - 1), deep(n));
    assert_eq!(errors_of(&game_with(gdlc::syntax::MAX_DEPTH)), [""; 0]);
    assert_eq!(
        errors_of(&game_with(gdlc::syntax::MAX_DEPTH + 1)),
        ["syntax"; 2]
    );
    assert_eq!(errors_of(&deep(1_000_000)), ["syntax"]);
    assert_eq!(errors_of(&"(".repeat(1_000_000)), ["syntax"]);
    assert_eq!(errors_of(&"(or ".repeat(1_000_000)), ["syntax"]);
}

#[test]
fn too_long() {
    assert_eq!(errors_of(&"a ".repeat(5_000_000)), ["syntax"]);
}

#[test]
fn thousands_of_findings_are_counted_rather_than_kept() {
    let warnings = (0..3_000)
        .map(|n| format!("(unused{n} a)\n"))
        .collect::<String>();
    let found = run(&(warnings.clone() + GAME)).diagnostics;
    assert_eq!(found.len(), 1_002);
    let last = found.last().unwrap();
    assert_eq!((last.severity, last.code), (Severity::Warning, "too-many"));
    assert!(found.is_sorted_by_key(|found| found.span.start));

    let errors = (0..3_000)
        .map(|n| format!("(init (p{n} ?x))\n"))
        .collect::<String>();
    let found = run(&(errors + &warnings + GAME)).diagnostics;
    assert_eq!(found.last().unwrap().severity, Severity::Error);
}

/// Sizes at which anything quadratic would take minutes.
#[test]
fn large_texts_end_soon() {
    let lines = |line: fn(usize) -> String| (0..20_000).map(line).collect::<String>() + GAME;
    let texts = [
        ("symbol", "a".repeat(1_000_000)),
        ("closing", ")".repeat(1_000_000)),
        ("opening lines", "(\n".repeat(500_000)),
        ("one line", format!("(p {})", "?x ".repeat(300_000))),
        ("facts", lines(|n| format!("(p {n})\n"))),
        (
            "chain",
            lines(|n| format!("(<= (p{n} ?x) (p{} ?x))\n", n + 1)),
        ),
        (
            "ring",
            lines(|n| format!("(<= p{n} (not p{}))\n", (n + 1) % 20_000)),
        ),
        (
            "negations",
            lines(|n| format!("(<= (p {n}) (not (p {})))\n", n + 1)),
        ),
        (
            "recursions",
            lines(|n| format!("(<= (p (f ?x) {n}) (p ?x {n}))\n")),
        ),
        (
            "unsafe",
            lines(|n| format!("(<= (p{n} ?x) (not (q ?y)))\n")),
        ),
        (
            "timeless",
            lines(|n| format!("(<= (init p{n}) q{n})\n(<= q{n} q{})\n", n + 1))
                + "(<= q20000 (true a))",
        ),
        (
            "alternatives",
            format!("(<= p {})", "(or a b) ".repeat(50_000)),
        ),
        (
            "alternatives without literals",
            format!("(<= p {})", "(or (and) (and)) ".repeat(40)),
        ),
        (
            "alternatives before an empty one",
            format!("(<= p {} (or))", "(or a b) ".repeat(40)),
        ),
        (
            "empty conditions, nested",
            format!("(<= p (or a (and {} (or))))", "(or a b) ".repeat(40)),
        ),
        (
            "many empty alternatives",
            lines(|n| format!("(<= p{n} {})\n", "(or (and) (and)) ".repeat(16))),
        ),
        (
            "alternatives of a long head",
            format!(
                "(<= (p {}) (or {}))",
                "a ".repeat(50_000),
                "q ".repeat(50_000)
            ),
        ),
        (
            "alternatives with a long name",
            format!(
                "(<= p {} (or {}))",
                "a".repeat(500_000),
                "q ".repeat(50_000)
            ),
        ),
    ];
    for (name, text) in texts {
        let start = Instant::now();
        run(&text);
        let taken = start.elapsed();
        assert!(taken < Duration::from_secs(20), "{name} took {taken:?}");
    }
}

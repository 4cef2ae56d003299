//! `gdl play`: repeatable matches, people, results.
#![allow(clippy::unwrap_used)]

use crate::common::{self, command};
use serde_json::Value;

const GAME: &str = "games/tictactoe.kif";

/// What `gdl play` prints, to both outputs, and its exit code.
fn play(arguments: &[&str], input: &str) -> (String, String, i32) {
    play_on("reference", arguments, input)
}

fn play_on(engine: &str, arguments: &[&str], input: &str) -> (String, String, i32) {
    let mut command = command::gdl(common::root(), &["play", GAME, "--engine", engine]);
    let output = command.args(arguments).write_stdin(input).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (text(output.stdout), text(output.stderr), code)
}

fn record(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

#[test]
fn a_seed_repeats_a_match() {
    for engine in ["reference", "net"] {
        repeat_matches(engine);
    }
}

fn repeat_matches(engine: &str) {
    let moves = |seed: &str| {
        let arguments = ["--sims", "300", "--seed", seed, "--json"];
        let (out, _, code) = play_on(engine, &arguments, "");
        assert_eq!(code, 0);
        let record = record(&out);
        let rounds = record["rounds"].as_array().unwrap().clone();
        let moves: Vec<Value> = rounds.iter().map(|round| round["moves"].clone()).collect();
        let visits = rounds[0]["thoughts"][0]["moves"].clone();
        (moves, visits)
    };
    let matches = ["1", "2", "1"].map(moves);
    assert_eq!(matches[0], matches[2]);
    assert_ne!(matches[0], matches[1]);
}

#[test]
fn records_hold_the_whole_match() {
    let arguments = ["--sims", "40", "--seed", "5", "--json", "--games", "2"];
    let (out, _, code) = play(&arguments, "");
    assert_eq!((code, out.lines().count()), (0, 2));
    for line in out.lines() {
        let record = record(line);
        assert_eq!(record["roles"], serde_json::json!(["x", "o"]));
        assert_eq!(record["ending"], "terminal");
        let goals = record["goals"].as_array().unwrap();
        let sum: i64 = goals.iter().map(|goal| goal.as_i64().unwrap()).sum();
        assert_eq!(sum, 100);
        let first = &record["rounds"][0];
        assert_eq!(first["state"], serde_json::json!(["(turn x)"]));
        assert_eq!(first["moves"][1], "noop");
        let search = &first["thoughts"][0];
        assert_eq!(search["simulations"], 40);
        let visits = search["moves"].as_array().unwrap().iter();
        assert_eq!(
            visits.map(|mv| mv["visits"].as_i64().unwrap()).sum::<i64>(),
            40
        );
    }
}

#[test]
fn agents_beat_random_players() {
    let arguments = ["--sims", "200", "--seed", "1", "--quiet", "--games", "6"];
    let (out, err, code) = play(&[&arguments[..], &["--player", "o=random"]].concat(), "");
    assert_eq!((code, &*err), (0, "seed 1\n"));
    let mean = out.lines().last().unwrap();
    let x = mean.split("x ").nth(1).unwrap().split(',').next().unwrap();
    assert!(x.parse::<f64>().unwrap() >= 90.0, "{out}");
}

#[test]
fn people_are_asked_until_they_answer() {
    let both = ["--human", "x", "--human", "2"];
    let input = "nonsense\n99\nundo\nmark 1 2\n(MARK 1 1)\nundo\n3\n";
    let (out, _, code) = play(&both, input);
    assert_eq!(code, 1, "the input ends before the match: {out}");
    assert_eq!(out.matches("Type a number or a move").count(), 2, "{out}");
    // There is nothing to take back at first; then x takes back its mark, and
    // the answer to it.
    assert_eq!(out.matches("State 1\n").count(), 3, "{out}");
    assert!(out.ends_with("(left after 1 moves)\n"), "{out}");
    let (out, _, code) = play(&both, "quit\n");
    assert_eq!(code, 1);
    assert!(out.ends_with("(left after 0 moves)\n"), "{out}");
}

#[test]
fn a_line_that_is_no_text_is_not_the_end() {
    let arguments = ["play", GAME, "--human", "x", "--sims", "1"];
    let mut command = command::gdl(common::root(), &arguments);
    let output = command.write_stdin(&b"\xff\nquit\n"[..]).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(out.matches("Type a number or a move").count(), 1, "{out}");
}

#[test]
fn records_go_with_people_at_the_table() {
    let (out, err, code) = play(&["--human", "x", "--json"], "quit\n");
    assert_eq!((code, record(&out)["ending"].as_str()), (1, Some("quit")));
    assert!(
        err.contains("State 1"),
        "the board goes to standard error: {err}"
    );
}

#[test]
fn people_win_and_see_it() {
    let input = "(mark 1 1)\n(mark 2 1)\n(mark 1 2)\n(mark 2 2)\n(mark 1 3)\n";
    let (out, _, code) = play(&["--human", "x", "--human", "o"], input);
    assert_eq!(code, 0, "{out}");
    assert!(
        out.ends_with("Goals: x 100, o 0 (after 5 moves)\n"),
        "{out}"
    );
    assert!(
        out.contains("3  x . .\n2  x o .\n1  x o .\n   1 2 3\n"),
        "{out}"
    );
}

#[test]
fn arguments_have_to_fit_the_game() {
    let wrong = [
        ["--human", "z"],
        ["--player", "x"],
        ["--player", "x=nobody"],
        ["--player", "3=uct"],
        ["--time", "nan"],
        ["--memory", "17592186044416"],
    ];
    for arguments in wrong {
        let (out, err, code) = play(&arguments, "");
        assert_eq!((out.as_str(), code), ("", 2), "{arguments:?}");
        assert!(err.contains("error"), "{err}");
    }
    let (_, err, _) = play(&["--human", "z"], "");
    assert!(err.contains("the roles are x, o"), "{err}");
    let (_, err, code) = play(&["--human", "x", "--player", "1=uct"], "");
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("another player of this role"), "{err}");
    let (_, err, _) = play(&["--player", "x=uct+wisdom"], "");
    assert!(err.contains("there are uct, champion, random"), "{err}");
}

#[test]
fn matches_that_are_given_up_are_not_finished() {
    let (out, _, code) = play(&["--sims", "5", "--rounds", "2", "-q"], "");
    assert_eq!(code, 1);
    assert!(out.ends_with("(given up after 2 moves)\n"), "{out}");
}

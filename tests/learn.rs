//! `gdl learn`: networks in files, continued learning, interruptions.
#![allow(clippy::unwrap_used)]

use crate::common;
use crate::common::command;
use crate::common::process::TestChild;
use serde_json::Value;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Runs `gdl` in the project's folder; returns its outputs.
fn gdl(arguments: &[&str], code: i32) -> (String, String) {
    command::output(common::root(), arguments, code)
}

/// Learns tic-tac-toe for a second, and returns what `--json` prints.
fn learn(out: &Path, more: &[&str]) -> Value {
    let out = out.to_str().unwrap();
    let mut arguments = vec!["learn", "games/tictactoe.kif", "--time", "1s", "-o", out];
    arguments.extend(["--json", "--seed", "1"]);
    arguments.extend(more);
    let (report, _) = gdl(&arguments, 0);
    serde_json::from_str(&report).unwrap()
}

/// The losses of the rounds in which something was held out, at least one: on a slow machine a
/// round can be too short for that.
fn losses(report: &Value) -> Vec<f64> {
    let rounds = report["rounds"].as_array().unwrap().iter();
    let losses: Vec<f64> = rounds.filter_map(|it| it["loss"].as_f64()).collect();
    assert!(!losses.is_empty(), "{report}");
    losses
}

#[test]
fn what_was_learned_is_played_by_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("tictactoe.net");
    let report = learn(&out, &["--no-matches"]);
    let rounds = report["rounds"].as_array().unwrap();
    assert!(!rounds.is_empty(), "{report}");
    assert!(
        rounds
            .iter()
            .all(|round| round.get("against_uct").is_none())
    );
    let known = losses(&report);

    let champion = format!("1=champion(net={})", out.display());
    let options = [
        "--player", &champion, "--player", "2=random", "--time", "20ms",
    ];
    let play = |game| [&["play", game, "--start", "0s", "--json"][..], &options].concat();
    let (record, _) = gdl(&play("games/tictactoe.kif"), 0);
    assert!(record.contains("plays by evaluation"), "{record}");
    for game in ["games/connect_four.kif", "games/tron.kif"] {
        let (_, error) = gdl(&play(game), 2);
        assert!(
            error.contains("tictactoe.net is a network of another game"),
            "{error}"
        );
    }

    let from = out.to_str().unwrap();
    let curve = folder.path().join("curve.svg");
    let drawn = ["--from", from, "--curve", curve.to_str().unwrap()];
    let further = learn(&out, &drawn);
    assert!(further["games"].as_u64() > report["games"].as_u64());
    assert!(further["seconds"].as_f64().unwrap() > 1.5, "{further}");
    // Learning goes on from what is known, and not from random games again: a network that
    // knows nothing always begins with the same loss.
    let first = losses(&further)[0];
    assert!((first - known[0]).abs() > 1e-3, "{first} after {known:?}");
    let last = further["rounds"].as_array().unwrap().last().unwrap();
    let score = &last["against_uct"];
    let games = ["wins", "draws", "losses"].map(|it| score[it].as_u64().unwrap());
    assert_eq!(games.iter().sum::<u64>(), 10, "{last}");
    let svg = std::fs::read_to_string(curve).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains("<circle"), "{svg}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 2, "temporary files are left");
}

#[test]
fn contests_refuse_files_that_are_of_no_use() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text.net");
    std::fs::write(&path, "no network").unwrap();
    let agent = format!("champion(net={})", path.display());
    let game = "games/tictactoe.kif";
    let out = folder.path().join("games.jsonl");
    let options = [
        "--time",
        "10ms",
        "--games",
        "2",
        "--out",
        out.to_str().unwrap(),
    ];
    let arguments = [&["match", game, &agent, "uct"][..], &options].concat();
    let (_, error) = gdl(&arguments, 2);
    assert!(error.contains("is not a file of a network"), "{error}");
    let player = format!("1={agent}");
    let (_, error) = gdl(&["host", game, "--player", &player], 2);
    assert!(error.contains("is not a file of a network"), "{error}");
    let missing = folder.path().join("missing.net");
    let player = format!("1=champion(net={})", missing.display());
    let (_, error) = gdl(&["play", game, "--player", &player], 2);
    assert!(error.contains("missing.net cannot be read: "), "{error}");
}

#[test]
fn what_cannot_be_learned_is_said_at_once() {
    let game = "games/tictactoe.kif";
    let (_, error) = gdl(&["learn", game, "-o", "no/folder/x.net"], 2);
    assert!(error.contains("cannot write no/folder/x.net"), "{error}");
    for folder in ["games", "no-such-folder/"] {
        let (_, error) = gdl(&["learn", game, "--time", "1s", "-o", folder], 2);
        assert!(error.contains("is a directory"), "{error}");
    }
    let out = std::env::temp_dir().join("never-written.net");
    let out = out.to_str().unwrap();
    let (_, error) = gdl(&["learn", game, "-o", out, "--engine", "reference"], 2);
    assert!(error.contains("does not know all fluents"), "{error}");
    let (_, error) = gdl(&["learn", game, "-o", out, "--from", "Cargo.toml"], 2);
    assert!(
        error.contains("Cargo.toml is not a file of a network"),
        "{error}"
    );
    gdl(&["learn", game], 2);
}

/// Quick games meet rules under which a role may be left without a move; most random openings do.
#[test]
fn rules_without_a_move_cost_only_the_quick_games() {
    let folder = tempfile::tempdir().unwrap();
    let (rules, out) = (
        folder.path().join("dead.kif"),
        folder.path().join("out.net"),
    );
    let ways = ["0 1 2", "2 1 3", "3 4 5"].map(|way| {
        let [from, left, right] = [0, 2, 4].map(|at| &way[at..=at]);
        format!(
            "(<= (legal a left) (true (at {from}))) (<= (legal a right) (true (at {from})))
             (<= (next (at {left})) (does a left) (true (at {from})))
             (<= (next (at {right})) (does a right) (true (at {from})))"
        )
    });
    let frame = "(role a) (role b) (init (at 0)) (legal b noop)
        (<= terminal (true (at 4))) (<= (goal a 100) (true (at 4))) (<= (goal b 0) (true (at 4)))
        (<= terminal (true (at 5))) (<= (goal a 0) (true (at 5))) (<= (goal b 100) (true (at 5)))";
    std::fs::write(&rules, format!("{frame}\n{}", ways.join("\n"))).unwrap();
    let [rules, out] = [&rules, &out].map(|path| path.to_str().unwrap());
    let (_, error) = gdl(
        &[
            "learn",
            rules,
            "--time",
            "1s",
            "-o",
            out,
            "--against-uct",
            "1",
        ],
        0,
    );
    assert!(error.contains("no quick games"), "{error}");
}

#[cfg(unix)]
#[test]
fn an_interruption_keeps_what_was_learned() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("tictactoe.net");
    let mut child = Command::new(env!("CARGO_BIN_EXE_gdl"));
    child.current_dir(common::root());
    child.args(["learn", "games/tictactoe.kif", "--time", "10m", "-o"]);
    let child = child.arg(&out).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = TestChild(child.spawn().unwrap());
    let stdout = BufReader::new(child.0.stdout.take().unwrap());
    let mut lines = stdout.lines().map(Result::unwrap);
    let is_round = |line: &String| {
        let first = line.split_whitespace().next();
        first.is_some_and(|seconds| seconds.parse::<f64>().is_ok())
    };
    lines.find(is_round).unwrap();
    child.signal("INT");
    let printed: Vec<String> = lines.collect();
    assert_eq!(child.0.wait().unwrap().code(), Some(2));
    let last = printed.last().unwrap();
    assert!(last.contains("tictactoe.net: learned from "), "{last}");
    assert!(out.exists());
}

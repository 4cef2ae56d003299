//! Output and exit codes of `gdl bench`.

use crate::common;
use crate::common::command::gdl;
use assert_cmd::Command;
use serde_json::Value;

/// `gdl bench` with arguments, in the project's folder.
fn bench(args: &[&str]) -> Command {
    gdl(common::root(), &[&["bench"], args].concat())
}

fn text(command: &mut Command, code: i32) -> String {
    let output = command.assert().code(code).get_output().stdout.clone();
    String::from_utf8(output).expect("output is UTF-8")
}

fn json(command: &mut Command, code: i32) -> Value {
    serde_json::from_str(&text(command, code)).expect("output is JSON")
}

#[test]
fn one_result_is_an_object() {
    let result = json(
        &mut bench(&[
            "games/tictactoe.kif",
            "--engine=net",
            "--seconds=0.1",
            "--threads=2",
            "--width=64",
            "--json",
        ]),
        0,
    );
    assert_eq!(result["engine"], "net");
    assert_eq!(result["game"], "tictactoe");
    assert_eq!(result["lanes"], 64);
    assert_eq!(result["settings"]["threads"], 2);
    let number = |key: &str| result[key].as_f64().expect(key);
    let rate = number("playouts") / number("seconds");
    assert!((number("playouts_per_second") / rate - 1.0).abs() < 1e-9);
    // Of random games 1440/15120 end after 5 moves, 5328/60480 after 6,
    // 47952/181440 after 7, 72576/362880 after 8, the others after 9.
    let off = number("average_length") - 7.626_190;
    assert!(off.abs() < 6.0 * number("average_length_error"), "{off}");
    let goals = result["mean_goals"].as_array().expect("two roles");
    let sum: f64 = goals.iter().filter_map(Value::as_f64).sum();
    assert!((sum - 100.0).abs() < 1e-6, "{goals:?}");
    let stages: Vec<&String> = result["setup"]
        .as_object()
        .expect("stages")
        .keys()
        .collect();
    assert_eq!(
        stages,
        ["check", "ground", "net", "passes", "plan", "assemble"]
    );
}

#[test]
fn engines_are_shown_side_by_side() {
    let args = ["games/tictactoe.kif", "--seconds=0.1"];
    let table = text(bench(&args).args(["--engine", "net,reference"]), 0);
    for part in [
        "games/tictactoe.kif",
        "net",
        "reference",
        "ratio",
        "±",
        "1.00x",
    ] {
        assert!(table.contains(part), "{part} in {table}");
    }
    let results = json(
        bench(&args).args(["-e", "net", "-e", "reference", "--json"]),
        0,
    );
    assert_eq!(results[0]["engine"], "net");
    assert_eq!(results[1]["ratio_to_slowest"], 1.0);
}

#[test]
fn a_game_that_cannot_be_loaded_does_not_stop_the_others() {
    let args = [
        "games/nowhere.kif",
        "games/tictactoe.kif",
        "--engine=net",
        "--seconds=0.05",
        "--json",
    ];
    let results = json(&mut bench(&args), 1);
    let error = results[0]["error"].as_str().expect("it cannot be read");
    assert!(error.contains("games/nowhere.kif"), "{error}");
    assert!(results[1]["playouts"].as_u64() > Some(0), "{results}");
}

#[test]
fn gdl_perf_lines() {
    let args = ["--engine=net", "--seconds=0.05", "--format=gdl-perf"];
    let keys = |text: &str| -> Vec<String> {
        let keys = text.lines().filter_map(|line| line.split_once('='));
        keys.map(|(key, _)| key.to_owned()).collect()
    };
    let found = text(bench(&args).arg("games/tictactoe.kif"), 0);
    assert_eq!(
        keys(&found),
        [
            "version",
            "millisecondsTaken",
            "numStateChanges",
            "numRollouts"
        ]
    );
    let failed = text(bench(&args).arg("games/nowhere.kif"), 1);
    assert_eq!(keys(&failed), ["version", "errorMessage"]);
    bench(&args)
        .args(["games/tictactoe.kif", "games/hex.kif"])
        .assert()
        .code(2);
}

#[test]
fn results_are_kept_and_not_measured_again() {
    let folder = tempfile::tempdir().expect("temporary folders can be made");
    let path = folder.path().join("results.jsonl");
    let path = path.to_str().expect("the path is UTF-8");
    let args = [
        "--engine=net",
        "--seconds=0.05",
        "--json",
        "--results",
        path,
    ];
    let first = json(bench(&args).arg("games/tictactoe.kif"), 0);
    let both = ["games/tictactoe.kif", "games/peg_solitaire.kif"];
    let second = json(bench(&args).args(both), 0);
    assert_eq!(second[0], first);
    let lines = std::fs::read_to_string(path).expect("it was written");
    assert_eq!(lines.lines().count(), 2, "{lines}");
}

#[test]
fn peers_are_compared() {
    let folder = tempfile::tempdir().expect("temporary folders can be made");
    let path = folder.path().join("peers.csv");
    let rows = "engine,game,setup_ms,playouts_per_s,states_per_s,average_length,mean_goals\n\
        other,tictactoe,270,251.4,1903,7.567,63.17;36.83\n\
        wrong,hex,1,9000.0,9000,1.000,50.00;50.00\n";
    std::fs::write(&path, rows).expect("it can be written");
    let path = path.to_str().expect("the path is UTF-8");
    let args = ["--engine=net", "--seconds=0.1", "--peers", path];
    let results = json(
        bench(&args).args(["games/tictactoe.kif", "games/hex.kif", "--json"]),
        0,
    );
    assert_eq!(results[0]["peers"][0]["agrees"], true, "{results}");
    assert_eq!(results[1]["peers"][0]["agrees"], false, "{results}");
    let table = text(bench(&args).arg("games/tictactoe.kif"), 0);
    assert!(table.contains("net agrees with other"), "{table}");
}

#[test]
fn wrong_usage_exits_with_2() {
    for args in [
        &[][..],
        &["games/hex.kif", "--seconds=0"],
        &["games/hex.kif", "--seconds=NaN"],
        &["games/hex.kif", "--width=100"],
        &["games/hex.kif", "--threads=0"],
        &["games/hex.kif", "--peers=games/nowhere.csv"],
    ] {
        bench(args).assert().code(2);
    }
    for agent in ["champion", "random", "uct+factored", "uct+trees(n=4)"] {
        let tree = format!("--tree={agent}");
        let outcome = bench(&["games/hex.kif", &tree]).assert().code(2);
        let error = String::from_utf8_lossy(&outcome.get_output().stderr).into_owned();
        assert!(error.contains("one tree on one thread"), "{error}");
    }
}

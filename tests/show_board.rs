//! `gdl show board`: states as text, as drawings and as data.
#![allow(clippy::unwrap_used)]

use crate::common::{self, command};

/// What `gdl show board` prints, to both outputs, and its exit code.
fn show(arguments: &[&str]) -> (String, String, i32) {
    let output = command::gdl(common::root(), &["show", "board"])
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (text(output.stdout), text(output.stderr), code)
}

#[test]
fn moves_are_made_first() {
    let after = ["tictactoe", "--after", "(mark 2 2)", "(noop) (mark 1 1)"];
    let (_, err, code) = show(&after);
    assert_eq!(code, 2);
    assert!(err.contains("x cannot play (noop)"), "{err}");
    let after = ["tictactoe", "--after", "(mark 2 2)", "noop (mark 1 1)"];
    let (out, _, code) = show(&after);
    assert_eq!(code, 0);
    assert_eq!(out, "3  . . .\n2  . x .\n1  o . .\n   1 2 3\nx to move\n");
    let (_, err, code) = show(&["tictactoe", "--after", "(mark 9 9)"]);
    assert_eq!(code, 2);
    assert!(err.contains("nobody can play (mark 9 9)"), "{err}");
}

#[test]
fn a_move_is_that_of_the_role_that_has_a_choice() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pass.kif");
    let rules = "(role first) (role second) (init (at start)) (legal first noop)
        (legal second noop) (legal second go) (<= (next (at end)) (does second noop))
        (<= terminal (true (at end))) (goal first 0) (goal second 100)";
    std::fs::write(&file, rules).unwrap();
    let (out, err, code) = show(&[file.to_str().unwrap(), "--after", "noop"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("end"), "{out}");
}

#[test]
fn drawings_go_to_files_and_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hex.svg");
    let path = file.to_str().unwrap();
    let arguments = ["games/hex.kif", "--random", "9", "--seed", "4", "-o"];
    let (out, _, code) = show(&[&arguments[..], &[path]].concat());
    assert_eq!((out.as_str(), code), ("", 0));
    let drawing = std::fs::read_to_string(&file).unwrap();
    let (out, _, _) = show(&[&arguments[..], &["-"]].concat());
    assert_eq!(out, drawing, "the same seed draws the same");
    assert_eq!(drawing.matches("<polygon").count(), 49 + 1);
    let (_, err, code) = show(&["games/hex.kif", "-o", "hex.png"]);
    assert_eq!(code, 2);
    assert!(err.contains("*.svg"), "{err}");
}

#[test]
fn records_are_shown_at_a_step_and_as_strips() {
    let record = "games/golden/tictactoe.jsonl";
    let first = ["tictactoe", "--record", record, "--step", "1"];
    let (out, _, code) = show(&first);
    assert_eq!(code, 0);
    assert!(out.contains('x') && out.contains("o to move"), "{out}");
    let strip = ["tictactoe", "--record", record, "--strip", "4", "-o", "-"];
    let (out, _, code) = show(&strip);
    assert_eq!((code, out.matches("data-cell=").count()), (0, 4 * 9));
    let (_, err, code) = show(&["tictactoe", "--record", record, "--step", "99"]);
    assert_eq!(code, 2);
    assert!(err.contains("ends after"), "{err}");
}

#[test]
fn data_are_json_and_options_are_for_boards_alone() {
    let (out, _, code) = show(&["tictactoe", "--json"]);
    assert_eq!(code, 0);
    let data: serde_json::Value = serde_json::from_str(&out).unwrap();
    let cells = data["layout"]["boards"][0]["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 9);
    assert_eq!(data["picture"]["turns"][0]["role"], "x");
    let rules = ["show", "rules", "games/hex.kif", "--random", "3"];
    command::gdl(common::root(), &rules).assert().code(2);
    for format in [&["--dot"][..], &["--format", "aiger"]] {
        let (out, _, code) = show(&[&["tictactoe"], format].concat());
        assert_eq!((out.as_str(), code), ("", 2), "{format:?}");
    }
}

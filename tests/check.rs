//! Output and exit codes of `gdl check`.
#![allow(clippy::unwrap_used)]

use crate::common::{self, command};
use assert_cmd::Command;
use serde_json::Value;

const UNSAFE: &str = "\
(role white)
(<= (legal ?r (mark ?x)) (role ?r))
(goal white 100)
(<= terminal (Role white))
";

fn check(args: &[&str]) -> Command {
    command::gdl(common::root(), &[&["check"], args].concat())
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn our_own_games_are_without_fault() {
    let games = [common::games(), common::sheets("experiments/games")].concat();
    let output = check(&[])
        .args(&games)
        .assert()
        .code(0)
        .get_output()
        .clone();
    assert_eq!(text(&output.stdout), "", "not even a warning");
}

#[test]
fn findings_go_to_standard_output_and_the_count_to_standard_error() {
    let output = check(&["-"])
        .write_stdin(UNSAFE)
        .assert()
        .code(1)
        .get_output()
        .clone();
    let shown = text(&output.stdout);
    assert!(shown.contains("--> -:2:21"), "{shown}");
    assert!(
        shown.contains("the variable `?x` of the head is not bound"),
        "{shown}"
    );
    assert!(shown.contains("warning[capitalisation]"), "{shown}");
    assert_eq!(text(&output.stderr), "checked 1 file: 1 error, 1 warning\n");
    let output = check(&["--quiet", "-"])
        .write_stdin(UNSAFE)
        .assert()
        .code(1)
        .get_output()
        .clone();
    assert!(!text(&output.stdout).contains("warning["));
}

#[test]
fn json_has_positions() {
    let output = check(&["--json", "-"])
        .write_stdin(UNSAFE)
        .assert()
        .code(1)
        .get_output()
        .clone();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let error = &found[0];
    assert_eq!(error["severity"], "error");
    assert_eq!(error["code"], "unsafe-variable");
    assert_eq!(error["file"], "-");
    assert_eq!((&error["line"], &error["column"]), (&2.into(), &21.into()));
    assert_eq!(
        (&error["end_line"], &error["end_column"]),
        (&2.into(), &23.into())
    );
    assert_eq!(error["fix"], Value::Null);
    assert_eq!(found[1]["places"][0]["line"], 1);
    let fix = &found[1]["fix"];
    assert_eq!(fix["text"], "role");
    let place = &fix["places"][0];
    assert_eq!((&place["line"], &place["column"]), (&4.into(), &15.into()));
    assert_eq!(place["end_column"], 19);
    assert_eq!(place["text"], "role");
    assert_eq!(found.as_array().unwrap().len(), 2);
}

#[test]
fn an_unreadable_file_does_not_hide_the_others() {
    let output = check(&["no/such/file.kif", "-"])
        .write_stdin(UNSAFE)
        .assert()
        .code(2)
        .get_output()
        .clone();
    assert!(text(&output.stderr).contains("no/such/file.kif"));
    assert!(text(&output.stdout).contains("error[unsafe-variable]"));
}

#[test]
fn bytes_that_are_no_text_are_no_reason_to_stop() {
    let game = b"; \xff\xfe\n(role white)(legal white a)(goal white 1)(<= terminal (role white))";
    check(&["-"]).write_stdin(&game[..]).assert().code(0);
}

//! The output and the exit codes of the `gdl` command.

use crate::common;
use crate::common::command;
use assert_cmd::Command;
use clap::{CommandFactory as _, Parser as _};
use expect_test::expect_file;
use gdl_agent::agents::Agent;
use gdl_cli::commands::Cli;
use serde_json::Value;
use std::io::Read as _;
use std::process::Stdio;

const UNSAFE_RULE: &str = "(role robot)\n(<= (legal robot ?move) (true lit))\n\
    (init lit)\n(<= (next lit) (true lit))\n(<= terminal (true lit))\n(goal robot 100)\n";

/// `gdl` with arguments, in the project's folder.
fn gdl(args: &[&str]) -> Command {
    command::gdl(common::root(), args)
}

fn stdout(args: &[&str]) -> String {
    let output = gdl(args).assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("output is UTF-8")
}

fn stderr(command: &mut Command, code: i32) -> String {
    let output = command.assert().code(code).get_output().stderr.clone();
    String::from_utf8(output).expect("messages are UTF-8")
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(args)).expect("output is JSON")
}

#[test]
fn help_shows_examples_and_exit_codes() {
    let command = Cli::command();
    expect_file!["help/gdl.txt"].assert_eq(&stdout(&["--help"]));
    for subcommand in command.get_subcommands() {
        let name = subcommand.get_name();
        let help = stdout(&[name, "--help"]);
        assert!(help.contains("Examples:"), "{name} has no examples");
        expect_file![format!("help/{name}.txt")].assert_eq(&help);
    }
}

#[test]
fn every_component_is_explained() {
    expect_file!["help/components.txt"].assert_eq(&stdout(&["agents"]));
    let components = json(&["agents", "--json"]);
    let components = components.as_array().expect("there are components");
    let texts = components.iter().map(|component| {
        let name = component["name"].as_str().expect("a component has a name");
        let first = &component["parameters"][0];
        match first["name"].as_str() {
            Some(parameter) => format!("{name}({parameter}={})", first["most"]),
            None => name.to_owned(),
        }
    });
    let parameters = components
        .iter()
        .filter_map(|it| it["parameters"].as_array());
    for parameter in parameters.flatten() {
        let known = ["default", "placeholder"].map(|key| !parameter[key].is_null());
        assert!(known.contains(&true), "{parameter}");
    }
    for text in texts {
        let joined = [text.clone(), format!("uct+{text}")];
        let understood = joined.iter().any(|text| text.parse::<Agent>().is_ok());
        assert!(understood, "{text}");
    }
}

#[test]
fn an_unreadable_choice_of_logs_is_reported() {
    let outcome = gdl(&["list"]).env("RUST_LOG", "gdlc=loud").assert().code(0);
    let message = String::from_utf8_lossy(&outcome.get_output().stderr).into_owned();
    assert!(message.contains("RUST_LOG is ignored"), "{message}");
}

/// The commands in the README and in the examples of `--help`.
#[test]
fn documented_commands_are_understood() {
    let readme = std::fs::read_to_string("README.md").expect("there is a README");
    let command = Cli::command();
    let helps = command.get_subcommands().map(|subcommand| {
        let help = subcommand.get_after_help().expect("it has examples");
        help.to_string()
    });
    let mut understood = 0;
    for text in helps.chain([readme]) {
        for line in text.lines().map(str::trim) {
            let line = line.replace("cargo run --release --", "gdl");
            let ends = ["  ", " | ", " > ", " && ", " #"].map(|end| line.find(end));
            let line = &line[..ends.into_iter().flatten().min().unwrap_or(line.len())];
            if line.starts_with("gdl ") {
                if let Err(error) = Cli::try_parse_from(line.split_whitespace()) {
                    panic!("{line}: {error}");
                }
                understood += 1;
            }
        }
    }
    assert!(understood > 15, "only {understood} examples");
}

#[test]
fn continuous_integration_runs_the_readmes_tests() {
    let readme = std::fs::read_to_string("README.md").expect("there is a README");
    let script = std::fs::read_to_string(".ci/run").expect("there is a script");
    let tests = (readme.lines())
        .find(|line| line.starts_with("cargo test"))
        .expect("the README says how to test");
    assert!(script.lines().any(|line| line == tests), "{tests}");
}

#[test]
fn wrong_usage_exits_with_2() {
    stderr(&mut gdl(&[]), 2);
    stderr(&mut gdl(&["juggle"]), 2);
    stderr(&mut gdl(&["perft", "games/hex.kif", "many"]), 2);
    let message = stderr(&mut gdl(&["perft", "games/chess2.kif", "1"]), 2);
    assert!(message.contains("games/chess2.kif"), "{message}");
    assert!(message.starts_with("error: "), "{message}");
}

#[test]
fn errors_in_the_rules_exit_with_1_and_are_underlined() {
    for args in [
        &["check", "-"][..],
        &["perft", "-", "1"],
        &["show", "rules", "-"],
    ] {
        let output = gdl(args).write_stdin(UNSAFE_RULE).assert().code(1);
        let output = output.get_output();
        let message = [output.stdout.as_slice(), &output.stderr].concat();
        let message = String::from_utf8(message).expect("messages are UTF-8");
        assert!(message.contains("?move"), "{args:?}: {message}");
        assert!(message.contains("^^^^^"), "{args:?}: {message}");
        assert!(message.contains("-:2:"), "{args:?}: {message}");
    }
}

#[test]
fn perft_counts() {
    let text = stdout(&["perft", "games/tictactoe.kif", "3", "--engine", "reference"]);
    let nodes: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_whitespace().nth(2))
        .collect();
    assert_eq!(nodes, ["9", "72", "504"]);
}

#[test]
fn perft_json_parses_and_the_parts_add_up() {
    let report = json(&[
        "perft",
        "games/tron.kif",
        "3",
        "--engine",
        "reference",
        "--json",
        "--divide",
    ]);
    assert_eq!(report["counts"][2]["nodes"], 841);
    let parts = report["divide"].as_array().expect("parts");
    let sum: u64 = parts.iter().filter_map(|part| part["nodes"].as_u64()).sum();
    assert_eq!((parts.len(), sum), (16, 841));
}

#[test]
fn every_stage_can_be_shown() {
    for stage in [
        "ast",
        "rules",
        "strata",
        "ground",
        "assembled",
        "net",
        "plan",
        "rust",
    ] {
        let text = stdout(&["show", stage, "games/tictactoe.kif"]);
        assert!(text.lines().count() > 10, "{stage}: {text}");
        assert_eq!(
            text,
            stdout(&["show", stage, "games/tictactoe.kif"]),
            "{stage}"
        );
    }
    for stage in ["strata", "net"] {
        let graph = stdout(&["show", stage, "--dot", "games/tictactoe.kif"]);
        assert!(graph.starts_with("digraph"), "{graph}");
    }
    for stage in ["assembled", "net"] {
        let aiger = stdout(&["show", stage, "--format", "aag", "games/tictactoe.kif"]);
        assert!(aiger.starts_with("aag "), "{aiger}");
        gdl(&["show", stage, "--format", "aiger", "games/tictactoe.kif"])
            .assert()
            .success();
    }
    for form in ["--dot", "--format=aiger"] {
        stderr(&mut gdl(&["show", "ast", form, "games/tictactoe.kif"]), 2);
    }
}

#[test]
fn shown_rules_are_a_rule_sheet_again() {
    let ast = stdout(&["show", "ast", "games/checkers.kif"]);
    let rules = stdout(&["show", "rules", "games/checkers.kif"]);
    for text in [ast, rules] {
        let args = ["perft", "-", "4", "--engine", "reference", "--json"];
        let output = gdl(&args).write_stdin(text).assert().success();
        let report: Value =
            serde_json::from_slice(&output.get_output().stdout).expect("output is JSON");
        assert_eq!(report["counts"][3]["nodes"], 1469);
    }
}

#[test]
fn verify_accepts_a_golden_and_finds_a_wrong_move() {
    let golden = "games/golden/tictactoe.jsonl";
    let args = ["verify", "--engine", "reference", "games/tictactoe.kif"];
    let text = stdout(&[&args[..], &[golden]].concat());
    let last = text.lines().last().unwrap_or_default();
    assert!(last.starts_with("verified "), "{text}");
    assert!(last.ends_with(" states, 0 mismatches"), "{text}");

    let trace = std::fs::read_to_string(golden).expect("the golden is there");
    let wrong = trace.replacen("\"(mark 1 1)\"", "\"(mark 9 9)\"", 1);
    assert_ne!(trace, wrong);
    let file = std::env::temp_dir().join(format!("gdl-wrong-{}.jsonl", std::process::id()));
    std::fs::write(&file, wrong).expect("temporary files can be written");
    let path = file.to_string_lossy().into_owned();
    let output = gdl(&[&args[..], &[path.as_str()]].concat())
        .assert()
        .code(1);
    let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    std::fs::remove_file(&file).expect("it was written");
    assert!(text.contains("(mark 9 9)"), "{text}");
    assert!(!text.trim_end().ends_with(" 0 mismatches"), "{text}");
}

/// A record cannot make `gdl view` read any other file.
#[test]
fn a_record_is_replayed_by_the_built_in_game_that_it_names() {
    let folder = tempfile::tempdir().expect("temporary folders can be made");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (record, out) = (path("record.jsonl"), path("replay.html"));
    for (game, code) in [("tictactoe", 0), ("games/tictactoe.kif", 2)] {
        let journal = format!(
            "{{\"game\":\"{game}\",\"rules\":\"00\",\"agents\":[\"a\",\"b\"]}}\n\
             {{\"game\":0,\"seats\":[0,1],\"goals\":[50,50],\"moves\":[[\"(mark 1 1)\",\"noop\"]]}}\n"
        );
        std::fs::write(&record, journal).expect("it can be written");
        let error = stderr(&mut gdl(&["view", &record, "-o", &out]), code);
        assert_eq!(error.contains("names no game that is built in"), code == 2);
    }
    let memory = ["view", &record, "-o", &out, "--memory", "10"];
    stderr(&mut gdl(&memory), 2);
}

/// No file contents make `gdl` panic or hang.
#[test]
fn broken_rule_sheets_are_refused() {
    let whole = std::fs::read_to_string("games/othello.kif").expect("the game is there");
    let sheets = [
        String::new(),
        "(".repeat(200_000),
        ")".repeat(1000),
        format!("{}a{}", "(f ".repeat(50_000), ")".repeat(50_000)),
        whole[..whole.len() / 2].to_owned(),
        "\u{0}\u{1}(role \u{fffd})".to_owned(),
        "(role r) (role r) (<= (p ?x) (p ?x)) (<= (q ?x) (not (q ?x)))".to_owned(),
        "(<= (next (f (g ?x))) (true (f ?x)))".to_owned(),
        format!(
            "{whole}\n(<= (next (endless (s ?x))) (true (endless ?x)))\n(init (endless z))\n(<= terminal"
        ),
    ];
    for sheet in sheets {
        for args in [&["check", "-"][..], &["perft", "-", "1"]] {
            let output = gdl(args).write_stdin(sheet.as_str()).assert();
            let output = output.get_output();
            let start = &sheet[..sheet.len().min(40)];
            assert_eq!(output.status.code(), Some(1), "{args:?}: {start}");
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(!message.contains("panicked"), "{args:?}: {message}");
        }
    }
}

#[test]
fn games_too_large_to_ground_name_the_rule() {
    let endless = "(role r)\n(init (endless z))\n\
        (<= (next (endless (s ?x))) (true (endless ?x)))\n\
        (legal r wait)\n(goal r 100)\n(<= terminal (true (endless stop)))\n";
    let message = stderr(gdl(&["show", "net", "-"]).write_stdin(endless), 2);
    assert!(message.contains("-:3:1"), "{message}");
    // The reference engine can play it, and takes over.
    let message = stderr(gdl(&["perft", "-", "2"]).write_stdin(endless), 0);
    assert!(message.contains("-:3:1"), "{message}");
}

#[test]
fn the_same_rules_give_the_same_code() {
    for game in ["games/checkers.kif", "games/hex.kif", "games/tron.kif"] {
        for stage in ["ground", "net", "plan", "rust"] {
            let args = ["show", stage, game];
            assert_eq!(stdout(&args), stdout(&args), "{args:?}");
        }
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_gdl"))
        .args(["show", "rules", "games/othello.kif"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gdl can be started");
    drop(child.stdout.take());
    let mut message = String::new();
    let mut pipe = child.stderr.take().expect("it is piped");
    pipe.read_to_string(&mut message)
        .expect("messages are UTF-8");
    child.wait().expect("gdl ends");
    assert_eq!(message, "");
}

#[test]
fn all_our_games_are_built_in() {
    let text = stdout(&["list"]);
    for path in std::fs::read_dir("games").expect("games/ is there") {
        let path = path.expect("games/ can be listed").path();
        if path.extension().is_some_and(|extension| extension == "kif") {
            let name = path.file_stem().expect("it has a name").to_string_lossy();
            assert!(text.lines().any(|line| line.starts_with(&*name)), "{name}");
        }
    }
    let report = json(&["perft", "othello", "4", "--json"]);
    assert_eq!(report["counts"][3]["nodes"], 244);
}

/// The emitted code has the game's words in strings and comments only.
#[test]
fn hostile_names_do_not_become_code() {
    let _compiler = common::process::compiling();
    let sheet = "(role \\\"}fn)\n(init */panic!)\n(legal \\\"}fn {{}\\n)\n\
        (<= (next */panic!) (true */panic!))\n(<= (next r#loop) (does \\\"}fn {{}\\n))\n\
        (goal \\\"}fn 100)\n(<= terminal (true r#loop))\n";
    let args = ["perft", "-", "2", "--engine", "native", "--json"];
    let output = gdl(&args).write_stdin(sheet).assert().success();
    let report: Value =
        serde_json::from_slice(&output.get_output().stdout).expect("output is JSON");
    assert_eq!(report["counts"][0]["nodes"], 1);
    assert_eq!(report["counts"][1]["nodes"], 0);
}

//! Contests that are shown in the browser.

use super::{folder, game, games, quick};
use crate::common::command::output;
use serde_json::Value;
use std::path::Path;

/// The results of twelve quick games, and what was printed beside them.
fn play(folder: &Path, rules: &str, more: &[&str]) -> (Value, String) {
    let arguments = quick(rules, &[&["--json"], more].concat());
    let (results, notes) = output(folder, &arguments, 0);
    (serde_json::from_str(&results).unwrap(), notes)
}

#[test]
fn a_page_changes_neither_games_nor_results() {
    let folder = folder();
    let rules = game("tictactoe");
    let (plain, notes) = play(folder.path(), &rules, &["--out=plain.jsonl"]);
    assert!(!notes.contains("live at"), "{notes}");
    let shown = ["--out=shown.jsonl", "--view", "--no-open"];
    let (shown, notes) = play(folder.path(), &rules, &shown);
    assert!(notes.contains("live at http://127.0.0.1:"), "{notes}");
    for key in [
        "games", "score", "lower", "upper", "elo", "wins", "draws", "losses", "illegal",
    ] {
        assert_eq!(plain[key], shown[key], "{key}");
    }
    let journal = |name: &str| games(&folder.path().join(name));
    assert_eq!(journal("plain.jsonl"), journal("shown.jsonl"));
}

#[test]
fn a_port_that_is_taken_is_no_contest() {
    let folder = folder();
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = format!("--view-port={}", taken.local_addr().unwrap().port());
    let rules = game("tictactoe");
    let arguments = quick(&rules, &["--view", "--no-open", &port]);
    let (results, error) = output(folder.path(), &arguments, 2);
    assert_eq!(results, "");
    assert!(error.contains("cannot listen at 127.0.0.1:"), "{error}");
}

#[test]
fn no_page_opens_and_nothing_is_played_if_a_game_of_a_tournament_has_errors() {
    let folder = folder();
    std::fs::write(folder.path().join("broken.kif"), "(role r) (init)").unwrap();
    let text = format!(
        "games = 2\nsimulations = 5\nrules = [{:?}, \"broken.kif\"]\nagents = [\"uct\", \"random\"]\n",
        game("tictactoe")
    );
    std::fs::write(folder.path().join("table.toml"), text).unwrap();
    let arguments = ["tournament", "table.toml", "--view", "--no-open"];
    let (results, error) = output(folder.path(), &arguments, 1);
    assert_eq!(results, "");
    assert!(error.contains("broken.kif:1:"), "{error}");
    assert!(!error.contains("live at"), "{error}");
    let played = std::fs::read_dir(folder.path().join("table")).map(Iterator::count);
    assert_eq!(played.unwrap_or(0), 0);
}

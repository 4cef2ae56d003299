//! Tournaments, their shards, and match records.

use super::*;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Writes a tournament of two games into a folder.
fn tournament(folder: &Path) {
    let rules = ["tictactoe", "tron"].map(|name| format!("{:?}", game(name)));
    let text = format!(
        "seed = 3\ngames = 110\nsimulations = 5\nrules = [{}]\n\
         agents = [\"uct\", \"random\", \"uct+discount(gamma=0.99)\"]\n\
         [[pairing]]\ngame = {}\nfirst = \"random\"\nsecond = \"random\"\ngames = 10\n\
         paper = 72.5\ntable = \"A table\"\nrow = \"Tron\"\ncolumn = \"random\"\n",
        rules.join(", "),
        rules[1]
    );
    std::fs::write(folder.join("table.toml"), text).unwrap();
}

fn journals(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn shards_make_up_the_tournament() {
    let folder = folder();
    let folder = folder.path();
    tournament(folder);
    for shard in ["1/3", "2/3", "3/3"] {
        let arguments = [
            "tournament",
            "table.toml",
            "--threads=1",
            "--out=parts",
            "--shard",
            shard,
        ];
        output(folder, &arguments, 0);
    }
    let mut places = BTreeSet::new();
    for path in journals(&folder.join("parts")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let contest = name.rsplitn(3, '.').last().unwrap().to_owned();
        for game in games(&path) {
            let place = (contest.clone(), game["game"].as_u64().unwrap());
            assert!(places.insert(place.clone()), "{place:?} was played twice");
        }
    }
    assert_eq!(places.len(), 2 * 3 * 110 + 10);

    let (out, _) = output(folder, &["results", "parts", "--json"], 0);
    let merged: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(merged.len(), 7);
    let counts: BTreeSet<u64> = merged
        .iter()
        .map(|summary| summary["games"].as_u64().unwrap())
        .collect();
    assert_eq!(counts, BTreeSet::from([10, 110]));
}

#[test]
fn tournaments_are_tables() {
    let folder = folder();
    let folder = folder.path();
    tournament(folder);
    let (out, _) = output(folder, &["tournament", "table.toml", "--threads=1"], 0);
    // One line for the heading of the game, and one for each of its three pairings.
    assert_eq!(out.matches("tictactoe").count(), 1 + 3, "{out}");
    assert!(out.contains("tron, 5 simulations a move"), "{out}");
    let (results, _) = output(folder, &["results", "table"], 0);
    // The agents may stand in another order, and so the rows and the columns.
    let sorted = |text: &str| {
        let words = |line: &str| {
            let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            words.sort();
            words
        };
        let mut lines: Vec<Vec<String>> = text.lines().map(words).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&out), sorted(&results));

    let (summaries, _) = output(folder, &["results", "table", "--json"], 0);
    std::fs::write(folder.join("summary.jsonl"), &summaries).unwrap();
    let (again, _) = output(folder, &["results", "summary.jsonl", "--json"], 0);
    assert_eq!(again, summaries);
    let (markdown, _) = output(folder, &["results", "summary.jsonl", "--markdown"], 0);
    assert!(markdown.contains("### A table"), "{markdown}");
    let row = markdown
        .lines()
        .find(|line| line.starts_with("| Tron | random | random | random | 72.5 % |"))
        .unwrap_or_else(|| panic!("{markdown}"));
    assert!(row.ends_with(" % (10) |"), "{row}");

    // All games are in the journals, so none is played.
    let before: Vec<Vec<u8>> = journals(&folder.join("table"))
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    output(folder, &["tournament", "table.toml", "--threads=1"], 0);
    let after: Vec<Vec<u8>> = journals(&folder.join("table"))
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect();
    assert_eq!(before, after);
}

#[test]
fn tournament_files_have_errors_with_places() {
    let folder = folder();
    let text = "games = 10\nsimulations = 10\nrules = [\"nowhere.kif\"]\n";
    std::fs::write(folder.path().join("table.toml"), text).unwrap();
    let (_, message) = output(folder.path(), &["tournament", "table.toml"], 2);
    assert!(
        message.contains("table.toml:3:10: there is no rule sheet"),
        "{message}"
    );
    for shard in ["0/2", "3/2", "1", "a/b"] {
        output(
            folder.path(),
            &["tournament", "table.toml", "--shard", shard],
            2,
        );
    }
    for games in ["--games=0", "--games=1000000000000"] {
        let (_, message) = output(folder.path(), &["tournament", "table.toml", games], 2);
        assert!(message.contains("--games"), "{message}");
    }
}

#[test]
fn records_are_matches_of_the_ggp_base() {
    let (folder, game) = (folder(), game("tictactoe"));
    output(folder.path(), &quick(&game, &["--records=records"]), 0);
    let paths = journals(&folder.path().join("records"));
    assert_eq!(paths.len(), 12);
    for path in paths {
        let record: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let states = record["states"].as_array().unwrap();
        let rounds = record["moves"].as_array().unwrap().len();
        assert_eq!(states[0], "( (turn x) )");
        assert_eq!(states.len(), rounds + 1);
        assert_eq!(record["stateTimes"].as_array().unwrap().len(), rounds + 1);
        assert_eq!(record["errors"].as_array().unwrap().len(), rounds + 1);
        assert_eq!(record["isCompleted"], true);
        let goals = record["goalValues"].as_array().unwrap();
        assert_eq!(
            goals.iter().map(|goal| goal.as_i64().unwrap()).sum::<i64>(),
            100
        );
        let players: BTreeSet<&str> = record["playerNamesFromHost"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap())
            .collect();
        assert_eq!(players, BTreeSet::from(["random", "uct"]));
    }
}

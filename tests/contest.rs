//! `gdl match`, `gdl tournament` and `gdl results` from outside: games that
//! repeat, files that go on where they were cut, figures that agree.
#![allow(clippy::unwrap_used)]

mod common;

use common::command::output;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&output(folder, arguments, 0).0).unwrap()
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn game(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    path.join(format!("{name}.kif")).display().to_string()
}

/// A match of twelve quick games, with `more`.
fn quick<'a>(game: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let arguments = [
        "match",
        game,
        "uct",
        "random",
        "--games=12",
        "--sims=30",
        "--seed=5",
        "--threads=1",
    ];
    [&arguments[..], more].concat()
}

/// The lines of games without what depends on the clock, by their places.
fn games(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().skip(1);
    let mut games: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for player in games
        .iter_mut()
        .flat_map(|game| game["players"].as_array_mut().unwrap())
    {
        player.as_object_mut().unwrap().remove("seconds");
    }
    games.sort_by_key(|game| game["game"].as_u64());
    games
}

#[test]
fn a_seed_repeats_a_match_move_by_move() {
    let folder = folder();
    let game = game("connect_four");
    let played = ["1", "2", "1"].map(|seed| {
        let path = folder.path().join("games.jsonl");
        let seed = format!("--seed={seed}");
        let arguments = [
            "match",
            &game,
            "uct",
            "uct",
            "--games=8",
            "--sims=50",
            &seed,
            "--threads=1",
            "--out=games.jsonl",
        ];
        output(folder.path(), &arguments, 0);
        let played = games(&path);
        std::fs::remove_file(path).unwrap();
        played
    });
    assert_eq!(played[0].len(), 8);
    assert_eq!(played[0], played[2]);
    assert_ne!(played[0], played[1]);
    let openings: BTreeSet<String> = played[0]
        .iter()
        .map(|game| game["moves"][0].to_string())
        .collect();
    assert!(openings.len() > 1, "all games began with {openings:?}");
}

#[test]
fn roles_are_swapped_evenly() {
    let (folder, game) = (folder(), game("tictactoe"));
    let report = json(
        folder.path(),
        &quick(&game, &["--json", "--out=games.jsonl"]),
    );
    let played = games(&folder.path().join("games.jsonl"));
    let seats: Vec<String> = played
        .iter()
        .map(|game| game["seats"].to_string())
        .collect();
    assert_eq!(seats, ["[0,1]", "[1,0]"].repeat(6));
    let first = |game: &Value| {
        let seats = game["seats"].as_array().unwrap();
        let role = seats.iter().position(|agent| agent == 0).unwrap();
        game["goals"][role].as_f64().unwrap() / 100.0
    };
    let score: f64 = played.iter().map(first).sum::<f64>() / 12.0;
    assert!((report["score"].as_f64().unwrap() - score).abs() < 1e-12);
}

#[test]
fn json_has_the_figures() {
    let (folder, game) = (folder(), game("tictactoe"));
    let report = json(folder.path(), &quick(&game, &["--json"]));
    let number = |key: &str| report[key].as_f64().unwrap_or_else(|| panic!("{key}"));
    let (score, lower, upper) = (number("score"), number("lower"), number("upper"));
    assert!(0.0 <= lower && lower <= score && score <= upper && upper <= 1.0);
    assert!(score > 0.5, "{report}");
    assert_eq!(number("games"), 12.0);
    assert_eq!((number("illegal"), number("overruns")), (0.0, 0.0));
    assert_eq!(number("wins") + number("draws") + number("losses"), 12.0);
    assert!(number("simulations_per_second") > 0.0);
    assert!((5.0..=9.0).contains(&number("average_length")));
    assert_eq!(report["budget"], serde_json::json!({"simulations": 30}));
    assert_eq!(report["agents"][0]["agent"], "uct");
    assert_eq!(report["agents"][1]["simulations_per_second"], Value::Null);
    let kept = folder.path().join("tictactoe.uct.vs.random.30sims.jsonl");
    assert_eq!(games(&kept).len(), 12);
}

#[test]
fn a_match_goes_on_after_any_cut() {
    let (folder, game) = (folder(), game("tictactoe"));
    let path = folder.path().join("games.jsonl");
    let arguments = quick(&game, &["--out=games.jsonl", "--games=3"]);
    let arguments: Vec<&str> = arguments
        .into_iter()
        .filter(|&argument| argument != "--games=12")
        .collect();
    output(folder.path(), &arguments, 0);
    let whole = std::fs::read(&path).unwrap();
    let end = whole.len() - 1;
    let last = whole[..end]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .unwrap()
        + 1;
    let before = &whole[..last];
    for cut in last..=end {
        std::fs::write(&path, &whole[..cut]).unwrap();
        output(folder.path(), &arguments, 0);
        let resumed = std::fs::read(&path).unwrap();
        assert!(resumed.starts_with(before), "cut at {cut}");
        let numbers: Vec<Value> = games(&path)
            .iter()
            .map(|game| game["game"].clone())
            .collect();
        assert_eq!(numbers, [0, 1, 2], "cut at {cut}");
    }
    // With the first line cut, all games are played again.
    std::fs::write(&path, &whole[..10]).unwrap();
    output(folder.path(), &arguments, 0);
    assert_eq!(games(&path).len(), 3);
}

#[test]
fn complete_files_are_not_played_again_and_others_refused() {
    let (folder, game) = (folder(), game("tictactoe"));
    let path = folder.path().join("games.jsonl");
    let first = json(
        folder.path(),
        &quick(&game, &["--json", "--out=games.jsonl"]),
    );
    let bytes = std::fs::read(&path).unwrap();
    let again = json(
        folder.path(),
        &quick(&game, &["--json", "--out=games.jsonl"]),
    );
    assert_eq!(first, again);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let results = json(folder.path(), &["results", "games.jsonl", "--json"]);
    assert_eq!(first, results);

    let other = [
        "match",
        &game,
        "uct",
        "random",
        "--sims=40",
        "--seed=6",
        "--out=games.jsonl",
    ];
    let (_, message) = output(folder.path(), &other, 2);
    assert!(
        message.contains("budget is {\"simulations\":30} there"),
        "{message}"
    );
    assert!(message.contains("seed is 5 there and 6 now"), "{message}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn damaged_files_name_the_line() {
    let (folder, game) = (folder(), game("tictactoe"));
    let path = folder.path().join("games.jsonl");
    output(folder.path(), &quick(&game, &["--out=games.jsonl"]), 0);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    for damage in ["{}", "nonsense", "{\"game\":0"] {
        let damaged = [lines[0], lines[1], damage, lines[2]].join("\n") + "\n";
        std::fs::write(&path, damaged).unwrap();
        let (_, message) = output(folder.path(), &["results", "games.jsonl"], 2);
        assert!(message.contains("games.jsonl:3: not a game"), "{message}");
    }
    let (swapped, straight) = ("\"seats\":[1,0]", "\"seats\":[0,1]");
    let swapped = match lines[1].contains(swapped) {
        true => lines[1].replace(swapped, straight),
        false => lines[1].replace(straight, swapped),
    };
    std::fs::write(&path, [lines[0], &swapped].join("\n") + "\n").unwrap();
    let (_, message) = output(folder.path(), &["results", "games.jsonl"], 2);
    assert!(
        message.contains("games.jsonl:2: not a game of this contest"),
        "{message}"
    );
}

#[test]
fn equal_agents_score_half() {
    let (folder, game) = (folder(), game("connect_four"));
    let arguments = [
        "match",
        &game,
        "uct",
        "uct",
        "--games=200",
        "--sims=40",
        "--seed=1",
        "--threads=1",
        "--json",
    ];
    let report = json(folder.path(), &arguments);
    let (lower, upper) = (&report["lower"], &report["upper"]);
    assert!(
        lower.as_f64() < Some(0.5) && upper.as_f64() > Some(0.5),
        "{report}"
    );
    // Games of a pair are not copies of each other.
    assert!(report["losses"].as_u64() > Some(20), "{report}");
}

#[test]
fn a_sequential_test_stops_early() {
    let (folder, game) = (folder(), game("tictactoe"));
    let sprt = ["--sprt", "--elo1=100", "--json"];
    let arguments = [
        "match",
        &game,
        "uct",
        "random",
        "--games=400",
        "--sims=50",
        "--seed=1",
        "--threads=1",
    ];
    let report = json(folder.path(), &[&arguments[..], &sprt].concat());
    assert_eq!(report["sprt"]["accepted"], "H1");
    assert!(report["games"].as_u64() < Some(200), "{report}");
    // What is not better is refused, with an exit code for scripts.
    let arguments = [
        "match",
        &game,
        "random",
        "uct",
        "--games=400",
        "--sims=50",
        "--seed=1",
        "--threads=1",
    ];
    let (out, _) = output(folder.path(), &[&arguments[..], &sprt].concat(), 1);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["sprt"]["accepted"], "H0");
}

#[test]
fn time_is_kept() {
    let (folder, game) = (folder(), game("tictactoe"));
    let arguments = [
        "match",
        &game,
        "uct",
        "random",
        "--games=4",
        "--time=20ms",
        "--threads=1",
        "--json",
    ];
    let report = json(folder.path(), &arguments);
    assert_eq!(report["budget"], serde_json::json!({"seconds": 0.02}));
    // A busy machine may be late, but not wrong.
    assert!(report["longest_overrun"].as_f64() < Some(1.0), "{report}");
    assert_eq!(report["illegal"], 0);
}

#[test]
fn three_can_play() {
    let (folder, game) = (folder(), game("yavalath"));
    let arguments = [
        "match",
        &game,
        "uct",
        "random",
        "random",
        "--games=6",
        "--sims=20",
        "--seed=1",
        "--threads=1",
        "--json",
    ];
    let report = json(folder.path(), &arguments);
    let agents = report["agents"].as_array().unwrap();
    let sum: f64 = agents
        .iter()
        .map(|agent| agent["score"].as_f64().unwrap())
        .sum();
    assert!((sum - 1.5).abs() < 1e-9, "{report}");
}

#[test]
fn alone_they_compare_goals() {
    let (folder, game) = (folder(), game("peg_solitaire"));
    let report = json(folder.path(), &quick(&game, &["--json"]));
    assert_eq!(
        (&report["games"], &report["encounters"]),
        (&12.into(), &6.into())
    );
    assert!(report["score"].as_f64() >= Some(0.5), "{report}");
}

#[test]
fn agents_have_to_be_known_and_to_fit() {
    let (folder, game) = (folder(), game("tictactoe"));
    let wrong = [
        (vec!["match", &game, "uct", "nobody"], "there are uct"),
        (vec!["match", &game, "uct"], "AGENT"),
        (vec!["match", &game, "uct", "uct", "random"], "2 roles"),
        (
            vec!["match", &game, "uct", "uct", "--time=1s", "--sims=1"],
            "--sims",
        ),
        (vec!["match", &game, "uct", "uct", "--time=soon"], "1s"),
        (
            vec!["match", &game, "uct", "uct", "--sprt", "--elo1=-5"],
            "--elo0",
        ),
        (vec!["match", &game, "uct", "uct", "--elo1=5"], "--sprt"),
        (vec!["match", "nowhere.kif", "uct", "uct"], "nowhere.kif"),
        (vec!["match", "-", "uct", "uct"], "standard input"),
    ];
    for (arguments, part) in wrong {
        let (out, message) = output(folder.path(), &arguments, 2);
        assert_eq!(out, "", "{arguments:?}");
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

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
    // A line for the heads of each of three tables, and for each agent and contest.
    assert_eq!(out.matches("tictactoe").count(), 1 + 3, "{out}");
    assert!(out.contains("tron, 5 simulations a move"), "{out}");
    let (results, _) = output(folder, &["results", "table"], 0);
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&out).len(), sorted(&results).len());

    let (summaries, _) = output(folder, &["results", "table", "--json"], 0);
    std::fs::write(folder.join("summary.jsonl"), &summaries).unwrap();
    let (again, _) = output(folder, &["results", "summary.jsonl", "--json"], 0);
    assert_eq!(again, summaries);
    let (markdown, _) = output(folder, &["results", "summary.jsonl", "--markdown"], 0);
    assert!(markdown.contains("### A table"), "{markdown}");
    let row = markdown
        .lines()
        .find(|line| line.contains("72.5 %"))
        .unwrap();
    assert!(
        row.starts_with("| Tron | random | random | random | 5 simulations | 72.5 % |"),
        "{row}"
    );
    assert!(row.ends_with("| 10 | open |"), "{row}");

    // All of it is there: nothing is played.
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

/// Killed in the middle of long games, it takes them up where they were.
#[test]
fn games_under_way_outlive_their_process() {
    for (seed, budget) in [("--seed=1", "--sims=20000"), ("--seed=2", "--time=300ms")] {
        let (folder, game) = (folder(), game("breakthrough"));
        let mut arguments = vec!["match", &game, "uct+unproven", "random", "--games=2"];
        arguments.extend(["--threads=2", "--out=games.jsonl", seed, budget]);
        let unfinished = folder.path().join("games.jsonl.unfinished");
        let parts = || -> Vec<Value> {
            let text = std::fs::read_to_string(&unfinished).unwrap_or_default();
            let lines = text.lines().skip(1).map(serde_json::from_str);
            lines.map_while(Result::ok).collect()
        };
        let known = |parts: &[Value]| -> Vec<Value> {
            let moves = parts.iter().filter(|part| part["game"] == 0);
            moves
                .flat_map(|part| part["moves"].as_array().unwrap().clone())
                .collect()
        };
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_gdl"))
            .args(&arguments)
            .current_dir(folder.path())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        for _ in 0..600 {
            if known(&parts()).len() > 1 {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let before = known(&parts());
        assert!(before.len() > 1, "{budget}");

        output(folder.path(), &arguments, 0);
        let games = games(&folder.path().join("games.jsonl"));
        assert_eq!(games.len(), 2);
        let moves = games[0]["moves"].as_array().unwrap();
        assert!(moves.len() > before.len());
        assert_eq!(moves[..before.len()], before, "{budget}");
        assert_eq!(games[0]["interruptions"], 1);
        assert!(!unfinished.exists());
    }
}

/// Interrupted, it says how to go on, and its file is whole.
#[cfg(unix)]
#[test]
fn interruptions_say_how_to_go_on() {
    let (folder, game) = (folder(), game("tictactoe"));
    let child = std::process::Command::new(env!("CARGO_BIN_EXE_gdl"))
        .args([
            "match",
            &game,
            "uct",
            "uct",
            "--time=100ms",
            "--games=1000",
            "--out=games.jsonl",
        ])
        .current_dir(folder.path())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let path = folder.path().join("games.jsonl");
    let lines = || std::fs::read_to_string(&path).map_or(0, |text| text.lines().count());
    for _ in 0..600 {
        if lines() > 2 {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("to go on:\n"), "{message}");
    assert!(
        message.contains("--games=1000 --out=games.jsonl"),
        "{message}"
    );
    assert!(games(&path).len() > 1);
}

/// In hex a move is worth much the same whenever it is made. Only the average of the
/// few simulations that begin with a move tells what is worth making at last if
/// RAVE has no say in that: 18 of 100 games were won then, 93 when it has.
#[test]
fn rave_judges_the_move_that_is_made() {
    let (folder, game) = (folder(), game("hex"));
    let mut arguments = vec!["match", &game, "uct+rave", "uct", "--games=30", "--json"];
    arguments.extend(["--sims=300", "--seed=3", "--threads=1"]);
    let score = json(folder.path(), &arguments)["score"].as_f64().unwrap();
    assert!(score > 0.7, "{score}");
}

//! Journals that are resumed after a cut, and games that were interrupted.

use super::*;
use std::time::Duration;

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
    // Unit tests cut files of unfinished games at every byte; here each cut takes a process.
    for cut in (last..end).step_by(16).chain([end - 1, end]) {
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

/// A match that was killed in the middle of long games resumes them where they were.
#[test]
fn games_under_way_outlive_their_process() {
    for (seed, budget) in [("--seed=1", "--sims=20000"), ("--seed=2", "--time=150ms")] {
        let (folder, game) = (folder(), game("breakthrough"));
        let mut arguments = vec!["match", &game, "uct+unproven", "random", "--games=2"];
        arguments.extend(["--threads=2", "--out=games.jsonl", seed, budget]);
        let under_way = folder.path().join("games.jsonl.under-way");
        let parts = || -> Vec<Value> {
            let text = std::fs::read_to_string(&under_way).unwrap_or_default();
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
        assert!(!under_way.exists());
    }
}

/// An interrupted match says how to continue it, and its journal is intact.
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

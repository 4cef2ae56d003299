//! Matches and tournaments between remote players.

use super::game;
use super::player::{Manner, Player};
use crate::common::command;
use crate::common::process::keeping_time;
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn a_match_with_a_player_elsewhere_is_kept_and_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let player = Player::new(Manner::Good);
    let game = game("tictactoe");
    let play = |games| {
        let fixed = ["match", &game, &player.url, "random", "--playclock=5"];
        let rest = ["--seed=1", "--out=games.jsonl", "--json", games];
        let arguments = [&fixed[..], &rest].concat();
        command::output(folder.path(), &arguments, 0).0
    };
    let path = folder.path().join("games.jsonl");
    play("--games=2");
    let before = lines(&path);
    let summary: Value = serde_json::from_str(&play("--games=4")).unwrap();
    let after = lines(&path);
    assert_eq!(after[..3], before[..]);
    assert_eq!(after.len(), 5);
    assert_eq!(after[0]["venue"], "hosted");
    assert_eq!(after[0]["budget"]["clocks"]["start"], 30);
    assert_eq!(after[0]["agents"][0], player.url);
    assert_eq!(
        (&summary["games"], &summary["illegal"]),
        (&4.into(), &0.into())
    );
    let starts = player.heard();
    let roles = starts
        .iter()
        .filter_map(|message| message.strip_prefix("( START contest."));
    let roles: Vec<&str> = roles.map(|rest| rest.split(' ').nth(1).unwrap()).collect();
    assert_eq!(roles, ["x", "o", "x", "o"], "roles are swapped");
}

#[test]
fn illegal_and_late_moves_are_counted_in_tournaments() {
    let _clocks = keeping_time();
    let folder = tempfile::tempdir().unwrap();
    let (odd, good) = (Player::new(Manner::Illegal), Player::new(Manner::Good));
    let drops = Player::new(Manner::Drops);
    let text = format!(
        "games = 2\nplayclock = 1\nrules = [{:?}]\n\
         [[pairing]]\nfirst = {:?}\nsecond = {:?}\n\
         [[pairing]]\nfirst = {:?}\nsecond = \"random\"\ngames = 1\nstartclock = 3\n",
        game("tictactoe"),
        good.url,
        odd.url,
        drops.url,
    );
    std::fs::write(folder.path().join("table.toml"), text).unwrap();
    let arguments = ["tournament", "table.toml", "--json", "--records=records"];
    let (out, _) = command::output(folder.path(), &arguments, 1);
    let summaries: Vec<Value> = (out.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(summaries[0]["illegal"].as_u64() > Some(4), "{out}");
    assert_eq!(summaries[0]["overruns"], 0, "{out}");
    assert_eq!(summaries[1]["illegal"], 0, "{out}");
    assert!(summaries[1]["overruns"].as_u64() > Some(3), "{out}");
    let records = std::fs::read_dir(folder.path().join("records")).unwrap();
    let mut errors = 0;
    for record in records {
        let record = std::fs::read_to_string(record.unwrap().path()).unwrap();
        errors += record.matches("\"IL (surely not legal)\"").count();
        errors += record.matches("\"CE\"").count();
        let record: Value = serde_json::from_str(&record).unwrap();
        let rows = |name: &str| record[name].as_array().unwrap().len();
        assert_eq!(rows("errors"), rows("states"));
    }
    let counted = |summary: &Value| {
        summary["illegal"].as_u64().unwrap() + summary["overruns"].as_u64().unwrap()
    };
    // The player that drops connections causes one more error, at the start.
    let counted: u64 = summaries.iter().map(counted).sum();
    assert_eq!(errors as u64, counted + 1);
}

#[test]
fn contests_with_players_elsewhere_need_what_hosts_need() {
    let folder = tempfile::tempdir().unwrap();
    let (one, game) = (Player::new(Manner::Good), game("tictactoe"));
    let absent = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    for (arguments, message) in [
        ([&game, &one.url, "random", "--sims=5"], "play by clocks"),
        (
            [&game, &one.url, &one.url, "--games=2"],
            "one of them at a time",
        ),
        (
            ["tictactoe", &one.url, "random", "--games=2"],
            "need the rule sheet",
        ),
        (
            [&game, &absent, "random", "--games=2"],
            "no player at http://",
        ),
    ] {
        let arguments = [&["match"], &arguments[..]].concat();
        let (out, err) = command::output(folder.path(), &arguments, 2);
        assert!(
            out.is_empty() && err.contains(message),
            "{arguments:?}: {err}"
        );
    }
}

/// The host aborts the match before it exits, so that the players are free again.
#[test]
fn an_interrupted_contest_takes_leave_of_its_players() {
    let folder = tempfile::tempdir().unwrap();
    let player = Player::new(Manner::Late);
    let game = game("tictactoe");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_gdl"))
        .args(["match", &game, &player.url, "random", "--playclock=50"])
        .args(["--games=4", "--out=games.jsonl"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    player.wait_for("( PLAY");
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    player.wait_for("( ABORT contest.0.");
    assert_eq!(child.wait().unwrap().code(), Some(2));
    assert_eq!(lines(&folder.path().join("games.jsonl")).len(), 1);
}

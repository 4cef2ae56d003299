//! `gdl host` with two players of `gdl serve`: three processes that know only each
//! other's addresses.

use crate::common;
use crate::common::served::{PATIENCE, Served};
use assert_cmd::Command;
use gdl_network::protocol::MatchRecord;
use std::path::Path;

/// Hosts a match without errors, with a play clock of some seconds.
fn host(players: &[&Served], game: &Path, seconds: u32, more: &[&str]) -> MatchRecord {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gdl"));
    command.timeout(PATIENCE * 3).arg("host").arg(game);
    for (role, player) in players.iter().enumerate() {
        command.args(["--player", &format!("{}={}", role + 1, player.address)]);
    }
    command.args(["--startclock=2", "--playclock"]);
    command.arg(seconds.to_string()).arg("--json");
    let assert = command.args(more).assert().success();
    let record = &assert.get_output().stdout;
    let record: MatchRecord = serde_json::from_slice(record).expect("it prints a record");
    assert!(record.is_completed && !record.has_errors(), "{record:?}");
    record
}

/// Asserts that a player reports the same on a match that has just ended as the host.
fn assert_agreed(player: &Served, record: &MatchRecord) {
    let end = player.event("end");
    assert_eq!(end["match"], record.match_id);
    assert_eq!(end["how"], "stopped");
    assert_eq!(end["rounds"], record.moves.len());
    assert_eq!(end["goals"], serde_json::json!(record.goal_values));
}

/// The records that a player has saved.
fn kept(player: &Served) -> Vec<MatchRecord> {
    let files = std::fs::read_dir(player.records.path()).expect("records are kept");
    let read = files.map(|file| {
        let path = file.expect("they can be listed").path();
        let text = std::fs::read_to_string(path).expect("they can be read");
        serde_json::from_str(&text).expect("they are records")
    });
    read.collect()
}

#[test]
fn players_and_host_play_whole_matches() {
    let (one, other) = (Served::start(&[]), Served::start(&["--no-native"]));
    let games = common::root().join("games");

    // Where everything is proven, answers come before the clock runs out.
    let turns = host(&[&one, &other], &games.join("tictactoe.kif"), 10, &[]);
    assert_eq!(turns.goal_values.iter().sum::<i32>(), 100);
    let simultaneous = host(&[&other, &one], &games.join("tron.kif"), 1, &["--scramble"]);
    assert!(
        simultaneous.states[0].contains("red"),
        "the host keeps its words"
    );
    let lamps = common::root().join("network/src/compliance/rules/lamps.kif");
    let alone = host(&[&one], &lamps, 10, &[]);
    assert_eq!(alone.goal_values, [100], "three presses take little search");

    for record in [&turns, &simultaneous, &alone] {
        assert_agreed(&one, record);
    }
    for record in [&turns, &simultaneous] {
        assert_agreed(&other, record);
        let own = kept(&other)
            .into_iter()
            .find(|own| own.match_id == record.match_id);
        let own = own.expect("the player keeps it too");
        assert_eq!(own.goal_values, record.goal_values);
        assert_eq!(own.moves == record.moves, !record.scrambled);
    }
}

//! A compiler that hangs, is killed or does nothing, and matches and players that end
//! while it is running.

use super::footprint::{Footprint, descendants, named};
use super::short_match::{LAMPS, abort, rounds, start, still_plays, stop};
use crate::common::process::write_script;
use crate::common::served::{PATIENCE, Served};
use gdl_network::protocol::record::MatchRecord;
use std::fs;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A player whose compiler reports its version, and otherwise runs this script.
fn player(action: &str) -> (Served, TempDir) {
    let folder = tempfile::tempdir().expect("temporary folders can be made");
    let path = folder.path().join("rustc");
    let script = format!("#!/bin/sh\ncase \"$*\" in -vV) exec rustc -vV;; esac\n{action}\n");
    write_script(&path, &script);
    let player = Served::start_with(&[], |command| {
        command.env("RUSTC", &path);
    });
    (player, folder)
}

/// Waits until a compiler is running.
fn await_compiler(player: &Served) {
    let deadline = Instant::now() + PATIENCE;
    while descendants(player.id()) == 0 {
        assert!(Instant::now() < deadline, "nothing is compiled");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Matches are played on the propnet, one after another, and none waits for the
/// compiler.
#[test]
fn a_compiler_that_hangs() {
    let (player, folder) = player("sleep 1000; sleep 1000");
    await_compiler(&player);
    for number in 0..30 {
        let id = format!("hangs.{number}");
        assert_eq!(player.say(&start(&id, "keeper", LAMPS)), "ready");
        let engine = player.event("engine")["engine"].to_string();
        assert!(engine.contains("net"), "{id}: {engine}");
        let last = rounds(&player, &id, None, 3);
        let end = match number % 2 {
            0 => stop(&id, last),
            _ => abort(&id),
        };
        assert_ne!(player.say(&end), "busy");
    }
    still_plays(&player);
    // Some compilations go on for the next match; the others have been given up.
    let now = Footprint::of(&player);
    assert!(now.threads < 20 && now.descendants < 20, "{now:?}");
    let (code, log) = player.terminate();
    assert_eq!(code, Some(0), "{log}");
    await_the_end_of(&folder);
}

/// Waits until no process of a compiler is left.
fn await_the_end_of(folder: &TempDir) {
    let path = folder.path().to_str().expect("it is text");
    let deadline = Instant::now() + PATIENCE;
    while !named(path).is_empty() {
        assert!(Instant::now() < deadline, "{:?}", named(path));
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_compiler_that_is_killed_or_makes_nothing() {
    for action in ["kill -9 $$", "exit 0", "exit 1"] {
        let (player, _folder) = player(action);
        assert_eq!(player.say(&start("fails", "keeper", LAMPS)), "ready");
        let trouble = player.event("trouble")["reason"].to_string();
        assert!(trouble.contains("net engine"), "{trouble}");
        let last = rounds(&player, "fails", None, 3);
        assert_eq!(player.say(&stop("fails", last)), "done");
        still_plays(&player);
    }
}

/// The record is on disk soon after a move, not only when the match is over.
#[test]
fn termination_in_the_middle_of_a_match() {
    let (player, folder) = player("sleep 1000; sleep 1000");
    assert_eq!(player.say(&start("half", "keeper", LAMPS)), "ready");
    await_compiler(&player);
    rounds(&player, "half", None, 2);
    let record = await_record(player.records.path(), 1);
    assert_eq!((record.match_id.as_str(), record.moves.len()), ("half", 1));
    let began = Instant::now();
    let (code, log) = player.terminate();
    assert_eq!(code, Some(0), "{log}");
    assert!(
        began.elapsed() < Duration::from_secs(15),
        "{:?}",
        began.elapsed()
    );
    await_the_end_of(&folder);
}

/// The only record in a folder, as soon as it has this number of rounds: a thread of its own
/// writes it.
fn await_record(folder: &std::path::Path, rounds: usize) -> MatchRecord {
    let began = Instant::now();
    loop {
        let files = fs::read_dir(folder).into_iter().flatten();
        let paths = files.map_while(Result::ok).map(|file| file.path());
        let found = paths
            .filter(|path| path.extension().is_some_and(|it| it == "json"))
            .find_map(|path| {
                serde_json::from_str::<MatchRecord>(&fs::read_to_string(path).ok()?).ok()
            })
            .filter(|record| record.moves.len() >= rounds);
        match found {
            Some(record) => return record,
            None => assert!(began.elapsed() < Duration::from_secs(20), "no record"),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

//! Messages that are malformed or arrive at the wrong time.

use super::footprint::{Footprint, frugal_player};
use super::short_match::{LAMPS, abort, play_after, rounds, start, still_plays, stop};
use crate::common::served::Served;
use gdl_network::protocol::client::{AskError, post};
use std::fs;
use std::time::{Duration, Instant};

/// The reply of a player to any text.
fn say(player: &Served, text: &str) -> Result<String, AskError> {
    post(
        &player.address,
        "gdl",
        text,
        Instant::now() + Duration::from_secs(60),
    )
}

#[test]
fn nesting_of_100_000_parentheses() {
    let player = frugal_player();
    let before = Footprint::at_rest(&player);
    let nested = format!("{}{}", "(".repeat(100_000), ")".repeat(100_000));
    let refused = Err(AskError::Connection("status 400".to_owned()));
    assert_eq!(say(&player, &nested), refused);
    assert_eq!(say(&player, &"(".repeat(100_000)), refused);
    assert_eq!(
        player.say(&start("deep", "keeper", &format!("{LAMPS} (p {nested})"))),
        "busy"
    );
    assert_eq!(player.say(&start("deep", "keeper", LAMPS)), "ready");
    assert_eq!(player.say(&play_after("deep", Some(vec![nested]))), "busy");
    rounds(&player, "deep", None, 3);
    assert_eq!(player.say(&abort("deep")), "aborted");
    still_plays(&player);
    before.returns(&player);
}

#[test]
fn two_starts_of_one_match() {
    let player = frugal_player();
    let before = Footprint::at_rest(&player);
    assert_eq!(player.say(&start("twice", "keeper", LAMPS)), "ready");
    let last = rounds(&player, "twice", None, 1);
    assert_eq!(player.say(&start("Twice", "keeper", LAMPS)), "busy");
    let last = rounds(&player, "twice", last, 2);
    assert_eq!(player.say(&stop("twice", last)), "done");
    still_plays(&player);
    before.returns(&player);
}

#[test]
fn wrong_matches_and_moves() {
    let player = frugal_player();
    let before = Footprint::at_rest(&player);
    assert_eq!(player.say(&play_after("nowhere", None)), "busy");
    assert_eq!(player.say(&stop("nowhere", None)), "busy");
    assert_eq!(player.say(&abort("nowhere")), "busy");
    assert_eq!(player.say(&start("here", "keeper", LAMPS)), "ready");
    let last = rounds(&player, "here", None, 1);
    let press = || "(press a)".to_owned();
    for moves in [
        vec![press(); 2],
        vec![press(); 10_000],
        vec!["(leave)".to_owned()],
    ] {
        assert_eq!(player.say(&play_after("here", Some(moves))), "busy");
    }
    rounds(&player, "here", last, 2);
    let stopped = stop("here", Some(vec![press(); 2]));
    assert_eq!(player.say(&stopped), "done");
    still_plays(&player);
    before.returns(&player);
}

/// The name of a match never becomes part of a path.
#[test]
fn names_that_try_to_leave_the_folder() {
    let player = Served::start(&["--no-native"]);
    let long = "../".repeat(333);
    let names = [
        "../../outside",
        "/tmp/outside",
        "..",
        "a\\b",
        "`reboot`",
        "%2e%2e%2f",
        "é\u{202e}",
        &long,
    ];
    for id in names {
        assert_eq!(player.say(&start(id, "keeper", LAMPS)), "ready", "{id}");
        rounds(&player, id, None, 1);
        assert_eq!(player.say(&abort(id)), "aborted", "{id}");
        assert_eq!(player.event("end")["match"], id);
    }
    let files: Vec<_> = fs::read_dir(player.records.path())
        .expect("it is there")
        .collect();
    assert_eq!(files.len(), names.len());
    for file in files {
        let name = file.expect("it can be listed").file_name();
        let name = name.to_str().expect("it is text").to_owned();
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-.".contains(letter);
        assert!(
            name.ends_with(".json") && name.chars().all(is_plain),
            "{name}"
        );
    }
    still_plays(&player);
}

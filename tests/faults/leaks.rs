//! Many matches, one after another, on one player.

use super::footprint::Footprint;
use super::short_match::{LAMPS, abort, play, start, start_native, still_plays};
use crate::common::served::Served;
use gdl_network::compliance::sheets::TICTACTOE;

/// What many matches may leave behind, in bytes. A single tree or machine that each of
/// them left would be more.
const SLACK: u64 = 4 << 20;

/// Settings under which the allocator of the C library gives back what is freed: otherwise an
/// arena per thread keeps tens of megabytes, which vary from one match to the next and hide
/// leaks.
const ALLOCATOR: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_MMAP_THRESHOLD_", "65536"),
    ("MALLOC_TRIM_THRESHOLD_", "65536"),
];

#[test]
fn forty_matches() {
    matches(40);
}

#[test]
#[ignore = "takes minutes"]
fn a_thousand_matches() {
    matches(1000);
}

/// Most matches are played to their end; every tenth is a larger game that is aborted.
fn matches(count: usize) {
    let player = Served::start_with(&[], |command| {
        command.envs(ALLOCATOR);
    });
    // From now on their native code is in the cache and is loaded every time.
    for (role, rules) in [("keeper", LAMPS), ("x", TICTACTOE)] {
        start_native(&player, "compiles", role, rules);
        assert_eq!(player.say(&abort("compiles")), "aborted");
    }
    for warm_up in 0..10 {
        one(&player, warm_up);
    }
    let before = Footprint::at_rest(&player);
    for number in 0..count {
        one(&player, number);
    }
    before.returns(&player);
    let after = Footprint::of(&player);
    println!("{count} matches: {before:?}, then {after:?}");
    assert!(
        after.memory < before.memory + SLACK,
        "{before:?}, then {after:?}"
    );
    still_plays(&player);
}

fn one(player: &Served, number: usize) {
    let id = format!("match.{number}");
    if number.is_multiple_of(10) {
        assert_eq!(player.say(&start(&id, "x", TICTACTOE)), "ready");
        assert_eq!(player.say(&abort(&id)), "aborted");
    } else {
        play(player, &id);
    }
}

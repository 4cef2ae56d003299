//! Rule sheets that are wrong, hostile, or too large for any machine.

use super::footprint::{Footprint, frugal_player};
use super::short_match::{
    CLOCK, LAMPS, abort, answers, play_after, start, start_native, still_plays,
};
use crate::common::served::{PATIENCE, Served};
use gdl_network::compliance::sheets::{ODD_NAMES, explosion};
use std::time::{Duration, Instant};

#[test]
fn rules_that_explode_in_grounding() {
    let player = frugal_player();
    let before = Footprint::at_rest(&player);
    for message in [start("big", "a", &explosion()), play_after("big", None)] {
        let asked = Instant::now();
        let reply = player.say(&message);
        let taken = asked.elapsed();
        assert!(taken < CLOCK + Duration::from_secs(1), "{reply}: {taken:?}");
        // Another match can be played at the same time.
        still_plays(&player);
    }
    // Once all engines have failed, the player says so, and does not wait for the clock.
    let until = Instant::now() + PATIENCE;
    while player.say(&play_after("big", None)) != "busy" {
        assert!(Instant::now() < until, "it still believes in an engine");
    }
    assert!(player.event("unplayable")["reason"].is_string());
    player.say(&abort("big"));
    still_plays(&player);
    before.returns(&player);
}

#[test]
fn rules_with_errors() {
    let player = frugal_player();
    let before = Footprint::at_rest(&player);
    for (role, rules) in [
        (
            "keeper",
            format!("{LAMPS} (<= (legal keeper ?x) (not (lamp ?x)))"),
        ),
        ("keeper", format!("{LAMPS} (<= (legal keeper ?x) ?x)")),
        ("keeper", "(role keeper) (() ()) ((a)) (init)".to_owned()),
        ("keeper", String::new()),
        ("nobody", LAMPS.to_owned()),
    ] {
        let asked = Instant::now();
        assert_eq!(player.say(&start("wrong", role, &rules)), "busy");
        assert!(asked.elapsed() < CLOCK, "{:?}", asked.elapsed());
        assert!(player.event("unplayable")["reason"].is_string());
        assert_eq!(player.say(&play_after("wrong", None)), "busy");
        still_plays(&player);
    }
    before.returns(&player);
}

/// Names with quotes, keywords and comment marks do not break native code.
#[test]
fn names_that_try_to_leave_a_text() {
    let player = Served::start(&[]);
    start_native(&player, "odd", "self", ODD_NAMES);
    let reply = player.say(&play_after("odd", None));
    let legal = [
        "(\"+<>\" \"\\\"\\\\{}#!)",
        "(match a-b<c>d+e 'static //x)",
        "return",
    ];
    assert!(legal.contains(&reply.as_str()), "{reply}");
    assert_eq!(player.say(&abort("odd")), "aborted");
    answers(&player);
}

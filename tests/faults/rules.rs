//! Rule sheets that are wrong, hostile, or too large for any machine.

use super::footprint::{Footprint, frugal_player};
use super::short_match::{
    CLOCK, LAMPS, abort, answers, play_after, start, start_native, still_plays,
};
use crate::common::process::keeping_time;
use crate::common::served::{PATIENCE, Served};
use gdl_network::compliance::sheets::{ODD_NAMES, explosion};
use std::time::{Duration, Instant};

#[test]
fn rules_that_explode_in_grounding() {
    let _clocks = keeping_time();
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

/// Terms that share their parts, and so are far longer as texts than in memory.
#[test]
fn rules_whose_terms_double() {
    let player = frugal_player();
    let before = Footprint::at_rest(&player);
    let mut at_once = String::from("(role r) (t0 a) (goal r 0) (<= terminal (true (n a)))\n");
    for level in 0..40 {
        at_once += &format!("(<= (t{} (f ?x ?x)) (t{level} ?x))\n", level + 1);
    }
    at_once += "(<= (init (n ?x)) (t40 ?x)) (<= (legal r (go ?x)) (t40 ?x))";
    assert_eq!(player.say(&start("at-once", "r", &at_once)), "busy");
    assert!(player.event("unplayable")["reason"].is_string());
    still_plays(&player);
    let by_moves = "(role r) (init (n a)) (legal r stay) (goal r 0) (<= terminal (true never))
        (<= (next (n (f ?x ?x))) (true (n ?x)))";
    assert_eq!(player.say(&start("by-moves", "r", by_moves)), "ready");
    let mut last = None;
    for _ in 0..20 {
        player.say(&play_after("by-moves", last));
        last = Some(vec!["stay".to_owned()]);
    }
    assert_eq!(player.say(&abort("by-moves")), "aborted");
    still_plays(&player);
    before.returns(&player);
}

#[test]
fn rules_with_errors() {
    let _clocks = keeping_time();
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

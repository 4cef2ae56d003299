//! A match of three rounds with one role, to check that a player plays.

use crate::common::served::{PATIENCE, Served};
pub use gdl_network::compliance::sheets::LAMPS;
use gdl_network::protocol::message::Message;
use std::time::{Duration, Instant};

/// The start clock and play clock of all matches.
pub const CLOCK: Duration = Duration::from_secs(1);

/// How long INFO may take on a loaded machine; hosts wait for one second.
const PROMPT: Duration = Duration::from_secs(3);

/// Expects a reply to INFO, and then plays a whole match.
pub fn still_plays(player: &Served) {
    answers(player);
    play(player, "afterwards");
}

/// Expects a reply to INFO.
pub fn answers(player: &Served) {
    let asked = Instant::now();
    let reply = player.say(&Message::Info);
    assert!(reply.contains("( status "), "{reply}");
    assert!(asked.elapsed() < PROMPT, "{:?}", asked.elapsed());
}

/// Plays a match from the start to the end.
pub fn play(player: &Served, id: &str) {
    assert_eq!(player.say(&start(id, "keeper", LAMPS)), "ready", "{id}");
    let last = rounds(player, id, None, 3);
    assert_eq!(player.say(&stop(id, last)), "done", "{id}");
}

/// Plays some rounds of a match that has started; returns the moves of the last one.
pub fn rounds(
    player: &Served,
    id: &str,
    mut last: Option<Vec<String>>,
    count: usize,
) -> Option<Vec<String>> {
    for _ in 0..count {
        let asked = Instant::now();
        let reply = player.say(&play_after(id, last));
        let taken = asked.elapsed();
        assert!(
            ["(press a)", "(press b)", "(press c)"].contains(&reply.as_str()),
            "{id}: {reply}"
        );
        // The grace period of ggp-base's host.
        assert!(taken < CLOCK + Duration::from_secs(1), "{id}: {taken:?}");
        last = Some(vec![reply]);
    }
    last
}

pub fn start(id: &str, role: &str, rules: &str) -> Message {
    start_with(id, role, rules, CLOCK)
}

/// Starts a match and waits until it is played by native code.
pub fn start_native(player: &Served, id: &str, role: &str, rules: &str) {
    // The longer the play clock, the longer a player waits for a silent host: here, longer
    // than a compiler takes on a busy machine.
    let message = start_with(id, role, rules, PATIENCE / 3);
    assert_eq!(player.say(&message), "ready");
    player.await_native();
}

fn start_with(id: &str, role: &str, rules: &str, play_clock: Duration) -> Message {
    Message::Start {
        id: id.to_owned(),
        role: role.to_owned(),
        rules: rules.to_owned(),
        start_clock: CLOCK,
        play_clock,
    }
}

pub fn play_after(id: &str, moves: Option<Vec<String>>) -> Message {
    let id = id.to_owned();
    Message::Play { id, moves }
}

pub fn stop(id: &str, moves: Option<Vec<String>>) -> Message {
    let id = id.to_owned();
    Message::Stop { id, moves }
}

pub fn abort(id: &str) -> Message {
    Message::Abort { id: id.to_owned() }
}

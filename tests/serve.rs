//! `gdl serve`: whole matches with a player on the network.

use crate::common;
use crate::common::command::output;
use crate::common::process::keeping_time;
use crate::common::served::{PATIENCE, Served};
use gdl_engines::EngineKind;
use gdl_network::protocol::message::Message;
use gdl_network::protocol::record::MatchRecord;
use gdl_runtime::engine::Move;
use gdl_runtime::moves::find_move;
use std::time::{Duration, Instant};

const SECOND: Duration = Duration::from_secs(1);

/// The start clock, and the play clock of most matches.
const CLOCK: Duration = Duration::from_millis(500);

/// A play clock for matches of small games that wait for native code: the longer it is,
/// the longer a player waits for a silent host.
const LONG_CLOCK: Duration = Duration::from_secs(PATIENCE.as_secs() / 3);

/// The START message of a match of one of our games.
fn start(id: &str, game: &str, role: &str) -> Message {
    start_with(id, game, role, CLOCK)
}

fn start_with(id: &str, game: &str, role: &str, play_clock: Duration) -> Message {
    Message::Start {
        id: id.to_owned(),
        role: role.to_owned(),
        rules: common::game(game).text.clone(),
        start_clock: CLOCK,
        play_clock,
    }
}

fn play(id: &str, moves: Option<Vec<String>>) -> Message {
    let id = id.to_owned();
    Message::Play { id, moves }
}

fn stop(id: &str, moves: Option<Vec<String>>) -> Message {
    let id = id.to_owned();
    Message::Stop { id, moves }
}

/// Plays a match in which the player has one role and the other roles make their first
/// legal moves; returns the joint moves and the goals.
fn host(player: &Served, id: &str, game: &str, role: usize) -> (Vec<Vec<String>>, Vec<i32>) {
    host_slowly(player, id, game, role, CLOCK, &mut |_| {})
}

/// Like [`host`], with another play clock, and calls a function with the number of each
/// round before it.
fn host_slowly(
    player: &Served,
    id: &str,
    game: &str,
    role: usize,
    play_clock: Duration,
    wait: &mut dyn FnMut(usize),
) -> (Vec<Vec<String>>, Vec<i32>) {
    let mut engine = common::load(&common::game(game), EngineKind::Net);
    let name = engine.roles()[role].clone();
    let message = start_with(id, game, &name, play_clock);
    assert_eq!(player.say(&message), "ready");
    let mut state = engine.initial();
    let mut rounds: Vec<Vec<String>> = Vec::new();
    loop {
        let position = engine.examine(&state);
        if position.terminal {
            assert_eq!(player.say(&stop(id, rounds.last().cloned())), "done");
            return (rounds, gdl_agent::matches::highest_goals(&position));
        }
        wait(rounds.len());
        let asked = Instant::now();
        let reply = player.say(&play(id, rounds.last().cloned()));
        // The grace period of ggp-base's host.
        let taken = asked.elapsed();
        assert!(taken < play_clock + SECOND, "{id}: {taken:?}");
        let find = |reply: &str| find_move(&*engine, role, &position.legal[role], reply);
        let own = find(&reply).unwrap_or_else(|| panic!("{id}: {reply} is not legal"));
        let mut joint: Vec<Move> = position.legal.iter().map(|moves| moves[0]).collect();
        joint[role] = own;
        let names = joint.iter().enumerate();
        rounds.push(
            names
                .map(|(role, &mv)| engine.move_name(role, mv))
                .collect(),
        );
        state = engine.next(&state, &joint);
    }
}

#[test]
fn it_plays_and_changes_engines_and_keeps_records() {
    let player = Served::start(&[]);
    let mut wait = |round| {
        if round == 2 {
            assert_eq!(engine(&player), ("net".to_owned(), false));
            assert_eq!(engine(&player), ("native".to_owned(), true));
        }
    };
    // A game so small that its moves are decided long before the clock has run out.
    let (rounds, goals) = host_slowly(&player, "first", "tictactoe", 0, LONG_CLOCK, &mut wait);
    assert_eq!(goals, [100, 0], "first moves lose against it");
    let end = player.event("end");
    assert_eq!(
        (&end["match"], &end["how"]),
        (&"first".into(), &"stopped".into())
    );
    assert_eq!(end["rounds"], rounds.len());

    let files: Vec<_> = std::fs::read_dir(player.records.path())
        .expect("records are kept")
        .map(|file| file.expect("they can be listed").path())
        .collect();
    let [file] = &files[..] else {
        panic!("one match, one file: {files:?}");
    };
    let text = std::fs::read_to_string(file).expect("it can be read");
    let record: MatchRecord = serde_json::from_str(&text).expect("it is a record");
    assert_eq!((record.moves, record.goal_values), (rounds, goals));
    assert!(record.is_completed);

    // The same game again: its native engine is ready at once.
    host(&player, "second", "tictactoe", 1);
    assert_eq!(engine(&player), ("native".to_owned(), false));
}

#[test]
fn it_says_by_what_it_plays() {
    let player = Served::start(&["--fresh"]);
    let mut message = start("told", "connect_four", "red");
    if let Message::Start { start_clock, .. } = &mut message {
        *start_clock = 6 * SECOND;
    }
    assert_eq!(player.say(&message), "ready");
    let first = player.say(&play("told", None));
    // A busy machine may leave no time to publish it before the first move.
    player.say(&play("told", Some(vec![first, "noop".to_owned()])));
    let choice = player.event("choice");
    let words = choice["choice"].as_str().expect("it is a text");
    assert!(
        words.starts_with("learned from") && words.contains("plays by"),
        "{words}"
    );
}

/// The kind of the next engine that takes over, and whether the tree is kept.
fn engine(player: &Served) -> (String, bool) {
    let event = player.event("engine");
    let name = event["engine"].as_str().expect("it has a name");
    let kind = name.split(',').next().unwrap_or_default().to_owned();
    (kind, event["tree_kept"] == true)
}

#[test]
fn it_plays_alone_and_at_the_same_time_as_others() {
    let player = Served::start(&["--no-native", "--agent", "uct+mast"]);
    let (_, goals) = host(&player, "alone", "peg_solitaire", 0);
    assert_eq!(goals.len(), 1);
    host(&player, "together", "tron", 1);
}

#[test]
fn agents_that_do_not_search_play_too() {
    let player = Served::start(&["--no-native", "--agent", "random"]);
    host(&player, "random", "tictactoe", 0);
}

#[test]
fn it_says_whether_it_is_busy_while_it_searches() {
    let _clocks = keeping_time();
    let player = Served::start(&["--no-native", "--matches", "1", "--name", "someone"]);
    let free = "( ( name someone ) ( status available ) ( species computer ) )";
    assert_eq!(player.say(&Message::Info), free);
    assert_eq!(player.say(&start("a", "breakthrough", "white")), "ready");
    // The player ponders from now on.
    for _ in 0..20 {
        let asked = Instant::now();
        assert_eq!(
            player.say(&Message::Info),
            free.replace("available", "busy")
        );
        // Hosts wait no longer.
        assert!(asked.elapsed() < SECOND, "{:?}", asked.elapsed());
    }
    assert_eq!(player.say(&start("b", "tictactoe", "x")), "busy");
    assert_eq!(player.say(&start("a", "breakthrough", "white")), "busy");
    let abort = Message::Abort { id: "A".to_owned() };
    assert_eq!(player.say(&abort), "aborted");
    assert_eq!(player.say(&abort), "busy");
    assert_eq!(player.say(&Message::Info), free);
    assert_eq!(player.say(&start("b", "tictactoe", "x")), "ready");
}

#[test]
fn without_a_compiler_it_says_so_once_and_plays() {
    let player = Served::start_with(&[], |command| {
        command.env("RUSTC", "/nowhere/rustc");
    });
    host(&player, "one", "tictactoe", 0);
    host(&player, "two", "tictactoe", 1);
    let (code, log) = player.terminate();
    assert_eq!(code, Some(0), "{log}");
    assert_eq!(log.matches("rustc").count(), 1, "{log}");
}

#[test]
fn no_page_is_opened_if_the_port_is_taken() {
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("some port is free");
    let port = taken.local_addr().expect("it is bound").port().to_string();
    let arguments = ["serve", "--listen", "127.0.0.1", "--port", &port];
    let view = ["--view", "--no-open", "--no-native", "--folder", "."];
    let folder = tempfile::tempdir().expect("temporary folders can be made");
    let (_, error) = output(folder.path(), &[&arguments[..], &view].concat(), 2);
    assert!(
        error.contains(&port) && !error.contains("live at"),
        "{error}"
    );
}

#[test]
fn rules_with_errors_are_refused_with_their_places() {
    let player = Served::start(&[]);
    let start = Message::Start {
        id: "bad".to_owned(),
        role: "x".to_owned(),
        rules: "(role x)\n(<= (legal x ?m) (not (true ?m)))".to_owned(),
        start_clock: 5 * SECOND,
        play_clock: SECOND,
    };
    let asked = Instant::now();
    assert_eq!(player.say(&start), "busy");
    assert!(asked.elapsed() < 4 * SECOND, "at once");
    let reason = player.event("unplayable")["reason"].to_string();
    assert!(reason.contains("rules:1:23"), "{reason}");
    assert_eq!(player.say(&play("bad", None)), "busy");
    host(&player, "good", "tictactoe", 0);
}

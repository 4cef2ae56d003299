//! Players on the network that take a seat at the page.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use gdl_agent::agents::Agent;
use gdl_network::serve::{Events, MatchRegistry, PlayerSettings, Server};
use gdl_runtime::stop_flag::StopFlag;
use serde_json::json;

use super::*;

/// Starts a player as `gdl serve` does, and returns its URL. It serves until the tests end.
fn sound_player() -> String {
    let registry = MatchRegistry::new(PlayerSettings {
        name: "sound".to_owned(),
        agent: "uct".parse::<Agent>().expect("it is one").into(),
        matches: 4,
        memory: 16 << 20,
        precompiled: None,
        native: false,
        folder: None,
        events: Events::default(),
    });
    let server = Server::bind(Ipv4Addr::LOCALHOST.into(), 0, registry).expect("a port is free");
    let address = server.address().expect("it has one");
    std::thread::spawn(move || server.run(&StopFlag::default()));
    format!("http://{address}")
}

/// Starts a player that answers messages, in lower case and without spaces beside parentheses,
/// like this or, without an answer, not at all. It serves until the tests end.
fn player(answer: impl Fn(&str) -> Option<&'static str> + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    let address = listener.local_addr().expect("it has one");
    let talk = move |mut stream: TcpStream| {
        let mut message = vec![0; 1 << 16];
        let length = stream.read(&mut message).unwrap_or(0);
        let message = String::from_utf8_lossy(&message[..length]).to_lowercase();
        let Some(text) = answer(&message.replace("( ", "(")) else {
            return std::thread::sleep(PATIENCE);
        };
        let size = text.len();
        // The session may have given up.
        let _ = write!(
            stream,
            "HTTP/1.0 200 OK\r\nContent-Type: text/acl\r\nContent-Length: {size}\r\n\r\n{text}"
        );
    };
    let talk = Arc::new(talk);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let talk = Arc::clone(&talk);
            std::thread::spawn(move || talk(stream));
        }
    });
    format!("http://{address}")
}

/// Starts a player that is ready for every match and then answers requests for moves with this
/// text or, without one, not at all.
fn bad_player(answer: Option<&'static str>) -> String {
    player(move |message| match message.contains("(start") {
        true => Some("ready"),
        false => answer,
    })
}

/// A page on which a match of tictactoe has begun between two players.
fn begin(players: &[Value; 2]) -> Page {
    let mut page = Page::open(serve(Limits::default())).expect("a page may open");
    page.say(&json!({"do": "open", "name": "tictactoe"}));
    page.hear("opened");
    page.hear("position");
    page.say(&json!({"do": "start", "players": players, "seconds": 0.1, "start_seconds": 2}));
    page
}

/// The notes of a match that runs to its end.
fn notes_to_the_end(page: &mut Page) -> Vec<String> {
    let mut notes = Vec::new();
    loop {
        let position = page.hear("position");
        notes.extend(position["note"].as_str().map(str::to_owned));
        if position["terminal"] == true {
            return notes;
        }
    }
}

fn network(address: &str) -> Value {
    json!({"kind": "network", "address": address})
}

#[test]
fn a_player_that_serves_takes_a_seat_and_plays_to_the_end() {
    let agent = json!({"kind": "agent", "agent": "random"});
    let mut page = begin(&[network(&sound_player()), agent]);
    assert_eq!(notes_to_the_end(&mut page), [""; 0]);
}

#[test]
fn an_illegal_answer_is_replaced_by_a_random_move_and_shown() {
    let agent = json!({"kind": "agent", "agent": "random"});
    let mut page = begin(&[network(&bad_player(Some("( mark 9 9 )"))), agent]);
    let notes = notes_to_the_end(&mut page);
    let expected = "x answered ( mark 9 9 ), which is not legal. A random move was made instead.";
    assert!(notes.iter().any(|note| note == expected), "{notes:?}");
}

#[test]
fn a_late_answer_is_replaced_by_a_random_move_and_shown() {
    let mut page = begin(&[network(&bad_player(None)), json!({"kind": "person"})]);
    loop {
        let position = page.hear("position");
        if position["round"] != 0 {
            assert_eq!(position["round"], 1);
            assert_eq!(position["led_by"][1]["text"], "noop");
            let note = position["note"].as_str().unwrap_or_default();
            assert_eq!(
                note,
                "x: no answer in time. A random move was made instead."
            );
            return;
        }
    }
}

#[test]
fn a_player_on_the_network_neither_goes_back_nor_joins_later() {
    let persons = || json!({"kind": "person"});
    let mut page = begin(&[persons(), persons()]);
    page.say(&json!({"do": "move", "role": 0, "index": 0}));
    while page.hear("position")["round"] != 1 {}
    let remote = network(&sound_player());
    page.say(&json!({"do": "players", "players": [persons(), remote], "seconds": 0.1}));
    let refused = page.hear("failed");
    assert_eq!(
        refused["message"],
        "a player on the network cannot join a match that goes on"
    );
    // Agents can.
    let agent = json!({"kind": "agent", "agent": "uct"});
    page.say(&json!({"do": "players", "players": [persons(), agent], "seconds": 0.05}));
    while page.hear("position")["round"] != 2 {}
}

#[test]
fn the_page_is_answered_while_a_player_on_the_network_prepares() {
    let (ready, is_ready) = channel();
    let is_ready = Mutex::new(is_ready);
    let slow = player(move |message| {
        if message.contains("(start") {
            let _ = is_ready.lock().expect("no thread panics").recv();
        }
        Some("ready")
    });
    let mut page = Page::open(serve(Limits::default())).expect("a page may open");
    page.say(&json!({"do": "open", "name": "tictactoe"}));
    page.hear("position");
    let players = [network(&slow), json!({"kind": "person"})];
    page.say(&json!({"do": "start", "players": players, "seconds": 0.1, "start_seconds": 600}));
    page.hear("position");
    page.say(&json!({"do": "go_to", "round": 0}));
    assert_eq!(page.hear("position")["rounds"], 0);
    ready.send(()).expect("the player waits");
    while page.hear("position")["rounds"] != 1 {}
}

#[test]
fn a_player_that_is_busy_is_reported() {
    let busy = player(|_| Some("busy"));
    let mut page = begin(&[network(&busy), json!({"kind": "person"})]);
    while page.hear("position")["note"] != "x: busy with another match." {}
}

#[test]
fn a_match_that_ended_is_not_aborted_as_well() {
    let (told, messages) = channel();
    let told = Mutex::new(told);
    let watched = player(move |message| {
        let kinds = ["(start", "(play", "(stop", "(abort"];
        let kind = kinds.into_iter().find(|kind| message.contains(kind));
        let told = told.lock().expect("no thread panics");
        let _ = told.send(kind);
        Some("ready")
    });
    let agent = json!({"kind": "agent", "agent": "random"});
    let players = [network(&watched), agent];
    let mut page = begin(&players);
    notes_to_the_end(&mut page);
    page.say(&json!({"do": "start", "players": players, "seconds": 0.1, "start_seconds": 2}));
    page.hear("position");
    notes_to_the_end(&mut page);
    let mut ended = Vec::new();
    while ended.len() < 2 {
        let kind = messages.recv_timeout(PATIENCE).expect("it is told");
        ended.extend(kind.filter(|kind| ["(stop", "(abort"].contains(kind)));
    }
    assert_eq!(ended, ["(stop", "(stop"]);
}

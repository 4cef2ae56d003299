//! Peers that are slow, silent or gone, or that send too much.

use super::footprint::{Footprint, frugal_player};
use super::short_match::{LAMPS, abort, answers, play_after, start, still_plays};
use crate::common::served::Served;
use gdl_network::protocol::client::{Address, ask};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const INFO: &str = "POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )";

fn connect(player: &Served) -> TcpStream {
    let address = (player.address.host.as_str(), player.address.port);
    let stream = TcpStream::connect(address).expect("the player listens");
    let wait = stream.set_read_timeout(Some(Duration::from_secs(60)));
    wait.expect("it can be set");
    stream
}

/// Sends as much as the player accepts, and returns its reply.
fn answer(player: &Served, text: &str) -> String {
    let mut stream = connect(player);
    // The player may close the connection before the end.
    let _ = stream.write_all(text.as_bytes());
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("no reset");
    answer
}

#[test]
fn messages_over_the_cap() {
    let player = frugal_player();
    let before = Footprint::at_rest(&player);
    let long = "(".repeat(3_000_000);
    for head in ["Content-Length: 3000000", "Sender: unknown length"] {
        let reply = answer(&player, &format!("POST / HTTP/1.0\r\n{head}\r\n\r\n{long}"));
        assert!(reply.starts_with("HTTP/1.0 413 "), "{reply}");
        still_plays(&player);
    }
    before.returns(&player);
}

/// A program that does not read the events holds back no answer.
#[test]
fn events_that_nobody_reads() {
    let records = tempfile::tempdir().expect("temporary folders can be made");
    let mut child = Command::new(env!("CARGO_BIN_EXE_gdl"))
        .args(["serve", "--port=0", "--listen=127.0.0.1", "--json"])
        .args(["--no-native", "--agent=uct", "--folder"])
        .arg(records.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the player can be started");
    let mut events = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut first = String::new();
    events.read_line(&mut first).expect("it says something");
    let first: Value = serde_json::from_str(&first).expect("it is JSON");
    let address = first["address"].as_str().expect("it says where it listens");
    let address: Address = address.parse().expect("it is an address");
    // More events than a pipe holds.
    let replies = (0..1500).map(|_| {
        let soon = Instant::now() + Duration::from_secs(60);
        ask(&address, "gdl", &play_after("unknown", None), soon)
    });
    let unanswered = replies.filter(|reply| reply.as_deref().ok() != Some("busy"));
    let unanswered = unanswered.take(1).count();
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert_eq!(unanswered, 0);
}

#[test]
fn heads_without_an_end() {
    let player = frugal_player();
    let before = Footprint::at_rest(&player);
    for line in ["Header: x\r\n", "x"] {
        let mut stream = connect(&player);
        let lines = line.repeat(1000);
        let mut sent = 0;
        // Until the player closes the connection.
        while stream.write_all(lines.as_bytes()).is_ok() {
            sent += lines.len();
            assert!(sent < 1 << 30, "it reads on and on");
        }
        still_plays(&player);
    }
    before.returns(&player);
}

/// A request that would take minutes is refused, and blocks no other until then.
#[test]
fn a_byte_a_second() {
    let player = frugal_player();
    let before = Footprint::at_rest(&player);
    let mut stream = connect(&player);
    let wait = stream.set_read_timeout(Some(Duration::from_secs(1)));
    wait.expect("it can be set");
    let began = Instant::now();
    let mut answer = [0; 12];
    for byte in INFO.bytes() {
        let _ = stream.write_all(&[byte]);
        answers(&player);
        // One second if nothing arrives.
        match stream.read(&mut answer) {
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            _ => break,
        }
    }
    assert_eq!(&answer, b"HTTP/1.0 408");
    assert!(began.elapsed() < Duration::from_secs(30));
    still_plays(&player);
    drop(stream);
    before.returns(&player);
}

#[test]
fn half_closed_connections() {
    let player = frugal_player();
    let before = Footprint::at_rest(&player);
    for length in 0..=INFO.len() {
        let reply = answer(&player, &INFO[..length]);
        let expected = match length {
            0 => "",
            _ if length == INFO.len() => "HTTP/1.0 200 ",
            _ => "HTTP/1.0 400 ",
        };
        assert!(reply.starts_with(expected), "{length}: {reply:?}");
    }
    still_plays(&player);
    before.returns(&player);
}

#[test]
fn connections_that_are_dropped_within_the_reply() {
    let player = frugal_player();
    let before = Footprint::at_rest(&player);
    for bytes in 0..50 {
        let mut stream = connect(&player);
        stream.write_all(INFO.as_bytes()).expect("it is read");
        // Closing a connection with unread bytes resets it.
        stream.read_exact(&mut vec![0; bytes]).expect("it replies");
    }
    // Also before the reply, while the player thinks.
    assert_eq!(player.say(&start("lost", "keeper", LAMPS)), "ready");
    let play = play_after("lost", None).to_string();
    let length = play.len();
    let request = format!("POST / HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{play}");
    connect(&player)
        .write_all(request.as_bytes())
        .expect("it is read");
    answers(&player);
    assert_eq!(player.say(&abort("lost")), "aborted");
    still_plays(&player);
    before.returns(&player);
}

#[test]
fn idle_connections() {
    let player = frugal_player();
    let before = Footprint::at_rest(&player);
    let idle: Vec<TcpStream> = (0..200).map(|_| connect(&player)).collect();
    still_plays(&player);
    // The player does not wait for them forever.
    before.returns(&player);
    drop(idle);
    still_plays(&player);
}

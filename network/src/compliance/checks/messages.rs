//! The reply to every kind of message.

use crate::compliance::session::Session;
use crate::compliance::sheets::{DUEL, LAMPS, TICTACTOE};
use crate::compliance::tested_player::{PATIENCE, TestedPlayer};
use crate::compliance::{CheckResult, tested_player};
use crate::protocol::message::Message;
use crate::protocol::stream::Incoming;
use std::time::{Duration, Instant};

pub fn info(player: &TestedPlayer) -> CheckResult {
    player.info()
}

/// The reply must be delimited twice: the controller of Dresden reads to the end of
/// the stream, other hosts to Content-Length.
pub fn reply(player: &TestedPlayer) -> CheckResult {
    let request = "POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: 8\r\n\r\n( INFO )";
    let stream = player.send(request.as_bytes())?;
    let mut incoming = Incoming::new(&stream, Instant::now() + PATIENCE);
    while incoming.more().map_err(|_| "the connection stays open")? > 0 {}
    let text = String::from_utf8_lossy(&incoming.bytes).to_ascii_lowercase();
    let (head, body) = (text.split_once("\r\n\r\n")).ok_or("no empty line ends the head")?;
    let mut lines = head.lines();
    let status = lines.next().unwrap_or_default();
    if !(status.starts_with("http/1.") && status[8..].trim_start().starts_with("200")) {
        return Err(format!(
            "the first line is {}",
            tested_player::excerpt(status)
        ));
    }
    let header = |name: &str| {
        let mut values = lines.clone().filter_map(|line| line.split_once(':'));
        let found = values.find(|(other, _)| *other == name)?;
        Some(found.1.trim().to_owned())
    };
    let length = header("content-length");
    if length.is_some_and(|length| length != body.len().to_string()) {
        return Err("Content-length is not the length of the reply".to_owned());
    }
    match header("content-type") {
        Some(kind) if kind.starts_with("text/acl") => tested_player::expect_status(body),
        _ => Err("Content-type is not text/acl".to_owned()),
    }
}

pub fn preview(player: &TestedPlayer) -> CheckResult {
    let message = Message::Preview {
        rules: TICTACTOE.to_owned(),
        clock: player.clock(),
    };
    player.answers(&message.to_string(), player.clock(), &["ready", "busy"])
}

pub fn start_play_stop(player: &TestedPlayer) -> CheckResult {
    let mut session = Session::start(player, TICTACTOE, 0)?;
    session.play()?;
    session.play()?;
    session.stop()
}

pub fn abort(player: &TestedPlayer) -> CheckResult {
    Session::start(player, DUEL, 0)?.abort()?;
    let mut session = Session::start(player, LAMPS, 0)?;
    session.play()?;
    session.abort()
}

pub fn info_during_play(player: &TestedPlayer) -> CheckResult {
    let mut session = Session::start(player, TICTACTOE, 0)?;
    std::thread::scope(|scope| {
        let play = scope.spawn(|| session.play());
        // Gives the request for a move time to arrive first.
        std::thread::sleep(Duration::from_millis(200));
        let answer = player.info();
        let played = play.join().map_err(|_| "the check panicked")?;
        played.and(answer)
    })
}

//! The reply to every kind of message.

use crate::compliance::session::Session;
use crate::compliance::sheets::{DUEL, LAMPS, TICTACTOE};
use crate::compliance::tested_player::{PATIENCE, TestedPlayer};
use crate::compliance::{CheckResult, tested_player};
use crate::protocol::message::Message;
use crate::protocol::stream::Incoming;
use std::time::{Duration, Instant};

/// The greatest length of a reply with its head, in bytes.
const LONGEST_REPLY: usize = 1 << 20;

pub fn info(player: &TestedPlayer) -> CheckResult {
    player.info()
}

/// The reply must be delimited twice: the controller of Dresden reads to the end of
/// the stream, other hosts to Content-Length.
pub fn reply(player: &TestedPlayer) -> CheckResult {
    let request = "POST / HTTP/1.0\r\nContent-Type: text/acl\r\nContent-Length: 8\r\n\r\n( INFO )";
    let stream = player.send(request.as_bytes())?;
    let mut incoming = Incoming::new(&stream, Instant::now() + PATIENCE);
    while incoming.more().map_err(|_| "the connection stays open")? > 0 {
        if incoming.bytes.len() > LONGEST_REPLY {
            return Err("the reply does not end".to_owned());
        }
    }
    let text = String::from_utf8_lossy(&incoming.bytes).to_ascii_lowercase();
    let (head, body) = (text.split_once("\r\n\r\n")).ok_or("no empty line ends the head")?;
    let mut lines = head.lines();
    let status = lines.next().unwrap_or_default();
    if !is_success(status) {
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

/// Whether the first line of a head, in lower case, is one of HTTP/1 that reports success.
fn is_success(line: &str) -> bool {
    let rest = line.strip_prefix("http/1.").and_then(|rest| rest.get(1..));
    rest.is_some_and(|rest| rest.trim_start().starts_with("200"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines_may_be_anything() {
        assert!(is_success("http/1.0 200 ok") && is_success("http/1.1  200"));
        for line in [
            "",
            "http/1.",
            "http/1.\u{fffd}",
            "http/1.0 404",
            "ftp/1.0 200",
        ] {
            assert!(!is_success(line), "{line:?}");
        }
    }
}

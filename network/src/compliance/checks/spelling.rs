//! The ways in which hosts spell the same message.

use crate::compliance::CheckResult;
use crate::compliance::session::{Session, Spelling};
use crate::compliance::sheets::{LAMPS, TICTACTOE};
use crate::compliance::tested_player::{TestedPlayer, expect_status, reply_on, send_on};
use std::time::Duration;

/// Plays a match of two rounds whose messages are spelled in the given way.
fn match_in(player: &TestedPlayer, spelling: Spelling) -> CheckResult {
    let mut session = Session::start_spelled(player, LAMPS, 0, spelling)?;
    session.play()?;
    session.play()?;
    session.abort()
}

/// Expects a proper reply to a request that contains INFO.
fn info_by(player: &TestedPlayer, request: &str, close: bool) -> CheckResult {
    expect_status(&player.exchange(request.as_bytes(), close)?)
}

pub fn no_blanks(player: &TestedPlayer) -> CheckResult {
    match_in(player, |text| text.replace("( ", "(").replace(" )", ")"))
}

pub fn lower_case(player: &TestedPlayer) -> CheckResult {
    match_in(player, |text| match text.split_at_checked(7) {
        Some((keyword, rest)) => keyword.to_lowercase() + rest,
        None => text.to_lowercase(),
    })
}

pub fn upper_case(player: &TestedPlayer) -> CheckResult {
    match_in(player, str::to_uppercase)
}

pub fn line_ends(player: &TestedPlayer) -> CheckResult {
    match_in(player, |text| text.replace(' ', "\r\n\t"))
}

pub fn comments(player: &TestedPlayer) -> CheckResult {
    let spelling: Spelling = |text| match text.strip_prefix("( START") {
        Some(_) => text.replace(") (", ") ; not (closed\n("),
        None => text.to_owned(),
    };
    match_in(player, spelling)
}

pub fn more_arguments(player: &TestedPlayer) -> CheckResult {
    let spelling: Spelling = |text| match text.strip_prefix("( START") {
        Some(rest) => format!("( START{}extra (more 1) )", rest.trim_end_matches(')')),
        None => text.to_owned(),
    };
    let mut session = Session::start_spelled(player, LAMPS, 0, spelling)?;
    session.play()?;
    session.abort()
}

pub fn empty_round(player: &TestedPlayer) -> CheckResult {
    let mut session = Session::start(player, TICTACTOE, 0)?;
    let message = format!("( PLAY {} () )", session.id);
    session.play_by(&message)?;
    session.abort()
}

pub fn header_case(player: &TestedPlayer) -> CheckResult {
    let lower = "POST / HTTP/1.0\r\ncontent-type: text/acl\r\ncontent-length: 8\r\n\r\n( INFO )";
    let upper = "POST / HTTP/1.0\r\nCONTENT-TYPE: text/acl\r\nCONTENT-LENGTH:8\r\n\r\n( INFO )";
    info_by(player, lower, false)?;
    info_by(player, upper, false)
}

pub fn few_headers(player: &TestedPlayer) -> CheckResult {
    info_by(
        player,
        "POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )",
        false,
    )
}

pub fn newer_http(player: &TestedPlayer) -> CheckResult {
    let head = "POST / HTTP/1.1\r\nHost: player\r\nConnection: keep-alive\r\nContent-Length: 8";
    info_by(player, &format!("{head}\r\n\r\n( INFO )"), false)
}

pub fn bare_line_ends(player: &TestedPlayer) -> CheckResult {
    info_by(
        player,
        "POST / HTTP/1.0\nContent-Length: 8\n\n( INFO )",
        false,
    )
}

pub fn no_length_closed(player: &TestedPlayer) -> CheckResult {
    info_by(
        player,
        "POST / HTTP/1.0\r\nSender: host\r\n\r\n( INFO )",
        true,
    )
}

pub fn no_length_open(player: &TestedPlayer) -> CheckResult {
    info_by(
        player,
        "POST / HTTP/1.0\r\nSender: host\r\n\r\n( INFO )",
        false,
    )
}

/// The last bytes arrive late, so that a player that trusts Content-Length misses
/// them.
pub fn length_in_characters(player: &TestedPlayer) -> CheckResult {
    let message = "( ABORT ääääääää )";
    let head = format!("Content-Length: {}\r\n\r\n", message.chars().count());
    let request = format!("POST / HTTP/1.0\r\n{head}{message}");
    let (first, last) = request.as_bytes().split_at(request.len() - 2);
    let stream = player.send(first)?;
    std::thread::sleep(Duration::from_millis(50));
    send_on(&stream, last)?;
    reply_on(&stream).map(drop)
}

pub fn get(player: &TestedPlayer) -> CheckResult {
    info_by(player, "GET /%28+INFO+%29 HTTP/1.0\r\n\r\n", false)
}

pub fn options(player: &TestedPlayer) -> CheckResult {
    let reply = player.exchange(b"OPTIONS / HTTP/1.0\r\n\r\n", false)?;
    if reply.is_empty() {
        return Ok(());
    }
    Err("the reply is not empty".to_owned())
}

//! Connections that are slow, half-closed, dropped or idle. The player must serve all
//! others meanwhile.

use crate::compliance::CheckResult;
use crate::compliance::tested_player::{PATIENCE, TestedPlayer, expect_status, send_on};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const INFO: &str = "POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )";

/// The number of connections that a careless host leaves open.
const IDLE: usize = 200;

/// How long a player may take to accept all of them: meanwhile the system's queue of new
/// connections may be full, and a further one is only retried after a second.
const ACCEPTING: Duration = Duration::from_secs(5);

/// The number of bytes of a head after which a player should have refused it long ago.
const LONGEST_HEAD: usize = 16 << 20;

pub fn slow_drip(player: &TestedPlayer) -> CheckResult {
    let stream = player.send(b"P")?;
    for byte in &INFO.as_bytes()[1..] {
        std::thread::sleep(Duration::from_millis(30));
        // The player may have closed the connection, which is allowed.
        if send_on(&stream, &[*byte]).is_err() {
            break;
        }
    }
    let others = player.send(b"P").and_then(|_slow| player.info());
    others.map_err(|error| format!("beside a slow connection, {error}"))
}

pub fn half_closed(player: &TestedPlayer) -> CheckResult {
    expect_status(&player.exchange(INFO.as_bytes(), true)?)?;
    for part in [1, 20, INFO.len() - 3] {
        // Any reply is allowed, or none.
        let _ = player.exchange(&INFO.as_bytes()[..part], true);
        player.info()?;
    }
    Ok(())
}

pub fn dropped_early(player: &TestedPlayer) -> CheckResult {
    for part in (0..INFO.len()).step_by(5) {
        player.send(&INFO.as_bytes()[..part]).map(drop)?;
    }
    player.info()
}

pub fn dropped_late(player: &TestedPlayer) -> CheckResult {
    for _ in 0..20 {
        player.send(INFO.as_bytes()).map(drop)?;
    }
    player.info()
}

pub fn endless_head(player: &TestedPlayer) -> CheckResult {
    let stream = player.send(b"POST / HTTP/1.0\r\n")?;
    let lines = "Header: and another line of it\r\n".repeat(1000);
    let until = Instant::now() + PATIENCE;
    let mut sent = 0;
    // The player may close the connection at any time.
    while send_on(&stream, lines.as_bytes()).is_ok() && !has_reacted(&stream) {
        sent += lines.len();
        if sent > LONGEST_HEAD || Instant::now() > until {
            return Err("the player reads a head that does not end".to_owned());
        }
    }
    player.info()
}

/// Whether the player has replied or closed the connection.
fn has_reacted(stream: &TcpStream) -> bool {
    let wait = stream.set_read_timeout(Some(Duration::from_millis(10)));
    wait.is_err() || stream.peek(&mut [0]).is_ok()
}

pub fn idle(player: &TestedPlayer) -> CheckResult {
    let opened: Result<Vec<TcpStream>, String> = (0..IDLE).map(|_| player.send(b"")).collect();
    let opened = opened?;
    let accepted = player.ask("( INFO )", ACCEPTING);
    let answer = accepted
        .map_err(|error| format!("INFO: {error}"))
        .and_then(|_| player.info());
    drop(opened);
    answer.map_err(|error| format!("beside {IDLE} idle connections, {error}"))
}

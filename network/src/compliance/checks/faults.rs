//! Messages that are malformed or out of place. The player may refuse them or close
//! the connection, but must answer the next message.

use crate::compliance::CheckResult;
use crate::compliance::session::{Session, start_message};
use crate::compliance::sheets::{self, DUEL, LAMPS, TICTACTOE};
use crate::compliance::tested_player::{PROMPT, TestedPlayer};
use std::net::Shutdown;

pub fn no_messages(player: &TestedPlayer) -> CheckResult {
    for text in [
        "",
        " ",
        "()",
        "( INFO",
        ")",
        "( INFO ))",
        "INFO",
        "((INFO))",
        "( DANCE )",
        "(;)",
    ] {
        player.reacts_to(text)?;
        player.info()?;
    }
    Ok(())
}

pub fn no_text(player: &TestedPlayer) -> CheckResult {
    let all: Vec<u8> = (0..=255).collect();
    let mut request = b"POST / HTTP/1.0\r\nContent-Length: 256\r\n\r\n".to_vec();
    request.extend(&all);
    for bytes in [&request, &all] {
        let stream = player.send(bytes)?;
        let _ = stream.shutdown(Shutdown::Write);
        // Any reply is allowed, or none.
        let _ = crate::compliance::tested_player::reply_on(&stream);
        player.info()?;
    }
    Ok(())
}

pub fn missing_arguments(player: &TestedPlayer) -> CheckResult {
    for text in [
        "( START )",
        "( START lost keeper )",
        "( START lost keeper rules 1 1 )",
        "( START lost keeper ((role keeper)) many few )",
        "( START lost keeper ((role keeper)) -1 -1 )",
        "( PREVIEW )",
        "( PLAY )",
        "( PLAY (lost) NIL )",
        "( STOP )",
        "( ABORT )",
    ] {
        player.reacts_to(text)?;
        player.info()?;
    }
    player.reacts_to("( ABORT lost )")
}

pub fn unknown_play(player: &TestedPlayer) -> CheckResult {
    let message = format!("( PLAY {} NIL )", player.new_id());
    player.answers(&message, player.clock(), &["busy"])
}

pub fn unknown_end(player: &TestedPlayer) -> CheckResult {
    let id = player.new_id();
    let stop = format!("( STOP {id} (noop noop) )");
    player.answers(&stop, player.clock(), &["busy", "done"])?;
    player.answers(&format!("( ABORT {id} )"), PROMPT, &["busy", "aborted"])
}

pub fn start_twice(player: &TestedPlayer) -> CheckResult {
    let mut session = Session::start(player, TICTACTOE, 0)?;
    let again = session.start_again(TICTACTOE);
    player.answers(&again, player.clock(), &["ready", "busy"])?;
    session.play()?;
    session.play().map(drop)
}

pub fn another_start(player: &TestedPlayer) -> CheckResult {
    let mut session = Session::start(player, TICTACTOE, 0)?;
    let id = player.new_id();
    let other = start_message(player, &id, "keeper", LAMPS);
    player.answers(&other, player.clock(), &["ready", "busy"])?;
    session.play()?;
    player.reacts_to(&format!("( ABORT {id} )"))?;
    session.play().map(drop)
}

pub fn too_many_moves(player: &TestedPlayer) -> CheckResult {
    let session = Session::start(player, DUEL, 0)?;
    let moves = "(show stone) ".repeat(1000);
    player.reacts_to(&format!("( PLAY {} ({moves}) )", session.id))
}

pub fn unknown_move(player: &TestedPlayer) -> CheckResult {
    let mut session = Session::start(player, DUEL, 0)?;
    session.play()?;
    for moves in [
        "((show stone) (fly high))",
        "((show stone))",
        "(((x)) ())",
        "(1)",
    ] {
        player.reacts_to(&format!("( PLAY {} {moves} )", session.id))?;
    }
    Ok(())
}

pub fn unknown_role(player: &TestedPlayer) -> CheckResult {
    survives_start(player, "nobody", LAMPS)
}

pub fn wrong_rules(player: &TestedPlayer) -> CheckResult {
    let unsafe_rule = format!("{LAMPS} (<= (legal keeper ?anything) (not (lamp ?anything)))");
    let not_a_term = "(role keeper) (<= terminal ?x) (() ()) ((a)) (init)".to_owned();
    for rules in [
        unsafe_rule,
        not_a_term,
        "(role keeper)".to_owned(),
        String::new(),
    ] {
        survives_start(player, "keeper", &rules)?;
    }
    Ok(())
}

pub fn deep_nesting(player: &TestedPlayer) -> CheckResult {
    let nested = format!("{}{}", "(".repeat(100_000), ")".repeat(100_000));
    player.reacts_to(&nested)?;
    player.reacts_to(&format!("( PLAY {} ({nested}) )", player.new_id()))?;
    survives_start(player, "keeper", &format!("{LAMPS} (p {nested})"))?;
    player.reacts_to(&"(".repeat(100_000))
}

/// Any answer is allowed if it is in time, and ABORT must be answered.
pub fn explosion(player: &TestedPlayer) -> CheckResult {
    survives_start(player, "a", &sheets::explosion())
}

/// Expects any answer within the start clock to a START that cannot be met.
fn survives_start(player: &TestedPlayer, role: &str, rules: &str) -> CheckResult {
    let id = player.new_id();
    let answer = player.ask(&start_message(player, &id, role, rules), player.clock());
    player.reacts_to(&format!("( ABORT {id} )"))?;
    match answer {
        Err(crate::protocol::client::AskError::Timeout) => {
            Err("START is not answered within the start clock".to_owned())
        }
        _ => player.info(),
    }
}

pub fn long_message(player: &TestedPlayer) -> CheckResult {
    player.reacts_to(&format!("( PLAY {} )", "(long) ".repeat(430_000)))
}

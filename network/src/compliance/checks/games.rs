//! Whole matches, in which every move must be legal and in time.

use crate::compliance::CheckResult;
use crate::compliance::session::Session;
use crate::compliance::sheets::{DUEL, LAMPS, ODD_NAMES, TICTACTOE};
use crate::compliance::tested_player::TestedPlayer;

pub fn in_turns(player: &TestedPlayer) -> CheckResult {
    Session::start(player, TICTACTOE, 0)?.finish().map(drop)
}

pub fn at_the_same_time(player: &TestedPlayer) -> CheckResult {
    Session::start(player, DUEL, 1)?.finish().map(drop)
}

/// Checks the play clock without grace, since some hosts allow none.
pub fn alone(player: &TestedPlayer) -> CheckResult {
    let slowest = Session::start(player, LAMPS, 0)?.finish()?;
    let (slowest, clock) = (slowest.as_secs_f64(), player.clock().as_secs_f64());
    if slowest > clock {
        return Err(format!(
            "a move took {slowest:.2} s, but the play clock is {clock} s"
        ));
    }
    Ok(())
}

pub fn odd_names(player: &TestedPlayer) -> CheckResult {
    Session::start(player, ODD_NAMES, 0)?.finish().map(drop)
}

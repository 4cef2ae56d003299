//! Rounds of learning as lines of a table.

use super::quick_games::QuickScore;
use gdl_agent::learning::LearningRound;
use indicatif::HumanCount;
use serde::Serialize;
use std::fmt;

/// What a round did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct RoundRow {
    /// Seconds of learning up to the end of the round.
    pub(super) seconds: f64,
    /// The number of games learned from.
    pub(super) games: u64,
    /// Joint moves per second of self-play.
    pub(super) plies_per_second: f64,
    /// Whether searches chose the moves.
    pub(super) by_searches: bool,
    /// The mean cross entropy of results that the network had not seen, if there were any.
    pub(super) loss: Option<f32>,
    /// The network's share of all goals, 0 to 1, against one that does not see which role
    /// reaches what first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) against_rival: Option<f64>,
    /// Quick games that followed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) against_uct: Option<QuickScore>,
}

impl RoundRow {
    /// The row of a round; `games` is the number of games learned from so far.
    pub(super) fn new(round: &LearningRound, games: u64) -> Self {
        let playing = round.playing.as_secs_f64().max(1e-9);
        Self {
            seconds: round.elapsed.as_secs_f64(),
            games,
            plies_per_second: round.played.plies as f64 / playing,
            by_searches: round.by_searches,
            loss: round.loss,
            against_rival: round.against_rival,
            against_uct: None,
        }
    }
}

/// The line above the rounds.
pub(super) fn table_head() -> String {
    let [seconds, games, plies, loss] = ["seconds", "games", "plies/s", "loss"];
    format!("{seconds:>9} {games:>13} {plies:>13} {loss:>7}  against uct")
}

impl fmt::Display for RoundRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = HumanCount(self.games).to_string();
        let plies = HumanCount(self.plies_per_second as u64).to_string();
        let seconds = self.seconds;
        let loss = (self.loss).map_or("-".to_owned(), |loss| format!("{loss:.3}"));
        write!(f, "{seconds:>9.1} {games:>13} {plies:>13} {loss:>7}")?;
        match &self.against_uct {
            Some(score) => write!(f, "  {score}"),
            None => Ok(()),
        }
    }
}

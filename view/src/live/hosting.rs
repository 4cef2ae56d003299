//! A hosted match on a feed.

use std::sync::Arc;

use gdl_agent::matches::{MatchEvent, highest_goals};
use gdl_network::protocol::MatchRecord;

use super::feed::LiveFeed;
use super::game::{LiveGame, LiveMatch, LiveState};
use super::places::MatchKey;
use crate::messages::LivePlayer;

/// The only match on its feed.
const KEY: MatchKey = MatchKey {
    source: 0,
    number: 0,
};

/// A match that a host runs, on a feed.
pub struct LiveHosting {
    feed: LiveFeed,
    game: Arc<LiveGame>,
    players: Vec<String>,
}

impl LiveHosting {
    /// A match of these players, in role order.
    #[must_use]
    pub fn new(feed: LiveFeed, game: Arc<LiveGame>, players: Vec<String>) -> Self {
        Self {
            feed,
            game,
            players,
        }
    }

    /// Shows the state that the match has reached. Call it for every event of the match; `fault`
    /// says what was wrong with the answers that led there.
    pub fn follow(&self, event: &MatchEvent<'_>, record: &MatchRecord, fault: &str) {
        let MatchEvent::Reached(state, position, rounds) = event else {
            return;
        };
        let Some(engine) = self.game.engine() else {
            return;
        };
        let begin = || {
            let title = format!("{}, {}", self.game.name(), record.match_id);
            LiveMatch::new(&self.game, title, self.players.clone())
        };
        self.feed.show(KEY, begin, |shown| {
            let led_by = record.moves.last().cloned().unwrap_or_default();
            let state = LiveState::Numbered(engine.clone(), (*state).clone());
            shown.reach(*rounds, state, led_by);
            count_faults(&mut shown.players, record);
            shown.note = Some(fault.trim().to_owned()).filter(|fault| !fault.is_empty());
            if position.terminal {
                shown.goals = highest_goals(position);
            }
        });
    }

    /// Shows that the match has ended or was aborted.
    pub fn conclude(&self, record: &MatchRecord) {
        if !record.is_completed {
            let aborted = |shown: &mut LiveMatch| shown.ending = Some("aborted".to_owned());
            self.feed.amend(KEY, aborted);
        }
        self.feed.end();
    }
}

/// Counts illegal answers (`IL` and the answer) and late or missing ones (`TO`, `CE`) by the
/// error codes of a record.
fn count_faults(players: &mut [LivePlayer], record: &MatchRecord) {
    for (role, player) in players.iter_mut().enumerate() {
        let errors = record.errors.iter().filter_map(|row| row.get(role));
        let (illegal, others): (Vec<&String>, Vec<&String>) = errors
            .filter(|error| !error.is_empty())
            .partition(|error| error.starts_with("IL"));
        (player.illegal, player.late) = (illegal.len() as u64, others.len() as u64);
    }
}

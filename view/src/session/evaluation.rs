//! Values of the states of a whole match, for the graph.

use std::time::Duration;

use gdl_agent::player::search_player::SearchPlayer;
use gdl_agent::search::{SearchBudget, SearchLimits};
use gdl_runtime::engine::Engine;
use gdl_runtime::stop_flag::StopFlag;

use super::match_history::MatchHistory;
use super::request_error::RequestError;
use super::search_result::result;
use super::searcher::searcher;
use crate::limits;

/// The agent that values states.
const AGENT: &str = "uct+closed";

/// Values the states of a match that have no value, one after another.
pub(super) struct Evaluation {
    player: SearchPlayer,
    time: Duration,
    /// The first state that was not searched yet, by its number of rounds.
    next: usize,
    /// Raised when a request interrupts a search.
    stop: StopFlag,
}

impl Evaluation {
    /// Searches each state for this many seconds, but for ten at most.
    pub(super) fn new(
        engine: &dyn Engine,
        seconds: f64,
        limits: SearchLimits,
        stop: &StopFlag,
    ) -> Result<Self, RequestError> {
        let player = searcher(AGENT, engine, 1, limits, stop)?;
        Ok(Self {
            player: player.ok_or(RequestError::Refused("this agent does not search"))?,
            time: limits::duration(seconds.min(10.0), 0.01),
            next: 0,
            stop: stop.clone(),
        })
    }

    /// After a return to the state after this number of rounds, other states follow it.
    pub(super) fn return_to(&mut self, round: usize) {
        self.next = self.next.min(round + 1);
    }

    /// Values the next state, or begins to: a request that interrupts the search is answered
    /// before it goes on. `false` if there is no such state left.
    pub(super) fn search(&mut self, engine: &dyn Engine, history: &mut MatchHistory) -> bool {
        let Some(round) = history.first_unvalued(self.next) else {
            return false;
        };
        let (state, position) = history.state(round);
        let has_choice = |&role: &usize| position.legal[role].len() > 1;
        if let Some(role) = (0..position.legal.len()).find(has_choice) {
            let budget = SearchBudget::within(self.time);
            self.player.ponder(state, role, budget, &mut |_| {});
            if self.stop.is_raised() {
                return true;
            }
            let result = result(&self.player, engine, (state, position), role);
            if let Some(value) = result.and_then(|result| Some(result.evaluation()?.value)) {
                history.note_value(round, role, value);
            }
        }
        self.next = round + 1;
        true
    }
}

//! The player of our role in a match: an agent that searches whenever it may, one that
//! does not search at all, or a guest.

use super::guest::{GuestFailure, GuestPlayer, ServedAgent};
use gdl_agent::player::random::RandomPlayer;
use gdl_agent::player::search_player::SearchPlayer;
use gdl_agent::player::{Player as _, Reply, Turn};
use gdl_agent::search::{SearchBudget, SearchLimits, SearchResult};
use gdl_agent::shared_engine::SharedEngine;
use gdl_runtime::engine::{Engine, Role, State};
use gdl_runtime::stop_flag::StopFlag;

/// An agent that plays a match.
pub enum AgentPlayer {
    /// An agent that searches.
    Searching(Box<SearchPlayer>),
    /// An agent that plays random moves.
    Random(RandomPlayer),
    /// An agent that is asked for each move, and does not think meanwhile.
    Guest(Box<dyn GuestPlayer>),
}

impl AgentPlayer {
    /// The player of an agent for the game of an engine. It does without a file that is
    /// of another game, since hosts choose the games.
    ///
    /// # Errors
    /// If a guest cannot play on this engine.
    pub fn new(
        agent: &ServedAgent,
        rules: &str,
        engine: &SharedEngine,
        limits: SearchLimits,
        seed: u64,
    ) -> Result<Self, GuestFailure> {
        let agent = match agent {
            ServedAgent::Guest(guest) => {
                return guest.player(rules, engine.clone()).map(Self::Guest);
            }
            ServedAgent::Components(agent) => agent,
        };
        if let Err(error) = agent.check_files(engine) {
            tracing::warn!("{}: {error}", engine.name());
        }
        Ok(match agent.search_player(engine, limits, seed) {
            Some(player) => Self::Searching(Box::new(player)),
            None => Self::Random(RandomPlayer::new(seed)),
        })
    }

    /// Sets what interrupts its searches.
    pub fn set_stop_flag(&mut self, stop_flag: StopFlag) {
        if let Self::Searching(player) = self {
            player.set_stop_flag(stop_flag);
        }
    }

    /// Continues on another engine that numbers states and moves alike.
    pub fn move_to(&mut self, engine: &dyn Engine) {
        if let Self::Searching(player) = self
            && let Err(error) = player.move_to(engine)
        {
            tracing::error!("{}: {error}", engine.name());
        }
    }

    /// Prepares for a match that begins in a state, in which the role plays.
    pub fn prepare(&mut self, state: &State, role: Role, budget: SearchBudget) {
        if let Self::Searching(player) = self {
            player.prepare(state, role, budget, &mut |_| {});
        }
    }

    /// Searches from a state; returns the number of simulations.
    pub fn ponder(&mut self, state: &State, role: Role, budget: SearchBudget) -> u64 {
        match self {
            Self::Searching(player) => {
                let report = player.ponder(state, role, budget, &mut |_| {});
                report.simulations
            }
            Self::Random(_) | Self::Guest(_) => 0,
        }
    }

    /// Uses time in which the role has a single move in a state; returns the number of
    /// simulations.
    pub fn use_idle_time(&mut self, state: &State, role: Role, budget: SearchBudget) -> u64 {
        match self {
            Self::Searching(player) => {
                let report = player.use_idle_time(state, role, budget, &mut |_| {});
                report.simulations
            }
            Self::Random(_) | Self::Guest(_) => 0,
        }
    }

    /// Whether further search would change nothing.
    pub fn is_exhausted(&self) -> bool {
        match self {
            Self::Searching(player) => player.is_exhausted(),
            Self::Random(_) | Self::Guest(_) => true,
        }
    }

    /// The move to play as of now; `None` if there is no legal move.
    pub fn choose(&mut self, turn: &Turn<'_>) -> Option<SearchResult> {
        match self {
            Self::Searching(player) => player.result(turn).ok(),
            Self::Random(player) => match player.choose(turn, &mut |_| {}) {
                Ok(Reply::Play(result)) => Some(result),
                _ => None,
            },
            Self::Guest(_) => None,
        }
    }
}

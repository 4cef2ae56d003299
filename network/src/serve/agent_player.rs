//! The player of our role in a match: an agent that searches whenever it may, or one
//! that does not search at all.

use gdl_agent::agents::Agent;
use gdl_agent::player::random::RandomPlayer;
use gdl_agent::player::search_player::SearchPlayer;
use gdl_agent::player::{Player as _, Reply, Turn};
use gdl_agent::search::{SearchBudget, SearchLimits, SearchResult};
use gdl_runtime::engine::{Engine, Role, State};
use gdl_runtime::stop_flag::StopFlag;

/// An agent that plays a match.
pub enum AgentPlayer {
    /// An agent that searches.
    Searching(Box<SearchPlayer>),
    /// An agent that plays random moves.
    Random(RandomPlayer),
}

impl AgentPlayer {
    /// The player of an agent for the game of an engine. It does without a file that is
    /// of another game, since hosts choose the games.
    pub fn new(agent: &Agent, engine: &dyn Engine, limits: SearchLimits, seed: u64) -> Self {
        if let Err(error) = agent.check_files(engine) {
            tracing::warn!("{}: {error}", engine.name());
        }
        match agent.search_player(engine, limits, seed) {
            Some(player) => Self::Searching(Box::new(player)),
            None => Self::Random(RandomPlayer::new(seed)),
        }
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

    /// Prepares for a match that begins in a state.
    pub fn prepare(&mut self, state: &State, budget: SearchBudget) {
        if let Self::Searching(player) = self {
            player.prepare(state, budget, &mut |_| {});
        }
    }

    /// Searches from a state; returns the number of simulations.
    pub fn ponder(&mut self, state: &State, role: Role, budget: SearchBudget) -> u64 {
        match self {
            Self::Searching(player) => {
                let report = player.ponder(state, role, budget, &mut |_| {});
                report.simulations
            }
            Self::Random(_) => 0,
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
            Self::Random(_) => 0,
        }
    }

    /// Whether further search would change nothing.
    pub fn is_exhausted(&self) -> bool {
        match self {
            Self::Searching(player) => player.is_exhausted(),
            Self::Random(_) => true,
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
        }
    }
}

//! Who chooses our moves in a match: an agent that searches whenever it is let, or
//! one that does not.

use super::search_thread::SearchTask;
use gdl_agent::agents::{Agent, Limits};
use gdl_agent::clock::{Bell, Budget};
use gdl_agent::player::{Player as _, RandomPlayer, Reply, SearchPlayer, Thought, Turn};
use gdl_runtime::engine::Engine;

/// An agent at work.
pub enum AgentPlayer {
    /// It searches.
    Searching(Box<SearchPlayer>),
    /// It moves without thought.
    Random(RandomPlayer),
}

impl AgentPlayer {
    /// An agent for the game of an engine.
    pub fn new(agent: &Agent, engine: &dyn Engine, limits: Limits, seed: u64) -> Self {
        match agent.search_player(engine, limits, seed) {
            Some(player) => Self::Searching(Box::new(player)),
            None => Self::Random(RandomPlayer::new(seed)),
        }
    }

    /// What calls its search back.
    pub fn answer_to(&mut self, bell: Bell) {
        if let Self::Searching(player) = self {
            player.answer_to(bell);
        }
    }

    /// Goes on with another engine, in which states and moves have the same numbers.
    pub fn move_to(&mut self, engine: &dyn Engine) {
        if let Self::Searching(player) = self
            && let Err(error) = player.move_to(engine)
        {
            tracing::error!("{}: {error}", engine.name());
        }
    }

    /// Thinks; how many simulations that took.
    pub fn ponder(&mut self, task: &SearchTask, budget: Budget) -> u64 {
        match self {
            Self::Searching(player) => {
                let report = player.ponder(&task.state, task.role, budget, &mut |_| {});
                report.simulations
            }
            Self::Random(_) => 0,
        }
    }

    /// Whether thinking on would change nothing.
    pub fn is_settled(&self) -> bool {
        match self {
            Self::Searching(player) => player.is_exhausted(),
            Self::Random(_) => true,
        }
    }

    /// What it would play now; none if there is no legal move.
    pub fn choose(&mut self, turn: &Turn<'_>) -> Option<Thought> {
        match self {
            Self::Searching(player) => player.thought(turn).ok(),
            Self::Random(player) => match player.choose(turn, &mut |_| {}) {
                Ok(Reply::Play(thought)) => Some(thought),
                _ => None,
            },
        }
    }
}

//! Who chooses our moves in a match: an agent that searches whenever it is let, or
//! one that does not.

use super::course::Course;
use agent::agents::{Agent, Limits};
use agent::clock::{Bell, Budget};
use agent::player::{Player as _, RandomPlayer, Reply, SearchPlayer, Thought, Turn};
use runtime::engine::Engine;

/// An agent at work.
pub enum Chooser {
    /// It searches.
    Searching(Box<SearchPlayer>),
    /// It moves without thought.
    Random(RandomPlayer),
}

impl Chooser {
    /// An agent for the game of an engine.
    pub fn new(agent: &Agent, engine: &dyn Engine, limits: Limits, seed: u64) -> Self {
        match agent.search_player(engine, limits, seed) {
            Some(player) => Self::Searching(Box::new(player)),
            None => Self::Random(RandomPlayer::new(seed)),
        }
    }

    /// What calls a search back.
    pub fn bell(&self) -> Option<Bell> {
        match self {
            Self::Searching(player) => Some(player.bell()),
            Self::Random(_) => None,
        }
    }

    /// Whether it can go on with another engine without forgetting anything.
    pub fn move_to(&mut self, engine: &dyn Engine) -> bool {
        match self {
            Self::Searching(player) => player.move_to(engine).is_ok(),
            Self::Random(_) => false,
        }
    }

    /// Thinks about a state that is not terminal; how many simulations that took.
    pub fn ponder(&mut self, course: &Course, budget: Budget) -> u64 {
        match self {
            Self::Searching(player) => {
                let report = player.ponder(course.state(), course.role(), budget, &mut |_| {});
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
    pub fn choose(&mut self, course: &Course) -> Option<Thought> {
        let turn = Turn {
            engine: course.engine(),
            role: course.role(),
            state: course.state(),
            position: course.position(),
            budget: Budget::Simulations(0),
        };
        match self {
            Self::Searching(player) => player.thought(&turn).ok(),
            Self::Random(player) => match player.choose(&turn, &mut |_| {}) {
                Ok(Reply::Play(thought)) => Some(thought),
                _ => None,
            },
        }
    }
}

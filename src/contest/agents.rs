//! Stand-in.
use agent::player::{Player, RandomPlayer, SearchPlayer};
use agent::search::Settings;
use runtime::engine::Engine;

/// Limits.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    /// Bytes of the tree.
    pub memory: usize,
    /// In flight.
    pub in_flight: Option<usize>,
    /// Playouts.
    pub playouts: Option<usize>,
}

/// An agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    /// Plain search.
    Uct,
    /// Uniform.
    Random,
}

/// No agent.
#[derive(Debug, Clone)]
pub struct BadAgent(String);

impl std::fmt::Display for BadAgent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadAgent {}

impl std::str::FromStr for Agent {
    type Err = BadAgent;

    fn from_str(text: &str) -> Result<Self, BadAgent> {
        match text {
            "uct" => Ok(Self::Uct),
            "random" => Ok(Self::Random),
            _ => Err(BadAgent(format!(
                "no agent {text}: there are uct and random"
            ))),
        }
    }
}

impl std::fmt::Display for Agent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Uct => "uct",
            Self::Random => "random",
        })
    }
}

impl Agent {
    /// A player.
    #[must_use]
    pub fn player(&self, engine: &dyn Engine, limits: Limits, seed: u64) -> Box<dyn Player> {
        match self {
            Self::Uct => {
                let settings = Settings {
                    in_flight: limits.in_flight,
                    playouts: limits.playouts,
                    memory: limits.memory,
                    ..Settings::default()
                };
                Box::new(SearchPlayer::new("uct", engine, settings, seed))
            }
            Self::Random => Box::new(RandomPlayer::new(seed)),
        }
    }
}

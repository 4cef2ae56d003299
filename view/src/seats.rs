//! Who plays the roles of a match.

use gdl_agent::agents::{Agent, AgentTextError};
use gdl_agent::player::search_player::SearchPlayer;
use gdl_agent::search::SearchLimits;
use gdl_runtime::engine::{Engine, Role};
use gdl_runtime::stop_flag::StopFlag;
use serde::Deserialize;

/// Who is to play a role: a page's wish.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum SeatSpec {
    /// The person at the page.
    Person,
    /// An agent.
    Agent {
        /// The agent as text.
        agent: String,
    },
}

/// The player of a role.
pub(crate) enum Seat {
    /// The person at the page.
    Person,
    /// An agent that searches.
    Searcher(Box<SearchPlayer>),
    /// Uniformly random legal moves.
    Random,
}

impl Seat {
    /// The player that a page asks for.
    ///
    /// # Errors
    /// If the agent's text does not denote one.
    pub(crate) fn new(
        spec: &SeatSpec,
        engine: &dyn Engine,
        role: Role,
        limits: SearchLimits,
        stop: &StopFlag,
    ) -> Result<Self, AgentTextError> {
        Ok(match spec {
            SeatSpec::Person => Self::Person,
            SeatSpec::Agent { agent } => {
                match searcher(agent, engine, role as u64, limits, stop)? {
                    Some(player) => Self::Searcher(Box::new(player)),
                    None => Self::Random,
                }
            }
        })
    }
}

/// The agent of a text, as a player whose searches end when `stop` is raised; `None` if it
/// does not search.
///
/// # Errors
/// If the text does not denote an agent.
pub(crate) fn searcher(
    agent: &str,
    engine: &dyn Engine,
    seed: u64,
    limits: SearchLimits,
    stop: &StopFlag,
) -> Result<Option<SearchPlayer>, AgentTextError> {
    let agent: Agent = agent.parse()?;
    let mut player = agent.search_player(engine, limits, seed);
    if let Some(player) = &mut player {
        player.set_stop_flag(stop.clone());
    }
    Ok(player)
}

impl SeatSpec {
    /// What a page shows: `person` or the agent's text.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Person => "person".to_owned(),
            Self::Agent { agent } => agent.clone(),
        }
    }
}

//! The requests of a page.

use serde::Deserialize;

use super::tree::TreePath;

/// A request of a page. Anything that is not one of these is refused.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum PageRequest {
    /// Opens the game or record of this name in the library.
    Open {
        /// Its name.
        name: String,
    },
    /// Opens the game of a rule sheet that the page holds.
    OpenText {
        /// The rule sheet.
        text: String,
    },
    /// Opens a record of a match that the page holds, of a game of the library or else of the one
    /// that is open.
    OpenRecord {
        /// The record.
        text: String,
    },
    /// Checks a rule sheet that the page holds.
    Check {
        /// The rule sheet.
        text: String,
        /// A number that the answer repeats.
        version: u64,
    },
    /// Plays random games of the open game and reports their lengths and goals.
    Measure,
    /// Something about the game that is open.
    #[serde(untagged)]
    Game(GameRequest),
}

/// A request about the game that is open.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum GameRequest {
    /// Begins a new match with these players, one for each role.
    Start {
        /// The players.
        players: Vec<RolePlayerSpec>,
        /// Seconds per move.
        seconds: f64,
        /// Seconds before the first move, for players that prepare.
        start_seconds: f64,
    },
    /// Changes the players of the match in progress.
    Players {
        /// The players.
        players: Vec<RolePlayerSpec>,
        /// Seconds per move.
        seconds: f64,
    },
    /// Makes a person's move.
    Move {
        /// The role that moves.
        role: usize,
        /// The index of the move in the list of its legal moves.
        index: usize,
    },
    /// Shows the state after this number of rounds.
    GoTo {
        /// The number of rounds.
        round: usize,
    },
    /// Takes back the last round in which a person had a choice.
    TakeBack,
    /// Forgets what came after the state shown, and plays on from it.
    PlayOn,
    /// Pauses the agents, or lets them go on.
    Pause {
        /// Whether they wait.
        on: bool,
    },
    /// Analyses every state that is shown from now on.
    Analyse {
        /// The agents that analyse, as text.
        agents: Vec<String>,
        /// The role whose moves are analysed; the first with a choice if absent.
        role: Option<usize>,
    },
    /// Ends the analysis.
    StopAnalysis,
    /// Opens nodes of the tree of an analysing agent, and closes all others. What is known of
    /// them is sent at once and then every second, until another state is shown.
    Tree {
        /// The agent, by its index.
        index: usize,
        /// The ways to the nodes.
        open: Vec<TreePath>,
    },
    /// Searches every state of the match that has no value yet, for this long each, to value it.
    Evaluate {
        /// Seconds per state.
        seconds: f64,
    },
}

impl GameRequest {
    /// Whether it may change what the page shows of the match.
    pub(crate) fn changes_what_is_shown(&self) -> bool {
        !matches!(
            self,
            Self::Analyse { .. } | Self::StopAnalysis | Self::Tree { .. } | Self::Evaluate { .. }
        )
    }
}

/// Who is to play a role.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum RolePlayerSpec {
    /// The person at the page.
    Person,
    /// An agent.
    Agent {
        /// The agent as text.
        agent: String,
    },
    /// A player on the network, which speaks the GGP protocol.
    Network {
        /// Its address, as `http://HOST:PORT`.
        address: String,
    },
}

impl RolePlayerSpec {
    /// What a page shows: `person`, the agent's text or the address.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Person => "person".to_owned(),
            Self::Agent { agent } => agent.clone(),
            Self::Network { address } => address.clone(),
        }
    }
}

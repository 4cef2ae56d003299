//! Players as named on command lines and in files.

use super::{HostedPlayer, LocalPlayer, RemotePlayer, Scramble};
use crate::protocol::client::{Address, BadAddress};
use gdl_agent::agents::{Agent, AgentTextError};
use gdl_agent::search::SearchLimits;
use gdl_runtime::engine::Role;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Names an agent or a remote player.
#[derive(Debug, Clone, PartialEq)]
pub enum PlayerSpec {
    /// An agent, which plays in this process.
    Agent(Agent),
    /// The address of a player that speaks the protocol.
    Address(Address),
}

impl PlayerSpec {
    /// The address, if this is a remote player.
    #[must_use]
    pub fn address(&self) -> Option<&Address> {
        match self {
            Self::Agent(_) => None,
            Self::Address(address) => Some(address),
        }
    }

    /// Whether this is an agent whose searches need a machine of their own.
    #[must_use]
    pub fn is_parallel(&self) -> bool {
        self.agent().is_some_and(Agent::is_parallel)
    }

    /// The agent, if this is one.
    #[must_use]
    pub fn agent(&self) -> Option<&Agent> {
        match self {
            Self::Agent(agent) => Some(agent),
            Self::Address(_) => None,
        }
    }
}

/// The role that a player is to play, and how.
#[derive(Debug, Clone)]
pub struct RoleAssignment {
    /// The name of the player in messages.
    pub name: String,
    /// The role.
    pub role: Role,
    /// The name of the role.
    pub role_name: String,
    /// The limits of an agent's search.
    pub limits: SearchLimits,
    /// The seed of an agent.
    pub seed: u64,
    /// The words that a remote player sees in place of those of the rule sheet.
    pub words: Option<Arc<Scramble>>,
}

impl PlayerSpec {
    /// The player for a role.
    #[must_use]
    pub fn player(&self, assignment: RoleAssignment) -> Arc<dyn HostedPlayer> {
        match self {
            Self::Agent(agent) => {
                let RoleAssignment {
                    limits, role, seed, ..
                } = assignment;
                Arc::new(LocalPlayer::new(agent.clone(), limits, role, seed))
            }
            Self::Address(address) => Arc::new(RemotePlayer::new(
                address.clone(),
                &assignment.name,
                &assignment.role_name,
                assignment.words,
            )),
        }
    }
}

/// The text names neither an agent nor the address of a player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadPlayerSpec {
    /// The text has a colon, but is not an address.
    #[error(transparent)]
    Address(#[from] BadAddress),
    /// The text is not an agent.
    #[error(transparent)]
    Agent(#[from] AgentTextError),
}

impl FromStr for PlayerSpec {
    type Err = BadPlayerSpec;

    /// A text with a colon is an address, unless the colon is in an argument of an agent,
    /// such as the path of a file.
    fn from_str(text: &str) -> Result<Self, BadPlayerSpec> {
        if text
            .split('(')
            .next()
            .is_some_and(|name| name.contains(':'))
        {
            return Ok(Self::Address(text.parse()?));
        }
        Ok(Self::Agent(text.parse()?))
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(agent) => agent.fmt(f),
            Self::Address(address) => address.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_colon() {
        let read = |text: &str| text.parse::<PlayerSpec>().expect("it names a player");
        assert!(read("uct+rave(k=10)").agent().is_some());
        for text in ["http://host:9147", "host:9147", "HTTP://HOST:9147/"] {
            let address = read(text).address().cloned().expect("it is an address");
            assert_eq!(address.port, 9147, "{text}");
        }
        assert_eq!(read("host:1").to_string(), "http://host:1");
        let path = "champion(net=run-12:30.net)";
        assert!(read(path).agent().is_some());
        for wrong in ["host:", "https://host:1", "http://host", "nobody"] {
            assert!(wrong.parse::<PlayerSpec>().is_err(), "{wrong}");
        }
    }
}

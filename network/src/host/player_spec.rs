//! Who plays, as command lines and files say it.

use super::{HostedPlayer, LocalPlayer, RemotePlayer, Scramble};
use crate::protocol::client::Address;
use gdl_agent::agents::{Agent, Limits};
use gdl_runtime::engine::Role;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// An agent of our own, or a player elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub enum PlayerSpec {
    /// Plays in this process.
    Agent(Agent),
    /// Speaks the protocol there.
    Address(Address),
}

impl PlayerSpec {
    /// Where it plays, if that is elsewhere.
    #[must_use]
    pub fn address(&self) -> Option<&Address> {
        match self {
            Self::Agent(_) => None,
            Self::Address(address) => Some(address),
        }
    }

    /// Whether its searches want a machine of ours for themselves.
    #[must_use]
    pub fn is_parallel(&self) -> bool {
        self.agent().is_some_and(Agent::is_parallel)
    }

    /// The agent, if it is one of ours.
    #[must_use]
    pub fn agent(&self) -> Option<&Agent> {
        match self {
            Self::Agent(agent) => Some(agent),
            Self::Address(_) => None,
        }
    }
}

/// Where a spec sits down.
#[derive(Debug, Clone)]
pub struct RoleAssignment {
    /// What it is called there.
    pub name: String,
    /// The role.
    pub role: Role,
    /// What the rule sheet calls that.
    pub role_name: String,
    /// What its search may cost, if it is an agent.
    pub limits: Limits,
    /// Its seed, if it is an agent.
    pub seed: u64,
    /// What it hears and says in assignment of the game's words, if it plays elsewhere.
    pub words: Option<Arc<Scramble>>,
}

impl PlayerSpec {
    /// A player for it.
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

impl FromStr for PlayerSpec {
    type Err = anyhow::Error;

    /// Whatever has a colon is an address: no agent has one.
    fn from_str(text: &str) -> Result<Self, anyhow::Error> {
        if text.contains(':') {
            let address = text.parse().map_err(anyhow::Error::msg)?;
            return Ok(Self::Address(address));
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
        let read = |text: &str| text.parse::<PlayerSpec>().expect("it is a spec");
        assert!(read("uct+rave(k=10)").agent().is_some());
        for text in ["http://host:9147", "host:9147", "HTTP://HOST:9147/"] {
            let address = read(text).address().cloned().expect("it is an address");
            assert_eq!(address.port, 9147, "{text}");
        }
        assert_eq!(read("host:1").to_string(), "http://host:1");
        for wrong in ["host:", "https://host:1", "http://host", "nobody"] {
            assert!(wrong.parse::<PlayerSpec>().is_err(), "{wrong}");
        }
    }
}

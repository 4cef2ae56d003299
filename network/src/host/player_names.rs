//! Finds out the names of players.

use super::{PlayerSpec, RemotePlayer};
use crate::protocol::client::{self, Address, AskError};
use std::thread;
use std::time::{Duration, Instant};

/// How long players may take to answer INFO.
const INFO_TIMEOUT: Duration = Duration::from_secs(1);

/// How long it may take to connect to a player that has not answered INFO.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// There is no player at an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no player at {address}: {error}")]
pub struct AbsentPlayer {
    /// The address.
    pub address: Address,
    /// The reason why it cannot be reached.
    pub error: AskError,
}

/// The names of players, in the given order. All remote players are asked at the same
/// time; the name of an agent is its text.
///
/// # Errors
/// If there is no player at one of the addresses.
pub fn player_names<'a>(
    specs: impl Iterator<Item = &'a PlayerSpec>,
) -> Result<Vec<String>, AbsentPlayer> {
    thread::scope(|scope| {
        let asked: Vec<_> = specs
            .map(|spec| (spec, scope.spawn(|| name(spec))))
            .collect();
        asked
            .into_iter()
            .map(|(spec, asked)| asked.join().unwrap_or_else(|_| Ok(spec.to_string())))
            .collect()
    })
}

fn name(spec: &PlayerSpec) -> Result<String, AbsentPlayer> {
    match spec {
        PlayerSpec::Agent(agent) => Ok(agent.to_string()),
        PlayerSpec::Address(address) => ask_name(address),
    }
}

/// The name of a remote player, or its address if it gives no name, as older players
/// do not.
fn ask_name(address: &Address) -> Result<String, AbsentPlayer> {
    let name = RemotePlayer::name(address, Instant::now() + INFO_TIMEOUT).or_else(|error| {
        tracing::info!("{address} does not give its name: {error}");
        client::connect(address, Instant::now() + CONNECT_TIMEOUT).map(|_| None)
    });
    let name = name.map_err(|error| AbsentPlayer {
        address: address.clone(),
        error,
    })?;
    Ok(name.unwrap_or_else(|| address.to_string()))
}

//! What players are called.

use super::{PlayerSpec, RemotePlayer};
use crate::protocol::client::{self, Address};
use anyhow::Context as _;
use std::thread;
use std::time::{Duration, Instant};

/// How long players may take to say who they are.
const INFO_TIMEOUT: Duration = Duration::from_secs(1);

/// How long a connection to a player may take that did not say so.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// What everybody is called, in order: asks all players elsewhere at the same time;
/// agents are called by their texts.
///
/// # Errors
/// If there is nobody at an address.
pub fn player_names<'a>(
    specs: impl Iterator<Item = &'a PlayerSpec>,
) -> anyhow::Result<Vec<String>> {
    thread::scope(|scope| {
        let asked: Vec<_> = specs.map(|who| (who, scope.spawn(|| name(who)))).collect();
        asked
            .into_iter()
            .map(|(who, asked)| asked.join().unwrap_or_else(|_| Ok(who.to_string())))
            .collect()
    })
}

fn name(who: &PlayerSpec) -> anyhow::Result<String> {
    match who {
        PlayerSpec::Agent(agent) => Ok(agent.to_string()),
        PlayerSpec::Address(address) => ask_name(address),
    }
}

/// The name of a player, or its address: older ones do not say it.
fn ask_name(address: &Address) -> anyhow::Result<String> {
    let name = RemotePlayer::name(address, Instant::now() + INFO_TIMEOUT).or_else(|error| {
        tracing::info!("{address} does not say who it is: {error}");
        client::connect(address, Instant::now() + CONNECT_TIMEOUT).map(|_| None)
    });
    let name = name.with_context(|| format!("nobody plays at {address}"))?;
    Ok(name.unwrap_or_else(|| address.to_string()))
}

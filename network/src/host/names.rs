//! What players are called.

use super::{Contender, Remote};
use crate::protocol::client::{self, Address};
use anyhow::Context as _;
use std::thread;
use std::time::{Duration, Instant};

/// How long players may take to say who they are.
const INFO: Duration = Duration::from_secs(1);

/// How long a connection to a player may take that did not say so.
const CONNECT: Duration = Duration::from_secs(2);

/// What everybody is called, in order: asks all players elsewhere at the same time;
/// agents are called by their texts.
///
/// # Errors
/// If there is nobody at an address.
pub fn names<'a>(contenders: impl Iterator<Item = &'a Contender>) -> anyhow::Result<Vec<String>> {
    thread::scope(|scope| {
        let asked: Vec<_> = contenders
            .map(|who| (who, scope.spawn(|| name(who))))
            .collect();
        asked
            .into_iter()
            .map(|(who, asked)| asked.join().unwrap_or_else(|_| Ok(who.to_string())))
            .collect()
    })
}

fn name(who: &Contender) -> anyhow::Result<String> {
    match who {
        Contender::Agent(agent) => Ok(agent.to_string()),
        Contender::Address(address) => ask_name(address),
    }
}

/// The name of a player, or its address: older ones do not say it.
fn ask_name(address: &Address) -> anyhow::Result<String> {
    let name = Remote::name(address, Instant::now() + INFO).or_else(|error| {
        tracing::info!("{address} does not say who it is: {error}");
        client::connect(address, Instant::now() + CONNECT).map(|_| None)
    });
    let name = name.with_context(|| format!("nobody plays at {address}"))?;
    Ok(name.unwrap_or_else(|| address.to_string()))
}

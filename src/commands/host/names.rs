//! What players are called.

use crate::host::{Contender, Remote};
use crate::protocol::client::{self, Address};
use anyhow::Context as _;
use std::thread;
use std::time::{Duration, Instant};

/// How long players may take to say who they are.
const INFO: Duration = Duration::from_secs(1);

/// How long a connection to a player may take that did not say so.
const CONNECT: Duration = Duration::from_secs(2);

/// Asks all players elsewhere what they are called; agents are called by their
/// texts.
pub(super) fn introduce(contenders: &[Contender]) -> anyhow::Result<Vec<String>> {
    thread::scope(|scope| {
        let asked: Vec<_> = contenders
            .iter()
            .map(|who| match who {
                Contender::Agent(_) => None,
                Contender::Address(address) => Some(scope.spawn(|| ask_name(address))),
            })
            .collect();
        let names = asked.into_iter().zip(contenders);
        names
            .map(
                |(asked, who)| match asked.map(thread::ScopedJoinHandle::join) {
                    Some(Ok(name)) => name,
                    Some(Err(_)) | None => Ok(who.to_string()),
                },
            )
            .collect()
    })
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

/// Names with addresses.
pub(super) fn shown(contenders: &[Contender], names: &[String]) -> Vec<String> {
    let pairs = contenders.iter().map(ToString::to_string).zip(names);
    pairs
        .map(|(who, name)| match who == *name {
            true => who,
            false => format!("{name} at {who}"),
        })
        .collect()
}

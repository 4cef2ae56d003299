//! The option that says whether agents remember, the same for all commands that play matches
//! one by one.

use gdl_agent::agents::Agent;
use gdl_agent::learning::NetworkStore;
use std::sync::Arc;

/// The largest size of all that is remembered, in bytes.
const LIMIT: u64 = 256 << 20;

/// Whether agents that learn remember what they learned.
#[derive(Debug, Clone, clap::Args)]
pub struct StoreArgs {
    /// Neither learn on from what earlier matches of a game left in the cache, nor leave
    /// anything there
    #[arg(long)]
    fresh: bool,
}

impl StoreArgs {
    /// Returns the agent, with its memory in the user's cache folder unless it is to have none.
    #[must_use]
    pub fn equip(&self, agent: Agent) -> Agent {
        let folder = gdl_engines::cache_folder().filter(|_| !self.fresh && agent.learns());
        match folder {
            Some(folder) => {
                let store = NetworkStore::new(&folder.join("learned"), LIMIT);
                agent.with_store(Arc::new(store))
            }
            None => agent,
        }
    }
}

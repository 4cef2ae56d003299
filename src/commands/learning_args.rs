//! The options that say how agents learn, shared by all commands that play matches one by
//! one.

use gdl_agent::agents::Agent;
use gdl_agent::learning::NetworkStore;
use std::sync::Arc;
use std::thread::available_parallelism;

/// The size limit of everything that is remembered, in bytes.
const LIMIT: u64 = 256 << 20;

/// The greatest number of threads that agents learn on unless more are asked for: each has a
/// machine of its own, which takes memory.
const MOST_THREADS: usize = 8;

/// On how many threads agents learn, and whether they remember what they learned.
#[derive(Debug, Clone, clap::Args)]
pub struct LearningArgs {
    /// Do not continue from what earlier matches of a game left in the cache, and leave
    /// nothing there
    #[arg(long)]
    fresh: bool,
    /// Threads on which an agent learns, if it does; by default as many as there are cores,
    /// but at most 8
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    learning_threads: Option<u8>,
}

impl LearningArgs {
    /// Returns the agent set up to learn as these options say. What it learns is kept in the
    /// user's cache folder, unless `--fresh` was given.
    #[must_use]
    pub fn equip(&self, agent: Agent) -> Agent {
        if !agent.learns() {
            return agent;
        }
        let agent = agent.learning_on(self.threads());
        let folder = gdl_engines::cache_folder().filter(|_| !self.fresh);
        match folder {
            Some(folder) => {
                let store = NetworkStore::new(&folder.join("learned"), LIMIT);
                agent.with_store(Arc::new(store))
            }
            None => agent,
        }
    }

    fn threads(&self) -> usize {
        match self.learning_threads {
            Some(threads) => usize::from(threads),
            None => available_parallelism().map_or(1, |cores| cores.get().min(MOST_THREADS)),
        }
    }
}

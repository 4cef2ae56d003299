//! What components are told of simulations.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::engines::engine;
use gdl_agent::agents::Agent;
use gdl_agent::episode::Episode;
use gdl_agent::playout::{Observed, Playout, SamplingMode, Situation};
use gdl_agent::search::budget::SearchBudget;
use gdl_agent::search::{Search, SearchLimits};
use gdl_runtime::engine::{Engine, Role};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Agents whose simulations leave the tree, and end, in different ways.
const AGENTS: [&str; 11] = [
    "uct",
    "uct+closed",
    "uct+unproven",
    "uct+symmetric",
    "uct+growth(known=0)",
    "uct+growth(first=1)",
    "uct+cutoff(samples=20)",
    "uct+discount",
    "uct+opponents",
    "uct+suct",
    "uct+exp3",
];

/// Simulations of a search, and a memory that they fill.
const SIMULATIONS: u64 = 5000;
const SMALL: usize = 1 << 16;

/// Moves at random, and counts the simulations that are reported to it.
struct Witness {
    /// The number of words of a state.
    words: usize,
    counts: Arc<WitnessCounts>,
}

#[derive(Default)]
struct WitnessCounts {
    told: AtomicU32,
    /// Those whose number of states is not one more than that of joint moves.
    torn: AtomicU32,
}

impl Playout for Witness {
    fn sampling_mode(&mut self) -> SamplingMode<'_> {
        SamplingMode::PerLane
    }

    fn choose(&mut self, situation: &Situation<'_>, random: &mut Xoshiro256PlusPlus) -> usize {
        random.random_range(0..situation.moves.len())
    }

    fn observes(&self) -> Observed {
        Observed::States
    }

    fn learn(&mut self, _role: Role, episode: &Episode<'_>) {
        let is_torn = episode.states.len() != self.words * (episode.len() + 1);
        self.counts.told.fetch_add(1, Ordering::Relaxed);
        self.counts
            .torn
            .fetch_add(is_torn.into(), Ordering::Relaxed);
    }
}

/// What a component is told of simulations in a search by an agent, and the number of nodes of its
/// tree.
fn witness(engine: &dyn Engine, agent: &str, memory: usize) -> (Arc<WitnessCounts>, usize) {
    let agent: Agent = agent.parse().unwrap();
    let state = engine.initial();
    let counts = Arc::new(WitnessCounts::default());
    let limits = SearchLimits {
        memory,
        ..SearchLimits::default()
    };
    let mut settings = agent.settings(engine, limits);
    settings.playout = Some(Box::new(Witness {
        words: state.0.len(),
        counts: Arc::clone(&counts),
    }));
    let mut search = Search::on_engine(engine, vec![settings], 1);
    let budget = SearchBudget::Simulations(SIMULATIONS);
    let report = search.run(&state, 0, budget, &mut |_| {});
    (counts, report.nodes)
}

#[test]
fn simulations_are_told_whole() {
    for game in ["connect_four", "tron", "tictactoe"] {
        let engine = engine(game);
        for agent in AGENTS {
            let [roomy, full] = [SearchLimits::default().memory, SMALL].map(|memory| {
                let (counts, nodes) = witness(&*engine, agent, memory);
                let [told, torn] =
                    [&counts.told, &counts.torn].map(|count| count.load(Ordering::Relaxed));
                let case = format!("{game}, {agent}, {memory} bytes");
                assert!(told > 10, "{case}: {told}");
                assert_eq!(torn, 0, "{case}: of {told}");
                nodes
            });
            if game == "connect_four" {
                assert!(full < roomy, "{agent}: {full} and {roomy} nodes");
            }
        }
    }
}

//! Measures tree search against plain playouts of the same engine.
//!
//! A simulation of the search costs a playout and the work on the tree: the ratio of the
//! two rates is the part of the engine's speed that a player gets.

use super::{Effort, Measurement, TURNS, runners_per_thread, take_turn};
use gdl_agent::agents::Agent;
use gdl_agent::search::SearchBudget;
use gdl_agent::search::SearchLimits;
use gdl_agent::search::{Search, SearchReport};
use gdl_runtime::engine::Engine;
use std::time::{Duration, Instant};

/// The work of searches, and plain playouts for comparison.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TreeMeasurement {
    /// Plain playouts, on one thread.
    pub plain: Measurement,
    /// Seconds spent in searches.
    pub seconds: f64,
    /// Simulations of all searches that were played out by a lane. Those that end at nodes
    /// with known goals cost no playout and do not count.
    pub simulations: u64,
    /// Simulations that ended within the tree, at nodes with known goals.
    pub settled: u64,
    /// Searches that solved the game in less than half of their turn.
    pub solved: u32,
    /// Nodes in the trees of all searches.
    pub nodes: u64,
    /// Moves that lanes made for simulations.
    pub moves: u64,
    /// Moves that lanes could have made had all been occupied.
    pub slots: u64,
}

impl TreeMeasurement {
    /// Simulations per second.
    #[must_use]
    pub fn simulations_per_second(&self) -> f64 {
        self.simulations as f64 / self.seconds.max(1e-9)
    }

    /// Simulations per second divided by plain playouts per second.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.simulations_per_second() / self.plain.playouts_per_second().max(1e-9)
    }

    /// Whether most simulations ended within the tree, or searches solved the game. Few
    /// playouts remain then, and the rates say nothing about the cost of the tree.
    #[must_use]
    pub fn is_mostly_known(&self) -> bool {
        self.settled > self.simulations || self.solved >= TURNS
    }

    /// The share of lanes that were occupied by a simulation.
    #[must_use]
    pub fn busy(&self) -> f64 {
        self.moves as f64 / self.slots.max(1) as f64
    }

    fn add(&mut self, report: &SearchReport) {
        self.seconds += report.elapsed.as_secs_f64();
        self.simulations += report.played;
        self.settled += report.simulations - report.played;
        self.nodes += report.nodes as u64;
        self.moves += report.moves;
        self.slots += report.steps * self.plain.lanes as u64;
    }
}

/// Alternates between an agent's searches from the initial state, with the default limits
/// of a player, and plain playouts, each for the seconds of `effort` on one thread. Each
/// turn begins with an empty tree in the memory of the previous one, as in a match, and a
/// search that has solved the game begins again.
#[must_use]
pub fn measure_tree(engine: &dyn Engine, agent: &Agent, effort: &Effort) -> TreeMeasurement {
    let alone = Effort {
        threads: 1,
        ..*effort
    };
    let mut plain = runners_per_thread(engine, &alone);
    let mut measurement = TreeMeasurement::default();
    measurement.plain.lanes = plain.first().map_or(0, |lanes| lanes.count());
    let time = Duration::from_secs_f64(effort.seconds) / TURNS;
    let seed = effort.seed;
    let (lanes, initial) = (engine.lanes(seed), engine.initial());
    let settings = agent.settings(engine, SearchLimits::default());
    let mut search = Search::new(lanes, &initial, settings, seed);
    for _ in 0..TURNS {
        take_turn(&mut plain, time, &mut measurement.plain);
        let start = Instant::now();
        while let Some(rest) = time.checked_sub(start.elapsed()) {
            search.forget();
            let report = search.run(&initial, 0, SearchBudget::within(rest), &mut |_| {});
            measurement.add(&report);
            measurement.solved += u32::from(start.elapsed() < time / 2);
            if report.simulations == 0 {
                break;
            }
        }
    }
    measurement
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdl_agent::search::SearchSettings;
    use gdl_engines::{EngineKind, EngineOptions, load_builtin, open_source};
    use gdl_runtime::lanes::Width;
    use gdlc::source::Source;

    #[test]
    fn searches_and_playouts_take_turns() {
        let engine = load_builtin("connect_four", Width::W64).expect("the game is built in");
        let effort = Effort {
            seconds: 0.2,
            threads: 2,
            seed: 1,
        };
        let measured = measure_tree(&engine, &Agent::default(), &effort);
        assert_eq!(measured.plain.lanes, 64);
        assert!(measured.simulations > 0 && measured.plain.tally.playouts > 0);
        assert!(measured.seconds >= 0.19 && measured.ratio() > 0.0);
        assert!(measured.busy() > 0.0 && measured.busy() <= 1.0);
        assert!(!measured.is_mostly_known(), "{measured:?}");
    }

    /// A game of one move, and one that is solved during the search.
    #[test]
    fn small_games_are_soon_known() {
        let rules = "(role you) (init (side up)) (<= (legal you toss) (true (side up)))
                     (<= (legal you turn) (true (side up))) (<= terminal (not (true (side up))))
                     (<= (next (side down)) (does you toss)) (<= (next (side down)) (does you turn))
                     (<= (goal you 100) (true (side down)))";
        let source = Source::new("coin", rules);
        let coin = open_source(&source, EngineKind::Net, &EngineOptions::default());
        let effort = Effort {
            seconds: 0.4,
            threads: 1,
            seed: 1,
        };
        let agent = Agent::default();
        let measured = measure_tree(&*coin.expect("it is sound").engine, &agent, &effort);
        assert!(measured.solved >= TURNS && measured.is_mostly_known());
        let tictactoe = load_builtin("tictactoe", Width::W64).expect("the game is built in");
        assert!(measure_tree(&tictactoe, &agent, &effort).is_mostly_known());
    }

    #[test]
    fn shared_flights_can_be_repeated() {
        let engine = load_builtin("connect_four", Width::W64).expect("the game is built in");
        let run = |seed| {
            let lanes = engine.lanes(seed);
            let initial = engine.initial();
            let mut search = Search::new(lanes, &initial, SearchSettings::default(), seed);
            let budget = SearchBudget::Simulations(50_000);
            let report = search.run(&initial, 0, budget, &mut |_| {});
            assert_eq!(report.simulations, 50_000);
            // Many simulations share a path, so that nodes are fewer.
            assert!(report.batches < 20_000, "{report:?}");
            let root = search.tree().find(&engine.initial());
            let visits = search.tree().edges(root.expect("searched"), 0).iter();
            visits.map(|edge| edge.visits).collect::<Vec<_>>()
        };
        assert_eq!(run(1), run(1));
        assert_ne!(run(1), run(2));
    }
}

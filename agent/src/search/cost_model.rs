//! The cost model: how many simulations share a path through the tree, which is leaf
//! parallelisation.
//!
//! A path through the tree costs the same whether one lane plays on from its leaf or
//! many. Where a playout costs much less than that, most of the time would go into
//! the tree; then several lanes play on from each new leaf, which together estimate
//! its value better than one. Costs are counted in operations of the machine rather
//! than measured, so that searches can be repeated.

use super::report::SearchReport;
use super::settings::SearchSettings;
use crate::component::{Component, Parameter, ParameterKind, Slot};

/// The component that controls how the lanes of a machine are used.
pub const LANES: Component = Component {
    name: "lanes",
    slot: Slot::Lanes,
    summary: "how many simulations are in flight at a time (tree parallelisation on one thread), \
              and how many of them play on from each new node (leaf parallelisation); one of each \
              is the strictly sequential search of the papers",
    source: "Cazenave and Jouandeau 2007",
    parameters: &[
        Parameter {
            name: "flying",
            meaning: "simulations in flight; 0: as many as the visits of the root suggest",
            kind: ParameterKind::Number {
                default: 0.0,
                range: 0.0..=65_536.0,
            },
        },
        Parameter {
            name: "playouts",
            meaning: "playouts from each new node (leaf parallelisation); 0: as many as costs suggest",
            kind: ParameterKind::Number {
                default: 0.0,
                range: 0.0..=65_536.0,
            },
        },
    ],
    build: |builder, values, _| {
        let fixed = |index| Some(values.get(index) as usize).filter(|&count| count > 0);
        builder.settings.in_flight = fixed(0);
        builder.settings.playouts_per_leaf = fixed(1);
        builder.reserves_lanes = true;
    },
};

/// Operations per path through the tree for its two ends, whatever the game.
/// Together with [`STEP_COST`], this is what was measured in Breakthrough with
/// AVX-512, where a path of four steps took as long as 6,700 operations.
const PATH_COST: u64 = 3000;

/// Operations per path and word of a state for loading, reading and hashing states:
/// about one per fluent, as measured in a Hex with 7,052 fluents.
const WORD_COST: u64 = 64;

/// Operations per step inside the tree, for descent and backup.
const STEP_COST: u64 = 1000;

/// The intended ratio of operations spent on the playouts of a batch to operations
/// spent on the batch in the tree.
const PLAYOUTS_TO_TREE: u64 = 3;

/// Visits of the root per playout of a batch: at first, visiting many leaves matters
/// more than estimating each of them well.
const VISITS_PER_PLAYOUT: u32 = 64;

/// Visits of the root per simulation in flight: fewer than one simulation in sixteen
/// is selected without knowing the results of the others.
const VISITS_PER_LANE: u64 = 16;

/// Operations that a playout may take from start to end without holding up the
/// growth of a search. Where it takes more, proportionally fewer visits of the root
/// are required per lane; otherwise a second would not be enough to bring all lanes
/// of a large game into play.
const PATIENCE: u64 = 4_000_000;

/// The assumed length of a playout, in moves, as long as none has ended.
const ASSUMED_LENGTH: u64 = 64;

/// Minimum number of concurrent descents.
const MIN_CONCURRENT_BATCHES: usize = 8;

/// The machine that runs a searcher's simulations.
#[derive(Debug, Clone, Copy)]
pub struct CostModel {
    /// The number of lanes.
    pub lanes: usize,
    /// The operations per step of all lanes; 0 if unknown.
    pub operations: u32,
}

impl CostModel {
    /// The number of playouts for the next new leaf, after `root_visits` visits of
    /// the root in a game whose states have `state_words` words.
    pub(crate) fn playouts_per_leaf(
        self,
        settings: &SearchSettings,
        report: &SearchReport,
        root_visits: u32,
        state_words: usize,
    ) -> usize {
        let most = settings
            .in_flight
            .unwrap_or(self.lanes)
            .clamp(1, self.lanes);
        let count = settings.playouts_per_leaf.unwrap_or_else(|| {
            let grown = root_visits / VISITS_PER_PLAYOUT;
            self.balanced_playouts(report, state_words)
                .min(grown as usize)
                .min(self.lanes / MIN_CONCURRENT_BATCHES)
        });
        count.clamp(1, most)
    }

    /// The maximum number of simulations in flight after `root_visits` visits of the
    /// root.
    pub(crate) fn concurrency(
        self,
        settings: &SearchSettings,
        report: &SearchReport,
        root_visits: u32,
    ) -> usize {
        if let Some(fixed) = settings.in_flight {
            return fixed;
        }
        let length = match report.simulations {
            0 => ASSUMED_LENGTH,
            simulations => report.playout_steps / simulations,
        };
        let operations = u64::from(self.operations) * length;
        let visits_per_lane = (PATIENCE / operations.max(1)).min(VISITS_PER_LANE);
        let grown = u64::from(root_visits).checked_div(visits_per_lane);
        // A machine takes no more than it has lanes for; there may be several.
        grown.map_or(usize::MAX, |grown| grown as usize)
    }

    /// The number of playouts per leaf at which playouts and tree take up time in
    /// the intended ratio.
    fn balanced_playouts(self, report: &SearchReport, state_words: usize) -> usize {
        let simulations = report.simulations.max(1);
        let ends = PATH_COST + WORD_COST * state_words as u64;
        let tree = ends + STEP_COST * report.tree_steps / simulations;
        let steps = report.playout_steps.max(1);
        let operations = u64::from(self.operations);
        let playout = operations * steps / (simulations * self.lanes as u64);
        match operations {
            0 => 1,
            _ => (tree * PLAYOUTS_TO_TREE / playout.max(1)) as usize,
        }
    }
}

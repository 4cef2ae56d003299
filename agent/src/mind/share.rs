//! How many simulations share a way through the tree.
//!
//! A way through the tree costs the same whether one lane plays on from its end
//! or many. Where a playout costs much less than that, most of the time would go
//! into the tree: then several lanes play on from every new node, which together
//! know its value better than one. Nothing is measured for this, so that
//! searches can be repeated: costs are counted in operations of the machine.

use super::Mind;
use crate::agents::{Parameter, Part, Place};

/// The part that says how the lanes of a machine are used.
pub const LANES: Part = Part {
    name: "lanes",
    place: Place::Lanes,
    summary: "how many simulations are in flight at a time, and how many of them play on from \
              each new node; one each is the strictly sequential search of the papers",
    source: "",
    parameters: &[
        Parameter {
            name: "flying",
            meaning: "simulations in flight; 0: as many as the visits of the root suggest",
            default: 0.0,
            range: 0.0..=65_536.0,
        },
        Parameter {
            name: "playouts",
            meaning: "playouts from each new node; 0: as many as costs suggest",
            default: 0.0,
            range: 0.0..=65_536.0,
        },
    ],
    build: |draft, values, _| {
        let fixed = |index| Some(values.get(index) as usize).filter(|&count| count > 0);
        draft.in_flight = fixed(0);
        draft.playouts_a_node = fixed(1);
        draft.own_lanes = true;
    },
};

/// What a way through the tree costs at its ends, whatever the game. With the cost
/// of a step, this is what was measured in Breakthrough with AVX-512, where a way
/// of four steps took as long as 6,700 operations.
const FLIGHT_COST: u64 = 3000;

/// What loading, reading and hashing states costs a way for each word of a state:
/// about an operation a fluent, as measured in a hex of 7,052 fluents.
const WORD_COST: u64 = 64;

/// What a step within the tree costs, there and back.
const STEP_COST: u64 = 1000;

/// What the playouts of a flight are to cost for every operation that the flight
/// costs in the tree.
const PLAYOUTS_TO_TREE: u64 = 3;

/// Visits of the root for every simulation of a flight: at first, what a new
/// node says matters more than how precisely.
const VISITS_PER_SHARE: u32 = 64;

/// Visits of the root for every simulation in flight: fewer than one in
/// sixteen simulations is chosen without knowing the others' results.
const VISITS_PER_LANE: u64 = 16;

/// Operations that a playout may take from its beginning to its end without
/// holding up the growth of a search: where one takes more, visits of the root
/// are waited for so much less. Without that, a second would not be enough to
/// bring all lanes of a large game into play.
const PATIENCE: u64 = 4_000_000;

/// The length of a playout as long as none has ended.
const USUAL_LENGTH: u64 = 64;

/// At least so many ways are gone at once.
const LEAST_FLIGHTS: usize = 8;

impl Mind {
    /// How many lanes the next flight gets.
    pub(crate) fn share(&self) -> usize {
        let lanes = self.machinery.lanes;
        let most = self.settings.in_flight.unwrap_or(lanes).clamp(1, lanes);
        let fixed = self.settings.playouts;
        let share = fixed.unwrap_or_else(|| {
            let grown = self.root_visits() / VISITS_PER_SHARE;
            self.wanted_share()
                .min(grown as usize)
                .min(lanes / LEAST_FLIGHTS)
        });
        share.clamp(1, most)
    }

    /// How many simulations may be in flight.
    pub(crate) fn grown(&self) -> usize {
        let lanes = self.machinery.lanes;
        if let Some(fixed) = self.settings.in_flight {
            return fixed;
        }
        let length = match self.report.simulations {
            0 => USUAL_LENGTH,
            simulations => self.report.playout_steps / simulations,
        };
        let operations = u64::from(self.machinery.operations) * length;
        let visits_a_lane = (PATIENCE / operations.max(1)).min(VISITS_PER_LANE);
        let grown = u64::from(self.root_visits()).checked_div(visits_a_lane);
        grown.map_or(lanes, |grown| grown as usize)
    }

    fn root_visits(&self) -> u32 {
        self.root.map_or(0, |root| self.tree.visits(root))
    }

    /// The share at which playouts and tree have their parts of the time.
    fn wanted_share(&self) -> usize {
        let report = &self.report;
        let simulations = report.simulations.max(1);
        let ends = FLIGHT_COST + WORD_COST * self.initial.len() as u64;
        let tree = ends + STEP_COST * report.tree_steps / simulations;
        let lanes = self.machinery.lanes as u64;
        let steps = report.playout_steps.max(1);
        let operations = u64::from(self.machinery.operations);
        let playout = operations * steps / (simulations * lanes);
        match operations {
            0 => 1,
            _ => (tree * PLAYOUTS_TO_TREE / playout.max(1)) as usize,
        }
    }
}

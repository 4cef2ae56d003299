//! The search of one mind on the lanes of one machine.
//!
//! Repeatable: with a budget in simulations, everything follows from the
//! seeds and the number of lanes.

use std::time::Duration;

use runtime::engine::{Lanes, State};

use crate::clock::Budget;
use crate::fleet::{Berths, Fleet};
use crate::mind::Mind;
pub use crate::mind::{Report, Settings};
use crate::tree::Tree;

/// Most steps between two looks at the clock: a step of a small game takes less
/// than looking.
const CLOCK_CHECK: u64 = 8;

/// Operations of the machine between two looks at the clock, if a step has fewer:
/// some microseconds.
const CLOCK_OPERATIONS: u64 = 20_000;

/// How often a watcher hears of a search.
const WATCH: Duration = Duration::from_millis(100);

/// A mind and a machine for it.
pub struct Search {
    fleet: Fleet,
    mind: Mind,
}

impl Search {
    /// A search of a game that begins in this state on these lanes.
    #[must_use]
    pub fn new(lanes: Box<dyn Lanes>, initial: &State, settings: Settings, seed: u64) -> Self {
        let roles = lanes.roles();
        let mut fleet = Fleet::new(lanes, Berths::All);
        let mut mind = Mind::new(initial, roles, settings, fleet.machinery(), seed);
        fleet.seat(std::slice::from_mut(&mut mind), 0);
        Self { fleet, mind }
    }

    /// What has been learned so far.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        self.mind.tree()
    }

    /// The mind that searches.
    #[must_use]
    pub fn mind(&self) -> &Mind {
        &self.mind
    }

    /// Searches for a role's move in a state, which must not be terminal, until
    /// the budget is spent or nothing is left to find out. What earlier searches
    /// found out below that state is used. `watch` is called about ten times a
    /// second.
    pub fn run(
        &mut self,
        state: &State,
        role: usize,
        budget: Budget,
        watch: &mut dyn FnMut(&Report),
    ) -> Report {
        let Self { fleet, mind } = self;
        if !mind.begin(state, role, budget) {
            return Report::default();
        }
        let minds = std::slice::from_mut(mind);
        let (steps, moves) = fleet.work();
        let rounds_a_look = match u64::from(fleet.machinery().operations) {
            0 => 1,
            operations => (CLOCK_OPERATIONS / operations).clamp(1, CLOCK_CHECK),
        };
        let mut next_watch = WATCH;
        for round in 0_u64.. {
            let look = round.is_multiple_of(rounds_a_look);
            if minds[0].is_exhausted() || look && minds[0].clock.expired() {
                break;
            }
            let settled = fleet.launch(minds, 0);
            if fleet.in_flight() > 0 {
                fleet.evaluate();
                fleet.tend(minds);
                fleet.advance();
            } else if settled == 0 {
                break;
            }
            let elapsed = || minds[0].clock.elapsed();
            if look && elapsed() >= next_watch {
                next_watch = elapsed() + WATCH;
                watch(&minds[0].report());
            }
        }
        fleet.abandon(minds);
        let (steps_after, moves_after) = fleet.work();
        let report = &mut minds[0].report;
        report.steps = steps_after - steps;
        report.moves = moves_after - moves;
        self.mind.report()
    }
}

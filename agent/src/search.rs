//! Searches for one player: minds, and machines to fly their simulations.
//!
//! Usually that is one mind and one machine. Several threads can share a mind,
//! each with a machine of its own, and take turns at its tree; and there can be
//! several minds that know nothing of each other, whose results are summed.
//!
//! A search can be called back by its [`Bell`], and moved to other machines between
//! two runs. Simulations that a run leaves in flight go on in the next one if that
//! is about the same move: where one takes a second, it is not lost because
//! somebody called.
//!
//! Repeatable with one thread a mind: with a budget in simulations, everything
//! then follows from the seeds and the number of lanes.

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use gdl_runtime::engine::{Lanes, Role, State};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::agents::{Parameter, Part, Place};
use crate::clock::{Bell, Budget};
use crate::fleet::{Berths, Fleet};
use crate::mind::Mind;
pub use crate::mind::{Report, Settings};
use crate::tree::Tree;

/// The part that gives a mind several threads.
pub const THREADS: Part = Part {
    name: "threads",
    place: Place::Threads,
    summary: "several threads on one tree: they take turns at it, and simulations in flight \
              count as visits, so that the others go elsewhere (virtual loss)",
    source: "Chaslot, Winands and van den Herik 2008",
    parameters: &[Parameter {
        name: "n",
        meaning: "threads",
        default: 2.0,
        range: 1.0..=256.0,
    }],
    build: |draft, values, _| draft.threads = values.get(0) as usize,
};

/// The part that gives an agent several minds.
pub const TREES: Part = Part {
    name: "trees",
    place: Place::Trees,
    summary: "several trees, each with a thread of its own; they share the budget, and what \
              they found out about the moves at the root is summed",
    source: "Cazenave and Jouandeau 2007 (root parallelisation)",
    parameters: &[Parameter {
        name: "n",
        meaning: "trees",
        default: 2.0,
        range: 1.0..=256.0,
    }],
    build: |draft, values, _| draft.trees = values.get(0) as usize,
};

/// Most steps between two looks at the clock: a step of a small game takes less
/// than looking.
const CLOCK_CHECK: u64 = 8;

/// Operations of the machine between two looks at the clock, if a step has fewer:
/// some microseconds.
const CLOCK_OPERATIONS: u64 = 20_000;

/// How often a watcher hears of a search.
const WATCH: Duration = Duration::from_millis(100);

/// Minds with machines for them.
pub struct Search {
    groves: Vec<Grove>,
    bell: Bell,
}

/// A mind and the machines, a thread each, that fly its simulations.
struct Grove {
    mind: Mind,
    fleets: Vec<Fleet>,
}

impl Search {
    /// A search of a game that begins in this state on these lanes.
    #[must_use]
    pub fn new(lanes: Box<dyn Lanes>, initial: &State, settings: Settings, seed: u64) -> Self {
        let fleets = vec![Fleet::new(lanes, Berths::All)];
        Self {
            groves: vec![Grove::new(fleets, initial, settings, seed)],
            bell: Bell::default(),
        }
    }

    /// A search with a mind for each of the settings, all of the same agent, and
    /// as many machines for each as its settings have threads. `lanes` makes a
    /// machine from a seed.
    #[must_use]
    pub fn parallel(
        minds: Vec<Settings>,
        lanes: &dyn Fn(u64) -> Box<dyn Lanes>,
        initial: &State,
        seed: u64,
    ) -> Self {
        let mut seeds = Xoshiro256PlusPlus::seed_from_u64(seed);
        let grove = |settings: Settings| {
            let threads = 0..settings.threads.max(1);
            let fleet = |_| Fleet::new(lanes(seeds.random()), Berths::All);
            let fleets = threads.map(fleet).collect();
            Grove::new(fleets, initial, settings, seeds.random())
        };
        Self {
            groves: minds.into_iter().map(grove).collect(),
            bell: Bell::default(),
        }
    }

    /// What calls this search back.
    #[must_use]
    pub fn bell(&self) -> Bell {
        self.bell.clone()
    }

    /// From now on it is this bell that calls the search back.
    pub fn answer_to(&mut self, bell: Bell) {
        self.bell = bell;
    }

    /// Goes on with other machines, which `lanes` makes from seeds: of the same
    /// game, with states and moves numbered alike and listed in the same order.
    /// All that has been learned stays; simulations in flight are given up.
    pub fn move_to(&mut self, lanes: &dyn Fn(u64) -> Box<dyn Lanes>) {
        self.groves
            .iter_mut()
            .for_each(|grove| grove.move_to(lanes));
    }

    /// Forgets what has been learned in the trees; what else parts have learned,
    /// policies for instance, stays.
    pub fn forget(&mut self) {
        for grove in &mut self.groves {
            grove.abandon();
            grove.mind.tree.clear();
            grove.mind.root = None;
        }
    }

    /// Whether searching on could teach nothing: as far as a choice depends on it,
    /// everything below the last state that was searched is proven.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.minds().all(Mind::is_exhausted)
    }

    /// What the first mind has learned so far.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        self.groves[0].mind.tree()
    }

    /// The minds that search.
    pub fn minds(&self) -> impl Iterator<Item = &Mind> + Clone {
        self.groves.iter().map(|grove| &grove.mind)
    }

    /// Searches for a role's move in a state, which must not be terminal, until
    /// the budget is spent, nothing is left to find out or the [bell](Self::bell)
    /// rings. What earlier searches found out below that state is used. `watch` is
    /// called about ten times a second.
    pub fn run(
        &mut self,
        state: &State,
        role: Role,
        budget: Budget,
        watch: &mut dyn FnMut(&Report),
    ) -> Report {
        let shares = budget.split(self.groves.len());
        for (grove, share) in self.groves.iter_mut().zip(shares) {
            grove.begin(state, role, share);
        }
        match &mut self.groves[..] {
            [Grove { mind, fleets }] if fleets.len() == 1 => {
                fly(&mut fleets[0], &mut Alone(mind), &self.bell, watch);
            }
            groves => fly_all(groves, &self.bell, watch),
        }
        let reports = self.minds().map(Mind::report);
        reports.reduce(Report::join).unwrap_or_default()
    }
}

impl Grove {
    fn new(mut fleets: Vec<Fleet>, initial: &State, settings: Settings, seed: u64) -> Self {
        let (machinery, roles) = (fleets[0].machinery(), fleets[0].roles());
        let mut mind = Mind::new(initial, roles, settings, machinery, seed);
        for fleet in &mut fleets {
            fleet.seat(std::slice::from_mut(&mut mind), 0);
        }
        Self { mind, fleets }
    }

    /// Begins to think about a move. Only if that is the one it thought about last
    /// do simulations in flight still have a meaning.
    fn begin(&mut self, state: &State, role: Role, budget: Budget) {
        if !self.mind.thinks_about(state, role) {
            self.abandon();
        }
        self.mind.begin(state, role, budget);
    }

    fn abandon(&mut self) {
        for fleet in &mut self.fleets {
            fleet.abandon(std::slice::from_mut(&mut self.mind));
        }
    }

    fn move_to(&mut self, lanes: &dyn Fn(u64) -> Box<dyn Lanes>) {
        self.abandon();
        for fleet in &mut self.fleets {
            *fleet = Fleet::new(lanes(self.mind.random.random()), Berths::All);
            fleet.seat(std::slice::from_mut(&mut self.mind), 0);
        }
    }
}

/// Flies all simulations on a thread a fleet, the first one on this.
fn fly_all(groves: &mut [Grove], bell: &Bell, watch: &mut dyn FnMut(&Report)) {
    let (minds, fleets): (Vec<_>, Vec<_>) = groves
        .iter_mut()
        .map(|grove| (Mutex::new(&mut grove.mind), &mut grove.fleets))
        .unzip();
    thread::scope(|scope| {
        let crews = fleets.into_iter().zip(&minds);
        let mut crews =
            crews.flat_map(|(fleets, mind)| fleets.iter_mut().map(move |fleet| (fleet, mind)));
        let first = crews.next();
        for (fleet, mind) in crews {
            scope.spawn(move || fly(fleet, &mut Shared(mind), bell, &mut |_| {}));
        }
        if let Some((fleet, mind)) = first {
            fly(fleet, &mut Shared(mind), bell, watch);
        }
    });
}

/// How a thread comes by a mind.
trait Access {
    /// Lets something be done with the mind.
    fn with<T>(&mut self, work: impl FnOnce(&mut [Mind]) -> T) -> T;
}

struct Alone<'a>(&'a mut Mind);

impl Access for Alone<'_> {
    fn with<T>(&mut self, work: impl FnOnce(&mut [Mind]) -> T) -> T {
        work(std::slice::from_mut(self.0))
    }
}

struct Shared<'a, 'b>(&'a Mutex<&'b mut Mind>);

impl Access for Shared<'_, '_> {
    fn with<T>(&mut self, work: impl FnOnce(&mut [Mind]) -> T) -> T {
        let mut mind = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        work(std::slice::from_mut(&mut **mind))
    }
}

/// Flies a mind's simulations until its budget is spent, nothing is left to find
/// out or the bell rings.
fn fly(fleet: &mut Fleet, access: &mut impl Access, bell: &Bell, watch: &mut dyn FnMut(&Report)) {
    let (steps, moves) = fleet.work();
    let rounds_a_look = match u64::from(fleet.machinery().operations) {
        0 => 1,
        operations => (CLOCK_OPERATIONS / operations).clamp(1, CLOCK_CHECK),
    };
    let mut next_watch = WATCH;
    for round in 0_u64.. {
        if bell.is_ringing() {
            break;
        }
        let look = round.is_multiple_of(rounds_a_look);
        let goes_on = access.with(|minds| {
            if minds[0].is_exhausted() || look && minds[0].clock.expired() {
                return false;
            }
            let settled = fleet.launch(minds, 0);
            fleet.in_flight() > 0 || settled > 0 || minds[0].flying > 0
        });
        if !goes_on {
            break;
        }
        if fleet.in_flight() > 0 {
            fleet.evaluate();
            access.with(|minds| fleet.tend(minds));
            fleet.advance();
        } else {
            // All that may be in flight is, on other threads.
            thread::yield_now();
        }
        if look {
            let report = access.with(|minds| {
                let due = minds[0].clock.elapsed() >= next_watch;
                due.then(|| minds[0].report())
            });
            if let Some(report) = report {
                next_watch = report.elapsed + WATCH;
                watch(&report);
            }
        }
    }
    access.with(|minds| {
        let (steps_after, moves_after) = fleet.work();
        let report = &mut minds[0].report;
        report.steps += steps_after - steps;
        report.moves += moves_after - moves;
    });
}

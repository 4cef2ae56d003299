//! The threads of a search: each steps a machine and takes turns at its tree.

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use gdl_runtime::engine::{Lanes, Role, State};
use gdl_runtime::stop_flag::StopFlag;
use rand::RngExt;

use super::budget::SearchBudget;
use super::report::SearchReport;
use super::searcher::Searcher;
use super::settings::SearchSettings;
use crate::lane_scheduler::{LaneAssignment, LaneScheduler};

/// Maximum number of steps between two checks of the clock: a step of a small game
/// takes less time than a check.
const CLOCK_CHECK: u64 = 8;

/// Operations of the machine between two checks of the clock: some microseconds.
const CLOCK_OPERATIONS: u64 = 20_000;

/// The interval at which a search reports its progress.
const WATCH: Duration = Duration::from_millis(100);

/// A tree's searcher and the machines, one per thread, that run its simulations.
pub(super) struct TreeWorkers {
    pub(super) searcher: Searcher,
    schedulers: Vec<LaneScheduler>,
}

impl TreeWorkers {
    pub(super) fn new(
        mut schedulers: Vec<LaneScheduler>,
        initial: &State,
        settings: SearchSettings,
        seed: u64,
    ) -> Self {
        let (cost_model, roles) = (schedulers[0].cost_model(), schedulers[0].roles());
        let mut searcher = Searcher::new(initial, roles, settings, cost_model, seed);
        for scheduler in &mut schedulers {
            scheduler.attach(std::slice::from_mut(&mut searcher), 0);
        }
        Self {
            searcher,
            schedulers,
        }
    }

    /// Starts a search. Simulations in flight go on only if it is for the same role in
    /// the same state as the last one.
    pub(super) fn begin(&mut self, state: &State, role: Role, budget: SearchBudget) {
        if !self.searcher.is_searching(state, role) {
            self.abandon();
        }
        self.searcher.begin(state, role, budget);
    }

    /// Abandons all simulations in flight.
    pub(super) fn abandon(&mut self) {
        for scheduler in &mut self.schedulers {
            scheduler.abandon(std::slice::from_mut(&mut self.searcher));
        }
    }

    /// Replaces all machines.
    pub(super) fn move_to(&mut self, lanes: &dyn Fn(u64) -> Box<dyn Lanes>) {
        self.abandon();
        for scheduler in &mut self.schedulers {
            *scheduler = LaneScheduler::new(
                lanes(self.searcher.random.random()),
                LaneAssignment::SingleSearcher,
            );
            scheduler.attach(std::slice::from_mut(&mut self.searcher), 0);
        }
    }
}

/// Runs all simulations, with one thread per scheduler of which the first is the
/// calling thread.
pub(super) fn run_all(
    trees: &mut [TreeWorkers],
    stop_flag: &StopFlag,
    watch: &mut dyn FnMut(&SearchReport),
) {
    if let [
        TreeWorkers {
            searcher,
            schedulers,
        },
    ] = trees
        && let [scheduler] = &mut schedulers[..]
    {
        run_worker(scheduler, &mut ExclusiveAccess(searcher), stop_flag, watch);
        return;
    }
    let (searchers, schedulers): (Vec<_>, Vec<_>) = trees
        .iter_mut()
        .map(|tree| (Mutex::new(&mut tree.searcher), &mut tree.schedulers))
        .unzip();
    thread::scope(|scope| {
        let mut workers =
            schedulers
                .into_iter()
                .zip(&searchers)
                .flat_map(|(schedulers, searcher)| {
                    schedulers
                        .iter_mut()
                        .map(move |scheduler| (scheduler, searcher))
                });
        let first = workers.next();
        for (scheduler, searcher) in workers {
            let mut access = SharedAccess(searcher);
            scope.spawn(move || run_worker(scheduler, &mut access, stop_flag, &mut |_| {}));
        }
        if let Some((scheduler, searcher)) = first {
            run_worker(scheduler, &mut SharedAccess(searcher), stop_flag, watch);
        }
    });
}

/// How a thread gets at a searcher.
trait SearcherAccess {
    /// Calls `work` with the searcher, as a slice of one.
    fn with<T>(&mut self, work: impl FnOnce(&mut [Searcher]) -> T) -> T;
}

/// The searcher belongs to this thread.
struct ExclusiveAccess<'a>(&'a mut Searcher);

impl SearcherAccess for ExclusiveAccess<'_> {
    fn with<T>(&mut self, work: impl FnOnce(&mut [Searcher]) -> T) -> T {
        work(std::slice::from_mut(self.0))
    }
}

/// The searcher is shared with other threads.
struct SharedAccess<'a, 'b>(&'a Mutex<&'b mut Searcher>);

impl SearcherAccess for SharedAccess<'_, '_> {
    fn with<T>(&mut self, work: impl FnOnce(&mut [Searcher]) -> T) -> T {
        let mut searcher = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        work(std::slice::from_mut(&mut **searcher))
    }
}

/// Runs a searcher's simulations until its budget is spent, it is exhausted or the
/// stop flag is set.
fn run_worker(
    scheduler: &mut LaneScheduler,
    access: &mut impl SearcherAccess,
    stop_flag: &StopFlag,
    watch: &mut dyn FnMut(&SearchReport),
) {
    let (steps, moves) = scheduler.work();
    let rounds_per_check = match u64::from(scheduler.cost_model().operations) {
        0 => 1,
        operations => (CLOCK_OPERATIONS / operations).clamp(1, CLOCK_CHECK),
    };
    let mut next_watch = WATCH;
    for round in 0_u64.. {
        if stop_flag.is_raised() {
            break;
        }
        let check_clock = round.is_multiple_of(rounds_per_check);
        let goes_on = access.with(|searchers| {
            if searchers[0].is_exhausted() || check_clock && searchers[0].clock.expired() {
                return false;
            }
            let solved = scheduler.launch(searchers, 0);
            scheduler.occupied() > 0 || solved > 0 || searchers[0].in_flight > 0
        });
        if !goes_on {
            break;
        }
        if scheduler.occupied() > 0 {
            scheduler.evaluate();
            access.with(|searchers| scheduler.process(searchers));
            scheduler.advance();
        } else {
            // As many simulations as are allowed are in flight, on other threads.
            thread::yield_now();
        }
        if check_clock {
            let report = access.with(|searchers| {
                let due = searchers[0].clock.elapsed() >= next_watch;
                due.then(|| searchers[0].report())
            });
            if let Some(report) = report {
                next_watch = report.elapsed + WATCH;
                watch(&report);
            }
        }
    }
    access.with(|searchers| {
        let (steps_after, moves_after) = scheduler.work();
        let report = &mut searchers[0].report;
        report.steps += steps_after - steps;
        report.moves += moves_after - moves;
    });
}

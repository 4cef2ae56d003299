//! Search by evaluation within a budget, and its report.

use std::time::{Duration, Instant};

use gdl_runtime::engine::State;
use gdl_runtime::stop_flag::StopFlag;

use crate::puct::{EvaluatedSearch, PuctCounts};
use crate::search::{SearchBudget, SearchReport};

/// The interval at which a search reports its progress.
const WATCH: Duration = Duration::from_millis(100);

/// Searches by evaluation within a budget, counting each descent as a simulation.
pub(super) fn run_evaluated(
    search: &mut EvaluatedSearch,
    state: &State,
    budget: SearchBudget,
    stop_flag: &StopFlag,
    watch: &mut dyn FnMut(&SearchReport),
) -> SearchReport {
    let begun = Instant::now();
    search.set_root(state);
    let before = search.counts();
    let mut next_watch = WATCH;
    let mut goes_on = |counts: &PuctCounts| {
        let is_spent = match budget {
            SearchBudget::Until(_) | SearchBudget::Simulations(_) => false,
            SearchBudget::Steps(limit) => counts.steps - before.steps >= limit,
        };
        let elapsed = begun.elapsed();
        if elapsed >= next_watch {
            next_watch = elapsed + WATCH;
            watch(&report(counts, &before, elapsed));
        }
        !is_spent && !stop_flag.is_raised()
    };
    match budget {
        SearchBudget::Until(deadline) => search.run_until(deadline, &mut goes_on),
        SearchBudget::Simulations(limit) => search.run_counted(limit, &mut goes_on),
        SearchBudget::Steps(_) => search.run(&mut goes_on),
    }
    report(&search.counts(), &before, begun.elapsed())
}

/// What a search did between two counts.
fn report(counts: &PuctCounts, before: &PuctCounts, elapsed: Duration) -> SearchReport {
    let descents = counts.descents - before.descents;
    SearchReport {
        simulations: descents,
        evaluations: counts.evaluations - before.evaluations,
        known: counts.known - before.known,
        batches: counts.batches - before.batches,
        elapsed,
        nodes: counts.nodes,
        bytes: counts.bytes,
        deepest: counts.deepest,
        tree_steps: counts.steps - before.steps,
        ..SearchReport::default()
    }
}

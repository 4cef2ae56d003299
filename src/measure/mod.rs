//! Measuring engines by uniformly random playouts.
//!
//! Input: loaded engines of one game, or other programs that play it. Output: one
//! [`Measurement`] per engine. Several engines take turns, so that other load on the
//! machine slows all of them alike and does not distort their ratios.

mod tree;

pub use tree::{TreeMeasurement, measure_tree};

use gdl_runtime::engine::{Engine, Lanes, Tally};
use serde::{Deserialize, Serialize};
use std::panic::resume_unwind;
use std::thread;
use std::time::{Duration, Instant};

/// Turns per engine if there are several.
const TURNS: u32 = 4;

/// How much to measure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// Seconds per engine; games that are unfinished then are played to their end.
    pub seconds: f64,
    /// Threads that play at the same time, each with its own lanes.
    pub threads: usize,
    /// The seed of the first thread; thread `n` has this plus `n`.
    pub seed: u64,
}

/// Plays complete random games on one thread.
pub trait PlayoutRunner: Send {
    /// The number of games played at the same time.
    fn count(&self) -> usize;

    /// Plays as [`LanePlayouts::playouts`](gdl_runtime::engine::LanePlayouts::playouts) does.
    fn playouts(&mut self, keep_going: &mut dyn FnMut(&Tally) -> bool) -> Tally;
}

impl PlayoutRunner for Box<dyn Lanes> {
    fn count(&self) -> usize {
        self.as_ref().count()
    }

    fn playouts(&mut self, keep_going: &mut dyn FnMut(&Tally) -> bool) -> Tally {
        self.as_mut().playouts(keep_going)
    }
}

/// The random games that an engine played.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measurement {
    /// Positions that a thread advances in one step.
    pub lanes: usize,
    /// Wall-clock seconds that it took.
    pub seconds: f64,
    /// The totals of all threads.
    pub tally: Tally,
}

impl Measurement {
    /// Games finished per second.
    #[must_use]
    pub fn playouts_per_second(&self) -> f64 {
        self.tally.playouts as f64 / self.seconds.max(1e-9)
    }

    /// State transitions per second, including those of abandoned games.
    #[must_use]
    pub fn states_per_second(&self) -> f64 {
        self.tally.transitions as f64 / self.seconds.max(1e-9)
    }

    /// The length of games in joint moves; `None` if no game was finished.
    #[must_use]
    pub fn length(&self) -> Option<Mean> {
        let tally = &self.tally;
        Mean::from_sums(
            tally.playouts,
            tally.steps.into(),
            tally.squared_steps.into(),
        )
    }

    /// The goal value of each role; empty if no game was finished.
    #[must_use]
    pub fn goals(&self) -> Vec<Mean> {
        let tally = &self.tally;
        tally
            .goals
            .iter()
            .zip(&tally.squared_goals)
            .filter_map(|(&sum, &squares)| Mean::from_sums(tally.playouts, sum.into(), squares))
            .collect()
    }
}

/// A mean of independent observations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean.
    pub value: f64,
    /// Its standard error; `None` for a single observation.
    pub error: Option<f64>,
    /// The number of observations.
    pub count: u64,
}

impl Mean {
    /// The mean of `count` observations from their sum and the sum of their squares, in
    /// exact arithmetic up to the last division; `None` if there are no observations.
    #[must_use]
    pub fn from_sums(count: u64, sum: i128, squares: i128) -> Option<Self> {
        if count == 0 {
            return None;
        }
        let n = i128::from(count);
        // n times the sum of the squared deviations from the mean.
        let scatter = n.saturating_mul(squares) - sum.saturating_mul(sum);
        let error = (count > 1).then(|| {
            let variance = scatter as f64 / (n as f64 * (n - 1) as f64);
            (variance / n as f64).max(0.0).sqrt()
        });
        Some(Self {
            value: sum as f64 / n as f64,
            error,
            count,
        })
    }
}

/// The number of turns that each of several engines gets, which is the number of calls of
/// the callback of [`measure`] per engine.
#[must_use]
pub fn turns(engines: usize) -> u32 {
    if engines > 1 { TURNS } else { 1 }
}

/// Lets the engines play in turns, and calls `turn_over` with the index of an engine after
/// each of its turns.
pub fn measure(
    engines: &[&dyn Engine],
    effort: &Effort,
    turn_over: impl FnMut(usize),
) -> Vec<Measurement> {
    let runners = engines
        .iter()
        .map(|engine| runners_per_thread(*engine, effort))
        .collect();
    take_turns(runners, effort.seconds, turn_over)
}

/// One runner per thread.
#[must_use]
pub fn runners_per_thread(engine: &dyn Engine, effort: &Effort) -> Vec<Box<dyn PlayoutRunner>> {
    (0..effort.threads as u64)
        .map(|thread| engine.lanes(effort.seed.wrapping_add(thread)))
        .map(|lanes| Box::new(lanes) as Box<dyn PlayoutRunner>)
        .collect()
}

/// Lets contestants, each with one runner per thread, play in turns for `seconds` each,
/// and calls `turn_over` with the index of a contestant after each of its turns.
pub fn take_turns(
    mut contestants: Vec<Vec<Box<dyn PlayoutRunner>>>,
    seconds: f64,
    mut turn_over: impl FnMut(usize),
) -> Vec<Measurement> {
    let mut measurements: Vec<Measurement> = contestants
        .iter()
        .map(|threads| Measurement {
            lanes: threads.first().map_or(0, |runner| runner.count()),
            ..Measurement::default()
        })
        .collect();
    let turns = turns(contestants.len());
    let time = Duration::from_secs_f64(seconds) / turns;
    for _ in 0..turns {
        for (index, threads) in contestants.iter_mut().enumerate() {
            take_turn(threads, time, &mut measurements[index]);
            turn_over(index);
        }
    }
    measurements
}

/// Plays for `time` in all threads and adds up the results.
fn take_turn(
    threads: &mut [Box<dyn PlayoutRunner>],
    time: Duration,
    measurement: &mut Measurement,
) {
    let start = Instant::now();
    let tallies: Vec<Tally> = thread::scope(|scope| {
        let playing: Vec<_> = threads
            .iter_mut()
            .map(|runner| scope.spawn(move || runner.playouts(&mut |_| start.elapsed() < time)))
            .collect();
        playing
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    });
    measurement.seconds += start.elapsed().as_secs_f64();
    for tally in &tallies {
        measurement.tally += tally;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdl_engines::{EngineKind, EngineOptions};
    use gdlc::source::Source;

    #[test]
    fn standard_errors_are_those_of_a_hand_worked_sample() {
        // 1, 2, 3, 6: mean 3, squared deviations 4 + 1 + 0 + 9, variance 14/3.
        let mean = Mean::from_sums(4, 12, 50).expect("there are observations");
        assert_eq!(mean.value, 3.0);
        let error = mean.error.expect("there are several");
        assert!((error - (14.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-15);
    }

    #[test]
    fn constant_and_missing_samples_have_no_spread() {
        let constant = Mean::from_sums(3, 150, 7500).expect("there are observations");
        assert_eq!((constant.value, constant.error), (50.0, Some(0.0)));
        let single = Mean::from_sums(1, 7, 49).expect("there is an observation");
        assert_eq!((single.value, single.error), (7.0, None));
        assert_eq!(Mean::from_sums(0, 0, 0), None);
    }

    #[test]
    fn threads_and_turns_add_up() {
        // Every game takes two steps; the goal is 100 or 0 with equal chance.
        let sheet = "(role r) (init (at 0)) (legal r up) (legal r down)
            (<= (next (at 1)) (true (at 0)))
            (<= (next (at 2)) (true (at 1)))
            (<= (next high) (true (at 1)) (does r up))
            (<= terminal (true (at 2)))
            (<= (goal r 100) (true high))
            (<= (goal r 0) (not (true high)))";
        let source = Source::new("steps.kif".to_owned(), sheet.to_owned());
        let engines = [EngineKind::Net, EngineKind::Reference].map(|kind| {
            gdl_engines::load(&source, kind, &EngineOptions::default())
                .expect("the game can be loaded")
        });
        let engines: Vec<&dyn Engine> = engines.iter().map(AsRef::as_ref).collect();
        let effort = Effort {
            seconds: 0.04,
            threads: 2,
            seed: 1,
        };
        let mut turns_seen = Vec::new();
        let measured = measure(&engines, &effort, |engine| turns_seen.push(engine));
        assert_eq!(turns_seen, [0, 1, 0, 1, 0, 1, 0, 1]);
        for measurement in &measured {
            let length = measurement.length().expect("games were finished");
            assert_eq!((length.value, length.error), (2.0, Some(0.0)));
            let goal = measurement.goals()[0];
            let error = goal.error.expect("several games were finished");
            assert!((goal.value - 50.0).abs() < 6.0 * error, "{goal:?}");
            assert!(measurement.tally.transitions >= 2 * measurement.tally.playouts);
            assert!(measurement.seconds >= 0.04, "{}", measurement.seconds);
        }
        assert_eq!(measured[1].lanes, 1);
    }
}

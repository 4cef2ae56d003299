//! Tournaments whose games other processes play.

use crate::errors;
use gdl_contests::batches::{BatchPlayer, BatchedTournament, GameBatch, PlayedGame};
use gdl_contests::budget::MoveBudget;
use gdl_contests::options::RunOptions;
use gdl_contests::report;
use gdl_contests::summary;
use gdl_contests::tournament::Tournament;
use parking_lot::{MappedMutexGuard, Mutex, MutexGuard};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

/// The journals of a tournament, which record what is played elsewhere.
#[pyclass(frozen, module = "gdl._gdl", name = "Tournament")]
pub(crate) struct PyTournament {
    /// `None` once it is closed.
    run: Mutex<Option<BatchedTournament>>,
}

#[pymethods]
impl PyTournament {
    /// Opens the journals in `folder`. What is not `None` replaces what the file says; at most
    /// one of `sims`, `steps` and `seconds` may be given.
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        file: PathBuf,
        folder: PathBuf,
        games: Option<u64>,
        sims: Option<u64>,
        steps: Option<u64>,
        seconds: Option<f64>,
        one_by_one: bool,
        memory: usize,
        rounds: usize,
        start: f64,
    ) -> PyResult<Self> {
        let budget = match (sims, steps, seconds) {
            (None, None, None) => None,
            (Some(sims), None, None) => Some(MoveBudget::Simulations(sims)),
            (None, Some(steps), None) => Some(MoveBudget::Steps(steps)),
            (None, None, Some(seconds)) => Some(MoveBudget::Seconds(seconds)),
            _ => return Err(PyValueError::new_err("give one of sims, steps and time")),
        };
        let is_positive = |seconds: f64| seconds.is_finite() && seconds > 0.0;
        if sims == Some(0) || steps == Some(0) || seconds.is_some_and(|time| !is_positive(time)) {
            return Err(PyValueError::new_err("a move needs a budget above 0"));
        }
        let start = Duration::try_from_secs_f64(start);
        let options = RunOptions {
            dedicated: one_by_one,
            memory,
            rounds,
            start: start.map_err(|error| PyValueError::new_err(error.to_string()))?,
            ..RunOptions::default()
        };
        let mut tournament =
            Tournament::read(&file).map_err(|error| errors::chained(py, &error))?;
        for pairing in &mut tournament.pairings {
            pairing.budget = budget.unwrap_or(pairing.budget);
            pairing.games = games.unwrap_or(pairing.games);
        }
        let options = RunOptions {
            idle: tournament.idle,
            ..options
        };
        let run = py.detach(|| BatchedTournament::open(&tournament, &folder, &options));
        Ok(Self {
            run: Mutex::new(Some(run.map_err(|error| errors::chained(py, &error))?)),
        })
    }

    /// The number of games.
    #[getter]
    fn games(&self) -> PyResult<u64> {
        Ok(self.open()?.games())
    }

    /// How many of them are in the journals.
    #[getter]
    fn recorded(&self) -> PyResult<u64> {
        Ok(self.open()?.recorded())
    }

    /// The games that the journals lack, in batches, each with the number of its games and the
    /// number of processors that it takes.
    fn batches(
        &self,
        py: Python<'_>,
        size: Option<u64>,
        workers: u64,
    ) -> PyResult<Vec<(String, usize, usize)>> {
        let batches = self.open()?.batches(size, workers);
        let batches = batches.iter().map(|batch| {
            let text = json(py, batch)?;
            Ok((text, batch.games(), batch.processors()))
        });
        batches.collect()
    }

    /// Records a game; false if it is in its journal already.
    fn record(&self, py: Python<'_>, game: &str) -> PyResult<bool> {
        let game: PlayedGame = parsed(py, game)?;
        let recorded = py.detach(|| self.open().map(|mut run| run.record(game)))?;
        recorded.map_err(|error| errors::chained(py, &error))
    }

    /// The results as `gdl tournament` prints them.
    fn overview(&self) -> PyResult<String> {
        Ok(report::overview(&self.open()?.summaries()))
    }

    /// The results as `gdl tournament --json` prints them: a line for each contest.
    fn summaries(&self, py: Python<'_>) -> PyResult<String> {
        let summaries = self.open()?.summaries();
        summary::lines(&summaries).map_err(|error| errors::chained(py, &error))
    }

    /// Discards what was kept of unfinished games that are over by now.
    fn conclude(&self, py: Python<'_>) -> PyResult<()> {
        let concluded = self.open()?.conclude();
        concluded.map_err(|error| errors::chained(py, &error))
    }

    /// Closes the journals, which others can write to from then on.
    fn close(&self) {
        *self.run.lock() = None;
    }
}

impl PyTournament {
    fn open(&self) -> PyResult<MappedMutexGuard<'_, BatchedTournament>> {
        MutexGuard::try_map(self.run.lock(), Option::as_mut)
            .map_err(|_| PyValueError::new_err("the tournament is closed"))
    }
}

/// Plays batches of games on one thread.
#[pyclass(frozen, module = "gdl._gdl", name = "BatchPlayer")]
pub(crate) struct PyBatchPlayer {
    player: Mutex<BatchPlayer>,
}

#[pymethods]
impl PyBatchPlayer {
    #[new]
    fn new() -> Self {
        Self {
            player: Mutex::default(),
        }
    }

    /// Plays the games of a batch, and returns them as they are to be recorded.
    fn play(&self, py: Python<'_>, batch: &str) -> PyResult<Vec<String>> {
        let batch: GameBatch = parsed(py, batch)?;
        let mut interrupted = Ok(());
        let played = py.detach(|| {
            self.player.lock().play(&batch, &mut || {
                interrupted = Python::attach(|py| py.check_signals());
                match interrupted {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            })
        });
        interrupted?;
        let played = played.map_err(|error| errors::chained(py, &error))?;
        played.iter().map(|game| json(py, game)).collect()
    }
}

fn json(py: Python<'_>, value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| errors::chained(py, &error))
}

fn parsed<T: DeserializeOwned>(py: Python<'_>, text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| errors::chained(py, &error))
}

//! Tree searches guided by an evaluation in Python.

use crate::errors;
use crate::game::PyGame;
use gdl_environments::{BatchOptions, BatchSearch, Observation};
use numpy::{PyArray1, PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use parking_lot::Mutex;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Searches of many games; `gdl.BatchSearch` calls the evaluation between its methods.
#[pyclass(frozen, module = "gdl._gdl", name = "BatchSearch")]
pub(crate) struct PyBatchSearch {
    searches: Mutex<BatchSearch>,
}

/// Observations, masks, players, and whether the evaluation counts.
type LeafArrays<'py> = (
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<bool>>,
);

#[pymethods]
impl PyBatchSearch {
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        game: &PyGame,
        games: usize,
        observation: &str,
        exploration: f32,
        noise: f32,
        concentration: Option<f32>,
        seed: u64,
    ) -> PyResult<Self> {
        let options = BatchOptions {
            games,
            observation: match observation {
                "fluents" => Observation::Fluents,
                "planes" => Observation::Planes(game.plane_layout(py)?),
                _ => {
                    return Err(PyValueError::new_err(
                        "observation must be 'planes' or 'fluents'",
                    ));
                }
            },
            exploration,
            noise,
            concentration,
            seed,
        };
        let made = py.detach(|| BatchSearch::new(&**game.engine().lock(), options));
        let searches = made.map_err(|error| errors::error(py, error))?;
        Ok(Self {
            searches: Mutex::new(searches),
        })
    }

    /// Begins searches of these states.
    fn begin(&self, py: Python<'_>, states: PyReadonlyArrayDyn<'_, u64>) -> PyResult<()> {
        let states = states.as_slice()?;
        let begun = py.detach(|| self.searches.lock().begin(states));
        begun.map_err(|error| errors::error(py, error))
    }

    /// The positions that wait for an evaluation.
    fn leaves<'py>(&self, py: Python<'py>) -> LeafArrays<'py> {
        let searches = self.searches.lock();
        let leaves = searches.leaves();
        (
            PyArray1::from_slice(py, &leaves.observations),
            PyArray1::from_slice(py, &leaves.masks),
            PyArray1::from_slice(py, &leaves.players),
            PyArray1::from_slice(py, &leaves.open),
        )
    }

    /// Takes an evaluation of these positions.
    fn expand(
        &self,
        py: Python<'_>,
        logits: PyReadonlyArrayDyn<'_, f32>,
        values: PyReadonlyArrayDyn<'_, f32>,
    ) -> PyResult<()> {
        let (logits, values) = (logits.as_slice()?, values.as_slice()?);
        let expanded = py.detach(|| self.searches.lock().expand(logits, values));
        expanded.map_err(|error| errors::error(py, error))?;
        py.check_signals()
    }

    /// Descends to other positions.
    fn descend(&self, py: Python<'_>) -> PyResult<()> {
        let descended = py.detach(|| self.searches.lock().descend());
        descended.map_err(|error| errors::error(py, error))
    }

    /// Writes the visits and values of the actions at all roots.
    fn results(
        &self,
        py: Python<'_>,
        mut visits: PyReadwriteArrayDyn<'_, u32>,
        mut values: PyReadwriteArrayDyn<'_, f32>,
    ) -> PyResult<()> {
        let (visits, values) = (visits.as_slice_mut()?, values.as_slice_mut()?);
        let written = self.searches.lock().results(visits, values);
        written.map_err(|error| errors::error(py, error))
    }
}

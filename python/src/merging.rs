//! Merging what several searches of one state have found.

use crate::errors;
use gdl_agent::search::MoveEvaluation;
use gdl_agent::search::root_merge::RootMerge;
use gdl_runtime::engine::Move;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A move: the action, its visits, its value from 0 to 1, whether it is proven, whether pruned.
type Evaluated = (u32, u32, f64, bool, bool);

/// Merges evaluations by `sum`, `sum10`, `best` or `raw`: the best action, and all of them,
/// most visited first.
#[pyfunction]
pub(crate) fn merge_searches(
    py: Python<'_>,
    method: &str,
    searches: Vec<Vec<Evaluated>>,
) -> PyResult<(u32, Vec<Evaluated>)> {
    if !RootMerge::NAMES.contains(&method) {
        let names = RootMerge::NAMES.join(", ");
        return Err(PyValueError::new_err(format!(
            "{method}: searches are merged by one of {names}"
        )));
    }
    let read = |&(action, visits, value, proven, pruned): &Evaluated| MoveEvaluation {
        mv: Move(action),
        visits,
        value: 100.0 * value,
        proven,
        pruned,
    };
    let write = |found: MoveEvaluation| {
        let MoveEvaluation {
            mv,
            visits,
            value,
            proven,
            pruned,
        } = found;
        (mv.0, visits, value / 100.0, proven, pruned)
    };
    let searches: Vec<Vec<MoveEvaluation>> = (searches.iter())
        .map(|found| found.iter().map(read).collect())
        .collect();
    let (chosen, merged) = (RootMerge::named(method).join(&searches))
        .ok_or_else(|| errors::error(py, "no search has tried an action"))?;
    Ok((chosen.0, merged.into_iter().map(write).collect()))
}

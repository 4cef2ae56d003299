//! Uniformly random legal actions.

use gdl_environments::{MaskRow, sample_actions};
use numpy::{PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Writes, for every row of masks, one of the actions that it allows, each with the same
/// probability. `bits` is the number of actions of a packed row; `None` for a byte each.
#[pyfunction]
pub(crate) fn sample(
    py: Python<'_>,
    mask: PyReadonlyArrayDyn<'_, u8>,
    bits: Option<usize>,
    seed: u64,
    mut actions: PyReadwriteArrayDyn<'_, i32>,
) -> PyResult<()> {
    let last = mask.as_array().shape().last().copied().unwrap_or(0);
    let row = MaskRow {
        bits: bits.unwrap_or(last),
        packed: bits.is_some(),
    };
    let (masks, actions) = (mask.as_slice()?, actions.as_slice_mut()?);
    if row.bytes() != last || masks.len() != last * actions.len() {
        return Err(PyValueError::new_err(
            "a mask has another shape than its actions",
        ));
    }
    py.detach(|| sample_actions(masks, row, seed, actions));
    Ok(())
}

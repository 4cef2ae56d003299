//! KIF terms as Python values.

use crate::errors;
use gdl_runtime::kif::GroundTerm;
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Reads a ground KIF term: a constant is a `str`, a compound term a tuple of its symbol and
/// arguments.
#[pyfunction]
pub(crate) fn parse_term<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    match GroundTerm::parse(text) {
        Ok(term) => value(py, &term),
        Err(error) => Err(errors::error(py, error)),
    }
}

/// Recursion is bounded, since the depth of a [`GroundTerm`] is.
fn value<'py>(py: Python<'py>, term: &GroundTerm<'_>) -> PyResult<Bound<'py, PyAny>> {
    match term {
        GroundTerm::Constant(name) => name.into_bound_py_any(py),
        GroundTerm::Compound(symbol, args) => {
            let mut parts = vec![symbol.into_bound_py_any(py)?];
            for arg in args {
                parts.push(value(py, arg)?);
            }
            Ok(PyTuple::new(py, parts)?.into_any())
        }
    }
}

//! Errors as Python exceptions.

use gdlc::diag::Diagnostic;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::error::Error;
use std::fmt::Display;

/// A `gdl.GdlError` with this text.
pub(crate) fn error(py: Python<'_>, text: impl Display) -> PyErr {
    invalid_rules(py, text, &[])
}

/// A `gdl.GdlError` with the text of an error and those of its causes.
pub(crate) fn chained(py: Python<'_>, failure: &dyn Error) -> PyErr {
    let mut text = failure.to_string();
    let mut cause = failure.source();
    while let Some(found) = cause {
        text += &format!(": {found}");
        cause = found.source();
    }
    error(py, text)
}

/// A `gdl.GdlError` with findings about a rule sheet.
pub(crate) fn invalid_rules(
    py: Python<'_>,
    text: impl Display,
    diagnostics: &[Diagnostic],
) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let findings = findings(py, diagnostics)?;
        let class = py.import("gdl.errors")?.getattr("GdlError")?;
        let value = class.call1((text.to_string(), findings))?;
        Ok(PyErr::from_value(value))
    };
    made().unwrap_or_else(|error| error)
}

/// Findings as objects of `gdl.errors.Finding`.
pub(crate) fn findings<'py>(
    py: Python<'py>,
    diagnostics: &[Diagnostic],
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let class = py.import("gdl.errors")?.getattr("Finding")?;
    let finding = |diagnostic: &Diagnostic| {
        let (line, column) = diagnostic.line_column();
        let end = diagnostic.source.line_column(diagnostic.span.end as usize);
        let fields = PyDict::new(py);
        fields.set_item("severity", diagnostic.severity.to_string())?;
        fields.set_item("code", diagnostic.code)?;
        fields.set_item("message", &diagnostic.message)?;
        fields.set_item("source", &diagnostic.source.name)?;
        fields.set_item("line", line)?;
        fields.set_item("column", column)?;
        fields.set_item("end_line", end.0)?;
        fields.set_item("end_column", end.1)?;
        fields.set_item("label", &diagnostic.label)?;
        fields.set_item("notes", diagnostic.notes.clone())?;
        let edits = diagnostic.fix.iter().flat_map(|fix| &fix.edits);
        fields.set_item("fix", edits.map(|(_, text)| text).next())?;
        class.call((), Some(&fields))
    };
    diagnostics.iter().map(finding).collect()
}

//! What the checks look at.

use crate::rules::Program;
use crate::rules::dependencies::Dependencies;
use crate::rules::negations::Negations;
use crate::syntax::Description;

/// A rule sheet in every form that the checks look at.
pub struct CheckContext<'a> {
    /// The rule sheet as written.
    pub description: &'a Description,
    /// The rules as lowered, except what could not be lowered.
    pub program: &'a Program,
    /// Which relations of the program depend on which.
    pub dependencies: &'a Dependencies,
    /// The negations that might close a cycle.
    pub negations: &'a Negations,
    /// Whether every statement of the text could be read.
    pub complete: bool,
}

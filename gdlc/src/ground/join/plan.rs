//! Join plans: the order in which the literals of a rule are looked up once one
//! of them is known, compiled to flat instructions over registers.
//!
//! A rule's variables occupy the first registers; nested terms that have to be
//! built use the registers after them.

use crate::ground::atom_table::OpenFunction;
use crate::ground::term::{FunctorId, GroundTermId};
use crate::rules::RelationId;

/// Where a known value is.
#[derive(Debug, Clone, Copy)]
pub(in crate::ground) enum JoinOperand {
    Register(u32),
    Constant(GroundTermId),
}

/// Builds a nested term into a register.
#[derive(Debug)]
pub(in crate::ground) struct Build {
    pub functor: FunctorId,
    pub args: Vec<JoinOperand>,
    pub into: u32,
}

/// Makes an atom's arguments, or the two sides of a `distinct`.
#[derive(Debug)]
pub(in crate::ground) struct Construct {
    pub relation: RelationId,
    pub builds: Vec<Build>,
    pub args: Vec<JoinOperand>,
}

/// Takes an atom apart.
#[derive(Debug, Default)]
pub(in crate::ground) struct Matcher {
    pub opens: Vec<OpenFunction>,
    /// Places in the frame and the registers that receive them.
    pub binds: Vec<(u32, u32)>,
    /// Places in the frame and what they have to equal; tested after the binds.
    pub checks: Vec<(u32, JoinOperand)>,
}

/// One literal of the body in the order of the plan.
#[derive(Debug)]
pub(in crate::ground) enum JoinStep {
    /// Visits all rows of an index under a key.
    Scan(Scan),
    /// Finds the row of an atom whose variables are all bound.
    Find {
        atom: Construct,
        slot: Option<usize>,
        excludes_trigger: bool,
    },
    /// Tests a negative literal over a relation that is complete.
    Absent(Construct),
    /// Tests a `distinct`.
    Differ(Construct),
}

/// See [`JoinStep::Scan`].
#[derive(Debug)]
pub(in crate::ground) struct Scan {
    pub relation: RelationId,
    pub index: usize,
    pub key: Vec<JoinOperand>,
    pub matcher: Matcher,
    /// Where the row goes in the instance.
    pub slot: Option<usize>,
    /// Whether the trigger is skipped: an instance is found at the first of its
    /// literals that is the trigger.
    pub excludes_trigger: bool,
}

/// How to find the instances of a rule in which one literal is a known atom, the
/// trigger.
#[derive(Debug)]
pub(in crate::ground) struct JoinPlan {
    pub clause: usize,
    pub registers: usize,
    /// The literal that is known: its relation, how to take it apart, its slot.
    pub trigger: Option<(RelationId, Matcher, Option<usize>)>,
    pub steps: Vec<JoinStep>,
    /// The number of positive literals that an instance records.
    pub slots: usize,
    /// Whether instances are recorded at all.
    pub records: bool,
    /// Negative literals that an instance records.
    pub negatives: Vec<Construct>,
    pub head: Construct,
}

//! Finds the instances of rules: bodies are joined one literal after the other.
//!
//! `plan` says what a join plan consists of, `pattern` and `planner` make one,
//! and `run` executes it.

mod pattern;
mod plan;
mod planner;
mod run;

pub(super) use plan::JoinPlan;
pub(super) use planner::JoinPlanner;
pub(super) use run::{Joiner, WithinBudget};

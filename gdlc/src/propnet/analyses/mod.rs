//! Analyses: facts about a propnet, proved without changing it.

mod autonomy;
mod exclusion;
mod implied_literals;
mod induction;
mod mutex_groups;
mod needed_moves;
mod turns;

pub(crate) use autonomy::find_autonomous_bases;
pub use exclusion::Exclusion;
pub use implied_literals::ImpliedLiterals;
pub use induction::{
    candidate_groups, find_mutex_groups, keep_proved, one_argument_groups, prove_mutex_groups,
};
pub use mutex_groups::MutexGroups;
pub use needed_moves::NeededMoves;
pub use turns::Turns;

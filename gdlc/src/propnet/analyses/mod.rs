//! Analyses: facts about a propnet, proved without changing it.

mod exclusion;
mod implied_literals;
mod induction;
mod mutex_groups;
mod turns;

pub use exclusion::Exclusion;
pub use implied_literals::ImpliedLiterals;
pub use induction::find_mutex_groups;
pub use mutex_groups::MutexGroups;
pub use turns::Turns;

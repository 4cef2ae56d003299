//! Contests between agents: schedules, journals, statistics.

pub mod contest;
pub mod journal;

//! Contests between agents: schedules, journals, statistics.

pub mod budget;
pub mod configuration;
pub mod contest;
pub mod contest_game;
pub mod game_record;
pub mod journal;
mod match_records;
pub mod options;
pub mod progress;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod sequential_test;
pub mod statistics;
pub mod summary;
pub mod tournament;

//! Contests between agents: schedules, journals, statistics.

pub mod budget;
pub mod configuration;
pub mod contest;
pub mod contest_game;
pub mod error;
pub mod game_record;
pub mod journal;
pub mod markdown;
mod match_records;
pub mod options;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod sequential_test;
pub mod statistics;
pub mod summary;
pub mod tournament;

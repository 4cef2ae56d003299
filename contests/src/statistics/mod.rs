//! Statistics of contests, from scores and goals alone: nothing here knows of games.

pub mod elo;
pub mod interval;
pub mod score;
pub mod sprt;

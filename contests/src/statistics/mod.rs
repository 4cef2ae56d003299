//! The statistics of contests: arithmetic on scores and goals that knows nothing of
//! games.

pub mod agreement;
pub mod elo;
pub mod interval;
pub mod rating;
pub mod score;
pub mod sprt;

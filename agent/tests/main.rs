//! The tests of the agent, on small games written by hand.
#![allow(clippy::unwrap_used)]

mod champion;
mod controls;
mod engines;
mod factored;
mod indifferent;
mod interruption;
mod learning;
mod observation;
mod parallel;
mod play;
mod search;
mod simultaneous;
mod symmetric;
mod toys;

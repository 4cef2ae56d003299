//! Learning to evaluate the states of a game by self-play.
//!
//! Input: the lanes of a game. Output: a [`QuantisedNetwork`], which evaluates a state
//! for every role in a matter of nanoseconds. Nothing is specific to a game, and
//! nothing is known beforehand but its rules.

mod choices;
mod features;
pub mod file;
mod fitting;
pub mod game_digest;
mod joint_choices;
pub mod learned;
pub mod learner;
pub mod network;
mod network_pair;
pub mod patterns;
pub mod quantised;
mod returns;
mod rival;
mod round;
pub mod samples;
mod schedule;
mod search_play;
pub mod self_play;
mod store;
mod symmetries;
pub mod time_slice;
pub mod training;
pub mod unlearnable;
mod workers;

pub use learned::LearnedNetwork;
pub use learner::Learner;
pub use network::ValueNetwork;
pub use quantised::QuantisedNetwork;
pub use round::LearningRound;
pub use store::NetworkStore;

//! What is being played, for pages that watch.
//!
//! Whoever plays puts the states of its matches on a [`LiveFeed`], which keeps the latest state
//! of a few of them. A thread of the feed, the painter, draws what has changed, at most ten
//! times a second and only while pages watch; pages take the latest pictures from it at
//! their own pace. So neither a slow page nor one that is gone holds anybody up, and states that
//! nobody sees are never drawn.
//!
//! [`LiveContests`] puts contests on a feed, [`LiveHosting`] a hosted match, and [`LiveServing`]
//! the matches of a player on the network.

mod contests;
mod feed;
mod game;
mod hosting;
mod painter;
mod painting;
mod places;
mod serving;
mod shared_feed;

pub use contests::{LiveContests, LiveGroup};
pub use feed::LiveFeed;
pub use game::LiveGame;
pub use hosting::LiveHosting;
pub use serving::LiveServing;

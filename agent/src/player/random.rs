//! A player that moves at random.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{NoMove, Player, Reply, Turn, no_move};
use crate::component::{Component, Slot};
use crate::search::report::SearchReport;
use crate::search::result::SearchResult;

/// The component: a whole agent that does not search.
pub const COMPONENT: Component = Component {
    name: "random",
    slot: Slot::NoSearch,
    summary: "moves uniformly at random",
    source: "",
    parameters: &[],
    build: |_, _, _| {},
};

/// Moves uniformly at random.
#[derive(Debug)]
pub struct RandomPlayer(Xoshiro256PlusPlus);

impl RandomPlayer {
    /// The same seed gives the same choices.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn choose(
        &mut self,
        turn: &Turn<'_>,
        _watch: &mut dyn FnMut(&SearchReport),
    ) -> Result<Reply, NoMove> {
        let legal = turn.legal();
        if legal.is_empty() {
            return Err(no_move(turn));
        }
        let chosen = legal[self.0.random_range(0..legal.len())];
        Ok(Reply::Play(SearchResult::without_search(chosen)))
    }
}

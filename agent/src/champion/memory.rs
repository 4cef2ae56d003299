//! How the searches of a champion share its memory.
//!
//! Learning has limits of its own: 24 MiB of samples, and for each of its threads 64 MiB of games in
//! progress and 16 MiB for the tree of the search that plays games. On one thread, that is about what
//! a limit of 400 MiB leaves; a smaller one does not cover it.

use super::Champion;
use super::choice::ChampionSearch;

/// The share of the memory for the search by playouts, and for each search by evaluation, until it
/// is decided which one plays: quick games fill them all.
const UNDECIDED_PLAYOUTS: f64 = 0.5;
const UNDECIDED_EVALUATION: f64 = 0.25;

/// The part for the search that plays. What is left is for the states of games that were learned
/// from.
const PLAYING: f64 = 0.75;

/// The part for a search that does not play.
const RESTING: f64 = 0.0;

/// The part for the search by evaluation where playouts play: it looks for proofs.
const PROVING: f64 = 0.125;

/// The parts of the memory for the search by evaluation, the mixture, and the search by playouts.
fn division(plays: Option<ChampionSearch>) -> [f64; 3] {
    match plays {
        None => [
            UNDECIDED_EVALUATION,
            UNDECIDED_EVALUATION,
            UNDECIDED_PLAYOUTS,
        ],
        Some(ChampionSearch::Evaluation) => [PLAYING, RESTING, RESTING],
        Some(ChampionSearch::Mixture) => [RESTING, PLAYING, RESTING],
        Some(ChampionSearch::Playouts) => [PROVING, RESTING, PLAYING],
    }
}

impl Champion {
    /// Gives all memory to the search by playouts if there is no other, and otherwise most of it to
    /// the search that plays; while that is not decided, each search has a share of it.
    pub(super) fn divide_memory(&mut self, plays: Option<ChampionSearch>) {
        let Some(learning) = &mut self.learning else {
            self.plain.set_memory(self.memory);
            return;
        };
        let [evaluation, mixture, playouts] = division(plays);
        let bytes = |share: f64| (self.memory as f64 * share) as usize;
        self.plain.set_memory(bytes(playouts));
        learning.evaluation.set_memory(bytes(evaluation));
        if let Some(search) = &mut learning.mixture {
            search.set_memory(bytes(mixture));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ChampionSearch, division};

    #[test]
    fn quick_games_are_played_with_memory_and_the_search_that_plays_has_most_of_it() {
        assert!(division(None).iter().all(|&share| share > 0.0));
        let plays = [
            ChampionSearch::Evaluation,
            ChampionSearch::Mixture,
            ChampionSearch::Playouts,
        ];
        for (index, plays) in plays.into_iter().enumerate() {
            assert!(division(Some(plays))[index] > 0.5, "{plays}");
        }
        for plays in [None].into_iter().chain(plays.map(Some)) {
            assert!(division(plays).iter().sum::<f64>() <= 1.0, "{plays:?}");
        }
    }
}

//! Following contests while they are played.

use crate::journal::{GameLine, StoredContest};
use crate::runner::GameProgress;

/// Follows contests that are played together, each identified by its index among them.
/// `()` ignores everything, and a list of observers notifies each of them.
pub trait ContestObserver: Sync {
    /// Called first, with what the journals have, and how many of the requested games those
    /// are.
    fn found(&self, contests: &[&StoredContest], games: u64) {
        let _ = (contests, games);
    }

    /// A game of a contest has reached a state. Called by the threads that play, after every
    /// round, so it has to return at once.
    fn reached(&self, contest: usize, progress: &GameProgress<'_>) {
        let _ = (contest, progress);
    }

    /// A game of a contest is over, and in its journal.
    fn finished(&self, contest: usize, stored: &StoredContest, game: &GameLine) {
        let _ = (contest, stored, game);
    }

    /// Called last, with what the journals have then.
    fn concluded(&self, contests: &[&StoredContest]) {
        let _ = contests;
    }
}

impl ContestObserver for () {}

impl ContestObserver for Vec<&dyn ContestObserver> {
    fn found(&self, contests: &[&StoredContest], games: u64) {
        self.iter().for_each(|each| each.found(contests, games));
    }

    fn reached(&self, contest: usize, progress: &GameProgress<'_>) {
        self.iter().for_each(|each| each.reached(contest, progress));
    }

    fn finished(&self, contest: usize, stored: &StoredContest, game: &GameLine) {
        self.iter()
            .for_each(|each| each.finished(contest, stored, game));
    }

    fn concluded(&self, contests: &[&StoredContest]) {
        self.iter().for_each(|each| each.concluded(contests));
    }
}

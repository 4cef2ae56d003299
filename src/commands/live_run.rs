//! Contests that are shown in the browser while they are played.

use super::contest_progress::ContestProgress;
use super::live_args::LiveArgs;
use gdl_contests::contest_game::ContestGame;
use gdl_contests::contest_observer::ContestObserver;
use gdl_view::live::{LiveContests, LiveFeed, LiveGame, LiveGroup};
use std::sync::Arc;

/// A run of contests that a page shows.
pub(super) struct LiveRun {
    feed: LiveFeed,
    contests: LiveContests,
}

impl LiveRun {
    /// Shows a run of this many games, if `--view` was given.
    ///
    /// # Errors
    /// As [`LiveArgs::start`].
    pub(super) fn start(args: &LiveArgs, title: &str, games: u64) -> anyhow::Result<Option<Self>> {
        let feed = args.start(title)?;
        Ok(feed.map(|feed| Self {
            contests: LiveContests::new(feed.clone(), games),
            feed,
        }))
    }

    /// The contests in one game that are played together next, after `first` other contests.
    pub(super) fn group(&self, game: &Arc<LiveGame>, first: usize) -> LiveGroup<'_> {
        self.contests.group(Arc::clone(game), first)
    }

    /// Shows that all games are over.
    pub(super) fn end(&self) {
        self.feed.end();
    }
}

/// A game for a page to show. How its states look is inferred now, so that this takes no time
/// from the players.
pub(super) fn live_game(game: &ContestGame) -> Arc<LiveGame> {
    let live = LiveGame::new(&game.name, game.rules(), game.engine.clone());
    live.prepare();
    live
}

/// What follows contests: the bar on the terminal and, if there is one, the page.
pub(super) fn observers<'a>(
    progress: &'a ContestProgress,
    page: Option<&'a LiveGroup<'a>>,
) -> Vec<&'a dyn ContestObserver> {
    let page = page.map(|page| page as &dyn ContestObserver);
    [progress as &dyn ContestObserver]
        .into_iter()
        .chain(page)
        .collect()
}

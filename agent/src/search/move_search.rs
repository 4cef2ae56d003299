//! What a [`SearchPlayer`](crate::player::search_player::SearchPlayer) asks of its
//! search, whatever kind of search that is.

use gdl_runtime::engine::{Lanes, Move, Role, State};
use gdl_runtime::stop_flag::StopFlag;

use super::{Search, SearchBudget, SearchReport, SearchResult};

/// A search for the moves of one player.
pub trait MoveSearch: Send {
    /// Prepares for a match that begins in a state, in which the role plays, before its first
    /// move. A search that does not learn has nothing to prepare.
    fn prepare(
        &mut self,
        _state: &State,
        _role: Role,
        _budget: SearchBudget,
        _watch: &mut dyn FnMut(&SearchReport),
    ) {
    }

    /// Searches for a role's move in a state, which must not be terminal, until the
    /// budget is spent, the search [is exhausted](Self::is_exhausted) or the
    /// [stop flag](Self::stop_flag) is set. Earlier knowledge about that state and its
    /// successors is used. `watch` is called about ten times per second.
    fn run(
        &mut self,
        state: &State,
        role: Role,
        budget: SearchBudget,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport;

    /// Uses time in which the role has nothing to decide in a state, which must not be
    /// terminal: it has a single move there. What does not learn searches on, since that is
    /// about what follows.
    fn use_idle_time(
        &mut self,
        state: &State,
        role: Role,
        budget: SearchBudget,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        self.run(state, role, budget, watch)
    }

    /// The move that the search has found for a role in a state, and what it found out
    /// about the others. `legal` are the role's legal moves: if none of them was
    /// searched, the first is chosen.
    fn result(&self, state: &State, role: Role, legal: &[Move]) -> SearchResult;

    /// Whether further search cannot change the choice: everything that matters to it
    /// below the last searched state is proven.
    fn is_exhausted(&self) -> bool;

    /// The flag that stops this search from another thread.
    fn stop_flag(&self) -> StopFlag;

    /// Replaces the flag that stops this search.
    fn set_stop_flag(&mut self, stop_flag: StopFlag);

    /// Moves the search to other machines, which `lanes` makes from seeds: machines of
    /// the same game that number and list states and moves alike. All knowledge is kept.
    fn move_to(&mut self, lanes: &dyn Fn(u64) -> Box<dyn Lanes>);
}

impl MoveSearch for Search {
    fn run(
        &mut self,
        state: &State,
        role: Role,
        budget: SearchBudget,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        Self::run(self, state, role, budget, watch)
    }

    fn result(&self, state: &State, role: Role, legal: &[Move]) -> SearchResult {
        SearchResult::of(self.searchers(), state, role, legal)
    }

    fn is_exhausted(&self) -> bool {
        Self::is_exhausted(self)
    }

    fn stop_flag(&self) -> StopFlag {
        Self::stop_flag(self)
    }

    fn set_stop_flag(&mut self, stop_flag: StopFlag) {
        Self::set_stop_flag(self, stop_flag);
    }

    fn move_to(&mut self, lanes: &dyn Fn(u64) -> Box<dyn Lanes>) {
        Self::move_to(self, lanes);
    }
}

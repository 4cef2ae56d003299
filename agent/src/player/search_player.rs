//! A player that searches.
//!
//! Its search can also be used between the moves that it is asked for: to search while
//! others think ([`SearchPlayer::ponder`]), to be stopped from another thread
//! ([`SearchPlayer::stop_flag`]), and to continue with another engine of the same game
//! ([`SearchPlayer::move_to`]).

use std::sync::Arc;

use gdl_runtime::engine::{Engine, Role, State};
use gdl_runtime::layout::Layout;
use gdl_runtime::stop_flag::StopFlag;

use crate::player::{NoMove, Player, Reply, SearchResult, Turn, no_move};
use crate::search::budget::SearchBudget;
use crate::search::move_search::MoveSearch;
use crate::search::{Search, SearchReport, SearchSettings};

/// Chooses moves by tree search, and keeps its trees from move to move.
pub struct SearchPlayer {
    name: String,
    search: Box<dyn MoveSearch>,
    /// The names of states and moves, if the engine knows all of them in advance.
    layout: Option<Arc<Layout>>,
}

impl SearchPlayer {
    /// A player for the engine's game. The same seed, lanes and budget in
    /// simulations give the same moves.
    #[must_use]
    pub fn new(name: &str, engine: &dyn Engine, settings: SearchSettings, seed: u64) -> Self {
        Self::parallel(name, engine, vec![settings], seed)
    }

    /// A player with one tree for each of the settings.
    #[must_use]
    pub fn parallel(
        name: &str,
        engine: &dyn Engine,
        trees: Vec<SearchSettings>,
        seed: u64,
    ) -> Self {
        Self::of(
            name,
            engine,
            Box::new(Search::on_engine(engine, trees, seed)),
        )
    }

    /// A player for the engine's game that moves by this search.
    #[must_use]
    pub fn of(name: &str, engine: &dyn Engine, search: Box<dyn MoveSearch>) -> Self {
        Self {
            name: name.to_owned(),
            search,
            layout: engine.layout(),
        }
    }

    /// The flag that stops its search from another thread.
    #[must_use]
    pub fn stop_flag(&self) -> StopFlag {
        self.search.stop_flag()
    }

    /// Replaces the flag that stops its search.
    pub fn set_stop_flag(&mut self, stop_flag: StopFlag) {
        self.search.set_stop_flag(stop_flag);
    }

    /// Continues with another engine of the same game, and keeps all knowledge.
    ///
    /// # Errors
    /// If the engines do not number states and moves alike; then nothing changes.
    pub fn move_to(&mut self, engine: &dyn Engine) -> Result<(), OtherNumbers> {
        let layouts = self.layout.as_deref().zip(engine.layout());
        if !layouts.is_some_and(|(own, other)| are_numbered_alike(own, &other)) {
            return Err(OtherNumbers);
        }
        self.search.move_to(&|seed| engine.lanes(seed));
        Ok(())
    }

    /// Prepares for a match from this state, in which the role plays, before its first move: a
    /// [champion](crate::champion) learns, and searches ahead by what it learned.
    pub fn prepare(
        &mut self,
        state: &State,
        role: Role,
        budget: SearchBudget,
        watch: &mut dyn FnMut(&SearchReport),
    ) {
        self.search.prepare(state, role, budget, watch);
    }

    /// Searches a state that is not terminal without choosing a move, even if the role
    /// has only one: the search then is about what follows. Consecutive calls on the
    /// same state add up.
    pub fn ponder(
        &mut self,
        state: &State,
        role: Role,
        budget: SearchBudget,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        self.search.run(state, role, budget, watch)
    }

    /// Uses time in which the role has a single move in a state, and so nothing to decide: it
    /// searches on or, if it is a [champion](crate::champion), learns.
    pub fn use_idle_time(
        &mut self,
        state: &State,
        role: Role,
        budget: SearchBudget,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        self.search.use_idle_time(state, role, budget, watch)
    }

    /// Whether pondering the last state further cannot change the choice; also true
    /// before the first search.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.search.is_exhausted()
    }

    /// The move it would play by its current knowledge: the first legal move if it has
    /// none.
    ///
    /// # Errors
    /// If there is no legal move.
    pub fn result(&self, turn: &Turn<'_>) -> Result<SearchResult, NoMove> {
        match turn.legal() {
            [] => Err(no_move(turn)),
            [only] => Ok(SearchResult::without_search(*only)),
            legal => Ok(self.search.result(turn.state, turn.role, legal)),
        }
    }

    /// Searches, and returns the move it would play. A single legal move is returned
    /// without a search.
    ///
    /// # Errors
    /// If there is no legal move.
    pub fn think(
        &mut self,
        turn: &Turn<'_>,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> Result<SearchResult, NoMove> {
        if turn.legal().len() > 1 {
            self.search.run(turn.state, turn.role, turn.budget, watch);
        }
        self.result(turn)
    }
}

impl Player for SearchPlayer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn prepare(&mut self, turn: &Turn<'_>, watch: &mut dyn FnMut(&SearchReport)) {
        Self::prepare(self, turn.state, turn.role, turn.budget, watch);
    }

    fn use_idle_time(&mut self, turn: &Turn<'_>, watch: &mut dyn FnMut(&SearchReport)) {
        Self::use_idle_time(self, turn.state, turn.role, turn.budget, watch);
    }

    fn choose(
        &mut self,
        turn: &Turn<'_>,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> Result<Reply, NoMove> {
        self.think(turn, watch).map(Reply::Play)
    }
}

/// An engine that numbers states and moves differently, so that a search cannot continue on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the engine numbers states and moves in another way")]
pub struct OtherNumbers;

/// Whether two engines number states and moves alike and list legal moves in the same
/// order. The rows in which they compute them may differ.
#[must_use]
pub fn are_numbered_alike(one: &Layout, other: &Layout) -> bool {
    fn bases(layout: &Layout) -> impl Iterator<Item = (&str, bool)> {
        let rows = layout.bases.iter();
        rows.map(|row| (&row.name[..], row.initially))
    }
    fn moves(layout: &Layout) -> impl Iterator<Item = (usize, &str)> {
        let roles = layout.moves.iter().enumerate();
        roles.flat_map(|(role, moves)| moves.iter().map(move |mv| (role, &mv.name[..])))
    }
    one.roles == other.roles
        && bases(one).eq(bases(other))
        && moves(one).eq(moves(other))
        && one.legal_order == other.legal_order
}

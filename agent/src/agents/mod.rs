//! Agents, made of components: `uct+rave(k=1000)+mast`.
//!
//! Input: a text of components joined by `+`, each a name followed, in brackets, by
//! the parameters that differ from their defaults. Output: an [`Agent`], and from it
//! the [`SearchSettings`] or a [`Player`] for a game. [`registry`] lists the
//! components.

pub mod registry;
mod text;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use gdl_runtime::engine::Engine;

use crate::champion::settings::ChampionSettings;
use crate::champion::{self, Champion};
use crate::component::builder::{AgentBuilder, GameContext};
use crate::component::{Component, ParameterValues, Slot};
use crate::factored::FactoredSearch;
use crate::learning::file::{self, NetworkFileError, UnusableNetwork};
use crate::learning::{LearnedNetwork, NetworkStore};
use crate::player::Player;
use crate::player::random::RandomPlayer;
use crate::player::search_player::SearchPlayer;
use crate::search::Search;
use crate::search::move_search::MoveSearch;
use crate::search::settings::{SearchLimits, SearchSettings};
use crate::selection::uct;
use registry::COMPONENTS;
pub use text::AgentTextError;

/// An agent: components with the values of their parameters.
#[derive(Clone, PartialEq)]
pub struct Agent {
    components: Vec<(&'static Component, ParameterValues)>,
    store: Option<Arc<NetworkStore>>,
    /// The number of threads that it learns on, unless its search uses more.
    learning_threads: usize,
}

impl Agent {
    fn of(components: Vec<(&'static Component, ParameterValues)>) -> Self {
        Self {
            components,
            store: None,
            learning_threads: 1,
        }
    }

    /// Whether the agent searches.
    #[must_use]
    pub fn searches(&self) -> bool {
        self.components
            .iter()
            .all(|(component, _)| component.slot != Slot::NoSearch)
    }

    /// Whether its searches need a machine of their own, because they use several
    /// threads or run several simulations at a time.
    #[must_use]
    pub fn is_parallel(&self) -> bool {
        self.threads() > 1 || self.builder(&GameContext::default()).reserves_lanes
    }

    /// Whether its [settings](Self::settings) are all there is to its player: a search of one
    /// tree on one thread, without learning.
    #[must_use]
    pub fn searches_one_tree(&self) -> bool {
        let builder = self.builder(&GameContext::default());
        let is_composed = builder.champion.is_some() || builder.is_factored;
        self.searches() && !is_composed && self.threads() == 1
    }

    /// The number of threads its search uses, over all its trees.
    #[must_use]
    pub fn threads(&self) -> usize {
        let builder = self.builder(&GameContext::default());
        builder.settings.threads * builder.trees
    }

    /// The same agent. If it [learns](Self::learns), it continues from what earlier matches of a
    /// game left in this store, and saves what it learns there.
    #[must_use]
    pub fn with_store(mut self, store: Arc<NetworkStore>) -> Self {
        self.store = Some(store);
        self
    }

    /// The same agent. If it [learns](Self::learns), it does so on this number of threads, or on as
    /// many as its search uses if that is more.
    #[must_use]
    pub fn learning_on(mut self, threads: usize) -> Self {
        self.learning_threads = threads;
        self
    }

    /// Whether it learns before a match.
    #[must_use]
    pub fn learns(&self) -> bool {
        self.builder(&GameContext::default()).champion.is_some()
    }

    /// The settings of its search of a game; with several trees, those of each.
    #[must_use]
    pub fn settings(&self, engine: &dyn Engine, limits: SearchLimits) -> SearchSettings {
        let game = GameContext::new(engine);
        SearchSettings {
            indifferent: game.indifferent(),
            ..self.builder(&game).finish(limits)
        }
    }

    fn builder(&self, game: &GameContext<'_>) -> AgentBuilder {
        let mut builder = AgentBuilder::default();
        for (component, values) in &self.components {
            (component.build)(&mut builder, values, game);
        }
        builder
    }

    /// The file of the network that it plays with, if it names one.
    #[must_use]
    pub fn network_file(&self) -> Option<PathBuf> {
        self.builder(&GameContext::default()).network
    }

    /// Checks that the files named by the agent can be used for an engine's game. Players ignore
    /// files that cannot, so call this before making players.
    ///
    /// # Errors
    /// If a network file cannot be read, is for another game, or has features that the engine
    /// cannot compute.
    pub fn check_files(&self, engine: &dyn Engine) -> Result<(), UnusableNetwork> {
        match self.network_file() {
            Some(path) => {
                let learned = file::load(&path, engine.layout().as_deref())?;
                let features = learned.all_features(engine.reachability_finder().as_ref());
                features.map(|_| ()).ok_or(UnusableNetwork {
                    path,
                    problem: NetworkFileError::NoReachability,
                })
            }
            None => Ok(()),
        }
    }

    /// A player for an engine's game. The same seed and budget in simulations
    /// give the same moves, unless it [is parallel](Self::is_parallel).
    #[must_use]
    pub fn player(&self, engine: &dyn Engine, limits: SearchLimits, seed: u64) -> Box<dyn Player> {
        match self.search_player(engine, limits, seed) {
            Some(player) => Box::new(player),
            None => Box::new(RandomPlayer::new(seed)),
        }
    }

    /// The same player with access to its search; `None` if the agent does not
    /// [search](Self::searches).
    #[must_use]
    pub fn search_player(
        &self,
        engine: &dyn Engine,
        limits: SearchLimits,
        seed: u64,
    ) -> Option<SearchPlayer> {
        let path = self.network_file();
        let layout = engine.layout();
        let known = path.and_then(|path| file::load(&path, layout.as_deref()).ok());
        self.make_player(known, engine, limits, seed)
    }

    /// The same player, starting from a network already known instead of one from a file; useful if
    /// the agent [learns](Self::learns).
    #[must_use]
    pub fn player_knowing(
        &self,
        network: LearnedNetwork,
        engine: &dyn Engine,
        limits: SearchLimits,
        seed: u64,
    ) -> Option<SearchPlayer> {
        self.make_player(Some(network), engine, limits, seed)
    }

    fn make_player(
        &self,
        known: Option<LearnedNetwork>,
        engine: &dyn Engine,
        limits: SearchLimits,
        seed: u64,
    ) -> Option<SearchPlayer> {
        let builder = self.builder(&GameContext::default());
        let settings = |limits| {
            let trees = 0..builder.trees;
            trees.map(|_| self.settings(engine, limits)).collect()
        };
        let name = self.to_string();
        let search = || -> Box<dyn MoveSearch> {
            let Some(champion) = builder.champion else {
                return Box::new(Search::on_engine(engine, settings(limits), seed));
            };
            let plain = Search::on_engine(engine, settings(limits), seed);
            let champion = ChampionSettings {
                threads: self.threads().max(self.learning_threads),
                ..champion
            };
            let search = Champion::new(engine, plain, champion, limits.memory, seed);
            let search = match known.zip(engine.layout()) {
                Some((learned, layout)) => search.with_network(learned, &layout),
                None => search,
            };
            let search = match self.store.clone().zip(engine.layout()) {
                Some((store, layout)) => search.with_store(store, layout),
                None => search,
            };
            Box::new(search)
        };
        let player = || {
            let search: Box<dyn MoveSearch> = match builder.is_factored {
                true => Box::new(FactoredSearch::new(engine, search(), seed)),
                false => search(),
            };
            SearchPlayer::of(&name, engine, search)
        };
        self.searches().then(player)
    }
}

impl Agent {
    /// The strongest agent for play on a clock: it learns during the start clock.
    #[must_use]
    pub fn champion() -> Self {
        Self::of(vec![champion::COMPONENT.by_default()])
    }
}

/// Plain UCT.
impl Default for Agent {
    fn default() -> Self {
        Self::of(vec![uct::COMPONENT.by_default()])
    }
}

impl FromStr for Agent {
    type Err = AgentTextError;

    fn from_str(text: &str) -> Result<Self, AgentTextError> {
        text::parse(text, COMPONENTS).map(Self::of)
    }
}

/// The shortest text of the agent: parameters with default values are left out.
impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (component, values)) in self.components.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "+" })?;
            text::write(f, component, values)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Agent({self})")
    }
}

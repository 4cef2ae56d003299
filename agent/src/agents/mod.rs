//! Agents by their parts: `uct+rave(k=1000)+mast`.
//!
//! Input: a text, parts joined by `+`, each a name with parameters in brackets
//! where they are not what they are by default. Output: an [`Agent`], and from
//! it [`Settings`] or a [`Player`] for a game. What parts there are stands in
//! [`PARTS`], a line each; a part describes itself in the file that has it.

mod draft;
mod part;
mod text;

pub use draft::{Draft, Game};
pub use part::{Parameter, Part, Place, Values};
pub use text::BadAgent;

use std::fmt;
use std::str::FromStr;

use gdl_runtime::engine::Engine;

use crate::player::{Player, RandomPlayer, SearchPlayer};
use crate::search::Settings;
use crate::{backup, cutoff, mind, player, playout, search, selection, solver};

/// All parts, in the order in which they are explained.
pub const PARTS: &[&Part] = &[
    &selection::uct::PART,
    &player::RANDOM,
    &selection::rave::PART,
    &selection::guided::PART,
    &selection::urgency::PART,
    &playout::mast::MAST,
    &playout::mast::TO_MAST,
    &playout::past::PART,
    &playout::fast::PART,
    &cutoff::early::PART,
    &backup::DISCOUNT,
    &solver::UNPROVEN,
    &mind::LANES,
    &search::THREADS,
    &search::TREES,
];

/// What a search may cost beside its time, whoever plays.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Bytes of the tree.
    pub memory: usize,
    /// See [`Settings::in_flight`].
    pub in_flight: Option<usize>,
    /// See [`Settings::playouts`].
    pub playouts: Option<usize>,
    /// See [`Settings::tidy`].
    pub tidy: bool,
}

impl Default for Limits {
    fn default() -> Self {
        let Settings {
            memory,
            in_flight,
            playouts,
            tidy,
            ..
        } = Settings::default();
        Self {
            memory,
            in_flight,
            playouts,
            tidy,
        }
    }
}

/// An agent: parts with their parameters.
#[derive(Clone, PartialEq)]
pub struct Agent {
    parts: Vec<(&'static Part, Values)>,
}

impl Agent {
    /// Whether it searches at all.
    #[must_use]
    pub fn searches(&self) -> bool {
        self.parts
            .iter()
            .all(|(part, _)| part.place != Place::NoSearch)
    }

    /// Whether its searches want a machine for themselves: several threads, or
    /// lanes used in another way than one simulation after the other.
    #[must_use]
    pub fn is_parallel(&self) -> bool {
        let draft = self.draft(&Game::default());
        draft.threads * draft.trees > 1 || draft.own_lanes
    }

    /// The parts and limits of its search of a game; with several trees, of each.
    #[must_use]
    pub fn settings(&self, engine: &dyn Engine, limits: Limits) -> Settings {
        self.draft(&Game::of(engine)).finish(limits)
    }

    fn draft(&self, game: &Game<'_>) -> Draft {
        let mut draft = Draft::default();
        for (part, values) in &self.parts {
            (part.build)(&mut draft, values, game);
        }
        draft
    }

    /// A player for an engine's game. The same seed and budget in simulations
    /// give the same moves, unless it [is parallel](Self::is_parallel).
    #[must_use]
    pub fn player(&self, engine: &dyn Engine, limits: Limits, seed: u64) -> Box<dyn Player> {
        match self.search_player(engine, limits, seed) {
            Some(player) => Box::new(player),
            None => Box::new(RandomPlayer::new(seed)),
        }
    }

    /// The same as a player whose search can be used on its own, if the agent
    /// [searches](Self::searches).
    #[must_use]
    pub fn search_player(
        &self,
        engine: &dyn Engine,
        limits: Limits,
        seed: u64,
    ) -> Option<SearchPlayer> {
        let trees = 0..self.draft(&Game::default()).trees;
        let player = || {
            let trees = trees.map(|_| self.settings(engine, limits)).collect();
            SearchPlayer::parallel(&self.to_string(), engine, trees, seed)
        };
        self.searches().then(player)
    }
}

/// Plain UCT.
impl Default for Agent {
    fn default() -> Self {
        Self {
            parts: vec![selection::uct::PART.by_default()],
        }
    }
}

impl FromStr for Agent {
    type Err = BadAgent;

    fn from_str(text: &str) -> Result<Self, BadAgent> {
        text::parse(text, PARTS).map(|parts| Self { parts })
    }
}

/// The shortest text that gives the same agent.
impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (part, values)) in self.parts.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "+" })?;
            text::write(f, part, values)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Agent({self})")
    }
}

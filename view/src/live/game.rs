//! A game that is being played, and the states of its matches.

use std::sync::{Arc, OnceLock};

use gdl_agent::shared_engine::SharedEngine;
use gdl_runtime::engine::{Engine as _, State};

use crate::messages::LivePlayer;
use crate::pictures::Pictures;

/// A game that is being played.
pub struct LiveGame {
    name: String,
    rules: String,
    roles: Vec<String>,
    source: PictureSource,
    pictures: OnceLock<Pictures>,
}

impl LiveGame {
    /// A game with its rule sheet. How its states look is found out when the first of them is
    /// drawn, or by [`prepare`](Self::prepare).
    #[must_use]
    pub fn new(name: &str, rules: &str, engine: SharedEngine) -> Arc<Self> {
        Arc::new(Self {
            name: name.to_owned(),
            rules: rules.to_owned(),
            roles: engine.roles().to_vec(),
            source: PictureSource::Engine(engine),
            pictures: OnceLock::new(),
        })
    }

    /// A game with its rule sheet and roles, for matches whose engine cannot be asked: how its
    /// states look is inferred from the facts of one of them.
    pub(super) fn of_facts(
        name: &str,
        rules: &str,
        roles: &[String],
        facts: &[String],
    ) -> Arc<Self> {
        Arc::new(Self {
            name: name.to_owned(),
            rules: rules.to_owned(),
            roles: roles.to_vec(),
            source: PictureSource::Facts(facts.to_vec()),
            pictures: OnceLock::new(),
        })
    }

    /// Finds out how states look, which takes about a tenth of a second. Called before play
    /// begins, it costs the match no time.
    pub fn prepare(&self) {
        self.pictures();
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of its roles.
    #[must_use]
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The engine that numbers its states, if that can be asked.
    pub(super) fn engine(&self) -> Option<&SharedEngine> {
        match &self.source {
            PictureSource::Engine(engine) => Some(engine),
            PictureSource::Facts(_) => None,
        }
    }

    pub(super) fn pictures(&self) -> &Pictures {
        self.pictures.get_or_init(|| match &self.source {
            PictureSource::Engine(engine) => {
                Pictures::new(&self.name, &self.rules, &mut engine.clone())
            }
            PictureSource::Facts(facts) => {
                Pictures::of_facts(&self.name, &self.rules, &self.roles, facts)
            }
        })
    }
}

/// What the look of a game's states is inferred from.
enum PictureSource {
    Engine(SharedEngine),
    /// The facts of one state.
    Facts(Vec<String>),
}

/// A state of a match.
#[derive(Clone)]
pub(super) enum LiveState {
    /// As an engine numbers it.
    Numbered(SharedEngine, State),
    /// By its facts.
    Listed(Vec<String>),
}

impl LiveState {
    pub(super) fn facts(&self) -> Vec<String> {
        match self {
            Self::Numbered(engine, state) => engine.facts(state),
            Self::Listed(facts) => facts.clone(),
        }
    }
}

/// A match and the state that it has reached.
#[derive(Clone)]
pub(super) struct LiveMatch {
    pub(super) game: Arc<LiveGame>,
    pub(super) title: String,
    pub(super) players: Vec<LivePlayer>,
    pub(super) rounds: usize,
    /// `None` before it has reached any.
    pub(super) state: Option<LiveState>,
    /// The state before it, if that was seen.
    pub(super) before: Option<LiveState>,
    /// The moves that led to the state, as KIF.
    pub(super) led_by: Vec<String>,
    pub(super) goals: Vec<i32>,
    pub(super) ending: Option<String>,
    pub(super) note: Option<String>,
}

impl LiveMatch {
    /// A match of these players, in role order, that has reached no state yet.
    pub(super) fn new(game: &Arc<LiveGame>, title: String, players: Vec<String>) -> Self {
        let roles = game.roles().iter().cloned();
        let players = roles.zip(players).map(|(role, name)| LivePlayer {
            role,
            name,
            late: 0,
            illegal: 0,
        });
        Self {
            title,
            players: players.collect(),
            rounds: 0,
            state: None,
            before: None,
            led_by: Vec::new(),
            goals: Vec::new(),
            ending: None,
            note: None,
            game: Arc::clone(game),
        }
    }

    /// Moves on to a state after this many rounds.
    pub(super) fn reach(&mut self, rounds: usize, state: LiveState, led_by: Vec<String>) {
        let before = self.state.replace(state);
        self.before = before.filter(|_| rounds == self.rounds + 1);
        self.rounds = rounds;
        self.led_by = led_by;
    }

    /// Whether nothing more of it follows.
    pub(super) fn is_over(&self) -> bool {
        !self.goals.is_empty() || self.ending.is_some()
    }
}

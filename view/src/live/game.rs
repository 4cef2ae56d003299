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
    engine: SharedEngine,
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
            engine,
            pictures: OnceLock::new(),
        })
    }

    /// Finds out how states look, which takes about a tenth of a second. Called before play
    /// begins, this takes no time from it.
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
        self.engine.roles()
    }

    pub(super) fn engine(&self) -> &SharedEngine {
        &self.engine
    }

    pub(super) fn pictures(&self) -> &Pictures {
        self.pictures
            .get_or_init(|| Pictures::new(&self.name, &self.rules, &mut self.engine.clone()))
    }
}

/// A state, and the engine that numbers it so.
#[derive(Clone)]
pub(super) struct EngineState {
    engine: SharedEngine,
    state: State,
}

impl EngineState {
    pub(super) fn facts(&self) -> Vec<String> {
        self.engine.facts(&self.state)
    }
}

/// A match and the state that it has reached.
#[derive(Clone)]
pub(super) struct LiveMatch {
    pub(super) game: Arc<LiveGame>,
    pub(super) title: String,
    pub(super) players: Vec<LivePlayer>,
    pub(super) rounds: usize,
    pub(super) state: EngineState,
    /// The state before it, if that was seen.
    pub(super) before: Option<EngineState>,
    /// The moves that led to the state, as KIF.
    pub(super) led_by: Vec<String>,
    pub(super) goals: Vec<i32>,
    pub(super) ending: Option<String>,
    pub(super) note: Option<String>,
}

impl LiveMatch {
    /// A match of these players, in role order, in its initial state.
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
            state: EngineState {
                state: game.engine.initial(),
                engine: game.engine.clone(),
            },
            before: None,
            led_by: Vec::new(),
            goals: Vec::new(),
            ending: None,
            note: None,
            game: Arc::clone(game),
        }
    }

    /// Goes on to a state after so many rounds, which this engine numbers so.
    pub(super) fn reach(
        &mut self,
        rounds: usize,
        (engine, state): (&SharedEngine, &State),
        led_by: Vec<String>,
    ) {
        let reached = EngineState {
            engine: engine.clone(),
            state: state.clone(),
        };
        let before = std::mem::replace(&mut self.state, reached);
        self.before = (rounds == self.rounds + 1).then_some(before);
        self.rounds = rounds;
        self.led_by = led_by;
    }

    /// Whether nothing of it follows.
    pub(super) fn is_over(&self) -> bool {
        !self.goals.is_empty() || self.ending.is_some()
    }
}

//! The game of a contest: a rule sheet in an engine.

use crate::budget::MoveBudget;
use crate::configuration::{ContestConfiguration, digest};
use crate::error::ContestError;
use crate::options::RunOptions;
use crate::published_value::PublishedValue;
use crate::runner::RunnerKind;
use gdl_agent::agents::Agent;
use gdl_agent::shared_engine::SharedEngine;
use gdl_engines::EngineKind;
use gdl_engines::input;
use gdl_network::host::PlayerSpec;
use gdl_runtime::engine::Engine;
use std::path::Path;

/// A game that is loaded, to be played by several agents.
pub struct ContestGame {
    /// Its name: that of its file, without folder and extension.
    pub name: String,
    /// What all its players share.
    pub engine: SharedEngine,
    kind: EngineKind,
    /// Identifies the rules.
    digest: String,
    /// The text of the rule sheet.
    rules: String,
    /// Whether it is built into this program.
    is_builtin: bool,
}

impl ContestGame {
    /// The game of the rule sheet `file`, or the built-in game of that name if there is no
    /// such file, with the text of its rules; `engine` has loaded it. `kind` is the engine
    /// that journals name.
    #[must_use]
    pub fn new(file: &Path, rules: &str, engine: Box<dyn Engine>, kind: EngineKind) -> Self {
        let game = Self::from_rules(input::stem(file), rules, engine, kind);
        if file.exists() {
            return game;
        }
        Self {
            digest: format!("built into {}", env!("CARGO_PKG_VERSION")),
            is_builtin: true,
            ..game
        }
    }

    /// The game of a rule sheet, given as its text, which `engine` has loaded. `kind` is the
    /// engine that journals name.
    #[must_use]
    pub fn from_rules(
        name: String,
        rules: &str,
        engine: Box<dyn Engine>,
        kind: EngineKind,
    ) -> Self {
        Self {
            name,
            engine: SharedEngine::new(engine),
            kind,
            digest: digest(rules.as_bytes()),
            rules: rules.to_owned(),
            is_builtin: false,
        }
    }

    /// The engine that journals name.
    #[must_use]
    pub fn kind(&self) -> EngineKind {
        self.kind
    }

    /// The text of the rule sheet.
    #[must_use]
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// The configuration of a contest in this game.
    ///
    /// # Errors
    /// If there are more agents than roles (except in games of one role), remote players
    /// cannot play the game on this budget, players are to search while they have nothing
    /// to decide but moves are not counted, or an agent names a file that it cannot use.
    pub fn configuration(
        &self,
        agents: &[PlayerSpec],
        budget: MoveBudget,
        seed: u64,
        options: &RunOptions,
        paper: Option<PublishedValue>,
    ) -> Result<ContestConfiguration, ContestError> {
        let roles = self.engine.roles().to_vec();
        if roles.len() > 1 && agents.len() > roles.len() {
            return Err(ContestError::TooManyAgents {
                game: self.name.clone(),
                roles: roles.len(),
                agents: agents.len(),
            });
        }
        if agents.iter().any(|agent| agent.address().is_some()) {
            self.check_remote(agents, budget)?;
        }
        if !options.idle.is_none() && !budget.is_counted() {
            return Err(ContestError::IdleSearchWithoutCount);
        }
        for agent in agents.iter().filter_map(PlayerSpec::agent) {
            agent.check_files(&self.engine)?;
        }
        let runner = match (RunnerKind::of(agents, budget), options.dedicated) {
            (RunnerKind::Interleaved, true) => RunnerKind::Dedicated,
            (kind, _) => kind,
        };
        Ok(ContestConfiguration {
            game: self.name.clone(),
            rules: self.digest.clone(),
            roles,
            agents: agents.iter().map(ToString::to_string).collect(),
            networks: network_digests(agents)?,
            budget,
            idle: options.idle,
            seed,
            engine: self.kind.to_string(),
            runner,
            start: options.start_for(agents, budget),
            rounds: options.rounds,
            memory: options.memory,
            paper,
        })
    }

    /// Checks that this game can be hosted for remote players.
    fn check_remote(&self, players: &[PlayerSpec], budget: MoveBudget) -> Result<(), ContestError> {
        if !matches!(budget, MoveBudget::Clocks(_)) {
            return Err(ContestError::RemoteWithoutClocks);
        }
        let game = self.name.clone();
        if self.is_builtin {
            return Err(ContestError::RemoteWithoutRules { game });
        }
        let is_repeated = |(index, player): (usize, &PlayerSpec)| {
            let mut before = players[..index].iter();
            player.address().is_some() && before.any(|other| other.address() == player.address())
        };
        let roles = self.engine.roles().len();
        if players.iter().enumerate().any(is_repeated) || roles > players.len().max(1) {
            return Err(ContestError::RemoteAtSeveralRoles { game, roles });
        }
        Ok(())
    }
}

/// Digests of the network files that agents name.
fn network_digests(agents: &[PlayerSpec]) -> Result<Vec<String>, ContestError> {
    let agents = agents.iter().filter_map(PlayerSpec::agent);
    let digests = agents.filter_map(Agent::network_file).map(|path| {
        let bytes = std::fs::read(&path);
        let bytes = bytes.map_err(|source| ContestError::File {
            action: "read",
            path,
            source,
        })?;
        Ok(digest(&bytes))
    });
    digests.collect()
}

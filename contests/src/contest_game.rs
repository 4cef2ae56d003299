//! The game of a contest: a rule sheet, loaded to be played by several agents.

use crate::budget::MoveBudget;
use crate::configuration::{self, ContestConfiguration, PublishedValue};
use crate::options::RunOptions;
use crate::runner::RunnerKind;
use anyhow::{bail, ensure};
use gdl_agent::shared_engine::SharedEngine;
use gdl_engines::EngineKind;
use gdl_engines::input;
use gdl_network::host::PlayerSpec;
use gdl_runtime::engine::Engine;
use gdlc::source::Source;
use std::path::Path;
use std::sync::Arc;

/// A rule sheet, loaded to be played by several agents.
pub struct ContestGame {
    /// Its name without folder and extension.
    pub name: String,
    /// A hash of its rule sheet.
    hash: String,
    /// The rule sheet; none of a game that is built in.
    source: Option<Arc<Source>>,
    /// What all who play it share.
    pub engine: SharedEngine,
    kind: EngineKind,
}

impl ContestGame {
    /// Opens a rule sheet, or the game of that name that is built in.
    ///
    /// # Errors
    /// If there is no such game, or it has errors.
    pub fn open(file: &Path, kind: EngineKind) -> anyhow::Result<Self> {
        if file == Path::new("-") {
            bail!("a contest needs a rule sheet that can be read again, not standard input");
        }
        let engine = gdl_engines::open(file, kind, &gdl_engines::EngineOptions::default())?.engine;
        let source = file.exists().then(|| input::read(file)).transpose()?;
        Ok(Self {
            name: input::stem(file),
            hash: configuration::hash_rules(file)?,
            source,
            engine: SharedEngine::new(engine),
            kind,
        })
    }

    /// A game that is in an engine already, with its rule sheet; `kind` is what journals
    /// say about the engine.
    #[must_use]
    pub fn loaded(
        name: String,
        source: Arc<Source>,
        engine: Box<dyn Engine>,
        kind: EngineKind,
    ) -> Self {
        Self {
            name,
            hash: configuration::hash(source.text.as_bytes()),
            source: Some(source),
            engine: SharedEngine::new(engine),
            kind,
        }
    }

    /// The rule sheet, which only hosts need; empty if there is none.
    #[must_use]
    pub fn rules(&self) -> &str {
        self.source.as_ref().map_or("", |source| &source.text)
    }

    /// The configuration of a contest in this game.
    ///
    /// # Errors
    /// If it has fewer roles than there are agents, but for games of one role, or
    /// players elsewhere cannot play it.
    pub fn configuration(
        &self,
        agents: &[PlayerSpec],
        budget: MoveBudget,
        seed: u64,
        options: &RunOptions,
        paper: Option<PublishedValue>,
    ) -> anyhow::Result<ContestConfiguration> {
        let roles = self.engine.roles().to_vec();
        if roles.len() > 1 && agents.len() > roles.len() {
            bail!(
                "{} has {} roles: {} agents cannot meet in it; gdl tournament lets them meet in pairs",
                self.name,
                roles.len(),
                agents.len()
            );
        }
        if agents.iter().any(|agent| agent.address().is_some()) {
            self.check_network(agents, budget)?;
        }
        let runner = match (RunnerKind::of(agents, budget), options.one_by_one) {
            (RunnerKind::Interleaved, true) => RunnerKind::Dedicated,
            (kind, _) => kind,
        };
        Ok(ContestConfiguration {
            game: self.name.clone(),
            rules: self.hash.clone(),
            roles,
            agents: agents.iter().map(ToString::to_string).collect(),
            budget,
            seed,
            engine: self.kind.to_string(),
            runner,
            rounds: options.rounds,
            memory: options.memory,
            paper,
        })
    }

    /// Whether this game can be hosted for players elsewhere.
    fn check_network(&self, contenders: &[PlayerSpec], budget: MoveBudget) -> anyhow::Result<()> {
        let roles = self.engine.roles().len();
        ensure!(
            matches!(budget, MoveBudget::Clocks(_)),
            "players elsewhere play by clocks: give a start clock and a play clock, \
             not simulations or time"
        );
        ensure!(
            self.source.is_some(),
            "players elsewhere need the rule sheet of {}, not its name",
            self.name
        );
        let twice = |(index, one): (usize, &PlayerSpec)| {
            let before = contenders[..index].iter();
            one.address().is_some() && before.clone().any(|other| other.address() == one.address())
        };
        ensure!(
            !contenders.iter().enumerate().any(twice) && roles <= contenders.len().max(1),
            "{} has {roles} roles, and a player elsewhere plays one of them at a time",
            self.name
        );
        Ok(())
    }
}

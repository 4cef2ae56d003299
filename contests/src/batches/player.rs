//! Plays batches of games.

use super::{BatchError, BatchPart, GameBatch, PlayedGame};
use crate::contest_game::ContestGame;
use crate::error::ContestError;
use crate::game_record::GameRecord;
use crate::journal::GameLine;
use crate::pending_games::{GameOrigin, PendingGames};
use crate::runner::{GameEvent, RunnerOptions, with_runner};
use gdl_engines::{EngineKind, EngineOptions, open_source};
use gdl_network::host::PlayerSpec;
use gdl_runtime::stop_flag::StopFlag;
use gdlc::source::Source;
use std::ops::ControlFlow;

/// Plays batches of games on one thread. The last game stays loaded, since batches in one game
/// tend to follow each other.
#[derive(Default)]
pub struct BatchPlayer {
    game: Option<ContestGame>,
}

impl BatchPlayer {
    /// Plays all games of a batch. `proceed` is called from time to time, and can break off;
    /// the games that are over by then are returned.
    ///
    /// # Errors
    /// If the game cannot be loaded, an agent is unknown or a game cannot be played to its end.
    pub fn play(
        &mut self,
        batch: &GameBatch,
        proceed: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Vec<PlayedGame>, BatchError> {
        let Some(first) = batch.parts.first() else {
            return Ok(Vec::new());
        };
        let configuration = &first.configuration;
        let loaded = (self.game.take()).filter(|game| {
            game.rules() == batch.rules && game.kind().to_string() == configuration.engine
        });
        let game = loaded.map_or_else(|| load(batch, first), Ok)?;
        let pending = pending_games(batch, &game)?;
        let options = RunnerOptions::new(
            1,
            usize::MAX,
            configuration.budget,
            configuration.idle,
            StopFlag::default(),
        );
        let mut played = Vec::new();
        let mut games = pending.games.into_iter();
        let outcome = with_runner(
            configuration,
            &pending.agents,
            &game,
            &options,
            &(),
            |runner| {
                runner.play(&mut games, &mut |event| {
                    if let GameEvent::Finished(mut finished) = event {
                        let origin = GameOrigin::restore(&pending.origins, &mut finished.record);
                        played.push(PlayedGame {
                            contest: batch.parts[origin.contest].contest,
                            line: GameLine::new(&game.engine, &finished),
                        });
                    }
                    proceed()
                })
            },
        );
        outcome.map_err(|source| ContestError::Match {
            game: game.name.clone(),
            source,
        })?;
        self.game = Some(game);
        Ok(played)
    }
}

fn load(batch: &GameBatch, first: &BatchPart) -> Result<ContestGame, BatchError> {
    let name = first.configuration.game.clone();
    let mut kinds = EngineKind::ALL.iter().copied();
    let kind = kinds.find(|kind| kind.name() == first.configuration.engine);
    let kind = kind.unwrap_or(EngineKind::Net);
    let source = Source::new(name.as_str(), batch.rules.as_str());
    let loaded = open_source(&source, kind, &EngineOptions::default())?;
    Ok(ContestGame::from_rules(
        name,
        &batch.rules,
        loaded.engine,
        kind,
    ))
}

/// The games of a batch as one list, as far as they have come.
fn pending_games(batch: &GameBatch, game: &ContestGame) -> Result<PendingGames, BatchError> {
    let mut engine = game.engine.clone();
    let mut pending = PendingGames::default();
    for part in &batch.parts {
        let agents = agents(part)?;
        for agent in agents.iter().filter_map(PlayerSpec::agent) {
            agent
                .check_files(&game.engine)
                .map_err(ContestError::from)?;
        }
        let schedule = part.configuration.schedule();
        let records = part.games.iter().map(|&number| {
            let fixture = schedule.fixture(number);
            let known = part.begun.iter().find(|begun| begun.game == number);
            match known {
                Some(begun) => begun.record(&mut engine, fixture),
                None => GameRecord::new(fixture),
            }
        });
        pending.add(&agents, records);
    }
    Ok(pending)
}

fn agents(part: &BatchPart) -> Result<Vec<PlayerSpec>, BatchError> {
    let texts = part.configuration.agents.iter();
    let agents = texts.map(|text| text.parse::<PlayerSpec>());
    agents.collect::<Result<_, _>>().map_err(BatchError::Agent)
}

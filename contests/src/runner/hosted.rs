//! Games over the network: one match after another, since a remote player plays one
//! at a time.

use super::{GameEvent, GameProgress, GameWatch, Runner};
use crate::game_record::{FinishedGame, GameRecord};
use crate::schedule::Fixture;
use gdl_agent::matches::{Ending, MatchError, MatchEvent, Round};
use gdl_agent::search::SearchLimits;
use gdl_agent::shared_engine::SharedEngine;
use gdl_network::host::{self, HostedMatch, MatchSetup, PlayerSpec, RoleAssignment};
use gdl_network::protocol::{Clocks, MatchRecord};
use gdl_network::unix_time::unix_milliseconds;
use gdl_runtime::engine::{Engine as _, Move};
use gdl_runtime::stop_flag::StopFlag;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Hosts matches between remote players and agents of our own.
pub struct HostedRunner<'a> {
    /// The game.
    pub engine: SharedEngine,
    /// Its rule sheet.
    pub rules: &'a str,
    /// Who plays; fixtures name them by their indices here.
    pub contenders: &'a [PlayerSpec],
    /// How long players may take.
    pub clocks: Clocks,
    /// Rounds after which a match is given up.
    pub rounds: usize,
    /// Bytes for the tree of each of our own agents.
    pub memory: usize,
    /// Ends the current match, and the contest.
    pub stop: StopFlag,
    /// Follows the games.
    pub watch: &'a dyn GameWatch,
}

impl Runner for HostedRunner<'_> {
    fn play(
        &mut self,
        games: &mut dyn Iterator<Item = GameRecord>,
        report: &mut dyn FnMut(GameEvent) -> ControlFlow<()>,
    ) -> Result<(), MatchError> {
        for record in games {
            // Remote players cannot resume a match, so it starts again.
            let finished = self.host(record.fixture)?;
            if report(GameEvent::Finished(finished)).is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl HostedRunner<'_> {
    fn host(&self, fixture: Fixture) -> Result<FinishedGame, MatchError> {
        let names = self.names(&fixture)?;
        let mut hosted_match = self.hosted_match(&fixture, names);
        let mut led_by = Vec::new();
        let hosted = hosted_match.play(&mut |_, event, _| match event {
            MatchEvent::Moved(round) => led_by = joint(round),
            MatchEvent::Reached(state, _, rounds) => self.watch.reached(&GameProgress {
                fixture: &fixture,
                rounds: *rounds,
                led_by: &led_by,
                state,
            }),
            MatchEvent::Thinking(_) => {}
        })?;
        match hosted.played.ending {
            Ending::Quit => Err(MatchError::Interrupted),
            ending => Ok(FinishedGame {
                record: GameRecord {
                    moves: hosted.played.rounds.iter().map(joint).collect(),
                    players: hosted.reports,
                    ..GameRecord::new(fixture)
                },
                goals: hosted.played.goals,
                ending,
                errors: hosted_match.record.errors,
            }),
        }
    }

    /// The names that the players give themselves. Fails if one is absent: all its
    /// moves would be random, and the game would say nothing.
    fn names(&self, fixture: &Fixture) -> Result<Vec<String>, MatchError> {
        let agents = fixture.agents.iter();
        let playing = agents.map(|&number| &self.contenders[number]);
        host::player_names(playing).map_err(|error| MatchError::Absent(format!("{error:#}")))
    }

    fn hosted_match(&self, fixture: &Fixture, names: Vec<String>) -> HostedMatch {
        let engine = self.engine.clone();
        let assignment = |(role, name): (usize, &String)| RoleAssignment {
            name: name.clone(),
            role,
            role_name: engine.roles()[role].clone(),
            limits: SearchLimits {
                memory: self.memory,
                ..SearchLimits::default()
            },
            seed: fixture.player_seeds[role],
            words: None,
        };
        let assignments = names.iter().enumerate().map(assignment);
        let players = fixture.agents.iter().zip(assignments);
        let id = format!("contest.{}.{}", fixture.number, unix_milliseconds());
        let facts = engine.facts(&engine.initial());
        HostedMatch {
            players: players
                .map(|(&agent, assignment)| self.contenders[agent].player(assignment))
                .collect(),
            record: MatchRecord::begin(&id, self.clocks, names, &facts),
            rounds: self.rounds,
            seed: fixture.seed,
            stop: self.stop.clone(),
            setup: Arc::new(MatchSetup {
                id,
                rules: self.rules.to_owned(),
                engine,
                clocks: self.clocks,
            }),
        }
    }
}

/// The joint move of a round.
fn joint(round: &Round) -> Vec<Move> {
    let results = round.results.iter();
    results.map(|result| result.chosen).collect()
}

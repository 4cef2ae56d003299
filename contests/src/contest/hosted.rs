//! Contests by the protocol: one match after another, since a player elsewhere plays
//! one at a time.

use gdl_agent::agents::Limits;
use gdl_agent::contest::{Course, Fixture, News, Played, SharedEngine, Venue};
use gdl_agent::matches::{Ending, MatchError};
use gdl_network::host::{self, HostedMatch, Interrupt, MatchSetup, PlayerSpec, RoleAssignment};
use gdl_network::protocol::{Clocks, MatchRecord};
use gdl_runtime::engine::{Engine as _, Move};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Hosts matches between players elsewhere and agents of our own.
pub struct Hosted<'a> {
    /// The game.
    pub engine: SharedEngine,
    /// Its rule sheet.
    pub rules: &'a str,
    /// Who plays, by the numbers of fixtures.
    pub contenders: &'a [PlayerSpec],
    /// How long players may take.
    pub clocks: Clocks,
    /// Rounds after which a match is given up.
    pub rounds: usize,
    /// Bytes of each tree of our own agents.
    pub memory: usize,
    /// Ends a match under way, and the contest.
    pub interrupt: Interrupt,
}

impl Venue for Hosted<'_> {
    fn play(
        &mut self,
        games: &mut dyn Iterator<Item = Course>,
        hear: &mut dyn FnMut(News) -> ControlFlow<()>,
    ) -> Result<(), MatchError> {
        for course in games {
            // A match that was left is over for players elsewhere.
            let played = self.host(course.fixture)?;
            if hear(News::Ended(played)).is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl Hosted<'_> {
    fn host(&self, fixture: Fixture) -> Result<Played, MatchError> {
        let names = self.names(&fixture)?;
        let mut table = self.table(&fixture, names);
        let hosted = table.play(&mut |_, _, _| {})?;
        let joint = |round: &gdl_agent::matches::Round| -> Vec<Move> {
            let thoughts = round.thoughts.iter();
            thoughts.map(|thought| thought.chosen).collect()
        };
        match hosted.played.ending {
            Ending::Quit => Err(MatchError::Interrupted),
            ending => Ok(Played {
                course: Course {
                    moves: hosted.played.rounds.iter().map(joint).collect(),
                    seats: hosted.reports,
                    ..Course::new(fixture)
                },
                goals: hosted.played.goals,
                ending,
                errors: table.record.errors,
            }),
        }
    }

    /// What players call themselves; a contest is no place for one that is not
    /// there, whose moves would all be random.
    fn names(&self, fixture: &Fixture) -> Result<Vec<String>, MatchError> {
        let seats = fixture.seats.iter();
        let seated = seats.map(|&number| &self.contenders[number]);
        host::player_names(seated).map_err(|error| MatchError::Absent(format!("{error:#}")))
    }

    fn table(&self, fixture: &Fixture, names: Vec<String>) -> HostedMatch {
        let engine = self.engine.clone();
        let place = |(role, name): (usize, &String)| RoleAssignment {
            name: name.clone(),
            role,
            role_name: engine.roles()[role].clone(),
            limits: Limits {
                memory: self.memory,
                ..Limits::default()
            },
            seed: fixture.seat_seed(role),
            words: None,
        };
        let places = names.iter().enumerate().map(place);
        let seats = fixture.seats.iter().zip(places);
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let since = since.map_or(0, |since| since.as_millis());
        let id = format!("contest.{}.{since}", fixture.number);
        let facts = engine.facts(&engine.initial());
        HostedMatch {
            players: seats
                .map(|(&number, place)| self.contenders[number].player(place))
                .collect(),
            record: MatchRecord::begin(&id, self.clocks, names, &facts),
            rounds: self.rounds,
            seed: fixture.seed,
            interrupt: self.interrupt.clone(),
            setup: Arc::new(MatchSetup {
                id,
                rules: self.rules.to_owned(),
                engine,
                clocks: self.clocks,
            }),
        }
    }
}

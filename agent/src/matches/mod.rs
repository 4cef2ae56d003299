//! Matches: one player per role, asked in turn for moves until the game is over.
//!
//! [`play`] does all of this. A host that asks in another way uses what is below it:
//! [`MatchStepper`] knows when a match is over and how it moves on, [`PlayerReport`]
//! counts what a player did.

mod player_report;
mod stepper;

pub use player_report::{PlayerReport, TOLERANCE};
pub use stepper::MatchStepper;

use std::fmt;
use std::time::Duration;

use gdl_runtime::engine::{Engine, Move, Position, Role, State};

use crate::player::{NoMove, Player, Reply, Turn};
use crate::search::budget::TimeControl;
use crate::search::report::SearchReport;
use crate::search::result::SearchResult;

/// A state in which a joint move was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// The state.
    pub state: State,
    /// Its legal moves.
    pub position: Position,
    /// What each role played and why, in role order.
    pub results: Vec<SearchResult>,
}

/// How a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It reached a terminal state.
    Terminal,
    /// A player quit.
    Quit,
    /// It was given up after the greatest number of rounds.
    TooLong,
}

/// A match that has been played.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedMatch {
    /// All rounds, except those that were taken back.
    pub rounds: Vec<Round>,
    /// The last state.
    pub last: State,
    /// The highest goal value of every role there; 0 where there is none.
    pub goals: Vec<i32>,
    /// How it ended.
    pub ending: Ending,
}

/// Why a match cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MatchError {
    /// A role has no legal move.
    NoMove(NoMove),
    /// A player's move is not legal.
    Illegal {
        /// The role's name.
        role: String,
        /// The move as KIF.
        mv: String,
    },
    /// A player is absent, with the reason for this assumption.
    Absent(String),
    /// The match was interrupted.
    Interrupted,
    /// There is not exactly one player per role.
    Players {
        /// The number of roles.
        roles: usize,
        /// The number of players.
        players: usize,
    },
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMove(error) => error.fmt(f),
            Self::Illegal { role, mv } => write!(f, "{role} played {mv}, which is not legal"),
            Self::Absent(why) => f.write_str(why),
            Self::Interrupted => f.write_str("interrupted"),
            Self::Players { roles, players } => {
                write!(
                    f,
                    "the game has {roles} roles, but {players} players were given"
                )
            }
        }
    }
}

impl std::error::Error for MatchError {}

impl From<NoMove> for MatchError {
    fn from(error: NoMove) -> Self {
        Self::NoMove(error)
    }
}

/// What happens in a match.
pub enum MatchEvent<'a> {
    /// A state was reached, by a move or by taking moves back, after this number of
    /// rounds.
    Reached(&'a State, &'a Position, usize),
    /// A player is searching.
    Thinking(&'a SearchReport),
    /// All roles have moved.
    Moved(&'a Round),
}

/// Lets each player prepare for a match from where `stepper` stands, one after another
/// and each for this time. Players that have nothing to prepare take none.
pub fn prepare(
    stepper: &MatchStepper,
    engine: &dyn Engine,
    players: &mut [Box<dyn Player>],
    time: Duration,
) {
    for (role, player) in players.iter_mut().enumerate() {
        let turn = idle_turn(stepper, engine, role, TimeControl::Time(time));
        player.prepare(&turn, &mut |_| {});
    }
}

/// Lets each player search ahead from where `stepper` stands, before its first move, one
/// after another and each on this start clock.
pub fn search_ahead(
    stepper: &MatchStepper,
    engine: &dyn Engine,
    players: &mut [Box<dyn Player>],
    start_clock: TimeControl,
) {
    for (role, player) in players.iter_mut().enumerate() {
        let turn = idle_turn(stepper, engine, role, start_clock);
        player.use_idle_time(&turn, &mut |_| {});
    }
}

fn idle_turn<'a>(
    stepper: &'a MatchStepper,
    engine: &'a dyn Engine,
    role: Role,
    clock: TimeControl,
) -> Turn<'a> {
    Turn {
        engine,
        role,
        state: stepper.state(),
        position: stepper.position(),
        budget: clock.budget(),
    }
}

/// Plays a match from the initial state to its end, or for `rounds` rounds. `watch`
/// is called with every event.
///
/// # Errors
/// As [`play_from`].
pub fn play(
    engine: &mut dyn Engine,
    players: &mut [Box<dyn Player>],
    time_control: TimeControl,
    rounds: usize,
    watch: &mut dyn FnMut(&dyn Engine, &MatchEvent<'_>),
) -> Result<PlayedMatch, MatchError> {
    let stepper = MatchStepper::begin(engine, rounds);
    play_from(stepper, engine, players, time_control, watch)
}

/// Plays a match on from where `stepper` stands.
///
/// # Errors
/// If the rules leave a role without a move, a player answers with a move that is
/// not legal, or there is not exactly one player per role.
pub fn play_from(
    mut stepper: MatchStepper,
    engine: &mut dyn Engine,
    players: &mut [Box<dyn Player>],
    time_control: TimeControl,
    watch: &mut dyn FnMut(&dyn Engine, &MatchEvent<'_>),
) -> Result<PlayedMatch, MatchError> {
    let roles = engine.roles().len();
    if players.len() != roles {
        let players = players.len();
        return Err(MatchError::Players { roles, players });
    }
    let earlier = stepper.rounds();
    let mut played: Vec<Round> = Vec::new();
    let ending = loop {
        let (state, position) = (stepper.state(), stepper.position());
        watch(
            engine,
            &MatchEvent::Reached(state, position, stepper.rounds()),
        );
        if let Some(ending) = stepper.ending(engine)? {
            break ending;
        }
        match ask_all(engine, players, (state, position), time_control, watch)? {
            Answers::Moves(results) => {
                let joint: Vec<Move> = results.iter().map(|result| result.chosen).collect();
                let (state, position) = stepper.advance(engine, &joint);
                let round = Round {
                    state,
                    position,
                    results,
                };
                watch(engine, &MatchEvent::Moved(&round));
                played.push(round);
            }
            Answers::Undo(role) => {
                if let Some(round) = take_back(&mut played, role) {
                    stepper.go_back(round.state, round.position, earlier + played.len());
                }
            }
            Answers::Quit => break Ending::Quit,
        }
    };
    Ok(PlayedMatch {
        goals: stepper.goals(),
        rounds: played,
        last: stepper.into_state(),
        ending,
    })
}

/// The highest goal value of every role in a position, 0 where there is none.
#[must_use]
pub fn highest_goals(position: &Position) -> Vec<i32> {
    let highest = |goals: &Vec<i32>| goals.last().copied().unwrap_or(0);
    position.goals.iter().map(highest).collect()
}

enum Answers {
    Moves(Vec<SearchResult>),
    Undo(usize),
    Quit,
}

fn ask_all(
    engine: &dyn Engine,
    players: &mut [Box<dyn Player>],
    (state, position): (&State, &Position),
    time_control: TimeControl,
    watch: &mut dyn FnMut(&dyn Engine, &MatchEvent<'_>),
) -> Result<Answers, MatchError> {
    let mut results = Vec::with_capacity(players.len());
    for (role, player) in players.iter_mut().enumerate() {
        let turn = Turn {
            engine,
            role,
            state,
            position,
            budget: time_control.budget(),
        };
        let mut hear = |report: &SearchReport| watch(engine, &MatchEvent::Thinking(report));
        match player.choose(&turn, &mut hear)? {
            Reply::Play(result) if turn.legal().contains(&result.chosen) => {
                results.push(result);
            }
            Reply::Play(result) => {
                return Err(MatchError::Illegal {
                    role: engine.roles()[role].clone(),
                    mv: engine.move_name(role, result.chosen),
                });
            }
            Reply::Undo => return Ok(Answers::Undo(role)),
            Reply::Quit => return Ok(Answers::Quit),
        }
    }
    Ok(Answers::Moves(results))
}

/// Takes back all rounds from the last one in which a role had a choice, and
/// returns that one; `None` if it never had a choice.
fn take_back(played: &mut Vec<Round>, role: usize) -> Option<Round> {
    let last = played
        .iter()
        .rposition(|round| round.position.legal[role].len() > 1)?;
    played.drain(last..).next()
}

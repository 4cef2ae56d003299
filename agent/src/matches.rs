//! Matches: players for all roles, asked in turn, on one game state.

use std::fmt;

use gdl_runtime::engine::{Engine, Move, Position, State};

use crate::clock::Allowance;
use crate::player::{NoMove, Player, Reply, Thought, Turn};
use crate::search::Report;

/// A state in which moves were made.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// The state.
    pub state: State,
    /// Its legal moves.
    pub position: Position,
    /// What every role played, and why.
    pub thoughts: Vec<Thought>,
}

/// How a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// In a terminal state.
    Terminal,
    /// A player left.
    Quit,
    /// After as many rounds as were allowed.
    TooLong,
}

/// A match that has been played.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// All rounds, without those that were taken back.
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
    /// A role has no move.
    NoMove(NoMove),
    /// A player's move is not legal.
    Illegal {
        /// The role's name.
        role: String,
        /// The move as KIF.
        mv: String,
    },
    /// A player is not there.
    Absent(String),
    /// It was ended from outside.
    Interrupted,
    /// There is not exactly one player a role.
    Players {
        /// How many roles there are.
        roles: usize,
        /// How many players came.
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
                write!(f, "the game has {roles} roles, but {players} players came")
            }
        }
    }
}

impl std::error::Error for MatchError {}

/// What happens in a match.
pub enum Event<'a> {
    /// A state was reached, by moving or by taking back; the number of rounds
    /// played so far.
    Reached(&'a State, &'a Position, usize),
    /// A player is thinking.
    Thinking(&'a Report),
    /// All roles have moved.
    Moved(&'a Round),
}

/// Where a match begins, and how long it may last.
pub struct Start {
    /// The state.
    pub state: State,
    /// Rounds after which it is given up.
    pub rounds: usize,
}

/// Plays a match from the first state to its end, or for `rounds` rounds. `watch`
/// hears of all that happens.
///
/// # Errors
/// As [`play_from`] has them.
pub fn play(
    engine: &mut dyn Engine,
    players: &mut [Box<dyn Player>],
    allowance: Allowance,
    rounds: usize,
    watch: &mut dyn FnMut(&dyn Engine, &Event<'_>),
) -> Result<Record, MatchError> {
    let state = engine.initial();
    play_from(Start { state, rounds }, engine, players, allowance, watch)
}

/// Plays a match that begins in any state.
///
/// # Errors
/// If the rules leave a role without a move, or a player answers with a move
/// that is not legal.
pub fn play_from(
    start: Start,
    engine: &mut dyn Engine,
    players: &mut [Box<dyn Player>],
    allowance: Allowance,
    watch: &mut dyn FnMut(&dyn Engine, &Event<'_>),
) -> Result<Record, MatchError> {
    let roles = engine.roles().len();
    if players.len() != roles {
        let players = players.len();
        return Err(MatchError::Players { roles, players });
    }
    let mut played: Vec<Round> = Vec::new();
    let mut state = start.state;
    let ending = loop {
        let position = engine.examine(&state);
        watch(engine, &Event::Reached(&state, &position, played.len()));
        if position.terminal {
            break Ending::Terminal;
        }
        if played.len() >= start.rounds {
            break Ending::TooLong;
        }
        match ask_all(engine, players, (&state, &position), allowance, watch)? {
            Answers::Moves(thoughts) => {
                let joint: Vec<Move> = thoughts.iter().map(|thought| thought.chosen).collect();
                let next = engine.next(&state, &joint);
                let round = Round {
                    state,
                    position,
                    thoughts,
                };
                watch(engine, &Event::Moved(&round));
                played.push(round);
                state = next;
            }
            Answers::Undo(role) => state = take_back(&mut played, role).unwrap_or(state),
            Answers::Quit => break Ending::Quit,
        }
    };
    Ok(Record {
        goals: highest_goals(&engine.examine(&state)),
        rounds: played,
        last: state,
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
    Moves(Vec<Thought>),
    Undo(usize),
    Quit,
}

fn ask_all(
    engine: &dyn Engine,
    players: &mut [Box<dyn Player>],
    (state, position): (&State, &Position),
    allowance: Allowance,
    watch: &mut dyn FnMut(&dyn Engine, &Event<'_>),
) -> Result<Answers, MatchError> {
    let mut thoughts = Vec::with_capacity(players.len());
    for (role, player) in players.iter_mut().enumerate() {
        let turn = Turn {
            engine,
            role,
            state,
            position,
            budget: allowance.budget(),
        };
        let mut hear = |report: &Report| watch(engine, &Event::Thinking(report));
        match player
            .choose(&turn, &mut hear)
            .map_err(MatchError::NoMove)?
        {
            Reply::Play(thought) if turn.legal().contains(&thought.chosen) => {
                thoughts.push(thought);
            }
            Reply::Play(thought) => {
                return Err(MatchError::Illegal {
                    role: engine.roles()[role].clone(),
                    mv: engine.move_name(role, thought.chosen),
                });
            }
            Reply::Undo => return Ok(Answers::Undo(role)),
            Reply::Quit => return Ok(Answers::Quit),
        }
    }
    Ok(Answers::Moves(thoughts))
}

/// Goes back to the last state in which a role had a choice, if there is one.
fn take_back(played: &mut Vec<Round>, role: usize) -> Option<State> {
    let last = played
        .iter()
        .rposition(|round| round.position.legal[role].len() > 1)?;
    let state = played[last].state.clone();
    played.truncate(last);
    Some(state)
}

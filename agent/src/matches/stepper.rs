//! The rules that every host of a match shares: where the match stands, when it is
//! over, and how it moves on. Which player is asked for a move, in which order and for
//! how long, is up to the host that drives the stepper.

use gdl_runtime::engine::{Engine, Move, Position, State};

use super::{Ending, highest_goals};
use crate::player::NoMove;

/// One match on an engine, advanced round by round.
///
/// The caller passes the same engine to every call (or one that numbers states and
/// moves alike): the stepper holds no engine, so shared or borrowed engines work as well.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchStepper {
    state: State,
    position: Position,
    rounds: usize,
    limit: usize,
}

impl MatchStepper {
    /// A match from the initial state, given up after `limit` rounds.
    pub fn begin(engine: &mut dyn Engine, limit: usize) -> Self {
        let state = engine.initial();
        Self::resume(engine, state, 0, limit)
    }

    /// A match in which `rounds` rounds led to `state`. It is given up after `limit`
    /// rounds, those before `state` included.
    pub fn resume(engine: &mut dyn Engine, state: State, rounds: usize, limit: usize) -> Self {
        Self {
            position: engine.examine(&state),
            state,
            rounds,
            limit,
        }
    }

    /// The current state.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The legal moves and goals of the current state.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The number of rounds played so far.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// How the match has ended, or `None` if all roles have to move now.
    ///
    /// # Errors
    /// If the match goes on, but a role has no legal move: the first such role.
    pub fn ending(&self, engine: &dyn Engine) -> Result<Option<Ending>, NoMove> {
        if self.position.terminal {
            return Ok(Some(Ending::Terminal));
        }
        if self.rounds >= self.limit {
            return Ok(Some(Ending::TooLong));
        }
        match self.position.legal.iter().position(Vec::is_empty) {
            Some(role) => Err(NoMove {
                role: engine.roles()[role].clone(),
            }),
            None => Ok(None),
        }
    }

    /// The highest goal value of every role in the current state, 0 where there is
    /// none.
    #[must_use]
    pub fn goals(&self) -> Vec<i32> {
        highest_goals(&self.position)
    }

    /// Makes a joint move, one legal move per role, and returns the state and the
    /// position in which it was made.
    pub fn advance(&mut self, engine: &mut dyn Engine, joint: &[Move]) -> (State, Position) {
        let next = engine.next(&self.state, joint);
        let position = engine.examine(&next);
        self.rounds += 1;
        (
            std::mem::replace(&mut self.state, next),
            std::mem::replace(&mut self.position, position),
        )
    }

    /// Goes back to an earlier state, reached after `rounds` rounds.
    pub fn go_back(&mut self, state: State, position: Position, rounds: usize) {
        self.state = state;
        self.position = position;
        self.rounds = rounds;
    }

    /// Ends the match where it stands, and returns its last state.
    #[must_use]
    pub fn into_state(self) -> State {
        self.state
    }
}

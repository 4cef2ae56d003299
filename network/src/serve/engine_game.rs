//! A match on an engine: the state that has been reached, and the way there by the
//! names of moves, so that it can be continued on another engine.

use gdl_agent::search_player::are_numbered_alike;
use gdl_agent::shared_engine::SharedEngine;
use gdl_engines::engines::EngineKind;
use gdl_runtime::engine::{Engine as _, Move, Position, Role, State};
use gdl_runtime::moves::{JointMoveError, find_joint_move};
use std::fmt;

/// A match on an engine.
pub struct EngineGame {
    engine: SharedEngine,
    kind: EngineKind,
    role: Role,
    state: State,
    position: Position,
}

/// Why moves cannot be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadMoves {
    /// They are no joint move of the state.
    NotJoint(JointMoveError),
    /// The game is over.
    Over,
}

impl fmt::Display for BadMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJoint(error) => error.fmt(f),
            Self::Over => f.write_str("moves after the end of the game"),
        }
    }
}

impl EngineGame {
    /// The match from its initial state on, seen from a role, given by its name in
    /// any case; none if there is no such role.
    pub fn begin(mut engine: SharedEngine, kind: EngineKind, role: &str) -> Option<Self> {
        let mut roles = engine.roles().iter();
        let role = roles.position(|name| name.eq_ignore_ascii_case(role))?;
        let state = engine.initial();
        let position = engine.examine(&state);
        Some(Self {
            engine,
            kind,
            role,
            state,
            position,
        })
    }

    /// Lets every role make its move.
    pub fn advance(&mut self, names: &[String]) -> Result<(), BadMoves> {
        if self.position.terminal {
            return Err(BadMoves::Over);
        }
        let joint = find_joint_move(&self.engine, &self.position, names);
        let joint = joint.map_err(BadMoves::NotJoint)?;
        self.state = self.engine.next(&self.state, &joint);
        self.position = self.engine.examine(&self.state);
        Ok(())
    }

    /// The same match on another engine of the game, in the state that has been
    /// reached; none if that engine does not know such a state.
    pub fn on(&self, mut engine: SharedEngine, kind: EngineKind) -> Option<Self> {
        let state = engine.state(&self.facts()).ok()?;
        let position = engine.examine(&state);
        Some(Self {
            engine,
            kind,
            role: self.role,
            state,
            position,
        })
    }

    /// Continues on another engine of the same game, if states and moves have the
    /// same numbers there.
    pub fn move_to(&mut self, engine: &SharedEngine, kind: EngineKind) -> bool {
        let layouts = self.engine.layout().zip(engine.layout());
        let alike = layouts.is_some_and(|(own, other)| are_numbered_alike(&own, &other));
        if alike {
            self.engine = engine.clone();
            self.kind = kind;
        }
        alike
    }

    pub fn engine(&self) -> &SharedEngine {
        &self.engine
    }

    pub fn kind(&self) -> EngineKind {
        self.kind
    }

    pub fn role(&self) -> Role {
        self.role
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The facts of the state.
    pub fn facts(&self) -> Vec<String> {
        self.engine.facts(&self.state)
    }

    /// The legal moves of the role that we play.
    pub fn legal(&self) -> &[Move] {
        &self.position.legal[self.role]
    }

    /// A move of the role that we play, as KIF.
    pub fn name(&self, mv: Move) -> String {
        self.engine.move_name(self.role, mv)
    }
}

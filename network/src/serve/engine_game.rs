//! The state of a match on an engine, which can be carried over to another engine.

use gdl_agent::matches::highest_goals;
use gdl_agent::player::search_player::are_numbered_alike;
use gdl_agent::shared_engine::SharedEngine;
use gdl_engines::EngineKind;
use gdl_runtime::engine::{Engine as _, Move, Position, Role, State};
use gdl_runtime::moves::{JointMoveError, find_joint_move};

/// A game in progress on an engine, seen from our role.
pub struct EngineGame {
    engine: SharedEngine,
    kind: EngineKind,
    role: Role,
    state: State,
    position: Position,
    /// The number of rounds played.
    rounds: usize,
}

/// The reported moves cannot have been made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadMoves {
    /// They are not a legal joint move of the current state.
    #[error(transparent)]
    NotJoint(#[from] JointMoveError),
    /// The game is over.
    #[error("moves after the end of the game")]
    Over,
}

impl EngineGame {
    /// A game in its initial state, seen from the role of this name in any case; `None`
    /// if there is no such role.
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
            rounds: 0,
        })
    }

    /// Makes a joint move: the names of one move per role. Those after a lost state cannot be
    /// checked, and are only counted.
    ///
    /// # Errors
    /// If the moves are not a legal joint move of the current state.
    pub fn advance(&mut self, names: &[String]) -> Result<(), BadMoves> {
        if self.is_lost() {
            self.rounds += 1;
            return Ok(());
        }
        if self.position.terminal {
            return Err(BadMoves::Over);
        }
        let joint = find_joint_move(&self.engine, &self.position, names)?;
        self.state = self.engine.next(&self.state, &joint);
        self.position = self.engine.examine(&self.state);
        self.rounds += 1;
        Ok(())
    }

    /// Whether the reference engine exceeded its budget on the way to this state or in it: the
    /// state then seems to be terminal, but has no goals, and may have no facts either.
    pub fn is_lost(&self) -> bool {
        self.kind == EngineKind::Reference
            && self.position.terminal
            && self.position.legal.iter().all(Vec::is_empty)
            && self.position.goals.iter().all(Vec::is_empty)
    }

    /// The same game in the same state on another engine; `None` if that engine does not
    /// know the state, or this one has lost it.
    pub fn on(&self, mut engine: SharedEngine, kind: EngineKind) -> Option<Self> {
        if self.is_lost() {
            return None;
        }
        let state = engine.state(&self.facts()).ok()?;
        let position = engine.examine(&state);
        Some(Self {
            engine,
            kind,
            role: self.role,
            state,
            position,
            rounds: self.rounds,
        })
    }

    /// Continues on another engine if it numbers states and moves alike; returns whether
    /// it does.
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

    /// The goals of all roles if the game is over.
    pub fn goals(&self) -> Option<Vec<i32>> {
        let is_over = self.position.terminal && !self.is_lost();
        is_over.then(|| highest_goals(&self.position))
    }

    /// The number of rounds played.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// The facts of the current state.
    pub fn facts(&self) -> Vec<String> {
        self.engine.facts(&self.state)
    }

    /// The legal moves of our role.
    pub fn legal(&self) -> &[Move] {
        &self.position.legal[self.role]
    }

    /// A move of our role as KIF.
    pub fn name(&self, mv: Move) -> String {
        self.engine.move_name(self.role, mv)
    }
}

//! The tree of a game in which roles take turns: states and their successors, computed on
//! the lanes of an engine, all successors of a state in one step.

use std::path::Path;

use gdl_agent::expander::{Expander, Positions};
use gdl_engines::{EngineKind, EngineOptions, LoadError};
use gdl_runtime::engine::{Engine, Move, Pick, Position, Role, State};
use gdl_runtime::lanes::Width;

/// Why a game cannot be opened or a position cannot be reached.
#[derive(Debug, thiserror::Error)]
pub enum GameTreeError {
    /// The rules cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The engine does not know the moves and goals of the game in advance.
    #[error("the engine does not know all moves of the game in advance")]
    Unlisted,
    /// Several roles choose at once.
    #[error(transparent)]
    Simultaneous(#[from] SimultaneousMoves),
    /// A recorded move is not legal.
    #[error("{0} is not legal")]
    Illegal(String),
    /// The game is over before all recorded moves are made.
    #[error("the game is over")]
    Over,
}

/// Several roles have more than one move in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("several roles choose at once")]
pub struct SimultaneousMoves;

/// A game and the machine that advances its states.
pub struct GameTree {
    engine: Box<dyn Engine>,
    expander: Expander,
    /// For each role, the goal values that the rules name, ascending.
    goals: Vec<Vec<i32>>,
    states: Vec<u64>,
    picks: Vec<Option<Pick>>,
}

impl GameTree {
    /// Opens a rule sheet.
    ///
    /// # Errors
    /// If the rules cannot be loaded into an engine that knows all moves in advance.
    pub fn open(sheet: &Path) -> Result<Self, GameTreeError> {
        // A state has some ten successors: wider machines would mostly be idle.
        let options = EngineOptions {
            width: Some(Width::W256),
            ..EngineOptions::default()
        };
        Self::new(gdl_engines::open(sheet, EngineKind::Net, &options)?.engine)
    }

    /// The tree of an engine's game.
    ///
    /// # Errors
    /// If the engine does not know all moves in advance.
    pub fn new(engine: Box<dyn Engine>) -> Result<Self, GameTreeError> {
        let layout = engine.layout().ok_or(GameTreeError::Unlisted)?;
        let values = |goals: &Vec<(i32, _)>| goals.iter().map(|goal| goal.0).collect();
        Ok(Self {
            expander: Expander::new(engine.lanes(0), engine.initial().0.len()),
            goals: layout.goals.iter().map(values).collect(),
            engine,
            states: Vec::new(),
            picks: Vec::new(),
        })
    }

    /// The engine, which names roles and moves.
    #[must_use]
    pub fn engine(&self) -> &dyn Engine {
        &*self.engine
    }

    /// What the engine says about a state.
    pub fn position(&mut self, state: &State) -> Position {
        self.engine.examine(state)
    }

    /// The number of roles.
    #[must_use]
    pub fn roles(&self) -> usize {
        self.goals.len()
    }

    /// The number of words of a state.
    #[must_use]
    pub fn words(&self) -> usize {
        self.expander.words()
    }

    /// The goal values of a role that the rules name, ascending.
    #[must_use]
    pub fn goals(&self, role: Role) -> &[i32] {
        &self.goals[role]
    }

    /// What the rules say about a state, alone at index 0.
    pub fn examine(&mut self, state: &[u64]) -> Positions {
        let mut positions = Positions::default();
        self.expander.examine(state, &mut positions);
        positions
    }

    /// The role that decides in a state, see [`Positions::decider`].
    ///
    /// # Errors
    /// If several roles have a choice.
    pub fn decider(&self, positions: &Positions, index: usize) -> Result<Role, SimultaneousMoves> {
        (positions.decider(index, self.roles())).ok_or(SimultaneousMoves)
    }

    /// Overwrites `successors` by those of a state that is not terminal, in the order of
    /// the moves of the role that decides, which is returned.
    ///
    /// # Errors
    /// If several roles have a choice.
    pub fn expand(
        &mut self,
        positions: &Positions,
        index: usize,
        successors: &mut Positions,
    ) -> Result<Role, SimultaneousMoves> {
        let decider = self.decider(positions, index)?;
        self.states.clear();
        self.picks.clear();
        for &pick in positions.moves(index, decider) {
            self.states.extend_from_slice(positions.state(index));
            let picks = (0..self.goals.len()).map(|role| (role == decider).then_some(pick));
            self.picks.extend(picks);
        }
        (self.expander).advance(&self.states, &self.picks, true, successors);
        Ok(decider)
    }

    /// The name of a move.
    #[must_use]
    pub fn move_name(&self, role: Role, mv: Move) -> String {
        self.engine.move_name(role, mv)
    }

    /// The number of cells of the board that are empty, on a board of `cells` cells whose
    /// pieces are the fluents `(cell …)`.
    #[must_use]
    pub fn empty_cells(&self, state: &[u64], cells: u32) -> u32 {
        let facts = self.engine.facts(&State(state.into()));
        let pieces = facts.iter().filter(|fact| fact.starts_with("(cell "));
        cells.saturating_sub(pieces.count() as u32)
    }

    /// The state, alone at index 0, in which these choices lead from the initial state.
    /// Moves without a choice are made between them and after the last one.
    ///
    /// # Errors
    /// If a move is not legal, or the game ends before the last one or right after it.
    pub fn replay(&mut self, moves: &[String]) -> Result<Positions, GameTreeError> {
        let initial = self.engine.initial();
        let mut positions = self.examine(&initial.0);
        positions = self.advance_to_choice(positions)?;
        for name in moves {
            let role = self.decider(&positions, 0)?;
            let legal = positions.moves(0, role).iter();
            let index = (legal.map(|pick| self.move_name(role, pick.mv)))
                .position(|legal| legal == *name)
                .ok_or_else(|| GameTreeError::Illegal(name.clone()))?;
            positions = self.successor(&positions, index)?;
            positions = self.advance_to_choice(positions)?;
        }
        Ok(positions)
    }

    /// Makes the only joint move for as long as there is only one.
    ///
    /// # Errors
    /// If the game ends.
    pub fn advance_to_choice(&mut self, positions: Positions) -> Result<Positions, GameTreeError> {
        let mut positions = positions;
        loop {
            if positions.terminal[0] {
                return Err(GameTreeError::Over);
            }
            let role = self.decider(&positions, 0)?;
            if positions.moves(0, role).len() > 1 {
                return Ok(positions);
            }
            positions = self.successor(&positions, 0)?;
        }
    }

    /// The state to which a move of the role that decides leads, by its index.
    ///
    /// # Errors
    /// If several roles have a choice.
    pub fn successor(
        &mut self,
        positions: &Positions,
        index: usize,
    ) -> Result<Positions, SimultaneousMoves> {
        let mut successors = Positions::default();
        self.expand(positions, 0, &mut successors)?;
        let state = successors.state(index).to_vec();
        Ok(self.examine(&state))
    }
}

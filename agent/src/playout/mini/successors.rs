//! The states after each move of a role.

use gdl_runtime::engine::{Engine, Pick};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::expander::{Expander, Positions};
use crate::playout::Situation;

/// Computes what follows from each legal move of a role, on a machine of its own.
pub(super) struct MoveSuccessors {
    expander: Expander,
    here: Positions,
    after: Positions,
    states: Vec<u64>,
    picks: Vec<Option<Pick>>,
}

impl MoveSuccessors {
    pub(super) fn new(engine: &dyn Engine) -> Self {
        let words = engine.initial().0.len();
        Self {
            expander: Expander::new(engine.lanes(0), words),
            here: Positions::default(),
            after: Positions::default(),
            states: Vec::new(),
            picks: Vec::new(),
        }
    }

    /// The number of roles of the game.
    pub(super) fn roles(&self) -> usize {
        self.expander.roles()
    }

    /// The state after each of the role's moves, in their order; with `legal`, their legal moves
    /// too. Roles that choose at the same time make random moves.
    pub(super) fn expand(
        &mut self,
        situation: &Situation<'_>,
        legal: bool,
        random: &mut Xoshiro256PlusPlus,
    ) -> &Positions {
        self.expander.examine(situation.state, &mut self.here);
        self.states.clear();
        self.picks.clear();
        for &mv in situation.moves {
            self.states.extend_from_slice(situation.state);
            for role in 0..self.expander.roles() {
                let moves = self.here.moves(0, role);
                self.picks.push(match moves.len() {
                    0 | 1 => None,
                    _ if role == situation.role => moves.iter().find(|pick| pick.mv == mv).copied(),
                    count => Some(moves[random.random_range(0..count)]),
                });
            }
        }
        let (states, picks) = (&self.states, &self.picks);
        self.expander.advance(states, picks, legal, &mut self.after);
        &self.after
    }
}

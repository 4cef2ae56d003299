//! Random games, side by side.

use gdl_runtime::engine::{Pick, State};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::expander::{Expander, Positions};

/// Random games from the initial state, one in each lane of a machine. A game that is over
/// begins again.
pub(super) struct RandomPlay<'a> {
    initial: &'a State,
    /// The words of the games' states, state after state.
    states: Vec<u64>,
    positions: Positions,
    next: Positions,
}

impl<'a> RandomPlay<'a> {
    pub(super) fn new(expander: &Expander, initial: &'a State) -> Self {
        Self {
            initial,
            states: initial.0.repeat(expander.width()),
            positions: Positions::default(),
            next: Positions::default(),
        }
    }

    /// Makes a random joint move in each game. `visit` gets the words of the state before and
    /// after it, and whether the game is over now; games in which a role has no move are left out.
    pub(super) fn step(
        &mut self,
        expander: &mut Expander,
        random: &mut Xoshiro256PlusPlus,
        mut visit: impl FnMut(&mut Xoshiro256PlusPlus, &[u64], &[u64], bool),
    ) {
        let (positions, next) = (&mut self.positions, &mut self.next);
        expander.examine(&self.states, positions);
        let picks = random_moves(positions, expander.roles(), random);
        expander.advance(&self.states, &picks, false, next);
        let states = self.states.chunks_exact_mut(expander.words());
        for (game, state) in states.enumerate() {
            let is_stuck = positions.terminal[game];
            let is_over = next.terminal[game];
            if !is_stuck {
                visit(random, state, next.state(game), is_over);
            }
            state.copy_from_slice(match is_stuck || is_over {
                true => &self.initial.0,
                false => next.state(game),
            });
        }
    }
}

/// A random joint move in each position.
pub(super) fn random_moves(
    positions: &Positions,
    roles: usize,
    random: &mut Xoshiro256PlusPlus,
) -> Vec<Option<Pick>> {
    let mut picks = Vec::with_capacity(positions.len() * roles);
    for position in 0..positions.len() {
        for role in 0..roles {
            let moves = positions.moves(position, role);
            let count = moves.len();
            picks.push((count > 0).then(|| moves[random.random_range(0..count)]));
        }
    }
    picks
}

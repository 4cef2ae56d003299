//! Choices in self-play: the joint moves that are considered, and the one that is drawn.

use gdl_runtime::engine::{Pick, Role};
use rand::RngExt;
use rand::seq::index::sample;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::drawing::index_at;
use crate::expander::append_words;

/// Joint moves that are considered, with the states in which they are made.
#[derive(Debug, Default)]
pub(super) struct Considered {
    /// The states in which they are made, one for each joint move in `picks`.
    pub(super) states: Vec<u64>,
    pub(super) picks: Vec<Option<Pick>>,
    /// For each joint move, the slot of the deciding role's own move in the list of its legal
    /// ones.
    pub(super) slots: Vec<usize>,
    pub(super) choices: Vec<ConsideredChoice>,
}

/// A choice among considered joint moves, those from the end of the last choice on.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConsideredChoice {
    pub(super) game: usize,
    pub(super) decider: Decider,
    pub(super) end: usize,
}

/// Whose choice it is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Decider {
    /// Nobody: there is only one joint move.
    Nobody,
    /// A role that decides by itself.
    One(Role),
    /// One of several roles, whose own part of the joint moves tells which of its moves seem best.
    OneOfSeveral(Role),
}

impl Considered {
    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.picks.clear();
        self.slots.clear();
        self.choices.clear();
    }

    /// Adds a joint move, in which the deciding role makes the move in this slot.
    pub(super) fn push(&mut self, state: &[u64], joint: &[Option<Pick>], slot: usize) {
        append_words(state, &mut self.states);
        for &pick in joint {
            self.picks.push(pick);
        }
        self.slots.push(slot);
    }

    /// Adds a joint move for each of a role's moves, or for `most` random ones of them. `complete`
    /// gives the moves of the other roles.
    pub(super) fn add(
        &mut self,
        state: &[u64],
        joint: &mut [Option<Pick>],
        (role, moves, most): (Role, &[Pick], usize),
        random: &mut Xoshiro256PlusPlus,
        complete: &mut dyn FnMut(&mut [Option<Pick>], &mut Xoshiro256PlusPlus),
    ) {
        let mut push = |slot: usize, random: &mut Xoshiro256PlusPlus| {
            complete(joint, random);
            joint[role] = Some(moves[slot]);
            self.push(state, joint, slot);
        };
        if moves.len() <= most {
            (0..moves.len()).for_each(|slot| push(slot, random));
        } else {
            for slot in sample(random, moves.len(), most) {
                push(slot, random);
            }
        }
    }

    /// Ends a choice among the joint moves added since the last one.
    pub(super) fn end_choice(&mut self, game: usize, decider: Decider, roles: usize) {
        self.choices.push(ConsideredChoice {
            game,
            decider,
            end: self.picks.len() / roles,
        });
    }
}

/// An index with probability proportional to its weight.
pub(super) fn roulette(weights: &[f64], random: &mut Xoshiro256PlusPlus) -> usize {
    let total: f64 = weights.iter().sum();
    let point = random.random_range(0.0..1.0) * total;
    index_at(point, weights.iter().copied()).unwrap_or(weights.len() - 1)
}

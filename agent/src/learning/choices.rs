//! Choices of self-play: joint moves that are considered, and one of them drawn.

use gdl_runtime::engine::{Pick, Role};
use rand::RngExt;
use rand::seq::index::sample;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::expander::append_words;

/// Joint moves with what they may lead to.
#[derive(Debug, Default)]
pub(super) struct Considered {
    /// The states in which they are made, one for each joint move in `picks`.
    pub(super) states: Vec<u64>,
    pub(super) picks: Vec<Option<Pick>>,
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
    /// One of several roles, by its own part of the joint moves.
    OneOfSeveral(Role),
}

impl Considered {
    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.picks.clear();
        self.choices.clear();
    }

    /// Adds a joint move.
    pub(super) fn push(&mut self, state: &[u64], joint: &[Option<Pick>]) {
        append_words(state, &mut self.states);
        for &pick in joint {
            self.picks.push(pick);
        }
    }

    /// Adds a joint move for each of these moves of a role, or for `most` random ones of
    /// them.
    pub(super) fn add(
        &mut self,
        state: &[u64],
        joint: &mut [Option<Pick>],
        (role, moves, most): (Role, &[Pick], usize),
        random: &mut Xoshiro256PlusPlus,
    ) {
        let own = joint[role];
        if moves.len() <= most {
            for &pick in moves {
                joint[role] = Some(pick);
                self.push(state, joint);
            }
        } else {
            for chosen in sample(random, moves.len(), most) {
                joint[role] = Some(moves[chosen]);
                self.push(state, joint);
            }
        }
        joint[role] = own;
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

/// The weight of a move in a choice, by its successor's value: its odds, which are the
/// exponential of the logit, to the power 10. That is a softmax over the logits at
/// temperature 0.1.
pub(super) fn odds(value: f32) -> f64 {
    let value = f64::from(value.clamp(1e-4, 1.0 - 1e-4));
    let odds = value / (1.0 - value);
    let square = odds * odds;
    let fourth = square * square;
    fourth * fourth * square
}

/// An index with probability proportional to its weight.
pub(super) fn roulette(weights: &[f64], random: &mut Xoshiro256PlusPlus) -> usize {
    let total: f64 = weights.iter().sum();
    let mut rest = random.random_range(0.0..1.0) * total;
    for (index, weight) in weights.iter().enumerate() {
        rest -= weight;
        if rest < 0.0 {
            return index;
        }
    }
    weights.len() - 1
}

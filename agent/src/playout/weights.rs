//! Quantised weights of moves, as lanes take them, and the way from a policy's
//! values to them.
//!
//! Input: a value for every move of every role. Output: weights from 1 to
//! [`MOST_WEIGHT`], and a log of changes, so that whoever keeps a copy of them
//! in lanes need only be told what changed.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use runtime::engine::{MOST_WEIGHT, Move, Role};

use super::Situation;

/// How far the highest value may be from where it was when all weights were
/// last computed, in units of the temperature: in between, weights are off by a
/// common factor, which changes no probability but what is rounded or cut off.
const DRIFT: f32 = 0.1;

/// Log entries for every move, beyond which copying all weights is cheaper.
const LOG_PER_MOVE: usize = 2;

/// The weights of a Gibbs distribution, P(a) ∝ exp(Q(a)/τ), relative to the
/// role's best move.
#[derive(Debug, Clone)]
pub struct Weights {
    temperature: f32,
    /// The value of moves that nobody has set.
    unset: f32,
    roles: Vec<RoleWeights>,
    /// Counts how often everything changed.
    epoch: u64,
    log: Vec<(Role, Move)>,
}

/// One role's moves.
#[derive(Debug, Clone)]
struct RoleWeights {
    values: Vec<f32>,
    weights: Vec<u8>,
    /// The highest value, and that to which the weights are relative.
    highest: f32,
    reference: f32,
}

/// What a copy of the weights knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Version {
    epoch: u64,
    logged: usize,
}

impl Weights {
    /// For roles with so many moves each, all of the same value; τ in goal
    /// points.
    #[must_use]
    pub fn new(moves: &[usize], value: f32, temperature: f32) -> Self {
        let role = |&count: &usize| RoleWeights {
            values: vec![value; count],
            weights: vec![MOST_WEIGHT as u8; count],
            highest: value,
            reference: value,
        };
        Self {
            temperature,
            unset: value,
            roles: moves.iter().map(role).collect(),
            epoch: 1,
            log: Vec::new(),
        }
    }

    /// The value of a move.
    #[must_use]
    pub fn value(&self, role: Role, mv: Move) -> f32 {
        let values = &self.roles[role].values;
        values.get(mv.0 as usize).copied().unwrap_or(self.unset)
    }

    /// The weight of a move.
    #[must_use]
    pub fn weight(&self, role: Role, mv: Move) -> u32 {
        self.roles[role].weights[mv.0 as usize].into()
    }

    /// Gives a move another value.
    pub fn set(&mut self, role: Role, mv: Move, value: f32) {
        let index = mv.0 as usize;
        self.make_room(role, index);
        let weights = &mut self.roles[role];
        let before = std::mem::replace(&mut weights.values[index], value);
        if value > weights.highest {
            weights.highest = value;
        } else if before == weights.highest {
            weights.highest = weights.values.iter().copied().fold(f32::MIN, f32::max);
        }
        let drift = (weights.highest - weights.reference).abs();
        if drift > DRIFT * self.temperature {
            weights.renew(self.temperature);
            self.renew_log();
            return;
        }
        let weight = weights.quantise(value, self.temperature);
        if std::mem::replace(&mut weights.weights[index], weight) != weight {
            self.log.push((role, mv));
            let moves: usize = self.roles.iter().map(|role| role.values.len()).sum();
            if self.log.len() > LOG_PER_MOVE * moves {
                self.renew_log();
            }
        }
    }

    /// Some engines meet moves as they go.
    fn make_room(&mut self, role: Role, index: usize) {
        let weights = &mut self.roles[role];
        if index >= weights.values.len() {
            weights.values.resize(index + 1, self.unset);
            weights.weights.resize(index + 1, 1);
            weights.highest = weights.highest.max(self.unset);
            weights.renew(self.temperature);
            self.renew_log();
        }
    }

    fn renew_log(&mut self) {
        self.epoch += 1;
        self.log.clear();
    }

    /// How many moves of each role have weights.
    #[must_use]
    pub fn moves(&self) -> Vec<usize> {
        let counts = self.roles.iter().map(|role| role.values.len());
        counts.collect()
    }

    /// Whether a copy of this version is up to date.
    #[must_use]
    pub fn is_current(&self, version: Version) -> bool {
        version.epoch == self.epoch && version.logged == self.log.len()
    }

    /// Tells `change` every move whose weight is not what a copy of this version
    /// has, with its weight, and brings the version up to date.
    pub fn update(&self, version: &mut Version, mut change: impl FnMut(Role, Move, u32)) {
        if version.epoch == self.epoch {
            for &(role, mv) in &self.log[version.logged..] {
                change(role, mv, self.weight(role, mv));
            }
        } else {
            for (role, weights) in self.roles.iter().enumerate() {
                for (mv, &weight) in weights.weights.iter().enumerate() {
                    change(role, Move(mv as u32), weight.into());
                }
            }
        }
        *version = Version {
            epoch: self.epoch,
            logged: self.log.len(),
        };
    }

    /// Chooses a move by the distribution itself, without quantisation.
    pub fn choose(&self, situation: &Situation<'_>, random: &mut Xoshiro256PlusPlus) -> usize {
        let value = |&mv: &Move| self.value(situation.role, mv);
        choose_by_gibbs(situation.moves.iter().map(value), self.temperature, random)
    }
}

impl RoleWeights {
    fn renew(&mut self, temperature: f32) {
        self.reference = self.highest;
        for index in 0..self.values.len() {
            self.weights[index] = self.quantise(self.values[index], temperature);
        }
    }

    fn quantise(&self, value: f32, temperature: f32) -> u8 {
        let share = ((value - self.reference) / temperature).exp();
        (share * MOST_WEIGHT as f32)
            .round()
            .clamp(1.0, MOST_WEIGHT as f32) as u8
    }
}

/// A position among values, chosen with P(i) ∝ exp(value/τ) (2009 paper, section
/// on MAST).
pub fn choose_by_gibbs(
    values: impl Iterator<Item = f32> + Clone,
    temperature: f32,
    random: &mut Xoshiro256PlusPlus,
) -> usize {
    let highest = values.clone().fold(f32::MIN, f32::max);
    let share = |value: f32| ((value - highest) / temperature).exp();
    let total: f32 = values.clone().map(share).sum();
    let mut rest = random.random::<f32>() * total;
    let mut last = 0;
    for (index, value) in values.enumerate() {
        last = index;
        rest -= share(value);
        if rest < 0.0 {
            break;
        }
    }
    last
}

//! Quantised weights of moves, as lanes take them, computed from a policy's values.
//!
//! Input: values of moves, as they become known. Output: weights from 1 to
//! [`MOST_WEIGHT`], and a log of changes, so that copies of them in lanes can be
//! updated incrementally.
//!
//! Invariant: a move of value Q weighs MOST_WEIGHT · exp((Q − R)/τ), rounded and
//! clamped, where R, a role's reference, is at most `DRIFT`·τ away from the highest
//! value given to any of its moves. Hence moves without a value weigh at most as much
//! as the best known one: a high default would otherwise push all others down to where
//! weights are coarse, for as long as some move is never legal.

use std::sync::LazyLock;

use gdl_runtime::engine::{MOST_WEIGHT, Move, Role};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::drawing::index_at;

/// Maximum distance of the highest value from the reference, in units of the
/// temperature. Within it, weights are off by a common factor, which changes no
/// probabilities except by rounding and clamping.
const DRIFT: f32 = 0.1;

/// Log entries per move after which the log starts over.
const LOG_PER_MOVE: usize = 8;

/// The range around the last weight that is searched before all weights are.
const NEAR: usize = 3;

/// For each weight the least distance of a value from the reference, in units of the
/// temperature, that is rounded to it; then a bound that no value reaches.
///
/// Averages change little from one simulation to the next and mostly stay within the
/// bounds of their weight, so that most updates need no exponential.
static BOUNDS: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let bound = |weight: u32| ((f64::from(weight) - 0.5) / f64::from(MOST_WEIGHT)).ln() as f32;
    let mut bounds: Vec<f32> = (0..=MOST_WEIGHT).map(bound).collect();
    // 1 is the lowest weight.
    bounds[0] = f32::NEG_INFINITY;
    bounds[1] = f32::NEG_INFINITY;
    bounds.push(f32::INFINITY);
    bounds
});

/// The weights of a Gibbs distribution, P(a) ∝ exp(Q(a)/τ), for each role.
#[derive(Debug, Clone)]
pub struct MoveWeights {
    temperature: f32,
    /// The value of moves that have not been given one.
    unset: f32,
    roles: Vec<RoleWeights>,
    /// The number of times that everything changed.
    epoch: u64,
    log: Vec<(u32, Move)>,
    /// The number of moves of all roles together.
    total: usize,
}

/// One role's moves.
#[derive(Debug, Clone)]
struct RoleWeights {
    values: Vec<Option<f32>>,
    weights: Vec<u16>,
    /// The value of the weight [`MOST_WEIGHT`].
    reference: f32,
    /// A move whose value is at least the reference less the drift.
    top: usize,
}

/// The state of a copy of the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WeightsVersion {
    epoch: u64,
    logged: usize,
}

impl MoveWeights {
    /// With the number of moves of each role. Moves count as worth `unset` until they
    /// are given a value; τ is in goal points.
    #[must_use]
    pub fn new(moves: &[usize], unset: f32, temperature: f32) -> Self {
        let role = |&count: &usize| RoleWeights {
            values: vec![None; count],
            weights: vec![MOST_WEIGHT as u16; count],
            reference: f32::NEG_INFINITY,
            top: 0,
        };
        Self {
            temperature,
            unset,
            roles: moves.iter().map(role).collect(),
            epoch: 1,
            log: Vec::new(),
            total: moves.iter().sum(),
        }
    }

    /// The value of a move.
    #[must_use]
    pub fn value(&self, role: Role, mv: Move) -> f32 {
        let known = self.roles[role].values.get(mv.0 as usize);
        known.copied().flatten().unwrap_or(self.unset)
    }

    /// The weight of a move; the highest if the move is unknown.
    #[must_use]
    pub fn weight(&self, role: Role, mv: Move) -> u32 {
        let known = self.roles[role].weights.get(mv.0 as usize);
        known.map_or(MOST_WEIGHT, |&weight| weight.into())
    }

    /// The weight of a move without bounds and rounding, in units of [`MOST_WEIGHT`].
    #[must_use]
    pub fn exact_weight(&self, role: Role, mv: Move) -> f64 {
        let reference = self.roles[role].reference;
        let value = match reference.is_finite() {
            true => f64::from(self.value(role, mv) - reference),
            false => 0.0,
        };
        (value / f64::from(self.temperature)).exp()
    }

    /// The logarithm of a move's weight as a share of [`MOST_WEIGHT`], without rounding.
    #[must_use]
    pub fn logarithm(&self, role: Role, mv: Move) -> f32 {
        let reference = self.roles[role].reference;
        match reference.is_finite() {
            true => ((self.value(role, mv) - reference) / self.temperature).min(DRIFT),
            false => 0.0,
        }
    }

    /// Appends Q(a)/τ for each of some moves.
    pub fn preferences(&self, role: Role, moves: &[Move], logarithms: &mut Vec<f32>) {
        let preference = |&mv: &Move| self.value(role, mv) / self.temperature;
        logarithms.extend(moves.iter().map(preference));
    }

    /// Gives a move a value.
    pub fn set(&mut self, role: Role, mv: Move, value: f32) {
        let index = mv.0 as usize;
        self.make_room(role, index);
        let (unset, temperature) = (self.unset, self.temperature);
        let weights = &mut self.roles[role];
        weights.values[index] = Some(value);
        if !weights.keeps_reference(index, value, DRIFT * temperature) {
            weights.renew(unset, temperature);
            self.renew_log();
            return;
        }
        let last = weights.weights[index];
        let weight = weights.quantise(value, temperature, last);
        if weight != last {
            weights.weights[index] = weight;
            self.log.push((role as u32, mv));
            if self.log.len() > LOG_PER_MOVE * self.total {
                self.renew_log();
            }
        }
    }

    /// Forgets all values.
    pub fn forget(&mut self) {
        for weights in &mut self.roles {
            weights.values.fill(None);
            weights.weights.fill(MOST_WEIGHT as u16);
            weights.reference = f32::NEG_INFINITY;
        }
        self.renew_log();
    }

    /// Makes room for a move: some engines discover moves during play.
    fn make_room(&mut self, role: Role, index: usize) {
        let weights = &mut self.roles[role];
        if index >= weights.values.len() {
            self.total += index + 1 - weights.values.len();
            weights.values.resize(index + 1, None);
            weights.weights.resize(index + 1, MOST_WEIGHT as u16);
            weights.renew(self.unset, self.temperature);
            self.renew_log();
        }
    }

    fn renew_log(&mut self) {
        self.epoch += 1;
        self.log.clear();
    }

    /// Whether a copy of this version is up to date.
    #[must_use]
    pub fn is_current(&self, version: WeightsVersion) -> bool {
        version.epoch == self.epoch && version.logged == self.log.len()
    }

    /// Calls `change` with each move whose weight may have changed since this version,
    /// and its weight; brings the version up to date.
    pub fn update(&self, version: &mut WeightsVersion, mut change: impl FnMut(Role, Move, u32)) {
        if version.epoch == self.epoch {
            for &(role, mv) in &self.log[version.logged..] {
                change(role as Role, mv, self.weight(role as Role, mv));
            }
        } else {
            for (role, weights) in self.roles.iter().enumerate() {
                for (mv, &weight) in weights.weights.iter().enumerate() {
                    change(role, Move(mv as u32), weight.into());
                }
            }
        }
        *version = WeightsVersion {
            epoch: self.epoch,
            logged: self.log.len(),
        };
    }

    /// Samples the exact distribution, and returns an index into `moves`.
    pub fn choose(&self, role: Role, moves: &[Move], random: &mut Xoshiro256PlusPlus) -> usize {
        let value = |&mv: &Move| self.value(role, mv);
        choose_by_gibbs(moves.iter().map(value), self.temperature, random)
    }
}

impl RoleWeights {
    /// Whether the reference is still near the highest value after a change of one
    /// move's value. Only values that rise above all others or were the highest matter,
    /// so that most changes take constant time.
    fn keeps_reference(&mut self, index: usize, value: f32, drift: f32) -> bool {
        if value > self.reference + drift {
            return false;
        }
        let least = self.reference - drift;
        if index != self.top || value >= least {
            return true;
        }
        let other = |value: &Option<f32>| value.is_some_and(|value| value >= least);
        match self.values.iter().position(other) {
            Some(top) => {
                self.top = top;
                true
            }
            None => false,
        }
    }

    /// Moves the reference to the highest value, and computes all weights.
    fn renew(&mut self, unset: f32, temperature: f32) {
        self.reference = f32::NEG_INFINITY;
        for (index, value) in self.values.iter().enumerate() {
            if let Some(value) = value.filter(|&value| value > self.reference) {
                self.reference = value;
                self.top = index;
            }
        }
        for index in 0..self.values.len() {
            let value = self.values[index].unwrap_or(unset);
            self.weights[index] = self.quantise(value, temperature, self.weights[index]);
        }
    }

    /// The weight of a value, which is often the same as the `last` one.
    fn quantise(&self, value: f32, temperature: f32, last: u16) -> u16 {
        let bounds = &BOUNDS[..];
        let distance = (value - self.reference) / temperature;
        let last = usize::from(last);
        let near = last.saturating_sub(NEAR)..(last + NEAR + 2).min(bounds.len());
        let is_near = bounds[near.start] <= distance && distance < bounds[near.end - 1];
        let range = if is_near { near } else { 0..bounds.len() };
        let above = range.start + bounds[range].partition_point(|&bound| bound <= distance);
        (above - 1).min(MOST_WEIGHT as usize) as u16
    }
}

/// Samples an index with P(i) ∝ exp(value/τ) (Finnsson and Björnsson 2009, section
/// 3.1).
pub fn choose_by_gibbs(
    values: impl Iterator<Item = f32> + Clone,
    temperature: f32,
    random: &mut Xoshiro256PlusPlus,
) -> usize {
    let highest = values.clone().fold(f32::MIN, f32::max);
    let share = |value: f32| ((value - highest) / temperature).exp();
    let total: f32 = values.clone().map(share).sum();
    let point = random.random::<f32>() * total;
    index_at(point, values.clone().map(share)).unwrap_or_else(|| values.count().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// What lanes would hold.
    #[derive(Default)]
    struct Copy {
        version: WeightsVersion,
        weights: std::collections::BTreeMap<(Role, u32), u32>,
        changes: usize,
    }

    impl Copy {
        fn update(&mut self, weights: &MoveWeights) {
            weights.update(&mut self.version, |role, mv, weight| {
                self.weights.insert((role, mv.0), weight);
                self.changes += 1;
            });
            assert!(weights.is_current(self.version));
        }
    }

    /// References are near the highest values, and copies hold what is there.
    fn check(weights: &MoveWeights, copy: &Copy, context: &str) {
        for (role, known) in weights.roles.iter().enumerate() {
            let values = known.values.iter().flatten();
            let Some(highest) = values.copied().reduce(f32::max) else {
                continue;
            };
            let drift = (highest - known.reference).abs();
            assert!(drift <= 1.0, "{context}: {drift}");
            for (mv, value) in known.values.iter().enumerate() {
                let held = copy.weights[&(role, mv as u32)];
                assert_eq!(held, weights.weight(role, Move(mv as u32)), "{context}");
                if let Some(value) = value {
                    let most = MOST_WEIGHT as f32;
                    let exact = most * ((value - known.reference) / 10.0).exp();
                    let error = held as f32 - exact.clamp(1.0, most);
                    assert!(error.abs() < 0.51, "{context}: {error}");
                }
            }
        }
    }

    #[test]
    fn weights_are_shares_of_the_best() {
        let mut weights = MoveWeights::new(&[4], 100.0, 10.0);
        for (mv, value) in [95.0, 85.0, 5.0].into_iter().enumerate() {
            weights.set(0, Move(mv as u32), value);
        }
        let all: Vec<u32> = (0..4).map(|mv| weights.weight(0, Move(mv))).collect();
        // 4095·e⁰, 4095·e⁻¹ = 1506.5, 4095·e⁻⁹ = 0.5 but at least 1; a move without
        // a value is worth 100, and weighs as much as the best.
        assert_eq!(all, [4095, 1506, 1, 4095]);
        assert!((weights.value(0, Move(3)) - 100.0).abs() < 1e-6);
    }

    #[test]
    fn copies_that_are_told_of_changes_stay_equal_and_right() {
        const MOVES: [usize; 2] = [30, 7];
        let seed = 7;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut weights = MoveWeights::new(&MOVES, 100.0, 10.0);
        let mut copy = Copy::default();
        for round in 0..4000 {
            let role = random.random_range(0..2);
            let mv = Move(random.random_range(0..MOVES[role] as u32));
            weights.set(role, mv, 40.0 + 20.0 * random.random::<f32>());
            if random.random_bool(0.3) {
                copy.update(&weights);
                check(&weights, &copy, &format!("seed {seed}, round {round}"));
            }
        }
        assert!(copy.changes > 1000);
    }

    #[test]
    fn small_changes_are_told_one_by_one() {
        let mut weights = MoveWeights::new(&[100], 100.0, 10.0);
        (0..100).for_each(|mv| weights.set(0, Move(mv), 50.0));
        let mut copy = Copy::default();
        copy.update(&weights);
        copy.changes = 0;
        weights.set(0, Move(3), 40.0);
        weights.set(0, Move(4), 50.000_1);
        copy.update(&weights);
        assert_eq!(copy.changes, 1);
    }

    #[test]
    fn copies_are_told_what_is_forgotten() {
        let mut weights = MoveWeights::new(&[2], 100.0, 10.0);
        let mut copy = Copy::default();
        (0..2).for_each(|mv| weights.set(0, Move(mv), 90.0 * mv as f32));
        copy.update(&weights);
        assert_eq!(copy.weights[&(0, 0)], 1);
        weights.forget();
        copy.update(&weights);
        assert_eq!(copy.weights[&(0, 0)], MOST_WEIGHT);
        weights.set(0, Move(0), 20.0);
        assert_eq!(
            (weights.value(0, Move(0)), weights.value(0, Move(1))),
            (20.0, 100.0)
        );
    }

    #[test]
    fn moves_met_later_find_room() {
        let mut weights = MoveWeights::new(&[0], 100.0, 10.0);
        assert_eq!(weights.weight(0, Move(5)), MOST_WEIGHT);
        weights.set(0, Move(5), 50.0);
        weights.set(0, Move(2), 40.0);
        assert_eq!(weights.weight(0, Move(2)), 1506);
    }

    #[test]
    fn the_distribution_itself() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut counts = [0; 3];
        for _ in 0..100_000 {
            let values = [50.0, 60.0, 0.0];
            counts[choose_by_gibbs(values.into_iter(), 10.0, &mut random)] += 1;
        }
        // 1 : e : e⁻⁵, that is 26.8 %, 72.9 % and 0.2 %.
        assert!((26_300..27_300).contains(&counts[0]), "{counts:?}");
        assert!((100..300).contains(&counts[2]), "{counts:?}");
    }
}

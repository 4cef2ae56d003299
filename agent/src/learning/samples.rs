//! What networks learn from: states of games with what is to be predicted there.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// States, given by their features, each with the result of the game it is from and the value that
/// is learned for it.
#[derive(Debug, Clone)]
pub struct Samples {
    words: usize,
    roles: usize,
    features: Vec<u64>,
    /// The goals, one per role, state after state, divided by 100.
    results: Vec<f32>,
    /// What is learned: the same, or a mean of it and of values that were known before.
    targets: Vec<f32>,
}

impl Samples {
    /// No samples, of features that take this number of words.
    #[must_use]
    pub fn new(words: usize, roles: usize) -> Self {
        Self {
            words,
            roles,
            features: Vec::new(),
            results: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// The number of words of the features of a state.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }

    /// The number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.results.len() / self.roles
    }

    /// Whether there are no samples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// The size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let values = size_of_val(&self.results[..]) + size_of_val(&self.targets[..]);
        size_of_val(&self.features[..]) + values
    }

    /// The features of a sample.
    #[must_use]
    pub fn features(&self, index: usize) -> &[u64] {
        &self.features[index * self.words..(index + 1) * self.words]
    }

    /// The result of a sample's game for each role, 0 to 1.
    #[must_use]
    pub fn results(&self, index: usize) -> &[f32] {
        &self.results[index * self.roles..(index + 1) * self.roles]
    }

    /// The value that is learned for a sample, for each role, 0 to 1.
    #[must_use]
    pub fn targets(&self, index: usize) -> &[f32] {
        &self.targets[index * self.roles..(index + 1) * self.roles]
    }

    /// Adds a sample: its features, the goals of its game, and the value that is learned for it.
    pub fn push(&mut self, features: &[u64], goals: &[i32], targets: &[f32]) {
        self.features.extend_from_slice(features);
        let results = goals.iter().map(|&goal| goal as f32 / 100.0);
        self.results.extend(results);
        self.targets.extend_from_slice(targets);
    }

    /// Adds a sample whose result is what is learned for it: a state outside games has no other.
    pub fn push_values(&mut self, features: &[u64], targets: &[f32]) {
        self.features.extend_from_slice(features);
        self.results.extend_from_slice(targets);
        self.targets.extend_from_slice(targets);
    }

    /// Keeps only the first samples, at most this many.
    pub fn truncate(&mut self, most: usize) {
        self.features.truncate(most * self.words);
        self.results.truncate(most * self.roles);
        self.targets.truncate(most * self.roles);
    }

    /// Adds all samples of another set, of features of the same size.
    pub fn append(&mut self, other: &Self) {
        self.features.extend_from_slice(&other.features);
        self.results.extend_from_slice(&other.results);
        self.targets.extend_from_slice(&other.targets);
    }

    /// Replaces the features of some samples, given as their words one after another, from
    /// this one on.
    pub fn set_features(&mut self, first: usize, features: &[u64]) {
        let start = first * self.words;
        self.features[start..start + features.len()].copy_from_slice(features);
    }

    /// Exchanges what belongs to the roles of a sample: role `roles[r]` gets what role r had.
    pub fn exchange_roles(&mut self, index: usize, roles: &[usize]) {
        let own = index * self.roles..(index + 1) * self.roles;
        for values in [&mut self.results[own.clone()], &mut self.targets[own]] {
            let before = values.to_vec();
            for (&to, value) in roles.iter().zip(before) {
                values[to] = value;
            }
        }
    }

    /// Whether the goals of every sample's game add up to 100.
    #[must_use]
    pub fn has_constant_sum(&self) -> bool {
        let sums = self.results.chunks(self.roles);
        let mut sums = sums.map(|results| results.iter().sum::<f32>());
        sums.all(|sum| (sum - 1.0).abs() < 1e-3)
    }

    /// The same with this number of features, the first ones.
    #[must_use]
    pub fn with_first(&self, features: usize) -> Self {
        let words = features.div_ceil(64);
        let unused = (64 * words - features) as u32;
        let mut all = Vec::with_capacity(words * self.len());
        for index in 0..self.len() {
            all.extend_from_slice(&self.features(index)[..words]);
            if let Some(last) = all.last_mut() {
                *last &= u64::MAX.checked_shr(unused).unwrap_or(0);
            }
        }
        Self {
            words,
            features: all,
            ..self.clone()
        }
    }

    /// Moves a random part of the samples, about one in `every`, to a set of their own.
    #[must_use]
    pub fn hold_out(&mut self, every: u32, random: &mut Xoshiro256PlusPlus) -> Self {
        let mut held = Self::new(self.words, self.roles);
        let mut kept = Self::new(self.words, self.roles);
        for index in 0..self.len() {
            let to = match random.random_ratio(1, every) {
                true => &mut held,
                false => &mut kept,
            };
            to.features.extend_from_slice(self.features(index));
            to.results.extend_from_slice(self.results(index));
            to.targets.extend_from_slice(self.targets(index));
        }
        *self = kept;
        held
    }
}

//! What networks learn from: states of games with the games' results.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// States by their features, each with the result of the game that it is from.
#[derive(Debug, Clone)]
pub struct Samples {
    words: usize,
    roles: usize,
    features: Vec<u64>,
    /// The goals, one per role, state after state, divided by 100.
    results: Vec<f32>,
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
        size_of_val(&self.features[..]) + size_of_val(&self.results[..])
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

    /// Adds a sample.
    pub fn push(&mut self, features: &[u64], goals: &[i32]) {
        self.features.extend_from_slice(features);
        let results = goals.iter().map(|&goal| goal as f32 / 100.0);
        self.results.extend(results);
    }

    /// Adds all samples of another set, of features of the same size.
    pub fn append(&mut self, other: &Self) {
        self.features.extend_from_slice(&other.features);
        self.results.extend_from_slice(&other.results);
    }

    /// Replaces the features of some samples, given as their words one after another, from
    /// this one on.
    pub fn set_features(&mut self, first: usize, features: &[u64]) {
        let start = first * self.words;
        self.features[start..start + features.len()].copy_from_slice(features);
    }

    /// The results of a sample, to be changed.
    pub fn results_mut(&mut self, index: usize) -> &mut [f32] {
        &mut self.results[index * self.roles..(index + 1) * self.roles]
    }

    /// Whether the goals of every sample's game add up to 100.
    #[must_use]
    pub fn has_constant_sum(&self) -> bool {
        let sums = self.results.chunks(self.roles);
        let mut sums = sums.map(|results| results.iter().sum::<f32>());
        sums.all(|sum| (sum - 1.0).abs() < 1e-3)
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
        }
        *self = kept;
        held
    }
}

//! The value network: the expected result of each role, from the features of a state.
//!
//! A feature is a bit. The network is a linear function of the features plus one hidden
//! layer of rectified linear units, and estimates the logit of the expected result. The
//! first layer is a sum over the features that hold, so that the value of a successor
//! follows from that of its parent by the few features in which they differ (NNUE: Nasu,
//! "Efficiently Updatable Neural-Network-based Evaluation Functions", 2018).

use gdl_runtime::network::{COLUMNS, sum_rows};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The largest number of heads.
pub const MAX_HEADS: usize = 8;

/// How the values of roles follow from the outputs of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueHeads {
    /// One output: the value of role 0. That of role 1 is what is missing to 1.
    ConstantSum,
    /// An output for each of this number of roles.
    PerRole(usize),
}

impl ValueHeads {
    /// The number of outputs.
    #[must_use]
    pub fn count(self) -> usize {
        match self {
            Self::ConstantSum => 1,
            Self::PerRole(roles) => roles,
        }
    }
}

/// A network with weights in floating point, as it is trained.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueNetwork {
    pub(super) heads: ValueHeads,
    /// For every feature, its weights: of the hidden units, then of each head's linear
    /// function. Only the first `hidden + heads` columns are used; where it is quantised,
    /// a linear function takes two.
    pub(super) rows: Vec<[f32; COLUMNS]>,
    /// The same for the constant 1.
    pub(super) bias: [f32; COLUMNS],
    /// For each head, the weights of the hidden units.
    pub(super) output: Vec<[f32; COLUMNS]>,
}

impl ValueNetwork {
    /// A network that values all states alike, for this number of features. Its first
    /// layer is random: equal units would stay equal.
    #[must_use]
    pub fn new(features: usize, heads: ValueHeads, random: &mut Xoshiro256PlusPlus) -> Self {
        let hidden = hidden_units(heads);
        // About sqrt(1 / features that hold), by a guess at their number.
        let spread = (8.0 / features.max(1) as f32).sqrt().clamp(0.02, 0.25);
        let mut row = || {
            let mut row = [0.0; COLUMNS];
            row[..hidden].fill_with(|| random.random_range(-spread..spread));
            row
        };
        Self {
            heads,
            rows: (0..features).map(|_| row()).collect(),
            bias: [0.0; COLUMNS],
            output: vec![[0.0; COLUMNS]; heads.count()],
        }
    }

    /// A network all of whose weights are random, for tests.
    #[must_use]
    pub fn random(features: usize, heads: ValueHeads, random: &mut Xoshiro256PlusPlus) -> Self {
        let mut network = Self::new(features, heads, random);
        let hidden = hidden_units(heads);
        for output in &mut network.output {
            output[..hidden].fill_with(|| random.random_range(-1.0..1.0));
        }
        for row in &mut network.rows {
            row[hidden..hidden + heads.count()].fill_with(|| random.random_range(-0.1..0.1));
        }
        network
    }

    /// Writes the value of every role in a state with these features, 0 to 1.
    pub fn values(&self, features: &[u64], values: &mut [f32]) {
        let sums = self.sums(features);
        for (head, value) in values.iter_mut().enumerate().take(self.heads.count()) {
            *value = sigmoid(self.logit(head, &sums));
        }
        if self.heads == ValueHeads::ConstantSum {
            values[1] = 1.0 - values[0];
        }
    }

    /// The number of features.
    #[must_use]
    pub fn features(&self) -> usize {
        self.rows.len()
    }

    /// How the values of roles follow from its outputs.
    #[must_use]
    pub fn heads(&self) -> ValueHeads {
        self.heads
    }

    /// The first layer's sums.
    pub(super) fn sums(&self, features: &[u64]) -> [f32; COLUMNS] {
        let mut sums = self.bias;
        sum_rows(&self.rows, features, &mut sums);
        sums
    }

    /// The output of a head, from the first layer's sums: a logit.
    pub(super) fn logit(&self, head: usize, sums: &[f32; COLUMNS]) -> f32 {
        let hidden = hidden_units(self.heads);
        // Several partial sums: each addition would wait for the one before.
        let mut parts = [0.0_f32; 8];
        let weights = self.output[head][..hidden].chunks(parts.len());
        for (sums, weights) in sums[..hidden].chunks(parts.len()).zip(weights) {
            for ((part, sum), weight) in parts.iter_mut().zip(sums).zip(weights) {
                *part += sum.max(0.0) * weight;
            }
        }
        parts.iter().sum::<f32>() + sums[hidden + head]
    }
}

/// The number of hidden units: the columns that heads do not take.
pub(super) fn hidden_units(heads: ValueHeads) -> usize {
    COLUMNS - 2 * heads.count()
}

/// The logistic function.
#[must_use]
pub fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

//! The value network: the expected result of each role, from the features of a state.
//!
//! A feature is a bit. The network is a linear function of the features plus one hidden
//! layer of squared rectified linear units, and estimates the logit of the expected result:
//! squares show directly which features occur together. The first layer is a sum over the
//! features that hold, so that the value of a successor follows from that of its parent by
//! the few features in which they differ (NNUE: Nasu, "Efficiently Updatable
//! Neural-Network-based Evaluation Functions", 2018).

use gdl_runtime::network::{COLUMNS, FloatNetwork, FloatRow};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The largest number of heads.
pub const MAX_HEADS: usize = 8;

/// How the values of roles follow from the outputs of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueHeads {
    /// One output: the value of role 0. That of role 1 is 1 minus this value.
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
    /// Its weights, with an output for each head.
    pub(super) weights: FloatNetwork,
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
            let mut row = FloatRow::ZERO;
            row.0[..hidden].fill_with(|| random.random_range(-spread..spread));
            row
        };
        let weights = FloatNetwork {
            rows: (0..features).map(|_| row()).collect(),
            bias: FloatRow::ZERO,
            outputs: vec![FloatRow::ZERO; heads.count()],
        };
        Self { heads, weights }
    }

    /// A network all of whose weights are random, for tests.
    #[must_use]
    pub fn random(features: usize, heads: ValueHeads, random: &mut Xoshiro256PlusPlus) -> Self {
        let mut network = Self::new(features, heads, random);
        let hidden = hidden_units(heads);
        for output in &mut network.weights.outputs {
            output.0[..hidden].fill_with(|| random.random_range(-1.0..1.0));
        }
        for row in &mut network.weights.rows {
            row.0[hidden..hidden + heads.count()].fill_with(|| random.random_range(-0.1..0.1));
        }
        network
    }

    /// The same with this number of features, the first ones, padded to whole words.
    #[must_use]
    pub fn with_first(&self, features: usize) -> Self {
        let mut network = self.clone();
        network.weights.rows.truncate(64 * features.div_ceil(64));
        network.weights.rows[features..].fill(FloatRow::ZERO);
        network
    }

    /// Writes the value of every role in a state with these features, 0 to 1.
    pub fn values(&self, features: &[u64], values: &mut [f32]) {
        let logits = self.weights.logits(features);
        for (value, logit) in values.iter_mut().zip(logits) {
            *value = sigmoid(logit);
        }
        if self.heads == ValueHeads::ConstantSum {
            values[1] = 1.0 - values[0];
        }
    }

    /// The number of features.
    #[must_use]
    pub fn features(&self) -> usize {
        self.weights.rows.len()
    }

    /// How the values of roles follow from its outputs.
    #[must_use]
    pub fn heads(&self) -> ValueHeads {
        self.heads
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

//! Average returns in little memory.

/// Samples beyond which sum and number are halved: the average stays the same, and sums
/// of goal values are exact in 32 bits.
const MOST_SAMPLES: f32 = 1e5;

/// The number of samples below which an average is forgotten: with far fewer, 32 bits would
/// no longer hold it.
const LEAST_SAMPLES: f32 = 1e-3;

/// The average of returns, 0 to 100.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ReturnAverage {
    sum: f32,
    /// The number of samples, which need not be whole once it has faded.
    pub(super) count: f32,
}

impl ReturnAverage {
    /// Adds a goal value as this number of samples.
    pub(super) fn add(&mut self, goal: f32, count: f32) {
        self.sum += goal * count;
        self.count += count;
        if self.count > MOST_SAMPLES {
            self.fade(0.5);
        }
    }

    /// Multiplies the weight of the samples by a factor. The average stays the same, or is
    /// forgotten if hardly anything is left.
    pub(super) fn fade(&mut self, factor: f32) {
        self.sum *= factor;
        self.count *= factor;
        if self.count < LEAST_SAMPLES {
            *self = Self::default();
        }
    }

    /// The average; not a number without samples.
    pub(super) fn mean(&self) -> f32 {
        self.sum / self.count
    }
}

//! The arithmetic of networks whose first layer is a sum of rows over the features of a
//! state: in integers for searches, in floating point for training.

mod adam;
mod floats;
mod integers;

pub use adam::Adam;
pub use floats::{FloatNetwork, FloatRow, TrainingBatch, add_gradients, write_logits};
pub use integers::{IntegerNetwork, IntegerRow, OutputWeights, evaluate};

/// The number of columns of the first layer. With 64, networks foresee results a little better in most
/// games than with 32, after the same time (docs/strength-experiments.md).
pub const COLUMNS: usize = 64;

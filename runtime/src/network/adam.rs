//! Adam with decoupled weight decay (Kingma and Ba 2015; Loshchilov and Hutter 2019).

use super::floats::{FloatNetwork, FloatRow};
use crate::lanes::{Word, Word256, Word512, kernel};

const DECAY_MEAN: f32 = 0.9;
const DECAY_SQUARE: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const WEIGHT_DECAY: f32 = 0.001;

/// What Adam knows of the gradients so far.
#[derive(Debug, Clone)]
pub struct Adam {
    /// Moving averages of gradients and of their squares.
    mean: FloatNetwork,
    square: FloatNetwork,
    updates: i32,
}

/// The numbers of one update.
#[derive(Debug, Clone, Copy)]
struct AdamStep {
    /// What gradients are multiplied by.
    scale: f32,
    /// The learning rate, corrected for averages that begin at 0, and what weights lose.
    rate: f32,
    decay: f32,
}

impl Adam {
    /// For a network of this size, before any update.
    #[must_use]
    pub fn new(network: &FloatNetwork) -> Self {
        Self {
            mean: network.zeros(),
            square: network.zeros(),
            updates: 0,
        }
    }

    /// Makes a step against a gradient that was summed up over this number of samples, and
    /// clears the gradient.
    pub fn update(
        &mut self,
        network: &mut FloatNetwork,
        gradient: &mut FloatNetwork,
        rate: f32,
        samples: usize,
    ) {
        self.updates += 1;
        let step = AdamStep {
            scale: 1.0 / samples as f32,
            rate: rate * (1.0 - DECAY_SQUARE.powi(self.updates)).sqrt()
                / (1.0 - DECAY_MEAN.powi(self.updates)),
            decay: rate * WEIGHT_DECAY,
        };
        let gradients = gradient.layers_mut();
        let moments = self
            .mean
            .layers_mut()
            .into_iter()
            .zip(self.square.layers_mut());
        let layers = network.layers_mut().into_iter().zip(gradients).zip(moments);
        for ((weights, gradients), (means, squares)) in layers {
            if let Some(proof) = Word512::zero() {
                update_rows(proof, proof, step, weights, gradients, means, squares);
            } else if let Some(proof) = Word256::zero() {
                update_rows(proof, proof, step, weights, gradients, means, squares);
            } else {
                update_rows(0, 0, step, weights, gradients, means, squares);
            }
        }
    }
}

impl FloatNetwork {
    /// All weights.
    fn layers_mut(&mut self) -> [&mut [FloatRow]; 3] {
        [
            &mut self.rows,
            std::slice::from_mut(&mut self.bias),
            &mut self.outputs,
        ]
    }
}

kernel! {
    fn update_rows<'a, W>(
        _word: W,
        step: AdamStep,
        weights: &'a mut [FloatRow],
        gradients: &'a mut [FloatRow],
        means: &'a mut [FloatRow],
        squares: &'a mut [FloatRow],
    ) {
        let moments = means.iter_mut().zip(squares);
        for ((weights, gradients), (means, squares)) in
            weights.iter_mut().zip(gradients).zip(moments)
        {
            let weights = weights.0.iter_mut().zip(&mut gradients.0);
            let moments = means.0.iter_mut().zip(&mut squares.0);
            for ((weight, gradient), (mean, square)) in weights.zip(moments) {
                let slope = *gradient * step.scale;
                *gradient = 0.0;
                *mean = DECAY_MEAN * *mean + (1.0 - DECAY_MEAN) * slope;
                *square = DECAY_SQUARE * *square + (1.0 - DECAY_SQUARE) * slope * slope;
                *weight -= step.rate * *mean / (square.sqrt() + EPSILON) + step.decay * *weight;
            }
        }
    }
}

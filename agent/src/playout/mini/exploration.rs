//! Exploration: states unlike those seen before.

/// The number of states that are remembered.
const REMEMBERED: usize = 64;

/// The last states that simulations visited.
#[derive(Debug, Default)]
pub(super) struct Visited {
    /// The words of the states, one after another, and which of them is the oldest.
    states: Vec<u64>,
    oldest: usize,
}

impl Visited {
    /// Remembers a state in place of the oldest one.
    pub(super) fn add(&mut self, state: &[u64]) {
        if self.states.len() < REMEMBERED * state.len() {
            return self.states.extend_from_slice(state);
        }
        self.states[self.oldest * state.len()..][..state.len()].copy_from_slice(state);
        self.oldest = (self.oldest + 1) % REMEMBERED;
    }

    /// The number of fluents in which a state differs from the most similar one that is
    /// remembered.
    pub(super) fn difference(&self, state: &[u64]) -> f32 {
        let differing = |other: &[u64]| -> u32 {
            let pairs = state.iter().zip(other);
            pairs.map(|(one, other)| (one ^ other).count_ones()).sum()
        };
        let states = self.states.chunks_exact(state.len());
        states.map(differing).min().unwrap_or(0) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_from_the_most_similar_state() {
        let mut visited = Visited::default();
        assert_eq!(visited.difference(&[0b1]), 0.0);
        visited.add(&[0b0011]);
        visited.add(&[0b1100]);
        assert_eq!(visited.difference(&[0b0111]), 1.0);
        assert_eq!(visited.difference(&[0b1111_0000]), 6.0);
        (0..REMEMBERED).for_each(|_| visited.add(&[0]));
        assert_eq!(visited.difference(&[0b0111]), 3.0);
    }
}

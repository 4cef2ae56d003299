//! [`StepSequence`]: the order of calls within a step, asserted.

/// Asserts that the methods of [`Lanes`](super::Lanes) are called in their order:
/// implementations report each call to it.
///
/// Lanes are evaluated or not. They begin unevaluated; evaluating makes them
/// evaluated; loading a state, advancing and playing out make them unevaluated.
/// What depends on an evaluation panics without one. The checks test one flag and
/// are always on.
#[derive(Debug, Clone, Copy, Default)]
pub struct StepSequence {
    is_evaluated: bool,
    observes: bool,
    has_observed: bool,
}

impl StepSequence {
    /// A lane takes another state, or all do.
    #[inline]
    pub const fn load(&mut self) {
        self.is_evaluated = false;
    }

    /// All lanes are evaluated.
    #[inline]
    pub const fn evaluate(&mut self) {
        self.is_evaluated = true;
    }

    /// Something is read, or a move forced, that needs an evaluation.
    ///
    /// # Panics
    /// If the lanes are not evaluated.
    #[inline]
    #[track_caller]
    pub const fn assert_evaluated(&self) {
        assert!(
            self.is_evaluated,
            "lanes must be evaluated first, after every load and every advance"
        );
    }

    /// All lanes make a move.
    ///
    /// # Panics
    /// If the lanes are not evaluated.
    #[inline]
    #[track_caller]
    pub const fn advance(&mut self) {
        self.assert_evaluated();
        self.is_evaluated = false;
        self.has_observed = self.observes;
    }

    /// Observation of moves is switched on or off.
    #[inline]
    pub const fn observe_moves(&mut self, on: bool) {
        self.observes = on;
    }

    /// The moves made are read.
    ///
    /// # Panics
    /// If there was no advance yet or the last one did not observe moves.
    #[inline]
    #[track_caller]
    pub const fn assert_observed(&self) {
        assert!(
            self.has_observed,
            "moves must be observed by the last advance"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::StepSequence;

    #[test]
    fn a_step_in_order_passes() {
        let mut sequence = StepSequence::default();
        sequence.observe_moves(true);
        for _ in 0..2 {
            sequence.load();
            sequence.evaluate();
            sequence.assert_evaluated();
            sequence.advance();
            sequence.assert_observed();
        }
        sequence.evaluate();
        sequence.assert_observed();
    }

    #[test]
    #[should_panic(expected = "lanes must be evaluated first")]
    fn loaded_lanes_cannot_advance_unevaluated() {
        let mut sequence = StepSequence::default();
        sequence.evaluate();
        sequence.load();
        sequence.advance();
    }

    #[test]
    #[should_panic(expected = "lanes must be evaluated first")]
    fn lanes_that_advanced_cannot_be_read() {
        let mut sequence = StepSequence::default();
        sequence.evaluate();
        sequence.advance();
        sequence.assert_evaluated();
    }

    #[test]
    #[should_panic(expected = "moves must be observed")]
    fn moves_that_were_not_observed_cannot_be_read() {
        let mut sequence = StepSequence::default();
        sequence.evaluate();
        sequence.advance();
        sequence.observe_moves(true);
        sequence.assert_observed();
    }
}

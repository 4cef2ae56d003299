//! [`FluentConditions`]: conjunctions of conjunctions of the fluents of a state.

use crate::layout::Layout;

/// Conditions on fluents, computed from conjunctions that they share.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FluentConditions {
    /// Conjunctions of fluents and of earlier conjunctions.
    pub gates: Box<[Box<[ConditionLiteral]>]>,
    /// The conditions, each as the number of a conjunction.
    pub outputs: Box<[u32]>,
}

/// An input of a conjunction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConditionLiteral {
    /// Where it comes from.
    pub source: LiteralSource,
    /// Whether the source is negated.
    pub inverted: bool,
}

/// Where an input of a conjunction comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiteralSource {
    /// The fluent of this number.
    Fluent(u32),
    /// The conjunction of this number.
    Gate(u32),
}

impl FluentConditions {
    /// Overwrites `holding` with whether each condition holds in a state, given as its
    /// words.
    pub fn evaluate(&self, state: &[u64], holding: &mut Vec<bool>) {
        let mut gates: Vec<bool> = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            let holds = gate.iter().all(|literal| {
                let value = match literal.source {
                    LiteralSource::Fluent(fluent) => Layout::holds(state, fluent as usize),
                    LiteralSource::Gate(gate) => gates[gate as usize],
                };
                value != literal.inverted
            });
            gates.push(holds);
        }
        holding.clear();
        holding.extend(self.outputs.iter().map(|&gate| gates[gate as usize]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Either of two fluents, and both.
    #[test]
    fn conditions_are_conjunctions_of_conjunctions() {
        let literal = |source, inverted| ConditionLiteral { source, inverted };
        let fluent = LiteralSource::Fluent;
        let conditions = FluentConditions {
            gates: [
                [literal(fluent(0), true), literal(fluent(65), true)].into(),
                [literal(LiteralSource::Gate(0), true)].into(),
                [literal(fluent(0), false), literal(fluent(65), false)].into(),
            ]
            .into(),
            outputs: [1, 2].into(),
        };
        let mut holding = Vec::new();
        let mut evaluate = |state: [u64; 2]| {
            conditions.evaluate(&state, &mut holding);
            [holding[0], holding[1]]
        };
        assert_eq!(evaluate([0, 0]), [false, false]);
        assert_eq!(evaluate([0, 2]), [true, false]);
        assert_eq!(evaluate([1, 2]), [true, true]);
    }
}

//! [`GameFactor`]: a part of a game that is a game of its own.

use std::sync::Arc;

use crate::layout::Layout;

/// Some fluents and the moves that change them: no other part of the game depends on them,
/// and they depend on no other part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameFactor {
    /// Its fluents, by the numbers of the bits of states.
    pub fluents: Box<[u32]>,
    /// For every role, its moves that belong to the part.
    pub moves: Box<[Box<[u32]>]>,
    /// What the end of the game and goals need of it.
    pub conditions: FactorConditions,
}

/// Finds the parts of a game when they are first asked for, and knows them from then on; none
/// if there is but one or if they were not found. Fluents that no move changes, and moves that
/// change nothing, are in no part.
pub type FactorFinder = Arc<dyn Fn() -> Arc<[GameFactor]> + Send + Sync>;

/// Conditions on the fluents of a part and on those that no move changes: two states of the
/// part in which the same of them hold are of the same use to the whole game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FactorConditions {
    /// Conjunctions, of fluents and of those before them.
    pub gates: Box<[Box<[FactorLiteral]>]>,
    /// The conditions: conjunctions, by their numbers.
    pub outputs: Box<[u32]>,
}

/// An input of a conjunction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FactorLiteral {
    /// Where it comes from.
    pub source: LiteralSource,
    /// Whether it holds if that does not.
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

impl FactorConditions {
    /// Overwrites `holding` by whether each of the conditions holds in a state, given by its
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
        let literal = |source, inverted| FactorLiteral { source, inverted };
        let fluent = LiteralSource::Fluent;
        let conditions = FactorConditions {
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

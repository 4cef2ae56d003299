//! Approximate goal evaluation: how nearly the conditions of goals are fulfilled.

use std::sync::Arc;

use gdl_runtime::conditions::{ConditionLiteral, LiteralSource};
use gdl_runtime::engine::Role;
use gdl_runtime::goal_conditions::GoalConditions;
use gdl_runtime::layout::Layout;

/// The degree to which a fluent that holds is true; one that does not is as false. Between 0.5
/// and 1, so that a conjunction of which one literal fails is worth more than one of which two
/// do.
const TRUTH: f64 = 0.9;

/// Evaluates goals by fuzzy logic, with the product as conjunction and 1 − x as negation
/// (Schiffel and Thielscher, "Fluxplayer: A Successful General Game Player", 2007).
#[derive(Debug)]
pub(super) struct GoalDegrees {
    goals: Arc<GoalConditions>,
    /// A buffer: the degree of every conjunction.
    degrees: Vec<f64>,
}

impl GoalDegrees {
    pub(super) fn new(goals: Arc<GoalConditions>) -> Self {
        Self {
            goals,
            degrees: Vec::new(),
        }
    }

    /// The mean of a role's goal values, weighted by the degrees to which their conditions are
    /// fulfilled in a state; 0 if none is to any degree.
    pub(super) fn evaluate(&mut self, role: Role, state: &[u64]) -> f32 {
        self.degrees.clear();
        for gate in &self.goals.conditions.gates {
            let degree = gate.iter().map(|literal| self.degree(*literal, state));
            let degree = degree.product();
            self.degrees.push(degree);
        }
        let outputs = self.goals.conditions.outputs.iter();
        let own = outputs.zip(&self.goals.goals);
        let own = own.filter(|(_, (whose, _))| *whose == role);
        let (sum, weights) = own.fold((0.0, 0.0), |(sum, weights), (&gate, &(_, value))| {
            let degree = self.degrees[gate as usize];
            (sum + degree * f64::from(value), weights + degree)
        });
        if weights > 0.0 {
            (sum / weights) as f32
        } else {
            0.0
        }
    }

    fn degree(&self, literal: ConditionLiteral, state: &[u64]) -> f64 {
        let degree = match literal.source {
            LiteralSource::Fluent(fluent) if Layout::holds(state, fluent as usize) => TRUTH,
            LiteralSource::Fluent(_) => 1.0 - TRUTH,
            LiteralSource::Gate(gate) => self.degrees[gate as usize],
        };
        if literal.inverted {
            1.0 - degree
        } else {
            degree
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdl_runtime::conditions::FluentConditions;

    /// The first of two roles has 100 if three fluents hold, and otherwise 0.
    fn three_fluents() -> GoalDegrees {
        let literal = |source, inverted| ConditionLiteral { source, inverted };
        let fluents = [0, 1, 70].map(|fluent| literal(LiteralSource::Fluent(fluent), false));
        let conditions = FluentConditions {
            gates: [
                fluents.into(),
                [literal(LiteralSource::Gate(0), true)].into(),
            ]
            .into(),
            outputs: [0, 1].into(),
        };
        GoalDegrees::new(Arc::new(GoalConditions {
            conditions,
            goals: [(0, 100), (0, 0)].into(),
        }))
    }

    #[test]
    fn the_nearer_the_better() {
        let mut goals = three_fluents();
        let states = [[0, 0], [1, 0], [3, 0], [3, 1 << 6]];
        let values = states.map(|state| goals.evaluate(0, &state));
        let wanted = [0.1_f32.powi(3), 0.009, 0.081, 0.729];
        for (value, wanted) in values.iter().zip(wanted) {
            assert!((value - 100.0 * wanted).abs() < 1e-3, "{values:?}");
        }
        // Nothing is known of the goals of the other role.
        assert_eq!(goals.evaluate(1, &[3, 1 << 6]), 0.0);
    }
}

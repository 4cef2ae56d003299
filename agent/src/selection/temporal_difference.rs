//! TD-UCT: values that learn from the values that follow them.

use super::{Estimate, MoveChoice};
use crate::component::builder::{AgentBuilder, GameContext};
use crate::component::{Component, Parameter, ParameterKind, ParameterValues, Slot};
use crate::credit::Credit;
use crate::tree::SearchTree;
use crate::tree::edge::SolvedStatus;
use crate::tree::node::TreeNodeId;

const GAMMA: Parameter = Parameter {
    name: "gamma",
    meaning: "γ, what remains of a value per move, also of returns; multiplies that of `discount`",
    kind: ParameterKind::Number {
        default: 0.99,
        range: 0.0..=1.0,
    },
};

const LAMBDA: Parameter = Parameter {
    name: "lambda",
    meaning: "λ, what remains of an error per move inside the tree",
    kind: ParameterKind::Number {
        default: 0.8,
        range: 0.0..=1.0,
    },
};

const WEIGHT: Parameter = Parameter {
    name: "weight",
    meaning: "the weight of V(s,a); that of the average return is the rest",
    kind: ParameterKind::Number {
        default: 1.0,
        range: 0.0..=1.0,
    },
};

const SOURCE: &str = "Vodopivec and Šter 2014; Świechowski et al. 2015, section 2.5.2";

/// The component without bootstrapping.
pub const SINGLE_BACKUP: Component = Component {
    name: "td-single",
    slot: Slot::Estimate,
    summary: "V(s,a) in place of Q(s,a): a simulation of return r whose last move inside the tree \
              has the value V, P moves before the end, changes the values D moves before that one \
              by (γλ)^D·(γ^P·r − V)/n",
    source: SOURCE,
    parameters: &[GAMMA, LAMBDA, WEIGHT],
    build: |builder, values, game| add(builder, values, game, Form::SingleBackup),
};

/// The component that weighs returns by their distance only.
pub const WEIGHTED_REWARDS: Component = Component {
    name: "td-weighted",
    slot: Slot::Estimate,
    summary: "V(s,a) in place of Q(s,a): the average of γ^m·r over simulations of return r that \
              made m moves more",
    source: SOURCE,
    parameters: &[GAMMA, WEIGHT],
    build: |builder, values, game| add(builder, values, game, Form::WeightedRewards),
};

/// The component with bootstrapping.
pub const MERGED_BOOTSTRAPPING: Component = Component {
    name: "td-merged",
    slot: Slot::Estimate,
    summary: "V(s,a) in place of Q(s,a), by TD(λ): as td-single, and each value also learns in \
              the same way from every difference γ·V' − V of successive values after it",
    source: SOURCE,
    parameters: &[GAMMA, LAMBDA, WEIGHT],
    build: |builder, values, game| add(builder, values, game, Form::MergedBootstrapping),
};

/// How values learn from what follows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// From the error of the last value on the path.
    SingleBackup,
    /// From the return, by its distance.
    WeightedRewards,
    /// From the errors of all values on the path.
    MergedBootstrapping,
}

fn add(builder: &mut AgentBuilder, values: &ParameterValues, _game: &GameContext<'_>, form: Form) {
    let (gamma, lambda, weight) = match form {
        Form::WeightedRewards => (values.get(0), 0.0, values.get(1)),
        _ => (values.get(0), values.get(1), values.get(2)),
    };
    builder.settings.discount *= gamma;
    builder.estimate(TemporalDifference::new(form, lambda, weight));
}

/// TD-UCT in its three forms (Vodopivec and Šter 2014; section 2.5.2 of the survey of
/// Świechowski et al. 2015).
///
/// Every role has a value V of every move on the path, including those of other roles,
/// which begins at that of a draw. Errors are weighted by 1/n for the n-th simulation along the move, by
/// γ and λ for every move inside the tree and by γ for every move of the playout. With
/// `td-weighted` alone, V is what `discount` makes of averages; its weight mixes the two.
/// Where several simulations end together, the errors are those of their average return.
///
/// Discounting is that of the [backup](crate::backup), so that averages are discounted
/// too.
#[derive(Debug, Clone)]
pub struct TemporalDifference {
    form: Form,
    lambda: f64,
    weight: f32,
}

/// The value of moves never made.
const DRAW: f64 = 50.0;

impl TemporalDifference {
    /// With λ and the weight of values against average returns.
    #[must_use]
    pub fn new(form: Form, lambda: f64, weight: f64) -> Self {
        Self {
            form,
            lambda,
            weight: weight as f32,
        }
    }

    /// The change of the values of a path before their step sizes, from its end to the
    /// root. `values` are theirs before, in the same order; `end` is the return as of
    /// after the last move.
    fn errors(&self, values: &[f64], end: f64, discount: f64) -> Vec<f64> {
        let (mut following, mut total) = (end, 0.0);
        let errors = values.iter().enumerate().map(|(distance, &value)| {
            let error = discount * following - value;
            following = match self.form {
                Form::WeightedRewards => discount * following,
                Form::SingleBackup | Form::MergedBootstrapping => value,
            };
            total = match self.form {
                Form::WeightedRewards => error,
                Form::SingleBackup if distance > 0 => discount * self.lambda * total,
                Form::SingleBackup | Form::MergedBootstrapping => {
                    discount * self.lambda * total + error
                }
            };
            total
        });
        errors.collect()
    }

    /// Lets the values of a role's moves on a path learn.
    fn learn_of_role(&self, tree: &mut SearchTree, credit: &Credit<'_>, role: usize) {
        let steps = credit.path.steps().rev();
        let steps = steps.map(|(node, joint)| (node, joint[role]));
        let values = steps
            .clone()
            .map(|(node, edge)| value(tree, node, role, edge));
        let values: Vec<f64> = values.collect();
        let end = credit.returns[role] / f64::from(credit.simulations);
        let errors = self.errors(&values, end, credit.discount);
        for ((node, edge), error) in steps.zip(errors) {
            let first = tree.span(node, role).start;
            let index = 2 * (edge as usize - first);
            let (_, statistics) = tree.statistics_mut(node, role);
            let count = statistics[index + 1] + credit.simulations as f32;
            let step = credit.simulations as f32 / count;
            statistics[index] += step * error as f32;
            statistics[index + 1] = count;
        }
    }
}

/// The value of a role's edge at a node.
fn value(tree: &SearchTree, node: TreeNodeId, role: usize, edge: u32) -> f64 {
    let index = edge as usize - tree.span(node, role).start;
    DRAW + f64::from(tree.statistics(node, role)[2 * index])
}

impl Estimate for TemporalDifference {
    fn estimate(&self, choice: &MoveChoice<'_>, values: &mut Vec<f32>) {
        let statistics = choice.statistics.chunks_exact(2);
        let edges = choice.edges.iter().zip(statistics);
        values.extend(edges.map(|(edge, statistics)| {
            let mean = edge.mean() as f32;
            match edge.status {
                SolvedStatus::Proven => mean,
                SolvedStatus::Open | SolvedStatus::Pruned => {
                    let value = DRAW as f32 + statistics[0];
                    self.weight * value + (1.0 - self.weight) * mean
                }
            }
        }));
    }

    /// The value less that of a draw, and the number of simulations.
    fn statistics(&self) -> usize {
        2
    }

    fn takes_credit(&self) -> bool {
        true
    }

    fn credit(&mut self, tree: &mut SearchTree, credit: &Credit<'_>) {
        for role in 0..credit.returns.len() {
            self.learn_of_role(tree, credit, role);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, TemporalDifference};

    /// Values from the end of a path, a return of 100, γ = 0.9, λ = 0.5.
    fn errors(form: Form) -> Vec<f64> {
        TemporalDifference::new(form, 0.5, 1.0).errors(&[50.0, 60.0, 40.0], 100.0, 0.9)
    }

    fn assert_close(found: &[f64], expected: [f64; 3]) {
        let near = |(found, expected): (&f64, f64)| (found - expected).abs() < 1e-9;
        assert!(found.iter().zip(expected).all(near), "{found:?}");
    }

    #[test]
    fn the_last_error_goes_back() {
        // 90 − 50, then times 0.45.
        assert_close(&errors(Form::SingleBackup), [40.0, 18.0, 8.1]);
    }

    #[test]
    fn returns_shrink_with_distance() {
        // 90 − 50, 81 − 60, 72.9 − 40.
        assert_close(&errors(Form::WeightedRewards), [40.0, 21.0, 32.9]);
    }

    #[test]
    fn every_error_goes_back() {
        // 90 − 50; 45 − 60 + 0.45·40; 54 − 40 + 0.45·3.
        assert_close(&errors(Form::MergedBootstrapping), [40.0, 3.0, 15.35]);
    }
}

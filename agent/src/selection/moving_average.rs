//! Moving-average return: late simulations count more than early ones.

use super::{Estimate, MoveChoice};
use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::credit::Credit;
use crate::tree::SearchTree;
use crate::tree::edge::SolvedStatus;

/// The component.
pub const COMPONENT: Component = Component {
    name: "moving-average",
    slot: Slot::Estimate,
    summary: "Q(s,a) moves by a step of 1/n towards each return, down to a constant step, so \
              that late simulations, which know more, count more than early ones",
    source: "Gudmundsson and Björnsson 2011; Świechowski et al. 2015, section 2.2.2",
    parameters: &[Parameter {
        name: "step",
        meaning: "the smallest step, as a fraction of the distance to the return; 0: the average",
        kind: ParameterKind::Number {
            default: 0.01,
            range: 0.0..=1.0,
        },
    }],
    build: |builder, values, _| builder.estimate(MovingAverage::new(values.get(0))),
};

/// The moving-average return (Gudmundsson and Björnsson 2011; section 2.2.2 of the survey
/// of Świechowski et al. 2015): Q(s,a) ← Q(s,a) + λ·(r − Q(s,a)), where λ is 1/n for the
/// n-th return of the move and never less than a constant.
///
/// Several returns that come at once are taken as one after the other, each equal to their
/// average. The final move is the one with the highest value of this kind.
#[derive(Debug, Clone, Copy)]
pub struct MovingAverage {
    step: f64,
}

impl MovingAverage {
    /// With the smallest step.
    #[must_use]
    pub fn new(step: f64) -> Self {
        Self { step }
    }

    /// What remains of the distance to the average of `new` returns after them, if there
    /// were `old` ones before.
    fn remainder(&self, old: u32, new: u32) -> f64 {
        let steps = (1..=new).map(|nth| self.step.max(1.0 / f64::from(old + nth)));
        steps.map(|step| 1.0 - step).product()
    }
}

impl Estimate for MovingAverage {
    fn estimate(&self, choice: &MoveChoice<'_>, values: &mut Vec<f32>) {
        let edges = choice.edges.iter().zip(choice.statistics);
        values.extend(edges.map(|(edge, &value)| match edge.status {
            SolvedStatus::Proven => edge.mean() as f32,
            SolvedStatus::Open | SolvedStatus::Pruned => value,
        }));
    }

    fn statistics(&self) -> usize {
        1
    }

    fn takes_credit(&self) -> bool {
        true
    }

    fn credit(&mut self, tree: &mut SearchTree, credit: &Credit<'_>) {
        credit.for_each(|node, joint, means| {
            for (role, (&edge, &mean)) in joint.iter().zip(means).enumerate() {
                let index = edge as usize - tree.span(node, role).start;
                let (edges, statistics) = tree.statistics_mut(node, role);
                let remainder = self.remainder(edges[index].visits, credit.simulations);
                let value = f64::from(statistics[index]);
                statistics[index] = (mean + (value - mean) * remainder) as f32;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::MovingAverage;

    #[test]
    fn the_step_shrinks_down_to_a_constant() {
        let average = MovingAverage::new(0.25);
        // 1/1, 1/2, 1/3, 1/4, then 1/4.
        assert!(average.remainder(0, 1).abs() < 1e-12);
        assert!((average.remainder(1, 2) - 0.5 * 2.0 / 3.0).abs() < 1e-12);
        assert!((average.remainder(3, 3) - 0.75_f64.powi(3)).abs() < 1e-12);
        let plain = MovingAverage::new(0.0);
        // Of 7 returns, the first 4 make up 4/7.
        assert!((plain.remainder(4, 3) - 4.0 / 7.0).abs() < 1e-12);
    }
}

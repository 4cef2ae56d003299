//! RAVE where it helps: only in subtrees where it agrees with the averages.

use super::rave::Rave;
use super::{Estimate, MoveChoice};
use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::episode::Continuations;
use crate::playout::Observed;
use crate::tree::SearchTree;
use crate::tree::edge::SolvedStatus;
use crate::tree::node::TreeNodeId;
use crate::tree::path::SearchPath;
use gdl_runtime::engine::Role;

/// The component.
pub const COMPONENT: Component = Component {
    name: "selective-rave",
    slot: Slot::Estimate,
    summary: "as rave, but only below nodes where R(s,a) and Q(s,a) of well tried moves correlate, \
              and with R(s,a) at most a margin away from Q(s,a)",
    source: "Świechowski et al. 2015, section 2.3.1, where the details are left open",
    parameters: &[
        Parameter {
            name: "k",
            meaning: "the visits of a state at which both averages have equal weight",
            kind: ParameterKind::Number {
                default: 1000.0,
                range: 0.0..=1e9,
            },
        },
        Parameter {
            name: "correlation",
            meaning: "the minimum correlation coefficient",
            kind: ParameterKind::Number {
                default: 0.3,
                range: -1.0..=1.0,
            },
        },
        Parameter {
            name: "tries",
            meaning: "the visits that make a move well tried; a verdict takes three such moves",
            kind: ParameterKind::Number {
                default: 5.0,
                range: 1.0..=1e9,
            },
        },
        Parameter {
            name: "margin",
            meaning: "the maximum distance of R(s,a) from Q(s,a) of a well tried move, in goal \
                      points",
            kind: ParameterKind::Number {
                default: 25.0,
                range: 0.0..=100.0,
            },
        },
    ],
    build: |builder, values, _| {
        builder.estimate(SelectiveRave {
            rave: Rave::new(values.get(0) as f32),
            correlation: values.get(1),
            tries: values.get(2) as u32,
            margin: values.get(3) as f32,
        });
    },
};

/// [RAVE](super::rave) in subtrees in which it has proved right (section 2.3.1 of the
/// survey of Świechowski et al. 2015, which reports the idea without its details).
///
/// The verdict on a node is the correlation of R(s,a) and Q(s,a) over its well tried
/// moves. As long as there are too few of these, or their values do not differ, the
/// verdict on the node before it holds; without any, RAVE is trusted.
///
/// Cost: that of RAVE, and one more pass over the moves of a node for each choice, or over
/// those of several nodes where the first have no verdict.
#[derive(Debug)]
pub struct SelectiveRave {
    rave: Rave,
    correlation: f64,
    tries: u32,
    margin: f32,
}

/// The number of well tried moves that a verdict takes.
const LEAST_MOVES: usize = 3;

impl SelectiveRave {
    /// Whether R(s,a) is trusted at a node.
    fn trusts(&self, choice: &MoveChoice<'_>) -> bool {
        let before = choice.path.iter().rev().copied();
        let mut nodes = std::iter::once(choice.node).chain(before);
        let verdict = nodes.find_map(|node| self.agreement(choice.tree, node, choice.role));
        verdict.is_none_or(|correlation| correlation >= self.correlation)
    }

    /// The correlation of both averages at a node; `None` if too little is known.
    fn agreement(&self, tree: &SearchTree, node: TreeNodeId, role: Role) -> Option<f64> {
        let statistics = tree.statistics(node, role);
        let statistics = statistics.chunks_exact(self.rave.statistics());
        let moves = tree.edges(node, role).iter().zip(statistics);
        let known = moves.filter(|(edge, statistics)| {
            edge.visits >= self.tries && edge.status == SolvedStatus::Open && statistics[1] > 0.0
        });
        let pairs =
            known.map(|(edge, statistics)| (edge.mean(), f64::from(statistics[0] / statistics[1])));
        let pairs: Vec<(f64, f64)> = pairs.collect();
        (pairs.len() >= LEAST_MOVES).then(|| correlation(&pairs))?
    }
}

/// The correlation coefficient of pairs; `None` if one side does not vary.
fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let count = pairs.len() as f64;
    let (x, y) = pairs
        .iter()
        .fold((0.0, 0.0), |(x, y), pair| (x + pair.0, y + pair.1));
    let (x, y) = (x / count, y / count);
    let product = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
    let both = product(&|pair| (pair.0 - x) * (pair.1 - y));
    let spread = product(&|pair| (pair.0 - x).powi(2)) * product(&|pair| (pair.1 - y).powi(2));
    (spread > 1e-9).then(|| both / spread.sqrt())
}

impl Estimate for SelectiveRave {
    fn estimate(&self, choice: &MoveChoice<'_>, values: &mut Vec<f32>) {
        if !self.trusts(choice) {
            values.extend(choice.edges.iter().map(|edge| edge.mean() as f32));
            return;
        }
        let first = values.len();
        self.rave.estimate(choice, values);
        let share = self.rave.weight(choice.visits);
        for (value, edge) in values[first..].iter_mut().zip(choice.edges) {
            if edge.visits >= self.tries {
                let (mean, furthest) = (edge.mean() as f32, share * self.margin);
                *value = value.clamp(mean - furthest, mean + furthest);
            }
        }
    }

    fn statistics(&self) -> usize {
        self.rave.statistics()
    }

    fn observes(&self) -> Observed {
        self.rave.observes()
    }

    fn learn(
        &mut self,
        tree: &mut SearchTree,
        path: &SearchPath,
        inside: &[u32],
        continuations: &Continuations,
    ) {
        self.rave.learn(tree, path, inside, continuations);
    }
}

#[cfg(test)]
mod tests {
    use super::correlation;

    #[test]
    fn coefficients() {
        let close = |found: Option<f64>, expected: f64| {
            assert!(
                found.is_some_and(|found| (found - expected).abs() < 1e-9),
                "{found:?}"
            );
        };
        close(correlation(&[(1.0, 10.0), (2.0, 20.0), (4.0, 40.0)]), 1.0);
        close(correlation(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]), -1.0);
        close(correlation(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]), 0.0);
        assert_eq!(correlation(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]), None);
    }
}

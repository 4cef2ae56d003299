//! Exp3: every role plays against an adversary.

use std::f64::consts::E;

use gdl_runtime::engine::Role;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Encounter, SimultaneousRule, average_strategy, draw, explore, normalise};
use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::tree::SearchTree;
use crate::tree::node::TreeNodeId;

/// The component.
pub const COMPONENT: Component = Component {
    name: "exp3",
    slot: Slot::Simultaneous,
    summary: "where several roles choose, each draws a move by (1−γ)·exp(γ·X(a)/K)/Σ + γ/K, where \
              X(a) sums returns divided by the probability of the move; the final move is drawn \
              from the average of these strategies without γ/K",
    source: "Auer et al. 2002; Tak, Lanctot and Winands 2014; Świechowski et al. 2015, section 2.4",
    parameters: &[Parameter {
        name: "gamma",
        meaning: "γ, the share of moves drawn evenly; 0: sqrt(K·ln K/((e−1)·N(s))), at most 1",
        kind: ParameterKind::Number {
            default: 0.0,
            range: 0.0..=1.0,
        },
    }],
    build: |builder, values, _| builder.simultaneous(Exp3::new(values.get(0))),
};

/// The exponential-weight algorithm for exploration and exploitation (Auer, Cesa-Bianchi,
/// Freund and Schapire 2002, for trees Tak, Lanctot and Winands 2014; section 2.4 of the
/// survey of Świechowski et al. 2015).
///
/// Every role keeps for each of its K moves the estimate X(a) of what it would have
/// returned if it had always been made: the sum of returns, as a fraction of 100 points,
/// each divided by the probability with which the move was drawn. Between two players
/// whose goals add up to a constant, the average strategies approach an equilibrium. The strategies
/// are averaged without their uniform part, which is exploration.
///
/// By default γ shrinks with the visits of the node: the value that bounds the regret of
/// that many simulations. With a constant γ the average keeps an error of that size.
/// Where several simulations are in flight, the probabilities are those at the time when
/// they end.
///
/// Cost: an exponential for every move of each role, twice per simulation and node where
/// several roles choose; nothing elsewhere.
#[derive(Debug, Clone, Copy)]
pub struct Exp3 {
    gamma: f64,
}

/// X(a), less that of the best move, and the sum of the strategies.
const STATISTICS: usize = 2;

/// The lowest X(a), relative to that of the best move: sums stay exact enough, and such a
/// move is drawn for exploration only.
const LOWEST: f32 = -1e6;

/// The highest return.
const MOST: f64 = 100.0;

impl Exp3 {
    /// With this γ; 0 lets it shrink with the visits.
    #[must_use]
    pub fn new(gamma: f64) -> Self {
        Self { gamma }
    }

    /// γ at a node with this many visits, for a role with this many moves.
    fn exploration(self, visits: u32, moves: usize) -> f64 {
        let moves = moves as f64;
        match self.gamma {
            0.0 => {
                let trials = f64::from(visits) + 1.0;
                (moves * moves.ln() / ((E - 1.0) * trials)).sqrt().min(1.0)
            }
            gamma => gamma,
        }
    }

    /// A role's strategy at a node without its even part, and γ.
    fn strategy(self, tree: &SearchTree, node: TreeNodeId, role: Role) -> (Vec<f64>, f64) {
        let edges = tree.strategies(node, role).chunks_exact(STATISTICS);
        let gamma = self.exploration(tree.visits(node), edges.len());
        let rate = gamma / edges.len() as f64;
        let mut strategy: Vec<f64> = edges
            .map(|edge| (rate * f64::from(edge[0])).exp())
            .collect();
        normalise(&mut strategy);
        (strategy, gamma)
    }
}

impl SimultaneousRule for Exp3 {
    fn statistics(&self) -> usize {
        STATISTICS
    }

    fn choose(
        &mut self,
        tree: &mut SearchTree,
        at: Encounter,
        joint: &mut [u32],
        random: &mut Xoshiro256PlusPlus,
    ) {
        for (role, edge) in joint.iter_mut().enumerate() {
            if tree.span(at.node, role).len() > 1 {
                let (mut strategy, gamma) = (*self).strategy(tree, at.node, role);
                explore(&mut strategy, gamma);
                *edge += draw(&strategy, random) as u32;
            }
        }
    }

    fn credit(&mut self, tree: &mut SearchTree, at: Encounter, joint: &[u32], means: &[f64]) {
        let simulations = f64::from(at.simulations);
        for (role, (&edge, mean)) in joint.iter().zip(means).enumerate() {
            let span = tree.span(at.node, role);
            if span.len() < 2 {
                continue;
            }
            let made = edge as usize - span.start;
            let (mut strategy, gamma) = (*self).strategy(tree, at.node, role);
            let edges = tree.strategies_mut(at.node, role);
            for (edge, probability) in edges.chunks_exact_mut(STATISTICS).zip(&strategy) {
                edge[1] += (simulations * probability) as f32;
            }
            explore(&mut strategy, gamma);
            edges[made * STATISTICS] += (simulations * mean / MOST / strategy[made]) as f32;
            let values = || edges.iter().copied().step_by(STATISTICS);
            let best = values().fold(f32::NEG_INFINITY, f32::max);
            for edge in edges.chunks_exact_mut(STATISTICS) {
                edge[0] = (edge[0] - best).max(LOWEST);
            }
        }
    }

    fn strategy(&self, tree: &SearchTree, node: TreeNodeId, role: Role) -> Option<Vec<f64>> {
        average_strategy(tree.strategies(node, role), STATISTICS)
    }
}

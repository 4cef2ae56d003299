//! Regret matching: moves in proportion to how much their absence is regretted.

use gdl_runtime::engine::Role;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Encounter, SimultaneousRule, average_strategy, draw, explore, normalise};
use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::tree::SearchTree;
use crate::tree::node::TreeNodeId;

/// The component.
pub const COMPONENT: Component = Component {
    name: "regret-matching",
    slot: Slot::Simultaneous,
    summary: "where several roles choose, each draws a move in proportion to its positive regret, \
              how much more it would have returned than the move made instead, against the same \
              moves of the others; the final move is drawn from the average of these strategies",
    source: "Hart and Mas-Colell 2000; Lanctot, Lisý and Winands 2014; Świechowski et al. 2015, \
             section 2.4",
    parameters: &[Parameter {
        name: "gamma",
        meaning: "γ, the share of moves drawn evenly",
        kind: ParameterKind::Number {
            default: 0.1,
            range: 0.0..=1.0,
        },
    }],
    build: |builder, values, _| builder.simultaneous(RegretMatching::new(values.get(0))),
};

/// Regret matching (Hart and Mas-Colell 2000, for trees Lanctot, Lisý and Winands 2014;
/// section 2.4 of the survey of Świechowski et al. 2015).
///
/// The average returns of all joint moves form the payoff matrix of the game at a node. After each
/// simulation, the regret of a move grows by its average return against the moves that the others
/// made, less what was returned. Joint moves that were never made contribute no regret. Between two
/// players whose goals add up to a constant, the average strategies approach an equilibrium, up to
/// an error on the order of γ.
///
/// Cost: for every simulation and node where several roles choose, a lookup in a hash
/// table for each move of each role, and memory for each joint move that was made; nothing
/// elsewhere.
#[derive(Debug, Clone, Copy)]
pub struct RegretMatching {
    gamma: f64,
}

/// The regret, and the sum of the strategies.
const STATISTICS: usize = 2;

impl RegretMatching {
    /// With this γ.
    #[must_use]
    pub fn new(gamma: f64) -> Self {
        Self { gamma }
    }
}

/// A role's strategy at a node, without exploration.
fn strategy(tree: &SearchTree, node: TreeNodeId, role: Role) -> Vec<f64> {
    let edges = tree.strategies(node, role).chunks_exact(STATISTICS);
    let mut strategy: Vec<f64> = edges.map(|edge| f64::from(edge[0].max(0.0))).collect();
    normalise(&mut strategy);
    strategy
}

/// What a role's moves would have returned on average against the moves of the others in
/// `joint`; `returned` for the one in it and for those never made against these.
fn alternatives(
    tree: &SearchTree,
    node: TreeNodeId,
    role: Role,
    joint: &[u32],
    returned: f64,
) -> Vec<f64> {
    let mut other = joint.to_vec();
    let edges = tree.span(node, role);
    edges
        .map(|edge| {
            other[role] = edge as u32;
            match tree.cell(node, &other) {
                Some(cell) if other[role] != joint[role] => cell.means[role],
                _ => returned,
            }
        })
        .collect()
}

impl SimultaneousRule for RegretMatching {
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
                let mut strategy = strategy(tree, at.node, role);
                explore(&mut strategy, self.gamma);
                *edge += draw(&strategy, random) as u32;
            }
        }
    }

    fn credit(&mut self, tree: &mut SearchTree, at: Encounter, joint: &[u32], means: &[f64]) {
        let simulations = f64::from(at.simulations);
        for (role, &returned) in means.iter().enumerate() {
            if tree.span(at.node, role).len() < 2 {
                continue;
            }
            let strategy = strategy(tree, at.node, role);
            let values = alternatives(tree, at.node, role, joint, returned);
            let edges = tree.strategies_mut(at.node, role);
            let edges = edges.chunks_exact_mut(STATISTICS);
            for (edge, (value, probability)) in edges.zip(values.iter().zip(strategy)) {
                edge[0] += (simulations * (value - returned)) as f32;
                edge[1] += (simulations * probability) as f32;
            }
        }
        if let Some(cell) = tree.cell_mut(at.node, joint) {
            cell.credit(at.simulations, means);
        }
    }

    fn strategy(&self, tree: &SearchTree, node: TreeNodeId, role: Role) -> Option<Vec<f64>> {
        average_strategy(tree.strategies(node, role), STATISTICS)
    }
}

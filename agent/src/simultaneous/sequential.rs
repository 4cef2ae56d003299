//! Sequential UCT: simultaneous moves are made one after the other.

use gdl_runtime::engine::Role;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Encounter, SimultaneousRule};
use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::selection::highest::pick_highest;
use crate::tree::SearchTree;
use crate::tree::joint::UNCHOSEN;
use crate::tree::node::TreeNodeId;

/// The component.
pub const COMPONENT: Component = Component {
    name: "suct",
    slot: Slot::Simultaneous,
    summary: "where several roles choose, they do so by UCT one after the other, each knowing the \
              moves of those before it; the role that the search is for comes first, so that it \
              looks for the move that is best against the best replies",
    source: "Tak, Lanctot and Winands 2014; Świechowski et al. 2015, section 2.4",
    parameters: &[Parameter {
        name: "c",
        meaning: "C, the weight of exploration, in goal points",
        kind: ParameterKind::Number {
            default: 40.0,
            range: 0.0..=10_000.0,
        },
    }],
    build: |builder, values, _| builder.simultaneous(SequentialUct::new(values.get(0))),
};

/// Sequential UCT (Tak, Lanctot and Winands 2014; section 2.4 of the survey of Świechowski
/// et al. 2015): a node with simultaneous moves is treated as if they were made in turn,
/// with statistics of every part of a joint move.
///
/// It knows no mixed strategies: its value of a move is what the best reply leaves, so
/// that it finds the best pure move against an opponent who sees it. That is an
/// equilibrium only where there is one in pure strategies.
///
/// Cost: for every simulation and node where several roles choose, a lookup in a hash
/// table for each move of each role, and memory for each part of a joint move that was
/// made; nothing elsewhere.
#[derive(Debug, Clone, Copy)]
pub struct SequentialUct {
    exploration: f64,
}

impl SequentialUct {
    /// With this C, in goal points.
    #[must_use]
    pub fn new(exploration: f64) -> Self {
        Self { exploration }
    }

    /// The edge of a role with the highest UCT value, untried ones first, after what
    /// others have chosen in `part`.
    fn pick(
        self,
        tree: &SearchTree,
        node: TreeNodeId,
        role: Role,
        part: &mut [u32],
        random: &mut Xoshiro256PlusPlus,
    ) -> u32 {
        let mut moves = Vec::new();
        for edge in tree.span(node, role) {
            part[role] = edge as u32;
            let cell = tree.cell(node, part);
            moves.push(cell.map_or((0, 0.0), |cell| (cell.tries, cell.means[role])));
        }
        let all: f64 = moves.iter().map(|&(tries, _)| f64::from(tries)).sum();
        let spread = self.exploration * all.max(1.0).ln().sqrt();
        // Without room, what is new could not be counted, and would be tried again and again.
        let only_known = all > 0.0 && !tree.has_room();
        let values = moves.iter().map(|&(tries, mean)| match tries {
            0 if only_known => f32::NEG_INFINITY,
            0 => f32::INFINITY,
            tries => (mean + spread / f64::from(tries).sqrt()) as f32,
        });
        let values: Vec<f32> = values.collect();
        tree.span(node, role).start as u32 + pick_highest(&values, 0.0, random) as u32
    }
}

/// Calls `visit` for every prefix of a joint move, starting with the first role's choice.
fn for_each_prefix(at: Encounter, joint: &[u32], mut visit: impl FnMut(&[u32])) {
    let mut part = vec![UNCHOSEN; joint.len()];
    for role in order(at.role, joint.len()) {
        part[role] = joint[role];
        visit(&part);
    }
}

/// The order in which roles choose.
fn order(first: Role, roles: usize) -> impl Iterator<Item = Role> {
    std::iter::once(first).chain((0..roles).filter(move |&role| role != first))
}

impl SimultaneousRule for SequentialUct {
    fn choose(
        &mut self,
        tree: &mut SearchTree,
        at: Encounter,
        joint: &mut [u32],
        random: &mut Xoshiro256PlusPlus,
    ) {
        let mut part = vec![UNCHOSEN; joint.len()];
        for role in order(at.role, joint.len()) {
            part[role] = self.pick(tree, at.node, role, &mut part, random);
            if let Some(cell) = tree.cell_mut(at.node, &part) {
                cell.tries += at.simulations;
            }
        }
        joint.copy_from_slice(&part);
    }

    fn credit(&mut self, tree: &mut SearchTree, at: Encounter, joint: &[u32], means: &[f64]) {
        for_each_prefix(at, joint, |part| {
            if let Some(cell) = tree.cell_mut(at.node, part) {
                cell.credit(at.simulations, means);
            }
        });
    }

    fn abandon(&mut self, tree: &mut SearchTree, at: Encounter, joint: &[u32]) {
        for_each_prefix(at, joint, |part| {
            if let Some(cell) = tree.cell_mut(at.node, part) {
                cell.tries = cell.tries.saturating_sub(at.simulations);
            }
        });
    }
}

//! GRAVE: moves are rated by simulations that made them later, as seen from further up.

use std::collections::HashMap;

use gdl_runtime::engine::{Move, NO_CHOICE, Role};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::{Estimate, MoveChoice, UNKNOWN};
use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::episode::Continuations;
use crate::playout::Observed;
use crate::tree::SearchTree;
use crate::tree::edge::{MoveEdge, SolvedStatus};
use crate::tree::path::SearchPath;

/// The component.
pub const COMPONENT: Component = Component {
    name: "grave",
    slot: Slot::Estimate,
    summary: "β·A(a) + (1−β)·Q(s,a) in place of Q(s,a), where A(a) is the average return of the m \
              simulations in which the role made the move at the last node on the way with enough \
              of them, or later; β = m/(m + n + bias·m·n); untried moves compete by A(a), so that \
              c=0 of uct is as published",
    source: "Cazenave 2015",
    parameters: &[
        Parameter {
            name: "ref",
            meaning: "the simulations that a node needs to be referred to",
            kind: ParameterKind::Number {
                default: 50.0,
                range: 1.0..=1e9,
            },
        },
        Parameter {
            name: "bias",
            meaning: "how soon the averages of moves at the node itself prevail",
            kind: ParameterKind::Number {
                default: 1e-5,
                range: 0.0..=1e3,
            },
        },
    ],
    build: |builder, values, _| {
        builder.estimate(Grave::new(values.get(0) as u32, values.get(1)));
    },
};

/// Generalised rapid action value estimation (Cazenave 2015).
///
/// Near the leaves, where RAVE knows next to nothing, the statistics of the closest node
/// before that has enough simulations are used. Each role is credited with its own moves
/// only, and each move once per simulation. Moves of which nothing is known come first.
///
/// A node begins to collect statistics once it has as many visits as a reference needs, and becomes
/// one when it has as many simulations again; the root collects at once, and is the reference as
/// long as there is no other. This keeps the number of tables small: each has all moves that were
/// made below its node.
///
/// Cost: for every simulation, an entry of a hash table for each different move in it, at
/// every node on its path that collects. The tables count towards the memory of the tree. They
/// are dropped when they take what the tree leaves, which counts as no less than an eighth of it
/// and no more than a half.
#[derive(Debug)]
pub struct Grave {
    reference: u32,
    bias: f64,
    /// By state, since nodes are renumbered.
    tables: HashMap<Box<[u64]>, AmafTable, FxBuildHasher>,
    /// The size of the tables in bytes.
    bytes: usize,
    /// The moves of a simulation from some node on, each once.
    made: Vec<(Role, u32)>,
    seen: FxHashSet<(Role, u32)>,
}

/// What followed a node: for each move the average return of the simulations that made it
/// there or later.
#[derive(Debug, Default)]
struct AmafTable {
    simulations: u32,
    moves: HashMap<(Role, u32), AmafAverage, FxBuildHasher>,
}

#[derive(Debug, Clone, Copy, Default)]
struct AmafAverage {
    sum: f64,
    count: f64,
}

/// The number of tables beyond which all are dropped.
const MOST_TABLES: usize = 1 << 14;

/// The sizes in bytes of the entries of a table, without its state and with the room that is left
/// beside it, and of a move in hash tables.
const TABLE_BYTES: usize = 2 * size_of::<(Box<[u64]>, AmafTable)>();
const MOVE_BYTES: usize = size_of::<((Role, u32), AmafAverage)>() + 1;

impl Grave {
    /// With the number of simulations of a reference, and the bias.
    #[must_use]
    pub fn new(reference: u32, bias: f64) -> Self {
        Self {
            reference,
            bias,
            tables: HashMap::default(),
            bytes: 0,
            made: Vec::new(),
            seen: FxHashSet::default(),
        }
    }

    /// The table of the closest node with enough simulations, or that of the root.
    fn reference(&self, choice: &MoveChoice<'_>) -> Option<&AmafTable> {
        let before = choice.path.iter().rev().copied();
        let nodes = std::iter::once(choice.node).chain(before);
        let mut tables = nodes.map(|node| self.tables.get(choice.tree.state(node)));
        let root = choice.path.first().copied().unwrap_or(choice.node);
        tables
            .find_map(|table| table.filter(|table| table.simulations >= self.reference))
            .or_else(|| self.tables.get(choice.tree.state(root)))
    }

    fn value(&self, edge: &MoveEdge, tries: u32, amaf: AmafAverage) -> f32 {
        let (mean, visits) = (edge.mean(), f64::from(edge.visits));
        let share = amaf.count / (amaf.count + visits + self.bias * amaf.count * visits);
        match (edge.status, amaf.count > 0.0) {
            (SolvedStatus::Open, false) if tries == 0 => UNKNOWN,
            (SolvedStatus::Open, true) => {
                (share * amaf.sum / amaf.count + (1.0 - share) * mean) as f32
            }
            _ => mean as f32,
        }
    }

    /// Drops all tables if they are too many or take too much memory.
    fn make_room(&mut self, tree: &SearchTree) {
        let limit = tree.limit();
        let left = (limit + self.bytes).saturating_sub(tree.bytes());
        let room = left.clamp(limit / 8, limit / 2);
        if self.tables.len() > MOST_TABLES || self.bytes > room {
            self.tables.clear();
            self.bytes = 0;
        }
    }

    /// Counts simulations with these goals that made the same moves from a state on.
    fn count(&mut self, state: &[u64], simulations: u32, goals: &[i32]) {
        let bytes = &mut self.bytes;
        let table = self.tables.entry(state.into()).or_insert_with(|| {
            *bytes += TABLE_BYTES + size_of_val(state);
            AmafTable::default()
        });
        let before = table.bytes();
        table.count(simulations, goals, &self.made);
        self.bytes += table.bytes() - before;
    }

    /// Adds the moves of some steps to those made, each once.
    fn make(&mut self, moves: &[u32], roles: usize) {
        for joint in moves.chunks_exact(roles) {
            let chosen = joint.iter().enumerate().filter(|(_, mv)| **mv != NO_CHOICE);
            for (role, &mv) in chosen {
                if self.seen.insert((role, mv)) {
                    self.made.push((role, mv));
                }
            }
        }
    }
}

impl AmafTable {
    /// The size of the moves in bytes.
    fn bytes(&self) -> usize {
        self.moves.capacity() * MOVE_BYTES
    }

    /// Counts simulations with these goals that made the same moves.
    fn count(&mut self, simulations: u32, goals: &[i32], made: &[(Role, u32)]) {
        self.simulations = self.simulations.saturating_add(simulations);
        let simulations = f64::from(simulations);
        for &(role, mv) in made {
            let average = self.moves.entry((role, mv)).or_default();
            average.sum += simulations * f64::from(goals[role]);
            average.count += simulations;
        }
    }

    fn average(&self, role: Role, Move(mv): Move) -> AmafAverage {
        self.moves.get(&(role, mv)).copied().unwrap_or_default()
    }
}

impl Estimate for Grave {
    fn estimate(&self, choice: &MoveChoice<'_>, values: &mut Vec<f32>) {
        let table = self.reference(choice);
        let amaf = |mv| table.map(|table| table.average(choice.role, mv));
        let edges = choice.edges.iter().zip(choice.scores);
        values.extend(
            edges.map(|(edge, score)| {
                self.value(edge, score.tries, amaf(edge.mv).unwrap_or_default())
            }),
        );
    }

    fn rates_untried(&self) -> bool {
        true
    }

    fn observes(&self) -> Observed {
        Observed::Moves
    }

    /// Goes from the end of the path to the root, so that the moves from each node on are
    /// those from the next one on and some more.
    fn learn(
        &mut self,
        tree: &mut SearchTree,
        path: &SearchPath,
        inside: &[u32],
        continuations: &Continuations,
    ) {
        self.make_room(tree);
        let nodes = path.nodes();
        for (simulations, goals, sequel) in continuations.iter() {
            self.made.clear();
            self.seen.clear();
            self.make(sequel, goals.len());
            let joints = inside.chunks_exact(goals.len());
            for (step, (&node, joint)) in nodes.iter().zip(joints).enumerate().rev() {
                self.make(joint, goals.len());
                if step == 0 || tree.visits(node) >= self.reference {
                    self.count(tree.state(node), simulations, goals);
                }
            }
        }
        tree.count_kept_aside(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_count_towards_the_memory_and_make_room() {
        const MEMORY: usize = 1 << 20;
        let mut tree = SearchTree::new(1, MEMORY, 0);
        let (root, _) = tree.insert(&[0]).expect("there is room");
        let mut path = SearchPath::new(1);
        path.push(root, &[0]);
        let mut grave = Grave::new(1, 0.0);
        let (mut most, mut drops) = (0, 0);
        for round in 0..MEMORY as u32 / 64 {
            let mut continuations = Continuations::default();
            continuations.push(1, &[50], &[2 * round]);
            let before = grave.bytes;
            grave.learn(&mut tree, &path, &[2 * round + 1], &continuations);
            drops += u32::from(grave.bytes < before);
            most = most.max(grave.bytes);
            assert!(tree.bytes() >= grave.bytes);
        }
        assert!(
            drops > 0 && most > MEMORY / 8,
            "{drops} drops, {most} bytes"
        );
    }
}

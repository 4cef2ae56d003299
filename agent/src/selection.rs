//! How a role leaves a node: which of its moves a simulation tries next.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use runtime::engine::Role;

use crate::edge::{Edge, Score, Standing};
use crate::tree::NodeId;

/// What a role knows where it has to choose.
#[derive(Debug, Clone, Copy)]
pub struct Choice<'a> {
    /// The node, for selections that keep figures of their own.
    pub node: NodeId,
    /// Who chooses.
    pub role: Role,
    /// Whether this is the state to move from, where only what is learned
    /// counts: moves whose value is proven need no more simulations.
    pub at_root: bool,
    /// Whether no other role has a choice here.
    pub alone: bool,
    /// Simulations through the node, those in flight included.
    pub visits: u32,
    /// The role's moves: at least two.
    pub edges: &'a [Edge],
    /// What there is to read of them, in the same order.
    pub scores: &'a [Score],
}

/// A rule that picks a move for one role. Every role of a node is asked by
/// itself, which for simultaneous moves is decoupled UCT.
pub trait Selection: Send {
    /// The position of the picked move in `choice.edges`.
    fn choose(&mut self, choice: &Choice<'_>, random: &mut Xoshiro256PlusPlus) -> usize;
}

/// UCT: the highest Q(s,a) + C·sqrt(ln N(s) / N(s,a)), moves never tried
/// first, ties at random (Kocsis and Szepesvári 2006; constants of Finnsson and
/// Björnsson 2008).
///
/// Where several roles choose at once, values that differ by less than a point
/// count as ties: without chance the roles would go through their moves in
/// step, never meet some combinations, and believe averages that come from the
/// rhythm alone.
///
/// Simulations in flight count as visits but not in the average, so that
/// concurrent descents spread without believing in losses that never happened
/// (Liu et al., "Watch the Unobserved", 2020).
#[derive(Debug, Clone, Copy)]
pub struct Uct {
    /// C, on goals from 0 to 100.
    pub exploration: f32,
}

/// Goal points within which simultaneous moves count as equally good.
const TOLERANCE: f32 = 1.0;

impl Default for Uct {
    fn default() -> Self {
        Self { exploration: 40.0 }
    }
}

impl Selection for Uct {
    fn choose(&mut self, choice: &Choice<'_>, random: &mut Xoshiro256PlusPlus) -> usize {
        let weight = self.exploration * (choice.visits.max(1) as f32).ln().sqrt();
        let weight = weight.max(f32::MIN_POSITIVE);
        let tolerance = if choice.alone { 0.0 } else { TOLERANCE };
        let value = |score: &Score| score.mean + weight * score.spread;
        if !choice.at_root {
            return pick_highest(choice.scores.iter().map(value), tolerance, random);
        }
        let pairs = choice.scores.iter().zip(choice.edges);
        let values = pairs.map(|(score, edge)| match edge.standing {
            Standing::Proven => f32::NEG_INFINITY,
            Standing::Open | Standing::Pruned => value(score),
        });
        pick_highest(values, tolerance, random)
    }
}

/// The position of the highest value; among those at most `tolerance` below it,
/// each equally likely.
fn pick_highest(
    values: impl Iterator<Item = f32> + Clone,
    tolerance: f32,
    random: &mut Xoshiro256PlusPlus,
) -> usize {
    let mut highest = f32::NEG_INFINITY;
    for value in values.clone() {
        highest = if value > highest { value } else { highest };
    }
    let least = highest - tolerance;
    let (mut ties, mut first) = (0, 0);
    for (index, value) in values.clone().enumerate() {
        if value >= least {
            first = if ties == 0 { index } else { first };
            ties += 1;
        }
    }
    if ties < 2 {
        return first;
    }
    let tied = values.enumerate().filter(|&(_, value)| value >= least);
    let chosen = tied
        .map(|(index, _)| index)
        .nth(random.random_range(0..ties));
    chosen.unwrap_or(first)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::tree::Tree;
    use rand::SeedableRng;
    use runtime::engine::Move;

    /// A node with moves of these visits and average returns.
    struct Node {
        tree: Tree,
        id: NodeId,
        at_root: bool,
        alone: bool,
    }

    impl Node {
        fn new(moves: &[(u32, f64)]) -> Self {
            let mut tree = Tree::new(1, 1 << 20);
            let (id, _) = tree.insert(&[0]).unwrap();
            tree.expand(id, &[(0..moves.len() as u32).map(Move).collect()]);
            for (edge, &(visits, mean)) in moves.iter().enumerate() {
                for _ in 0..visits {
                    tree.add_pending(id, &[edge as u32], 1);
                    tree.credit(id, &[edge as u32], 1, &[mean]);
                }
            }
            Self {
                tree,
                id,
                at_root: false,
                alone: true,
            }
        }

        /// How often each move is chosen in a thousand times.
        fn counts(&self) -> Vec<u32> {
            let choice = Choice {
                node: self.id,
                role: 0,
                at_root: self.at_root,
                alone: self.alone,
                visits: self.tree.started(self.id),
                edges: self.tree.edges(self.id, 0),
                scores: self.tree.scores(self.id, 0),
            };
            let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
            let mut counts = vec![0; choice.edges.len()];
            for _ in 0..1000 {
                counts[Uct::default().choose(&choice, &mut random)] += 1;
            }
            counts
        }
    }

    #[test]
    fn the_formula() {
        // 60 + 40·sqrt(ln 110 / 100) = 68.67; 50 + 40·sqrt(ln 110 / 10) = 77.42.
        assert_eq!(Node::new(&[(100, 60.0), (10, 50.0)]).counts(), [0, 1000]);
        // 60 + 40·sqrt(ln 140 / 100) = 68.89; 50 + 40·sqrt(ln 140 / 40) = 64.06.
        assert_eq!(Node::new(&[(100, 60.0), (40, 50.0)]).counts(), [1000, 0]);
    }

    #[test]
    fn untried_moves_come_first_and_equally_often() {
        let counts = Node::new(&[(5, 100.0), (0, 0.0), (0, 0.0), (1, 100.0)]).counts();
        assert_eq!(counts[0] + counts[3], 0);
        assert!((430..570).contains(&counts[1]), "{counts:?}");
    }

    #[test]
    fn simulations_in_flight_widen_the_search_without_a_loss() {
        let mut node = Node::new(&[(50, 55.0), (50, 50.0)]);
        assert_eq!(node.counts(), [1000, 0]);
        for _ in 0..100 {
            node.tree.add_pending(node.id, &[0], 1);
        }
        assert_eq!(node.counts(), [0, 1000]);
        assert!((node.tree.edges(node.id, 0)[0].mean() - 55.0).abs() < 1e-9);
    }

    #[test]
    fn proven_moves() {
        let mut node = Node::new(&[(50, 90.0), (50, 50.0), (5, 80.0)]);
        node.tree.mark(0, Standing::Proven, 90);
        node.tree.mark(2, Standing::Pruned, 0);
        assert_eq!(node.counts(), [1000, 0, 0]);
        node.at_root = true;
        assert_eq!(node.counts(), [0, 1000, 0]);
    }

    #[test]
    fn simultaneous_moves_have_wider_ties() {
        let mut node = Node::new(&[(50, 50.0), (50, 50.6), (50, 40.0)]);
        assert_eq!(node.counts(), [0, 1000, 0]);
        node.alone = false;
        let counts = node.counts();
        assert!((430..570).contains(&counts[0]), "{counts:?}");
        assert_eq!(counts[2], 0);
    }
}

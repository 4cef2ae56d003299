//! How a role leaves a node: which of its moves a simulation tries next.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use runtime::engine::Role;

use crate::tree::{Edge, NodeId, Standing};

/// What a role knows where it has to choose.
#[derive(Debug, Clone, Copy)]
pub struct Choice<'a> {
    /// The node, for selections that keep figures of their own.
    pub node: NodeId,
    /// Who chooses.
    pub role: Role,
    /// Simulations through the node, those in flight included.
    pub visits: u32,
    /// The role's moves: never empty.
    pub edges: &'a [Edge],
}

/// A rule that picks a move for one role. Every role of a node is asked by
/// itself, which for simultaneous moves is decoupled UCT.
pub trait Selection: Send {
    /// The position of the picked move in `choice.edges`.
    fn choose(&mut self, choice: &Choice<'_>, random: &mut Xoshiro256PlusPlus) -> usize;
}

/// UCT: the highest Q(s,a) + C·sqrt(ln N(s) / N(s,a)), moves never tried
/// first, ties at random (Kocsis and Szepesvári 2006; constants of Finnsson and
/// Björnsson 2008). Without chance in ties, roles that move at once would go
/// through their moves in step and never meet some combinations.
///
/// Simulations in flight count as visits but not in the average, so that
/// concurrent descents spread without believing in losses that never happened
/// (Liu et al., "Watch the Unobserved", 2020).
#[derive(Debug, Clone, Copy)]
pub struct Uct {
    /// C, on goals from 0 to 100.
    pub exploration: f64,
}

impl Default for Uct {
    fn default() -> Self {
        Self { exploration: 40.0 }
    }
}

impl Selection for Uct {
    fn choose(&mut self, choice: &Choice<'_>, random: &mut Xoshiro256PlusPlus) -> usize {
        if choice.edges.len() == 1 {
            return 0;
        }
        let log = f64::from(choice.visits.max(1)).ln();
        let mut best = (0, f64::NEG_INFINITY);
        let mut ties = 1u32;
        for (index, edge) in choice.edges.iter().enumerate() {
            if edge.standing == Standing::Pruned {
                continue;
            }
            let value = match edge.visits + u32::from(edge.pending) {
                0 => f64::INFINITY,
                tries => edge.mean() + self.exploration * (log / f64::from(tries)).sqrt(),
            };
            if value > best.1 {
                best = (index, value);
                ties = 1;
            } else if value == best.1 {
                // Each of n equal moves ends up chosen with probability 1/n.
                ties += 1;
                if random.random_range(0..ties) == 0 {
                    best.0 = index;
                }
            }
        }
        best.0
    }
}

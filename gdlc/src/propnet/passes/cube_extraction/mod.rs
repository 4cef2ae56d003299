//! Gives each pair of operands that occurs in several conjunctions a gate of its
//! own, the most frequent pair first.
//!
//! This is the single-cube extraction of multi-level logic synthesis (Brayton
//! and McMullen, "The decomposition and factorization of Boolean expressions",
//! 1982), on propnets in which a disjunction is an inverted conjunction, so that one
//! procedure finds common factors of both.

mod pair_table;
mod queue;

use super::Pass;
use crate::id::{Id, IdVec};
use crate::propnet::{PropNode, PropNodeId, Propnet, Signal};
use pair_table::{NumberedPair, Pair, PairTable};
use queue::PairQueue;

/// Leaves no two operands that stand together in two conjunctions.
pub(super) const PASS: Pass = Pass {
    name: "cube_extraction",
    run: cube_extraction,
};

/// In gates wider than this, only operands that stand close together are paired:
/// operands are sorted, so what gates have in common stands in the same order.
const WIDE: usize = 48;

/// How close together that is.
const REACH: usize = 6;

/// Propnets with more operands are left as they are, so that the time and memory for their
/// pairs have a limit.
pub(super) const MOST_OPERANDS: usize = 4_000_000;

fn cube_extraction(net: &Propnet) -> Propnet {
    if net.size().operands > MOST_OPERANDS {
        return net.clone();
    }
    let mut extraction = Extraction::new(net);
    extraction.run();
    extraction.finish(net)
}

struct Extraction {
    /// The operands of every node, sorted; empty for inputs.
    operands: Vec<Vec<Signal>>,
    pairs: PairTable,
    /// Pairs by how often they occur; counts may be out of date.
    queue: PairQueue,
}

impl Extraction {
    fn new(net: &Propnet) -> Self {
        let operands: Vec<Vec<Signal>> = net
            .nodes
            .iter()
            .map(|node| match node {
                PropNode::And(operands) => {
                    let mut operands = operands.to_vec();
                    operands.sort_unstable();
                    operands.dedup();
                    operands
                }
                _ => Vec::new(),
            })
            .collect();
        let mut extraction = Self {
            operands,
            pairs: PairTable::default(),
            queue: PairQueue::default(),
        };
        for gate in 0..extraction.operands.len() {
            extraction.enter_pairs(gate);
        }
        extraction.queue = extraction.pairs.repeated().collect();
        extraction
    }

    fn enter_pairs(&mut self, gate: usize) {
        let operands = &self.operands[gate];
        let reach = if operands.len() > WIDE {
            REACH
        } else {
            operands.len()
        };
        for (index, &first) in operands.iter().enumerate() {
            for &second in operands[index + 1..].iter().take(reach) {
                self.pairs.enter((first, second), gate as u32);
            }
        }
    }

    fn holds(&self, gate: u32, (first, second): Pair) -> bool {
        let operands = &self.operands[gate as usize];
        operands.binary_search(&first).is_ok() && operands.binary_search(&second).is_ok()
    }

    fn run(&mut self) {
        while let Some((count, (pair, number))) = self.queue.pop() {
            let mut gates = std::mem::take(&mut self.pairs.gates[number as usize]);
            gates.retain(|gate| self.holds(*gate, pair));
            gates.sort_unstable();
            gates.dedup();
            let left = gates.len() as u32;
            if left > 1 && left == count {
                self.extract(pair, &gates);
                continue;
            }
            if left > 1 {
                self.queue.push(left, (pair, number));
            }
            self.pairs.gates[number as usize] = gates;
        }
    }

    fn extract(&mut self, pair: Pair, gates: &[u32]) {
        let existing = gates
            .iter()
            .copied()
            .find(|&gate| self.operands[gate as usize].len() == 2);
        let shared = existing.unwrap_or_else(|| {
            self.operands.push(vec![pair.0, pair.1]);
            (self.operands.len() - 1) as u32
        });
        let signal = Signal::of(PropNodeId::new(shared as usize));
        let mut touched = Vec::new();
        for &gate in gates.iter().filter(|&&gate| gate != shared) {
            self.replace(gate, pair, signal, &mut touched);
        }
        touched.sort_unstable();
        touched.dedup();
        for (pair, number) in touched {
            let count = self.pairs.gates[number as usize].len() as u32;
            if count > 1 {
                self.queue.push(count, (pair, number));
            }
        }
    }

    /// Replaces a pair by `signal`; adds the pairs that this creates, with their numbers, to
    /// `touched`.
    fn replace(&mut self, gate: u32, pair: Pair, signal: Signal, touched: &mut Vec<NumberedPair>) {
        let operands = &mut self.operands[gate as usize];
        operands.retain(|&operand| operand != pair.0 && operand != pair.1);
        if let Err(position) = operands.binary_search(&signal) {
            operands.insert(position, signal);
        }
        // A new gate has a high number: its neighbours are the last ones.
        let reach = if operands.len() > WIDE {
            REACH + 1
        } else {
            operands.len()
        };
        for &other in operands.iter().rev().take(reach) {
            if other != signal {
                let pair = (other.min(signal), other.max(signal));
                let number = self.pairs.enter(pair, gate);
                touched.extend(number.map(|number| (pair, number)));
            }
        }
    }

    /// The propnet with the new gates, operands first.
    fn finish(self, net: &Propnet) -> Propnet {
        let mut nodes: IdVec<PropNodeId, PropNode> = IdVec::new();
        let mut placed: Vec<Option<PropNodeId>> = vec![None; self.operands.len()];
        let mut path = Vec::new();
        for root in 0..self.operands.len() {
            path.push(root);
            while let Some(&at) = path.last() {
                if placed[at].is_some() {
                    path.pop();
                    continue;
                }
                let missing = self.operands[at]
                    .iter()
                    .map(|operand| operand.node().index())
                    .find(|&operand| placed[operand].is_none());
                if let Some(operand) = missing {
                    path.push(operand);
                    continue;
                }
                let node = match net.nodes.get(PropNodeId::new(at)) {
                    Some(input) if !matches!(input, PropNode::And(_)) => input.clone(),
                    _ => PropNode::And(
                        self.operands[at]
                            .iter()
                            .map(|&s| moved(&placed, s))
                            .collect(),
                    ),
                };
                placed[at] = Some(nodes.push(node));
                path.pop();
            }
        }
        net.with_nodes(nodes, |signal| moved(&placed, signal))
    }
}

fn moved(placed: &[Option<PropNodeId>], signal: Signal) -> Signal {
    let node = placed[signal.node().index()].expect("operands are placed first");
    Signal::of(node).invert_if(signal.inverted())
}

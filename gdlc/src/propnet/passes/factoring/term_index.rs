//! [`TermIndex`]: which terms of a product contain an operand.

use crate::propnet::Signal;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The terms that contain each operand. Terms are only taken away, so that counts only
/// fall, and an outdated entry of the queue is corrected when it comes first.
pub(super) struct TermIndex {
    operands: Vec<IndexedOperand>,
    /// The terms of all operands, one operand's after another's, in ascending order.
    terms: Vec<u32>,
    /// The operands that more than one term contained when they were entered, the one
    /// that most contain first, and of several the one that the fewest gates read.
    queue: BinaryHeap<(u32, Reverse<(u32, usize)>)>,
}

struct IndexedOperand {
    signal: Signal,
    /// Where its terms begin.
    start: usize,
    /// How many terms still contain it.
    count: u32,
}

impl TermIndex {
    /// The terms that contain each operand; `reads` tells how many gates read it.
    pub(super) fn of(terms: &[Vec<Signal>], reads: impl Fn(Signal) -> u32) -> TermIndex {
        let mut pairs: Vec<(Signal, u32)> = (0..)
            .zip(terms)
            .flat_map(|(index, term)| term.iter().map(move |&signal| (signal, index)))
            .collect();
        pairs.sort_unstable();
        let mut start = 0;
        let operands: Vec<IndexedOperand> = pairs
            .chunk_by(|one, next| one.0 == next.0)
            .map(|pairs| {
                let operand = IndexedOperand {
                    signal: pairs[0].0,
                    start,
                    count: pairs.len() as u32,
                };
                start += pairs.len();
                operand
            })
            .collect();
        TermIndex {
            queue: (operands.iter().enumerate())
                .filter(|(_, operand)| operand.count > 1)
                .map(|(index, operand)| (operand.count, Reverse((reads(operand.signal), index))))
                .collect(),
            terms: pairs.into_iter().map(|(_, term)| term).collect(),
            operands,
        }
    }

    /// The operand that the most terms contain, if more than one does, and the terms that
    /// contained it at first. Among several it is the one that the fewest gates read: what is left
    /// of the terms then is what other gates read, too, and more likely to be shared with them.
    pub(super) fn most_frequent(&mut self) -> Option<(Signal, &[u32])> {
        while let Some((count, Reverse((reads, index)))) = self.queue.pop() {
            let operand = &self.operands[index];
            if operand.count == count {
                let end =
                    (self.operands.get(index + 1)).map_or(self.terms.len(), |next| next.start);
                return Some((operand.signal, &self.terms[operand.start..end]));
            }
            if operand.count > 1 {
                self.queue.push((operand.count, Reverse((reads, index))));
            }
        }
        None
    }

    /// Notes that a term was taken away.
    pub(super) fn remove(&mut self, term: &[Signal]) {
        for signal in term {
            if let Ok(index) = (self.operands).binary_search_by_key(signal, |one| one.signal) {
                self.operands[index].count -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Id as _;
    use crate::propnet::PropNodeId;

    fn term(nodes: &[usize]) -> Vec<Signal> {
        let signals = nodes.iter().map(|&node| Signal::of(PropNodeId::new(node)));
        signals.collect()
    }

    #[test]
    fn what_most_of_the_terms_that_are_left_contain_comes_first() {
        let terms = [
            term(&[1, 2, 3]),
            term(&[2, 3]),
            term(&[2, 4]),
            term(&[3, 4]),
            term(&[4, 5]),
        ];
        let mut index = TermIndex::of(&terms, |_| 1);
        let first = index.most_frequent();
        assert_eq!(first, Some((term(&[2])[0], [0, 1, 2].as_slice())));
        for taken in &terms[..3] {
            index.remove(taken);
        }
        // 3 was in three terms, and 4 is still in two.
        let second = index.most_frequent();
        assert_eq!(second, Some((term(&[4])[0], [2, 3, 4].as_slice())));
        for taken in &terms[3..] {
            index.remove(taken);
        }
        assert_eq!(index.most_frequent(), None);
    }

    #[test]
    fn of_operands_in_as_many_terms_the_one_that_the_fewest_gates_read_comes_first() {
        let terms = [term(&[1, 2]), term(&[1, 3]), term(&[2, 3])];
        let [often, seldom] = [term(&[1])[0], term(&[2])[0]];
        let reads = |signal| match signal {
            signal if signal == often => 9,
            signal if signal == seldom => 2,
            _ => 5,
        };
        let mut index = TermIndex::of(&terms, reads);
        let first = index.most_frequent();
        assert_eq!(first, Some((seldom, [0, 2].as_slice())));
    }
}

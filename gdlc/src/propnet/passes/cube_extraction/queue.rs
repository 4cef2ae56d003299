//! [`PairQueue`]: the most frequent pair first.

use super::pair_table::NumberedPair;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Pairs by how often they occur; among those that occur equally often, the least one first.
///
/// Most pairs are entered while more frequent ones are left. They wait unsorted, and are sorted
/// only when it is their turn, which is several times as fast as keeping them all in a heap.
#[derive(Default)]
pub(super) struct PairQueue {
    /// By count, pairs whose turn has not come.
    waiting: BTreeMap<u32, Vec<NumberedPair>>,
    /// How often the pairs whose turn it is occur.
    count: u32,
    /// These pairs, the greatest one first.
    sorted: Vec<NumberedPair>,
    /// Pairs that were entered since and occur as often or more.
    late: BinaryHeap<(u32, Reverse<NumberedPair>)>,
}

impl PairQueue {
    /// Enters a pair that occurs this often.
    pub(super) fn push(&mut self, count: u32, pair: NumberedPair) {
        if count < self.count {
            self.waiting.entry(count).or_default().push(pair);
        } else {
            self.late.push((count, Reverse(pair)));
        }
    }

    /// Takes the first pair, with its count.
    pub(super) fn pop(&mut self) -> Option<(u32, NumberedPair)> {
        if self.sorted.is_empty() && self.late.is_empty() {
            (self.count, self.sorted) = self.waiting.pop_last()?;
            self.sorted.sort_unstable_by_key(|&pair| Reverse(pair));
        }
        let next = self.sorted.last().map(|&pair| (self.count, Reverse(pair)));
        match self.late.peek() {
            Some(&late) if Some(late) > next => {
                self.late.pop();
                Some((late.0, late.1.0))
            }
            _ => self.sorted.pop().map(|pair| (self.count, pair)),
        }
    }
}

impl FromIterator<(u32, NumberedPair)> for PairQueue {
    fn from_iter<I: IntoIterator<Item = (u32, NumberedPair)>>(pairs: I) -> Self {
        let mut queue = Self {
            count: u32::MAX,
            ..Self::default()
        };
        for (count, pair) in pairs {
            queue.push(count, pair);
        }
        queue
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Id as _;
    use crate::propnet::{PropNodeId, Signal};

    fn pair(number: u32) -> NumberedPair {
        let signal = |node| Signal::of(PropNodeId::new(node as usize));
        ((signal(number), signal(number + 1)), number)
    }

    #[test]
    fn frequent_pairs_come_first_whenever_they_are_entered() {
        let entered = [(2, 1), (5, 9), (2, 0), (3, 4)];
        let mut queue: PairQueue = (entered.into_iter())
            .map(|(count, number)| (count, pair(number)))
            .collect();
        assert_eq!(queue.pop(), Some((5, pair(9))));
        assert_eq!(queue.pop(), Some((3, pair(4))));
        queue.push(3, pair(2));
        queue.push(2, pair(3));
        queue.push(4, pair(8));
        for expected in [(4, 8), (3, 2), (2, 0), (2, 1), (2, 3)] {
            assert_eq!(queue.pop(), Some((expected.0, pair(expected.1))));
        }
        queue.push(2, pair(7));
        queue.push(2, pair(6));
        assert_eq!(queue.pop(), Some((2, pair(6))));
        assert_eq!(queue.pop(), Some((2, pair(7))));
        assert_eq!(queue.pop(), None);
    }
}

//! The states of all nodes: their words one after another, and a hash table to find
//! them.
//!
//! States are numbered in the order of insertion. The table holds a hash beside each
//! number, so that it can grow, and rule out most mismatches, without reading states.

use hashbrown::HashTable;

use super::node::TreeNodeId;
use super::table::{TableUsage, give_back};
use crate::state_hash::hash_of;

/// A set of states.
#[derive(Debug, Default)]
pub(super) struct States {
    words: Vec<u64>,
    /// The index in `words` at which each state ends.
    ends: Vec<usize>,
    table: HashTable<StateEntry>,
}

#[derive(Debug, Clone, Copy)]
struct StateEntry {
    hash: u32,
    number: u32,
}

impl States {
    /// Removes all states.
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.ends.clear();
        self.table.clear();
    }

    /// The words of a state.
    pub(super) fn words(&self, number: usize) -> &[u64] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[start..self.ends[number]]
    }

    /// The number of a state, if it is in the set.
    pub(super) fn find(&self, words: &[u64]) -> Option<usize> {
        let hash = hash_of(words) as u32;
        let same =
            |entry: &StateEntry| entry.hash == hash && self.words(entry.number as usize) == words;
        let found = self.table.find(spread(hash), same)?;
        Some(found.number as usize)
    }

    /// The number of a state, and whether it is new.
    pub(super) fn insert(&mut self, words: &[u64]) -> (usize, bool) {
        if let Some(number) = self.find(words) {
            return (number, false);
        }
        let number = self.ends.len();
        self.words.extend_from_slice(words);
        self.ends.push(self.words.len());
        let hash = hash_of(words) as u32;
        let entry = StateEntry {
            hash,
            number: number as u32,
        };
        self.table
            .insert_unique(spread(hash), entry, |entry| spread(entry.hash));
        (number, true)
    }

    /// Keeps and renumbers the states that have a new number; new numbers are in the
    /// order of the old ones.
    pub(super) fn pack(&mut self, numbers: &[Option<TreeNodeId>]) {
        let (mut count, mut words, mut start) = (0, 0, 0);
        for (number, kept) in numbers.iter().enumerate() {
            let end = self.ends[number];
            if kept.is_some() {
                self.words.copy_within(start..end, words);
                words += end - start;
                self.ends[count] = words;
                count += 1;
            }
            start = end;
        }
        self.words.truncate(words);
        self.ends.truncate(count);
        self.table.retain(|entry| {
            let number = numbers[entry.number as usize];
            entry.number = number.map_or(0, |number| number.index() as u32);
            number.is_some()
        });
        give_back(&mut self.words);
        give_back(&mut self.ends);
        let room = 2 * self.table.len();
        if self.table.capacity() > 2 * room {
            self.table.shrink_to(room, |entry| spread(entry.hash));
        }
    }

    /// The tables that take up memory.
    pub(super) fn tables(&self) -> [TableUsage; 3] {
        [
            TableUsage {
                len: self.words.len(),
                capacity: self.words.capacity(),
                entry: size_of::<u64>(),
            },
            TableUsage {
                len: self.ends.len(),
                capacity: self.ends.capacity(),
                entry: size_of::<usize>(),
            },
            TableUsage {
                len: self.table.len(),
                capacity: self.table.capacity(),
                entry: size_of::<StateEntry>() + 1,
            },
        ]
    }
}

/// Spreads a hash over 64 bits, as the table reads both ends of it.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

//! What is known about states: a transposition table that never mistakes one state for
//! another, since it keeps them whole.

use std::hash::{BuildHasher as _, BuildHasherDefault};

use rustc_hash::FxHasher;

/// Bounds on the value of a state, as levels: it is at least `low` and at most `high`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LevelBounds {
    pub(crate) low: u8,
    pub(crate) high: u8,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    bounds: LevelBounds,
    /// The logarithm of the number of states that it took.
    effort: u8,
}

/// A table of a fixed size. Of the two slots that a state can have, one keeps what took
/// most effort, the other what came last.
pub(crate) struct ValueTable {
    words: usize,
    states: Vec<u64>,
    entries: Vec<Option<Entry>>,
    hasher: BuildHasherDefault<FxHasher>,
}

impl ValueTable {
    /// A table of states of `words` words.
    pub(crate) fn new(words: usize, slots: usize) -> Self {
        let slots = slots.next_power_of_two().max(2);
        Self {
            words,
            states: vec![0; slots * words],
            entries: vec![None; slots],
            hasher: BuildHasherDefault::default(),
        }
    }

    /// The first of the two slots of a state.
    fn slot(&self, state: &[u64]) -> usize {
        (self.hasher.hash_one(state) >> 20) as usize & (self.entries.len() - 2)
    }

    fn holds(&self, slot: usize, state: &[u64]) -> bool {
        let words = &self.states[slot * self.words..][..self.words];
        self.entries[slot].is_some() && words == state
    }

    /// What is known about a state.
    pub(crate) fn find(&self, state: &[u64]) -> Option<LevelBounds> {
        let slot = self.slot(state);
        let found = [slot, slot + 1]
            .into_iter()
            .find(|&slot| self.holds(slot, state))?;
        self.entries[found].map(|entry| entry.bounds)
    }

    /// Enters the bounds of a state that took this number of states.
    pub(crate) fn insert(&mut self, state: &[u64], bounds: LevelBounds, states: u64) {
        let first = self.slot(state);
        let effort = states.max(1).ilog2() as u8;
        let keeps = |entry: &Entry| entry.effort > effort;
        let is_kept = self.entries[first].as_ref().is_some_and(keeps);
        let slot = first + usize::from(is_kept && !self.holds(first, state));
        self.states[slot * self.words..][..self.words].copy_from_slice(state);
        self.entries[slot] = Some(Entry { bounds, effort });
    }
}

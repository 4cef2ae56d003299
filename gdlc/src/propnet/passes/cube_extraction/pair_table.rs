//! [`PairTable`]: which gates contain each pair of operands.

use crate::propnet::Signal;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::collections::hash_map::Entry;

/// Two operands, the lesser one first.
pub(super) type Pair = (Signal, Signal);

/// A pair of operands with its number.
pub(super) type NumberedPair = (Pair, u32);

/// Some gates; most pairs that are in several gates are in two.
pub(super) type GateList = SmallVec<[u32; 4]>;

/// Where a pair stands.
#[derive(Debug, Clone, Copy)]
enum Holders {
    /// In this gate, as most pairs do.
    One(u32),
    /// In the gates of this number.
    Several(u32),
}

/// The pairs of operands that were seen; those that stood in several gates have a number.
#[derive(Default)]
pub(super) struct PairTable {
    holders: FxHashMap<Pair, Holders>,
    /// By number, the gates that contain a pair; entries may be out of date.
    pub(super) gates: Vec<GateList>,
}

impl PairTable {
    /// Enters that a gate contains a pair. Returns the number of the pair, if it has one.
    pub(super) fn enter(&mut self, pair: Pair, gate: u32) -> Option<u32> {
        match self.holders.entry(pair) {
            Entry::Vacant(holders) => {
                holders.insert(Holders::One(gate));
                None
            }
            Entry::Occupied(mut holders) => {
                let number = match *holders.get() {
                    Holders::One(first) => {
                        self.gates.push(smallvec![first]);
                        self.gates.len() as u32 - 1
                    }
                    Holders::Several(number) => number,
                };
                self.gates[number as usize].push(gate);
                holders.insert(Holders::Several(number));
                Some(number)
            }
        }
    }

    /// The pairs that stand in several gates, with the number of these gates.
    pub(super) fn repeated(&self) -> impl Iterator<Item = (u32, NumberedPair)> + '_ {
        self.holders
            .iter()
            .filter_map(|(&pair, &holders)| match holders {
                Holders::One(_) => None,
                Holders::Several(number) => {
                    let count = self.gates[number as usize].len() as u32;
                    Some((count, (pair, number)))
                }
            })
    }
}

//! [`Window`]: values near a lut, as functions of few others.

use super::network::LutNetwork;
use crate::ground::BaseId;
use crate::id::Id;
use crate::plan::circuit::GateId;
use crate::plan::cover::GateLut;
use crate::plan::phase_sets::PhaseSets;
use rustc_hash::FxHashMap;

/// The most leaves of a window.
const LEAVES: usize = 8;

/// The number of words of a table.
const WORDS: usize = 1 << (LEAVES - 6);

/// The most values of a window.
const VALUES: usize = 28;

/// Of a value with more readers only these are looked at.
const READERS: usize = 32;

/// A bit for each assignment of values to the leaves of a window.
pub type Table = [u64; WORDS];

/// Values near a lut, its *target*, as functions of the window's leaves.
pub struct Window {
    /// What the target may read; what is needed for it alone comes last.
    pub divisors: Vec<(GateId, Table)>,
    /// The target.
    pub target: Table,
    /// The assignments that may occur.
    pub care: Table,
}

impl Window {
    /// The window of a lut; `freed` are the luts that would not be needed without it.
    pub fn around(
        network: &LutNetwork,
        target: GateId,
        freed: &[GateId],
        phases: &PhaseSets,
        exclude: &impl Fn(BaseId, BaseId) -> bool,
    ) -> Option<Self> {
        let (leaves, cone) = find_leaves(network, target)?;
        let mut values = Values::default();
        for (place, &leaf) in leaves.iter().enumerate() {
            values.add(leaf, leaf_table(place));
        }
        for &gate in cone.iter().filter(|&&gate| gate != target) {
            let table = values.table_of(network.lut(gate)?)?;
            values.add(gate, table);
        }
        let of_target = values.table_of(network.lut(target)?)?;
        values.add_readers(network, |gate| {
            gate < target && !freed.contains(&gate) && phases.may_read(target, gate)
        });
        let mut divisors = values.all;
        divisors.retain(|&(gate, _)| network.is_read(gate) && phases.may_read(target, gate));
        divisors.sort_by_key(|(gate, _)| freed.contains(gate));
        Some(Self {
            divisors,
            target: of_target,
            care: possible(network, &leaves, exclude),
        })
    }
}

/// The leaves of a window and the luts between them and the target, ascending. The leaf whose
/// inputs add the fewest leaves gives way to them, as long as there are not too many.
fn find_leaves(network: &LutNetwork, target: GateId) -> Option<(Vec<GateId>, Vec<GateId>)> {
    let mut leaves = network.lut(target)?.reads.gates().to_vec();
    let mut cone = vec![target];
    while cone.len() < VALUES / 2 {
        let added_by = |place: usize| {
            let inputs = network.lut(leaves[place])?.reads.gates().iter().copied();
            let added = inputs.filter(|input| !leaves.contains(input) && !cone.contains(input));
            Some((place, added.collect::<Vec<GateId>>()))
        };
        let candidates = (0..leaves.len()).filter_map(added_by);
        let Some((place, added)) = candidates.min_by_key(|(_, added)| added.len()) else {
            break;
        };
        if leaves.len() - 1 + added.len() > LEAVES {
            break;
        }
        cone.push(leaves.swap_remove(place));
        leaves.extend(added);
    }
    cone.sort_unstable();
    Some((leaves, cone))
}

/// The values of a window.
#[derive(Default)]
struct Values {
    all: Vec<(GateId, Table)>,
    place: FxHashMap<GateId, usize>,
}

impl Values {
    fn add(&mut self, gate: GateId, table: Table) {
        self.place.insert(gate, self.all.len());
        self.all.push((gate, table));
    }

    /// The table of a lut all of whose inputs are in the window.
    fn table_of(&self, lut: &GateLut) -> Option<Table> {
        let mut inputs = [[0; WORDS]; 3];
        for (input, gate) in inputs.iter_mut().zip(lut.reads.gates()) {
            *input = self.all[*self.place.get(gate)?].1;
        }
        Some(apply(lut.truth, &inputs))
    }

    /// Adds luts all of whose inputs are in the window.
    fn add_readers(&mut self, network: &LutNetwork, accept: impl Fn(GateId) -> bool) {
        let mut next = 0;
        while next < self.all.len() {
            let readers = network.readers(self.all[next].0);
            for &reader in readers.iter().take(READERS) {
                if self.all.len() == VALUES {
                    return;
                }
                if self.place.contains_key(&reader) || !network.is_read(reader) || !accept(reader) {
                    continue;
                }
                let lut = network.lut(reader);
                if let Some(table) = lut.and_then(|lut| self.table_of(lut)) {
                    self.add(reader, table);
                }
            }
            next += 1;
        }
    }
}

/// The table of a lut, given those of its inputs.
fn apply(truth: u8, inputs: &[Table; 3]) -> Table {
    let mut result = [0; WORDS];
    for (word, result) in result.iter_mut().enumerate() {
        for row in (0..8).filter(|row| truth >> row & 1 != 0) {
            let literal = |place: usize| match row >> (2 - place) & 1 {
                0 => !inputs[place][word],
                _ => inputs[place][word],
            };
            *result |= literal(0) & literal(1) & literal(2);
        }
    }
    result
}

/// The table of a leaf.
fn leaf_table(place: usize) -> Table {
    const WITHIN_WORD: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    let mut table = [0; WORDS];
    for (word, bits) in table.iter_mut().enumerate() {
        *bits = match WITHIN_WORD.get(place) {
            Some(&bits) => bits,
            None if word >> (place - WITHIN_WORD.len()) & 1 != 0 => u64::MAX,
            None => 0,
        };
    }
    table
}

/// The assignments in which no two leaves hold that exclude each other.
fn possible(
    network: &LutNetwork,
    leaves: &[GateId],
    exclude: &impl Fn(BaseId, BaseId) -> bool,
) -> Table {
    let fluents: Vec<(usize, BaseId)> = (leaves.iter().enumerate())
        .filter_map(|(place, &leaf)| Some((place, BaseId::new(network.fluent(leaf)? as usize))))
        .collect();
    let mut possible = [u64::MAX; WORDS];
    for (index, &(place, one)) in fluents.iter().enumerate() {
        for &(other_place, other) in &fluents[index + 1..] {
            if exclude(one, other) {
                let (one, other) = (leaf_table(place), leaf_table(other_place));
                for word in 0..WORDS {
                    possible[word] &= !(one[word] & other[word]);
                }
            }
        }
    }
    possible
}

//! Counts of many sets of bits that share what they have in common.

use crate::plan::circuit::{Circuit, GateEdge};
use crate::plan::selection::Counted;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// Counts how many bits of each set hold. The sets name `bits` by their numbers, and may
/// name one several times.
///
/// Bits that occur in the same sets are counted once for all of them; then, round by round,
/// pairs of counts that several sets have in common are added up for all of them, the most
/// frequent pair first.
pub fn count_sets(circuit: &mut Circuit, bits: &[GateEdge], sets: &[Vec<u32>]) -> Vec<Counted> {
    let (mut counts, mut sums) = count_alike(circuit, bits, sets);
    loop {
        let partners = frequent_pairs(&sums);
        if partners.is_empty() {
            break;
        }
        let mut joined: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for &(one, other) in &partners {
            let sum = counts[one as usize].plus(circuit, &counts[other as usize]);
            joined.insert((one, other), counts.len() as u32);
            counts.push(sum);
        }
        let partner_of: FxHashMap<u32, (u32, u32)> = (partners.iter())
            .flat_map(|&pair| [(pair.0, pair), (pair.1, pair)])
            .collect();
        for sum in &mut sums {
            join_pairs(sum, &partner_of, &joined);
        }
    }
    let sums = sums.into_iter().map(|sum| {
        let terms = sum.into_iter().map(|count| counts[count as usize].clone());
        add_up(circuit, terms.collect())
    });
    sums.collect()
}

/// Counts of bits that occur in the same sets, and the sets as sums of these counts.
fn count_alike(
    circuit: &mut Circuit,
    bits: &[GateEdge],
    sets: &[Vec<u32>],
) -> (Vec<Counted>, Vec<Vec<u32>>) {
    let mut sets_of: Vec<Vec<u32>> = vec![Vec::new(); bits.len()];
    for (index, set) in sets.iter().enumerate() {
        for &bit in set {
            sets_of[bit as usize].push(index as u32);
        }
    }
    let mut alike: IndexMap<&[u32], Vec<GateEdge>> = IndexMap::new();
    for (sets, &bit) in sets_of.iter().zip(bits) {
        alike.entry(sets).or_default().push(bit);
    }
    let mut counts = Vec::with_capacity(alike.len());
    let mut sums = vec![Vec::new(); sets.len()];
    for (number, (sets, bits)) in (0..).zip(alike) {
        counts.push(Counted::of(circuit, bits));
        for &set in sets {
            sums[set as usize].push(number);
        }
    }
    (counts, sums)
}

/// Pairs of counts that several sums have in common, the most frequent first; each count is
/// in one pair at most.
fn frequent_pairs(sums: &[Vec<u32>]) -> Vec<(u32, u32)> {
    let mut frequency: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for sum in sums {
        for (index, &one) in sum.iter().enumerate() {
            for &other in sum[index + 1..].iter().filter(|&&other| other != one) {
                let pair = (one.min(other), one.max(other));
                *frequency.entry(pair).or_default() += 1;
            }
        }
    }
    let mut pairs: Vec<(Reverse<u32>, (u32, u32))> = (frequency.into_iter())
        .filter(|&(_, count)| count > 1)
        .map(|(pair, count)| (Reverse(count), pair))
        .collect();
    pairs.sort_unstable();
    let mut taken = rustc_hash::FxHashSet::default();
    pairs.retain(|&(_, (one, other))| {
        let free = !taken.contains(&one) && !taken.contains(&other);
        if free {
            taken.extend([one, other]);
        }
        free
    });
    pairs.into_iter().map(|(_, pair)| pair).collect()
}

/// Replaces pairs in a sum by the counts that they were joined to.
fn join_pairs(
    sum: &mut Vec<u32>,
    pair_of: &FxHashMap<u32, (u32, u32)>,
    joined: &FxHashMap<(u32, u32), u32>,
) {
    let mut left: Vec<u32> = Vec::with_capacity(sum.len());
    for &count in sum.iter() {
        let pair = pair_of.get(&count);
        let partner = pair.map(|&(one, other)| if one == count { other } else { one });
        let waiting = left.iter().position(|&other| Some(other) == partner);
        match (waiting, pair) {
            (Some(place), Some(pair)) => left[place] = joined[pair],
            _ => left.push(count),
        }
    }
    *sum = left;
}

/// The sum of some counts; the smallest are added first.
fn add_up(circuit: &mut Circuit, mut terms: Vec<Counted>) -> Counted {
    terms.sort_by_key(|term| Reverse(term.most));
    while let Some(one) = terms.pop() {
        let Some(other) = terms.pop() else {
            return one;
        };
        let sum = one.plus(circuit, &other);
        let place = terms.partition_point(|term| term.most >= sum.most);
        terms.insert(place, sum);
    }
    Counted::default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::circuit::CircuitInput;

    #[test]
    fn sets_are_counted_and_share_what_they_have_in_common() {
        const BITS: u32 = 8;
        let mut circuit = Circuit::default();
        let mut bits: Vec<GateEdge> = (0..BITS)
            .map(|base| circuit.input(CircuitInput::Base(base)))
            .collect();
        bits.push(GateEdge::TRUE);
        let always = BITS;
        // All but one, and what always holds once and several times.
        let mut sets: Vec<Vec<u32>> = (0..BITS)
            .map(|left_out| (0..BITS).filter(|&bit| bit != left_out).collect())
            .collect();
        sets[1].push(always);
        sets[2].extend([always, always, 0]);
        sets.push(vec![]);
        let counts = count_sets(&mut circuit, &bits, &sets);
        for inputs in 0..1_u32 << BITS {
            let values = circuit.evaluate(|input| match input {
                CircuitInput::Base(base) => inputs >> base & 1 != 0,
                _ => false,
            });
            for (set, count) in sets.iter().zip(&counts) {
                let holds = |&&bit: &&u32| bit == always || inputs >> bit & 1 != 0;
                let counted = (0..).zip(&count.bits).fold(0, |sum, (place, bit)| {
                    let set = values[bit.node()] != bit.inverted();
                    sum | usize::from(set) << place
                });
                assert_eq!(counted, set.iter().filter(holds).count(), "{set:?}");
            }
        }
        let alone: usize = (sets.iter())
            .map(|set| {
                let mut circuit = Circuit::default();
                let bits = (0..set.len() as u32)
                    .map(|base| circuit.input(CircuitInput::Base(base)))
                    .collect();
                Counted::of(&mut circuit, bits);
                circuit.gates.len()
            })
            .sum();
        let shared = circuit.gates.len();
        assert!(
            shared * 4 < alone * 3,
            "{shared} gates, {alone} without sharing"
        );
    }
}

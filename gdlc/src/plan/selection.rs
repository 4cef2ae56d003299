//! [`SelectionTree`]: finds the candidate of a given rank in all lanes at once.
//!
//! On the way up, candidates are counted in groups of three and counts are added
//! pairwise up to the root. On the way down, every lane is active in one node of each
//! level: the count of that node's left child is gathered over all nodes of the level
//! and compared with the lane's rank, once per level; lanes that go right subtract it.

use super::circuit::{Circuit, CircuitInput, GateEdge};

/// The number of candidates counted together at the bottom: a full adder counts three.
const GROUP: usize = 3;

/// One number per lane, lowest bit first.
type BitSliced = Vec<GateEdge>;

/// The tree of a choice, with the counts of its nodes.
pub struct SelectionTree {
    /// Whether each candidate can be chosen.
    candidates: Vec<GateEdge>,
    /// The counts of the nodes, level by level from the groups to the root.
    levels: Vec<Vec<BitSliced>>,
}

impl SelectionTree {
    /// Builds the tree of these candidates.
    pub fn count(circuit: &mut Circuit, candidates: Vec<GateEdge>) -> Self {
        let groups = candidates.chunks(GROUP);
        let mut sizes: Vec<usize> = groups.clone().map(<[_]>::len).collect();
        let mut level: Vec<BitSliced> = groups.map(|group| count_group(circuit, group)).collect();
        let mut levels = Vec::new();
        while level.len() > 1 {
            let pairs = level.chunks(2).zip(sizes.chunks(2));
            let above = pairs
                .map(|(counts, sizes)| match counts {
                    [left, right] => add(circuit, left, right, sizes.iter().sum()),
                    _ => counts[0].clone(),
                })
                .collect();
            sizes = sizes.chunks(2).map(|pair| pair.iter().sum()).collect();
            levels.push(std::mem::replace(&mut level, above));
        }
        levels.push(level);
        Self { candidates, levels }
    }

    /// The number of candidates that can be chosen.
    pub fn total(&self) -> &[GateEdge] {
        &self.levels[self.levels.len() - 1][0]
    }

    /// The number of bits of a rank.
    pub fn rank_bits(&self) -> u32 {
        bits_for(self.candidates.len().saturating_sub(1))
    }

    /// For every candidate, whether it has the rank drawn for `choice`, which only
    /// candidates that can be chosen have.
    pub fn select(&self, circuit: &mut Circuit, choice: u32) -> Vec<GateEdge> {
        let mut rank: BitSliced = (0..self.rank_bits())
            .map(|bit| circuit.input(CircuitInput::Rank { choice, bit }))
            .collect();
        let mut active = vec![circuit.or_all(self.total().iter().copied())];
        for level in self.levels[..self.levels.len() - 1].iter().rev() {
            active = descend(circuit, level, &active, &mut rank);
        }
        let mut selected = Vec::with_capacity(self.candidates.len());
        for (group, &active) in self.candidates.chunks(GROUP).zip(&active) {
            selected.extend(select_in_group(circuit, group, active, &rank));
        }
        selected
    }
}

/// The number of bits of `largest`.
fn bits_for(largest: usize) -> u32 {
    usize::BITS - largest.leading_zeros()
}

fn bit_of(number: &[GateEdge], bit: usize) -> GateEdge {
    number.get(bit).copied().unwrap_or(GateEdge::FALSE)
}

fn count_group(circuit: &mut Circuit, group: &[GateEdge]) -> BitSliced {
    match *group {
        [only] => vec![only],
        [one, two] => vec![circuit.xor(one, two), circuit.and(one, two)],
        _ => {
            let (sum, carry) = circuit.add(group[0], group[1], group[2]);
            vec![sum, carry]
        }
    }
}

/// The sum of two numbers; it is at most `largest`.
fn add(circuit: &mut Circuit, left: &BitSliced, right: &BitSliced, largest: usize) -> BitSliced {
    let mut sum = BitSliced::new();
    let mut carry = GateEdge::FALSE;
    for bit in 0..bits_for(largest) as usize {
        let (low, high) = circuit.add(bit_of(left, bit), bit_of(right, bit), carry);
        sum.push(low);
        carry = high;
    }
    sum
}

/// Maps the active nodes of a level to those of the level below, given its counts, and
/// makes ranks relative to the active nodes.
fn descend(
    circuit: &mut Circuit,
    below: &[BitSliced],
    active: &[GateEdge],
    rank: &mut BitSliced,
) -> Vec<GateEdge> {
    let width = below.iter().map(Vec::len).max().unwrap_or(0);
    let left_count: BitSliced = (0..width)
        .map(|bit| gather_left_counts(circuit, below, active, bit))
        .collect();
    // If the active node has no right child, the gathered count is zero and the rank
    // stays as it is.
    let right = subtract_if_reached(circuit, rank, &left_count);
    rank.truncate(width);
    let mut children = Vec::with_capacity(below.len());
    for (pair, &active) in below.chunks(2).zip(active) {
        if pair.len() == 2 {
            children.push(circuit.and(active, !right));
            children.push(circuit.and(active, right));
        } else {
            children.push(active);
        }
    }
    children
}

/// One bit of the count of the active node's left child.
fn gather_left_counts(
    circuit: &mut Circuit,
    below: &[BitSliced],
    active: &[GateEdge],
    bit: usize,
) -> GateEdge {
    let mut gathered = GateEdge::FALSE;
    for (pair, &active) in below.chunks(2).zip(active) {
        if let ([left, _], true) = (pair, bit < pair[0].len()) {
            // A lane in which the only node is not active ignores its rank.
            let active = if below.len() == 2 {
                GateEdge::TRUE
            } else {
                active
            };
            let count = circuit.and(active, left[bit]);
            gathered = circuit.or(gathered, count);
        }
    }
    gathered
}

/// Whether `rank >= count`; if so, subtracts `count` from the rank.
fn subtract_if_reached(circuit: &mut Circuit, rank: &mut BitSliced, count: &BitSliced) -> GateEdge {
    let mut carry = GateEdge::TRUE;
    let mut difference = BitSliced::new();
    for bit in 0..rank.len().max(count.len()) {
        let (sum, next) = circuit.add(bit_of(rank, bit), !bit_of(count, bit), carry);
        difference.push(sum);
        carry = next;
    }
    for (row, difference) in rank.iter_mut().zip(difference) {
        *row = circuit.select(carry, difference, *row);
    }
    carry
}

/// For every candidate of a group of at most three, whether it has the rank.
fn select_in_group(
    circuit: &mut Circuit,
    group: &[GateEdge],
    active: GateEdge,
    rank: &[GateEdge],
) -> Vec<GateEdge> {
    let (low, high) = (bit_of(rank, 0), bit_of(rank, 1));
    let is_zero = circuit.and(!low, !high);
    let is_one = circuit.and(low, !high);
    match *group {
        [_] => vec![active],
        [one, _] => {
            let chosen = circuit.and(one, is_zero);
            vec![circuit.and(active, chosen), circuit.and(active, !chosen)]
        }
        _ => {
            let (one, two) = (group[0], group[1]);
            let first = circuit.and(one, is_zero);
            let rank_of_second = circuit.select(one, is_one, is_zero);
            let second = circuit.and(two, rank_of_second);
            let neither = circuit.and(!first, !second);
            [first, second, neither]
                .map(|chosen| circuit.and(active, chosen))
                .to_vec()
        }
    }
}

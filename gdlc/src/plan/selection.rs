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

/// A number per lane that was counted.
#[derive(Debug, Clone, Default)]
pub struct Counted {
    /// Its bits, lowest first.
    pub bits: BitSliced,
    /// The most that it can be.
    pub most: usize,
}

impl Counted {
    /// How many of some edges hold.
    pub fn of(circuit: &mut Circuit, edges: Vec<GateEdge>) -> Self {
        let most = edges.len();
        let bits = SelectionTree::count(circuit, edges).total().to_vec();
        Self { bits, most }
    }

    /// The sum of two numbers.
    pub fn plus(&self, circuit: &mut Circuit, other: &Self) -> Self {
        let most = self.most + other.most;
        let bits = add(circuit, &self.bits, &other.bits, most);
        Self { bits, most }
    }
}

/// The tree of a choice, with the counts of its nodes.
pub struct SelectionTree {
    /// Whether each candidate can be chosen; none if the leaves are counts.
    candidates: Vec<GateEdge>,
    /// The counts of the nodes, level by level from the groups to the root.
    levels: Vec<Vec<BitSliced>>,
}

impl SelectionTree {
    /// Builds the tree of these candidates.
    pub fn count(circuit: &mut Circuit, candidates: Vec<GateEdge>) -> Self {
        let leaves = candidates.chunks(GROUP).map(|group| Counted {
            bits: count_group(circuit, group),
            most: group.len(),
        });
        let leaves = leaves.collect();
        Self {
            candidates,
            ..Self::of_counts(circuit, leaves)
        }
    }

    /// Builds a tree over numbers of candidates.
    pub fn of_counts(circuit: &mut Circuit, mut level: Vec<Counted>) -> Self {
        let mut levels = Vec::new();
        let bits = |level: Vec<Counted>| level.into_iter().map(|node| node.bits).collect();
        while level.len() > 1 {
            let pairs = level.chunks(2);
            let above = pairs.map(|counts| match counts {
                [left, right] => left.plus(circuit, right),
                _ => counts[0].clone(),
            });
            let above = above.collect();
            levels.push(bits(std::mem::replace(&mut level, above)));
        }
        if level.is_empty() {
            level.push(Counted::default());
        }
        levels.push(bits(level));
        Self {
            candidates: Vec::new(),
            levels,
        }
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
    /// candidates that can be chosen have, and only where `playing` holds.
    pub fn select(&self, circuit: &mut Circuit, choice: u32, playing: GateEdge) -> Vec<GateEdge> {
        let rank = (0..self.rank_bits())
            .map(|bit| circuit.input(CircuitInput::Rank { choice, bit }))
            .collect();
        self.select_rank(circuit, rank, playing)
    }

    /// For every candidate, whether it has a rank, where `playing` holds.
    pub fn select_rank(
        &self,
        circuit: &mut Circuit,
        mut rank: Vec<GateEdge>,
        playing: GateEdge,
    ) -> Vec<GateEdge> {
        let active = self.descend_to_leaves(circuit, &mut rank, playing);
        let mut selected = Vec::with_capacity(self.candidates.len());
        for (group, &active) in self.candidates.chunks(GROUP).zip(&active[0]) {
            selected.extend(select_in_group(circuit, group, active, &rank));
        }
        selected
    }

    /// For every node, level by level from the leaves, whether the candidate of a rank is
    /// below it and `playing` holds. The rank is then that among the candidates of the leaf.
    pub fn descend_to_leaves(
        &self,
        circuit: &mut Circuit,
        rank: &mut Vec<GateEdge>,
        playing: GateEdge,
    ) -> Vec<Vec<GateEdge>> {
        let any = circuit.or_all(self.total().iter().copied());
        let mut active = vec![vec![circuit.and(any, playing)]];
        for level in self.levels[..self.levels.len() - 1].iter().rev() {
            let below = descend(circuit, level, &active[active.len() - 1], rank);
            active.push(below);
        }
        active.reverse();
        active
    }
}

/// The number of bits of `largest`.
pub fn bits_for(largest: usize) -> u32 {
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
            let first = circuit.and(active, chosen);
            vec![first, circuit.and(active, !first)]
        }
        _ => {
            let (one, two) = (group[0], group[1]);
            let chosen = circuit.and(one, is_zero);
            let first = circuit.and(active, chosen);
            let rank_of_second = circuit.select(one, is_one, is_zero);
            let chosen = circuit.and(two, rank_of_second);
            let second = circuit.and(active, chosen);
            let neither = circuit.and(!first, !second);
            vec![first, second, circuit.and(active, neither)]
        }
    }
}

//! Sets of lanes as bitsets, as [`Lanes`](gdl_runtime::engine::Lanes) takes them.

use gdl_runtime::engine::lanes_of;

/// A set of lanes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LaneSet(Vec<u64>);

impl LaneSet {
    /// An empty set of up to this number of lanes.
    #[must_use]
    pub fn new(lanes: usize) -> Self {
        Self(vec![0; lanes.div_ceil(64)])
    }

    /// The set of all lanes below this number.
    #[must_use]
    pub fn full(lanes: usize) -> Self {
        let mut set = Self::new(lanes);
        (0..lanes).for_each(|lane| set.insert(lane));
        set
    }

    /// The bitset: lane `lane` is bit `lane % 64` of word `lane / 64`.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// Adds a lane.
    pub fn insert(&mut self, lane: usize) {
        self.0[lane / 64] |= 1 << (lane % 64);
    }

    /// Removes a lane.
    pub fn remove(&mut self, lane: usize) {
        self.0[lane / 64] &= !(1 << (lane % 64));
    }

    /// Whether a lane is in the set.
    #[must_use]
    pub fn contains(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 == 1
    }

    /// Whether no lane is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The number of lanes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The lanes in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        lanes_of(&self.0)
    }

    /// Removes all lanes.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Adds the lanes of another set.
    pub fn add_all(&mut self, other: &Self) {
        self.add_words(&other.0);
    }

    /// Adds the lanes of a set given as words.
    pub fn add_words(&mut self, words: &[u64]) {
        for (word, &bits) in self.0.iter_mut().zip(words) {
            *word |= bits;
        }
    }

    /// Removes the lanes of another set.
    pub fn remove_all(&mut self, other: &Self) {
        self.remove_words(&other.0);
    }

    /// Removes the lanes of a set given as words.
    pub fn remove_words(&mut self, words: &[u64]) {
        for (word, &bits) in self.0.iter_mut().zip(words) {
            *word &= !bits;
        }
    }

    /// Becomes the intersection of `set` and `mask`.
    pub fn intersect(&mut self, set: &Self, mask: &[u64]) {
        for (word, (&own, &other)) in self.0.iter_mut().zip(set.0.iter().zip(mask)) {
            *word = own & other;
        }
    }

    /// Moves the `count` lowest lanes, or all if there are fewer, to `taken`.
    pub fn take(&mut self, count: usize, taken: &mut Self) {
        let mut missing = count;
        for (word, to) in self.0.iter_mut().zip(&mut taken.0) {
            while missing > 0 && *word != 0 {
                // Whole words at once where possible.
                let bits = if word.count_ones() as usize <= missing {
                    *word
                } else {
                    *word & word.wrapping_neg()
                };
                missing -= bits.count_ones() as usize;
                *word &= !bits;
                *to |= bits;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LaneSet;

    #[test]
    fn lanes_are_taken_from_below() {
        let mut free = LaneSet::full(130);
        free.remove(1);
        let mut taken = LaneSet::new(130);
        free.take(3, &mut taken);
        assert_eq!(taken.iter().collect::<Vec<_>>(), [0, 2, 3]);
        taken.clear();
        free.take(64, &mut taken);
        assert_eq!((taken.len(), free.len()), (64, 62));
        assert!(taken.contains(4) && taken.contains(67) && !taken.contains(68));
        free.take(1000, &mut taken);
        assert!(free.is_empty());
        assert_eq!((taken.len(), taken.contains(129)), (126, true));
    }
}

//! [`FactorStates`]: what one part of a game can become while the others stay as they are.

use std::time::Instant;

use gdl_runtime::engine::{Move, Pick};
use gdl_runtime::factors::GameFactor;
use gdl_runtime::stop_flag::StopFlag;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::expander::{Expander, Positions};

/// The largest number of states of one part.
const MOST_STATES: usize = 20_000;

/// The number of tried moves of one part after which its search ends.
const MOST_MOVES: usize = 100_000;

/// When planning has to end.
pub(super) struct PlanningLimits<'a> {
    pub(super) deadline: Option<Instant>,
    pub(super) stop_flag: &'a StopFlag,
}

impl PlanningLimits<'_> {
    pub(super) fn are_reached(&self) -> bool {
        let is_late = self.deadline.is_some_and(|end| Instant::now() >= end);
        is_late || self.stop_flag.is_raised()
    }
}

/// The states of a part that were reached, those with the shortest plans first.
pub(super) struct FactorStates {
    /// The bits of its fluents.
    mask: Vec<u64>,
    /// The states, as words in which only these bits are set, each with the number of the state
    /// before and the move between them.
    states: IndexMap<Box<[u64]>, Option<(usize, Pick)>, FxBuildHasher>,
    /// The number of moves of the plan to each state.
    depths: Vec<usize>,
}

impl FactorStates {
    /// The states of a part that its moves reach from a state of the whole game, in a game of
    /// one role. Games that are over are not played on.
    pub(super) fn reach(
        part: &GameFactor,
        from: &[u64],
        expander: &mut Expander,
        limits: &PlanningLimits<'_>,
    ) -> Self {
        let mut found = Self::begin(part, from);
        let own: Vec<Move> = part.moves[0].iter().map(|&mv| Move(mv)).collect();
        let (mut positions, mut successors) = (Positions::default(), Positions::default());
        let (mut next, mut tried) = (0, 0);
        while next < found.states.len() && tried < MOST_MOVES && !limits.are_reached() {
            let end = found.states.len().min(next + expander.width());
            let mut whole = Vec::new();
            (next..end).for_each(|state| whole.extend(found.put_into(state, from)));
            expander.examine(&whole, &mut positions);
            let (mut made, mut states, mut picks) = (Vec::new(), Vec::new(), Vec::new());
            for index in (0..positions.len()).filter(|&index| !positions.terminal[index]) {
                for pick in positions
                    .moves(index, 0)
                    .iter()
                    .filter(|pick| own.contains(&pick.mv))
                {
                    made.push((next + index, *pick));
                    states.extend_from_slice(positions.state(index));
                    let alone = positions.moves(index, 0).len() == 1;
                    picks.push((!alone).then_some(*pick));
                }
            }
            tried += made.len();
            expander.advance(&states, &picks, false, &mut successors);
            for (index, &(before, pick)) in made.iter().enumerate() {
                found.add(successors.state(index), before, pick);
            }
            next = end;
        }
        found
    }

    fn begin(part: &GameFactor, from: &[u64]) -> Self {
        let mut mask = vec![0; from.len()];
        for &fluent in &part.fluents {
            mask[fluent as usize / 64] |= 1 << (fluent % 64);
        }
        let mut found = Self {
            mask,
            states: IndexMap::default(),
            depths: vec![0],
        };
        found.states.insert(found.own_words(from), None);
        found
    }

    fn own_words(&self, whole: &[u64]) -> Box<[u64]> {
        let words = whole.iter().zip(&self.mask);
        words.map(|(word, mask)| word & mask).collect()
    }

    fn add(&mut self, whole: &[u64], before: usize, pick: Pick) {
        let words = self.own_words(whole);
        if self.states.len() < MOST_STATES && !self.states.contains_key(&words) {
            self.states.insert(words, Some((before, pick)));
            self.depths.push(self.depths[before] + 1);
        }
    }

    /// The number of states; the first is that part of the state from which the search began.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// The number of moves of the plan to a state.
    pub(super) fn depth(&self, state: usize) -> usize {
        self.depths[state]
    }

    /// The words of a whole state with this part of it replaced by one of its states.
    pub(super) fn put_into<'a>(
        &'a self,
        state: usize,
        whole: &'a [u64],
    ) -> impl Iterator<Item = u64> + 'a {
        let own = self.states.get_index(state);
        let own = own.map_or(&[][..], |(words, _)| words);
        let words = whole.iter().zip(&self.mask).zip(own);
        words.map(|((whole, mask), own)| whole & !mask | own)
    }

    /// The moves that lead to a state, in order.
    pub(super) fn plan(&self, state: usize) -> Vec<Move> {
        let step = |state: usize| self.states.get_index(state).and_then(|(_, &step)| step);
        let steps = std::iter::successors(step(state), |&(before, _)| step(before));
        let mut moves: Vec<Move> = steps.map(|(_, pick)| pick.mv).collect();
        moves.reverse();
        moves
    }
}

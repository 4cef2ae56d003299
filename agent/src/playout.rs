//! How a simulation goes on once it has left the tree.

use runtime::engine::{Lanes, Role};

/// A set of lanes, a bit each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LaneSet(Vec<u64>);

impl LaneSet {
    /// An empty set for so many lanes.
    #[must_use]
    pub fn new(lanes: usize) -> Self {
        Self(vec![0; lanes.div_ceil(64)])
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

    /// Appends the lanes that are also in `mask` (as [`Lanes::terminal`] gives
    /// it), ascending.
    pub fn intersect_into(&self, mask: &[u64], lanes: &mut Vec<usize>) {
        for (word, (own, other)) in self.0.iter().zip(mask).enumerate() {
            let mut common = own & other;
            while common != 0 {
                lanes.push(word * 64 + common.trailing_zeros() as usize);
                common &= common - 1;
            }
        }
    }
}

/// A simulation that has ended.
#[derive(Debug, Clone, Copy)]
pub struct Finished<'a> {
    /// The lane that played it.
    pub lane: usize,
    /// What each role got.
    pub goals: &'a [i32],
    /// Moves made from the root to the end.
    pub steps: u64,
}

/// A playout policy. Lanes move uniformly at random by themselves; a policy
/// that wants something else steers them between `evaluate` and `advance`.
pub trait Playout: Send {
    /// Called once a step with all lanes that play outside the tree: may
    /// [force](Lanes::force) their moves.
    fn steer(&mut self, lanes: &mut dyn Lanes, playing: &LaneSet);

    /// Called for every simulation that ends outside the tree.
    fn observe(&mut self, finished: &Finished<'_>);
}

/// Every legal move of every role equally likely.
#[derive(Debug, Clone, Copy, Default)]
pub struct Uniform;

impl Playout for Uniform {
    fn steer(&mut self, _lanes: &mut dyn Lanes, _playing: &LaneSet) {}

    fn observe(&mut self, _finished: &Finished<'_>) {}
}

/// The legal moves of every role in a lane, or the first role that has none.
///
/// # Errors
/// The role without a move: GDL requires one in every state that is not
/// terminal.
pub fn read_moves(
    lanes: &dyn Lanes,
    lane: usize,
    moves: &mut [Vec<runtime::engine::Move>],
) -> Result<(), Role> {
    for (role, moves) in moves.iter_mut().enumerate() {
        moves.clear();
        lanes.legal(lane, role, moves);
        if moves.is_empty() {
            return Err(role);
        }
    }
    Ok(())
}

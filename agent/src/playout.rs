//! How a simulation goes on once it has left the tree.

use runtime::engine::{Lanes, Role};

use crate::lane_set::LaneSet;

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

    /// Whether it wants to [observe](Playout::observe) how simulations end.
    fn observes(&self) -> bool {
        true
    }

    /// Called for every simulation that a lane plays to its end.
    fn observe(&mut self, finished: &Finished<'_>);
}

/// Every legal move of every role equally likely.
#[derive(Debug, Clone, Copy, Default)]
pub struct Uniform;

impl Playout for Uniform {
    fn steer(&mut self, _lanes: &mut dyn Lanes, _playing: &LaneSet) {}

    fn observes(&self) -> bool {
        false
    }

    fn observe(&mut self, _finished: &Finished<'_>) {}
}

/// The legal moves of every role in a lane, or the first role that has none.
///
/// # Errors
/// The role without a move: GDL requires one in every state that is not
/// terminal.
pub fn read_moves(
    lanes: &mut dyn Lanes,
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

//! What happened in every lane since its simulation left the tree, as far as
//! somebody wants to learn from it.

use gdl_runtime::engine::lanes_of;

use crate::lane_set::LaneSet;

/// Moves, states and goals of simulations, lane by lane.
#[derive(Debug)]
pub(super) struct Records {
    roles: usize,
    /// Lanes of which the moves are recorded.
    pub(super) moving: LaneSet,
    /// Lanes of which the states are recorded.
    pub(super) viewed: LaneSet,
    /// Lanes that play games sampled for a cutoff: their goals are recorded.
    pub(super) sampled: LaneSet,
    moves: Vec<Vec<u32>>,
    states: Vec<Vec<u64>>,
    goals: Vec<Vec<i32>>,
}

impl Records {
    pub(super) fn new(lanes: usize, roles: usize) -> Self {
        Self {
            roles,
            moving: LaneSet::new(lanes),
            viewed: LaneSet::new(lanes),
            sampled: LaneSet::new(lanes),
            moves: vec![Vec::new(); lanes],
            states: vec![Vec::new(); lanes],
            goals: vec![Vec::new(); lanes],
        }
    }

    /// Forgets what was recorded of these lanes.
    pub(super) fn clear(&mut self, lanes: &LaneSet) {
        for lane in lanes.iter() {
            self.moves[lane].clear();
            self.states[lane].clear();
            self.goals[lane].clear();
        }
    }

    /// Records no more of these lanes.
    pub(super) fn close(&mut self, lanes: &[u64]) {
        self.moving.remove_words(lanes);
        self.viewed.remove_words(lanes);
        self.sampled.remove_words(lanes);
    }

    /// Records the moves of all roles in the lanes of which that is wanted but
    /// for some, as `made` tells them: a role's moves in all lanes.
    pub(super) fn add_moves<'a>(&mut self, without: &LaneSet, made: impl Fn(usize) -> &'a [u32]) {
        let made: Vec<&[u32]> = (0..self.roles).map(made).collect();
        let lanes = self.moving.words().iter().zip(without.words());
        for (word, (&moving, &without)) in lanes.enumerate() {
            for lane in lanes_of(&[moving & !without]) {
                let lane = 64 * word + lane;
                self.moves[lane].extend(made.iter().map(|made| made[lane]));
            }
        }
    }

    /// Records a role's move in a lane, if that is wanted; roles in order.
    pub(super) fn add_move(&mut self, lane: usize, mv: u32) {
        if self.moving.contains(lane) {
            self.moves[lane].push(mv);
        }
    }

    /// Records the states of the lanes of which that is wanted, given the states
    /// of all lanes one after the other.
    pub(super) fn add_states(&mut self, table: &[u64]) {
        let words = table.len() / self.states.len();
        for lane in lanes_of(self.viewed.words()) {
            self.states[lane].extend_from_slice(&table[lane * words..][..words]);
        }
    }

    /// Records a goal value in a lane.
    pub(super) fn add_goal(&mut self, lane: usize, goal: i32) {
        self.goals[lane].push(goal);
    }

    /// The joint moves made in a lane, a number a role.
    pub(super) fn moves(&self, lane: usize) -> &[u32] {
        &self.moves[lane]
    }

    /// The words of the states in a lane.
    pub(super) fn states(&self, lane: usize) -> &[u64] {
        &self.states[lane]
    }

    /// The goal values in a lane.
    pub(super) fn goals(&self, lane: usize) -> &[i32] {
        &self.goals[lane]
    }
}

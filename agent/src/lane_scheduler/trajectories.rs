//! What happened in each lane since its simulation left the tree, as far as some
//! component observes it.

use gdl_runtime::engine::lanes_of;

use super::lane_set::LaneSet;

/// Moves, states and goals of simulations outside the tree, by lane.
#[derive(Debug)]
pub(super) struct PlayoutTrajectories {
    roles: usize,
    /// Lanes whose moves are recorded.
    pub(super) move_lanes: LaneSet,
    /// Lanes whose states are recorded.
    pub(super) state_lanes: LaneSet,
    /// Lanes whose simulation a cutoff samples, and whose goals are recorded.
    pub(super) goal_lanes: LaneSet,
    moves: Vec<Vec<u32>>,
    states: Vec<Vec<u64>>,
    goals: Vec<Vec<i32>>,
}

impl PlayoutTrajectories {
    pub(super) fn new(lanes: usize, roles: usize) -> Self {
        Self {
            roles,
            move_lanes: LaneSet::new(lanes),
            state_lanes: LaneSet::new(lanes),
            goal_lanes: LaneSet::new(lanes),
            moves: vec![Vec::new(); lanes],
            states: vec![Vec::new(); lanes],
            goals: vec![Vec::new(); lanes],
        }
    }

    /// Drops the moves and states recorded of these lanes.
    pub(super) fn clear(&mut self, lanes: &LaneSet) {
        for lane in lanes.iter() {
            self.moves[lane].clear();
            self.states[lane].clear();
        }
    }

    /// Records the goals of these lanes from now on.
    pub(super) fn begin_goals(&mut self, lanes: &LaneSet) {
        self.goal_lanes.add_all(lanes);
        lanes.iter().for_each(|lane| self.goals[lane].clear());
    }

    /// Stops recording these lanes.
    pub(super) fn close(&mut self, lanes: &[u64]) {
        self.move_lanes.remove_words(lanes);
        self.state_lanes.remove_words(lanes);
        self.goal_lanes.remove_words(lanes);
    }

    /// Records the moves of all roles in observed lanes other than `without`. `made`
    /// returns a role's moves in all lanes.
    pub(super) fn add_moves<'a>(&mut self, without: &LaneSet, made: impl Fn(usize) -> &'a [u32]) {
        let made: Vec<&[u32]> = (0..self.roles).map(made).collect();
        let lanes = self.move_lanes.words().iter().zip(without.words());
        for (word, (&observed, &without)) in lanes.enumerate() {
            for lane in lanes_of(&[observed & !without]) {
                let lane = 64 * word + lane;
                self.moves[lane].extend(made.iter().map(|made| made[lane]));
            }
        }
    }

    /// Records a role's move in a lane, if the lane is observed; roles in order.
    pub(super) fn add_move(&mut self, lane: usize, mv: u32) {
        if self.move_lanes.contains(lane) {
            self.moves[lane].push(mv);
        }
    }

    /// Records the states of observed lanes, given the states of all lanes one after
    /// another.
    pub(super) fn add_states(&mut self, table: &[u64]) {
        let words = table.len() / self.states.len();
        for lane in lanes_of(self.state_lanes.words()) {
            self.states[lane].extend_from_slice(&table[lane * words..][..words]);
        }
    }

    /// Records the state of an observed lane.
    pub(super) fn add_state(&mut self, lane: usize, state: &[u64]) {
        self.states[lane].extend_from_slice(state);
    }

    /// Records a goal value in a lane.
    pub(super) fn add_goal(&mut self, lane: usize, goal: i32) {
        self.goals[lane].push(goal);
    }

    /// The joint moves made in a lane, one number per role.
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

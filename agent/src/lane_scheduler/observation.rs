//! Observation: what is recorded of simulations, and passed to the components that
//! learn from them.

use super::LaneScheduler;
use crate::cutoff::{CutoffScore, DRAW};
use crate::episode::Episode;
use crate::playout::Observed;
use crate::search::searcher::Searcher;
use crate::tree::node::TreeNodeId;
use gdl_runtime::engine::lanes_of;

impl LaneScheduler {
    /// Records the moves made in observed lanes, except those of policies that are
    /// asked lane by lane, which are recorded when they are chosen.
    pub(super) fn record_moves(&mut self) {
        if !self.trajectories.move_lanes.is_empty() {
            let lanes = &self.lanes;
            self.trajectories
                .add_moves(&self.sampled_per_lane, |role| lanes.made(role));
        }
    }

    /// Records the positions in observed lanes.
    pub(super) fn record_positions(&mut self, searchers: &mut [Searcher]) {
        if !self.trajectories.state_lanes.is_empty() {
            let table = &mut self.buffers.policy.states;
            self.lanes.state_table(self.lanes.count(), table);
            self.trajectories.add_states(table);
        }
        if !self.trajectories.goal_lanes.is_empty() {
            let lanes = self.trajectories.goal_lanes.clone();
            for lane in lanes.iter() {
                self.lanes.goals(lane, &mut self.buffers.goals);
                let role = searchers[self.batches[self.batch_of[lane]].searcher].role;
                self.trajectories.add_goal(lane, self.buffers.goals[role]);
            }
        }
    }

    /// Records the state of the node at which the playouts of a batch begin, where they begin only
    /// after the positions of this step have been recorded.
    pub(super) fn record_start(&mut self, searcher: &Searcher, index: usize, node: TreeNodeId) {
        if searcher.observed == Observed::States {
            let state = searcher.tree.state(node);
            for lane in self.batches[index].lanes.iter() {
                self.trajectories.add_state(lane, state);
            }
        }
    }

    /// Lets searchers learn from the simulations that end in these lanes, as far as
    /// they observe them.
    pub(super) fn learn_from_lanes(
        &mut self,
        searchers: &mut [Searcher],
        lanes: &[u64],
        score: CutoffScore,
    ) {
        for lane in lanes_of(lanes) {
            let batch = &self.batches[self.batch_of[lane]];
            let searcher = &mut searchers[batch.searcher];
            let is_sample = batch.is_sample;
            if searcher.observed > Observed::Nothing {
                match score {
                    CutoffScore::Goals => self.lanes.goals(lane, &mut self.buffers.goals),
                    CutoffScore::Draw => self.buffers.goals.fill(DRAW),
                }
                self.learn_from_lane(searcher, lane);
            }
            if is_sample {
                self.sample(searcher, lane);
            }
        }
    }

    /// Lets a searcher's cutoff take the finished simulation in a lane as a sample.
    fn sample(&self, searcher: &mut Searcher, lane: usize) {
        if let Some(cutoff) = &mut searcher.settings.cutoff {
            let roles = self.buffers.goals.len();
            cutoff.sample(searcher.role, roles, self.trajectories.goals(lane));
        }
    }

    /// Takes a simulation that reaches the end of the game inside the tree as a sample.
    pub(super) fn sample_end(&mut self, searcher: &mut Searcher, lane: usize) {
        self.lanes.goals(lane, &mut self.buffers.goals);
        let goal = self.buffers.goals[searcher.role];
        self.trajectories.add_goal(lane, goal);
        self.sample(searcher, lane);
    }

    /// Lets a searcher learn from the simulation in a lane, whose goals are in the
    /// buffer.
    fn learn_from_lane(&mut self, searcher: &mut Searcher, lane: usize) {
        let batch = &mut self.batches[self.batch_of[lane]];
        let trajectory = &mut batch.trajectory;
        let (moves, states) = (trajectory.moves.len(), trajectory.states.len());
        let records = &self.trajectories;
        trajectory.moves.extend_from_slice(records.moves(lane));
        trajectory.states.extend_from_slice(records.states(lane));
        let episode = Episode {
            simulations: 1,
            goals: &self.buffers.goals,
            moves: &trajectory.moves,
            inside: batch.path.len(),
            states: &trajectory.states,
        };
        searcher.learn(&episode, &mut batch.continuations);
        if searcher.samples_per_lane {
            let plan = self.plans[lane];
            searcher.playout.end_playout(plan, &self.buffers.goals);
        }
        trajectory.moves.truncate(moves);
        trajectory.states.truncate(states);
    }

    /// Lets a searcher learn from a batch that ended inside the tree, at a node whose
    /// goals are in the buffer.
    pub(super) fn learn_from_batch(&mut self, searcher: &mut Searcher, index: usize) {
        let batch = &mut self.batches[index];
        let trajectory = &mut batch.trajectory;
        trajectory.follow(&searcher.tree, &batch.path, searcher.observed);
        if let (Observed::States, Some(leaf)) = (searcher.observed, batch.path.leaf()) {
            trajectory
                .states
                .extend_from_slice(searcher.tree.state(leaf));
        }
        let episode = Episode {
            simulations: batch.simulations,
            goals: &self.buffers.goals,
            moves: &trajectory.moves,
            inside: batch.path.len(),
            states: &trajectory.states,
        };
        searcher.learn(&episode, &mut batch.continuations);
    }
}

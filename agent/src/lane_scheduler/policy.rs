//! Policy application: weights are written to the lanes they apply to, and policies
//! that must be asked choose the moves of their lanes one by one.

use gdl_runtime::engine::{Move, NO_CHOICE, Pick, Role, lanes_of};

use super::lane_set::LaneSet;
use super::{LaneAssignment, LaneScheduler};
use crate::episode::number;
use crate::playout::history::MoveHistory;
use crate::playout::weights::WeightsVersion;
use crate::playout::{Observed, SamplingMode, Situation};
use crate::search::searcher::Searcher;

/// Steps between two updates of the lanes' weights where many simulations are in
/// flight: fewer than a playout takes.
const LEARNING_CHECK: u64 = 8;

/// Up to this number of simulations in flight, weights are updated at every step, so
/// that each simulation benefits from all before it.
const FEW: usize = 8;

/// What policies that are asked lane by lane see of all lanes.
#[derive(Debug, Default)]
pub(super) struct PolicyInputs {
    pub(super) states: Vec<u64>,
    /// The moves of each role.
    role_moves: Vec<Vec<Move>>,
    /// Which of them are legal: for each role one bitset per lane, one after another.
    legal: Vec<Vec<u64>>,
    moves: Vec<Move>,
    picks: Vec<Pick>,
}

impl PolicyInputs {
    /// The bits of a role's legal moves in one of this number of lanes.
    fn legal_in(&self, role: Role, lane: usize, lanes: usize) -> &[u64] {
        let words = self.legal[role].len() / lanes;
        &self.legal[role][lane * words..][..words]
    }

    /// Whether every role has a move in one of this number of lanes.
    fn has_moves(&self, lane: usize, lanes: usize) -> bool {
        let is_any = |role| {
            self.legal_in(role, lane, lanes)
                .iter()
                .any(|&bits| bits != 0)
        };
        (0..self.legal.len()).all(is_any)
    }
}

impl LaneScheduler {
    /// Prepares the lanes of a searcher, which another one may have used before, for its
    /// components and playout policy.
    pub fn attach(&mut self, searchers: &mut [Searcher], index: usize) {
        let searcher = &mut searchers[index];
        if searcher.observed >= Observed::Moves {
            self.lanes.observe_moves(true);
        }
        self.observing |= searcher.needs_observation();
        self.versions[index] = WeightsVersion::default();
        if let SamplingMode::Weighted(_) = searcher.playout.sampling_mode() {
            self.lanes.choose_by_weight(true);
        } else {
            let own = assigned_lanes(index, self.assignment, &self.all, &mut self.buffers.own);
            self.lanes.weigh_alike(own.words());
        }
        searchers[index].cost_model = self.cost_model();
        self.update_weights(searchers, index);
    }

    /// Brings the weights in a searcher's lanes up to date.
    pub(super) fn update_weights(&mut self, searchers: &mut [Searcher], index: usize) {
        let SamplingMode::Weighted(weights) = searchers[index].playout.sampling_mode() else {
            return;
        };
        if !weights.is_current(self.versions[index]) {
            let own = assigned_lanes(index, self.assignment, &self.all, &mut self.buffers.own);
            let lanes = &mut self.lanes;
            weights.update(&mut self.versions[index], |role, mv, weight| {
                lanes.weigh(own.words(), role, mv, weight);
            });
        }
    }

    /// Applies the playout policies to the lanes' next moves.
    pub(super) fn apply_policies(&mut self, searchers: &mut [Searcher]) {
        let due = self.step.is_multiple_of(LEARNING_CHECK);
        let few = self.occupied() <= FEW;
        if self.assignment == LaneAssignment::SingleSearcher && (due || few) {
            self.update_weights(searchers, 0);
        }
        if !self.sampled_per_lane.is_empty() {
            self.sample_per_lane(searchers);
        }
    }

    /// Asks policies for the moves of their lanes, and forces the lanes to make them.
    fn sample_per_lane(&mut self, searchers: &mut [Searcher]) {
        let mut inputs = std::mem::take(&mut self.buffers.policy);
        let count = self.lanes.count();
        self.lanes.state_table(count, &mut inputs.states);
        inputs.legal.resize_with(self.lanes.roles(), Vec::new);
        inputs.role_moves.resize_with(self.lanes.roles(), Vec::new);
        for role in 0..self.lanes.roles() {
            self.lanes.table_moves(role, &mut inputs.role_moves[role]);
            self.lanes.legal_table(role, count, &mut inputs.legal[role]);
        }
        let lanes = std::mem::take(&mut self.sampled_per_lane);
        for lane in lanes.iter() {
            let searcher = &mut searchers[self.batches[self.batch_of[lane]].searcher];
            if !inputs.has_moves(lane, count) {
                // Nothing can be chosen for a role that the rules leave without a move.
                (0..inputs.legal.len()).for_each(|_| self.trajectories.add_move(lane, NO_CHOICE));
                continue;
            }
            self.choose_in_lane(searcher, lane, &mut inputs);
            let own = &mut self.buffers.own;
            own.clear();
            own.insert(lane);
            self.lanes.force(own.words(), &inputs.picks);
        }
        self.sampled_per_lane = lanes;
        self.buffers.policy = inputs;
    }

    /// Asks a searcher's policy for the moves of all roles in a lane.
    fn choose_in_lane(&mut self, searcher: &mut Searcher, lane: usize, inputs: &mut PolicyInputs) {
        let count = self.batch_of.len();
        let words = inputs.states.len() / count;
        let state = &inputs.states[lane * words..][..words];
        let inside = &self.batches[self.batch_of[lane]].trajectory.moves;
        searcher.playout.resume_playout(self.plans[lane]);
        inputs.picks.clear();
        for role in 0..inputs.legal.len() {
            let mut moves = std::mem::take(&mut inputs.moves);
            moves.clear();
            let legal = lanes_of(inputs.legal_in(role, lane, count));
            moves.extend(legal.map(|index| inputs.role_moves[role][index]));
            inputs.moves = moves;
            let situation = Situation {
                role,
                state,
                moves: &inputs.moves,
            };
            let index = match inputs.moves.len() {
                1 => 0,
                _ => {
                    let outside = self.trajectories.moves(lane);
                    let history = MoveHistory::new(inputs.legal.len(), inside, outside);
                    let (playout, random) = (&mut searcher.playout, &mut searcher.random);
                    playout.choose_after(&situation, &history, random)
                }
            };
            let mv = inputs.moves[index];
            inputs.picks.push(Pick {
                mv,
                index: index as u32,
            });
            let alone = inputs.moves.len() == 1;
            self.trajectories.add_move(lane, number(mv, alone));
        }
    }
}

/// The lanes that a searcher may use; `own` is a buffer for them.
fn assigned_lanes<'a>(
    searcher: usize,
    assignment: LaneAssignment,
    all: &'a LaneSet,
    own: &'a mut LaneSet,
) -> &'a LaneSet {
    match assignment {
        LaneAssignment::SingleSearcher => all,
        LaneAssignment::OnePerSearcher => {
            own.clear();
            own.insert(searcher);
            own
        }
    }
}

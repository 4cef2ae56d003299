//! The lane scheduler: runs the simulations of searchers in the lanes of one machine.
//!
//! Simulations come in batches. A `SimulationBatch` follows one path through a
//! searcher's tree until it meets a node whose moves are unknown or a joint move
//! never made before (`selection`). Lanes are loaded with that node's state and forced
//! to make the move; the position they then hold is added to the tree (`expansion`).
//! From there each lane plays on outside the tree until the game ends, one
//! simulation per lane, as the playout policy wants (`policy`). Once the last lane of
//! the batch has ended, the goals are credited along the path (`backup`). All lanes
//! advance together, so a step costs work in a tree only for batches at either end
//! of their path and for lanes whose game ends.
//!
//! A batch has one lane where playouts are expensive, and many where they are so
//! cheap that work in the tree would dominate: see the
//! [cost model](crate::search::cost_model).
//!
//! A round is [`launch`](LaneScheduler::launch), [`evaluate`](LaneScheduler::evaluate),
//! [`process`](LaneScheduler::process), [`advance`](LaneScheduler::advance). Searchers
//! are needed in the first and the third only, so that several schedulers can share
//! one.

mod backup;
mod expansion;
pub mod lane_set;
mod observation;
mod policy;
mod selection;
mod simulation_batch;
mod trajectories;

use std::collections::BTreeMap;

use gdl_runtime::engine::{Lanes, Move, Pick};

use crate::playout::PlayoutPlan;
use crate::playout::weights::WeightsVersion;
use crate::search::cost_model::CostModel;
use crate::search::searcher::Searcher;
use lane_set::LaneSet;
use simulation_batch::{BatchPhase, SimulationBatch};
use trajectories::PlayoutTrajectories;

/// Steps between two checks for playouts that are too long.
const LENGTH_CHECK: u64 = 64;

/// Which lanes a searcher's simulations may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaneAssignment {
    /// There is one searcher, and it has all lanes.
    SingleSearcher,
    /// There are as many searchers as lanes, and each has the lane of its index.
    OnePerSearcher,
}

/// Buffers that are reused from step to step.
#[derive(Debug, Default)]
struct SchedulerBuffers {
    own: LaneSet,
    joint: Vec<u32>,
    picks: Vec<Pick>,
    moves: Vec<Vec<Move>>,
    goals: Vec<i32>,
    state: Vec<u64>,
    image: Vec<u64>,
    ended: LaneSet,
    batches: Vec<usize>,
    policy: policy::PolicyInputs,
}

/// The lanes of one machine, and the simulations in them.
pub struct LaneScheduler {
    lanes: Box<dyn Lanes>,
    assignment: LaneAssignment,
    /// One per lane; those not in use are listed in `idle`.
    batches: Vec<SimulationBatch>,
    idle: Vec<usize>,
    /// Batches about to make a move of the tree.
    selecting: Vec<usize>,
    /// Batches that have just made the last move of their path.
    expanding: Vec<usize>,
    /// Batches that continue from a state other than the one their lanes hold, with that state.
    reloading: Vec<(usize, Vec<u64>)>,
    /// All lanes.
    all: LaneSet,
    /// Lanes without a simulation, and their number.
    free: LaneSet,
    vacant: usize,
    /// Lanes that play outside the tree.
    playing: LaneSet,
    /// Those of them whose moves a policy chooses lane by lane.
    sampled_per_lane: LaneSet,
    /// The plan of the playout in each of those.
    plans: Vec<PlayoutPlan>,
    /// The batch of each occupied lane.
    batch_of: Vec<usize>,
    /// Batches to be cut off, by the step at which that is due.
    due: BTreeMap<u64, Vec<usize>>,
    trajectories: PlayoutTrajectories,
    /// Whether some searcher observes more of simulations than their returns.
    observing: bool,
    /// For each searcher, the version of its weights that its lanes have.
    versions: Vec<WeightsVersion>,
    step: u64,
    /// Moves made in occupied lanes.
    moves: u64,
    buffers: SchedulerBuffers,
}

impl LaneScheduler {
    /// A scheduler of all lanes of a machine, without simulations.
    #[must_use]
    pub fn new(lanes: Box<dyn Lanes>, assignment: LaneAssignment) -> Self {
        let (count, roles) = (lanes.count(), lanes.roles());
        let searchers = match assignment {
            LaneAssignment::SingleSearcher => 1,
            LaneAssignment::OnePerSearcher => count,
        };
        Self {
            assignment,
            batches: vec![SimulationBatch::new(roles, count); count],
            idle: (0..count).rev().collect(),
            selecting: Vec::new(),
            expanding: Vec::new(),
            reloading: Vec::new(),
            all: LaneSet::full(count),
            free: LaneSet::full(count),
            vacant: count,
            playing: LaneSet::new(count),
            sampled_per_lane: LaneSet::new(count),
            plans: vec![PlayoutPlan::default(); count],
            batch_of: vec![0; count],
            due: BTreeMap::new(),
            trajectories: PlayoutTrajectories::new(count, roles),
            observing: false,
            versions: vec![WeightsVersion::default(); searchers],
            step: 0,
            moves: 0,
            buffers: SchedulerBuffers {
                moves: vec![Vec::new(); roles],
                goals: vec![0; roles],
                own: LaneSet::new(count),
                ended: LaneSet::new(count),
                ..SchedulerBuffers::default()
            },
            lanes,
        }
    }

    /// The costs of the machine, as searchers need them.
    #[must_use]
    pub fn cost_model(&self) -> CostModel {
        CostModel {
            lanes: self.lanes.count(),
            operations: self.lanes.operations(),
        }
    }

    /// The number of steps of the machine so far, and of moves made in occupied lanes.
    #[must_use]
    pub fn work(&self) -> (u64, u64) {
        (self.step, self.moves)
    }

    /// The number of simulations that occupy a lane.
    #[must_use]
    pub fn occupied(&self) -> usize {
        self.batch_of.len() - self.vacant
    }

    /// The number of roles of the game.
    #[must_use]
    pub fn roles(&self) -> usize {
        self.lanes.roles()
    }

    /// The lanes without a simulation.
    #[must_use]
    pub fn free(&self) -> &LaneSet {
        &self.free
    }

    /// Evaluates the positions in all lanes.
    pub fn evaluate(&mut self) {
        self.lanes.evaluate();
    }

    /// Does all work in trees between evaluating positions and leaving them:
    /// expansion, the ends of simulations with their backup, and the choice of moves.
    pub fn process(&mut self, searchers: &mut [Searcher]) {
        self.expand(searchers);
        self.record_positions(searchers);
        self.end_terminal(searchers);
        self.cut_off(searchers);
        if self.step.is_multiple_of(LENGTH_CHECK) {
            self.end_long(searchers);
        }
        self.force_selected(searchers);
        self.apply_policies(searchers);
    }

    /// Makes a move in every lane.
    pub fn advance(&mut self) {
        self.moves += self.occupied() as u64;
        self.lanes.advance();
        self.record_moves();
        self.reload();
        self.step += 1;
    }

    /// Abandons all simulations in flight.
    pub fn abandon(&mut self, searchers: &mut [Searcher]) {
        for index in 0..self.batches.len() {
            let batch = &self.batches[index];
            if batch.phase == BatchPhase::Idle {
                continue;
            }
            let searcher = &mut searchers[batch.searcher];
            searcher.samples_in_flight -= u32::from(batch.is_sample);
            for (node, joint) in batch.path.steps() {
                searcher.tree.remove_pending(node, joint, batch.simulations);
                searcher.forget_simultaneous(node, joint, batch.simulations);
            }
            self.release(searchers, index);
        }
        self.selecting.clear();
        self.expanding.clear();
        self.reloading.clear();
        self.due.clear();
    }

    /// Frees a batch and the lanes it still occupies.
    fn release(&mut self, searchers: &mut [Searcher], index: usize) {
        let batch = &mut self.batches[index];
        batch.phase = BatchPhase::Idle;
        self.playing.remove_all(&batch.lanes);
        self.sampled_per_lane.remove_all(&batch.lanes);
        self.trajectories.close(batch.lanes.words());
        self.free.add_all(&batch.lanes);
        self.vacant += batch.active as usize;
        searchers[batch.searcher].in_flight -= batch.active as usize;
        batch.lanes.clear();
        batch.active = 0;
        self.idle.push(index);
    }
}

//! Carrying out playout policies: weights brought to the lanes that they are
//! for, and moves chosen by hand where a policy must be asked.

use gdl_runtime::engine::{Move, Pick, lanes_of};

use super::{Berths, Fleet};
use crate::episode::number;
use crate::lane_set::LaneSet;
use crate::mind::Mind;
use crate::playout::weights::Version;
use crate::playout::{Manner, Observed, Situation};

/// Steps between two looks at what policies have learned, where many simulations
/// are in flight: a playout takes longer than that.
const LEARNING_CHECK: u64 = 8;

/// So many simulations in flight are few: each is to know what those before it have
/// found.
const FEW: usize = 8;

/// What policies see of all lanes.
#[derive(Debug, Default)]
pub(super) struct Tables {
    states: Vec<u64>,
    /// For every role its moves, and which of them are legal in every lane: one
    /// bitset after another.
    places: Vec<Vec<Move>>,
    legal: Vec<Vec<u64>>,
    moves: Vec<Move>,
    picks: Vec<Pick>,
}

impl Fleet {
    /// A mind takes a seat that perhaps was another's: its lanes follow its
    /// policy from now on.
    pub fn seat(&mut self, minds: &mut [Mind], index: usize) {
        let mind = &mut minds[index];
        if mind.observed >= Observed::Moves {
            self.lanes.observe_moves(true);
        }
        self.curious |= mind.is_curious();
        self.versions[index] = Version::default();
        if let Manner::ByWeight(_) = mind.settings.playout.manner() {
            self.lanes.choose_by_weight(true);
        } else {
            let own = berths_of(index, self.berths, &self.all, &mut self.scratch.own);
            self.lanes.weigh_alike(own.words());
        }
        minds[index].machinery = self.machinery();
        self.bring_weights(minds, index);
    }

    /// Brings the weights in a mind's lanes up to date.
    pub(super) fn bring_weights(&mut self, minds: &mut [Mind], index: usize) {
        let Manner::ByWeight(weights) = minds[index].settings.playout.manner() else {
            return;
        };
        if !weights.is_current(self.versions[index]) {
            let own = berths_of(index, self.berths, &self.all, &mut self.scratch.own);
            let lanes = &mut self.lanes;
            weights.update(&mut self.versions[index], |role, mv, weight| {
                lanes.weigh(own.words(), role, mv, weight);
            });
        }
    }

    /// Makes the lanes' next moves what the policies want.
    pub(super) fn steer(&mut self, minds: &mut [Mind]) {
        let due = self.step.is_multiple_of(LEARNING_CHECK);
        let few = self.in_flight() <= FEW;
        if self.berths == Berths::All && (due || few) {
            self.bring_weights(minds, 0);
        }
        if !self.by_hand.is_empty() {
            self.choose_by_hand(minds);
        }
    }

    fn choose_by_hand(&mut self, minds: &mut [Mind]) {
        let mut tables = std::mem::take(&mut self.scratch.tables);
        self.lanes.state_table(&mut tables.states);
        tables.legal.resize_with(self.lanes.roles(), Vec::new);
        tables.places.resize_with(self.lanes.roles(), Vec::new);
        for role in 0..self.lanes.roles() {
            self.lanes.places(role, &mut tables.places[role]);
            self.lanes.legal_table(role, &mut tables.legal[role]);
        }
        let lanes = std::mem::take(&mut self.by_hand);
        for lane in lanes.iter() {
            let mind = &mut minds[self.flights[self.owners[lane]].mind];
            self.choose_in_lane(mind, lane, &mut tables);
            let own = &mut self.scratch.own;
            own.clear();
            own.insert(lane);
            self.lanes.force(own.words(), &tables.picks);
        }
        self.by_hand = lanes;
        self.scratch.tables = tables;
    }

    /// Asks a mind's policy for the moves of all roles in a lane.
    fn choose_in_lane(&mut self, mind: &mut Mind, lane: usize, tables: &mut Tables) {
        let count = self.owners.len();
        let words = tables.states.len() / count;
        let state = &tables.states[lane * words..][..words];
        tables.picks.clear();
        for (role, table) in tables.legal.iter().enumerate() {
            let words = table.len() / count;
            let legal = lanes_of(&table[lane * words..][..words]);
            tables.moves.clear();
            tables
                .moves
                .extend(legal.map(|place| tables.places[role][place]));
            let situation = Situation {
                role,
                state,
                moves: &tables.moves,
            };
            let index = match tables.moves.len() {
                0 => continue,
                1 => 0,
                _ => mind.settings.playout.choose(&situation, &mut mind.random),
            };
            let mv = tables.moves[index];
            tables.picks.push(Pick {
                mv,
                index: index as u32,
            });
            let alone = tables.moves.len() == 1;
            self.records.add_move(lane, number(mv, alone));
        }
    }

    /// Records what was made in the lanes that nobody chose for by hand.
    pub(super) fn record_moves(&mut self) {
        if !self.records.moving.is_empty() {
            let lanes = &self.lanes;
            self.records
                .add_moves(&self.by_hand, |role| lanes.made(role));
        }
    }

    /// Records the positions in the lanes of which that is wanted.
    pub(super) fn record_positions(&mut self, minds: &mut [Mind]) {
        if !self.records.viewed.is_empty() {
            let table = &mut self.scratch.tables.states;
            self.lanes.state_table(table);
            self.records.add_states(table);
        }
        if !self.records.sampled.is_empty() {
            let sampled = self.records.sampled.clone();
            for lane in sampled.iter() {
                self.lanes.goals(lane, &mut self.scratch.goals);
                let role = minds[self.flights[self.owners[lane]].mind].role;
                self.records.add_goal(lane, self.scratch.goals[role]);
            }
        }
    }
}

/// The lanes that a mind can have.
fn berths_of<'a>(
    mind: usize,
    berths: Berths,
    all: &'a LaneSet,
    own: &'a mut LaneSet,
) -> &'a LaneSet {
    match berths {
        Berths::All => all,
        Berths::OneEach => {
            own.clear();
            own.insert(mind);
            own
        }
    }
}

//! Simulations in flight over the lanes of one machine.
//!
//! A flight descends a mind's tree until it meets a node whose moves are not
//! known or a joint move nobody made before. Lanes are loaded with that node's
//! state, forced to make the move, and then hold a position that is perhaps new:
//! one node is added. From there every lane plays on outside the tree until the
//! game ends, a simulation each; when the last one has ended, their goals are
//! credited along the path. All lanes advance together, so a step costs work in
//! a tree only for flights that depart or arrive and for lanes that end.
//!
//! A flight has one lane where playouts are dear, and many where they are so
//! cheap that the tree's own work would outweigh them ([`Mind`] says how many).
//!
//! A round is [`launch`](Fleet::launch), [`evaluate`](Fleet::evaluate),
//! [`tend`](Fleet::tend), [`advance`](Fleet::advance). Minds are needed for the
//! first and the third only, so that several fleets can share one.

mod arrival;
mod departure;
mod learning;
mod records;
mod steering;

use std::collections::BTreeMap;

use gdl_runtime::engine::{Lanes, Move, Pick};

use crate::flight::{Flight, Phase};
use crate::lane_set::LaneSet;
use crate::mind::{Machinery, Mind};
use crate::playout::weights::Version;
use records::Records;

/// Steps between two looks for playouts that are too long.
const LENGTH_CHECK: u64 = 64;

/// Which lanes a mind's simulations may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Berths {
    /// There is one mind, and it has all lanes.
    All,
    /// There are as many minds as lanes, and each has the lane of its number.
    OneEach,
}

/// Space that is used again and again.
#[derive(Debug, Default)]
struct Scratch {
    own: LaneSet,
    joint: Vec<u32>,
    picks: Vec<Pick>,
    moves: Vec<Vec<Move>>,
    goals: Vec<i32>,
    state: Vec<u64>,
    ended: LaneSet,
    flights: Vec<usize>,
    tables: steering::Tables,
}

/// The lanes of one machine, and the simulations in them.
pub struct Fleet {
    lanes: Box<dyn Lanes>,
    berths: Berths,
    /// As many as there are lanes; those not in the air are in `idle`.
    flights: Vec<Flight>,
    idle: Vec<usize>,
    departing: Vec<usize>,
    arriving: Vec<usize>,
    /// All lanes.
    all: LaneSet,
    /// Lanes without a simulation, and their number.
    free: LaneSet,
    vacant: usize,
    /// Lanes that play outside the tree.
    playing: LaneSet,
    /// Those of them whose moves a policy chooses one by one.
    by_hand: LaneSet,
    /// The flight of every lane that has a simulation.
    owners: Vec<usize>,
    /// Flights to be cut off, by the step at which that is due.
    due: BTreeMap<u64, Vec<usize>>,
    records: Records,
    /// Whether some mind has parts that want more of simulations than returns.
    curious: bool,
    /// For every mind the version of its weights that its lanes have.
    versions: Vec<Version>,
    step: u64,
    /// Moves made in lanes that were in use.
    moves: u64,
    scratch: Scratch,
}

impl Fleet {
    /// All lanes of a machine, without simulations.
    #[must_use]
    pub fn new(lanes: Box<dyn Lanes>, berths: Berths) -> Self {
        let (count, roles) = (lanes.count(), lanes.roles());
        let minds = match berths {
            Berths::All => 1,
            Berths::OneEach => count,
        };
        Self {
            berths,
            flights: vec![Flight::new(roles, count); count],
            idle: (0..count).rev().collect(),
            departing: Vec::new(),
            arriving: Vec::new(),
            all: LaneSet::full(count),
            free: LaneSet::full(count),
            vacant: count,
            playing: LaneSet::new(count),
            by_hand: LaneSet::new(count),
            owners: vec![0; count],
            due: BTreeMap::new(),
            records: Records::new(count, roles),
            curious: false,
            versions: vec![Version::default(); minds],
            step: 0,
            moves: 0,
            scratch: Scratch {
                moves: vec![Vec::new(); roles],
                goals: vec![0; roles],
                own: LaneSet::new(count),
                ended: LaneSet::new(count),
                ..Scratch::default()
            },
            lanes,
        }
    }

    /// What the minds of this fleet have to know of its machine.
    #[must_use]
    pub fn machinery(&self) -> Machinery {
        Machinery {
            lanes: self.lanes.count(),
            operations: self.lanes.operations(),
        }
    }

    /// Steps of the machine so far, and the moves made in lanes that were in use.
    #[must_use]
    pub fn work(&self) -> (u64, u64) {
        (self.step, self.moves)
    }

    /// Simulations that have a lane.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.owners.len() - self.vacant
    }

    /// How many roles the game has.
    #[must_use]
    pub fn roles(&self) -> usize {
        self.lanes.roles()
    }

    /// Lanes without a simulation.
    #[must_use]
    pub fn free(&self) -> &LaneSet {
        &self.free
    }

    /// Finds out about the positions in all lanes.
    pub fn evaluate(&mut self) {
        self.lanes.evaluate();
    }

    /// All that happens between the halves of a step: arrivals, ends and
    /// departures.
    pub fn tend(&mut self, minds: &mut [Mind]) {
        self.arrive(minds);
        self.record_positions(minds);
        self.end_terminal(minds);
        self.cut_off(minds);
        if self.step.is_multiple_of(LENGTH_CHECK) {
            self.end_long(minds);
        }
        self.depart(minds);
        self.steer(minds);
    }

    /// A move in every lane.
    pub fn advance(&mut self) {
        self.moves += self.in_flight() as u64;
        self.lanes.advance();
        self.record_moves();
        self.step += 1;
    }

    /// Gives up all simulations in flight.
    pub fn abandon(&mut self, minds: &mut [Mind]) {
        for index in 0..self.flights.len() {
            let flight = &self.flights[index];
            if flight.phase == Phase::Free {
                continue;
            }
            let mind = &mut minds[flight.mind];
            mind.sampling -= u32::from(flight.sampled);
            for (node, joint) in flight.path.steps() {
                mind.tree.remove_pending(node, joint, flight.simulations);
            }
            self.release(minds, index);
        }
        self.departing.clear();
        self.arriving.clear();
        self.due.clear();
    }

    /// Puts a flight and the lanes that it still has out of use.
    fn release(&mut self, minds: &mut [Mind], index: usize) {
        let flight = &mut self.flights[index];
        flight.phase = Phase::Free;
        self.playing.remove_all(&flight.lanes);
        self.by_hand.remove_all(&flight.lanes);
        self.records.close(flight.lanes.words());
        self.free.add_all(&flight.lanes);
        self.vacant += flight.left as usize;
        minds[flight.mind].flying -= flight.left as usize;
        flight.lanes.clear();
        flight.left = 0;
        self.idle.push(index);
    }
}

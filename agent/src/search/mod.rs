//! The search: many simulations in flight over the lanes of one machine.
//!
//! A flight descends the tree until it meets a node whose moves are not known
//! or a joint move nobody made before. Lanes are loaded with that node's state,
//! forced to make the move, and then hold a position that is perhaps new: one
//! node is added. From there every lane plays on outside the tree until the
//! game ends, a simulation each; when the last one has ended, their goals are
//! credited along the path. All lanes advance together, so a step costs work in
//! the tree only for flights that depart or arrive and for lanes that end.
//!
//! A flight has one lane where playouts are dear, and many where they are so
//! cheap that the tree's own work would outweigh them (`share`).
//!
//! Repeatable: with a budget in simulations, everything follows from the
//! seeds and the number of lanes.

mod arrival;
mod departure;
mod share;

use std::time::Duration;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use runtime::engine::{Lanes, Move, Pick, State};

use crate::backup::Backup;
use crate::clock::{Budget, Clock};
use crate::edge::{Edge, Standing};
use crate::flight::{Flight, Phase};
use crate::lane_set::LaneSet;
use crate::playout::{Playout, Uniform};
use crate::selection::{Selection, Uct};
use crate::tree::{Mover, NodeId, Tree};

/// Steps between two looks for playouts that are too long.
const LENGTH_CHECK: u64 = 64;

/// Most steps between two looks at the clock: a step of a small game takes less
/// than looking.
const CLOCK_CHECK: u64 = 8;

/// Operations of the machine between two looks at the clock, if a step has fewer:
/// some microseconds.
const CLOCK_OPERATIONS: u64 = 20_000;

/// The parts and limits of a search.
pub struct Settings {
    /// How nodes are left.
    pub selection: Box<dyn Selection>,
    /// How games go on outside the tree.
    pub playout: Box<dyn Playout>,
    /// How results are credited.
    pub backup: Backup,
    /// How many simulations are in flight at a time, at most as many as there
    /// are lanes; by default it grows with the visits of the root, the sooner the
    /// longer a playout takes.
    pub in_flight: Option<usize>,
    /// How many lanes at most play on from every new node, each a simulation.
    /// More than one costs less in the tree, but learns from fewer nodes; by
    /// default as many as their costs suggest.
    pub playouts: Option<usize>,
    /// Bytes the tree may take (see [`Tree::new`]). A full tree no longer
    /// grows, but goes on to learn.
    pub memory: usize,
    /// Moves a playout may make outside the tree. A longer one ends there,
    /// within 64 moves, with the goals that hold at that point, as if the game
    /// had ended: games that need not end cannot hold up the search.
    pub longest_playout: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            selection: Box::new(Uct::default()),
            playout: Box::new(Uniform),
            backup: Backup::default(),
            in_flight: None,
            playouts: None,
            memory: 1 << 30,
            longest_playout: 4096,
        }
    }
}

/// What a search did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Report {
    /// Simulations finished.
    pub simulations: u64,
    /// Those of them that a lane played on outside the tree, to the end.
    pub played: u64,
    /// Flights finished: ways through the tree that simulations shared.
    pub flights: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// Nodes in the tree.
    pub nodes: usize,
    /// Bytes of the tree.
    pub bytes: usize,
    /// The most moves that a simulation made inside the tree.
    pub deepest: usize,
    /// Moves made inside the tree by all simulations.
    pub tree_steps: u64,
    /// Moves made outside the tree by all simulations.
    pub playout_steps: u64,
    /// Steps of the machine, each a move in every lane that is in use.
    pub steps: u64,
    /// Moves that lanes in use made: of `steps` times as many as there are
    /// lanes, the rest was idle.
    pub moves: u64,
}

/// Space that is used again and again.
#[derive(Debug, Default)]
struct Scratch {
    joint: Vec<u32>,
    picks: Vec<Pick>,
    moves: Vec<Vec<Move>>,
    goals: Vec<i32>,
    state: Vec<u64>,
    ended: LaneSet,
    flights: Vec<usize>,
}

/// A tree, a machine to play on, and the simulations between them.
pub struct Search {
    lanes: Box<dyn Lanes>,
    settings: Settings,
    tree: Tree,
    random: Xoshiro256PlusPlus,
    /// As many as there are lanes; those not in the air are in `idle`.
    flights: Vec<Flight>,
    idle: Vec<usize>,
    departing: Vec<usize>,
    arriving: Vec<usize>,
    /// Lanes without a simulation, and their number.
    free: LaneSet,
    vacant: usize,
    /// Lanes that play outside the tree.
    playing: LaneSet,
    /// The flight of every lane that has a simulation.
    owners: Vec<usize>,
    step: u64,
    report: Report,
    scratch: Scratch,
}

impl Search {
    /// A search of a game with so many roles on these lanes.
    #[must_use]
    pub fn new(lanes: Box<dyn Lanes>, roles: usize, settings: Settings, seed: u64) -> Self {
        let count = lanes.count();
        Self {
            tree: Tree::new(roles, settings.memory),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            flights: vec![Flight::new(roles, count); count],
            idle: (0..count).rev().collect(),
            departing: Vec::new(),
            arriving: Vec::new(),
            free: LaneSet::full(count),
            vacant: count,
            playing: LaneSet::new(count),
            owners: vec![0; count],
            step: 0,
            report: Report::default(),
            scratch: Scratch {
                moves: vec![Vec::new(); roles],
                goals: vec![0; roles],
                ended: LaneSet::new(count),
                ..Scratch::default()
            },
            lanes,
            settings,
        }
    }

    /// What has been learned so far.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Searches from a state, which must not be terminal, until the budget is
    /// spent or nothing is left to find out. What earlier searches found out
    /// below that state is used. `watch` is called about ten times a second.
    pub fn run(&mut self, state: &State, budget: Budget, watch: &mut dyn FnMut(&Report)) -> Report {
        let mut clock = Clock::start(budget);
        let mut next_watch = Duration::from_millis(100);
        self.report = Report::default();
        let Some(root) = self.plant(state) else {
            return self.report;
        };
        let rounds_a_look = match u64::from(self.lanes.operations()) {
            0 => 1,
            operations => (CLOCK_OPERATIONS / operations).clamp(1, CLOCK_CHECK),
        };
        for round in 0_u64.. {
            let look = round.is_multiple_of(rounds_a_look);
            if self.is_exhausted(root) || look && clock.expired() {
                break;
            }
            let settled = self.launch(root, &mut clock);
            if self.in_flight() > 0 {
                self.advance();
            } else if settled == 0 {
                break;
            }
            if !look {
                continue;
            }
            self.report.elapsed = clock.elapsed();
            if self.report.elapsed >= next_watch {
                next_watch = self.report.elapsed + Duration::from_millis(100);
                watch(&self.report);
            }
        }
        self.abandon();
        self.report.elapsed = clock.elapsed();
        self.report.nodes = self.tree.len();
        self.report.bytes = self.tree.bytes();
        self.report
    }

    /// Makes a state the root, and drops what no longer matters if memory is
    /// short.
    fn plant(&mut self, state: &State) -> Option<NodeId> {
        match self.tree.find(state) {
            Some(root) if self.tree.bytes() > self.settings.memory / 2 => {
                self.tree.keep_reachable(root)
            }
            Some(root) => Some(root),
            None => {
                self.tree = Tree::new(self.tree.roles(), self.settings.memory);
                self.tree.insert(&state.0).map(|(root, _)| root)
            }
        }
    }

    /// Whether simulations from a root can teach nothing more: its goals are
    /// proven, or those of all moves of the role that decides.
    fn is_exhausted(&self, root: NodeId) -> bool {
        let known = |edge: &Edge| edge.standing != Standing::Open;
        let all_known = || match self.tree.mover(root) {
            Mover::One(role) => self.tree.edges(root, role).iter().all(known),
            Mover::Several => false,
        };
        self.tree.outcome(root).is_some() || self.tree.is_expanded(root) && all_known()
    }

    /// Simulations that have a lane.
    fn in_flight(&self) -> usize {
        self.owners.len() - self.vacant
    }

    /// One step of the machine, and of all that happens between its halves.
    fn advance(&mut self) {
        self.lanes.evaluate();
        self.arrive();
        self.end_terminal();
        if self.step.is_multiple_of(LENGTH_CHECK) {
            self.end_long();
        }
        self.depart();
        self.settings.playout.steer(&mut *self.lanes, &self.playing);
        self.report.steps += 1;
        self.report.moves += self.in_flight() as u64;
        self.lanes.advance();
        self.step += 1;
    }

    /// Gives up all simulations in flight.
    fn abandon(&mut self) {
        for index in 0..self.flights.len() {
            let flight = &self.flights[index];
            if flight.phase != Phase::Free {
                for (node, joint) in flight.path.steps() {
                    self.tree.remove_pending(node, joint, flight.simulations);
                }
                self.release(index);
            }
        }
        self.departing.clear();
        self.arriving.clear();
    }

    /// Puts a flight and the lanes that it still has out of use.
    fn release(&mut self, index: usize) {
        let flight = &mut self.flights[index];
        flight.phase = Phase::Free;
        self.playing.remove_all(&flight.lanes);
        self.free.add_all(&flight.lanes);
        self.vacant += flight.left as usize;
        flight.lanes.clear();
        flight.left = 0;
        self.idle.push(index);
    }
}

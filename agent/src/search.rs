//! The search: many simulations in flight over the lanes of one machine.
//!
//! A simulation descends the tree until it meets a node whose moves are not
//! known or a joint move nobody made before. A lane is loaded with that node's
//! state, forced to make the move, and then holds a position that is perhaps
//! new: one node is added. From there the lane plays on outside the tree until
//! the game ends; the goals are credited along the path, and the lane takes
//! off again at once. All lanes advance together, so a step costs work in the
//! tree only for lanes that depart, arrive or end.
//!
//! Repeatable: with a budget in simulations, everything follows from the
//! seeds and the number of lanes.

use std::time::Duration;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use runtime::engine::{Lanes, Move, State};

use crate::backup::Backup;
use crate::clock::{Budget, Clock};
use crate::edge::{Edge, Standing};
use crate::flight::{Flight, Phase};
use crate::playout::{Finished, LaneSet, Playout, Uniform, read_moves};
use crate::selection::{Choice, Selection, Uct};
use crate::solver;
use crate::tree::{Mover, NodeId, OutcomeId, Tree};

/// Simulations that end at settled nodes, without a lane, between two steps of
/// the machine: bounds the time until the clock is looked at.
const SETTLED_AT_ONCE: u32 = 256;

/// Steps between two looks for playouts that are too long.
const LENGTH_CHECK: u64 = 64;

/// Visits of the root for every simulation in flight: fewer than one in
/// sixteen simulations is chosen without knowing the others' results.
const VISITS_PER_FLIGHT: u32 = 16;

/// The parts and limits of a search.
pub struct Settings {
    /// How nodes are left.
    pub selection: Box<dyn Selection>,
    /// How games go on outside the tree.
    pub playout: Box<dyn Playout>,
    /// How results are credited.
    pub backup: Backup,
    /// How many simulations are in flight at a time, at most as many as there
    /// are lanes; by default it grows with the visits of the root.
    pub in_flight: Option<usize>,
    /// How many lanes at most play on from every new node, each a simulation.
    /// More than one costs less in the tree, but learns from fewer nodes.
    pub playouts: usize,
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
            playouts: 1,
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

/// Where a descent ended.
enum Descent {
    /// At a node whose goals are known.
    Settled(OutcomeId),
    /// At a node whose state has to be loaded.
    Load(NodeId, Phase),
}

/// Space that is used again and again.
#[derive(Debug, Default)]
struct Scratch {
    joint: Vec<u32>,
    moves: Vec<Vec<Move>>,
    goals: Vec<i32>,
    returns: Vec<f64>,
    lanes: Vec<usize>,
}

/// A tree, a machine to play on, and the simulations between them.
pub struct Search {
    lanes: Box<dyn Lanes>,
    settings: Settings,
    tree: Tree,
    random: Xoshiro256PlusPlus,
    flights: Vec<Flight>,
    free: Vec<usize>,
    departing: Vec<usize>,
    arriving: Vec<usize>,
    /// Lanes that have just left the tree at a node that is worth more playouts.
    leaving: Vec<usize>,
    playing: LaneSet,
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
            flights: vec![Flight::new(roles); count],
            free: (0..count).rev().collect(),
            departing: Vec::new(),
            arriving: Vec::new(),
            leaving: Vec::new(),
            playing: LaneSet::new(count),
            step: 0,
            report: Report::default(),
            scratch: Scratch {
                moves: vec![Vec::new(); roles],
                goals: vec![0; roles],
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
        while !self.is_exhausted(root) && !clock.expired() {
            let settled = self.launch(root, &mut clock);
            if self.in_flight() > 0 {
                self.advance();
            } else if settled == 0 {
                break;
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
                self.tree.insert(state.clone()).map(|(root, _)| root)
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

    fn in_flight(&self) -> usize {
        self.flights.len() - self.free.len()
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

    /// Starts simulations on free lanes. Gives the number of simulations that
    /// ended at once.
    fn launch(&mut self, root: NodeId, clock: &mut Clock) -> u32 {
        let grown = (self.tree.visits(root) / VISITS_PER_FLIGHT) as usize;
        let wanted = self.settings.in_flight.unwrap_or(grown).max(1);
        self.multiply(wanted, clock);
        let mut settled = 0;
        while self.in_flight() < wanted && settled < SETTLED_AT_ONCE {
            let Some(&lane) = self.free.last() else { break };
            if self.is_exhausted(root) || !clock.allow() {
                break;
            }
            match self.descend(lane, root) {
                Descent::Settled(outcome) => {
                    settled += 1;
                    self.take_goals(outcome);
                    self.credit(lane, 0);
                    solver::prove(&mut self.tree, &self.flights[lane].path);
                }
                Descent::Load(node, phase) => {
                    self.free.pop();
                    self.lanes.load(lane, self.tree.state(node));
                    self.flights[lane].phase = phase;
                    match phase {
                        Phase::Departing => self.departing.push(lane),
                        _ => self.playing.insert(lane),
                    }
                }
            }
        }
        settled
    }

    /// Starts the further playouts of new nodes, as far as lanes are free and
    /// fewer simulations than `wanted` are in flight.
    fn multiply(&mut self, wanted: usize, clock: &mut Clock) {
        let mut leaving = std::mem::take(&mut self.leaving);
        for source in leaving.drain(..) {
            let Some(leaf) = self.flights[source].path.leaf() else {
                continue;
            };
            for _ in 1..self.settings.playouts {
                let Some(&lane) = self.free.last() else { break };
                let settled = self.tree.outcome(leaf).is_some();
                if settled || self.in_flight() >= wanted || !clock.allow() {
                    break;
                }
                self.free.pop();
                let path = self.flights[source].path.clone();
                for (node, joint) in path.steps() {
                    self.tree.add_pending(node, joint);
                }
                self.flights[lane].path = path;
                self.flights[lane].phase = Phase::Playing { since: self.step };
                self.lanes.load(lane, self.tree.state(leaf));
                self.playing.insert(lane);
            }
        }
        self.leaving = leaving;
    }

    /// Follows the selection from the root to where the tree ends, or to where
    /// it comes back to a node of the same descent.
    fn descend(&mut self, lane: usize, root: NodeId) -> Descent {
        self.flights[lane].path.clear();
        self.tree.begin_descent();
        let mut node = root;
        loop {
            let path = &mut self.flights[lane].path;
            if let Some(outcome) = self.tree.outcome(node) {
                path.end_at(node);
                return Descent::Settled(outcome);
            }
            if !self.tree.enter(node) {
                path.end_at(node);
                return Descent::Load(node, Phase::Playing { since: self.step });
            }
            if !self.tree.is_expanded(node) {
                path.end_at(node);
                return Descent::Load(node, Phase::Departing);
            }
            self.choose(lane, node);
            match self.tree.child(node, &self.scratch.joint) {
                Some(child) => node = child,
                None => return Descent::Load(node, Phase::Departing),
            }
        }
    }

    /// Adds a step to a lane's path: every role picks one of its moves.
    fn choose(&mut self, lane: usize, node: NodeId) {
        let at_root = self.flights[lane].path.len() == 0;
        let alone = self.tree.mover(node) != Mover::Several;
        let joint = &mut self.scratch.joint;
        joint.clear();
        for role in 0..self.tree.roles() {
            let span = self.tree.span(node, role);
            let picked = if span.len() == 1 {
                0
            } else {
                let choice = Choice {
                    node,
                    role,
                    at_root,
                    alone,
                    visits: self.tree.started(node),
                    edges: self.tree.edges(node, role),
                    scores: self.tree.scores(node, role),
                };
                self.settings.selection.choose(&choice, &mut self.random)
            };
            joint.push((span.start + picked) as u32);
        }
        self.tree.add_pending(node, joint);
        self.flights[lane].path.push(node, joint);
    }

    /// Lanes that hold the position after their path's last move: the node is
    /// looked up or added, and the playout begins.
    fn arrive(&mut self) {
        let mut arriving = std::mem::take(&mut self.arriving);
        for lane in arriving.drain(..) {
            let path = &mut self.flights[lane].path;
            let inserted = self.tree.insert(self.lanes.state(lane));
            if let Some((child, _)) = inserted {
                if let Some((node, joint)) = path.last() {
                    self.tree.link(node, joint, child);
                }
                path.end_at(child);
            }
            self.flights[lane].phase = Phase::Playing { since: self.step };
            self.playing.insert(lane);
            if inserted.is_some_and(|(_, new)| new) {
                self.leaving.push(lane);
            }
            let known = inserted.and_then(|(child, _)| self.tree.outcome(child));
            if let Some(outcome) = known {
                self.take_goals(outcome);
                self.land(lane, 0);
                solver::prove(&mut self.tree, &self.flights[lane].path);
            }
        }
        self.arriving = arriving;
    }

    /// Lanes whose game is over.
    fn end_terminal(&mut self) {
        let mut ended = std::mem::take(&mut self.scratch.lanes);
        self.playing
            .intersect_into(self.lanes.terminal(), &mut ended);
        for lane in ended.drain(..) {
            self.lanes.goals(lane, &mut self.scratch.goals);
            let beyond = self.beyond(lane);
            match self.flights[lane].path.leaf() {
                Some(leaf) if beyond == 0 => self.settle(lane, leaf),
                _ => self.land(lane, beyond),
            }
        }
        self.scratch.lanes = ended;
    }

    /// Lanes whose playout is too long.
    fn end_long(&mut self) {
        for lane in 0..self.flights.len() {
            let beyond = self.beyond(lane);
            if beyond > self.settings.longest_playout {
                self.lanes.goals(lane, &mut self.scratch.goals);
                self.land(lane, beyond);
            }
        }
    }

    /// Lanes that hold a node of the tree from which they are to move.
    fn depart(&mut self) {
        let mut departing = std::mem::take(&mut self.departing);
        for lane in departing.drain(..) {
            let unread = self.flights[lane].path.leaf();
            if unread.is_some_and(|node| !self.open(lane, node)) {
                continue;
            }
            let flight = &mut self.flights[lane];
            flight.phase = Phase::Arriving;
            if let Some((node, joint)) = flight.path.last() {
                let choices = &mut self.scratch.joint;
                choices.clear();
                choices.extend(
                    joint
                        .iter()
                        .enumerate()
                        .map(|(role, &edge)| edge - self.tree.span(node, role).start as u32),
                );
                self.lanes.force(lane, choices);
            }
            self.arriving.push(lane);
        }
        self.departing = departing;
    }

    /// Enters the moves of the node in a lane, and picks one. False if the lane
    /// does not go on from there: then it was dealt with.
    fn open(&mut self, lane: usize, node: NodeId) -> bool {
        if !self.tree.is_expanded(node) {
            if !self.tree.has_room() {
                self.flights[lane].phase = Phase::Playing { since: self.step };
                self.playing.insert(lane);
                return false;
            }
            // A role without a move: the rules say nothing more, so the game
            // ends here with the goals it has.
            if read_moves(&*self.lanes, lane, &mut self.scratch.moves).is_err() {
                self.lanes.goals(lane, &mut self.scratch.goals);
                self.settle(lane, node);
                return false;
            }
            self.tree.expand(node, &self.scratch.moves);
        }
        self.flights[lane].path.reopen();
        self.choose(lane, node);
        true
    }

    /// Moves a lane made outside the tree.
    fn beyond(&self, lane: usize) -> u64 {
        match self.flights[lane].phase {
            Phase::Playing { since } => self.step - since,
            _ => 0,
        }
    }

    fn take_goals(&mut self, outcome: OutcomeId) {
        let goals = self.tree.goals(outcome);
        self.scratch.goals.copy_from_slice(goals);
    }

    /// Ends a lane's simulation at a node whose goals, in `scratch`, are now
    /// known for good.
    fn settle(&mut self, lane: usize, node: NodeId) {
        if let Some(outcome) = self.tree.outcome_of(&self.scratch.goals) {
            self.tree.settle(node, outcome);
        }
        self.land(lane, 0);
        solver::prove(&mut self.tree, &self.flights[lane].path);
    }

    /// Ends a lane's simulation with the goals in `scratch`.
    fn land(&mut self, lane: usize, beyond: u64) {
        self.credit(lane, beyond);
        let steps = self.flights[lane].path.len() as u64 + beyond;
        self.settings.playout.observe(&Finished {
            lane,
            goals: &self.scratch.goals,
            steps,
        });
        self.release(lane);
    }

    fn release(&mut self, lane: usize) {
        self.flights[lane].phase = Phase::Free;
        self.playing.remove(lane);
        self.free.push(lane);
    }

    fn credit(&mut self, lane: usize, beyond: u64) {
        let path = &self.flights[lane].path;
        let Scratch { goals, returns, .. } = &mut self.scratch;
        self.settings
            .backup
            .apply(&mut self.tree, path, beyond, goals, returns);
        self.report.simulations += 1;
        self.report.deepest = self.report.deepest.max(path.len());
        self.report.tree_steps += path.len() as u64;
        self.report.playout_steps += beyond;
    }

    /// Gives up all simulations in flight.
    fn abandon(&mut self) {
        for lane in 0..self.flights.len() {
            if self.flights[lane].phase != Phase::Free {
                for (node, joint) in self.flights[lane].path.steps() {
                    self.tree.remove_pending(node, joint);
                }
                self.release(lane);
            }
        }
        self.departing.clear();
        self.arriving.clear();
        self.leaving.clear();
    }
}

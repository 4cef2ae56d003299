//! From the root to where the tree ends, and one move further.

use super::{Berths, Fleet};
use crate::flight::Phase;
use crate::mind::Mind;
use crate::selection::Choice;
use crate::tree::{Mover, NodeId, OutcomeId};
use gdl_runtime::engine::{Lanes, Move, Pick, Role};

/// Flights that end at settled nodes, without a lane, between two steps of the
/// machine: bounds the time until the clock is looked at.
const SETTLED_AT_ONCE: u32 = 256;

/// Where a descent ended.
enum Descent {
    /// At a node whose goals are known.
    Settled(OutcomeId),
    /// At a node whose state has to be loaded.
    Load(NodeId, Phase),
}

impl Fleet {
    /// Starts simulations of a mind on free lanes, as many as it wants. Gives the
    /// number of flights that ended at once.
    pub fn launch(&mut self, minds: &mut [Mind], owner: usize) -> u32 {
        self.launch_samples(minds, owner);
        let mind = &mut minds[owner];
        let Some(root) = mind.root else { return 0 };
        let share = mind.share();
        let wanted = mind.grown().max(share);
        let mut settled = 0;
        while self.has_room(owner, share) && minds[owner].flying + share <= wanted {
            let mind = &mut minds[owner];
            if settled >= SETTLED_AT_ONCE || mind.is_exhausted() {
                break;
            }
            let Some(index) = self.enlist(mind, owner, share as u32) else {
                break;
            };
            match self.descend(mind, index, root) {
                Descent::Settled(outcome) => {
                    settled += 1;
                    self.take_goals(mind, outcome);
                    self.settle_flight(minds, index);
                }
                Descent::Load(node, phase) => {
                    self.board(mind, index);
                    let lanes = self.flights[index].lanes.words();
                    self.lanes.load_all(lanes, mind.tree.state(node));
                    self.flights[index].phase = phase;
                    match phase {
                        Phase::Departing => self.departing.push(index),
                        _ => self.play_on(minds, index),
                    }
                }
            }
        }
        settled
    }

    /// Starts the games that a mind's cutoff wants to see, from the initial state
    /// and outside the tree.
    fn launch_samples(&mut self, minds: &mut [Mind], owner: usize) {
        while minds[owner].missing_samples() > 0 && self.has_room(owner, 1) {
            let mind = &mut minds[owner];
            let Some(index) = self.enlist(mind, owner, 1) else {
                break;
            };
            mind.sampling += 1;
            self.board(mind, index);
            self.flights[index].sampled = true;
            let lanes = self.flights[index].lanes.words();
            self.lanes.load_all(lanes, &mind.initial);
            self.play_on(minds, index);
        }
    }

    /// Whether a mind can have so many lanes more.
    fn has_room(&self, owner: usize, lanes: usize) -> bool {
        match self.berths {
            Berths::All => self.vacant >= lanes,
            Berths::OneEach => self.free.contains(owner),
        }
    }

    /// A flight of so many simulations, if the mind's budget allows any.
    fn enlist(&mut self, mind: &mut Mind, owner: usize, simulations: u32) -> Option<usize> {
        let index = self.idle.pop()?;
        let allowed = mind.clock.allow(simulations);
        if allowed == 0 {
            self.idle.push(index);
            return None;
        }
        self.flights[index].begin(owner, allowed);
        Some(index)
    }

    /// Gives a flight its lanes.
    fn board(&mut self, mind: &mut Mind, index: usize) {
        let flight = &mut self.flights[index];
        let count = flight.simulations as usize;
        match self.berths {
            Berths::All => self.free.take(count, &mut flight.lanes),
            Berths::OneEach => {
                self.free.remove(flight.mind);
                flight.lanes.insert(flight.mind);
            }
        }
        self.vacant -= count;
        mind.flying += count;
        flight.left = flight.simulations;
        for lane in flight.lanes.iter() {
            self.owners[lane] = index;
        }
    }

    /// Follows the selection from the root to where the tree ends, or to where
    /// it comes back to a node of the same descent.
    fn descend(&mut self, mind: &mut Mind, index: usize, root: NodeId) -> Descent {
        mind.tree.begin_descent(root);
        let mut node = root;
        loop {
            let path = &mut self.flights[index].path;
            if let Some(outcome) = mind.tree.outcome(node) {
                path.end_at(node);
                return Descent::Settled(outcome);
            }
            if !mind.tree.enter(node) {
                path.end_at(node);
                return Descent::Load(node, Phase::Playing { since: self.step });
            }
            if !mind.tree.is_expanded(node) {
                path.end_at(node);
                return Descent::Load(node, Phase::Departing);
            }
            self.choose(mind, index, node);
            match mind.tree.child(node, &self.scratch.joint) {
                Some(child) => node = child,
                None => return Descent::Load(node, Phase::Departing),
            }
        }
    }

    /// Adds a step to a flight's path: every role picks one of its moves.
    fn choose(&mut self, mind: &mut Mind, index: usize, node: NodeId) {
        let flight = &mut self.flights[index];
        let tree = &mind.tree;
        let settings = &mut mind.settings;
        let joint = &mut self.scratch.joint;
        joint.clear();
        joint.extend((0..tree.roles()).map(|role| tree.span(node, role).start as u32));
        let roles = match tree.mover(node) {
            Mover::One(role) => role..role + 1,
            Mover::Several => 0..tree.roles(),
        };
        let at_root = flight.path.len() == 0;
        for role in roles {
            let choice = Choice::new(tree, node, role, at_root);
            if choice.edges.len() > 1 {
                let playout = &mut *settings.playout;
                let picked = settings
                    .selection
                    .choose(&choice, playout, &mut mind.random);
                joint[role] += picked as u32;
            }
        }
        mind.tree.add_pending(node, joint, flight.simulations);
        flight.path.push(node, joint);
    }

    /// Flights that hold a node of the tree from which they are to move.
    pub(super) fn depart(&mut self, minds: &mut [Mind]) {
        let mut departing = std::mem::take(&mut self.departing);
        for index in departing.drain(..) {
            let unread = self.flights[index].path.leaf();
            if unread.is_some_and(|node| !self.open(minds, index, node)) {
                continue;
            }
            let flight = &mut self.flights[index];
            let tree = &minds[flight.mind].tree;
            flight.phase = Phase::Arriving;
            if let Some((node, joint)) = flight.path.last() {
                let picks = &mut self.scratch.picks;
                picks.clear();
                picks.extend(joint.iter().enumerate().map(|(role, &edge)| Pick {
                    mv: tree.edge(edge).mv,
                    index: edge - tree.span(node, role).start as u32,
                }));
                self.lanes.force(flight.lanes.words(), picks);
            }
            self.arriving.push(index);
        }
        self.departing = departing;
    }

    /// Enters the moves of the node that a flight holds, and picks one. False
    /// if the flight does not go on from there: then it was dealt with.
    fn open(&mut self, minds: &mut [Mind], index: usize, node: NodeId) -> bool {
        let owner = self.flights[index].mind;
        let tree = &mut minds[owner].tree;
        if !tree.is_expanded(node) {
            if !tree.has_room() {
                self.play_on(minds, index);
                return false;
            }
            // A role without a move: the rules say nothing more, so the game
            // ends here with the goals it has.
            let lane = self.flights[index].lane();
            if read_moves(&mut *self.lanes, lane, &mut self.scratch.moves).is_err() {
                self.settle_here(minds, index, node);
                return false;
            }
            tree.expand(node, &self.scratch.moves);
        }
        self.flights[index].path.reopen();
        self.choose(&mut minds[owner], index, node);
        true
    }
}

/// The legal moves of every role in a lane, or the first role that has none:
/// GDL requires one in every state that is not terminal.
fn read_moves(lanes: &mut dyn Lanes, lane: usize, moves: &mut [Vec<Move>]) -> Result<(), Role> {
    for (role, moves) in moves.iter_mut().enumerate() {
        moves.clear();
        lanes.legal(lane, role, moves);
        if moves.is_empty() {
            return Err(role);
        }
    }
    Ok(())
}

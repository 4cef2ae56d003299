//! From the root to where the tree ends, and one move further.

use super::Search;
use crate::clock::Clock;
use crate::flight::Phase;
use crate::playout::read_moves;
use crate::selection::Choice;
use crate::tree::{Mover, NodeId, OutcomeId};
use runtime::engine::Pick;

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

impl Search {
    /// Starts simulations on free lanes. Gives the number of flights that ended
    /// at once.
    pub(super) fn launch(&mut self, root: NodeId, clock: &mut Clock) -> u32 {
        let share = self.share(root);
        let grown = self.grown(root);
        let wanted = self.settings.in_flight.unwrap_or(grown).max(share);
        let mut settled = 0;
        while self.vacant >= share && self.in_flight() + share <= wanted {
            if settled >= SETTLED_AT_ONCE || self.is_exhausted(root) {
                break;
            }
            let (simulations, Some(index)) = (clock.allow(share as u32), self.idle.pop()) else {
                break;
            };
            if simulations == 0 {
                self.idle.push(index);
                break;
            }
            self.flights[index].begin(simulations);
            match self.descend(index, root) {
                Descent::Settled(outcome) => {
                    settled += 1;
                    self.take_goals(outcome);
                    self.settle_flight(index);
                }
                Descent::Load(node, phase) => self.board(index, node, phase),
            }
        }
        settled
    }

    /// Gives a flight its lanes, and loads them with the state of a node.
    fn board(&mut self, index: usize, node: NodeId, phase: Phase) {
        let flight = &mut self.flights[index];
        let count = flight.simulations as usize;
        self.free.take(count, &mut flight.lanes);
        self.vacant -= count;
        flight.left = flight.simulations;
        for lane in flight.lanes.iter() {
            self.owners[lane] = index;
        }
        self.lanes
            .load_all(flight.lanes.words(), self.tree.state(node));
        flight.phase = phase;
        match phase {
            Phase::Departing => self.departing.push(index),
            _ => self.playing.add_all(&flight.lanes),
        }
    }

    /// Follows the selection from the root to where the tree ends, or to where
    /// it comes back to a node of the same descent.
    fn descend(&mut self, index: usize, root: NodeId) -> Descent {
        self.tree.begin_descent(root);
        let mut node = root;
        loop {
            let path = &mut self.flights[index].path;
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
            self.choose(index, node);
            match self.tree.child(node, &self.scratch.joint) {
                Some(child) => node = child,
                None => return Descent::Load(node, Phase::Departing),
            }
        }
    }

    /// Adds a step to a flight's path: every role picks one of its moves.
    fn choose(&mut self, index: usize, node: NodeId) {
        let flight = &mut self.flights[index];
        let tree = &self.tree;
        let joint = &mut self.scratch.joint;
        joint.clear();
        joint.extend((0..tree.roles()).map(|role| tree.span(node, role).start as u32));
        let (alone, roles) = match tree.mover(node) {
            Mover::One(role) => (true, role..role + 1),
            Mover::Several => (false, 0..tree.roles()),
        };
        for role in roles {
            let choice = Choice {
                node,
                role,
                at_root: flight.path.len() == 0,
                alone,
                visits: tree.started(node),
                edges: tree.edges(node, role),
                scores: tree.scores(node, role),
            };
            if choice.edges.len() > 1 {
                let picked = self.settings.selection.choose(&choice, &mut self.random);
                joint[role] += picked as u32;
            }
        }
        self.tree.add_pending(node, joint, flight.simulations);
        flight.path.push(node, joint);
    }

    /// Flights that hold a node of the tree from which they are to move.
    pub(super) fn depart(&mut self) {
        let mut departing = std::mem::take(&mut self.departing);
        for index in departing.drain(..) {
            let unread = self.flights[index].path.leaf();
            if unread.is_some_and(|node| !self.open(index, node)) {
                continue;
            }
            let flight = &mut self.flights[index];
            flight.phase = Phase::Arriving;
            if let Some((node, joint)) = flight.path.last() {
                let picks = &mut self.scratch.picks;
                picks.clear();
                picks.extend(joint.iter().enumerate().map(|(role, &edge)| Pick {
                    mv: self.tree.edge(edge).mv,
                    index: edge - self.tree.span(node, role).start as u32,
                }));
                self.lanes.force(flight.lanes.words(), picks);
            }
            self.arriving.push(index);
        }
        self.departing = departing;
    }

    /// Enters the moves of the node that a flight holds, and picks one. False
    /// if the flight does not go on from there: then it was dealt with.
    fn open(&mut self, index: usize, node: NodeId) -> bool {
        if !self.tree.is_expanded(node) {
            if !self.tree.has_room() {
                self.play_on(index);
                return false;
            }
            // A role without a move: the rules say nothing more, so the game
            // ends here with the goals it has.
            let lane = self.flights[index].lane();
            if read_moves(&mut *self.lanes, lane, &mut self.scratch.moves).is_err() {
                self.settle_here(index, node);
                return false;
            }
            self.tree.expand(node, &self.scratch.moves);
        }
        self.flights[index].path.reopen();
        self.choose(index, node);
        true
    }
}

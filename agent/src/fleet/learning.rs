//! What minds are told of simulations that have ended.

use super::Fleet;
use crate::episode::Episode;
use crate::mind::Mind;
use crate::playout::Observed;

impl Fleet {
    /// Tells a mind of the simulation in a lane, whose goals are in `scratch`.
    pub(super) fn tell_lane(&mut self, mind: &mut Mind, lane: usize) {
        let flight = &mut self.flights[self.owners[lane]];
        let trail = &mut flight.trail;
        let (moves, states) = (trail.moves.len(), trail.states.len());
        trail.moves.extend_from_slice(self.records.moves(lane));
        trail.states.extend_from_slice(self.records.states(lane));
        let episode = Episode {
            simulations: 1,
            goals: &self.scratch.goals,
            moves: &trail.moves,
            inside: flight.path.len(),
            states: &trail.states,
        };
        mind.learn(&episode, &mut flight.sequels);
        trail.moves.truncate(moves);
        trail.states.truncate(states);
    }

    /// Tells a mind of a flight that ended inside the tree, at a node whose
    /// goals are in `scratch`.
    pub(super) fn tell_flight(&mut self, mind: &mut Mind, index: usize) {
        let flight = &mut self.flights[index];
        flight.trail.follow(&mind.tree, &flight.path, mind.observed);
        if let (Observed::States, Some(leaf)) = (mind.observed, flight.path.leaf()) {
            let state = mind.tree.state(leaf);
            flight.trail.states.extend_from_slice(state);
        }
        let episode = Episode {
            simulations: flight.simulations,
            goals: &self.scratch.goals,
            moves: &flight.trail.moves,
            inside: flight.path.len(),
            states: &flight.trail.states,
        };
        mind.learn(&episode, &mut flight.sequels);
    }
}

//! What minds are told of simulations that have ended.

use super::Fleet;
use super::steering::number;
use crate::episode::Episode;
use crate::flight::Path;
use crate::mind::Mind;
use crate::playout::Observed;
use crate::tree::Tree;

/// Space for an episode.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    moves: Vec<u32>,
    states: Vec<u64>,
}

impl Buffers {
    /// Fills in what happened inside the tree, and how many joint moves that is.
    fn fill(&mut self, tree: &Tree, path: &Path, observed: Observed) -> usize {
        self.moves.clear();
        self.states.clear();
        for (node, joint) in path.steps() {
            for (role, &edge) in joint.iter().enumerate() {
                let alone = tree.span(node, role).len() == 1;
                self.moves.push(number(tree.edge(edge).mv, alone));
            }
            if observed == Observed::States {
                self.states.extend_from_slice(tree.state(node));
            }
        }
        path.len()
    }
}

impl Fleet {
    /// Tells a mind of the simulation in a lane, whose goals are in `scratch`.
    pub(super) fn tell_lane(&mut self, mind: &mut Mind, lane: usize) {
        let flight = &self.flights[self.owners[lane]];
        let buffers = &mut self.scratch.episode;
        let inside = buffers.fill(&mind.tree, &flight.path, mind.observed);
        buffers.moves.extend_from_slice(self.records.moves(lane));
        buffers.states.extend_from_slice(self.records.states(lane));
        let episode = Episode {
            simulations: 1,
            goals: &self.scratch.goals,
            moves: &buffers.moves,
            inside,
            states: &buffers.states,
        };
        mind.learn(&flight.path, &episode);
    }

    /// Tells a mind of a flight that ended inside the tree, at a node whose
    /// goals are in `scratch`.
    pub(super) fn tell_flight(&mut self, mind: &mut Mind, index: usize) {
        let flight = &self.flights[index];
        let buffers = &mut self.scratch.episode;
        let observed = mind.observed;
        let inside = buffers.fill(&mind.tree, &flight.path, observed);
        if let (Observed::States, Some(leaf)) = (observed, flight.path.leaf()) {
            buffers.states.extend_from_slice(mind.tree.state(leaf));
        }
        let episode = Episode {
            simulations: flight.simulations,
            goals: &self.scratch.goals,
            moves: &buffers.moves,
            inside,
            states: &buffers.states,
        };
        mind.learn(&flight.path, &episode);
    }
}

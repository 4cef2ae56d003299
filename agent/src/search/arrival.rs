//! From the first position outside the tree to the end, and the credit for it.

use super::Search;
use crate::flight::Phase;
use crate::playout::Finished;
use crate::solver;
use crate::tree::{NodeId, OutcomeId};
use runtime::engine::lanes_of;

impl Search {
    /// Flights that hold the position after their path's last move: the node is
    /// looked up or added, and the playouts begin.
    pub(super) fn arrive(&mut self) {
        let mut arriving = std::mem::take(&mut self.arriving);
        for index in arriving.drain(..) {
            let flight = &mut self.flights[index];
            let lane = flight.lane();
            self.lanes.read_state(lane, &mut self.scratch.state);
            let inserted = self.tree.insert(&self.scratch.state);
            if let Some((child, _)) = inserted {
                if let Some((node, joint)) = flight.path.last() {
                    self.tree.link(node, joint, child);
                }
                flight.path.end_at(child);
            }
            let over = self.lanes.terminal()[lane / 64] >> (lane % 64) & 1 == 1;
            match inserted {
                Some((child, _)) => match self.tree.outcome(child) {
                    Some(outcome) => {
                        self.take_goals(outcome);
                        self.settle_flight(index);
                    }
                    None if over => self.settle_here(index, child),
                    None => self.play_on(index),
                },
                None => self.play_on(index),
            }
        }
        self.arriving = arriving;
    }

    /// Lets a flight's lanes play outside the tree from now on.
    pub(super) fn play_on(&mut self, index: usize) {
        let flight = &mut self.flights[index];
        flight.phase = Phase::Playing { since: self.step };
        self.playing.add_all(&flight.lanes);
    }

    /// Lanes whose game is over.
    pub(super) fn end_terminal(&mut self) {
        let mut ended = std::mem::take(&mut self.scratch.ended);
        ended.intersect(&self.playing, self.lanes.terminal());
        if !ended.is_empty() {
            self.end(ended.words());
        }
        self.scratch.ended = ended;
    }

    /// Lanes whose playout is too long.
    pub(super) fn end_long(&mut self) {
        for index in 0..self.flights.len() {
            let flight = &self.flights[index];
            if flight.moves_since(self.step) > self.settings.longest_playout {
                let lanes = flight.lanes.clone();
                self.end(lanes.words());
            }
        }
    }

    /// Ends the simulations in these lanes, which play outside the tree, with
    /// the goals that hold there.
    fn end(&mut self, lanes: &[u64]) {
        if self.settings.playout.observes() {
            self.observe(lanes);
        }
        let (step, backup) = (self.step, self.settings.backup);
        let (flights, owners) = (&mut self.flights, &self.owners);
        self.lanes.goals_all(lanes, &mut |role, value, set| {
            for lane in lanes_of(set) {
                let flight = &mut flights[owners[lane]];
                let worth = backup.worth(flight.moves_since(step));
                flight.returns[role] += f64::from(value) * worth;
            }
        });
        let mut finished = std::mem::take(&mut self.scratch.flights);
        self.playing.remove_words(lanes);
        self.free.add_words(lanes);
        for lane in lanes_of(lanes) {
            let index = self.owners[lane];
            let flight = &mut self.flights[index];
            self.vacant += 1;
            if flight.end(lane, flight.moves_since(self.step)) {
                finished.push(index);
            }
        }
        for index in finished.drain(..) {
            self.report.played += u64::from(self.flights[index].simulations);
            self.land(index);
        }
        self.scratch.flights = finished;
    }

    /// Tells the playout policy what the simulations in these lanes came to.
    fn observe(&mut self, lanes: &[u64]) {
        for lane in lanes_of(lanes) {
            self.lanes.goals(lane, &mut self.scratch.goals);
            let flight = &self.flights[self.owners[lane]];
            let steps = flight.path.len() as u64 + flight.moves_since(self.step);
            self.settings.playout.observe(&Finished {
                lane,
                goals: &self.scratch.goals,
                steps,
            });
        }
    }

    pub(super) fn take_goals(&mut self, outcome: OutcomeId) {
        let goals = self.tree.goals(outcome);
        self.scratch.goals.copy_from_slice(goals);
    }

    /// Ends a flight at the node that it holds, where the game ends: its goals
    /// are now known for good.
    pub(super) fn settle_here(&mut self, index: usize, node: NodeId) {
        let lane = self.flights[index].lane();
        self.lanes.goals(lane, &mut self.scratch.goals);
        if let Some(outcome) = self.tree.outcome_of(&self.scratch.goals) {
            self.tree.settle(node, outcome);
        }
        self.settle_flight(index);
    }

    /// Ends a flight at a settled node: all its simulations have the goals in
    /// `scratch`.
    pub(super) fn settle_flight(&mut self, index: usize) {
        let flight = &mut self.flights[index];
        let goals = self.scratch.goals.iter();
        for (sum, &goal) in flight.returns.iter_mut().zip(goals) {
            *sum = f64::from(goal) * f64::from(flight.simulations);
        }
        self.land(index);
        solver::prove(&mut self.tree, &self.flights[index].path);
    }

    /// Credits a flight of which all simulations have ended.
    fn land(&mut self, index: usize) {
        let flight = &mut self.flights[index];
        let (simulations, length) = (u64::from(flight.simulations), flight.path.len());
        self.settings.backup.apply(
            &mut self.tree,
            &flight.path,
            flight.simulations,
            &mut flight.returns,
        );
        self.report.simulations += simulations;
        self.report.flights += 1;
        self.report.deepest = self.report.deepest.max(length);
        self.report.tree_steps += length as u64 * simulations;
        self.report.playout_steps += flight.beyond;
        self.release(index);
    }
}

//! From the first position outside the tree to the end, and the credit for it.

use super::Fleet;
use crate::cutoff::Score;
use crate::flight::Phase;
use crate::mind::Mind;
use crate::playout::Observed;
use crate::solver;
use crate::tree::{NodeId, OutcomeId};
use gdl_runtime::engine::lanes_of;

/// The goal value of a draw.
const DRAW: i32 = 50;

impl Fleet {
    /// Flights that hold the position after their path's last move: the node is
    /// looked up or added, and the playouts begin.
    pub(super) fn arrive(&mut self, minds: &mut [Mind]) {
        let mut arriving = std::mem::take(&mut self.arriving);
        for index in arriving.drain(..) {
            let flight = &mut self.flights[index];
            let tree = &mut minds[flight.mind].tree;
            let lane = flight.lane();
            self.lanes.read_state(lane, &mut self.scratch.state);
            let inserted = tree.insert(&self.scratch.state);
            if let Some((child, _)) = inserted {
                if let Some((node, joint)) = flight.path.last() {
                    tree.link(node, joint, child);
                }
                flight.path.end_at(child);
            }
            let over = self.lanes.terminal()[lane / 64] >> (lane % 64) & 1 == 1;
            match inserted {
                Some((child, _)) => match tree.outcome(child) {
                    Some(outcome) => {
                        self.take_goals(&minds[self.flights[index].mind], outcome);
                        self.settle_flight(minds, index);
                    }
                    None if over => self.settle_here(minds, index, child),
                    None => self.play_on(minds, index),
                },
                None => self.play_on(minds, index),
            }
        }
        self.arriving = arriving;
    }

    /// Lets a flight's lanes play outside the tree from now on.
    pub(super) fn play_on(&mut self, minds: &mut [Mind], index: usize) {
        let flight = &mut self.flights[index];
        flight.phase = Phase::Playing { since: self.step };
        self.playing.add_all(&flight.lanes);
        if !self.curious {
            return;
        }
        let mind = &mut minds[flight.mind];
        let observed = mind.observed;
        if observed > Observed::Nothing {
            flight.trail.follow(&mind.tree, &flight.path, observed);
        }
        if observed >= Observed::Moves || flight.sampled {
            self.records.clear(&flight.lanes);
        }
        if observed >= Observed::Moves {
            self.records.moving.add_all(&flight.lanes);
        }
        if observed >= Observed::States {
            self.records.viewed.add_all(&flight.lanes);
        }
        if flight.sampled {
            self.records.sampled.add_all(&flight.lanes);
        }
        if mind.by_hand {
            self.by_hand.add_all(&flight.lanes);
        }
        let cutoff = mind.settings.cutoff.as_ref();
        if let (Some(cut), false) = (cutoff.and_then(|cutoff| cutoff.cut()), flight.sampled) {
            let due = self.due.entry(self.step + cut.after).or_default();
            due.push(index);
        }
    }

    /// Lanes whose game is over.
    pub(super) fn end_terminal(&mut self, minds: &mut [Mind]) {
        let mut ended = std::mem::take(&mut self.scratch.ended);
        ended.intersect(&self.playing, self.lanes.terminal());
        if !ended.is_empty() {
            self.end(minds, ended.words(), Score::Goals);
        }
        self.scratch.ended = ended;
    }

    /// Flights that their cutoff ends now.
    pub(super) fn cut_off(&mut self, minds: &mut [Mind]) {
        while let Some(due) = self.due.first_entry().filter(|due| *due.key() <= self.step) {
            for index in due.remove() {
                let flight = &self.flights[index];
                let cutoff = minds[flight.mind].settings.cutoff.as_ref();
                let cut = cutoff.and_then(|cutoff| cutoff.cut());
                // The flight may be another one by now.
                let due = |after| flight.moves_since(self.step) == after && !flight.sampled;
                if let Some(cut) = cut.filter(|cut| due(cut.after)) {
                    let lanes = flight.lanes.clone();
                    self.end(minds, lanes.words(), cut.score);
                }
            }
        }
    }

    /// Lanes whose playout is too long.
    pub(super) fn end_long(&mut self, minds: &mut [Mind]) {
        for index in 0..self.flights.len() {
            let flight = &self.flights[index];
            let longest = minds[flight.mind].settings.longest_playout;
            if flight.moves_since(self.step) > longest {
                let lanes = flight.lanes.clone();
                self.end(minds, lanes.words(), Score::Goals);
            }
        }
    }

    /// Ends the simulations in these lanes, which play outside the tree.
    fn end(&mut self, minds: &mut [Mind], lanes: &[u64], score: Score) {
        match score {
            Score::Goals => self.return_goals(minds, lanes),
            Score::Draw => self.return_draws(minds, lanes),
        }
        if self.curious {
            self.tell(minds, lanes, score);
        }
        let mut finished = std::mem::take(&mut self.scratch.flights);
        self.playing.remove_words(lanes);
        self.by_hand.remove_words(lanes);
        self.records.close(lanes);
        self.free.add_words(lanes);
        for lane in lanes_of(lanes) {
            let index = self.owners[lane];
            let flight = &mut self.flights[index];
            self.vacant += 1;
            minds[flight.mind].flying -= 1;
            if flight.end(lane, flight.moves_since(self.step)) {
                finished.push(index);
            }
        }
        for index in finished.drain(..) {
            let flight = &self.flights[index];
            minds[flight.mind].report.played += u64::from(flight.simulations);
            self.land(minds, index);
        }
        self.scratch.flights = finished;
    }

    /// Adds the goals that hold in these lanes to their flights' returns.
    fn return_goals(&mut self, minds: &[Mind], lanes: &[u64]) {
        let (step, flights, owners) = (self.step, &mut self.flights, &self.owners);
        self.lanes.goals_all(lanes, &mut |role, value, set| {
            for lane in lanes_of(set) {
                let flight = &mut flights[owners[lane]];
                let backup = minds[flight.mind].settings.backup;
                let worth = backup.worth(flight.moves_since(step));
                flight.returns[role] += f64::from(value) * worth;
            }
        });
    }

    /// Adds a draw for every lane to their flights' returns.
    fn return_draws(&mut self, minds: &[Mind], lanes: &[u64]) {
        for lane in lanes_of(lanes) {
            let flight = &mut self.flights[self.owners[lane]];
            let backup = minds[flight.mind].settings.backup;
            let worth = backup.worth(flight.moves_since(self.step));
            let returns = flight.returns.iter_mut();
            returns.for_each(|sum| *sum += f64::from(DRAW) * worth);
        }
    }

    /// Tells the minds what the simulations in these lanes came to, as far as
    /// they want to know.
    fn tell(&mut self, minds: &mut [Mind], lanes: &[u64], score: Score) {
        for lane in lanes_of(lanes) {
            let flight = &self.flights[self.owners[lane]];
            let mind = &mut minds[flight.mind];
            let (sampled, roles) = (flight.sampled, self.scratch.goals.len());
            if mind.observed > Observed::Nothing {
                match score {
                    Score::Goals => self.lanes.goals(lane, &mut self.scratch.goals),
                    Score::Draw => self.scratch.goals.fill(DRAW),
                }
                self.tell_lane(mind, lane);
            }
            if let (true, Some(cutoff)) = (sampled, &mut mind.settings.cutoff) {
                mind.sampling -= 1;
                cutoff.sample(mind.role, roles, self.records.goals(lane));
            }
        }
    }

    pub(super) fn take_goals(&mut self, mind: &Mind, outcome: OutcomeId) {
        let goals = mind.tree.goals(outcome);
        self.scratch.goals.copy_from_slice(goals);
    }

    /// Ends a flight at the node that it holds, where the game ends: its goals
    /// are now known for good.
    pub(super) fn settle_here(&mut self, minds: &mut [Mind], index: usize, node: NodeId) {
        let flight = &self.flights[index];
        self.lanes.goals(flight.lane(), &mut self.scratch.goals);
        let tree = &mut minds[flight.mind].tree;
        if let Some(outcome) = tree.outcome_of(&self.scratch.goals) {
            tree.settle(node, outcome);
        }
        self.settle_flight(minds, index);
    }

    /// Ends a flight at a settled node: all its simulations have the goals in
    /// `scratch`.
    pub(super) fn settle_flight(&mut self, minds: &mut [Mind], index: usize) {
        let flight = &mut self.flights[index];
        let goals = self.scratch.goals.iter();
        for (sum, &goal) in flight.returns.iter_mut().zip(goals) {
            *sum = f64::from(goal) * f64::from(flight.simulations);
        }
        let mind = flight.mind;
        if self.curious && minds[mind].observed > Observed::Nothing {
            self.tell_flight(&mut minds[mind], index);
        }
        self.land(minds, index);
        if minds[mind].settings.proves {
            solver::prove(&mut minds[mind].tree, &self.flights[index].path);
        }
    }

    /// Credits a flight of which all simulations have ended.
    fn land(&mut self, minds: &mut [Mind], index: usize) {
        let flight = &mut self.flights[index];
        let mind = &mut minds[flight.mind];
        let (simulations, length) = (u64::from(flight.simulations), flight.path.len());
        if !flight.sequels.is_empty() {
            let (path, inside) = (&flight.path, &flight.trail.moves);
            let selection = &mut mind.settings.selection;
            selection.learn(&mut mind.tree, path, inside, &flight.sequels);
        }
        mind.settings.backup.apply(
            &mut mind.tree,
            &flight.path,
            flight.simulations,
            &mut flight.returns,
        );
        let report = &mut mind.report;
        report.simulations += simulations;
        report.flights += 1;
        report.deepest = report.deepest.max(length);
        let inside = length as u64 * simulations;
        report.tree_steps += inside;
        report.playout_steps += flight.beyond;
        mind.clock.count_steps(inside + flight.beyond);
        let owner = flight.mind;
        self.release(minds, index);
        if self.berths == super::Berths::OneEach {
            self.bring_weights(minds, owner);
        }
    }
}

//! Backup: simulations end, and their results are credited along their path.

use super::{LaneAssignment, LaneScheduler};
use crate::credit::Credit;
use crate::cutoff::{CutoffScore, DRAW};
use crate::playout::Observed;
use crate::search::searcher::Searcher;
use crate::selection::proof_numbers;
use crate::solver;
use crate::tree::OutcomeId;
use crate::tree::node::TreeNodeId;
use gdl_runtime::engine::lanes_of;

impl LaneScheduler {
    /// Ends simulations whose game is over.
    pub(super) fn end_terminal(&mut self, searchers: &mut [Searcher]) {
        let mut ended = std::mem::take(&mut self.buffers.ended);
        ended.intersect(&self.playing, self.lanes.terminal());
        if !ended.is_empty() {
            self.end(searchers, ended.words(), CutoffScore::Goals);
        }
        self.buffers.ended = ended;
    }

    /// Ends batches whose cutoff is due.
    pub(super) fn cut_off(&mut self, searchers: &mut [Searcher]) {
        while let Some(due) = self.due.first_entry().filter(|due| *due.key() <= self.step) {
            for index in due.remove() {
                let batch = &self.batches[index];
                let cutoff = searchers[batch.searcher].settings.cutoff.as_ref();
                let cut = cutoff.and_then(|cutoff| cutoff.cut());
                // The batch may have been reused since.
                let due = |after| batch.moves_since(self.step) == after && !batch.is_sample;
                if let Some(cut) = cut.filter(|cut| due(cut.after)) {
                    let lanes = batch.lanes.clone();
                    self.end(searchers, lanes.words(), cut.score);
                }
            }
        }
    }

    /// Ends simulations whose playout is too long.
    pub(super) fn end_long(&mut self, searchers: &mut [Searcher]) {
        for index in 0..self.batches.len() {
            let batch = &self.batches[index];
            let longest = searchers[batch.searcher].settings.longest_playout;
            if batch.moves_since(self.step) > longest {
                let lanes = batch.lanes.clone();
                self.end(searchers, lanes.words(), CutoffScore::Goals);
            }
        }
    }

    /// Ends the simulations in these lanes, all of which play outside the tree.
    fn end(&mut self, searchers: &mut [Searcher], lanes: &[u64], score: CutoffScore) {
        match score {
            CutoffScore::Goals => self.return_goals(searchers, lanes),
            CutoffScore::Draw => self.return_draws(searchers, lanes),
        }
        if self.observing {
            self.learn_from_lanes(searchers, lanes, score);
        }
        let mut finished = std::mem::take(&mut self.buffers.batches);
        self.playing.remove_words(lanes);
        self.sampled_per_lane.remove_words(lanes);
        self.trajectories.close(lanes);
        self.free.add_words(lanes);
        for lane in lanes_of(lanes) {
            let index = self.batch_of[lane];
            let batch = &mut self.batches[index];
            self.vacant += 1;
            searchers[batch.searcher].in_flight -= 1;
            if batch.end(lane, batch.moves_since(self.step)) {
                finished.push(index);
            }
        }
        for index in finished.drain(..) {
            let batch = &self.batches[index];
            searchers[batch.searcher].report.played += u64::from(batch.simulations);
            self.complete(searchers, index);
        }
        self.buffers.batches = finished;
    }

    /// Adds the goals that hold in these lanes to the returns of their batches.
    fn return_goals(&mut self, searchers: &[Searcher], lanes: &[u64]) {
        let (step, batches, batch_of) = (self.step, &mut self.batches, &self.batch_of);
        self.lanes.goals_all(lanes, &mut |role, value, set| {
            for lane in lanes_of(set) {
                let batch = &mut batches[batch_of[lane]];
                let backup = searchers[batch.searcher].backup;
                let factor = backup.factor(batch.moves_since(step));
                batch.returns[role] += f64::from(value) * factor;
            }
        });
    }

    /// Adds a draw for each lane to the returns of their batches.
    fn return_draws(&mut self, searchers: &[Searcher], lanes: &[u64]) {
        for lane in lanes_of(lanes) {
            let batch = &mut self.batches[self.batch_of[lane]];
            let backup = searchers[batch.searcher].backup;
            let factor = backup.factor(batch.moves_since(self.step));
            let returns = batch.returns.iter_mut();
            returns.for_each(|sum| *sum += f64::from(DRAW) * factor);
        }
    }

    /// Copies the goals of a solved node to the buffer that
    /// [`complete_solved`](Self::complete_solved) reads.
    pub(super) fn take_goals(&mut self, searcher: &Searcher, outcome: OutcomeId) {
        let goals = searcher.tree.goals(outcome);
        self.buffers.goals.copy_from_slice(goals);
    }

    /// Completes a batch at the node that it holds, where the game ends, and marks the
    /// node as solved.
    pub(super) fn complete_terminal(
        &mut self,
        searchers: &mut [Searcher],
        index: usize,
        node: TreeNodeId,
    ) {
        let batch = &self.batches[index];
        self.lanes.goals(batch.lane(), &mut self.buffers.goals);
        let tree = &mut searchers[batch.searcher].tree;
        if let Some(outcome) = tree.outcome_of(&self.buffers.goals) {
            tree.mark_solved(node, outcome);
        }
        self.complete_solved(searchers, index);
    }

    /// Completes a batch at a solved node, whose goals are in the buffer: all its
    /// simulations get them.
    pub(super) fn complete_solved(&mut self, searchers: &mut [Searcher], index: usize) {
        let batch = &mut self.batches[index];
        let goals = self.buffers.goals.iter();
        for (sum, &goal) in batch.returns.iter_mut().zip(goals) {
            *sum = f64::from(goal) * f64::from(batch.simulations);
        }
        let owner = batch.searcher;
        if self.observing && searchers[owner].observed > Observed::Nothing {
            self.learn_from_batch(&mut searchers[owner], index);
        }
        searchers[owner].report.known += u64::from(self.batches[index].simulations);
        self.complete(searchers, index);
        if searchers[owner].settings.proves {
            solver::prove(&mut searchers[owner].tree, &self.batches[index].path);
        }
    }

    /// Credits and frees a batch all of whose simulations have ended.
    fn complete(&mut self, searchers: &mut [Searcher], index: usize) {
        let batch = &mut self.batches[index];
        let searcher = &mut searchers[batch.searcher];
        let (simulations, length) = (u64::from(batch.simulations), batch.path.len());
        if !batch.continuations.is_empty() {
            let (path, inside) = (&batch.path, &batch.trajectory.moves);
            let selection = &mut searcher.selection;
            selection.learn(&mut searcher.tree, path, inside, &batch.continuations);
        }
        if searcher.takes_credit {
            searcher.credit(&Credit {
                path: &batch.path,
                simulations: batch.simulations,
                returns: &batch.returns,
                discount: searcher.backup.discount(),
            });
        }
        searcher.backup.apply(
            &mut searcher.tree,
            &batch.path,
            batch.simulations,
            &mut batch.returns,
        );
        if searcher.settings.keeps_proof_numbers {
            proof_numbers::update(&mut searcher.tree, &batch.path);
        }
        let report = &mut searcher.report;
        report.simulations += simulations;
        report.batches += 1;
        report.deepest = report.deepest.max(length);
        let inside = length as u64 * simulations;
        report.tree_steps += inside;
        report.playout_steps += batch.playout_steps;
        searcher.clock.count_steps(inside + batch.playout_steps);
        if std::mem::take(&mut batch.is_sample) {
            searcher.samples_in_flight -= 1;
        }
        let owner = batch.searcher;
        self.release(searchers, index);
        if self.assignment == LaneAssignment::OnePerSearcher {
            self.update_weights(searchers, owner);
        }
    }
}

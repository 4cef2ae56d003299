//! Expansion: the position after a path's last move becomes a node, and playouts
//! begin there.

use super::LaneScheduler;
use super::simulation_batch::BatchPhase;
use crate::playout::Observed;
use crate::search::searcher::Searcher;

impl LaneScheduler {
    /// Looks up or adds the node of batches that have made the last move of their
    /// path, and starts their playouts.
    pub(super) fn expand(&mut self, searchers: &mut [Searcher]) {
        let mut expanding = std::mem::take(&mut self.expanding);
        for index in expanding.drain(..) {
            let batch = &mut self.batches[index];
            let tree = &mut searchers[batch.searcher].tree;
            let lane = batch.lane();
            self.lanes.read_state(lane, &mut self.buffers.state);
            let inserted = tree.insert(&self.buffers.state);
            if let Some((child, _)) = inserted {
                if let Some((node, joint)) = batch.path.last() {
                    tree.link(node, joint, child);
                }
                batch.path.end_at(child);
            }
            let over = self.lanes.terminal()[lane / 64] >> (lane % 64) & 1 == 1;
            match inserted {
                Some((child, _)) => match tree.outcome(child) {
                    Some(outcome) => {
                        self.take_goals(&searchers[self.batches[index].searcher], outcome);
                        self.complete_solved(searchers, index);
                    }
                    None if over => self.complete_terminal(searchers, index, child),
                    None => self.start_playouts(searchers, index),
                },
                None => self.start_playouts(searchers, index),
            }
        }
        self.expanding = expanding;
    }

    /// Lets a batch's lanes play outside the tree from now on.
    pub(super) fn start_playouts(&mut self, searchers: &mut [Searcher], index: usize) {
        let batch = &mut self.batches[index];
        batch.phase = BatchPhase::Playout { since: self.step };
        self.playing.add_all(&batch.lanes);
        if !self.observing {
            return;
        }
        let searcher = &mut searchers[batch.searcher];
        let observed = searcher.observed;
        if observed > Observed::Nothing {
            batch
                .trajectory
                .follow(&searcher.tree, &batch.path, observed);
        }
        let records = &mut self.trajectories;
        if observed >= Observed::Moves || batch.is_sample {
            records.clear(&batch.lanes);
        }
        if observed >= Observed::Moves {
            records.move_lanes.add_all(&batch.lanes);
        }
        if observed >= Observed::States {
            records.state_lanes.add_all(&batch.lanes);
        }
        if batch.is_sample {
            records.goal_lanes.add_all(&batch.lanes);
        }
        if searcher.samples_per_lane {
            self.sampled_per_lane.add_all(&batch.lanes);
            for lane in batch.lanes.iter() {
                self.plans[lane] = searcher.playout.begin_playout();
            }
        }
        let cutoff = searcher.settings.cutoff.as_ref();
        if let (Some(cut), false) = (cutoff.and_then(|cutoff| cutoff.cut()), batch.is_sample) {
            let due = self.due.entry(self.step + cut.after).or_default();
            due.push(index);
        }
    }
}

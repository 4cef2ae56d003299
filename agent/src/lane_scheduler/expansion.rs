//! Expansion: the position after a path's last move becomes a node, and playouts
//! begin there, or after a first move that is credited to it.

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
            if batch.is_grown {
                self.start_playouts(searchers, index);
                continue;
            }
            let searcher = &mut searchers[batch.searcher];
            let lane = batch.lane();
            let (state, image) = (&mut self.buffers.state, &mut self.buffers.image);
            self.lanes.read_state(lane, state);
            let is_image = searcher.replace_by_canonical(state, image);
            let (tree, growth) = (&mut searcher.tree, searcher.settings.growth);
            let inserted = tree.insert(&self.buffers.state);
            if let Some((child, _)) = inserted {
                if let Some((node, joint)) = batch.path.last() {
                    tree.link(node, joint, child);
                }
                batch.path.end_at(child);
            }
            let over = self.lanes.terminal()[lane / 64] >> (lane % 64) & 1 == 1;
            let Some((child, new)) = inserted else {
                self.start_playouts(searchers, index);
                continue;
            };
            let outcome = tree.outcome(child);
            let passes = growth.passes_known || batch.is_sample;
            // The lane of a sample is not reloaded, so it would not hold the node's state.
            let stays = !(is_image && batch.is_sample);
            let goes_on = !new && passes && stays && !batch.path.nodes().contains(&child);
            batch.is_grown = new && growth.credits_first && stays;
            if over && batch.is_sample {
                self.sample_end(searcher, lane);
            }
            match outcome {
                Some(outcome) => {
                    self.take_goals(searcher, outcome);
                    self.complete_solved(searchers, index);
                }
                None if over => self.complete_terminal(searchers, index, child),
                None if goes_on || self.batches[index].is_grown => {
                    self.batches[index].phase = BatchPhase::Selecting;
                    match is_image {
                        true => self.reloading.push((index, self.buffers.state.clone())),
                        false => self.selecting.push(index),
                    }
                }
                None => self.start_playouts(searchers, index),
            }
        }
        self.expanding = expanding;
    }

    /// Loads the lanes of batches that go on in the tree with the states of their nodes, where
    /// they hold an image of it.
    pub(super) fn reload(&mut self) {
        for (index, state) in self.reloading.drain(..) {
            let lanes = &self.batches[index].lanes;
            self.lanes.load_all(lanes.words(), &state);
            self.selecting.push(index);
        }
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
        if observed >= Observed::Moves {
            records.clear(&batch.lanes);
        }
        if observed >= Observed::Moves {
            records.move_lanes.add_all(&batch.lanes);
        }
        if observed >= Observed::States {
            records.state_lanes.add_all(&batch.lanes);
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

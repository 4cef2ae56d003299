//! Selection: from the root to where the tree ends, and one move further.

use super::simulation_batch::BatchPhase;
use super::{LaneAssignment, LaneScheduler};
use crate::playout::Situation;
use crate::search::searcher::Searcher;
use crate::selection::MoveChoice;
use crate::simultaneous::Encounter;
use crate::tree::node::TreeNodeId;
use crate::tree::{Mover, OutcomeId};
use gdl_runtime::engine::{Lanes, Move, Pick, Role};

/// Maximum number of batches that end at solved nodes, without a lane, between two
/// steps of the machine: bounds the time until the clock is checked.
const MAX_SOLVED_PER_LAUNCH: u32 = 256;

/// Where a descent ended.
enum Descent {
    /// At a node whose goals are known.
    Solved(OutcomeId),
    /// At a node whose state has to be loaded.
    Load(TreeNodeId, BatchPhase),
}

impl LaneScheduler {
    /// Starts as many simulations of a searcher on free lanes as it wants. Returns the
    /// number of batches that ended at once.
    pub fn launch(&mut self, searchers: &mut [Searcher], owner: usize) -> u32 {
        let searcher = &mut searchers[owner];
        let Some(root) = searcher.root else { return 0 };
        let playouts = searcher.playouts_per_leaf();
        let wanted = searcher.concurrency().max(playouts);
        let mut solved = 0;
        while self.has_room(owner, playouts) && searchers[owner].in_flight + playouts <= wanted {
            let searcher = &mut searchers[owner];
            if solved >= MAX_SOLVED_PER_LAUNCH || searcher.is_exhausted() {
                break;
            }
            let is_sample = searcher.missing_samples() > 0;
            let simulations = if is_sample { 1 } else { playouts as u32 };
            let Some(index) = self.allocate(searcher, owner, simulations) else {
                break;
            };
            let descent = match is_sample {
                true => self.begin_sample(searcher, index, root),
                false => self.descend(searcher, index, root),
            };
            match descent {
                Descent::Solved(outcome) => {
                    solved += 1;
                    self.take_goals(searcher, outcome);
                    self.complete_solved(searchers, index);
                }
                Descent::Load(node, phase) => {
                    self.assign(searcher, index);
                    let lanes = &self.batches[index].lanes;
                    if is_sample {
                        self.trajectories.begin_goals(lanes);
                    }
                    self.lanes
                        .load_all(lanes.words(), searcher.tree.state(node));
                    self.batches[index].phase = phase;
                    match phase {
                        BatchPhase::Selecting => self.selecting.push(index),
                        _ => self.start_playouts(searchers, index),
                    }
                }
            }
        }
        solved
    }

    /// Begins a simulation that a searcher's cutoff samples: its lane makes the moves of the
    /// tree one by one.
    fn begin_sample(&mut self, searcher: &mut Searcher, index: usize, root: TreeNodeId) -> Descent {
        searcher.samples_in_flight += 1;
        let batch = &mut self.batches[index];
        batch.is_sample = true;
        batch.path.end_at(root);
        Descent::Load(root, BatchPhase::Selecting)
    }

    /// Whether a searcher can have this many more lanes.
    fn has_room(&self, owner: usize, lanes: usize) -> bool {
        match self.assignment {
            LaneAssignment::SingleSearcher => self.vacant >= lanes,
            LaneAssignment::OnePerSearcher => self.free.contains(owner),
        }
    }

    /// Allocates a batch of at most this many simulations; `None` if the searcher's
    /// budget allows none.
    fn allocate(
        &mut self,
        searcher: &mut Searcher,
        owner: usize,
        simulations: u32,
    ) -> Option<usize> {
        let index = self.idle.pop()?;
        let allowed = searcher.clock.allow(simulations);
        if allowed == 0 {
            self.idle.push(index);
            return None;
        }
        self.batches[index].begin(owner, allowed);
        Some(index)
    }

    /// Assigns lanes to a batch.
    fn assign(&mut self, searcher: &mut Searcher, index: usize) {
        let batch = &mut self.batches[index];
        let count = batch.simulations as usize;
        match self.assignment {
            LaneAssignment::SingleSearcher => self.free.take(count, &mut batch.lanes),
            LaneAssignment::OnePerSearcher => {
                self.free.remove(batch.searcher);
                batch.lanes.insert(batch.searcher);
            }
        }
        self.vacant -= count;
        searcher.in_flight += count;
        batch.active = batch.simulations;
        for lane in batch.lanes.iter() {
            self.batch_of[lane] = index;
        }
    }

    /// Follows the selection rule from the root to where the tree ends, or to a node
    /// that the same descent has already visited.
    fn descend(&mut self, searcher: &mut Searcher, index: usize, root: TreeNodeId) -> Descent {
        searcher.tree.begin_descent(root);
        let mut node = root;
        loop {
            let path = &mut self.batches[index].path;
            if let Some(outcome) = searcher.tree.outcome(node) {
                path.end_at(node);
                return Descent::Solved(outcome);
            }
            if !searcher.tree.enter(node) {
                path.end_at(node);
                return Descent::Load(node, BatchPhase::Playout { since: self.step });
            }
            if !searcher.tree.is_expanded(node) {
                path.end_at(node);
                return Descent::Load(node, BatchPhase::Selecting);
            }
            self.select(searcher, index, node);
            match searcher.tree.child(node, &self.buffers.joint) {
                Some(child) => node = child,
                None => return Descent::Load(node, BatchPhase::Selecting),
            }
        }
    }

    /// Adds a step to a batch's path: each role picks one of its moves.
    fn select(&mut self, searcher: &mut Searcher, index: usize, node: TreeNodeId) {
        let batch = &mut self.batches[index];
        let tree = &searcher.tree;
        let joint = &mut self.buffers.joint;
        joint.clear();
        joint.extend((0..tree.roles()).map(|role| tree.span(node, role).start as u32));
        let roles = match (tree.mover(node), &mut searcher.simultaneous) {
            (Mover::One(role), _) => role..role + 1,
            (Mover::Several, None) => 0..tree.roles(),
            (Mover::Several, Some(rule)) => {
                let at = Encounter {
                    node,
                    role: searcher.role,
                    simulations: batch.simulations,
                };
                rule.choose(&mut searcher.tree, at, joint, &mut searcher.random);
                0..0
            }
        };
        let tree = &searcher.tree;
        for role in roles {
            let mut choice = MoveChoice::new(tree, batch.path.nodes(), node, role);
            if searcher.settings.closes && tree.best_proven(node).is_some() {
                choice.skip_proven();
            }
            if choice.edges.len() > 1 {
                let rule = match &mut searcher.opponents {
                    Some(opponents) if role != searcher.role => opponents,
                    _ => &mut searcher.selection,
                };
                let picked = rule.choose(&choice, &mut *searcher.playout, &mut searcher.random);
                joint[role] += picked as u32;
            }
        }
        searcher.tree.add_pending(node, joint, batch.simulations);
        batch.path.push(node, joint);
    }

    /// Forces the lanes of batches that hold a node of the tree to make the selected
    /// move.
    pub(super) fn force_selected(&mut self, searchers: &mut [Searcher]) {
        let mut selecting = std::mem::take(&mut self.selecting);
        for index in selecting.drain(..) {
            let unread = self.batches[index].path.leaf();
            if unread.is_some_and(|node| !self.open(searchers, index, node)) {
                continue;
            }
            let batch = &mut self.batches[index];
            let tree = &searchers[batch.searcher].tree;
            batch.phase = BatchPhase::Expanding;
            if let Some((node, joint)) = batch.path.last() {
                let picks = &mut self.buffers.picks;
                picks.clear();
                picks.extend(joint.iter().enumerate().map(|(role, &edge)| Pick {
                    mv: tree.edge(edge).mv,
                    index: edge - tree.span(node, role).start as u32,
                }));
                self.lanes.force(batch.lanes.words(), picks);
            }
            self.expanding.push(index);
        }
        self.selecting = selecting;
    }

    /// Enters the moves of the node that a batch holds, and selects one. Returns
    /// whether the batch goes on from there; if not, it has been dealt with.
    fn open(&mut self, searchers: &mut [Searcher], index: usize, node: TreeNodeId) -> bool {
        let owner = self.batches[index].searcher;
        let searcher = &mut searchers[owner];
        if !searcher.tree.is_expanded(node) {
            if !searcher.tree.has_room() {
                self.start_playouts(searchers, index);
                self.record_start(&searchers[owner], index, node);
                return false;
            }
            // A role without a move: the rules say nothing more, so the game
            // ends here with the goals it has.
            let lane = self.batches[index].lane();
            if read_moves(&mut *self.lanes, lane, &mut self.buffers.moves).is_err() {
                self.complete_terminal(searchers, index, node);
                return false;
            }
            searcher.expand(node, &self.buffers.moves);
        }
        let (batch, searcher) = (&mut self.batches[index], &mut searchers[owner]);
        batch.path.reopen();
        match batch.is_grown {
            true => self.begin_playout(searcher, index, node),
            false => self.select(searcher, index, node),
        }
        true
    }

    /// Adds the first move of a playout to a batch's path: the playout policy chooses for
    /// every role, unless a rule for simultaneous moves has to know what it is credited with.
    fn begin_playout(&mut self, searcher: &mut Searcher, index: usize, node: TreeNodeId) {
        let tree = &searcher.tree;
        if tree.mover(node) == Mover::Several && searcher.simultaneous.is_some() {
            self.select(searcher, index, node);
            return;
        }
        let joint = &mut self.buffers.joint;
        joint.clear();
        for role in 0..tree.roles() {
            let moves: Vec<Move> = tree.edges(node, role).iter().map(|edge| edge.mv).collect();
            let situation = Situation {
                role,
                state: tree.state(node),
                moves: &moves,
            };
            let picked = match moves.len() {
                1 => 0,
                _ => searcher.playout.choose(&situation, &mut searcher.random),
            };
            joint.push((tree.span(node, role).start + picked) as u32);
        }
        let batch = &mut self.batches[index];
        searcher.tree.add_pending(node, joint, batch.simulations);
        batch.path.push(node, joint);
    }
}

/// Reads the legal moves of every role in a lane.
///
/// # Errors
/// The first role that has none, although GDL requires one in every state that is not
/// terminal.
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

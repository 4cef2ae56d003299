//! Solves games of two roles whose goals always have the same sum: alpha-beta search with
//! null windows. Each search answers whether the first role can reach some goal, so that a
//! state is an OR node where that role decides and an AND node where the other one does.
//!
//! Moves are tried in the order of what is known: successors that the table or the rules
//! decide first, then by the history of the fluents that a move makes true (Schaeffer 1989,
//! for moves).

use gdl_agent::expander::Positions;
use gdl_runtime::engine::{Role, lanes_of};

use crate::game_tree::GameTree;
use crate::solution::{ExactSolver, GoalRange, Unsolved};
use crate::value_table::{LevelBounds, ValueTable};

/// The number of states that the table holds.
const SLOTS: usize = 1 << 22;

/// A solver, with all that it knows about its game.
pub struct TwoRoleSolver {
    tree: GameTree,
    /// The goal values of the first role, ascending. A level is an index into them.
    levels: Vec<i32>,
    /// The sum of the goals of both roles.
    sum: i32,
    table: ValueTable,
    /// For each role and fluent, how often a move that made it true was a refutation.
    history: [Vec<u32>; 2],
    buffers: Vec<Positions>,
    expanded: u64,
    limit: u64,
}

impl TwoRoleSolver {
    /// A solver of a game.
    ///
    /// # Errors
    /// If it does not have two roles, or their goals cannot have a constant sum.
    pub fn new(tree: GameTree) -> Result<Self, Unsolved> {
        if tree.roles() != 2 {
            return Err(Unsolved::OtherSum);
        }
        let levels = tree.goals(0).to_vec();
        let ends = levels.first().zip(tree.goals(1).last());
        let sum = ends.map(|(least, most)| least + most);
        let fluents = 64 * tree.words();
        Ok(Self {
            sum: sum.ok_or(Unsolved::OtherSum)?,
            levels,
            table: ValueTable::new(tree.words(), SLOTS),
            history: [vec![0; fluents], vec![0; fluents]],
            tree,
            buffers: Vec::new(),
            expanded: 0,
            limit: u64::MAX,
        })
    }

    /// Whether the first role reaches a level from a state.
    fn reaches(
        &mut self,
        positions: &Positions,
        index: usize,
        level: u8,
    ) -> Result<bool, Unsolved> {
        if let Some(known) = self.known(positions, index, level)? {
            return Ok(known);
        }
        if self.expanded >= self.limit {
            return Err(Unsolved::OverLimit);
        }
        let before = self.expanded;
        self.expanded += 1;
        let mut successors = self.buffers.pop().unwrap_or_default();
        let decider = self.tree.expand(positions, index, &mut successors)?;
        let reached = self.decide(positions.state(index), &successors, decider, level)?;
        self.buffers.push(successors);
        self.remember(positions.state(index), level, reached, before);
        Ok(reached)
    }

    /// Whether the first role reaches a level, if the rules or the table say so.
    fn known(
        &self,
        positions: &Positions,
        index: usize,
        level: u8,
    ) -> Result<Option<bool>, Unsolved> {
        if positions.terminal[index] {
            let goals = positions.goals(index);
            return match goals[0] + goals[1] == self.sum {
                true => Ok(Some(goals[0] >= self.levels[usize::from(level)])),
                false => Err(Unsolved::OtherSum),
            };
        }
        let bounds = self.table.find(positions.state(index));
        Ok(bounds.and_then(|bounds| {
            let is_known = level <= bounds.low || level > bounds.high;
            is_known.then_some(level <= bounds.low)
        }))
    }

    /// Enters that a level is reached or not.
    fn remember(&mut self, state: &[u64], level: u8, reached: bool, before: u64) {
        let highest = self.levels.len() as u8 - 1;
        let mut bounds = (self.table.find(state)).unwrap_or(LevelBounds {
            low: 0,
            high: highest,
        });
        if reached {
            bounds.low = level;
        } else {
            bounds.high = level - 1;
        }
        self.table.insert(state, bounds, self.expanded - before);
    }

    /// Whether the first role reaches a level where `decider` chooses among successors.
    fn decide(
        &mut self,
        state: &[u64],
        successors: &Positions,
        decider: Role,
        level: u8,
    ) -> Result<bool, Unsolved> {
        let wanted = decider == 0;
        let mut open = Vec::with_capacity(successors.len());
        for index in 0..successors.len() {
            match self.known(successors, index, level)? {
                Some(known) if known == wanted => return Ok(wanted),
                Some(_) => {}
                None => open.push((self.promise(decider, state, successors.state(index)), index)),
            }
        }
        open.sort_by_key(|&(promise, index)| (std::cmp::Reverse(promise), index));
        for (_, index) in open {
            if self.reaches(successors, index, level)? == wanted {
                self.reward(decider, state, successors.state(index));
                return Ok(wanted);
            }
        }
        Ok(!wanted)
    }

    /// The sum of the history of the fluents that a move makes true.
    fn promise(&self, role: Role, state: &[u64], successor: &[u64]) -> u32 {
        let history = &self.history[role];
        let mut sum: u32 = 0;
        for_each_made_true(state, successor, |fluent| {
            sum = sum.saturating_add(history[fluent]);
        });
        sum
    }

    /// Enters a refutation into the history.
    fn reward(&mut self, role: Role, state: &[u64], successor: &[u64]) {
        let history = &mut self.history[role];
        for_each_made_true(state, successor, |fluent| {
            history[fluent] = history[fluent].saturating_add(1);
        });
    }
}

/// Visits the fluents that hold in a successor and did not before.
fn for_each_made_true(state: &[u64], successor: &[u64], mut visit: impl FnMut(usize)) {
    for (word, (old, new)) in state.iter().zip(successor).enumerate() {
        lanes_of(&[new & !old]).for_each(|bit| visit(64 * word + bit));
    }
}

impl ExactSolver for TwoRoleSolver {
    fn tree(&mut self) -> &mut GameTree {
        &mut self.tree
    }

    fn allow(&mut self, states: u64) {
        self.limit = states;
        self.expanded = 0;
    }

    fn expanded(&self) -> u64 {
        self.expanded
    }

    fn solve(&mut self, positions: &Positions, index: usize) -> Result<Vec<GoalRange>, Unsolved> {
        let mut level = 0;
        while usize::from(level) + 1 < self.levels.len()
            && self.reaches(positions, index, level + 1)?
        {
            level += 1;
        }
        let goal = self.levels[usize::from(level)];
        Ok(vec![[goal; 2], [self.sum - goal; 2]])
    }
}

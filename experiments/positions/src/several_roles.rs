//! Solves games of any number of roles, each of which maximises its own goal (max^n: Luckhardt
//! and Irani 1986). What a role gets can depend on which of several equally good moves
//! another one makes; a state therefore has a range of goals for each role, which holds
//! however such ties are broken.

use std::rc::Rc;

use gdl_agent::expander::Positions;
use gdl_runtime::engine::Role;
use rustc_hash::FxHashMap;

use crate::game_tree::GameTree;
use crate::solution::{ExactSolver, GoalRange, Unsolved};

/// A solver, with all that it knows about its game.
pub struct SeveralRoleSolver {
    tree: GameTree,
    known: FxHashMap<Box<[u64]>, Rc<[GoalRange]>>,
    expanded: u64,
    limit: u64,
}

impl SeveralRoleSolver {
    /// A solver of a game.
    #[must_use]
    pub fn new(tree: GameTree) -> Self {
        Self {
            tree,
            known: FxHashMap::default(),
            expanded: 0,
            limit: u64::MAX,
        }
    }

    /// For each role, its range of goals from a state.
    fn ranges(&mut self, positions: &Positions, index: usize) -> Result<Rc<[GoalRange]>, Unsolved> {
        if positions.terminal[index] {
            return Ok(positions
                .goals(index)
                .iter()
                .map(|&goal| [goal; 2])
                .collect());
        }
        if let Some(known) = self.known.get(positions.state(index)) {
            return Ok(Rc::clone(known));
        }
        if self.expanded >= self.limit {
            return Err(Unsolved::OverLimit);
        }
        self.expanded += 1;
        let mut successors = Positions::default();
        let decider = self.tree.expand(positions, index, &mut successors)?;
        let ranges = (0..successors.len()).map(|index| self.ranges(&successors, index));
        let ranges = best_of(&ranges.collect::<Result<Vec<_>, _>>()?, decider);
        (self.known).insert(positions.state(index).into(), Rc::clone(&ranges));
        Ok(ranges)
    }
}

/// The ranges where a role decides among successors. It is sure of the highest least goal,
/// and makes no move whose greatest goal is below that.
fn best_of(successors: &[Rc<[GoalRange]>], decider: Role) -> Rc<[GoalRange]> {
    let sure = successors.iter().map(|ranges| ranges[decider][0]).max();
    let sure = sure.unwrap_or(0);
    let possible = (successors.iter()).filter(|ranges| ranges[decider][1] >= sure);
    let join = |joined: Rc<[GoalRange]>, ranges: &Rc<[GoalRange]>| {
        let pairs = joined.iter().zip(ranges.iter());
        pairs
            .map(|(one, other)| [one[0].min(other[0]), one[1].max(other[1])])
            .collect()
    };
    let joined = possible
        .cloned()
        .reduce(|joined, ranges| join(joined, &ranges));
    let mut joined: Vec<GoalRange> = joined.map_or(Vec::new(), |joined| joined.to_vec());
    if let Some(own) = joined.get_mut(decider) {
        own[0] = sure;
    }
    joined.into()
}

impl ExactSolver for SeveralRoleSolver {
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
        self.ranges(positions, index).map(|ranges| ranges.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::{GoalRange, best_of};
    use std::rc::Rc;

    fn ranges(successors: &[&[GoalRange]], decider: usize) -> Vec<GoalRange> {
        let successors: Vec<Rc<[GoalRange]>> =
            (successors.iter()).map(|&ranges| ranges.into()).collect();
        best_of(&successors, decider).to_vec()
    }

    #[test]
    fn ties_leave_open_what_others_get() {
        let one = [[50, 50], [100, 100], [0, 0]];
        let other = [[50, 50], [0, 0], [100, 100]];
        let worse = [[0, 0], [33, 33], [33, 33]];
        assert_eq!(
            ranges(&[&one, &other, &worse], 0),
            [[50, 50], [0, 100], [0, 100]]
        );
        assert_eq!(ranges(&[&one, &other, &worse], 1), one);
    }

    #[test]
    fn a_move_that_may_be_best_counts_for_others() {
        let unsure = [[0, 100], [0, 0]];
        let sure = [[50, 50], [50, 50]];
        assert_eq!(ranges(&[&unsure, &sure], 0), [[50, 100], [0, 50]]);
        assert_eq!(ranges(&[&unsure, &sure], 1), sure);
    }
}

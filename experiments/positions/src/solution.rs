//! What a solver finds out about a position: the value of every move.

use gdl_agent::expander::Positions;
use gdl_runtime::engine::{Move, Role};

use crate::game_tree::{GameTree, SimultaneousMoves};

/// Why a position is not solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unsolved {
    /// Several roles choose at once.
    #[error(transparent)]
    Simultaneous(#[from] SimultaneousMoves),
    /// The goals of two roles do not add up to what they do elsewhere in the game.
    #[error("the goals of the two roles do not always have the same sum")]
    OtherSum,
    /// It takes more states than the solver may expand.
    #[error("it takes too many states")]
    OverLimit,
}

/// The least and the greatest goal that a role can end up with under best play. They differ
/// only where that depends on which of several best moves another role makes.
pub type GoalRange = [i32; 2];

/// Finds out what all roles reach under best play.
pub trait ExactSolver {
    /// The tree that it searches.
    fn tree(&mut self) -> &mut GameTree;

    /// Allows this number of states to be expanded from now on.
    fn allow(&mut self, states: u64);

    /// The number of states expanded since the last call of [`allow`](Self::allow).
    fn expanded(&self) -> u64;

    /// For each role, what it ends up with from a state.
    ///
    /// # Errors
    /// If the state cannot be solved.
    fn solve(&mut self, positions: &Positions, index: usize) -> Result<Vec<GoalRange>, Unsolved>;
}

/// The value of every move in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The role that decides.
    pub role: Role,
    /// Its moves, each with what every role ends up with.
    pub moves: Vec<(Move, Vec<GoalRange>)>,
}

impl Solution {
    /// Solves the position at index 0.
    ///
    /// # Errors
    /// If it cannot be solved.
    pub fn of(solver: &mut dyn ExactSolver, positions: &Positions) -> Result<Self, Unsolved> {
        let mut successors = Positions::default();
        let role = solver.tree().expand(positions, 0, &mut successors)?;
        let picks = positions.moves(0, role).iter().enumerate();
        let moves = picks.map(|(index, pick)| Ok((pick.mv, solver.solve(&successors, index)?)));
        let moves = moves.collect::<Result<_, Unsolved>>()?;
        Ok(Self { role, moves })
    }

    /// The goal that the role that decides can be sure of.
    #[must_use]
    pub fn value(&self) -> i32 {
        let least = self.moves.iter().map(|(_, goals)| goals[self.role][0]);
        least.max().unwrap_or(0)
    }

    /// The best moves. `None` if it is not certain which they are, or how much they give,
    /// because some move may turn out better or worse as other roles choose among equals.
    #[must_use]
    pub fn right_moves(&self) -> Option<Vec<Move>> {
        let value = self.value();
        let (right, wrong): (Vec<_>, Vec<_>) = (self.moves.iter())
            .map(|(mv, goals)| (*mv, goals[self.role]))
            .partition(|&(_, [least, _])| least == value);
        let is_certain = right.iter().all(|(_, [_, most])| *most == value)
            && wrong.iter().all(|(_, [_, most])| *most < value);
        is_certain.then(|| right.into_iter().map(|(mv, _)| mv).collect())
    }

    /// For each role, its goal after the best moves, if all of them give it the same.
    #[must_use]
    pub fn goals(&self) -> Vec<Option<i32>> {
        let value = self.value();
        let right = |goals: &[GoalRange]| goals[self.role][0] == value;
        let best: Vec<_> = (self.moves.iter())
            .filter(|(_, goals)| right(goals))
            .collect();
        let goal = |who: Role| {
            let least = best.iter().map(|(_, goals)| goals[who][0]).min()?;
            let most = best.iter().map(|(_, goals)| goals[who][1]).max()?;
            (least == most).then_some(least)
        };
        let roles = self.moves.first().map_or(0, |(_, goals)| goals.len());
        (0..roles).map(goal).collect()
    }
}

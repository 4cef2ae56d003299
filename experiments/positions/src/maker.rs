//! Makes the positions of a class: samples, solves, and keeps those in which the choice of
//! the move matters.

use std::cmp::Reverse;
use std::path::Path;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::classes::PositionClass;
use crate::game_tree::{GameTree, GameTreeError};
use crate::position_set::{KnownPosition, PositionSet};
use crate::sampling::{self, SampledPosition};
use crate::several_roles::SeveralRoleSolver;
use crate::solution::{ExactSolver, Solution, Unsolved};
use crate::two_roles::TwoRoleSolver;

/// Games to play for each position before fewer positions are accepted.
const GAMES_PER_POSITION: usize = 200;

/// Makes the positions of a class.
pub struct Maker<'a> {
    class: &'a PositionClass,
    solver: Box<dyn ExactSolver>,
    limit: u64,
    expanded: u64,
}

/// The solver for a game: alpha-beta for two roles, all states for more.
///
/// # Errors
/// If the goals of two roles cannot have a constant sum.
pub fn solver(tree: GameTree) -> Result<Box<dyn ExactSolver>, Unsolved> {
    match tree.roles() {
        2 => Ok(Box::new(TwoRoleSolver::new(tree)?)),
        _ => Ok(Box::new(SeveralRoleSolver::new(tree))),
    }
}

/// The value of a position and its right moves, as it is recorded. `None` if all moves give
/// the same, or it is not certain which are best.
///
/// # Errors
/// If it cannot be solved by expanding `limit` states.
pub fn evaluate(
    solver: &mut dyn ExactSolver,
    sampled: &SampledPosition,
    class: &str,
    empty: u32,
    limit: u64,
) -> Result<Option<KnownPosition>, Unsolved> {
    solver.allow(limit);
    let solution = Solution::of(solver, &sampled.positions)?;
    let right = solution.right_moves();
    let Some(right) = right.filter(|right| right.len() < solution.moves.len()) else {
        return Ok(None);
    };
    let expanded = solver.expanded();
    let tree = solver.tree();
    let names = right.iter().map(|&mv| tree.move_name(solution.role, mv));
    let roles = tree.engine().roles();
    let goals = roles.iter().zip(solution.goals());
    Ok(Some(KnownPosition {
        class: class.to_owned(),
        empty,
        moves: sampled.moves.clone(),
        role: roles[solution.role].clone(),
        goals: goals
            .filter_map(|(role, goal)| Some((role.clone(), goal?)))
            .collect(),
        right: names.collect(),
        legal: solution.moves.len(),
        expanded,
    }))
}

impl<'a> Maker<'a> {
    /// A maker that solves a position by expanding at most `limit` states.
    ///
    /// # Errors
    /// If the game cannot be opened, or cannot be solved.
    pub fn new(class: &'a PositionClass, limit: u64) -> anyhow::Result<Self> {
        let sheet = PositionSet::sheet(Path::new(class.sheet));
        let solver = solver(GameTree::open(&sheet)?)?;
        Ok(Self {
            class,
            solver,
            limit,
            expanded: 0,
        })
    }

    /// Makes positions with this number of empty cells. `found` is called for each
    /// candidate.
    ///
    /// # Errors
    /// If several roles choose at once, or the goals of two have no constant sum.
    pub fn make(
        &mut self,
        empty: u32,
        seed: u64,
        found: &mut dyn FnMut(),
    ) -> anyhow::Result<Vec<KnownPosition>> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed.rotate_left(32) ^ u64::from(empty));
        let mut seen: Vec<Box<[u64]>> = Vec::new();
        let mut candidates = Vec::new();
        for _ in 0..self.class.each * GAMES_PER_POSITION {
            if candidates.len() == self.class.each * self.class.candidates {
                break;
            }
            let Some(sampled) = self.sample(empty, &mut random)? else {
                continue;
            };
            let state = sampled.positions.state(0);
            if seen.iter().any(|earlier| **earlier == *state) {
                continue;
            }
            seen.push(state.into());
            let name = self.class.name;
            let evaluated = evaluate(&mut *self.solver, &sampled, name, empty, self.limit);
            self.expanded += self.solver.expanded();
            match evaluated {
                Ok(Some(position)) => {
                    found();
                    candidates.push(position);
                }
                Ok(None) | Err(Unsolved::OverLimit) => {}
                Err(error) => return Err(error.into()),
            }
        }
        candidates.sort_by_key(|position| Reverse(position.expanded));
        candidates.truncate(self.class.each);
        Ok(candidates)
    }

    /// The states expanded so far, including those for positions that were left out.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    fn sample(
        &mut self,
        empty: u32,
        random: &mut Xoshiro256PlusPlus,
    ) -> Result<Option<SampledPosition>, GameTreeError> {
        let cells = self.class.cells;
        let mut is_wanted =
            |tree: &GameTree, state: &[u64]| tree.empty_cells(state, cells) == empty;
        sampling::play(self.solver.tree(), random, &mut is_wanted)
    }
}

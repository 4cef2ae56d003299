//! [`Match`]: a game played on the reference engine.

use super::{DEFAULT_SEED, GAMES_EACH};
use crate::common;
use gdl_engines::EngineKind;
use gdl_runtime::engine::{Engine, Position, State};
use rand::SeedableRng as _;
use rand::rngs::StdRng;
use std::cmp::Ordering;

/// Draughts is the longest: its clock runs out after 80 plies without progress.
const MAX_STEPS: usize = 2000;

/// A game in play, one joint move after the other.
pub struct Match {
    engine: Box<dyn Engine>,
    state: State,
}

impl Match {
    /// A game in its initial state.
    pub fn new(game: &str) -> Self {
        let engine = common::load(&common::game(game), EngineKind::Reference);
        let state = engine.initial();
        Self { engine, state }
    }

    /// Plays some random games, and calls `see` in every position but the last of each.
    pub fn see_random_games(game: &str, mut see: impl FnMut(&mut Self)) {
        let mut rng = StdRng::seed_from_u64(gdl_testing::seed_or(DEFAULT_SEED));
        let mut played = Self::new(game);
        for _ in 0..GAMES_EACH {
            played.restart();
            played.play_out(&mut rng, &mut see);
        }
    }

    /// A game in a given state: facts in brackets.
    pub fn at(game: &str, facts: &str) -> Self {
        let mut found = Self::new(game);
        found.set(facts);
        found
    }

    /// Goes to a given state: facts in brackets.
    pub fn set(&mut self, facts: &str) {
        let facts: Vec<String> = facts
            .split_inclusive(')')
            .map(|fact| fact.trim().to_owned())
            .collect();
        let state = self.engine.state(&facts);
        self.state = state.unwrap_or_else(|fact| panic!("there is no {}", fact.0));
    }

    pub fn restart(&mut self) {
        self.state = self.engine.initial();
    }

    /// The role to move makes its move, all others wait.
    pub fn turn(&mut self, mv: &str) {
        let roles = 0..self.engine.roles().len();
        let joint: Vec<String> = roles
            .map(|role| match self.legal(role).as_slice() {
                [only] if only == "noop" => only.clone(),
                names => {
                    assert!(names.iter().any(|name| name == mv), "{mv}: {names:?}");
                    mv.to_owned()
                }
            })
            .collect();
        self.state = common::advance(self.engine.as_mut(), &self.state, &joint);
    }

    /// Asserts the goals that follow from what the first and the second role have, such as
    /// pieces: who has more wins, and equal numbers are a draw.
    pub fn assert_ahead(&mut self, first: usize, second: usize) {
        let expected = match first.cmp(&second) {
            Ordering::Greater => [100, 0],
            Ordering::Equal => [50, 50],
            Ordering::Less => [0, 100],
        };
        assert_eq!(self.goals(), expected, "{:?}", self.facts());
    }

    pub fn turns(&mut self, moves: &[&str]) {
        moves.iter().for_each(|mv| self.turn(mv));
    }

    /// All roles move at once.
    pub fn together(&mut self, moves: &[&str]) {
        let joint: Vec<String> = moves.iter().map(|&mv| mv.to_owned()).collect();
        self.state = common::advance(self.engine.as_mut(), &self.state, &joint);
    }

    /// The legal moves of a role, sorted.
    pub fn legal(&mut self, role: usize) -> Vec<String> {
        let moves = self.position().legal.swap_remove(role);
        let names = moves.iter().map(|&mv| self.engine.move_name(role, mv));
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    pub fn position(&mut self) -> Position {
        self.engine.examine(&self.state)
    }

    pub fn facts(&self) -> Vec<String> {
        self.engine.facts(&self.state)
    }

    pub fn holds(&self, fact: &str) -> bool {
        self.facts().iter().any(|held| held == fact)
    }

    /// The facts of a relation, without its name and the brackets.
    pub fn facts_of(&self, relation: &str) -> Vec<String> {
        let facts = self.facts();
        let inner = facts
            .iter()
            .filter_map(|fact| fact.strip_prefix('(')?.strip_suffix(')'));
        inner
            .filter_map(|fact| fact.strip_prefix(relation)?.strip_prefix(' '))
            .map(str::to_owned)
            .collect()
    }

    /// The goal values in this state, one per role.
    pub fn goals(&mut self) -> Vec<i32> {
        let only = |goals: &Vec<i32>| match goals.as_slice() {
            [goal] => *goal,
            goals => panic!("not one goal value but {goals:?}"),
        };
        self.position().goals.iter().map(only).collect()
    }

    /// The goal values at the end, one per role.
    pub fn result(&mut self) -> Option<Vec<i32>> {
        self.position().terminal.then(|| self.goals())
    }

    /// Plays at random to the end, and calls `see` in every state but the last; every
    /// role must always have a move.
    pub fn play_out(&mut self, rng: &mut StdRng, mut see: impl FnMut(&mut Self)) -> Vec<i32> {
        for _ in 0..MAX_STEPS {
            if let Some(goals) = self.result() {
                return goals;
            }
            see(self);
            let joint = common::random_joint(&self.position(), rng);
            self.state = self.engine.next(&self.state, &joint);
        }
        panic!("no end within {MAX_STEPS} steps");
    }
}

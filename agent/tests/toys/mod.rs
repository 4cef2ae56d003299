//! Small games written by hand, and an engine over them: what the agent is
//! tested on, independent of every other engine.
#![allow(missing_docs, dead_code, clippy::unwrap_used)]

mod games;
pub mod riddles;
pub mod simultaneous;
pub mod traps;

pub use games::*;

use gdl_runtime::engine::{
    Engine, LaneObservation, LanePlayouts, LaneSets, LaneSteps, LaneWeights, Lanes, Move,
    NO_CHOICE, Pick, Position, Role, State, StepSequence, Tally, UnknownFact, lanes_of,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;

/// A state of any toy.
pub type Words = [u64; 3];

/// The rules of a small game.
pub trait Toy: Copy + Send + 'static {
    fn roles(&self) -> Vec<String>;
    fn initial(&self) -> Words;
    fn terminal(&self, state: &Words) -> bool;
    fn goal(&self, state: &Words, role: Role) -> i32;
    fn legal(&self, state: &Words, role: Role, moves: &mut Vec<Move>);
    fn next(&self, state: &Words, joint: &[Move]) -> Words;
}

pub struct ToyEngine<T> {
    toy: T,
    roles: Vec<String>,
    lanes: usize,
}

impl<T: Toy> ToyEngine<T> {
    pub fn new(toy: T, lanes: usize) -> Self {
        let roles = toy.roles();
        Self { toy, roles, lanes }
    }
}

fn words(state: &State) -> Words {
    state.0[..].try_into().unwrap()
}

pub fn pack(words: Words) -> State {
    State(words.into())
}

impl<T: Toy> Engine for ToyEngine<T> {
    fn name(&self) -> String {
        "toy".to_owned()
    }

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> State {
        pack(self.toy.initial())
    }

    fn facts(&self, state: &State) -> Vec<String> {
        vec![format!("(words {:x?})", state.0)]
    }

    fn state(&mut self, facts: &[String]) -> Result<State, UnknownFact> {
        Err(UnknownFact(facts.concat()))
    }

    fn examine(&mut self, state: &State) -> Position {
        let state = words(state);
        let legal = |role| {
            let mut moves = Vec::new();
            self.toy.legal(&state, role, &mut moves);
            moves
        };
        let roles = 0..self.roles.len();
        Position {
            terminal: self.toy.terminal(&state),
            legal: roles.clone().map(legal).collect(),
            goals: roles
                .map(|role| vec![self.toy.goal(&state, role)])
                .collect(),
        }
    }

    fn next(&mut self, state: &State, joint: &[Move]) -> State {
        pack(self.toy.next(&words(state), joint))
    }

    fn move_name(&self, _role: Role, mv: Move) -> String {
        mv.0.to_string()
    }

    fn lanes(&self, seed: u64) -> Box<dyn Lanes> {
        Box::new(ToyLanes {
            toy: self.toy,
            roles: self.roles.len(),
            states: vec![self.toy.initial(); self.lanes],
            forced: vec![None; self.lanes],
            weights: vec![HashMap::new(); self.lanes],
            by_weight: false,
            made: vec![vec![NO_CHOICE; self.lanes]; self.roles.len()],
            sequence: StepSequence::default(),
            terminal: vec![0; self.lanes.div_ceil(64)],
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            moves: Vec::new(),
            joint: Vec::new(),
        })
    }
}

struct ToyLanes<T> {
    toy: T,
    roles: usize,
    states: Vec<Words>,
    forced: Vec<Option<Vec<u32>>>,
    weights: Vec<HashMap<(Role, Move), u32>>,
    by_weight: bool,
    made: Vec<Vec<u32>>,
    sequence: StepSequence,
    terminal: Vec<u64>,
    random: Xoshiro256PlusPlus,
    moves: Vec<Move>,
    joint: Vec<Move>,
}

impl<T: Toy> LaneSteps for ToyLanes<T> {
    fn count(&self) -> usize {
        self.states.len()
    }

    fn roles(&self) -> usize {
        self.roles
    }

    fn load(&mut self, lane: usize, state: &State) {
        self.sequence.load();
        self.states[lane] = words(state);
    }

    fn evaluate(&mut self) {
        self.sequence.evaluate();
        self.terminal.fill(0);
        for (lane, state) in self.states.iter().enumerate() {
            if self.toy.terminal(state) {
                self.terminal[lane / 64] |= 1 << (lane % 64);
            }
        }
    }

    fn terminal(&self) -> &[u64] {
        self.sequence.assert_evaluated();
        &self.terminal
    }

    fn goals(&mut self, lane: usize, goals: &mut [i32]) {
        self.sequence.assert_evaluated();
        for (role, goal) in goals.iter_mut().enumerate() {
            *goal = self.toy.goal(&self.states[lane], role);
        }
    }

    fn state(&self, lane: usize) -> State {
        pack(self.states[lane])
    }

    fn legal(&mut self, lane: usize, role: Role, moves: &mut Vec<Move>) {
        self.sequence.assert_evaluated();
        self.toy.legal(&self.states[lane], role, moves);
    }

    fn force(&mut self, lanes: &[u64], picks: &[Pick]) {
        self.sequence.assert_evaluated();
        for lane in lanes_of(lanes) {
            self.forced[lane] = Some(picks.iter().map(|pick| pick.index).collect());
        }
    }

    fn advance(&mut self) {
        self.sequence.advance();
        for lane in 0..self.states.len() {
            let forced = self.forced[lane].take();
            if self.terminal[lane / 64] >> (lane % 64) & 1 == 1 {
                assert!(forced.is_none(), "a terminal lane was forced");
                continue;
            }
            self.joint.clear();
            for role in 0..self.roles {
                self.moves.clear();
                self.toy.legal(&self.states[lane], role, &mut self.moves);
                let index = match (&forced, self.moves.len()) {
                    (_, 0) => continue,
                    (Some(choices), _) => choices[role] as usize,
                    (None, count) if !self.by_weight => self.random.random_range(0..count),
                    (None, _) => {
                        let weights = &self.weights[lane];
                        let weight = |mv| weights.get(&(role, mv)).copied().unwrap_or(1);
                        let total = self.moves.iter().map(|&mv| weight(mv)).sum();
                        let drawn = self.random.random_range(0..total);
                        let mut passed = 0;
                        let chosen = self.moves.iter().position(|&mv| {
                            passed += weight(mv);
                            drawn < passed
                        });
                        chosen.unwrap()
                    }
                };
                // An illegal choice is out of bounds here.
                self.joint.push(self.moves[index]);
                self.made[role][lane] = match self.moves.len() {
                    1 => NO_CHOICE,
                    _ => self.moves[index].0,
                };
            }
            if self.joint.len() == self.roles {
                self.states[lane] = self.toy.next(&self.states[lane], &self.joint);
            }
        }
    }
}

impl<T: Toy> LaneSets for ToyLanes<T> {}

impl<T: Toy> LaneWeights for ToyLanes<T> {
    fn weigh(&mut self, lanes: &[u64], role: Role, mv: Move, weight: u32) {
        for lane in lanes_of(lanes) {
            self.weights[lane].insert((role, mv), weight);
        }
    }

    fn weigh_alike(&mut self, lanes: &[u64]) {
        lanes_of(lanes).for_each(|lane| self.weights[lane].clear());
    }

    fn choose_by_weight(&mut self, on: bool) {
        self.by_weight = on;
    }
}

impl<T: Toy> LaneObservation for ToyLanes<T> {
    fn observe_moves(&mut self, on: bool) {
        self.sequence.observe_moves(on);
    }

    fn made(&self, role: Role) -> &[u32] {
        self.sequence.assert_observed();
        &self.made[role]
    }
}

impl<T: Toy> LanePlayouts for ToyLanes<T> {
    fn playouts(&mut self, _keep_going: &mut dyn FnMut(&Tally) -> bool) -> Tally {
        Tally::default()
    }
}

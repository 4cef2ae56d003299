//! Games that a network plays against itself, many side by side.

use std::ops::Range;

use gdl_runtime::engine::{Pick, Role, State};
use rand::RngExt;
use rand::seq::index::sample;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::choices::{Considered, Decider, odds, roulette};
use super::quantised::{QuantisedNetwork, StateValues};
use super::returns::StateEstimates;
use super::samples::Samples;
use crate::expander::{Expander, Positions};

/// States of each game that are learned from, all of them after its last random move: the result
/// says little about those before.
const SAMPLES_PER_GAME: usize = 12;

/// One move in this number is random.
const RANDOM_MOVES: u32 = 200;

/// A game begins with fewer random plies than this.
const OPENING: usize = 8;

/// The largest number of successors that a choice considers; where there are more,
/// random ones.
const MOST_SUCCESSORS: usize = 48;

/// The same where several roles choose at once.
const MOST_SIMULTANEOUS: usize = 8;

/// Memory for the states of games in progress, in bytes, and the fewest and most of them.
const GAME_MEMORY: usize = 64 << 20;
const FEWEST_GAMES: usize = 8;
const MOST_GAMES: usize = 512;

/// Games at a time times operations of a step of the machine: the clock is checked between
/// plies, which should take no more than some ten milliseconds.
const PLY_OPERATIONS: u64 = 100_000_000;

/// Plies after which a game ends with the goals that hold there.
const LONGEST_GAME: usize = 512;

/// What self-play did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SelfPlayReport {
    /// The number of finished games.
    pub games: u64,
    /// The number of joint moves made.
    pub plies: u64,
}

impl SelfPlayReport {
    /// What both did together.
    pub(super) fn plus(&self, other: &Self) -> Self {
        Self {
            games: self.games + other.games,
            plies: self.plies + other.plies,
        }
    }
}

/// A game in progress.
#[derive(Debug, Clone, Default)]
struct Game {
    /// The words of its state.
    state: Vec<u64>,
    /// The words of the features of its states, in order.
    features: Vec<u64>,
    /// What the network says of its states, in the end what is learned of them.
    estimates: StateEstimates,
    /// The number of its states.
    plies: usize,
    /// The number of those before the last random move, if a network plays.
    disturbed: usize,
    /// The number of random plies to come.
    opening: usize,
}

/// Games side by side.
pub struct SelfPlay {
    initial: State,
    games: Vec<Game>,
    /// Whether the games in progress are played by a network; `None` if there are none.
    by_network: Option<bool>,
    /// The words of the games' states.
    states: Vec<u64>,
    positions: Positions,
    considered: Considered,
    successors: Positions,
    values: StateValues,
    /// The weights in a choice.
    odds: Vec<f64>,
    /// For each game where its next state is in `successors`, unless it is over or several
    /// roles choose.
    next: Vec<Option<usize>>,
    /// Joint moves of roles that chose at once, in the order of their games, with the
    /// states in which they are made and those that follow.
    joints: Vec<Option<Pick>>,
    joint_states: Vec<u64>,
    joint_successors: Positions,
}

impl SelfPlay {
    /// As many games as there are lanes, if memory and time allow, all at their beginning.
    #[must_use]
    pub fn new(initial: &State, expander: &Expander) -> Self {
        let game = LONGEST_GAME * size_of_val(&initial.0[..]);
        let fast = PLY_OPERATIONS / u64::from(expander.operations().max(1));
        let room = (GAME_MEMORY / game.max(1)).min(fast as usize);
        Self {
            initial: initial.clone(),
            games: vec![
                Game::default();
                expander.width().min(room).clamp(FEWEST_GAMES, MOST_GAMES)
            ],
            by_network: None,
            states: Vec::new(),
            positions: Positions::default(),
            considered: Considered::default(),
            successors: Positions::default(),
            values: StateValues::default(),
            odds: Vec::new(),
            next: Vec::new(),
            joints: Vec::new(),
            joint_states: Vec::new(),
            joint_successors: Positions::default(),
        }
    }

    /// Plays until `goes_on`, asked before each ply, says no, and adds states of finished
    /// games to the samples. Without a network, moves are random. Games that are unfinished
    /// in the end go on with the next call, unless random games are over then.
    pub fn play(
        &mut self,
        expander: &mut Expander,
        network: Option<&QuantisedNetwork>,
        samples: &mut Samples,
        random: &mut Xoshiro256PlusPlus,
        goes_on: &mut dyn FnMut(&SelfPlayReport) -> bool,
    ) -> SelfPlayReport {
        if self.by_network.replace(network.is_some()) != Some(network.is_some()) {
            for game in &mut self.games {
                game.begin(&self.initial, network.is_some(), random);
            }
        }
        let mut report = SelfPlayReport::default();
        while goes_on(&report) {
            self.examine(expander);
            self.consider(expander.roles(), network.is_some(), random);
            let Considered { states, picks, .. } = &self.considered;
            expander.advance_features(states, picks, &mut self.successors);
            self.choose(expander.roles(), network, random);
            let (states, joints) = (&self.joint_states, &self.joints);
            expander.advance_features(states, joints, &mut self.joint_successors);
            self.move_on(expander, network, samples, random, &mut report);
        }
        report
    }

    /// The number of games side by side.
    #[cfg(test)]
    pub(super) fn games(&self) -> usize {
        self.games.len()
    }

    /// The state in which games begin.
    pub(super) fn initial(&self) -> &State {
        &self.initial
    }

    /// The words of a state after this number of random moves from the initial state;
    /// fewer if the game would be over.
    pub fn random_state(
        &self,
        expander: &mut Expander,
        plies: usize,
        random: &mut Xoshiro256PlusPlus,
    ) -> Vec<u64> {
        let mut state = self.initial.0.to_vec();
        let mut position = Positions::default();
        for _ in 0..plies {
            expander.examine(&state, &mut position);
            let joint: Vec<Option<Pick>> = (0..expander.roles())
                .map(|role| {
                    let moves = position.moves(0, role);
                    (!moves.is_empty()).then(|| moves[random.random_range(0..moves.len())])
                })
                .collect();
            if position.terminal[0] {
                break;
            }
            expander.advance(&state, &joint, false, &mut position);
            if position.terminal[0] {
                break;
            }
            state = position.state(0).to_vec();
        }
        state
    }

    /// Examines the present states.
    fn examine(&mut self, expander: &mut Expander) {
        self.states.clear();
        for game in &self.games {
            self.states.extend_from_slice(&game.state);
        }
        expander.examine(&self.states, &mut self.positions);
        for (index, game) in self.games.iter_mut().enumerate() {
            game.features
                .extend_from_slice(self.positions.features(index));
            game.plies += 1;
        }
    }

    /// Lists the joint moves that are considered in each game: a random one, the moves of
    /// the role that decides, or those of each role with random moves of the others.
    fn consider(&mut self, roles: usize, by_value: bool, random: &mut Xoshiro256PlusPlus) {
        self.considered.clear();
        let mut joint = Vec::with_capacity(roles);
        for (game, entry) in self.games.iter_mut().enumerate() {
            let positions = &self.positions;
            let is_random = !by_value || entry.opening > 0 || random.random_ratio(1, RANDOM_MOVES);
            entry.opening = entry.opening.saturating_sub(1);
            if by_value && is_random {
                entry.disturbed = entry.plies;
            }
            if positions.terminal[game] {
                continue;
            }
            joint.clear();
            joint.extend((0..roles).map(|role| match positions.moves(game, role) {
                [] => None,
                [single] => Some(*single),
                moves => Some(moves[random.random_range(0..moves.len())]),
            }));
            let state = positions.state(game);
            let considered = &mut self.considered;
            if is_random {
                considered.push(state, &joint);
                considered.end_choice(game, Decider::Nobody, roles);
            } else if let Some(role) = positions.decider(game, roles) {
                let moves = positions.moves(game, role);
                considered.add(state, &mut joint, (role, moves, MOST_SUCCESSORS), random);
                considered.end_choice(game, Decider::One(role), roles);
            } else {
                for role in 0..roles {
                    let moves = positions.moves(game, role);
                    if moves.len() > 1 {
                        considered.add(state, &mut joint, (role, moves, MOST_SIMULTANEOUS), random);
                        considered.end_choice(game, Decider::OneOfSeveral(role), roles);
                    }
                }
            }
        }
    }

    /// Chooses among the joint moves that were considered, whose successors are known.
    fn choose(
        &mut self,
        roles: usize,
        network: Option<&QuantisedNetwork>,
        random: &mut Xoshiro256PlusPlus,
    ) {
        self.next.clear();
        self.next.resize(self.games.len(), None);
        self.joints.clear();
        self.joint_states.clear();
        let mut start = 0;
        let mut last = None;
        let choices = std::mem::take(&mut self.considered.choices);
        for choice in &choices {
            let range = start..choice.end;
            start = choice.end;
            match (choice.decider, network) {
                (Decider::One(role), Some(network)) => {
                    let first = range.start;
                    let chosen = self.choose_one(choice.game, role, range, network, random);
                    self.next[choice.game] = Some(chosen);
                    let game = &mut self.games[choice.game];
                    game.estimates
                        .set(game.plies, self.values.of(chosen - first));
                }
                (Decider::OneOfSeveral(role), Some(network)) => {
                    let first = range.start * roles;
                    let chosen = self.choose_one(choice.game, role, range, network, random);
                    if last != Some(choice.game) {
                        let joint = &self.considered.picks[first..first + roles];
                        self.joints.extend_from_slice(joint);
                        let state = self.positions.state(choice.game);
                        self.joint_states.extend_from_slice(state);
                        last = Some(choice.game);
                    }
                    let joint = self.joints.len() - roles;
                    self.joints[joint + role] = self.considered.picks[chosen * roles + role];
                }
                _ => self.next[choice.game] = Some(range.start),
            }
        }
        self.considered.choices = choices;
    }

    /// One of these successors of a game's state, with a probability that grows with its
    /// value for a role.
    fn choose_one(
        &mut self,
        game: usize,
        role: Role,
        range: Range<usize>,
        network: &QuantisedNetwork,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize {
        let origin = self.positions.features(game);
        let features = self.successors.features_of(range.clone());
        network.evaluate(origin, features, &mut self.values);
        self.odds.clear();
        for (place, index) in range.clone().enumerate() {
            let value = match self.successors.terminal[index] {
                true => self.successors.goals(index)[role] as f32 / 100.0,
                false => self.values.of(place)[role],
            };
            self.odds.push(odds(value));
        }
        range.start + roulette(&self.odds, random)
    }

    /// Moves on to the successors of all games, and ends games.
    fn move_on(
        &mut self,
        expander: &Expander,
        network: Option<&QuantisedNetwork>,
        samples: &mut Samples,
        random: &mut Xoshiro256PlusPlus,
        report: &mut SelfPlayReport,
    ) {
        let mut joints = 0..;
        for (index, game) in self.games.iter_mut().enumerate() {
            let over = if self.positions.terminal[index] {
                // A role turned out to have no moves.
                Some(self.positions.goals(index))
            } else {
                let (successors, at) = match self.next[index] {
                    Some(at) => (&self.successors, at),
                    None => {
                        let at = joints.next().unwrap_or(0);
                        if let Some(network) = network {
                            let origin = self.positions.features(index);
                            let features = self.joint_successors.features(at);
                            network.evaluate(origin, features, &mut self.values);
                            game.estimates.set(game.plies, self.values.of(0));
                        }
                        (&self.joint_successors, at)
                    }
                };
                report.plies += 1;
                expander.copy_state(successors.features(at), &mut game.state);
                let is_over = successors.terminal[at] || game.plies > LONGEST_GAME;
                is_over.then(|| successors.goals(at))
            };
            if let Some(goals) = over {
                game.end(goals, samples, random, report);
                game.begin(&self.initial, network.is_some(), random);
            }
        }
    }
}

impl Game {
    /// Starts over.
    fn begin(&mut self, initial: &State, opens: bool, random: &mut Xoshiro256PlusPlus) {
        self.state.clear();
        self.state.extend_from_slice(&initial.0);
        self.features.clear();
        self.estimates.clear();
        self.plies = 0;
        self.disturbed = 0;
        self.opening = match opens {
            true => random.random_range(0..OPENING),
            false => 0,
        };
    }

    /// Adds some of its states to the samples.
    fn end(
        &mut self,
        goals: &[i32],
        samples: &mut Samples,
        random: &mut Xoshiro256PlusPlus,
        report: &mut SelfPlayReport,
    ) {
        report.games += 1;
        self.estimates.become_returns(self.plies, goals);
        let words = samples.words();
        let states = self.plies - self.disturbed;
        for index in sample(random, states, states.min(SAMPLES_PER_GAME)) {
            let state = self.disturbed + index;
            let features = &self.features[state * words..(state + 1) * words];
            samples.push(features, goals, self.estimates.of(state, goals.len()));
        }
    }
}

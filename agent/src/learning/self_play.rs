//! Games that a network plays against itself, many side by side.

use std::ops::Range;

use gdl_runtime::engine::{Pick, State};
use rand::RngExt;
use rand::seq::index::sample;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::network::MAX_HEADS;
use super::quantised::QuantisedNetwork;
use super::samples::Samples;
use crate::expander::{Expander, Positions};

/// States of each game that are learned from.
const SAMPLES_PER_GAME: usize = 12;

/// The reciprocal of the temperature of the softmax over the successors' logits, by
/// which moves are chosen.
const SHARPNESS: i32 = 10;

/// One move in this number is random.
const RANDOM_MOVES: u32 = 50;

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

/// A game in progress.
#[derive(Debug, Clone, Default)]
struct Game {
    /// The words of its state.
    state: Vec<u64>,
    /// The words of the features of its states, in order.
    features: Vec<u64>,
    /// The number of its states.
    plies: usize,
    /// The number of random plies to come.
    opening: usize,
}

/// Games side by side.
pub struct SelfPlay {
    initial: State,
    games: Vec<Game>,
    positions: Positions,
    successors: Positions,
    /// The joint move that each game makes, role after role, game after game.
    joints: Vec<Option<Pick>>,
    considered: Considered,
}

/// Moves that roles consider, with what they may lead to.
#[derive(Debug, Default)]
struct Considered {
    /// The states from which they are made, one for each joint move in `picks`.
    states: Vec<u64>,
    picks: Vec<Option<Pick>>,
    /// For each choice the game, the role, and where its joint moves end.
    choices: Vec<(usize, usize, usize)>,
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
            positions: Positions::default(),
            successors: Positions::default(),
            joints: Vec::new(),
            considered: Considered::default(),
        }
    }

    /// Plays until `goes_on`, asked before each ply, says no, and adds states of finished
    /// games to the samples. Without a network, moves are random.
    pub fn play(
        &mut self,
        expander: &mut Expander,
        network: Option<&QuantisedNetwork>,
        samples: &mut Samples,
        random: &mut Xoshiro256PlusPlus,
        goes_on: &mut dyn FnMut(&SelfPlayReport) -> bool,
    ) -> SelfPlayReport {
        for game in &mut self.games {
            game.begin(&self.initial, network.is_some(), random);
        }
        let mut report = SelfPlayReport::default();
        while goes_on(&report) {
            let states = self.examine(expander);
            self.consider(expander.roles(), network.is_some(), random);
            if let Some(network) = network {
                let Considered { states, picks, .. } = &self.considered;
                expander.advance(states, picks, false, &mut self.successors);
                self.choose(network, random);
            }
            expander.advance(&states, &self.joints, false, &mut self.successors);
            self.move_on(network.is_some(), samples, random, &mut report);
        }
        report
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

    /// Examines the present states, and returns their words.
    fn examine(&mut self, expander: &mut Expander) -> Vec<u64> {
        let states = self.games.iter().flat_map(|game| &game.state);
        let states: Vec<u64> = states.copied().collect();
        expander.examine(&states, &mut self.positions);
        for (index, game) in self.games.iter_mut().enumerate() {
            game.features
                .extend_from_slice(self.positions.features(index));
            game.plies += 1;
        }
        states
    }

    /// Draws a random joint move in each game, and lists the moves that roles consider
    /// instead. Each is considered with the random moves of the other roles.
    fn consider(&mut self, roles: usize, by_value: bool, random: &mut Xoshiro256PlusPlus) {
        self.joints.clear();
        self.considered.clear();
        for (index, game) in self.games.iter_mut().enumerate() {
            let positions = &self.positions;
            let is_random = !by_value || game.opening > 0 || random.random_ratio(1, RANDOM_MOVES);
            game.opening = game.opening.saturating_sub(1);
            let first = self.joints.len();
            self.joints.extend((0..roles).map(|role| {
                let moves = positions.moves(index, role);
                let count = moves.len();
                (count > 0).then(|| moves[random.random_range(0..count)])
            }));
            if is_random || positions.terminal[index] {
                continue;
            }
            for role in 0..roles {
                let moves = positions.moves(index, role);
                if moves.len() > 1 {
                    let joint = &self.joints[first..];
                    let state = positions.state(index);
                    let choice = (index, role);
                    let most = match positions.decider(index, roles) {
                        Some(_) => MOST_SUCCESSORS,
                        None => MOST_SIMULTANEOUS,
                    };
                    self.considered
                        .add(choice, state, joint, (moves, most), random);
                }
            }
        }
    }

    /// Lets roles choose among the moves that they considered, whose successors are known.
    fn choose(&mut self, network: &QuantisedNetwork, random: &mut Xoshiro256PlusPlus) {
        let roles = self.joints.len() / self.games.len();
        let mut odds: Vec<f64> = Vec::new();
        let mut start = 0;
        for &(game, role, end) in &self.considered.choices {
            let values = Values {
                network,
                parent: self.positions.features(game),
                role,
            };
            odds.clear();
            values.odds(&self.successors, start..end, &mut odds);
            let chosen = start + roulette(&odds, random);
            self.joints[game * roles + role] = self.considered.picks[chosen * roles + role];
            start = end;
        }
    }

    /// Moves on to the successors of all games, and ends games.
    fn move_on(
        &mut self,
        opens: bool,
        samples: &mut Samples,
        random: &mut Xoshiro256PlusPlus,
        report: &mut SelfPlayReport,
    ) {
        for (index, game) in self.games.iter_mut().enumerate() {
            let over = if self.positions.terminal[index] {
                // A role turned out to have no moves.
                Some(self.positions.goals(index))
            } else {
                report.plies += 1;
                game.state.copy_from_slice(self.successors.state(index));
                let is_over = self.successors.terminal[index] || game.plies > LONGEST_GAME;
                is_over.then(|| self.successors.goals(index))
            };
            if let Some(goals) = over {
                game.end(goals, samples, random, report);
                game.begin(&self.initial, opens, random);
            }
        }
    }
}

impl Considered {
    fn clear(&mut self) {
        self.states.clear();
        self.picks.clear();
        self.choices.clear();
    }

    /// Adds a choice of a role of a game among these moves, or among `most` random ones
    /// of them.
    fn add(
        &mut self,
        (game, role): (usize, usize),
        state: &[u64],
        joint: &[Option<Pick>],
        (moves, most): (&[Pick], usize),
        random: &mut Xoshiro256PlusPlus,
    ) {
        let count = moves.len().min(most);
        for chosen in sample(random, moves.len(), count) {
            self.states.extend_from_slice(state);
            let first = self.picks.len();
            self.picks.extend_from_slice(joint);
            self.picks[first + role] = Some(moves[chosen]);
        }
        let end = self.picks.len() / joint.len();
        self.choices.push((game, role, end));
    }
}

/// Values successors of one state.
struct Values<'a> {
    network: &'a QuantisedNetwork,
    /// The features of the state.
    parent: &'a [u64],
    role: usize,
}

impl Values<'_> {
    /// Appends the weight of each successor in a choice of its role.
    fn odds(&self, successors: &Positions, range: Range<usize>, odds: &mut Vec<f64>) {
        let roles = successors.goals(range.start).len();
        let mut values = [0.0_f32; MAX_HEADS];
        let sums = self.network.sums(self.parent);
        for index in range {
            let value = if successors.terminal[index] {
                successors.goals(index)[self.role] as f32 / 100.0
            } else {
                let features = successors.features(index);
                let sums = self.network.sums_from(&sums, self.parent, features);
                self.network.values(&sums, &mut values[..roles]);
                values[self.role]
            };
            // The odds are the exponential of the logit.
            let value = f64::from(value.clamp(1e-4, 1.0 - 1e-4));
            odds.push((value / (1.0 - value)).powi(SHARPNESS));
        }
    }
}

/// An index with probability proportional to its weight.
fn roulette(weights: &[f64], random: &mut Xoshiro256PlusPlus) -> usize {
    let total: f64 = weights.iter().sum();
    let mut rest = random.random_range(0.0..1.0) * total;
    for (index, weight) in weights.iter().enumerate() {
        rest -= weight;
        if rest < 0.0 {
            return index;
        }
    }
    weights.len() - 1
}

impl Game {
    /// Starts over.
    fn begin(&mut self, initial: &State, opens: bool, random: &mut Xoshiro256PlusPlus) {
        self.state.clear();
        self.state.extend_from_slice(&initial.0);
        self.features.clear();
        self.plies = 0;
        self.opening = match opens {
            true => random.random_range(0..OPENING),
            false => 0,
        };
    }

    /// Adds some of its states to the samples.
    fn end(
        &self,
        goals: &[i32],
        samples: &mut Samples,
        random: &mut Xoshiro256PlusPlus,
        report: &mut SelfPlayReport,
    ) {
        report.games += 1;
        let words = samples.words();
        for index in sample(random, self.plies, self.plies.min(SAMPLES_PER_GAME)) {
            samples.push(&self.features[index * words..(index + 1) * words], goals);
        }
    }
}

//! Games that a network plays against itself, many side by side.

use gdl_runtime::engine::{Pick, State};
use rand::RngExt;
use rand::seq::index::sample;
use rand_xoshiro::Xoshiro256PlusPlus;

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
    /// The words of its states, in order.
    states: Vec<u64>,
    /// The number of random plies to come.
    opening: usize,
}

/// Games side by side.
pub struct SelfPlay {
    initial: State,
    games: Vec<Game>,
    positions: Positions,
    successors: Positions,
    requests: Requests,
}

/// Moves to look at.
#[derive(Debug, Default)]
struct Requests {
    parents: Vec<u64>,
    picks: Vec<Option<Pick>>,
    /// For each game, where its requests end, and the role that decides.
    ends: Vec<(usize, usize)>,
}

impl SelfPlay {
    /// As many games as there are lanes, all at their beginning.
    #[must_use]
    pub fn new(initial: &State, expander: &Expander) -> Self {
        Self {
            initial: initial.clone(),
            games: vec![Game::default(); expander.width().min(512)],
            positions: Positions::default(),
            successors: Positions::default(),
            requests: Requests::default(),
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
            self.examine(expander);
            self.request(expander.roles(), network.is_some(), random);
            let Requests { parents, picks, .. } = &self.requests;
            expander.advance(parents, picks, false, &mut self.successors);
            self.choose(network, samples, random, &mut report);
        }
        report
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
        let words = expander.words();
        let last = |game: &Game| game.states.len() - words;
        let states = self
            .games
            .iter()
            .flat_map(|game| &game.states[last(game)..]);
        let states: Vec<u64> = states.copied().collect();
        expander.examine(&states, &mut self.positions);
    }

    /// Lists the moves to look at in each game.
    fn request(&mut self, roles: usize, by_value: bool, random: &mut Xoshiro256PlusPlus) {
        let requests = &mut self.requests;
        requests.parents.clear();
        requests.picks.clear();
        requests.ends.clear();
        for (index, game) in self.games.iter_mut().enumerate() {
            let positions = &self.positions;
            let at_random = !by_value || game.opening > 0 || random.random_ratio(1, RANDOM_MOVES);
            game.opening = game.opening.saturating_sub(1);
            let decider = positions.decider(index, roles);
            let first = |role| positions.moves(index, role).first();
            let mut add = |picks: &mut dyn Iterator<Item = Option<Pick>>| {
                requests.parents.extend_from_slice(positions.state(index));
                requests.picks.extend(picks);
            };
            match decider.filter(|_| !at_random) {
                // A state that turned out to have no moves: its game ends below.
                _ if (0..roles).any(|role| first(role).is_none()) => {}
                None => add(&mut (0..roles).map(|role| {
                    let moves = positions.moves(index, role);
                    Some(moves[random.random_range(0..moves.len())])
                })),
                Some(decider) => {
                    let moves = positions.moves(index, decider);
                    let count = moves.len().min(MOST_SUCCESSORS);
                    for chosen in sample(random, moves.len(), count) {
                        let pick = |role| (role == decider).then_some(moves[chosen]);
                        add(&mut (0..roles).map(pick));
                    }
                }
            }
            let end = requests.picks.len() / roles;
            requests.ends.push((end, decider.unwrap_or(0)));
        }
    }

    /// Chooses a successor in each game, and ends games.
    fn choose(
        &mut self,
        network: Option<&QuantisedNetwork>,
        samples: &mut Samples,
        random: &mut Xoshiro256PlusPlus,
        report: &mut SelfPlayReport,
    ) {
        let mut odds: Vec<f64> = Vec::new();
        let mut start = 0;
        for (index, game) in self.games.iter_mut().enumerate() {
            let (end, role) = self.requests.ends[index];
            let requests = std::mem::replace(&mut start, end)..end;
            let next = match (requests.len(), network) {
                (0, _) => {
                    game.end(self.positions.goals(index), samples, random, report);
                    game.begin(&self.initial, network.is_some(), random);
                    continue;
                }
                (1, _) | (_, None) => requests.start,
                (_, Some(network)) => {
                    let parent = self.positions.state(index);
                    let values = Values {
                        network,
                        parent,
                        role,
                    };
                    odds.clear();
                    values.odds(&self.successors, requests.clone(), &mut odds);
                    requests.start + roulette(&odds, random)
                }
            };
            report.plies += 1;
            game.states.extend_from_slice(self.successors.state(next));
            let words = self.initial.0.len();
            let is_long = game.states.len() > words * LONGEST_GAME;
            if self.successors.terminal[next] || is_long {
                game.end(self.successors.goals(next), samples, random, report);
                game.begin(&self.initial, network.is_some(), random);
            }
        }
    }
}

/// Values successors of one state.
struct Values<'a> {
    network: &'a QuantisedNetwork,
    parent: &'a [u64],
    role: usize,
}

impl Values<'_> {
    /// Appends the weight of each successor in a choice of its role.
    fn odds(&self, successors: &Positions, range: std::ops::Range<usize>, odds: &mut Vec<f64>) {
        let roles = successors.goals(range.start).len();
        let mut values = [0.0_f32; super::network::MAX_HEADS];
        let sums = self.network.sums(self.parent);
        for index in range {
            let value = if successors.terminal[index] {
                successors.goals(index)[self.role] as f32 / 100.0
            } else {
                let state = successors.state(index);
                let sums = self.network.sums_from(&sums, self.parent, state);
                self.network.values(&sums, &mut values[..roles.max(2)]);
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
        self.states.clear();
        self.states.extend_from_slice(&initial.0);
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
        let count = self.states.len() / words;
        for index in sample(random, count, count.min(SAMPLES_PER_GAME)) {
            samples.push(&self.states[index * words..(index + 1) * words], goals);
        }
    }
}

//! Games that a network plays against itself, many side by side.

use std::ops::Range;

use gdl_runtime::engine::{Pick, Role, State};
use rand::RngExt;
use rand::seq::index::sample;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::choices::{Considered, Decider, roulette};
use super::joint_choices::JointChoices;
use super::network_pair::{NetworkPair, player};
use super::quantised::{QuantisedNetwork, StateValues};
use super::returns::StateEstimates;
use super::samples::Samples;
use crate::expander::{Expander, Positions};
use crate::joint_table::{JointTable, MoveEstimate};
use crate::odds::preference;

/// States of each game that are learned from, all of them after its last random move: the result
/// says little about those before.
const SAMPLES_PER_GAME: usize = 12;

/// One move in this number is random.
const RANDOM_MOVES: u32 = 200;

/// A game begins with fewer random plies than this.
pub(super) const OPENING: usize = 8;

/// The largest number of successors that a choice considers; where there are more,
/// random ones.
const MOST_SUCCESSORS: usize = 48;

/// The largest number of moves of a role that are valued with random moves of the others, where
/// several roles choose at once and there are too many joint moves.
const MOST_SIMULTANEOUS: usize = 24;

/// The largest number of joint moves that a choice of several roles considers.
const MOST_JOINT_MOVES: usize = 64;

/// Memory for the states of games in progress, in bytes, and the fewest and most of them.
const GAME_MEMORY: usize = 64 << 20;
const FEWEST_GAMES: usize = 8;
const MOST_GAMES: usize = 512;

/// Games at a time times operations of a step of the machine: the clock is checked between
/// plies, which should take no more than some ten milliseconds.
const PLY_OPERATIONS: u64 = 100_000_000;

/// Plies after which a game ends with the goals that hold there.
pub(super) const LONGEST_GAME: usize = 512;

/// What self-play did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SelfPlayReport {
    /// The number of finished games.
    pub games: u64,
    /// The number of joint moves made.
    pub plies: u64,
    /// The number of those for which several roles had a choice.
    pub simultaneous: u64,
    /// For both networks, the sum of the goals of their roles in finished games, and the number
    /// of these roles.
    pub scores: [(u64, u64); 2],
}

impl SelfPlayReport {
    /// Counts a joint move. `decider` is the role that had a choice, if no other one had.
    pub(super) fn count_ply(&mut self, decider: Option<Role>) {
        self.plies += 1;
        self.simultaneous += u64::from(decider.is_none());
    }

    /// What both did together.
    pub(super) fn plus(&self, other: &Self) -> Self {
        Self {
            games: self.games + other.games,
            plies: self.plies + other.plies,
            simultaneous: self.simultaneous + other.simultaneous,
            scores: [0, 1].map(|player| {
                let (one, other) = (self.scores[player], other.scores[player]);
                (one.0 + other.0, one.1 + other.1)
            }),
        }
    }

    /// The share of all goals, per role, that the first of two networks that played each other had;
    /// one half if there were none.
    pub(super) fn score_of_first(&self) -> f64 {
        let [first, second] = self
            .scores
            .map(|(goals, roles)| goals as f64 / roles.max(1) as f64);
        match first + second > 0.0 {
            true => first / (first + second),
            false => 0.5,
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
    /// The preferences in a choice.
    preferences: Vec<f64>,
    joint_choices: JointChoices,
    /// For each game that is not over, its next state.
    next: Vec<NextState>,
}

/// Where the next state of a game is.
#[derive(Debug, Clone, Copy)]
enum NextState {
    /// Among the successors by joint moves that were considered.
    Considered(usize),
    /// Among those by joint moves of roles that chose at once.
    Joint(usize),
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
            preferences: Vec::new(),
            joint_choices: JointChoices::default(),
            next: Vec::new(),
        }
    }

    /// Plays until `goes_on`, asked before each ply, says no, and adds states of finished
    /// games to the samples. Without networks, moves are random. Games that are unfinished
    /// in the end go on with the next call, unless random games are over then.
    pub fn play(
        &mut self,
        expander: &mut Expander,
        networks: Option<NetworkPair<'_>>,
        samples: &mut Samples,
        random: &mut Xoshiro256PlusPlus,
        goes_on: &mut dyn FnMut(&SelfPlayReport) -> bool,
    ) -> SelfPlayReport {
        let by_network = networks.is_some();
        if self.by_network.replace(by_network) != Some(by_network) {
            for game in &mut self.games {
                game.begin(&self.initial, by_network, random);
            }
        }
        let mut report = SelfPlayReport::default();
        while goes_on(&report) {
            self.examine(expander);
            self.consider(expander.roles(), by_network, random);
            let Considered { states, picks, .. } = &self.considered;
            expander.advance_features(states, picks, &mut self.successors);
            self.choose(expander.roles(), networks, random);
            self.choose_jointly(expander, networks, random);
            self.move_on(expander, by_network, samples, random, &mut report);
        }
        report
    }

    /// Gives up all games in progress.
    pub(super) fn give_up(&mut self) {
        self.by_network = None;
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
    /// the role that decides, or, if several choose and there are many joint moves, those of each
    /// role with random moves of the others.
    fn consider(&mut self, roles: usize, by_value: bool, random: &mut Xoshiro256PlusPlus) {
        self.considered.clear();
        self.joint_choices.clear();
        let mut joint = vec![None; roles];
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
            let mut draw = |joint: &mut [Option<Pick>], random: &mut Xoshiro256PlusPlus| {
                for (role, pick) in joint.iter_mut().enumerate() {
                    let moves = positions.moves(game, role);
                    *pick = match moves.len() {
                        0 | 1 => moves.first().copied(),
                        count => Some(moves[random.random_range(0..count)]),
                    };
                }
            };
            draw(&mut joint, random);
            let state = positions.state(game);
            let considered = &mut self.considered;
            if is_random {
                considered.push(state, &joint, 0);
                considered.end_choice(game, Decider::Nobody, roles);
            } else if let Some(role) = positions.decider(game, roles) {
                let moves = (role, positions.moves(game, role), MOST_SUCCESSORS);
                considered.add(state, &mut joint, moves, random, &mut |_, _| ());
                considered.end_choice(game, Decider::One(role), roles);
            } else if let Some(table) = JointTable::of_all(positions, game, roles, MOST_JOINT_MOVES)
            {
                self.joint_choices.add(positions, game, table);
            } else {
                for role in 0..roles {
                    let moves = (role, positions.moves(game, role), MOST_SIMULTANEOUS);
                    considered.add(state, &mut joint, moves, random, &mut draw);
                    considered.end_choice(game, Decider::OneOfSeveral(role), roles);
                }
            }
        }
    }

    /// Chooses among the joint moves that were considered, whose successors are known; where
    /// several roles choose, finds the moves of each that they choose among.
    fn choose(
        &mut self,
        roles: usize,
        networks: Option<NetworkPair<'_>>,
        random: &mut Xoshiro256PlusPlus,
    ) {
        self.next.clear();
        self.next.resize(self.games.len(), NextState::Considered(0));
        let mut start = 0;
        let mut estimates = Vec::new();
        let choices = std::mem::take(&mut self.considered.choices);
        for choice in &choices {
            let range = start..choice.end;
            start = choice.end;
            match (choice.decider, networks) {
                (Decider::One(role), Some(networks)) => {
                    let network = networks[player(choice.game, role)];
                    let first = range.start;
                    let chosen = self.choose_one(choice.game, role, range, network, random);
                    self.next[choice.game] = NextState::Considered(chosen);
                    let game = &mut self.games[choice.game];
                    game.estimates
                        .set(game.plies, self.values.of(chosen - first));
                }
                (Decider::OneOfSeveral(role), Some(networks)) => {
                    let network = networks[player(choice.game, role)];
                    estimates.push(self.estimate(choice.game, role, range, network));
                    if role + 1 == roles {
                        let table = JointTable::of_best(&estimates, MOST_JOINT_MOVES);
                        self.joint_choices.add(&self.positions, choice.game, table);
                        estimates.clear();
                    }
                }
                _ => self.next[choice.game] = NextState::Considered(range.start),
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
        self.evaluate(game, range.clone(), network);
        self.preferences.clear();
        let values = (0..range.len()).map(|place| self.values.of(place)[role]);
        self.preferences.extend(values.map(preference));
        range.start + roulette(&self.preferences, random)
    }

    /// The estimated values of a role's moves, which led to these successors of a game's state.
    fn estimate(
        &mut self,
        game: usize,
        role: Role,
        range: Range<usize>,
        network: &QuantisedNetwork,
    ) -> Vec<MoveEstimate> {
        self.evaluate(game, range.clone(), network);
        let slots = self.considered.slots[range].iter().enumerate();
        let valued = slots.map(|(index, &slot)| MoveEstimate {
            slot,
            value: self.values.of(index)[role],
        });
        valued.collect()
    }

    /// Values these successors of a game's state.
    fn evaluate(&mut self, game: usize, range: Range<usize>, network: &QuantisedNetwork) {
        let origin = self.positions.features(game);
        network.evaluate_positions(origin, &self.successors, range, &mut self.values);
    }

    /// Chooses where several roles do.
    fn choose_jointly(
        &mut self,
        expander: &mut Expander,
        networks: Option<NetworkPair<'_>>,
        random: &mut Xoshiro256PlusPlus,
    ) {
        self.joint_choices.advance(expander);
        let Some(networks) = networks else { return };
        let (next, games) = (&mut self.next, &mut self.games);
        let mut chosen = |game: usize, successor, values: &[f32]| {
            next[game] = NextState::Joint(successor);
            let game = &mut games[game];
            game.estimates.set(game.plies, values);
        };
        self.joint_choices
            .choose(&self.positions, networks, random, &mut chosen);
    }

    /// Moves on to the successors of all games, and ends games.
    fn move_on(
        &mut self,
        expander: &Expander,
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
                let (successors, at) = match self.next[index] {
                    NextState::Considered(at) => (&self.successors, at),
                    NextState::Joint(at) => (self.joint_choices.successors(), at),
                };
                report.count_ply(self.positions.decider(index, expander.roles()));
                expander.copy_state(successors.features(at), &mut game.state);
                let is_over = successors.terminal[at] || game.plies > LONGEST_GAME;
                is_over.then(|| successors.goals(at))
            };
            if let Some(goals) = over {
                game.end(goals, samples, random, report);
                for (role, &goal) in goals.iter().enumerate() {
                    let (sum, count) = &mut report.scores[player(index, role)];
                    *sum += u64::from(goal.unsigned_abs());
                    *count += 1;
                }
                game.begin(&self.initial, opens, random);
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

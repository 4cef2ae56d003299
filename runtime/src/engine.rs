//! What an engine offers: one interface for the reference engine, for tables
//! and for compiled code.

use crate::layout::Layout;
use std::fmt;
use std::ops::AddAssign;
use std::sync::Arc;

/// The position of a role in the order of the rule sheet.
pub type Role = usize;

/// A move of one role, as its engine numbers them: engines that know all moves
/// beforehand number each role's moves from 0, the reference engine numbers
/// moves as it meets them. A number means a move only together with its role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub u32);

/// What [`Lanes::made`] gives where a role had no choice.
pub const NO_CHOICE: u32 = u32::MAX;

/// The bits of a weight: even.
pub const WEIGHT_BITS: u32 = 12;

/// The largest weight of a move.
pub const MOST_WEIGHT: u32 = (1 << WEIGHT_BITS) - 1;

/// A state of a game, in its engine's own encoding.
///
/// Two states of one engine are the same exactly if their words are equal, so
/// that states can be hashed and compared without the engine.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub Box<[u64]>);

/// A move that a role is made to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    /// The move.
    pub mv: Move,
    /// Its place among the moves that [`Lanes::legal`] gives.
    pub index: u32,
}

/// The lanes of a set, ascending: bit `lane % 64` of word `lane / 64`.
pub fn lanes_of(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(word, &bits)| {
        let mut rest = bits;
        std::iter::from_fn(move || {
            let lane = (rest != 0).then(|| word * 64 + rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            lane
        })
    })
}

/// What can be said about a state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Position {
    /// Whether the game is over.
    pub terminal: bool,
    /// The legal moves of every role, in the order of [`Lanes::legal`]; computed
    /// in terminal states too, where they mean nothing.
    pub legal: Vec<Vec<Move>>,
    /// The goal values that hold, ascending, for every role: one in a sound
    /// game's terminal states, none or several where the rules say so.
    pub goals: Vec<Vec<i32>>,
}

/// A fact that no state of the game can contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFact(pub String);

impl fmt::Display for UnknownFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no state of this game contains {}", self.0)
    }
}

impl std::error::Error for UnknownFact {}

/// An engine, loaded with one game: states go in, positions and states come out.
pub trait Engine: Send {
    /// `reference`, `net` or `native`, with the lane width where it has one.
    fn name(&self) -> String;

    /// The roles' names, in order.
    fn roles(&self) -> &[String];

    /// What fluents and moves are called, where the engine knows all of them:
    /// bits of states and numbers of moves stand in its order.
    fn layout(&self) -> Option<Arc<Layout>> {
        None
    }

    /// The initial state.
    fn initial(&self) -> State;

    /// The facts of a state, as KIF without `true`, sorted.
    fn facts(&self, state: &State) -> Vec<String>;

    /// The state of exactly these facts, given as KIF without `true`, in any
    /// case and spacing.
    ///
    /// # Errors
    /// If the engine knows that a fact can never hold.
    fn state(&mut self, facts: &[String]) -> Result<State, UnknownFact>;

    /// Terminal, legal moves and goals of a state.
    fn examine(&mut self, state: &State) -> Position;

    /// The state that follows when every role makes its move of `joint` (one a
    /// role, in order; each must be legal).
    fn next(&mut self, state: &State, joint: &[Move]) -> State;

    /// A move as KIF.
    fn move_name(&self, role: Role, mv: Move) -> String;

    /// Lanes that play this game, seeded: the same seed plays the same games.
    fn lanes(&self, seed: u64) -> Box<dyn Lanes>;
}

/// Many positions of one game, advanced together.
///
/// A step is [`evaluate`](Lanes::evaluate), then [`advance`](Lanes::advance).
/// Between the two, the positions can be read, lanes loaded with other states
/// are picked up by the next `evaluate`, and lanes can be forced to make
/// particular moves; all others move uniformly at random. A lane whose position
/// is terminal has to be loaded anew before it advances: until then its
/// contents mean nothing.
pub trait Lanes: Send {
    /// How many positions there are: lanes are numbered from 0.
    fn count(&self) -> usize;

    /// How many roles the game has.
    fn roles(&self) -> usize;

    /// What a step of all lanes costs, in three-input operations, moves being
    /// chosen and observed as they are now: known before it is measured, so that
    /// what is decided by it can be repeated. 0 where lanes are not computed by
    /// such operations.
    fn operations(&self) -> u32 {
        0
    }

    /// Puts a state into a lane; valid before the next `evaluate`.
    fn load(&mut self, lane: usize, state: &State);

    /// Puts a state, given as its words, into every lane of a set (as
    /// [`lanes_of`] reads it); valid before the next `evaluate`.
    fn load_all(&mut self, lanes: &[u64], state: &[u64]) {
        let state = State(state.into());
        lanes_of(lanes).for_each(|lane| self.load(lane, &state));
    }

    /// Finds out about the position of every lane whether it is terminal and
    /// how many moves there are to choose from; goals and legal moves follow when
    /// they are asked for.
    fn evaluate(&mut self);

    /// The lanes whose position is terminal, a bit each, lane 0 first: bit
    /// `lane % 64` of word `lane / 64`. Valid after `evaluate`.
    fn terminal(&self) -> &[u64];

    /// The goal value of every role in a lane (roles in order), the highest
    /// where several hold and 0 where none does. Valid after `evaluate`.
    fn goals(&mut self, lane: usize, goals: &mut [i32]);

    /// The goals of a set of lanes: `visit` hears of every role and goal value
    /// other than 0 with the lanes for which [`goals`](Lanes::goals) gives that
    /// value. Valid after `evaluate`.
    fn goals_all(&mut self, lanes: &[u64], visit: &mut dyn FnMut(Role, i32, &[u64])) {
        let mut single = vec![0; lanes.len()];
        let mut goals = vec![0; self.roles()];
        for lane in lanes_of(lanes) {
            self.goals(lane, &mut goals);
            single[lane / 64] = 1 << (lane % 64);
            let positive = goals.iter().enumerate().filter(|(_, value)| **value != 0);
            positive.for_each(|(role, &value)| visit(role, value, &single));
            single[lane / 64] = 0;
        }
    }

    /// The state in a lane. Valid after `evaluate` or `load`.
    fn state(&self, lane: usize) -> State;

    /// The words of the state in a lane, in place of what was there.
    fn read_state(&self, lane: usize, words: &mut Vec<u64>) {
        words.clear();
        words.extend_from_slice(&self.state(lane).0);
    }

    /// Appends the legal moves of a role in a lane, always in the same order
    /// for the same state. Valid after `evaluate`.
    fn legal(&mut self, lane: usize, role: Role, moves: &mut Vec<Move>);

    /// Makes the next advance of a set of lanes, all in one state, use these
    /// moves: one for every role, in order. Valid between `evaluate` and
    /// `advance`.
    fn force(&mut self, lanes: &[u64], picks: &[Pick]);

    /// Makes a move of every role in every lane.
    fn advance(&mut self);

    /// Gives a move of a role a weight in a set of lanes, from 1 to
    /// [`MOST_WEIGHT`], whatever states they go through: all weights are 1 at
    /// first. They count while [`choose_by_weight`](Lanes::choose_by_weight) is
    /// on.
    fn weigh(&mut self, lanes: &[u64], role: Role, mv: Move, weight: u32);

    /// Makes all moves weigh 1 in a set of lanes.
    fn weigh_alike(&mut self, lanes: &[u64]);

    /// Whether `advance` chooses moves, in lanes that are not forced, with
    /// probability exactly proportional to their weight among the legal moves of
    /// their role, or uniformly, as at first. Where the weights of all moves that
    /// compete could have a sum of more than 24 bits, weights do not count.
    fn choose_by_weight(&mut self, on: bool);

    /// Whether `advance` tells [which moves were made](Lanes::made); at first it
    /// does not.
    fn observe_moves(&mut self, on: bool);

    /// For every lane the number of the move that a role made in the last
    /// `advance`, forced or not; [`NO_CHOICE`] where none of its legal moves
    /// competes with another. A role with one legal move has either. It means
    /// nothing in lanes that were terminal. Valid after an `advance` with
    /// [`observe_moves`](Lanes::observe_moves) on.
    fn made(&self, role: Role) -> &[u32];

    /// The moves of a role by their place in [`legal_table`](Lanes::legal_table),
    /// in place of what was there. Engines that know all moves beforehand have
    /// all of them there, at the same places always; for others these are the
    /// moves that are legal now, lane by lane.
    fn places(&mut self, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        (0..self.count()).for_each(|lane| self.legal(lane, role, moves));
    }

    /// Which moves of a role are legal, in place of what was there: for every
    /// lane, one after another, as many 64-bit words as its
    /// [`places`](Lanes::places) take, bit `place % 64` of word `place / 64`. A
    /// lane's legal moves stand in the order of [`legal`](Lanes::legal), so that
    /// the bits below one are its index there. Valid after `evaluate`.
    fn legal_table(&mut self, role: Role, table: &mut Vec<u64>) {
        let mut moves = Vec::new();
        self.places(role, &mut moves);
        let words = moves.len().div_ceil(64);
        table.clear();
        table.resize(words * self.count(), 0);
        let mut place = 0;
        for lane in 0..self.count() {
            moves.clear();
            self.legal(lane, role, &mut moves);
            for _ in &moves {
                table[lane * words + place / 64] |= 1 << (place % 64);
                place += 1;
            }
        }
    }

    /// The words of the states of all lanes, one after another, in place of what
    /// was there. Valid after `evaluate` or `load`.
    fn state_table(&self, table: &mut Vec<u64>) {
        table.clear();
        (0..self.count()).for_each(|lane| table.extend(self.state(lane).0));
    }

    /// Plays complete games from the initial state, all moves uniformly random,
    /// every finished lane restarted at once, until `keep_going` (asked now and
    /// then, given the counts so far) says no. What the lanes held before is
    /// lost.
    fn playouts(&mut self, keep_going: &mut dyn FnMut(&Tally) -> bool) -> Tally;
}

/// What a run of random playouts saw.
///
/// Games in play when the run stops are played to their end and counted, since
/// dropping them would favour short games; only games that do not end soon after
/// are given up.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tally {
    /// Games finished.
    pub playouts: u64,
    /// State transitions made in finished games.
    pub steps: u64,
    /// State transitions made in all, unfinished games included.
    pub transitions: u64,
    /// Sum of the squares of the finished games' lengths.
    pub squared_steps: u64,
    /// For every role, the sum of its goal values over finished games.
    pub goals: Vec<i64>,
    /// For every role, the sum of the squares of its goal values.
    pub squared_goals: Vec<i64>,
}

impl AddAssign<&Self> for Tally {
    /// Joins the counts of two runs of the same game.
    fn add_assign(&mut self, other: &Self) {
        let roles = self.goals.len().max(other.goals.len());
        self.goals.resize(roles, 0);
        self.squared_goals.resize(roles, 0);
        self.playouts += other.playouts;
        self.steps += other.steps;
        self.transitions += other.transitions;
        self.squared_steps += other.squared_steps;
        for (sum, part) in self.goals.iter_mut().zip(&other.goals) {
            *sum += part;
        }
        for (sum, part) in self.squared_goals.iter_mut().zip(&other.squared_goals) {
            *sum += part;
        }
    }
}

//! [`Lanes`]: many positions of one game, advanced together.

use super::{Move, Role, State, Tally};
use crate::features::FeatureSet;
use crate::layout::Layout;

/// What [`LaneObservation::made`] contains where a role had no choice.
pub const NO_CHOICE: u32 = u32::MAX;

/// The number of bits of a weight: even.
pub const WEIGHT_BITS: u32 = 12;

/// The largest weight of a move.
pub const MOST_WEIGHT: u32 = (1 << WEIGHT_BITS) - 1;

/// A move that a role is forced to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    /// The move.
    pub mv: Move,
    /// Its index among the moves that [`LaneSteps::legal`] lists.
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

/// Everything that lanes can do; see [`LaneSteps`] for the order of a step.
pub trait Lanes: LaneSets + LaneWeights + LaneObservation + LanePlayouts {}

impl<L: LaneSets + LaneWeights + LaneObservation + LanePlayouts> Lanes for L {}

/// The steps of many positions.
///
/// A step is [`evaluate`](Self::evaluate), then [`advance`](Self::advance). Between
/// the two, positions can be read and lanes can be forced to make particular moves;
/// all others move uniformly at random, or by [weight](LaneWeights). States are
/// loaded before `evaluate`: a lane whose position is terminal has to be loaded
/// with another state in the step after, and until then its contents are
/// meaningless.
///
/// # Panics
/// Implementations assert this order by a [`StepSequence`](super::StepSequence): a method
/// that needs an evaluation panics if there was none since the last load, advance
/// or playouts.
pub trait LaneSteps: Send {
    /// The number of positions: lanes are numbered from 0.
    fn count(&self) -> usize;

    /// The number of roles of the game.
    fn roles(&self) -> usize;

    /// The cost of a step of all lanes in operations of the plan, with weights and
    /// observation as they are switched now. It is known without measuring, so
    /// decisions based on it are repeatable. 0 if lanes are not computed by such
    /// operations.
    fn operations(&self) -> u32 {
        0
    }

    /// Puts a state into a lane.
    fn load(&mut self, lane: usize, state: &State);

    /// Computes for every lane whether its position is terminal, and how many moves
    /// there are to choose from; goals and legal moves are computed on request.
    fn evaluate(&mut self);

    /// The set of lanes whose position is terminal, as [`lanes_of`] reads it. Needs
    /// an evaluation.
    fn terminal(&self) -> &[u64];

    /// Writes the goal value of every role in a lane, in role order: the highest
    /// where several hold, 0 where none does. Needs an evaluation.
    fn goals(&mut self, lane: usize, goals: &mut [i32]);

    /// The state in a lane, as last loaded or advanced to.
    fn state(&self, lane: usize) -> State;

    /// Appends the legal moves of a role in a lane, always in the same order for the
    /// same state. Needs an evaluation.
    fn legal(&mut self, lane: usize, role: Role, moves: &mut Vec<Move>);

    /// Makes the next `advance` use these moves, one per role in role order, in a
    /// set of lanes that are all in one state. Needs an evaluation.
    fn force(&mut self, lanes: &[u64], picks: &[Pick]);

    /// Makes a move of every role in every lane. Needs an evaluation.
    fn advance(&mut self);
}

/// Loads and reads sets of lanes together; the provided methods do so lane by lane.
pub trait LaneSets: LaneSteps {
    /// Puts a state, given as its words, into every lane of a set (as [`lanes_of`]
    /// reads it).
    fn load_all(&mut self, lanes: &[u64], state: &[u64]) {
        let state = State(state.into());
        lanes_of(lanes).for_each(|lane| self.load(lane, &state));
    }

    /// Puts states, given as their words one after another, into the lowest lanes. The other lanes
    /// get the last of them.
    ///
    /// # Panics
    /// If there is no state, or there are more states than lanes.
    fn load_table(&mut self, table: &[u64]) {
        let words = self.state(0).0.len();
        let last = table.len() - words;
        for lane in 0..self.count() {
            let start = (lane * words).min(last);
            self.load(lane, &State(table[start..start + words].into()));
        }
    }

    /// Makes the next `advance` use these moves in the lowest lanes: for each lane one
    /// per role, lane after lane; `None` for a role that has a single move. Needs an
    /// evaluation.
    fn force_table(&mut self, picks: &[Option<Pick>]) {
        let mut single = vec![0; self.count().div_ceil(64)];
        let mut moves = Vec::new();
        for (lane, picks) in picks.chunks(self.roles()).enumerate() {
            let all: Vec<Pick> = (picks.iter().enumerate())
                .filter_map(|(role, &pick)| {
                    moves.clear();
                    self.legal(lane, role, &mut moves);
                    let only = moves.first().map(|&mv| Pick { mv, index: 0 });
                    pick.or(only)
                })
                .collect();
            single[lane / 64] = 1 << (lane % 64);
            self.force(&single, &all);
            single[lane / 64] = 0;
        }
    }

    /// Makes the next `advance` use, in a set of lanes, the candidates that have these ranks
    /// in a choice of the [layout](super::Engine::layout): for each of the lowest lanes one
    /// number, below its count of candidates where the lane is in the set and has any. Needs
    /// an evaluation. Engines without a layout have no choices, and do nothing.
    fn force_ranks(&mut self, _choice: usize, _lanes: &[u64], _ranks: &[u64]) {}

    /// The goals of a set of lanes: calls `visit` with every role and goal value
    /// other than 0 and the set of lanes for which [`goals`](LaneSteps::goals) gives
    /// that value. Needs an evaluation.
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

    /// Replaces `words` by the words of the state in a lane.
    fn read_state(&self, lane: usize, words: &mut Vec<u64>) {
        words.clear();
        words.extend_from_slice(&self.state(lane).0);
    }

    /// Replaces `table` by the words of the states of the lowest `lanes` lanes, lane
    /// after lane.
    fn state_table(&self, lanes: usize, table: &mut Vec<u64>) {
        table.clear();
        (0..lanes).for_each(|lane| table.extend(self.state(lane).0));
    }

    /// Replaces `table` by some fluents of the states in the lowest `lanes` lanes, lane
    /// after lane: as many words as `fluents` takes, whose bit `index % 64` of word
    /// `index / 64` is the fluent at that index, or 0 for `None`.
    fn fluent_table(&mut self, fluents: &[Option<u32>], lanes: usize, table: &mut Vec<u64>) {
        let words = fluents.len().div_ceil(64);
        table.clear();
        table.resize(words * lanes, 0);
        for lane in 0..lanes {
            let state = self.state(lane);
            for (index, fluent) in fluents.iter().enumerate() {
                let holds = fluent.is_some_and(|fluent| Layout::holds(&state.0, fluent as usize));
                table[lane * words + index / 64] |= u64::from(holds) << (index % 64);
            }
        }
    }

    /// The number of bits of a state's words that are fluents: the lowest ones.
    fn fluents(&self) -> usize {
        64 * self.state(0).0.len()
    }

    /// Replaces `table` by the features of the positions in the lowest `lanes` lanes, lane
    /// after lane: for each lane as many words as its bits take, which are its
    /// [fluents](Self::fluents), then the features of `set`, then whatever else the engine
    /// knows about how many moves there are, and then the bits of the
    /// [program](FeatureSet::reachability) of `set`, if the engine can run it. Needs an evaluation.
    fn feature_table(&mut self, set: &FeatureSet, lanes: usize, table: &mut Vec<u64>) {
        table.clear();
        for lane in 0..lanes {
            let mut words = self.state(lane).0.to_vec();
            let fluents = 64 * words.len();
            let state = words.clone();
            words.resize((fluents + set.len()).div_ceil(64), 0);
            let features = set.of_state(|fluent| Layout::holds(&state, fluent as usize));
            for (index, holds) in (fluents..).zip(features) {
                words[index / 64] |= u64::from(holds) << (index % 64);
            }
            table.extend(words);
        }
    }

    /// Replaces `moves` by the moves of a role that the bits of a lane in
    /// [`legal_table`](Self::legal_table) stand for. Engines that know all moves
    /// beforehand always give all of them in the same order; others give the moves
    /// that are legal now, lane by lane. Needs an evaluation.
    fn table_moves(&mut self, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        (0..self.count()).for_each(|lane| self.legal(lane, role, moves));
    }

    /// Replaces `table` by which moves of a role are legal: for the lowest `lanes` lanes,
    /// lane after lane, as many 64-bit words as its [`table_moves`](Self::table_moves)
    /// take, move `index` being bit `index % 64` of word `index / 64`. A lane's legal
    /// moves are in the order of [`legal`](LaneSteps::legal), so the number of bits
    /// set below a move's is its index there. Needs an evaluation.
    fn legal_table(&mut self, role: Role, lanes: usize, table: &mut Vec<u64>) {
        let mut moves = Vec::new();
        self.table_moves(role, &mut moves);
        let words = moves.len().div_ceil(64);
        table.clear();
        table.resize(words * lanes, 0);
        let mut index = 0;
        for lane in 0..lanes {
            moves.clear();
            self.legal(lane, role, &mut moves);
            for _ in &moves {
                table[lane * words + index / 64] |= 1 << (index % 64);
                index += 1;
            }
        }
    }

    /// Replaces `table` by which of these moves of a role are legal, as
    /// [`legal_table`](Self::legal_table) does for all of them in their order. Needs an
    /// evaluation.
    fn move_table(&mut self, role: Role, moves: &[Move], lanes: usize, table: &mut Vec<u64>) {
        let words = moves.len().div_ceil(64);
        table.clear();
        table.resize(words * lanes, 0);
        let mut legal = Vec::new();
        for lane in 0..lanes {
            legal.clear();
            self.legal(lane, role, &mut legal);
            for (index, mv) in moves.iter().enumerate() {
                let is_legal = legal.contains(mv);
                table[lane * words + index / 64] |= u64::from(is_legal) << (index % 64);
            }
        }
    }

    /// Replaces `sets` with the lanes in which it is each role's turn, role after role, in games
    /// where one role at a time can choose: the role that has competing moves; else the one given
    /// by the first fluent of `told` that holds; else the first role. Needs an evaluation. Engines
    /// without a layout know of no competition: it is always the first role's turn.
    fn player_sets(&mut self, _told: &[(u32, Role)], sets: &mut Vec<u64>) {
        let words = self.count().div_ceil(64);
        sets.clear();
        sets.resize(words * self.roles(), 0);
        sets[..words].fill(u64::MAX);
    }

    /// Replaces `table` by which moves are legal for the role whose turn it is: as
    /// [`move_table`](Self::move_table) does, with moves given for every role, and `sets` as
    /// [`player_sets`](Self::player_sets) gives them. A row has as many bits as the longest of
    /// these lists has moves; in the lanes of `all`, all bits are set. Needs an evaluation.
    fn player_table(
        &mut self,
        sets: &[u64],
        moves: &[Vec<Move>],
        all: &[u64],
        lanes: usize,
        table: &mut Vec<u64>,
    ) {
        let bits = moves.iter().map(Vec::len).max().unwrap_or(0);
        let words = bits.div_ceil(64);
        table.clear();
        table.resize(words * lanes, 0);
        let mut own = Vec::new();
        let of_role = sets.chunks(self.count().div_ceil(64));
        for (set, (role, moves)) in of_role.zip(moves.iter().enumerate()) {
            self.move_table(role, moves, lanes, &mut own);
            for lane in lanes_of(set).take_while(|&lane| lane < lanes) {
                let own = own.chunks(moves.len().div_ceil(64).max(1)).nth(lane);
                for (to, from) in table[lane * words..].iter_mut().zip(own.unwrap_or(&[])) {
                    *to = *from;
                }
            }
        }
        for lane in lanes_of(all).take_while(|&lane| lane < lanes) {
            for bit in 0..bits {
                table[lane * words + bit / 64] |= 1 << (bit % 64);
            }
        }
    }
}

/// Moves chosen by weight.
pub trait LaneWeights {
    /// Gives a move of a role a weight in a set of lanes, from 1 to [`MOST_WEIGHT`],
    /// whatever states they go through. All weights are 1 at first. They count while
    /// [`choose_by_weight`](Self::choose_by_weight) is on.
    fn weigh(&mut self, lanes: &[u64], role: Role, mv: Move, weight: u32);

    /// Resets the weights of all moves to 1 in a set of lanes.
    fn weigh_alike(&mut self, lanes: &[u64]);

    /// Makes `advance` choose moves, in lanes that are not forced, with probability
    /// exactly proportional to their weight among the legal moves of their role; or
    /// uniformly, as at first. Where the weights of all moves that compete could
    /// have a sum of more than 24 bits, weights do not count.
    fn choose_by_weight(&mut self, on: bool);
}

/// Reports the moves made.
pub trait LaneObservation {
    /// Makes `advance` record [which moves were made](Self::made); it is off at
    /// first.
    fn observe_moves(&mut self, on: bool);

    /// For every lane, the number of the move that a role made in the last
    /// `advance`, forced or not; [`NO_CHOICE`] where none of its legal moves
    /// competes with another. For a role with one legal move it may be that move or
    /// [`NO_CHOICE`]. It is meaningless in lanes that were terminal.
    ///
    /// # Panics
    /// If the last `advance` did not observe moves.
    fn made(&self, role: Role) -> &[u32];
}

/// Complete random games.
pub trait LanePlayouts {
    /// Plays games from the initial state, all moves uniformly random, another one in
    /// every lane whose game has ended, until `keep_going`, called now and then with
    /// the statistics so far, returns false. The previous contents of the lanes are
    /// lost.
    fn playouts(&mut self, keep_going: &mut dyn FnMut(&Tally) -> bool) -> Tally;
}

//! Positions and successors of many states at once, on the lanes of one machine.
//!
//! A lane holds one state. Examining `n` states or making `n` moves takes
//! `n / lanes` steps of the machine, and reading the results transposes whole tables:
//! some ten nanoseconds per state in a game of the size of Breakthrough.

use std::ops::Range;

use gdl_runtime::engine::{Lanes, Move, Pick, Role, lanes_of};
use gdl_runtime::features::FeatureSet;

/// States and what the rules say about them.
#[derive(Debug, Default, Clone)]
pub struct Positions {
    /// The words of the states, state after state.
    pub states: Vec<u64>,
    /// The words of their features, state after state; empty if there are none but the
    /// fluents.
    features: Vec<u64>,
    /// Whether the game is over, for each state. A state in which a role has no move
    /// counts as the end of the game if its legal moves were asked for.
    pub terminal: Vec<bool>,
    /// The goal values of terminal states, one per role, state after state; 0 elsewhere.
    pub goals: Vec<i32>,
    /// The legal moves, role after role, state after state; empty if not asked for.
    picks: Vec<Pick>,
    /// For each state and role, where its moves end in `picks`.
    ends: Vec<u32>,
}

impl Positions {
    fn clear(&mut self) {
        self.states.clear();
        self.features.clear();
        self.terminal.clear();
        self.goals.clear();
        self.picks.clear();
        self.ends.clear();
    }

    /// The number of states.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.terminal.len()
    }

    /// Whether there are no states.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terminal.is_empty()
    }

    /// The words of a state.
    #[inline]
    #[must_use]
    pub fn state(&self, index: usize) -> &[u64] {
        let words = self.states.len() / self.len();
        &self.states[index * words..(index + 1) * words]
    }

    /// The words of a state's features.
    #[inline]
    #[must_use]
    pub fn features(&self, index: usize) -> &[u64] {
        self.features_of(index..index + 1)
    }

    /// The words of the features of some states, state after state.
    #[inline]
    #[must_use]
    pub fn features_of(&self, states: Range<usize>) -> &[u64] {
        let all = match self.features.is_empty() {
            true => &self.states,
            false => &self.features,
        };
        let words = all.len() / self.len().max(1);
        &all[states.start * words..states.end * words]
    }

    /// The goal values of a state, one per role.
    #[inline]
    #[must_use]
    pub fn goals(&self, index: usize) -> &[i32] {
        let roles = self.goals.len() / self.len();
        &self.goals[index * roles..(index + 1) * roles]
    }

    /// The legal moves of a role in a state.
    #[inline]
    #[must_use]
    pub fn moves(&self, index: usize, role: Role) -> &[Pick] {
        let roles = self.ends.len() / self.len();
        let at = index * roles + role;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.picks[start as usize..self.ends[at] as usize]
    }

    /// The role that decides where a state leads, if exactly one role has several
    /// moves; the first role if none has.
    #[inline]
    #[must_use]
    pub fn decider(&self, index: usize, roles: usize) -> Option<Role> {
        let mut choosing = (0..roles).filter(|&role| self.moves(index, role).len() > 1);
        match (choosing.next(), choosing.next()) {
            (_, Some(_)) => None,
            (decider, None) => Some(decider.unwrap_or(0)),
        }
    }
}

/// A machine that expands states.
pub struct Expander {
    lanes: Box<dyn Lanes>,
    roles: usize,
    words: usize,
    /// The bits of the last word of a state that are fluents.
    last_fluents: u64,
    /// For each role, its moves in the order of the bits of `legal`.
    moves: Vec<Vec<Move>>,
    legal: Vec<Vec<u64>>,
    /// For each role, the places of its moves in that order, by their numbers.
    places: Vec<Vec<u32>>,
    table: Vec<u64>,
    /// The features that positions get, if not the fluents alone.
    features: Option<FeatureSet>,
}

impl Expander {
    /// An expander on the lanes of a machine, for a game whose states have this number
    /// of words.
    #[must_use]
    pub fn new(lanes: Box<dyn Lanes>, words: usize) -> Self {
        let roles = lanes.roles();
        let unused = (64 * words).saturating_sub(lanes.fluents()) as u32;
        Self {
            lanes,
            roles,
            words,
            last_fluents: u64::MAX.checked_shr(unused).unwrap_or(0),
            moves: vec![Vec::new(); roles],
            legal: vec![Vec::new(); roles],
            places: vec![Vec::new(); roles],
            table: Vec::new(),
            features: None,
        }
    }

    /// The same on the lanes of another machine for the game, which numbers and lists moves in the
    /// same way: moves read on this one can be picked on the other.
    #[must_use]
    pub fn on(&self, lanes: Box<dyn Lanes>) -> Self {
        Self {
            features: self.features.clone(),
            places: self.places.clone(),
            ..Self::new(lanes, self.words)
        }
    }

    /// The number of roles of the game.
    #[must_use]
    pub fn roles(&self) -> usize {
        self.roles
    }

    /// The number of words of a state.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }

    /// Gives positions these features from now on.
    pub fn set_features(&mut self, features: FeatureSet) {
        self.features = Some(features);
    }

    /// The features that positions get, if not the fluents alone.
    #[must_use]
    pub fn features(&self) -> Option<&FeatureSet> {
        self.features.as_ref()
    }

    /// The cost of a step of the machine, see
    /// [`LaneSteps::operations`](gdl_runtime::engine::LaneSteps::operations).
    #[must_use]
    pub fn operations(&self) -> u32 {
        self.lanes.operations()
    }

    /// The number of states that one step of the machine processes.
    #[must_use]
    pub fn width(&self) -> usize {
        self.lanes.count()
    }

    /// The legal move of a role with this number, in a state in which exactly `legal` are
    /// legal, in any order. Legal moves must have been read before.
    #[inline]
    pub fn pick(&self, role: Role, mv: Move, legal: impl Iterator<Item = Move>) -> Pick {
        let places = &self.places[role];
        let place = |mv: Move| places[mv.0 as usize];
        let before = legal.filter(|&other| place(other) < place(mv));
        let index = before.count() as u32;
        Pick { mv, index }
    }

    /// Overwrites `positions` with what the rules say about these states, given as their words one
    /// after another: whether they are terminal, goals, legal moves.
    pub fn examine(&mut self, states: &[u64], positions: &mut Positions) {
        self.examine_states(states, positions, |expander, used, positions| {
            expander.read_features(used, positions);
            expander.read_results(used, positions);
            expander.read_moves(used, positions);
        });
    }

    /// As [`examine`](Self::examine) without features and legal moves.
    pub fn examine_results(&mut self, states: &[u64], positions: &mut Positions) {
        self.examine_states(states, positions, Self::read_results);
    }

    /// As [`examine`](Self::examine) without legal moves.
    pub fn examine_features(&mut self, states: &[u64], positions: &mut Positions) {
        self.examine_states(states, positions, |expander, used, positions| {
            expander.read_features(used, positions);
            expander.read_results(used, positions);
        });
    }

    /// Evaluates states, and reads what `read` reads of the lowest lanes.
    fn examine_states(
        &mut self,
        states: &[u64],
        positions: &mut Positions,
        mut read: impl FnMut(&mut Self, usize, &mut Positions),
    ) {
        positions.clear();
        for states in states.chunks(self.words * self.lanes.count()) {
            self.lanes.load_table(states);
            self.lanes.evaluate();
            positions.states.extend_from_slice(states);
            read(self, states.len() / self.words, positions);
        }
    }

    /// Overwrites `successors` with the states that follow from these, given as their words one
    /// after another, after the joint moves in `picks`: for each state one move per role, `None`
    /// for a role that has a single move. With `legal`, the legal moves of the successors too.
    pub fn advance(
        &mut self,
        states: &[u64],
        picks: &[Option<Pick>],
        legal: bool,
        successors: &mut Positions,
    ) {
        self.advance_to(states, picks, successors, |expander, used, successors| {
            expander.read_states(used, successors);
            expander.read_results(used, successors);
            if legal {
                expander.read_moves(used, successors);
            }
        });
    }

    /// As [`advance`](Self::advance) without legal moves and, if features are set, without the
    /// words of the successors' states, which [`copy_state`](Self::copy_state) takes from
    /// their features.
    pub fn advance_features(
        &mut self,
        states: &[u64],
        picks: &[Option<Pick>],
        successors: &mut Positions,
    ) {
        self.advance_to(states, picks, successors, |expander, used, successors| {
            if expander.features.is_none() {
                expander.read_states(used, successors);
            }
            expander.read_results(used, successors);
        });
    }

    /// Advances states and reads their features, then what `read` reads of the lowest
    /// lanes.
    fn advance_to(
        &mut self,
        states: &[u64],
        picks: &[Option<Pick>],
        successors: &mut Positions,
        mut read: impl FnMut(&mut Self, usize, &mut Positions),
    ) {
        successors.clear();
        let count = self.lanes.count();
        let picks = picks.chunks(self.roles * count);
        for (states, picks) in states.chunks(self.words * count).zip(picks) {
            let used = states.len() / self.words;
            self.lanes.load_table(states);
            self.lanes.evaluate();
            self.lanes.force_table(picks);
            self.lanes.advance();
            self.lanes.evaluate();
            self.read_features(used, successors);
            read(self, used, successors);
        }
    }

    /// Copies the words of the state with these features.
    #[inline]
    pub fn copy_state(&self, features: &[u64], state: &mut [u64]) {
        state.copy_from_slice(&features[..self.words]);
        if let Some(last) = state.last_mut() {
            *last &= self.last_fluents;
        }
    }

    /// Reads the features of the lowest lanes.
    fn read_features(&mut self, used: usize, positions: &mut Positions) {
        if let Some(features) = &self.features {
            self.lanes.feature_table(features, used, &mut self.table);
            positions.features.extend_from_slice(&self.table);
        }
    }

    /// Reads the states of the lowest lanes, whose features have been read: these begin
    /// with the fluents.
    fn read_states(&mut self, used: usize, positions: &mut Positions) {
        if self.features.is_none() {
            self.lanes.state_table(used, &mut self.table);
            positions.states.extend_from_slice(&self.table);
            return;
        }
        let first = positions.states.len();
        positions.states.resize(first + used * self.words, 0);
        let features = self.table.chunks_exact(self.table.len() / used);
        let states = positions.states[first..].chunks_exact_mut(self.words);
        for (features, state) in features.zip(states) {
            self.copy_state(features, state);
        }
    }

    /// Reads which of the lowest lanes are terminal, and their goals.
    fn read_results(&mut self, used: usize, positions: &mut Positions) {
        let (first, roles) = (positions.terminal.len(), self.roles);
        let mut terminal: Vec<u64> = self.lanes.terminal().to_vec();
        for (word, bits) in terminal.iter_mut().enumerate() {
            let lanes = used.saturating_sub(64 * word).min(64) as u32;
            *bits &= u64::MAX.checked_shr(64 - lanes).unwrap_or(0);
        }
        positions.terminal.resize(first + used, false);
        positions.goals.resize((first + used) * roles, 0);
        lanes_of(&terminal).for_each(|lane| positions.terminal[first + lane] = true);
        if terminal.iter().any(|&bits| bits != 0) {
            let goals = &mut positions.goals;
            self.lanes.goals_all(&terminal, &mut |role, value, lanes| {
                lanes_of(lanes).for_each(|lane| goals[(first + lane) * roles + role] = value);
            });
        }
    }

    /// Reads the legal moves of the lowest lanes. A state without a move for some role
    /// becomes terminal, with the goals that hold there.
    fn read_moves(&mut self, used: usize, positions: &mut Positions) {
        let first = positions.terminal.len() - used;
        for (role, (moves, legal)) in self.moves.iter_mut().zip(&mut self.legal).enumerate() {
            self.lanes.table_moves(role, moves);
            self.lanes.legal_table(role, used, legal);
            if self.places[role].is_empty() {
                let most = moves.iter().map(|mv| mv.0 as usize + 1).max();
                self.places[role].resize(most.unwrap_or(0), 0);
                for (place, mv) in (0..).zip(moves) {
                    self.places[role][mv.0 as usize] = place;
                }
            }
        }
        for lane in 0..used {
            let mut stuck = false;
            for (moves, legal) in self.moves.iter().zip(&self.legal) {
                let words = moves.len().div_ceil(64);
                let before = positions.picks.len();
                let mut index = 0;
                let set = &legal[lane * words..(lane + 1) * words];
                for (moves, &bits) in moves.chunks(64).zip(set) {
                    let mut rest = bits;
                    while rest != 0 {
                        let mv = moves[rest.trailing_zeros() as usize];
                        positions.picks.push(Pick { mv, index });
                        index += 1;
                        rest &= rest - 1;
                    }
                }
                stuck |= positions.picks.len() == before;
                positions.ends.push(positions.picks.len() as u32);
            }
            if stuck && !positions.terminal[first + lane] {
                let goals = &mut positions.goals[(first + lane) * self.roles..][..self.roles];
                self.lanes.goals(lane, goals);
                positions.terminal[first + lane] = true;
            }
        }
    }
}

/// Appends the words of a state, of which there are few, the given number of times.
#[inline]
pub(crate) fn append_repeated(words: &[u64], times: usize, to: &mut Vec<u64>) {
    let first = to.len();
    to.resize(first + times * words.len(), 0);
    for copy in to[first..].chunks_exact_mut(words.len().max(1)) {
        for (to, &word) in copy.iter_mut().zip(words) {
            *to = word;
        }
    }
}

/// Appends the few words of a state: a call of the general copying function would take
/// longer than copying them one by one.
#[inline]
pub(crate) fn append_words(words: &[u64], to: &mut Vec<u64>) {
    for &word in words {
        to.push(word);
    }
}

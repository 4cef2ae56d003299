//! Playouts from leaves: random games on lanes of their own, which go on while the tree
//! grows. A lane that has finished its game is free for the next leaf at once.

use gdl_runtime::engine::{Lanes, Role, lanes_of};

use crate::learning::network::MAX_HEADS;

/// The fewest and the most games that are played from a leaf.
pub(crate) const FEWEST_GAMES: usize = 16;
pub(crate) const MOST_GAMES: usize = 64;

/// About the number of moves after which a game ends with the goals that hold there.
const LONGEST_GAME: u32 = 512;

/// Marks a lane without a game.
const NO_LEAF: u32 = u32::MAX;

/// Games in progress from a number of leaves.
pub(super) struct LeafPlayouts {
    lanes: Box<dyn Lanes>,
    /// The lanes whose game is in progress.
    running: Vec<u64>,
    /// For each lane the leaf that its game began from.
    leaf_of: Vec<u32>,
    /// For each lane the number of the step in which its game began.
    begun: Vec<u32>,
    /// The number of steps so far.
    steps: u32,
    /// Lanes without a game.
    free: Vec<u32>,
    leaves: Vec<LeafGames>,
    over: Vec<u64>,
    set: Vec<u64>,
}

/// The games from one leaf.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LeafGames {
    games: u32,
    unfinished: u32,
    /// For each role the sum of its goals.
    goals: [f32; MAX_HEADS],
}

impl LeafGames {
    /// The odds of a role's result, by Laplace's rule of succession: few games do not
    /// make anything certain.
    pub(super) fn odds(&self, role: Role) -> f32 {
        let won = self.goals[role] / 100.0;
        (won + 1.0) / (self.games as f32 - won + 1.0)
    }
}

impl LeafPlayouts {
    pub(super) fn new(lanes: Box<dyn Lanes>) -> Self {
        let count = lanes.count();
        let words = count.div_ceil(64);
        Self {
            lanes,
            running: vec![0; words],
            leaf_of: vec![NO_LEAF; count],
            begun: vec![0; count],
            steps: 0,
            free: (0..count as u32).collect(),
            leaves: Vec::new(),
            over: vec![0; words],
            set: vec![0; words],
        }
    }

    /// Continues on another machine of the same game, without the games in progress.
    pub(super) fn move_to(&mut self, lanes: Box<dyn Lanes>) {
        *self = Self::new(lanes);
    }

    /// Ends all games without a result, and calls `abandoned` with each leaf that had
    /// any.
    pub(super) fn clear(&mut self, abandoned: &mut dyn FnMut(usize)) {
        self.running.fill(0);
        self.free.clear();
        self.free.extend(0..self.leaf_of.len() as u32);
        for (leaf, games) in self.leaves.iter_mut().enumerate() {
            if games.unfinished > 0 {
                games.unfinished = 0;
                abandoned(leaf);
            }
        }
    }

    /// The number of leaves that games can be started from, if `in_flight` leaves are
    /// wanted at a time.
    pub(super) fn room(&self, in_flight: usize) -> usize {
        self.free.len() / self.games_per_leaf(in_flight)
    }

    /// The number of leaves that fit at a time if each gets the fewest games.
    pub(super) fn most_leaves(&self) -> usize {
        (self.leaf_of.len() / FEWEST_GAMES).max(1)
    }

    /// The number of games from each leaf, if this number of leaves is wanted at a time.
    fn games_per_leaf(&self, in_flight: usize) -> usize {
        let lanes = self.leaf_of.len();
        (lanes / in_flight.max(1)).clamp(FEWEST_GAMES.min(lanes), MOST_GAMES.min(lanes))
    }

    /// Starts games from a state, if `in_flight` leaves are wanted at a time. Their results
    /// are reported for `leaf`. There must be room.
    pub(super) fn start(&mut self, leaf: usize, state: &[u64], in_flight: usize) {
        self.start_games(leaf, state, self.games_per_leaf(in_flight));
    }

    /// Starts this number of games from a state, or as many as there is room for.
    fn start_games(&mut self, leaf: usize, state: &[u64], games: usize) {
        let games = games.min(self.free.len());
        self.set.fill(0);
        for lane in self.free.drain(self.free.len() - games..) {
            let lane = lane as usize;
            self.set[lane / 64] |= 1 << (lane % 64);
            self.leaf_of[lane] = leaf as u32;
            self.begun[lane] = self.steps;
        }
        for (running, set) in self.running.iter_mut().zip(&self.set) {
            *running |= set;
        }
        if self.leaves.len() <= leaf {
            self.leaves.resize(leaf + 1, LeafGames::default());
        }
        self.leaves[leaf] = LeafGames {
            games: games as u32,
            unfinished: games as u32,
            goals: [0.0; MAX_HEADS],
        };
        self.lanes.load_all(&self.set, state);
    }

    /// The odds of every role's result in this number of random games from each state, state
    /// after state. It stops early once `goes_on` returns false: states whose games are not
    /// over then have `None`, and those whose games have not begun are left out.
    pub(super) fn play_out<'a>(
        &mut self,
        states: impl Iterator<Item = &'a [u64]>,
        games: usize,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Option<Vec<f32>>> {
        self.clear(&mut |_| ());
        let roles = self.lanes.roles();
        let games = games.min(self.leaf_of.len());
        let mut states = states.enumerate().peekable();
        let mut odds: Vec<Option<Vec<f32>>> = Vec::new();
        let mut unfinished = 0;
        while (states.peek().is_some() || unfinished > 0) && goes_on() {
            while self.free.len() >= games
                && let Some((index, state)) = states.next()
            {
                self.start_games(index, state, games);
                odds.push(None);
                unfinished += 1;
            }
            self.step(&mut |index, games| {
                odds[index] = Some((0..roles).map(|role| games.odds(role)).collect());
                unfinished -= 1;
            });
        }
        odds
    }

    /// Makes a move in all games, and calls `finished` with each leaf all of whose games
    /// are over.
    pub(super) fn step(&mut self, finished: &mut dyn FnMut(usize, &LeafGames)) {
        self.lanes.evaluate();
        let terminal = self.lanes.terminal();
        for ((over, running), terminal) in self.over.iter_mut().zip(&self.running).zip(terminal) {
            *over = running & terminal;
        }
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(LONGEST_GAME / 4) {
            self.give_up();
        }
        self.end_games(finished);
        self.lanes.advance();
    }

    /// Ends games that have taken too long.
    fn give_up(&mut self) {
        for lane in lanes_of(&self.running) {
            if self.steps.wrapping_sub(self.begun[lane]) > LONGEST_GAME {
                self.over[lane / 64] |= 1 << (lane % 64);
            }
        }
    }

    /// Ends the games that are over.
    fn end_games(&mut self, finished: &mut dyn FnMut(usize, &LeafGames)) {
        if self.over.iter().all(|&bits| bits == 0) {
            return;
        }
        let (leaves, leaf_of) = (&mut self.leaves, &self.leaf_of);
        self.lanes.goals_all(&self.over, &mut |role, value, lanes| {
            for lane in lanes_of(lanes) {
                leaves[leaf_of[lane] as usize].goals[role] += value as f32;
            }
        });
        for lane in lanes_of(&self.over) {
            self.running[lane / 64] &= !(1 << (lane % 64));
            self.free.push(lane as u32);
            let leaf = leaf_of[lane] as usize;
            let games = &mut leaves[leaf];
            games.unfinished -= 1;
            if games.unfinished == 0 {
                finished(leaf, games);
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::path::Path;

    use gdl_engines::{EngineKind, EngineOptions};
    use gdl_runtime::engine::{Engine, State};

    use super::LeafPlayouts;
    use crate::matches::highest_goals;

    /// The mean goal of the first role over random games from a state, and the variance.
    fn expected(engine: &mut dyn Engine, state: &State) -> (f64, f64) {
        let position = engine.examine(state);
        if position.terminal {
            return (f64::from(highest_goals(&position)[0]), 0.0);
        }
        let decider = usize::from(position.legal[1].len() > 1);
        let moves = &position.legal[decider];
        let (mut mean, mut square) = (0.0, 0.0);
        for &mv in moves {
            let mut joint: Vec<_> = position.legal.iter().map(|moves| moves[0]).collect();
            joint[decider] = mv;
            let next = engine.next(state, &joint);
            let (one, variance) = expected(engine, &next);
            mean += one / moves.len() as f64;
            square += (variance + one * one) / moves.len() as f64;
        }
        (mean, square - mean * mean)
    }

    /// Leaves start while the games of others go on, as in a search.
    #[test]
    fn results_are_those_of_uniformly_random_games() {
        let seed = gdl_testing::seed();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tictactoe.kif");
        let options = EngineOptions::default();
        let mut engine = gdl_engines::open(&path, EngineKind::Net, &options)
            .unwrap()
            .engine;
        let mut state = engine.initial();
        for _ in 0..3 {
            let legal = engine.examine(&state).legal;
            let joint: Vec<_> = legal.iter().map(|moves| moves[moves.len() / 2]).collect();
            state = engine.next(&state, &joint);
        }
        let (mean, variance) = expected(&mut *engine, &state);
        let mut playouts = LeafPlayouts::new(engine.lanes(seed));
        let wanted = playouts.most_leaves();
        let mut idle: Vec<usize> = (0..wanted).collect();
        let (mut sum, mut count) = (0.0, 0.0);
        while count < 4000.0 {
            while playouts.room(wanted) > 0
                && let Some(leaf) = idle.pop()
            {
                playouts.start(leaf, &state.0, wanted);
            }
            playouts.step(&mut |leaf, games| {
                sum += f64::from(games.goals[0] / games.games as f32);
                count += 1.0;
                idle.push(leaf);
            });
        }
        let games = count * playouts.games_per_leaf(wanted) as f64;
        let error = (sum / count - mean).abs() / (variance / games).sqrt();
        assert!(
            error < 5.0,
            "{} for {mean}: {error} deviations",
            sum / count
        );
    }
}

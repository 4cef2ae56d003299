//! Random games from given states.

use crate::error::EnvironmentError;
use gdl_runtime::engine::{Engine, Lanes, lanes_of};

/// Random games from given states, all moves uniformly random.
pub struct Rollouts {
    lanes: Box<dyn Lanes>,
    state_words: usize,
}

/// The outcome of random games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RolloutTable {
    /// For every state and role, the sum of its goals, 0 to 100 each.
    pub goals: Vec<i64>,
    /// For every state, the number of games that have ended.
    pub ended: Vec<u64>,
    /// For every state, the number of moves made in its games that have ended or reached the step
    /// limit.
    pub steps: Vec<u64>,
}

/// The number of steps between two checks of whether to go on.
const STEPS_BETWEEN_QUESTIONS: u64 = 256;

impl Rollouts {
    /// Rollouts of an engine's game; the same seed plays the same games.
    #[must_use]
    pub fn new(engine: &dyn Engine, seed: u64) -> Self {
        Self {
            state_words: engine.initial().0.len(),
            lanes: engine.lanes(seed),
        }
    }

    /// Plays this many games from every state, given by its words. Games that have not ended after
    /// `step_limit` steps are given up; when `keep_going` returns false, all are.
    ///
    /// # Errors
    /// If the words are not a whole number of states.
    pub fn play(
        &mut self,
        states: &[u64],
        games: u32,
        step_limit: Option<u32>,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<RolloutTable, EnvironmentError> {
        let words = self.state_words.max(1);
        let count = states.len() / words;
        EnvironmentError::check_length("states", states.len(), count * words)?;
        let roles = self.lanes.roles();
        let mut table = RolloutTable {
            goals: vec![0; count * roles],
            ended: vec![0; count],
            steps: vec![0; count],
        };
        let mut waiting = Waiting {
            next: 0,
            games: u64::from(games),
            end: count as u64 * u64::from(games),
        };
        let lanes = self.lanes.count();
        let mut free = vec![0; lanes.div_ceil(64)];
        crate::bits::set_lowest(&mut free, lanes);
        let mut playing = vec![RolloutGame::default(); lanes];
        let mut step = 0_u64;
        loop {
            self.begin(states, &mut free, &mut waiting, &mut playing, step);
            self.lanes.evaluate();
            self.end(&mut free, &playing, &mut table, step);
            if let Some(limit) = step_limit {
                give_up(&mut free, &playing, &mut table, step, limit);
            }
            let is_done = waiting.next == waiting.end && lanes_of(&free).count() == lanes;
            step += 1;
            if is_done || step.is_multiple_of(STEPS_BETWEEN_QUESTIONS) && !keep_going() {
                return Ok(table);
            }
            self.lanes.advance();
        }
    }

    /// Begins games in free lanes, one after another; lanes for which there is no game hold an
    /// arbitrary state.
    fn begin(
        &mut self,
        states: &[u64],
        free: &mut [u64],
        waiting: &mut Waiting,
        playing: &mut [RolloutGame],
        step: u64,
    ) {
        let available = free.to_vec();
        let mut set = vec![0; free.len()];
        let mut current = None;
        for lane in lanes_of(&available) {
            let Some(state) = waiting.take() else { break };
            if current.is_some_and(|current| current != state) {
                self.load(states, current, &set);
                set.fill(0);
            }
            current = Some(state);
            set[lane / 64] |= 1 << (lane % 64);
            free[lane / 64] &= !(1 << (lane % 64));
            playing[lane] = RolloutGame { state, begun: step };
        }
        self.load(states, current, &set);
        // Lanes that are left over need a state, since theirs may have been terminal.
        if !states.is_empty() {
            self.load(states, Some(0), free);
        }
    }

    fn load(&mut self, states: &[u64], state: Option<usize>, set: &[u64]) {
        if let Some(state) = state {
            let words = &states[state * self.state_words..][..self.state_words];
            self.lanes.load_all(set, words);
        }
    }

    /// Counts the games that have ended, and frees their lanes.
    fn end(
        &mut self,
        free: &mut [u64],
        playing: &[RolloutGame],
        table: &mut RolloutTable,
        step: u64,
    ) {
        let roles = self.lanes.roles();
        let mut ended: Vec<u64> = self.lanes.terminal().to_vec();
        for (set, free) in ended.iter_mut().zip(free) {
            *set &= !*free;
            *free |= *set;
        }
        if ended.iter().all(|&set| set == 0) {
            return;
        }
        self.lanes.goals_all(&ended, &mut |role, goal, games| {
            for lane in lanes_of(games) {
                table.goals[playing[lane].state * roles + role] += i64::from(goal);
            }
        });
        for lane in lanes_of(&ended) {
            let RolloutGame { state, begun } = playing[lane];
            table.ended[state] += 1;
            table.steps[state] += step - begun;
        }
    }
}

/// Frees the lanes of games that have had as many steps as they may.
fn give_up(
    free: &mut [u64],
    playing: &[RolloutGame],
    table: &mut RolloutTable,
    step: u64,
    limit: u32,
) {
    for (lane, game) in playing.iter().enumerate() {
        let is_free = free[lane / 64] >> (lane % 64) & 1 != 0;
        if !is_free && step - game.begun >= u64::from(limit) {
            table.steps[game.state] += step - game.begun;
            free[lane / 64] |= 1 << (lane % 64);
        }
    }
}

/// The game that a lane plays, or has played last.
#[derive(Debug, Clone, Copy, Default)]
struct RolloutGame {
    /// The number of the state from which it is played.
    state: usize,
    /// The step at which it began.
    begun: u64,
}

/// Games that have not begun: `games` for each state, state after state.
struct Waiting {
    next: u64,
    games: u64,
    end: u64,
}

impl Waiting {
    /// The state of the next game.
    fn take(&mut self) -> Option<usize> {
        let game = self.next;
        (game < self.end).then(|| {
            self.next += 1;
            (game / self.games) as usize
        })
    }
}

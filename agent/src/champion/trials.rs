//! Quick games between the two searches of a champion, which decide by what it plays.
//!
//! Games are played one after another, since what counts is how the searches do on one
//! machine. Each opening of random moves is played twice, with the roles exchanged. The
//! search by playouts gets more time per move: in the milliseconds of a quick game it has
//! hardly filled its lanes, and it gains more from the time of a real move than the
//! search by evaluation. At equal time, quick games preferred evaluations that then lost
//! all games at 100 ms a move (amazons).

use std::fmt;
use std::time::{Duration, Instant};

use gdl_runtime::engine::{Move, Role, State};
use gdl_runtime::stop_flag::StopFlag;

use crate::expander::Positions;
use crate::learning::Learner;
use crate::puct::EvaluatedSearch;
use crate::search::{Search, SearchBudget, SearchResult};

/// How many times the time of the search by evaluation the search by playouts gets.
const PLAYOUT_TIMES: u32 = 3;

/// The number of games aimed at, and those after which a clear score is believed.
const GAMES: u32 = 8;
const FEWEST_GAMES: u32 = 6;

/// The score, 0 to 1, from which on a result is clear; as much below is clear too.
const CLEAR: f64 = 0.83;

/// The least and the most time per move.
const LEAST_TIME: Duration = Duration::from_millis(1);
const MOST_TIME: Duration = Duration::from_millis(50);

/// Moves after which a game ends with the goals that hold there.
const LONGEST_GAME: usize = 400;

/// Random moves at the beginning of a game.
const OPENING: usize = 2;

/// The result of quick games: goals of search by evaluation and by playouts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TrialScore {
    /// The number of games.
    pub games: u32,
    /// For both searches, the sum of goals of the roles they played, and the number of
    /// these roles.
    goals: [(f64, u32); 2],
}

impl TrialScore {
    fn mean(&self, which: usize) -> f64 {
        let (sum, count) = self.goals[which];
        sum / f64::from(count.max(1))
    }

    /// Whether the search by evaluation did better.
    #[must_use]
    pub fn favours_evaluation(&self) -> bool {
        self.mean(0) > self.mean(1)
    }

    /// The share of the search by evaluation in the goals of both, 0 to 1.
    fn relative_score(&self) -> f64 {
        let (one, other) = (self.mean(0), self.mean(1));
        if one + other > 0.0 {
            one / (one + other)
        } else {
            0.5
        }
    }
}

impl fmt::Display for TrialScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (one, other) = (self.mean(0), self.mean(1));
        write!(
            f,
            "{one:.0} to {other:.0} goal points in {} games",
            self.games
        )
    }
}

/// Both searches, and the game.
pub(super) struct Trials<'a> {
    pub(super) plain: &'a mut Search,
    pub(super) evaluated: &'a mut EvaluatedSearch,
    /// The mean number of moves in a game.
    pub(super) length: f64,
    pub(super) stop_flag: &'a StopFlag,
}

impl Trials<'_> {
    /// Plays for about this time, less if the result is clear.
    pub(super) fn play(mut self, time: Duration, learner: &mut Learner) -> TrialScore {
        let end = Instant::now() + time;
        let times = f64::from(1 + PLAYOUT_TIMES) / 2.0;
        let per_move = time.div_f64(f64::from(GAMES) * self.length.max(1.0) * times);
        let per_move = per_move.clamp(LEAST_TIME, MOST_TIME);
        let mut score = TrialScore::default();
        let mut opening = Vec::new();
        while Instant::now() < end && !self.stop_flag.is_raised() {
            let roles = learner.expander().roles();
            if score.games.is_multiple_of(2) {
                opening = learner.random_state(OPENING);
            }
            // Every second game has the roles exchanged.
            let first = (score.games / 2 + score.games) as usize;
            let owner = |role: Role| match roles {
                1 => score.games as usize % 2,
                _ => (first + role) % 2,
            };
            let Some(goals) = self.play_game(learner, &opening, &owner, per_move, end) else {
                break;
            };
            for (role, &goal) in goals.iter().enumerate() {
                let (sum, count) = &mut score.goals[owner(role)];
                *sum += f64::from(goal);
                *count += 1;
            }
            score.games += 1;
            let relative = score.relative_score();
            if score.games >= FEWEST_GAMES && !(1.0 - CLEAR..CLEAR).contains(&relative)
                || score.games >= 2 * GAMES
            {
                break;
            }
        }
        self.plain.forget();
        self.evaluated.forget();
        score
    }

    /// Plays a game from a state, unless the time is over before. Returns the goals.
    fn play_game(
        &mut self,
        learner: &mut Learner,
        opening: &[u64],
        owner: &dyn Fn(Role) -> usize,
        per_move: Duration,
        end: Instant,
    ) -> Option<Vec<i32>> {
        self.plain.forget();
        self.evaluated.forget();
        let mut state = State(opening.into());
        let mut position = Positions::default();
        for _ in 0..LONGEST_GAME {
            learner.expander().examine(&state.0, &mut position);
            if position.terminal[0] {
                break;
            }
            if Instant::now() >= end || self.stop_flag.is_raised() {
                return None;
            }
            let mut joint = Vec::new();
            for role in 0..learner.expander().roles() {
                let legal: Vec<Move> = position.moves(0, role).iter().map(|pick| pick.mv).collect();
                let mv = match legal[..] {
                    [only] => only,
                    _ => self.choose(owner(role) == 0, &state, role, &legal, per_move),
                };
                let index = legal.iter().position(|&other| other == mv).unwrap_or(0);
                joint.push(Some(position.moves(0, role)[index]));
            }
            if let Some(goals) = self.evaluated.proven_goals(&state) {
                return Some(goals);
            }
            let expander = learner.expander();
            expander.advance(&state.0, &joint, false, &mut position);
            state = State(position.state(0).into());
        }
        Some(position.goals(0).to_vec())
    }

    fn choose(
        &mut self,
        by_evaluation: bool,
        state: &State,
        role: Role,
        legal: &[Move],
        time: Duration,
    ) -> Move {
        if by_evaluation {
            let until = Instant::now() + time;
            let stop_flag = self.stop_flag;
            self.evaluated.set_root(state);
            self.evaluated
                .run(&mut |_| Instant::now() < until && !stop_flag.is_raised());
            self.evaluated.result(state, role, legal).chosen
        } else {
            let budget = SearchBudget::within(time * PLAYOUT_TIMES);
            self.plain.run(state, role, budget, &mut |_| {});
            SearchResult::of(self.plain.searchers(), state, role, legal).chosen
        }
    }
}

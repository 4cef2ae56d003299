//! Quick games between a champion's search by evaluation and its search by playouts.
//!
//! Games are played one after another, since what counts is how the searches do on one
//! machine. Each opening of random moves is played twice, with the roles exchanged. The
//! more a search rests on playouts, the more time it gets per move: in the milliseconds of
//! a quick game it has hardly filled its lanes, and it gains more from the time of a real
//! move than the search by evaluation. At equal time, quick games preferred evaluations
//! that then lost all games at 100 ms a move (amazons).

use std::cmp::Ordering;
use std::fmt;
use std::time::{Duration, Instant};

use gdl_runtime::engine::{Move, Role, State};
use gdl_runtime::stop_flag::StopFlag;

use crate::expander::Positions;
use crate::learning::Learner;
use crate::puct::EvaluatedSearch;
use crate::search::{Search, SearchBudget, SearchResult};

/// The time of the mixture and of the search by playouts, as multiples of that of the search by
/// evaluation.
const MIXTURE_TIMES: u32 = 2;
const PLAYOUT_TIMES: u32 = 3;

/// The number of games aimed at, and the number after which a clear score is trusted.
const GAMES: u32 = 8;
const FEWEST_GAMES: u32 = 6;

/// The score, 0 to 1, from which on a result is clear; so is a score as far below one half.
const CLEAR: f64 = 0.83;

/// The score from which on a few games favour the first search.
const FOR_FIRST: f64 = 0.6;

/// The least and the most time per move.
const LEAST_TIME: Duration = Duration::from_millis(1);
const MOST_TIME: Duration = Duration::from_millis(50);

/// Moves after which a game ends with the goals that hold there.
const LONGEST_GAME: usize = 400;

/// Random moves at the beginning of a game.
const OPENING: usize = 2;

/// The result of quick games between two searches.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TrialScore {
    /// The number of games.
    pub games: u32,
    /// For both searches, the sum of goals of the roles they played, and the number of
    /// these roles.
    goals: [(f64, u32); 2],
    /// The number of games in which both had roles, and how many of these the first won, draws
    /// being one half: it wins if its roles have more goals than the others on average.
    shared: u32,
    won: f64,
}

impl TrialScore {
    /// Adds a game with these goals. `owner` says which search played a role.
    pub(super) fn add(&mut self, goals: &[i32], owner: impl Fn(Role) -> usize) {
        let mut of_game = [(0.0, 0); 2];
        for (role, &goal) in goals.iter().enumerate() {
            let (sum, roles) = &mut of_game[owner(role)];
            *sum += f64::from(goal);
            *roles += 1;
        }
        if of_game.iter().all(|&(_, roles)| roles > 0) {
            self.shared += 1;
            self.won += match mean(of_game[0]).total_cmp(&mean(of_game[1])) {
                Ordering::Greater => 1.0,
                Ordering::Equal => 0.5,
                Ordering::Less => 0.0,
            };
        }
        self.games += 1;
        for ((sum, roles), (more, others)) in self.goals.iter_mut().zip(of_game) {
            *sum += more;
            *roles += others;
        }
    }

    /// Whether the first search did clearly better.
    pub(super) fn is_for_first(&self) -> bool {
        self.games >= 2 && self.relative_score() >= FOR_FIRST
    }

    /// Whether the first search scored less than this, 0 to 1.
    pub(super) fn is_below(&self, score: f64) -> bool {
        self.games >= 2 && self.relative_score() < score
    }

    /// The share of games that the first search won, 0 to 1; its share in the goals of both if they
    /// never met, since there is only one role.
    fn relative_score(&self) -> f64 {
        let [one, other] = self.goals.map(mean);
        if self.shared > 0 {
            self.won / f64::from(self.shared)
        } else if one + other > 0.0 {
            one / (one + other)
        } else {
            0.5
        }
    }
}

/// The mean goals of some roles, given their sum and their number.
fn mean((sum, roles): (f64, u32)) -> f64 {
    sum / f64::from(roles.max(1))
}

impl fmt::Display for TrialScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = self.goals.map(mean);
        write!(
            f,
            "{one:.0} to {other:.0} goal points in {} games",
            self.games
        )?;
        match self.shared {
            0 => Ok(()),
            _ => write!(f, ", {} won", self.won),
        }
    }
}

/// A search that plays quick games.
pub(super) trait TrialSearch {
    /// Its time per move, as a multiple of that of a search by evaluation.
    fn times(&self) -> u32;

    /// Its choice among the legal moves of a role, after its multiple of this time.
    fn choose(
        &mut self,
        state: &State,
        role: Role,
        legal: &[Move],
        time: Duration,
        stop_flag: &StopFlag,
    ) -> Move;

    /// The goals of all roles if it has proven those of a state.
    fn proven_goals(&self, _state: &State) -> Option<Vec<i32>> {
        None
    }

    /// Clears its tree.
    fn forget(&mut self);
}

impl TrialSearch for EvaluatedSearch {
    fn times(&self) -> u32 {
        match self.is_mixture() {
            true => MIXTURE_TIMES,
            false => 1,
        }
    }

    fn choose(
        &mut self,
        state: &State,
        role: Role,
        legal: &[Move],
        time: Duration,
        stop_flag: &StopFlag,
    ) -> Move {
        let until = Instant::now() + time * self.times();
        self.set_root(state);
        self.run_until(until, &mut |_| !stop_flag.is_raised());
        self.result(state, role, legal).chosen
    }

    fn proven_goals(&self, state: &State) -> Option<Vec<i32>> {
        Self::proven_goals(self, state)
    }

    fn forget(&mut self) {
        Self::forget(self);
    }
}

impl TrialSearch for Search {
    fn times(&self) -> u32 {
        PLAYOUT_TIMES
    }

    fn choose(
        &mut self,
        state: &State,
        role: Role,
        legal: &[Move],
        time: Duration,
        _stop_flag: &StopFlag,
    ) -> Move {
        let budget = SearchBudget::within(time * self.times());
        self.run(state, role, budget, &mut |_| {});
        SearchResult::of(self.searchers(), state, role, legal).chosen
    }

    fn forget(&mut self) {
        Self::forget(self);
    }
}

/// Two searches, and the game.
pub(super) struct Trials<'a> {
    pub(super) searches: [&'a mut dyn TrialSearch; 2],
    pub(super) stop_flag: &'a StopFlag,
}

impl Trials<'_> {
    /// Plays for about this time, less if the result is clear.
    pub(super) fn play(&mut self, time: Duration, learner: &mut Learner) -> TrialScore {
        let end = Instant::now() + time;
        let times: u32 = self.searches.iter().map(|search| search.times()).sum();
        let moves = learner.mean_length().max(1.0) * f64::from(times) / 2.0;
        let per_move = time.div_f64(f64::from(GAMES) * moves);
        let per_move = per_move.clamp(LEAST_TIME, MOST_TIME);
        let mut score = TrialScore::default();
        let mut opening = Vec::new();
        while Instant::now() < end && !self.stop_flag.is_raised() {
            let roles = learner.expander().roles();
            if score.games.is_multiple_of(2) {
                opening = learner.random_state(OPENING);
            }
            // Every second game has the roles exchanged.
            let game = score.games as usize;
            let first = game / 2 + game;
            let owner = |role: Role| match roles {
                1 => game % 2,
                _ => (first + role) % 2,
            };
            let Some(goals) = self.play_game(learner, &opening, &owner, per_move, end) else {
                break;
            };
            score.add(&goals, owner);
            let relative = score.relative_score();
            if score.games >= FEWEST_GAMES && !(1.0 - CLEAR..CLEAR).contains(&relative)
                || score.games >= 2 * GAMES
            {
                break;
            }
        }
        self.searches.iter_mut().for_each(|search| search.forget());
        score
    }

    /// Plays a game from a state, unless time runs out first. Returns the goals. `owner` says which
    /// search plays a role.
    fn play_game(
        &mut self,
        learner: &mut Learner,
        opening: &[u64],
        owner: &dyn Fn(Role) -> usize,
        per_move: Duration,
        end: Instant,
    ) -> Option<Vec<i32>> {
        self.searches.iter_mut().for_each(|search| search.forget());
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
                    _ => self.searches[owner(role)].choose(
                        &state,
                        role,
                        &legal,
                        per_move,
                        self.stop_flag,
                    ),
                };
                let index = legal.iter().position(|&other| other == mv).unwrap_or(0);
                joint.push(Some(position.moves(0, role)[index]));
            }
            let proven = |search: &&mut dyn TrialSearch| search.proven_goals(&state);
            if let Some(goals) = self.searches.iter().find_map(proven) {
                return Some(goals);
            }
            let expander = learner.expander();
            expander.advance(&state.0, &joint, false, &mut position);
            state = State(position.state(0).into());
        }
        Some(position.goals(0).to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::TrialScore;

    /// The score after games of two roles in which the first search had these goals of 100.
    fn score(goals: &[i32]) -> TrialScore {
        let mut score = TrialScore::default();
        for (game, &goal) in goals.iter().enumerate() {
            let roles = match game % 2 {
                0 => [goal, 100 - goal],
                _ => [100 - goal, goal],
            };
            score.add(&roles, |role| (game + role) % 2);
        }
        score
    }

    #[test]
    fn without_games_nothing_speaks_for_or_against() {
        let none = score(&[]);
        assert!(!none.is_for_first() && !none.is_below(1.0));
        assert!(score(&[100; 6]).is_for_first());
        assert!(score(&[0; 6]).is_below(0.1));
        assert!(!score(&[50; 6]).is_below(0.5));
    }

    #[test]
    fn who_has_more_goals_wins_however_little_it_is() {
        let narrow = score(&[55, 60, 52, 40]);
        assert!(narrow.is_for_first() && !narrow.is_below(0.75) && narrow.is_below(0.76));
        assert_eq!(narrow.to_string(), "52 to 48 goal points in 4 games, 3 won");
        // With three roles, the one has more than the mean of the two.
        let mut three = TrialScore::default();
        three.add(&[30, 40, 10], |role| usize::from(role != 0));
        three.add(&[40, 10, 30], |role| usize::from(role != 2));
        assert!(three.is_for_first() && !three.is_below(1.0));
    }

    #[test]
    fn games_of_one_role_are_compared_by_their_goals() {
        let mut alone = TrialScore::default();
        alone.add(&[80], |_| 0);
        alone.add(&[20], |_| 1);
        assert!(alone.is_for_first() && alone.is_below(0.81));
        assert_eq!(alone.to_string(), "80 to 20 goal points in 2 games");
    }
}

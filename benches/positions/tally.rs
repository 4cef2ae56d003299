//! Answers compared with what is known, and their totals.

use std::time::Duration;

use gdl_agent::search::{MoveEvaluation, SearchResult};
use gdl_positions::position_set::KnownPosition;
use gdl_runtime::engine::Move;
use serde::Serialize;

/// A player's move in a position whose value is known.
pub struct Answer {
    /// The name of the move.
    chosen: String,
    /// The value that the player gave the move, if it searched.
    value: Option<f64>,
    /// Whether it is one of the best.
    is_right: bool,
    /// Whether the player has proven the value of its move.
    is_proven: bool,
    /// The moves for which it claims to have proven a value that is wrong, each with that
    /// value.
    wrong_proofs: Vec<(String, f64)>,
    /// What it learned and what it plays by, in words.
    choice: Option<String>,
}

impl Answer {
    /// The answer that a search gave for a role with these goals.
    pub fn new(
        result: &SearchResult,
        known: &KnownPosition,
        goals: &[i32],
        name: &dyn Fn(Move) -> String,
    ) -> Self {
        let chosen = name(result.chosen);
        let contradicts = |evaluation: &&MoveEvaluation| {
            let is_right = known.right.contains(&name(evaluation.mv));
            let value = nearest(goals, evaluation.value);
            let is_possible = |best| {
                if is_right {
                    value == best
                } else {
                    value < best
                }
            };
            evaluation.proven && !known.value().is_some_and(is_possible)
        };
        let wrong = result.evaluations.iter().filter(contradicts);
        let wrong = wrong.map(|evaluation| (name(evaluation.mv), evaluation.value));
        let evaluation = result.evaluation();
        Self {
            is_right: known.right.contains(&chosen),
            chosen,
            value: evaluation.map(|evaluation| evaluation.value),
            is_proven: evaluation.is_some_and(|evaluation| evaluation.proven),
            wrong_proofs: wrong.collect(),
            choice: result.choice.clone(),
        }
    }
}

/// The goal that a proven value stands for: returns that were under way when it was proven
/// can blur it.
fn nearest(goals: &[i32], value: f64) -> i32 {
    let distance = |goal: &i32| (f64::from(*goal) - value).abs();
    let nearest = (goals.iter()).min_by(|one, other| distance(one).total_cmp(&distance(other)));
    nearest.copied().unwrap_or(value.round() as i32)
}

/// A position in which a player did not find the right move, or makes a false claim.
#[derive(Debug, Clone, Serialize)]
struct Mistake {
    /// The line in the file of positions.
    line: usize,
    chosen: String,
    value: Option<f64>,
    proven: bool,
    wrong_proofs: Vec<(String, f64)>,
}

/// Answers after one time.
#[derive(Debug, Clone, Default)]
struct TimeTally {
    time: Duration,
    right: usize,
    proven: usize,
    wrong_proofs: usize,
    mistakes: Vec<Mistake>,
    /// The lines of positions whose right move was found but not proven.
    unproven: Vec<usize>,
}

/// The answers of an agent in a class of positions.
pub struct ClassTally {
    class: String,
    agent: String,
    positions: usize,
    times: Vec<TimeTally>,
    choice: Option<String>,
}

/// What is printed as JSON: shares are from 0 to 1.
#[derive(Serialize)]
pub struct TallyLine<'a> {
    class: &'a str,
    agent: &'a str,
    choice: Option<&'a str>,
    seconds: f64,
    positions: usize,
    right: f64,
    proven: f64,
    wrong_proofs: f64,
    mistakes: &'a [Mistake],
    unproven: &'a [usize],
}

impl ClassTally {
    /// No answers yet.
    pub fn new(class: &str, agent: &str, times: impl Iterator<Item = Duration>) -> Self {
        let tally = |time| TimeTally {
            time,
            ..TimeTally::default()
        };
        Self {
            class: class.to_owned(),
            agent: agent.to_owned(),
            positions: 0,
            times: times.map(tally).collect(),
            choice: None,
        }
    }

    /// Adds the answers in the position of this line of the file, one per time.
    pub fn add(&mut self, line: usize, answers: &[Answer]) {
        self.positions += 1;
        for (tally, answer) in self.times.iter_mut().zip(answers) {
            tally.right += usize::from(answer.is_right);
            tally.proven += usize::from(answer.is_right && answer.is_proven);
            let is_wrong = !answer.wrong_proofs.is_empty();
            tally.wrong_proofs += usize::from(is_wrong);
            if answer.is_right && !answer.is_proven {
                tally.unproven.push(line);
            }
            if is_wrong || !answer.is_right {
                tally.mistakes.push(Mistake {
                    line,
                    chosen: answer.chosen.clone(),
                    value: answer.value,
                    proven: answer.is_proven,
                    wrong_proofs: answer.wrong_proofs.clone(),
                });
            }
            self.choice.clone_from(&answer.choice);
        }
    }

    fn share(&self, count: usize) -> f64 {
        count as f64 / self.positions.max(1) as f64
    }

    /// The cells of the table.
    pub fn cells(&self) -> Vec<String> {
        let percent = |count| format!("{:.0} %", 100.0 * self.share(count));
        let texts = [self.class.clone(), self.agent.clone()];
        let shares = (self.times.iter())
            .map(|tally| format!("{}, {}", percent(tally.right), percent(tally.proven)));
        let wrong = self.times.iter().map(|tally| tally.wrong_proofs).max();
        let figures = [self.positions.to_string()].into_iter().chain(shares);
        let figures = figures.chain([wrong.unwrap_or(0).to_string()]);
        texts.into_iter().chain(figures).collect()
    }

    /// What the agent learned, if it did.
    pub fn note(&self) -> Option<String> {
        let choice = self.choice.as_ref()?;
        Some(format!("{} in {}: {choice}", self.agent, self.class))
    }

    /// The lines of JSON, one per time.
    pub fn lines(&self) -> impl Iterator<Item = TallyLine<'_>> {
        self.times.iter().map(|tally| TallyLine {
            class: &self.class,
            agent: &self.agent,
            choice: self.choice.as_deref(),
            seconds: tally.time.as_secs_f64(),
            positions: self.positions,
            right: self.share(tally.right),
            proven: self.share(tally.proven),
            wrong_proofs: self.share(tally.wrong_proofs),
            mistakes: &tally.mistakes,
            unproven: &tally.unproven,
        })
    }
}

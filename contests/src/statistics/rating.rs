//! Elo ratings of several agents from the scores of their encounters: the model of Bradley and
//! Terry (1952) by maximum likelihood, with draws as half a win.

use super::interval::Z;
use serde::Serialize;

/// Draws that every pair which has met is taken to have had beside its encounters: without
/// them an agent that has won everything would have no finite rating.
const PRIOR_DRAWS: f64 = 1.0;

/// Points of Elo's scale per unit of the logarithm of the odds: 400 / ln 10.
const POINTS: f64 = 400.0 / std::f64::consts::LN_10;

/// Rounds of Newton's method, which converges in fewer than ten.
const ROUNDS: usize = 50;

/// How often two agents met, and what came of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Encounters {
    /// The agents, by their indices.
    pub agents: [usize; 2],
    /// How often they met.
    pub encounters: u64,
    /// The mean score of the first, from 0 to 1.
    pub score: f64,
}

/// The rating of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rating {
    /// In Elo points above the mean of all agents that are rated together.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub half_width: f64,
}

/// The ratings of agents; `None` for those that have met nobody. Agents that are not connected
/// by encounters cannot be compared: each such part has a mean of 0.
#[must_use]
pub fn ratings(agents: usize, pairings: &[Encounters]) -> Vec<Option<Rating>> {
    let met: Vec<Encounters> = pairings
        .iter()
        .copied()
        .filter(|pair| pair.encounters > 0)
        .collect();
    let mut ratings = vec![None; agents];
    for part in parts(agents, &met) {
        let own: Vec<Encounters> = (met.iter().filter_map(|pair| within(&part, pair))).collect();
        for (&agent, rating) in part.iter().zip(rate(part.len(), &own)) {
            ratings[agent] = Some(rating);
        }
    }
    ratings
}

/// The sets of two or more agents that are connected by encounters.
fn parts(agents: usize, met: &[Encounters]) -> Vec<Vec<usize>> {
    let mut part: Vec<usize> = (0..agents).collect();
    for pair in met {
        let [one, other] = pair.agents.map(|agent| part[agent]);
        let joined = part.iter_mut().filter(|part| **part == other);
        joined.for_each(|part| *part = one);
    }
    let members = |number| (0..agents).filter(|&agent| part[agent] == number).collect();
    let all = (0..agents).map(members);
    all.filter(|members: &Vec<usize>| members.len() > 1)
        .collect()
}

/// A pairing by the places of its agents in a part; `None` if they are not in it.
fn within(part: &[usize], pair: &Encounters) -> Option<Encounters> {
    let place = |agent| part.iter().position(|&own| own == agent);
    let [one, other] = pair.agents;
    Some(Encounters {
        agents: [place(one)?, place(other)?],
        ..*pair
    })
}

/// The ratings of agents that are all connected, by Newton's method on the logarithm of the
/// likelihood. Its matrix of second derivatives is singular, as ratings are only determined up
/// to a constant; adding 1 everywhere makes their sum 0 and changes nothing else.
fn rate(agents: usize, pairings: &[Encounters]) -> Vec<Rating> {
    let mut strengths = vec![0.0; agents];
    let mut covariance = vec![vec![0.0; agents]; agents];
    for _ in 0..ROUNDS {
        let (slope, information) = derivatives(&strengths, pairings);
        covariance = inverse(information);
        let step = |row: &Vec<f64>| -> f64 { row.iter().zip(&slope).map(|(a, b)| a * b).sum() };
        let steps: Vec<f64> = covariance.iter().map(step).collect();
        let largest = steps
            .iter()
            .fold(0.0_f64, |most, step| most.max(step.abs()));
        // Far from the maximum a whole step can lead too far.
        let scale = 1.0 / largest.max(1.0);
        for (strength, step) in strengths.iter_mut().zip(&steps) {
            *strength += scale * step;
        }
        if largest < 1e-9 {
            break;
        }
    }
    let ratings = strengths.iter().enumerate().map(|(agent, strength)| {
        // The 1 that was added everywhere has the inverse 1 / agents², which is no variance.
        let variance = covariance[agent][agent] - 1.0 / (agents * agents) as f64;
        Rating {
            elo: POINTS * strength,
            half_width: POINTS * Z * variance.max(0.0).sqrt(),
        }
    });
    ratings.collect()
}

/// The first derivatives of the logarithm of the likelihood, and the negated second ones plus 1.
fn derivatives(strengths: &[f64], pairings: &[Encounters]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let agents = strengths.len();
    let mut slope = vec![0.0; agents];
    let mut information = vec![vec![1.0; agents]; agents];
    for pair in pairings {
        let [one, other] = pair.agents;
        let met = pair.encounters as f64 + PRIOR_DRAWS;
        let won = pair.encounters as f64 * pair.score + PRIOR_DRAWS / 2.0;
        let expected = 1.0 / (1.0 + (strengths[other] - strengths[one]).exp());
        slope[one] += won - met * expected;
        slope[other] -= won - met * expected;
        let weight = met * expected * (1.0 - expected);
        information[one][one] += weight;
        information[other][other] += weight;
        information[one][other] -= weight;
        information[other][one] -= weight;
    }
    (slope, information)
}

/// The inverse of a positive definite matrix, by Gauss and Jordan.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let unit = |row: usize| {
        (0..size)
            .map(|column| f64::from(u8::from(row == column)))
            .collect()
    };
    let mut inverse: Vec<Vec<f64>> = (0..size).map(unit).collect();
    for pivot in 0..size {
        let factor = 1.0 / matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|value| *value *= factor);
        inverse[pivot].iter_mut().for_each(|value| *value *= factor);
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            for column in 0..size {
                matrix[row][column] -= factor * matrix[pivot][column];
                inverse[row][column] -= factor * inverse[pivot][column];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::elo;

    fn met(agents: [usize; 2], encounters: u64, score: f64) -> Encounters {
        Encounters {
            agents,
            encounters,
            score,
        }
    }

    fn elo_of(ratings: &[Option<Rating>], agent: usize) -> f64 {
        ratings[agent]
            .map(|rating| rating.elo)
            .expect("it is rated")
    }

    #[test]
    fn two_agents_differ_by_the_elo_of_their_score() {
        // With the drawn encounter: 75.5 of 101.
        let ratings = ratings(2, &[met([0, 1], 100, 0.75)]);
        let difference = elo_of(&ratings, 0) - elo_of(&ratings, 1);
        assert!(
            (difference - elo::difference(75.5 / 101.0)).abs() < 1e-6,
            "{difference}"
        );
        // The variance of the difference is 1 / (101 p (1 - p)); each has a quarter of it.
        let p = 75.5 / 101.0;
        let half = POINTS * Z * (1.0 / (101.0 * p * (1.0 - p)) / 4.0_f64).sqrt();
        let own = ratings[0].expect("it is rated").half_width;
        assert!((own - half).abs() < 1e-6, "{own} {half}");
    }

    #[test]
    fn scores_that_fit_the_model_are_explained_exactly() {
        let truth: [f64; 4] = [300.0, 100.0, -150.0, -250.0];
        let score = |one: usize, other: usize| elo::expected_score(truth[one] - truth[other]);
        // Not all have met; many encounters make the drawn one vanish.
        let pairs = [[0, 1], [2, 1], [2, 3], [0, 3]];
        let pairings = pairs.map(|[one, other]| met([one, other], 1 << 20, score(one, other)));
        let ratings = ratings(4, &pairings);
        for (agent, truth) in truth.iter().enumerate() {
            let own = elo_of(&ratings, agent);
            assert!((own - truth).abs() < 1e-2, "{agent}: {own} {truth}");
        }
    }

    #[test]
    fn who_has_won_everything_is_rated_and_who_has_met_nobody_is_not() {
        let pairings = [
            met([0, 1], 20, 1.0),
            met([1, 2], 20, 1.0),
            met([3, 4], 0, 0.0),
        ];
        let ratings = ratings(5, &pairings);
        assert!(elo_of(&ratings, 0) > elo_of(&ratings, 1) + 300.0);
        assert!(elo_of(&ratings, 1) > elo_of(&ratings, 2) + 300.0);
        let middle = ratings[1].expect("it is rated").half_width;
        assert!(middle > 0.0 && middle.is_finite());
        assert_eq!(ratings[3..], [None, None]);
    }

    #[test]
    fn separate_parts_have_means_of_zero() {
        let ratings = ratings(4, &[met([0, 2], 10, 0.8), met([1, 3], 10, 0.1)]);
        assert!((elo_of(&ratings, 0) + elo_of(&ratings, 2)).abs() < 1e-6);
        assert!((elo_of(&ratings, 1) + elo_of(&ratings, 3)).abs() < 1e-6);
        assert!(elo_of(&ratings, 3) > elo_of(&ratings, 1));
    }
}

//! Early cutoffs: playouts end where goals are reliable before the end, or where the
//! end is too far away.

use gdl_runtime::engine::Role;

use super::{Cutoff, CutoffPoint, CutoffScore};
use crate::component::{Component, Parameter, ParameterKind, Slot};

/// The component.
pub const COMPONENT: Component = Component {
    name: "cutoff",
    slot: Slot::Cutoff,
    summary: "samples some simulations, then ends later ones early: with the goals that hold, if \
              goals change steadily in the course of a game, or as a draw after a third of the \
              range of lengths, if lengths differ enough; not at all if neither is the case",
    source: "Finnsson 2012, algorithm 1",
    parameters: &[
        Parameter {
            name: "samples",
            meaning: "the number of simulations to watch, which are played to the end",
            kind: ParameterKind::Number {
                default: 100.0,
                range: 1.0..=1e6,
            },
        },
        Parameter {
            name: "threshold",
            meaning: "the variance of goal changes below which goals are stable",
            kind: ParameterKind::Number {
                default: 1000.0,
                range: 0.0..=10_000.0,
            },
        },
        Parameter {
            name: "minimum",
            meaning: "the minimum number of moves outside the tree, and difference of lengths",
            kind: ParameterKind::Number {
                default: 10.0,
                range: 0.0..=1e6,
            },
        },
    ],
    build: |builder, values, _| {
        let (samples, threshold, minimum) = (values.get(0), values.get(1), values.get(2));
        builder.settings.cutoff = Some(Box::new(Early::new(
            samples as u32,
            threshold,
            minimum as u64,
        )));
    },
};

/// The fraction of the range of game lengths after which a simulation is cut off.
const CUT_FRACTION: f64 = 0.33;

/// Early cutoffs (Finnsson 2012, algorithm 1).
///
/// Goals are stable if the variance of their changes from one state to the next,
/// averaged over the sampled games, is below a threshold and not 0. Changes into
/// terminal states do not count: the question is whether goals are informative before
/// the end, and otherwise every game that is won in the end would count as stable.
/// Simulations then end after as many moves as passed until the first change of the
/// goal in any of the samples, plus one move per role. As the earliest of a hundred games
/// this is the first move in Battle and the third in Checkers and Skirmish, so that the
/// minimum decides (`cargo run --release --example cutoffs -- games/checkers_counted.kif`).
///
/// Otherwise, if games differ enough in length, simulations end as draws after the
/// shortest length plus 0.33 of the difference to the longest.
///
/// Moves are counted from where the simulation leaves the tree, and at least the
/// minimum is made. Samples are ordinary simulations, as in the paper: they count for the
/// tree and for the budget as others do. Their moves are counted from the state that is
/// searched, which is the initial one in the first search of a match; if a search ends
/// before there are enough samples, later ones continue sampling from the states that they
/// search. The goals are those of the role that the search is for.
#[derive(Debug, Clone)]
pub struct Early {
    wanted: u32,
    threshold: f64,
    minimum: u64,
    seen: Seen,
    roles: usize,
}

/// Statistics of the sampled games.
#[derive(Debug, Clone, Copy)]
struct Seen {
    games: u32,
    /// The sum of the variances of goal changes.
    variance: f64,
    /// The minimum number of moves until a goal changed.
    first_change: Option<u64>,
    shortest: u64,
    longest: u64,
}

/// The decision that the samples lead to.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Decision {
    Pending,
    Stable(u64),
    Interval(u64),
    None,
}

impl Early {
    /// With the number of sampled games, the threshold in squared goal points and the
    /// minimum in moves.
    #[must_use]
    pub fn new(samples: u32, threshold: f64, minimum: u64) -> Self {
        Self {
            wanted: samples,
            threshold,
            minimum,
            seen: Seen {
                games: 0,
                variance: 0.0,
                first_change: None,
                shortest: u64::MAX,
                longest: 0,
            },
            roles: 0,
        }
    }

    /// The average variance of goal changes.
    fn stability(&self) -> f64 {
        self.seen.variance / f64::from(self.seen.games.max(1))
    }

    fn decide(&self) -> Decision {
        if self.wanted > 0 {
            return Decision::Pending;
        }
        let (seen, stability) = (&self.seen, self.stability());
        if let (Some(change), true) = (
            seen.first_change,
            stability > 0.0 && stability < self.threshold,
        ) {
            return Decision::Stable((change + self.roles as u64).max(self.minimum));
        }
        let interval = seen.longest - seen.shortest;
        if interval < self.minimum {
            return Decision::None;
        }
        let cut = seen.shortest as f64 + CUT_FRACTION * interval as f64;
        Decision::Interval((cut.ceil() as u64).max(self.minimum))
    }
}

impl Cutoff for Early {
    fn wanted_samples(&self) -> u32 {
        self.wanted
    }

    fn sample(&mut self, _role: Role, roles: usize, goals: &[i32]) {
        let Some((_, inner)) = goals.split_last().filter(|_| self.wanted > 0) else {
            return;
        };
        let seen = &mut self.seen;
        seen.games += 1;
        seen.variance += variance_of_changes(inner);
        let change = inner.windows(2).position(|pair| pair[0] != pair[1]);
        let change = change.map(|index| index as u64 + 1);
        seen.first_change = match (seen.first_change, change) {
            (Some(known), Some(new)) => Some(known.min(new)),
            (known, new) => known.or(new),
        };
        seen.shortest = seen.shortest.min(inner.len() as u64);
        seen.longest = seen.longest.max(inner.len() as u64);
        self.roles = roles;
        self.wanted -= 1;
    }

    fn cut(&self) -> Option<CutoffPoint> {
        match self.decide() {
            Decision::Stable(after) => Some(CutoffPoint {
                after,
                score: CutoffScore::Goals,
            }),
            Decision::Interval(after) => Some(CutoffPoint {
                after,
                score: CutoffScore::Draw,
            }),
            Decision::Pending | Decision::None => None,
        }
    }

    fn verdict(&self) -> String {
        let (seen, stability) = (&self.seen, self.stability());
        let (shortest, longest) = (seen.shortest, seen.longest);
        match self.decide() {
            Decision::Pending => format!("{} simulations still to watch", self.wanted),
            Decision::Stable(after) => format!(
                "goals are stable (variance of changes {stability:.1}, first change after \
                 {} moves): simulations end after {after} moves outside the tree, with the \
                 goals that hold",
                seen.first_change.unwrap_or(0)
            ),
            Decision::Interval(after) => format!(
                "goals are not stable (variance of changes {stability:.1}), but games end after \
                 {shortest} to {longest} moves: simulations end after {after} moves outside \
                 the tree, as draws"
            ),
            Decision::None => format!(
                "does not apply: goals are not stable (variance of changes {stability:.1}), and \
                 all games end after {shortest} to {longest} moves"
            ),
        }
    }
}

/// The variance of the differences between neighbours; 0 if there are none.
fn variance_of_changes(goals: &[i32]) -> f64 {
    let changes = goals.windows(2).map(|pair| f64::from(pair[1] - pair[0]));
    let count = goals.len().saturating_sub(1).max(1) as f64;
    let mean = changes.clone().sum::<f64>() / count;
    changes.map(|change| (change - mean).powi(2)).sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(games: &[&[i32]], minimum: u64) -> Early {
        let mut early = Early::new(games.len() as u32, 1000.0, minimum);
        for (index, goals) in games.iter().enumerate() {
            assert_eq!(early.wanted_samples() as usize, games.len() - index);
            assert_eq!(early.cut(), None);
            early.sample(0, 2, goals);
        }
        early
    }

    #[test]
    fn variances() {
        // Changes 0, 10, 0, −10: mean 0, variance 200/4.
        assert!((variance_of_changes(&[0, 0, 10, 10, 0]) - 50.0).abs() < 1e-9);
        // A steady rise does not vary.
        assert!(variance_of_changes(&[0, 10, 20, 30]) < 1e-9);
        assert!(variance_of_changes(&[7]) < 1e-9);
    }

    #[test]
    fn stable_goals_cut_soon_after_their_first_change() {
        let steady: &[i32] = &[50, 50, 50, 50, 60, 60, 60, 50, 100];
        let early = watch(&[steady, &[50, 50, 50, 50, 50, 50, 60, 60, 0]], 1);
        // The goal first changes with the fourth move, and there are two roles.
        let cut = CutoffPoint {
            after: 6,
            score: CutoffScore::Goals,
        };
        assert_eq!(early.cut(), Some(cut));
        assert!(early.verdict().starts_with("goals are stable"));
        // (200/7 − (0/7)²) and 100/7 less (10/7)²: 28.57 and 12.24.
        assert!((early.stability() - 20.408).abs() < 1e-3);
        assert_eq!(watch(&[steady], 10).cut().map(|cut| cut.after), Some(10));
    }

    #[test]
    fn a_wide_interval_of_lengths_cuts_at_a_third_of_it() {
        // Goals that change at the very end only say nothing before.
        let game = |length: usize| {
            let mut goals = vec![0; length];
            goals.push(100);
            goals
        };
        let (short, long) = (game(20), game(50));
        let early = watch(&[&short, &long], 10);
        // 20 + 0.33·30 = 29.9: the example of the paper, which ends at 30.
        let cut = CutoffPoint {
            after: 30,
            score: CutoffScore::Draw,
        };
        assert_eq!(early.cut(), Some(cut));
        assert!(early.verdict().contains("20 to 50 moves"));
    }

    #[test]
    fn restless_goals_in_games_of_one_length_leave_nothing_to_cut() {
        let restless: Vec<i32> = (0..60).map(|step| step % 2 * 100).collect();
        let early = watch(&[&restless], 10);
        assert_eq!(early.cut(), None);
        assert!(early.verdict().starts_with("does not apply: "));
    }
}

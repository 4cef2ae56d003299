//! Root parallelisation: how the results of several trees become one.

use crate::tree::edge::{MoveEdge, SolvedStatus};

use super::candidate::{Candidate, best};
use super::evaluation::{MoveEvaluation, evaluations};
use gdl_runtime::engine::Move;

/// How the findings of several trees about the moves at the root are merged (Méhat and Cazenave
/// 2011; survey of 2015, section 4.7.1). Only trees that tried a move have a value for it; where
/// one of them has proven a value, that value counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RootMerge {
    /// Returns and visits are added up: a tree counts as often as it tried the move.
    #[default]
    Sum,
    /// Like the sum, but each tree reports only the ten moves that it values most.
    Sum10,
    /// The value of a move is the highest that any tree has for it.
    Best,
    /// The value of a move is the average of the trees' values, whatever their visits.
    Raw,
}

/// The number of moves that each tree reports in [`RootMerge::Sum10`].
const TOLD: usize = 10;

/// What one tree knows of its moves, each with its value.
type Told = Vec<(MoveEdge, f64)>;

impl RootMerge {
    /// The names by which agent texts know them, the default first.
    pub const NAMES: &'static [&'static str] = &["sum", "sum10", "best", "raw"];

    /// The method of this name; the default if there is none.
    #[must_use]
    pub fn named(name: &str) -> Self {
        match name {
            "sum10" => Self::Sum10,
            "best" => Self::Best,
            "raw" => Self::Raw,
            _ => Self::Sum,
        }
    }

    /// Merges the findings of searches of one state elsewhere, for instance on other machines: the
    /// best move, and the evaluations of all, most visited first. `None` if no move was tried.
    #[must_use]
    pub fn join(self, searches: &[Vec<MoveEvaluation>]) -> Option<(Move, Vec<MoveEvaluation>)> {
        let told = searches
            .iter()
            .map(|found| found.iter().map(tell).collect());
        let candidates = self.merge(told);
        let chosen = best(&candidates)?.edge.mv;
        Some((chosen, evaluations(&candidates)))
    }

    /// Merges what the trees know, in the order in which moves are first mentioned.
    pub(crate) fn merge(self, trees: impl Iterator<Item = Told>) -> Vec<Candidate> {
        let mut moves: Vec<Told> = Vec::new();
        for mut told in trees {
            if self == Self::Sum10 {
                keep_highest(&mut told);
            }
            for (edge, value) in told {
                let known = moves.iter_mut().find(|known| known[0].0.mv == edge.mv);
                match known {
                    Some(known) => known.push((edge, value)),
                    None => moves.push(vec![(edge, value)]),
                }
            }
        }
        let candidates = moves.iter().filter_map(|told| self.candidate(told));
        candidates.collect()
    }

    /// Merges what the trees reported about a move.
    fn candidate(self, told: &[(MoveEdge, f64)]) -> Option<Candidate> {
        let single = told.iter().map(|&(edge, value)| Candidate { edge, value });
        let mut sum = single.reduce(|mut sum, other| {
            sum.add(&other.edge, other.value);
            sum
        })?;
        let tried = told.iter().filter(|(edge, _)| edge.visits > 0);
        let values = tried.map(|&(_, value)| value);
        if sum.edge.status != SolvedStatus::Open || sum.edge.visits == 0 {
            return Some(sum);
        }
        match self {
            Self::Sum | Self::Sum10 => {}
            Self::Best => sum.value = values.fold(f64::NEG_INFINITY, f64::max),
            Self::Raw => sum.value = values.clone().sum::<f64>() / values.count() as f64,
        }
        Some(sum)
    }
}

/// The statistics and the value that an evaluation stands for.
fn tell(found: &MoveEvaluation) -> (MoveEdge, f64) {
    let edge = MoveEdge {
        sum: found.value * f64::from(found.visits),
        visits: found.visits,
        status: match (found.pruned, found.proven) {
            (true, _) => SolvedStatus::Pruned,
            (false, true) => SolvedStatus::Proven,
            (false, false) => SolvedStatus::Open,
        },
        ..MoveEdge::new(found.mv)
    };
    (edge, found.value)
}

/// Keeps the moves with the highest values of those that were tried.
fn keep_highest(told: &mut Told) {
    told.retain(|(edge, _)| edge.visits > 0);
    told.sort_by(|one, other| other.1.total_cmp(&one.1));
    told.truncate(TOLD);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(mv: u32, visits: u32, mean: f64) -> (MoveEdge, f64) {
        let edge = MoveEdge {
            sum: mean * f64::from(visits),
            visits,
            ..MoveEdge::new(Move(mv))
        };
        (edge, mean)
    }

    /// The move that is made after what two trees told.
    fn made(merge: RootMerge, trees: &[Told; 2]) -> Option<u32> {
        let candidates = merge.merge(trees.iter().cloned());
        best(&candidates).map(|best| best.edge.mv.0)
    }

    #[test]
    fn each_method_makes_another_move() {
        // Sums of move 0: 66, of move 1: 48, of move 2: 50; averages 50, 60, 50.
        let trees = [
            vec![told(0, 90, 70.0), told(1, 10, 90.0), told(2, 50, 0.0)],
            vec![told(0, 10, 30.0), told(1, 70, 42.0), told(2, 50, 100.0)],
        ];
        let made = |merge| made(merge, &trees);
        assert_eq!(made(RootMerge::Sum), Some(0));
        assert_eq!(made(RootMerge::Raw), Some(1));
        assert_eq!(made(RootMerge::Best), Some(2));
    }

    /// What is told by evaluations makes the same move as what is told by trees.
    #[test]
    fn searches_elsewhere_are_merged_as_trees_are() {
        let trees = [
            vec![told(0, 90, 70.0), told(1, 10, 90.0), told(2, 50, 0.0)],
            vec![told(0, 10, 30.0), told(1, 70, 42.0), told(2, 50, 100.0)],
        ];
        let searches = trees.clone().map(|told| {
            let candidates: Vec<Candidate> = (told.into_iter())
                .map(|(edge, value)| Candidate { edge, value })
                .collect();
            evaluations(&candidates)
        });
        for name in RootMerge::NAMES {
            let merge = RootMerge::named(name);
            let (chosen, found) = merge.join(&searches).expect("moves were tried");
            assert_eq!(Some(chosen.0), made(merge, &trees), "{name}");
            assert_eq!(found[0].visits, 100, "{name}");
        }
        assert_eq!(RootMerge::Sum.join(&[]), None);
        let mut pruned = searches;
        pruned[0]
            .iter_mut()
            .for_each(|found| found.pruned = found.mv == Move(2));
        let (chosen, _) = RootMerge::Best.join(&pruned).expect("moves were tried");
        assert_eq!(chosen, Move(1));
    }

    #[test]
    fn only_ten_moves_are_told() {
        // Move 0 is the best on the whole, but not among the ten best of the first tree.
        let mut first: Told = (1..=10).map(|mv| told(mv, 10, 60.0)).collect();
        first.insert(0, told(0, 10, 59.0));
        let second = vec![told(0, 10, 70.0), told(1, 90, 50.0), told(2, 10, 66.0)];
        let third = vec![told(0, 20, 70.0), told(2, 10, 72.0)];
        let value = |merge: RootMerge| {
            let trees = [first.clone(), second.clone(), third.clone()];
            let candidates = merge.merge(trees.into_iter());
            let own = candidates.iter().find(|candidate| candidate.edge.mv.0 == 0);
            own.map(|own| own.value)
        };
        assert_eq!(value(RootMerge::Sum), Some(67.25));
        assert_eq!(value(RootMerge::Sum10), Some(70.0));
    }

    #[test]
    fn what_one_tree_has_proven_counts_alone() {
        let mut proven = told(0, 3, 40.0);
        proven.0.status = SolvedStatus::Proven;
        let trees = [vec![proven, told(1, 9, 50.0)], vec![told(0, 9, 90.0)]];
        for name in RootMerge::NAMES {
            assert_eq!(made(RootMerge::named(name), &trees), Some(1), "{name}");
        }
    }
}

//! Candidates for the final move, and the choice among them.

use crate::tree::edge::{MoveEdge, SolvedStatus};

/// A move known to one or several searchers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// Its statistics, summed over the searchers.
    pub(crate) edge: MoveEdge,
    /// Its [value](crate::selection::SelectionRule::values), averaged over the
    /// searchers with their visits of the move as weights.
    pub(crate) value: f64,
}

impl Candidate {
    /// Adds another searcher's statistics and value of the same move.
    pub(crate) fn add(&mut self, other: &MoveEdge, value: f64) {
        let (own, others) = (f64::from(self.edge.visits), f64::from(other.visits));
        if others > 0.0 {
            self.value = (self.value * own + value * others) / (own + others);
        }
        self.edge.add(other);
        if self.edge.status == SolvedStatus::Proven {
            self.value = self.edge.mean();
        }
    }
}

/// The final move: the one with the highest value, which is exact where proven. Ties go
/// to a proven move, then to the most visited, then to the first.
pub(crate) fn best(candidates: &[Candidate]) -> Option<&Candidate> {
    let rank = |candidate: &Candidate| {
        let edge = &candidate.edge;
        let proven = edge.status == SolvedStatus::Proven;
        let pruned = edge.status == SolvedStatus::Pruned;
        (!pruned, candidate.value, proven, edge.visits)
    };
    let tried = candidates
        .iter()
        .filter(|candidate| candidate.edge.visits > 0);
    tried.reduce(|best, candidate| {
        let order = rank(candidate).partial_cmp(&rank(best));
        if order.is_some_and(std::cmp::Ordering::is_gt) {
            candidate
        } else {
            best
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Candidate, best};
    use crate::tree::edge::{MoveEdge, SolvedStatus};
    use gdl_runtime::engine::Move;

    fn candidate(mv: u32, visits: u32, mean: f64, value: f64) -> Candidate {
        let edge = MoveEdge {
            sum: mean * f64::from(visits),
            visits,
            ..MoveEdge::new(Move(mv))
        };
        Candidate { edge, value }
    }

    fn made(candidates: &[Candidate]) -> Option<u32> {
        best(candidates).map(|best| best.edge.mv.0)
    }

    #[test]
    fn worth_decides_then_visits_then_the_order() {
        let lucky = candidate(0, 1, 100.0, 60.0);
        let sound = candidate(1, 50, 70.0, 65.0);
        assert_eq!(made(&[lucky, sound]), Some(1));
        assert_eq!(made(&[candidate(2, 5, 1.0, 65.0), sound]), Some(1));
        assert_eq!(made(&[candidate(3, 50, 1.0, 65.0), sound]), Some(3));
        assert_eq!(made(&[candidate(4, 0, 0.0, 99.0)]), None);
    }

    #[test]
    fn what_is_proven_decides_and_what_is_pruned_does_not() {
        let mut proven = candidate(0, 1, 65.0, 65.0);
        proven.edge.status = SolvedStatus::Proven;
        let mut pruned = candidate(2, 90, 99.0, 99.0);
        pruned.edge.status = SolvedStatus::Pruned;
        assert_eq!(
            made(&[candidate(1, 50, 70.0, 65.0), proven, pruned]),
            Some(0)
        );
    }

    #[test]
    fn minds_count_as_often_as_they_tried() {
        let mut sum = candidate(0, 30, 50.0, 40.0);
        sum.add(&candidate(0, 10, 90.0, 80.0).edge, 80.0);
        assert!((sum.value - 50.0).abs() < 1e-9 && (sum.edge.mean() - 60.0).abs() < 1e-9);
        let mut proven = candidate(0, 1, 100.0, 100.0);
        proven.edge.status = SolvedStatus::Proven;
        sum.add(&proven.edge, 100.0);
        assert!((sum.value - 100.0).abs() < 1e-9);
        let mut untried = candidate(0, 0, 0.0, 0.0);
        untried.add(&candidate(0, 0, 0.0, 0.0).edge, 0.0);
        assert!(untried.value.abs() < 1e-9);
    }
}

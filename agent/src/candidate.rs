//! The moves that searches have considered, and which of them is made.

use crate::edge::{Edge, Standing};

/// A move that one mind or several know.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// What they know of it together.
    pub(crate) edge: Edge,
    /// What they [take it to be worth](crate::selection::Selection::worths), the
    /// judgement of a mind counting as often as it tried the move.
    pub(crate) worth: f64,
}

impl Candidate {
    /// Adds what another mind knows of the same move and takes it to be worth.
    pub(crate) fn add(&mut self, other: &Edge, worth: f64) {
        let (own, others) = (f64::from(self.edge.visits), f64::from(other.visits));
        if others > 0.0 {
            self.worth = (self.worth * own + worth * others) / (own + others);
        }
        self.edge.add(other);
        if self.edge.standing == Standing::Proven {
            self.worth = self.edge.mean();
        }
    }
}

/// The final move: the one that is worth most, exactly where proven; of equal ones
/// a proven one, then the most visited, then the first.
pub(crate) fn best(candidates: &[Candidate]) -> Option<&Candidate> {
    let rank = |candidate: &Candidate| {
        let edge = &candidate.edge;
        let proven = edge.standing == Standing::Proven;
        let pruned = edge.standing == Standing::Pruned;
        (!pruned, candidate.worth, proven, edge.visits)
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
    use crate::edge::{Edge, Standing};
    use gdl_runtime::engine::Move;

    fn candidate(mv: u32, visits: u32, mean: f64, worth: f64) -> Candidate {
        let edge = Edge {
            sum: mean * f64::from(visits),
            visits,
            ..Edge::new(Move(mv))
        };
        Candidate { edge, worth }
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
        proven.edge.standing = Standing::Proven;
        let mut pruned = candidate(2, 90, 99.0, 99.0);
        pruned.edge.standing = Standing::Pruned;
        assert_eq!(
            made(&[candidate(1, 50, 70.0, 65.0), proven, pruned]),
            Some(0)
        );
    }

    #[test]
    fn minds_count_as_often_as_they_tried() {
        let mut sum = candidate(0, 30, 50.0, 40.0);
        sum.add(&candidate(0, 10, 90.0, 80.0).edge, 80.0);
        assert!((sum.worth - 50.0).abs() < 1e-9 && (sum.edge.mean() - 60.0).abs() < 1e-9);
        let mut proven = candidate(0, 1, 100.0, 100.0);
        proven.edge.standing = Standing::Proven;
        sum.add(&proven.edge, 100.0);
        assert!((sum.worth - 100.0).abs() < 1e-9);
        let mut untried = candidate(0, 0, 0.0, 0.0);
        untried.add(&candidate(0, 0, 0.0, 0.0).edge, 0.0);
        assert!(untried.worth.abs() < 1e-9);
    }
}

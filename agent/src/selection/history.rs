//! Knowledge about moves that comes from the simulations of the search itself.

use gdl_runtime::engine::{Move, NO_CHOICE, Role};

use super::UNKNOWN;
use crate::episode::Continuations;

/// The average return of each role's moves over all simulations that made them, in
/// whatever state (the history heuristic, as in MAST: Finnsson and Björnsson 2008).
///
/// A move that occurs several times in a simulation counts each time. Moves without an
/// alternative are not counted.
#[derive(Debug, Default)]
pub(super) struct HistoryHeuristic {
    averages: Vec<Vec<MoveReturns>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct MoveReturns {
    sum: f64,
    count: f64,
}

impl HistoryHeuristic {
    /// The value of a move, 0 to 100.
    pub(super) fn value(&self, role: Role, mv: Move) -> f32 {
        let moves = self.averages.get(role);
        match moves.and_then(|moves| moves.get(mv.0 as usize)) {
            Some(known) if known.count > 0.0 => (known.sum / known.count) as f32,
            _ => UNKNOWN,
        }
    }

    /// Learns from simulations that share the moves `inside` the tree.
    pub(super) fn learn(&mut self, inside: &[u32], continuations: &Continuations) {
        for (simulations, goals, sequel) in continuations.iter() {
            let joints = inside.chunks_exact(goals.len());
            for joint in joints.chain(sequel.chunks_exact(goals.len())) {
                let choices = joint.iter().zip(goals).enumerate();
                for (role, (&mv, &goal)) in choices.filter(|(_, (mv, _))| **mv != NO_CHOICE) {
                    self.add(role, mv, f64::from(goal), f64::from(simulations));
                }
            }
        }
    }

    fn add(&mut self, role: Role, mv: u32, goal: f64, simulations: f64) {
        if role >= self.averages.len() {
            self.averages.resize_with(role + 1, Vec::new);
        }
        let (moves, index) = (&mut self.averages[role], mv as usize);
        if index >= moves.len() {
            moves.resize(index + 1, MoveReturns::default());
        }
        moves[index].sum += goal * simulations;
        moves[index].count += simulations;
    }
}

#[cfg(test)]
mod tests {
    use super::{Continuations, HistoryHeuristic, Move, NO_CHOICE, UNKNOWN};

    #[test]
    fn averages_over_whole_simulations() {
        let mut history = HistoryHeuristic::default();
        let mut continuations = Continuations::default();
        continuations.push(1, &[100, 0], &[1, NO_CHOICE]);
        continuations.push(3, &[20, 80], &[NO_CHOICE, 2]);
        history.learn(&[0, NO_CHOICE], &continuations);
        let value = |role, mv| history.value(role, Move(mv));
        assert_eq!([value(0, 0), value(0, 1), value(1, 2)], [40.0, 100.0, 80.0]);
        assert_eq!([value(0, 2), value(1, 7)], [UNKNOWN; 2]);
    }
}

//! RAVE: moves are also rated by simulations that made them later.

use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::episode::Continuations;
use crate::playout::Observed;
use crate::tree::SearchTree;
use crate::tree::edge::{MoveEdge, SolvedStatus};
use crate::tree::path::SearchPath;
use gdl_runtime::engine::{NO_CHOICE, Role};

use super::{Estimate, MoveChoice, UNKNOWN};

/// The component.
pub const COMPONENT: Component = Component {
    name: "rave",
    slot: Slot::Estimate,
    summary: "β·R(s,a) + (1−β)·Q(s,a) in place of Q(s,a), β = sqrt(k/(3·N(s)+k)), where R(s,a) \
              is the average return of simulations through s in which the role made the move \
              there or later",
    source: "Gelly and Silver 2007; Finnsson and Björnsson 2009",
    parameters: &[
        Parameter {
            name: "k",
            meaning: "the visits of a state at which both averages have equal weight",
            kind: ParameterKind::Number {
                default: 1000.0,
                range: 0.0..=1e9,
            },
        },
        Parameter {
            name: "bonus",
            meaning: "mixed: β·C·sqrt(ln M(s) / M(s,a)) + (1−β)·C·sqrt(ln N(s) / N(s,a)), where \
                      M counts what R averages; share: the second term alone; both rate untried \
                      moves by R; uct: that of UCT, untried moves first",
            kind: ParameterKind::Choice {
                names: RaveBonus::NAMES,
            },
        },
    ],
    build: |builder, values, _| {
        let bonus = values.text(1).map(RaveBonus::named).unwrap_or_default();
        builder.estimate(Rave::new(values.get(0) as f32).with_bonus(bonus));
    },
};

/// What moves get for exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RaveBonus {
    /// The bonuses of both averages, weighted as these are.
    #[default]
    Mixed,
    /// That of Q(s,a), weighted as Q(s,a) is.
    Share,
    /// That of UCT, whatever the weights; untried moves come first.
    Uct,
}

impl RaveBonus {
    const NAMES: &'static [&'static str] = &["mixed", "share", "uct"];

    fn named(name: &str) -> Self {
        match name {
            "share" => Self::Share,
            "uct" => Self::Uct,
            _ => Self::Mixed,
        }
    }
}

/// Rapid action value estimation (Gelly and Silver 2007, section 6; constants
/// of Finnsson and Björnsson 2009, section 3.4).
///
/// Q(s,a) and R(s,a) each have a bonus for exploration by their own counts, weighted as
/// they are (Gelly and Silver 2007, section 6). Moves that have not been tried are rated
/// by R(s,a) and explored as if tried once, so that few of many moves need be tried; one of
/// which nothing is known counts as best. The papers on general players do not say whether
/// theirs did so: their rule that untried moves come first, with the bonus of UCT, is
/// [`RaveBonus::Uct`]. That bonus is 74 points for a move tried once of 30, which leaves R
/// little influence.
///
/// Each role is credited with its own moves only, and each move once per simulation
/// however often it is made. The move made in the state itself counts too, as in the
/// first of these papers. The final move, too, is the one with the
/// highest combined value; the papers only say that it has the highest average return.
#[derive(Debug)]
pub struct Rave {
    equivalence: f32,
    bonus: RaveBonus,
    /// The results of the current batch for each move, by role.
    met: Vec<Vec<Met>>,
    /// The number of batches and of simulations so far.
    batch: u64,
    simulation: u64,
}

/// The returns of those simulations of a batch that made a certain move. Valid as long
/// as `batch` is the current one.
#[derive(Debug, Clone, Copy, Default)]
struct Met {
    batch: u64,
    /// The last simulation counted.
    simulation: u64,
    sum: f32,
    count: f32,
}

/// The number of statistics per edge: the sum of returns, and their number.
const STATISTICS: usize = 2;

/// Returns of an edge beyond which their sum and number are halved: the average stays
/// the same, and sums of goal values are exact in 32 bits.
const MOST_RETURNS: f32 = 1e5;

impl Rave {
    /// With the equivalence parameter k, in visits, and the bonus of UCT.
    #[must_use]
    pub fn new(equivalence: f32) -> Self {
        Self {
            equivalence,
            bonus: RaveBonus::Uct,
            met: Vec::new(),
            batch: 0,
            simulation: 0,
        }
    }

    /// The same with another bonus.
    #[must_use]
    pub fn with_bonus(self, bonus: RaveBonus) -> Self {
        Self { bonus, ..self }
    }

    /// β, the weight of R(s,a) after this many visits of the state.
    pub(super) fn weight(&self, visits: u32) -> f32 {
        match self.equivalence {
            0.0 => 0.0,
            k => (k / (3.0 * visits as f32 + k)).sqrt(),
        }
    }

    /// The results of a move in the current batch.
    fn met(&mut self, role: Role, mv: u32) -> &mut Met {
        if role >= self.met.len() {
            self.met.resize_with(role + 1, Vec::new);
        }
        let (met, index) = (&mut self.met[role], mv as usize);
        if index >= met.len() {
            met.resize(index + 1, Met::default());
        }
        let met = &mut met[index];
        if met.batch != self.batch {
            *met = Met {
                batch: self.batch,
                ..Met::default()
            };
        }
        met
    }

    /// Counts the moves of a simulation, each once.
    fn count(&mut self, simulations: u32, goals: &[i32], moves: &[u32]) {
        self.simulation += 1;
        let simulation = self.simulation;
        for joint in moves.chunks_exact(goals.len()) {
            for (role, &mv) in joint.iter().enumerate().filter(|(_, mv)| **mv != NO_CHOICE) {
                let met = self.met(role, mv);
                if met.simulation != simulation {
                    met.simulation = simulation;
                    met.sum += (goals[role] * simulations as i32) as f32;
                    met.count += simulations as f32;
                }
            }
        }
    }

    /// Credits a role's edges at a node with the simulations that made their moves.
    fn credit_edges(&self, role: Role, edges: &[MoveEdge], statistics: &mut [f32]) {
        let Some(met) = self.met.get(role).filter(|_| edges.len() > 1) else {
            return;
        };
        for (edge, statistics) in edges.iter().zip(statistics.chunks_exact_mut(STATISTICS)) {
            let met = met.get(edge.mv.0 as usize);
            if let Some(met) = met.filter(|met| met.batch == self.batch) {
                statistics[0] += met.sum;
                statistics[1] += met.count;
                if statistics[1] > MOST_RETURNS {
                    statistics
                        .iter_mut()
                        .for_each(|statistic| *statistic /= 2.0);
                }
            }
        }
    }
}

fn value(edge: &MoveEdge, tries: u32, statistics: &[f32], share: f32) -> f32 {
    let (sum, count) = (statistics[0], statistics[1]);
    match (edge.status, edge.visits, count > 0.0) {
        (SolvedStatus::Proven, ..) => edge.mean() as f32,
        (_, 0, true) => sum / count,
        (_, 0, false) if tries == 0 => UNKNOWN,
        (_, _, false) => edge.mean() as f32,
        (_, _, true) => share * (sum / count) + (1.0 - share) * edge.mean() as f32,
    }
}

impl Estimate for Rave {
    fn estimate(&self, choice: &MoveChoice<'_>, values: &mut Vec<f32>) {
        let share = self.weight(choice.visits);
        let statistics = choice.statistics.chunks_exact(STATISTICS);
        let edges = choice.edges.iter().zip(choice.scores).zip(statistics);
        values.extend(
            edges.map(|((edge, score), statistics)| value(edge, score.tries, statistics, share)),
        );
    }

    fn rates_untried(&self) -> bool {
        self.bonus != RaveBonus::Uct
    }

    fn explore(&self, choice: &MoveChoice<'_>, constant: f32, values: &mut [f32]) -> bool {
        if self.bonus == RaveBonus::Uct {
            return false;
        }
        let share = match self.bonus {
            RaveBonus::Mixed => constant * self.weight(choice.visits),
            RaveBonus::Share | RaveBonus::Uct => 0.0,
        };
        let own = constant * (1.0 - self.weight(choice.visits));
        let logarithm = |count: f32| count.max(1.0).ln().sqrt();
        let statistics = choice.statistics.chunks_exact(STATISTICS);
        let met = statistics.clone().map(|statistics| statistics[1]).sum();
        let (share, own) = (
            share * logarithm(met),
            own * logarithm(choice.visits as f32),
        );
        let moves = choice.scores.iter().zip(statistics);
        for (value, (score, statistics)) in values.iter_mut().zip(moves) {
            let spread = (score.tries.max(1) as f32).sqrt().recip();
            *value += own * spread + share * statistics[1].max(1.0).sqrt().recip();
        }
        true
    }

    fn statistics(&self) -> usize {
        STATISTICS
    }

    fn observes(&self) -> Observed {
        Observed::Moves
    }

    /// Goes from the end of the path to the root, so that at each node the moves
    /// counted are those made there or later. Moves inside the tree were made by all
    /// simulations.
    fn learn(
        &mut self,
        tree: &mut SearchTree,
        path: &SearchPath,
        inside: &[u32],
        continuations: &Continuations,
    ) {
        self.batch += 1;
        let mut all = Vec::new();
        for (simulations, goals, moves) in continuations.iter() {
            self.count(simulations, goals, moves);
            all.resize(goals.len(), Met::default());
            for (all, &goal) in all.iter_mut().zip(goals) {
                all.sum += (goal * simulations as i32) as f32;
                all.count += simulations as f32;
            }
        }
        let joints = inside.chunks_exact(all.len());
        for ((node, _), joint) in path.steps().zip(joints).rev() {
            for (role, (&mv, all)) in joint.iter().zip(&all).enumerate() {
                if mv != NO_CHOICE {
                    let met = self.met(role, mv);
                    (met.sum, met.count) = (all.sum, all.count);
                }
                let (edges, statistics) = tree.statistics_mut(node, role);
                self.credit_edges(role, edges, statistics);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::playout::uniform::Uniform;
    use crate::selection::uct::Uct;
    use crate::selection::{SelectionOptions, SelectionRule};
    use crate::tree::node::TreeNodeId;
    use gdl_runtime::engine::Move;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Two nodes: at the first, role 0 has moves 0, 1 and 2, at the second role
    /// 1 has moves 0 and 1.
    struct Line {
        tree: SearchTree,
        nodes: [TreeNodeId; 2],
        uct: Uct,
    }

    impl Line {
        fn new() -> Self {
            let mut tree = SearchTree::new(2, 1 << 20, STATISTICS);
            let moves = |count: u32| (0..count).map(Move).collect::<Vec<_>>();
            let (first, _) = tree.insert(&[0]).unwrap();
            tree.expand(first, &[moves(3), moves(1)]);
            let (second, _) = tree.insert(&[1]).unwrap();
            tree.expand(second, &[moves(1), moves(2)]);
            let options = SelectionOptions {
                estimate: Some(Box::new(Rave::new(1000.0))),
                ..SelectionOptions::default()
            };
            Self {
                tree,
                nodes: [first, second],
                uct: Uct::with_options(0.0, options),
            }
        }

        /// Runs a simulation that makes a move at each of the nodes, and then others.
        fn simulate(&mut self, moves: [u32; 2], later: &[u32], goals: [i32; 2]) {
            self.fly(moves, &[(later, goals)]);
        }

        /// Runs simulations that make a move at each of the nodes, and then others.
        fn fly(&mut self, moves: [u32; 2], simulations: &[(&[u32], [i32; 2])]) {
            let count = simulations.len() as u32;
            let sum = |role: usize| simulations.iter().map(|(_, goals)| goals[role]).sum();
            let returns: [i32; 2] = [sum(0), sum(1)];
            let mut path = SearchPath::new(2);
            for (step, node) in self.nodes.into_iter().enumerate() {
                let mut joint = [0, 1].map(|role| self.tree.span(node, role).start as u32);
                joint[step] += moves[step];
                self.tree.add_pending(node, &joint, count);
                let returns = returns.map(f64::from);
                self.tree.credit(node, &joint, count, &returns);
                path.push(node, &joint);
            }
            let inside = [moves[0], NO_CHOICE, NO_CHOICE, moves[1]];
            let mut continuations = Continuations::default();
            for (later, goals) in simulations {
                continuations.push(1, goals, later);
            }
            self.uct
                .learn(&mut self.tree, &path, &inside, &continuations);
        }

        fn choice(&self, step: usize) -> MoveChoice<'_> {
            let node = self.nodes[step];
            MoveChoice::new(&self.tree, &self.nodes[..step], node, step)
        }

        fn values(&self, step: usize) -> Vec<f32> {
            let mut values = Vec::new();
            Rave::new(1000.0).estimate(&self.choice(step), &mut values);
            values
        }
    }

    #[test]
    fn what_is_made_here_or_later_counts_once_and_for_its_own_role() {
        let mut line = Line::new();
        // Role 0 makes move 1 here and twice later, role 1 its moves 0 and 1.
        line.simulate([1, 0], &[1, 2, 1, 1], [100, 0]);
        assert_eq!(line.choice(0).statistics, [0.0, 0.0, 100.0, 1.0, 0.0, 0.0]);
        assert_eq!(line.choice(1).statistics, [0.0, 1.0, 0.0, 1.0]);
        // What role 0 made at the first node does not count at the second.
        line.simulate([0, 1], &[2, NO_CHOICE], [30, 70]);
        assert_eq!(
            line.choice(0).statistics,
            [30.0, 1.0, 100.0, 1.0, 30.0, 1.0]
        );
        assert_eq!(line.choice(1).statistics, [0.0, 1.0, 70.0, 2.0]);
    }

    #[test]
    fn simulations_of_a_flight_count_as_one_by_one() {
        let simulations: [(&[u32], _); 3] = [
            (&[1, 2, 1, 1], [100, 0]),
            (&[2, 1], [30, 70]),
            (&[0, NO_CHOICE, 2, NO_CHOICE], [50, 50]),
        ];
        let (mut together, mut apart) = (Line::new(), Line::new());
        for moves in [[1, 0], [0, 1], [2, 0]] {
            together.fly(moves, &simulations);
            for simulation in simulations {
                apart.fly(moves, &[simulation]);
            }
            for step in [0, 1] {
                let statistics = together.choice(step).statistics;
                assert_eq!(
                    statistics,
                    apart.choice(step).statistics,
                    "{moves:?}, {step}"
                );
            }
        }
        // Of nine simulations, all but those of the last move that never met move 0.
        assert_eq!(together.choice(0).statistics[1], 5.0);
    }

    #[test]
    fn both_averages_are_weighed_by_the_visits() {
        let mut line = Line::new();
        for _ in 0..10 {
            line.simulate([0, 0], &[1, NO_CHOICE], [100, 0]);
        }
        line.simulate([1, 0], &[], [0, 100]);
        // β = sqrt(1000/(33 + 1000)) = 0.98390. Move 1: R = 1000/11, Q = 0.
        let values = line.values(0);
        assert!((values[0] - 100.0).abs() < 1e-3, "{values:?}");
        assert!(
            (values[1] - 0.983_90 * 1000.0 / 11.0).abs() < 1e-2,
            "{values:?}"
        );
        assert!((values[2] - UNKNOWN).abs() < 1e-6, "{values:?}");
    }

    #[test]
    fn of_untried_moves_the_one_that_did_well_later_comes_first() {
        let mut line = Line::new();
        line.simulate([0, 0], &[1, NO_CHOICE], [80, 20]);
        line.simulate([0, 0], &[2, NO_CHOICE], [20, 80]);
        let mut uct = std::mem::take(&mut line.uct);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let chosen = uct.choose(&line.choice(0), &mut Uniform, &mut random);
        assert_eq!(chosen, 1);
    }
}

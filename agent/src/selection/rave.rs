//! RAVE: moves are also judged by simulations that made them later.

use crate::agents::{Parameter, Part, Place};
use crate::edge::{Edge, Standing};
use crate::episode::Episode;
use crate::flight::Path;
use crate::playout::Observed;
use crate::tree::Tree;
use runtime::engine::{NO_CHOICE, Role};

use super::{Choice, Estimate};

/// The part.
pub const PART: Part = Part {
    name: "rave",
    place: Place::Estimate,
    summary: "β·R(s,a) + (1−β)·Q(s,a) in place of Q(s,a), β = sqrt(k/(3·N(s)+k)), R(s,a) \
              being the average return of simulations through s in which the role made the \
              move there or later",
    source: "Gelly and Silver 2007; Finnsson and Björnsson 2009",
    parameters: &[Parameter {
        name: "k",
        meaning: "the visits of a state at which both averages count alike",
        default: 1000.0,
        range: 0.0..=1e9,
    }],
    build: |draft, values, _| draft.estimate(Rave::new(values.get(0) as f32)),
};

/// Rapid action value estimation (Gelly and Silver 2007, section 6; constants
/// of Finnsson and Björnsson 2009, section 3.4).
///
/// Each role is credited with its own moves only, and a move once a simulation
/// however often it is made. The move that was made in the state itself counts
/// too, as in the first of these papers. Moves not tried yet still come first;
/// among them the one with the highest R(s,a), those without any before all
/// others. The move that is made in the end, too, is the one that this takes to be
/// worth most; the papers say no more of it than the highest average return.
#[derive(Debug)]
pub struct Rave {
    equivalence: f32,
    /// For every role and move the last pass in which it was met.
    met: Vec<Vec<u64>>,
    pass: u64,
}

/// Figures of an edge: the sum of returns, and how many there are.
const FIGURES: usize = 2;

/// Returns of an edge beyond which sum and number are halved: the average
/// stays, and sums of goal values are exact in 32 bits.
const MOST_RETURNS: f32 = 1e5;

/// The worth of a move of which nothing is known: as good as can be.
const UNKNOWN: f32 = 100.0;

impl Rave {
    /// With the equivalence parameter k, in visits.
    #[must_use]
    pub fn new(equivalence: f32) -> Self {
        Self {
            equivalence,
            met: Vec::new(),
            pass: 0,
        }
    }

    /// Takes note that a role has made a move in this pass.
    fn meet(&mut self, role: Role, mv: u32) {
        if role >= self.met.len() {
            self.met.resize_with(role + 1, Vec::new);
        }
        let met = &mut self.met[role];
        let index = mv as usize;
        if index >= met.len() {
            met.resize(index + 1, 0);
        }
        met[index] = self.pass;
    }

    fn has_met(&self, role: Role, edge: &Edge) -> bool {
        let met = self
            .met
            .get(role)
            .and_then(|met| met.get(edge.mv.0 as usize));
        met == Some(&self.pass)
    }
}

fn value(edge: &Edge, tries: u32, figures: &[f32], share: f32) -> f32 {
    let (sum, count) = (figures[0], figures[1]);
    match (edge.standing, edge.visits, count > 0.0) {
        (Standing::Proven, ..) => edge.mean() as f32,
        (_, 0, true) => sum / count,
        (_, 0, false) if tries == 0 => UNKNOWN,
        (_, _, false) => edge.mean() as f32,
        (_, _, true) => share * (sum / count) + (1.0 - share) * edge.mean() as f32,
    }
}

impl Estimate for Rave {
    fn estimate(&self, choice: &Choice<'_>, values: &mut Vec<f32>) {
        let k = self.equivalence;
        let share = match k {
            0.0 => 0.0,
            _ => (k / (3.0 * choice.visits as f32 + k)).sqrt(),
        };
        let figures = choice.figures.chunks_exact(FIGURES);
        let edges = choice.edges.iter().zip(choice.scores).zip(figures);
        values
            .extend(edges.map(|((edge, score), figures)| value(edge, score.tries, figures, share)));
    }

    fn figures(&self) -> usize {
        FIGURES
    }

    fn observes(&self) -> Observed {
        Observed::Moves
    }

    /// Goes from the end of the simulation to the root, so that at every node
    /// what was met is what was made there or later.
    fn learn(&mut self, tree: &mut Tree, path: &Path, episode: &Episode<'_>) {
        self.pass += 1;
        let simulations = episode.simulations as f32;
        let mut nodes = path.steps().rev();
        for (step, joint) in episode.steps().enumerate().rev() {
            for (role, &mv) in joint.iter().enumerate() {
                if mv != NO_CHOICE {
                    self.meet(role, mv);
                }
            }
            if step >= episode.inside {
                continue;
            }
            let Some((node, _)) = nodes.next() else {
                return;
            };
            for (role, &goal) in episode.goals.iter().enumerate() {
                let (edges, figures) = tree.figures_mut(node, role);
                if edges.len() < 2 {
                    continue;
                }
                for (edge, figures) in edges.iter().zip(figures.chunks_exact_mut(FIGURES)) {
                    if self.has_met(role, edge) {
                        figures[0] += goal as f32 * simulations;
                        figures[1] += simulations;
                        if figures[1] > MOST_RETURNS {
                            figures.iter_mut().for_each(|figure| *figure /= 2.0);
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::playout::Uniform;
    use crate::selection::{Selection, Uct};
    use crate::tree::NodeId;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use runtime::engine::Move;

    /// Two nodes: at the first, role 0 has moves 0, 1 and 2, at the second role
    /// 1 has moves 0 and 1.
    struct Line {
        tree: Tree,
        nodes: [NodeId; 2],
        uct: Uct,
    }

    impl Line {
        fn new() -> Self {
            let mut tree = Tree::new(2, 1 << 20, FIGURES);
            let moves = |count: u32| (0..count).map(Move).collect::<Vec<_>>();
            let (first, _) = tree.insert(&[0]).unwrap();
            tree.expand(first, &[moves(3), moves(1)]);
            let (second, _) = tree.insert(&[1]).unwrap();
            tree.expand(second, &[moves(1), moves(2)]);
            let mut uct = Uct::new(0.0);
            uct.estimate = Some(Box::new(Rave::new(1000.0)));
            Self {
                tree,
                nodes: [first, second],
                uct,
            }
        }

        /// A simulation that makes a move at each of the nodes, and then others.
        fn simulate(&mut self, moves: [u32; 2], later: &[u32], goals: [i32; 2]) {
            let mut path = Path::new(2);
            for (step, node) in self.nodes.into_iter().enumerate() {
                let mut joint = [0, 1].map(|role| self.tree.span(node, role).start as u32);
                joint[step] += moves[step];
                self.tree.add_pending(node, &joint, 1);
                self.tree.credit(node, &joint, 1, &goals.map(f64::from));
                path.push(node, &joint);
            }
            let mut all = vec![moves[0], NO_CHOICE, NO_CHOICE, moves[1]];
            all.extend_from_slice(later);
            let episode = Episode {
                simulations: 1,
                goals: &goals,
                moves: &all,
                inside: 2,
                states: &[],
            };
            self.uct.learn(&mut self.tree, &path, &episode);
        }

        fn choice(&self, step: usize) -> Choice<'_> {
            let node = self.nodes[step];
            Choice::new(&self.tree, node, step, false)
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
        assert_eq!(line.choice(0).figures, [0.0, 0.0, 100.0, 1.0, 0.0, 0.0]);
        assert_eq!(line.choice(1).figures, [0.0, 1.0, 0.0, 1.0]);
        // What role 0 made at the first node does not count at the second.
        line.simulate([0, 1], &[2, NO_CHOICE], [30, 70]);
        assert_eq!(line.choice(0).figures, [30.0, 1.0, 100.0, 1.0, 30.0, 1.0]);
        assert_eq!(line.choice(1).figures, [0.0, 1.0, 70.0, 2.0]);
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

//! UCT, with the options that other components contribute.

use gdl_runtime::engine::Move;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::highest::pick_highest;
use super::{Frontier, MoveChoice, SelectionOptions, SelectionRule};
use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::credit::Credit;
use crate::episode::Continuations;
use crate::playout::{Observed, Playout, Situation};
use crate::tree::SearchTree;
use crate::tree::edge::{EdgeScore, SolvedStatus};
use crate::tree::path::SearchPath;

/// The component.
pub const COMPONENT: Component = Component {
    name: "uct",
    slot: Slot::Selection,
    summary: "the highest Q(s,a) + C·sqrt(ln N(s) / N(s,a)), untried moves first; \
              separately for every role that has a choice",
    source: "Kocsis and Szepesvári 2006; Finnsson and Björnsson 2008",
    parameters: &[
        Parameter {
            name: "c",
            meaning: "C, the weight of exploration, in goal points",
            kind: ParameterKind::Number {
                default: 40.0,
                range: 0.0..=10_000.0,
            },
        },
        Parameter {
            name: "ties",
            meaning: "the difference, in goal points, within which simultaneous moves count as \
                      equal",
            kind: ParameterKind::Number {
                default: TOLERANCE,
                range: 0.0..=100.0,
            },
        },
    ],
    build: |builder, values, _| {
        let (exploration, tolerance) = (values.get(0) as f32, values.get(1) as f32);
        builder.selection(move |options| {
            let mut uct = Uct::with_options(exploration, options);
            uct.tolerance = tolerance;
            uct
        });
    },
};

/// UCT: the highest Q(s,a) + C·sqrt(ln N(s) / N(s,a)), untried moves first, ties at
/// random (Kocsis and Szepesvári 2006; constants of Finnsson and Björnsson 2008).
///
/// Where several roles choose at once, values that differ by less than
/// [`tolerance`](Self::tolerance) count as ties. Without this randomness the roles would
/// cycle through their moves in lockstep, never try some combinations, and trust averages
/// that only reflect the cycle.
///
/// Simulations in flight count as visits but not in the average, so that concurrent
/// descents spread out without assuming losses that never happened (Liu et al., "Watch
/// the Unobserved", 2020).
///
/// With an [`Estimate`](super::Estimate), its values replace Q, and the untried move with
/// the highest value comes first, unless the estimate rates untried moves too. With a
/// [`FirstPlayUrgency`](super::FirstPlayUrgency), tried moves may come before untried ones,
/// and the playout policy picks among the latter. With an [`Exploration`](super::Exploration), exploration may end.
/// [`Knowledge`](super::Knowledge) changes the values of moves.
pub struct Uct {
    /// The exploration constant C, in goal points.
    pub exploration: f32,
    /// The difference, in goal points, within which simultaneous moves count as equal.
    pub tolerance: f32,
    options: SelectionOptions,
    /// Whether there are no options.
    is_plain: bool,
    /// Whether it is unnecessary to try every move.
    rates_untried: bool,
    values: Vec<f32>,
    scored: Vec<f32>,
    untried: Vec<usize>,
    moves: Vec<Move>,
}

/// The default tolerance of ties between simultaneous moves, in goal points.
const TOLERANCE: f64 = 1.0;

impl Default for Uct {
    fn default() -> Self {
        Self::new(40.0)
    }
}

impl Uct {
    /// Plain UCT with this C.
    #[must_use]
    pub fn new(exploration: f32) -> Self {
        Self::with_options(exploration, SelectionOptions::default())
    }

    /// UCT with this C and the options of other components.
    #[must_use]
    pub fn with_options(exploration: f32, options: SelectionOptions) -> Self {
        Self {
            exploration,
            tolerance: TOLERANCE as f32,
            is_plain: options.is_empty(),
            rates_untried: options.first_play.is_none() && options.rates_untried(),
            options,
            values: Vec::new(),
            scored: Vec::new(),
            untried: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// The highest value by the averages; untried moves first.
    fn choose_by_averages(
        &mut self,
        choice: &MoveChoice<'_>,
        weight: f32,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize {
        let value = |score: &EdgeScore| score.mean + weight * score.spread;
        self.scored.clear();
        self.scored.extend(choice.scores.iter().map(value));
        if choice.skips_proven {
            for (scored, edge) in self.scored.iter_mut().zip(choice.edges) {
                if edge.status == SolvedStatus::Proven {
                    *scored = f32::NEG_INFINITY;
                }
            }
        }
        pick_highest(&self.scored, self.ties_within(choice), random)
    }

    /// The highest value by the estimate; untried moves first, or as first-play urgency
    /// wants.
    fn choose_by_options(
        &mut self,
        choice: &MoveChoice<'_>,
        weight: f32,
        playout: &mut dyn Playout,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize {
        self.values.clear();
        match &self.options.estimate {
            Some(estimate) => estimate.estimate(choice, &mut self.values),
            None => self
                .values
                .extend(choice.scores.iter().map(|score| score.mean)),
        }
        self.rule_out_known(choice);
        let (mut weight, mut constant) = (weight, self.exploration);
        if let Some(rule) = &self.options.exploration
            && rule.is_over(choice, &self.values)
        {
            (weight, constant) = (f32::MIN_POSITIVE, 0.0);
        }
        for knowledge in &mut self.options.knowledge {
            knowledge.apply(choice, &mut self.values);
        }
        if let Some(estimate) = &self.options.estimate
            && estimate.explore(choice, constant, &mut self.values)
        {
            weight = 0.0;
        }
        let untried = |&index: &usize| {
            choice.scores[index].tries == 0 && self.values[index] > f32::NEG_INFINITY
        };
        self.untried.clear();
        if !self.rates_untried {
            self.untried.extend((0..choice.edges.len()).filter(untried));
        }
        if self.untried.is_empty() {
            return self.pick_tried(choice, weight, random);
        }
        let Some(first_play) = &mut self.options.first_play else {
            let values = self.untried.iter().map(|&index| self.values[index]);
            self.scored.clear();
            self.scored.extend(values);
            return self.untried[pick_highest(&self.scored, 0.0, random)];
        };
        let tried = self.values.iter().zip(choice.scores);
        let tried = tried.filter(|(_, score)| score.tries > 0);
        let frontier = Frontier {
            exploit: tried.fold(f32::NEG_INFINITY, |best, (value, score)| {
                best.max(value + weight * score.spread)
            }),
            untried: self.untried.len(),
            moves: choice.edges.len(),
            visits: choice.visits,
            exploration: self.exploration,
        };
        if frontier.exploit > f32::NEG_INFINITY && first_play.exploits(&frontier) {
            return self.pick_tried(choice, weight, random);
        }
        self.moves.clear();
        let moves = self.untried.iter().map(|&index| choice.edges[index].mv);
        self.moves.extend(moves);
        let situation = Situation {
            role: choice.role,
            state: choice.state,
            moves: &self.moves,
        };
        self.untried[playout.choose(&situation, random)]
    }

    /// Excludes moves that need no more simulations.
    fn rule_out_known(&mut self, choice: &MoveChoice<'_>) {
        for (value, edge) in self.values.iter_mut().zip(choice.edges) {
            let known = match edge.status {
                SolvedStatus::Open => false,
                SolvedStatus::Proven => choice.skips_proven,
                SolvedStatus::Pruned => true,
            };
            if known {
                *value = f32::NEG_INFINITY;
            }
        }
    }

    /// The tried move with the highest value; among all moves if options rate
    /// untried ones, which then are explored as if tried once.
    fn pick_tried(
        &mut self,
        choice: &MoveChoice<'_>,
        weight: f32,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize {
        let tried = self.values.iter().zip(choice.scores);
        let values = tried.map(|(value, score)| match score.tries {
            0 if self.rates_untried => value + weight,
            0 => f32::NEG_INFINITY,
            _ => value + weight * score.spread,
        });
        self.scored.clear();
        self.scored.extend(values);
        pick_highest(&self.scored, self.ties_within(choice), random)
    }

    /// The least weight of exploration: without any, untried moves come first nevertheless. With
    /// some, the weight is 0 only at the second visit, where this least one decides nothing.
    fn least_weight(&self) -> f32 {
        match self.exploration == 0.0 {
            true => 1e-20,
            false => f32::MIN_POSITIVE,
        }
    }

    /// The difference within which values count as ties.
    fn ties_within(&self, choice: &MoveChoice<'_>) -> f32 {
        if choice.alone { 0.0 } else { self.tolerance }
    }
}

impl SelectionRule for Uct {
    fn choose(
        &mut self,
        choice: &MoveChoice<'_>,
        playout: &mut dyn Playout,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize {
        let weight = self.exploration * (choice.visits.max(1) as f32).ln().sqrt();
        let weight = weight.max(self.least_weight());
        if self.is_plain {
            return self.choose_by_averages(choice, weight, random);
        }
        self.choose_by_options(choice, weight, playout, random)
    }

    /// The values of the estimate, if there is one. It distributes visits by another
    /// measure than the averages, which then rest on so few returns that the highest is
    /// arbitrary.
    fn values(&self, choice: &MoveChoice<'_>) -> Vec<f64> {
        let Some(estimate) = &self.options.estimate else {
            return choice.averages();
        };
        let mut values = Vec::with_capacity(choice.edges.len());
        estimate.estimate(choice, &mut values);
        values.into_iter().map(f64::from).collect()
    }

    fn statistics(&self) -> usize {
        let estimate = self.options.estimate.as_ref();
        estimate.map_or(0, |part| part.statistics())
    }

    fn observes(&self) -> Observed {
        let estimate = self.options.estimate.as_ref();
        let estimate = estimate.map_or(Observed::Nothing, |part| part.observes());
        let knowledge = self.options.knowledge.iter().map(|part| part.observes());
        knowledge.fold(estimate, Observed::max)
    }

    fn learn(
        &mut self,
        tree: &mut SearchTree,
        path: &SearchPath,
        inside: &[u32],
        continuations: &Continuations,
    ) {
        if let Some(estimate) = &mut self.options.estimate {
            estimate.learn(tree, path, inside, continuations);
        }
        for knowledge in &mut self.options.knowledge {
            knowledge.learn(inside, continuations);
        }
    }

    fn takes_credit(&self) -> bool {
        let estimate = self.options.estimate.as_ref();
        estimate.is_some_and(|part| part.takes_credit())
    }

    fn credit(&mut self, tree: &mut SearchTree, credit: &Credit<'_>) {
        if let Some(estimate) = &mut self.options.estimate {
            estimate.credit(tree, credit);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::playout::uniform::Uniform;
    use crate::tree::node::TreeNodeId;
    use gdl_runtime::engine::Move;
    use rand::SeedableRng;

    /// A node with moves of these visits and average returns.
    struct TreeNode {
        tree: SearchTree,
        id: TreeNodeId,
        skips_proven: bool,
        alone: bool,
    }

    impl TreeNode {
        fn new(moves: &[(u32, f64)]) -> Self {
            let mut tree = SearchTree::new(1, 1 << 20, 0);
            let (id, _) = tree.insert(&[0]).unwrap();
            tree.expand(id, &[(0..moves.len() as u32).map(Move).collect()]);
            for (edge, &(visits, mean)) in moves.iter().enumerate() {
                for _ in 0..visits {
                    tree.add_pending(id, &[edge as u32], 1);
                    tree.credit(id, &[edge as u32], 1, &[mean]);
                }
            }
            Self {
                tree,
                id,
                skips_proven: false,
                alone: true,
            }
        }

        /// How often each move is chosen in a thousand trials.
        fn counts(&self) -> Vec<u32> {
            self.counts_within(TOLERANCE as f32)
        }

        fn counts_within(&self, tolerance: f32) -> Vec<u32> {
            let mut uct = Uct {
                tolerance,
                ..Uct::default()
            };
            let mut choice = MoveChoice::new(&self.tree, &[], self.id, 0);
            choice.skips_proven = self.skips_proven;
            choice.alone = self.alone;
            let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
            let mut counts = vec![0; choice.edges.len()];
            for _ in 0..1000 {
                counts[uct.choose(&choice, &mut Uniform, &mut random)] += 1;
            }
            counts
        }
    }

    #[test]
    fn without_exploration_untried_moves_come_first_too() {
        let node = TreeNode::new(&[(3, 50.0), (0, 0.0)]);
        let mut uct = Uct {
            exploration: 0.0,
            ..Uct::default()
        };
        let mut choice = MoveChoice::new(&node.tree, &[], node.id, 0);
        choice.alone = true;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        assert_eq!(uct.choose(&choice, &mut Uniform, &mut random), 1);
    }

    #[test]
    fn the_formula() {
        // 60 + 40·sqrt(ln 110 / 100) = 68.67; 50 + 40·sqrt(ln 110 / 10) = 77.42.
        assert_eq!(
            TreeNode::new(&[(100, 60.0), (10, 50.0)]).counts(),
            [0, 1000]
        );
        // 60 + 40·sqrt(ln 140 / 100) = 68.89; 50 + 40·sqrt(ln 140 / 40) = 64.06.
        assert_eq!(
            TreeNode::new(&[(100, 60.0), (40, 50.0)]).counts(),
            [1000, 0]
        );
    }

    /// Where all moves are proven, the role that decides makes one of the best: which of these may
    /// be of importance to others.
    #[test]
    fn proven_moves_are_skipped_as_long_as_others_are_open() {
        let mut node = TreeNode::new(&[(9, 50.0), (9, 20.0), (9, 50.0), (9, 40.0)]);
        for (edge, status) in [
            (0, SolvedStatus::Proven),
            (1, SolvedStatus::Pruned),
            (2, SolvedStatus::Proven),
        ] {
            node.tree.mark_edge(edge, status, 50);
        }
        let skips = |node: &TreeNode| {
            let path = [node.id];
            let mut choice = MoveChoice::new(&node.tree, &path, node.id, 0);
            choice.skip_proven();
            choice.skips_proven
        };
        node.skips_proven = skips(&node);
        assert_eq!(node.counts(), [0, 0, 0, 1000]);
        node.tree.mark_edge(3, SolvedStatus::Pruned, 40);
        node.skips_proven = skips(&node);
        let counts = node.counts();
        assert!(counts[0] > 400 && counts[2] > 400, "{counts:?}");
        assert_eq!(counts[1] + counts[3], 0);
    }

    #[test]
    fn untried_moves_come_first_and_equally_often() {
        let counts = TreeNode::new(&[(5, 100.0), (0, 0.0), (0, 0.0), (1, 100.0)]).counts();
        assert_eq!(counts[0] + counts[3], 0);
        assert!((430..570).contains(&counts[1]), "{counts:?}");
    }

    #[test]
    fn simulations_in_flight_widen_the_search_without_a_loss() {
        let mut node = TreeNode::new(&[(50, 55.0), (50, 50.0)]);
        assert_eq!(node.counts(), [1000, 0]);
        for _ in 0..100 {
            node.tree.add_pending(node.id, &[0], 1);
        }
        assert_eq!(node.counts(), [0, 1000]);
        assert!((node.tree.edges(node.id, 0)[0].mean() - 55.0).abs() < 1e-9);
    }

    #[test]
    fn proven_moves() {
        let mut node = TreeNode::new(&[(50, 90.0), (50, 50.0), (5, 80.0)]);
        node.tree.mark_edge(0, SolvedStatus::Proven, 90);
        node.tree.mark_edge(2, SolvedStatus::Pruned, 0);
        assert_eq!(node.counts(), [1000, 0, 0]);
        node.skips_proven = true;
        assert_eq!(node.counts(), [0, 1000, 0]);
    }

    #[test]
    fn simultaneous_moves_have_wider_ties() {
        let mut node = TreeNode::new(&[(50, 50.0), (50, 50.6), (50, 40.0)]);
        assert_eq!(node.counts(), [0, 1000, 0]);
        node.alone = false;
        let counts = node.counts();
        assert!((430..570).contains(&counts[0]), "{counts:?}");
        assert_eq!(counts[2], 0);
        assert_eq!(node.counts_within(0.5), [0, 1000, 0]);
        assert!(node.counts_within(20.0)[2] > 270);
    }
}

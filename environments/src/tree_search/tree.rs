//! The tree of one search.

use super::noise::dirichlet;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::Range;

/// What an edge leads to while it has not been tried.
const NOWHERE: u32 = u32::MAX;

/// The tree of one search. Values are rewards of one role, summed.
#[derive(Default)]
pub(super) struct PriorTree {
    nodes: Vec<PriorNode>,
    edges: Vec<PriorEdge>,
    /// The words of the states of all nodes.
    states: Vec<u64>,
    /// The edges from the root to where the last descent ended.
    path: Vec<u32>,
}

struct PriorNode {
    /// The role that chooses.
    player: usize,
    edges: Range<u32>,
    visits: u32,
    /// The rewards of all roles, if the game is over.
    rewards: Option<Box<[f32]>>,
}

struct PriorEdge {
    action: i32,
    prior: f32,
    visits: u32,
    /// For the role that chooses it.
    value: f32,
    child: u32,
    parent: u32,
}

/// A position that was reached.
pub(super) struct Reached<'a> {
    /// The words of its state.
    pub(super) state: &'a [u64],
    /// The role that chooses.
    pub(super) player: usize,
    /// The rewards of all roles, if the game is over.
    pub(super) rewards: Option<&'a [f32]>,
}

/// Where a descent ends.
pub(super) enum End {
    /// In a state whose game is over, with the rewards of all roles.
    Over(Box<[f32]>),
    /// At an edge that was not tried: the action of a node.
    Untried {
        /// The node.
        node: u32,
        /// The action.
        action: i32,
    },
}

impl PriorTree {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.states.clear();
        self.path.clear();
    }

    /// Adds the position that the last descent, or the beginning, has reached, with the
    /// actions of the role that chooses and their priors.
    pub(super) fn add(&mut self, reached: &Reached<'_>, actions: impl Iterator<Item = (i32, f32)>) {
        let node = self.nodes.len() as u32;
        let begin = self.edges.len() as u32;
        self.edges.extend(actions.map(|(action, prior)| PriorEdge {
            action,
            prior,
            visits: 0,
            value: 0.0,
            child: NOWHERE,
            parent: node,
        }));
        self.states.extend_from_slice(reached.state);
        self.nodes.push(PriorNode {
            player: reached.player,
            edges: begin..self.edges.len() as u32,
            visits: 0,
            rewards: reached.rewards.map(Into::into),
        });
        if let Some(&edge) = self.path.last() {
            self.edges[edge as usize].child = node;
        }
    }

    /// Mixes noise into the priors of the root.
    pub(super) fn disturb(
        &mut self,
        weight: f32,
        concentration: Option<f32>,
        random: &mut Xoshiro256PlusPlus,
    ) {
        let edges = self.root_edges();
        let count = edges.len();
        let concentration = concentration.unwrap_or(10.0 / count.max(1) as f32);
        let noise = dirichlet(concentration, count, random);
        for (edge, noise) in self.edges[edges].iter_mut().zip(noise) {
            edge.prior = (1.0 - weight) * edge.prior + weight * noise;
        }
    }

    fn root_edges(&self) -> Range<usize> {
        let root = self.nodes.first().map_or(0..0, |root| root.edges.clone());
        root.start as usize..root.end as usize
    }

    /// Descends from the root by the upper confidence bounds.
    pub(super) fn descend(&mut self, exploration: f32) -> End {
        self.path.clear();
        let mut index = 0;
        loop {
            let node = &self.nodes[index as usize];
            if let Some(rewards) = &node.rewards {
                return End::Over(rewards.clone());
            }
            let Some(edge) = self.choose(node, exploration) else {
                // No legal action: worth nothing to anybody.
                return End::Over(Box::default());
            };
            self.path.push(edge);
            let PriorEdge { child, action, .. } = self.edges[edge as usize];
            if child == NOWHERE {
                return End::Untried {
                    node: index,
                    action,
                };
            }
            index = child;
        }
    }

    /// The edge with the greatest bound; an edge that was not tried is taken to be worth as
    /// much as its node.
    fn choose(&self, node: &PriorNode, exploration: f32) -> Option<u32> {
        let edges = node.edges.clone();
        let own = &self.edges[edges.start as usize..edges.end as usize];
        let (tried, sum) = own.iter().fold((0, 0.0), |(visits, sum), edge| {
            (visits + edge.visits, sum + edge.value)
        });
        let mean = if tried > 0 { sum / tried as f32 } else { 0.0 };
        let scale = exploration * (node.visits.max(1) as f32).sqrt();
        let bound = |edge: &PriorEdge| {
            let value = match edge.visits {
                0 => mean,
                visits => edge.value / visits as f32,
            };
            value + scale * edge.prior / (1.0 + edge.visits as f32)
        };
        let bounds = edges.zip(own.iter().map(bound));
        bounds
            .max_by(|one, other| one.1.total_cmp(&other.1))
            .map(|(edge, _)| edge)
    }

    /// The state of a node.
    pub(super) fn state(&self, node: u32, words: usize) -> &[u64] {
        &self.states[node as usize * words..][..words]
    }

    /// Backs up the result of the last descent: for every role its value there; what is not finite
    /// counts as 0, since it would make all sums useless.
    pub(super) fn back_up(&mut self, values: &[f32]) {
        for &edge in &self.path {
            let edge = &mut self.edges[edge as usize];
            let node = &mut self.nodes[edge.parent as usize];
            node.visits += 1;
            edge.visits += 1;
            let value = values.get(node.player).filter(|value| value.is_finite());
            edge.value += value.copied().unwrap_or(0.0);
        }
    }

    /// The actions at the root, each with its visits and its mean value.
    pub(super) fn root(&self) -> impl Iterator<Item = (i32, u32, f32)> + '_ {
        let edges = self.edges[self.root_edges()].iter();
        edges.map(|edge| {
            (
                edge.action,
                edge.visits,
                edge.value / edge.visits.max(1) as f32,
            )
        })
    }
}

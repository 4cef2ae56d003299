//! N-gram selection: moves with a high average return after the moves made just before
//! are made more often.

use gdl_runtime::engine::{NO_CHOICE, Role};
use indexmap::IndexMap;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxBuildHasher;

use super::average::ReturnAverage;
use super::history::{MoveHistory, mix};
use super::sampling::MoveSampling;
use super::{Observed, Playout, SamplingMode, Situation};
use crate::component::builder::AgentBuilder;
use crate::component::{Component, Parameter, ParameterKind, ParameterValues, Slot};
use crate::episode::Episode;

const LENGTH: Parameter = Parameter {
    name: "n",
    meaning: "the number of moves of the longest sequences",
    kind: ParameterKind::Number {
        default: 3.0,
        range: 1.0..=8.0,
    },
};

const LEAST: Parameter = Parameter {
    name: "k",
    meaning: "samples below which sequences of two and more moves do not count",
    kind: ParameterKind::Number {
        default: 7.0,
        range: 1.0..=1e6,
    },
};

const UNSEEN: Parameter = Parameter {
    name: "unseen",
    meaning: "the value of moves that no simulation has made, in goal points",
    kind: ParameterKind::Number {
        default: 100.0,
        range: 0.0..=100.0,
    },
};

/// The component that samples ε-greedily.
pub const GREEDY: Component = Component {
    name: "ngram",
    slot: Slot::Playout,
    summary: "the move with the highest Q, or with probability ε any move, where Q averages \
              the returns of the sequences of 1 to n moves that end with it: with it alone, and \
              after the last one, two, … moves",
    source: "Tak, Winands and Björnsson 2012",
    parameters: &[
        Parameter {
            name: "epsilon",
            meaning: "ε, the probability of a uniformly random move",
            kind: ParameterKind::Number {
                default: 0.2,
                range: 0.0..=1.0,
            },
        },
        LENGTH,
        LEAST,
        UNSEEN,
    ],
    build: |builder, values, _| {
        let epsilon = values.get(0) as f32;
        add(builder, values, MoveSampling::Greedy(epsilon));
    },
};

/// The component that samples a Gibbs distribution.
pub const GIBBS: Component = Component {
    name: "ngram-gibbs",
    slot: Slot::Playout,
    summary: "as ngram, but moves in proportion to exp(Q/τ)",
    source: "Tak, Winands and Björnsson 2012",
    parameters: &[
        Parameter {
            name: "tau",
            meaning: "τ, the temperature, in goal points: the lower, the greedier",
            kind: ParameterKind::Number {
                default: 10.0,
                range: 0.01..=10_000.0,
            },
        },
        LENGTH,
        LEAST,
        UNSEEN,
    ],
    build: |builder, values, _| {
        let temperature = values.get(0) as f32;
        add(builder, values, MoveSampling::Gibbs(temperature));
    },
};

fn add(builder: &mut AgentBuilder, values: &ParameterValues, sampling: MoveSampling) {
    builder.playout(NGram::new(
        values.get(1) as usize,
        values.get(2) as f32,
        values.get(3) as f32,
        sampling,
    ));
}

/// The number of sequences beyond which those with fewer than k samples are forgotten: about 40 MB.
const MOST_SEQUENCES: usize = 1 << 20;

/// The N-gram Selection Technique (Tak, Winands and Björnsson 2012; survey of 2015,
/// section 2.3.3).
///
/// A sequence is a move of a role and the joint moves before it, at most n in all; its
/// average is that of the role's returns of the simulations in which it occurred, each
/// time it did. Where roles take turns, a joint move is the move of the role whose turn it
/// is. Where they move at once, a sequence has the earlier moves of all of them, since
/// the survey does not say which to take. A sequence of two or more moves counts from k
/// samples on, a single move from the first; the default of ε is ours.
///
/// The policy depends on the last moves, so it is asked in every state of every lane:
/// per simulation, besides the transposed tables of states and legal moves, up to n
/// look-ups for each legal move of each state outside the tree, mostly two, and n updates for
/// each move made. In Breakthrough, a simulation takes between once and twice as long as with
/// PAST.
#[derive(Debug)]
pub struct NGram {
    longest: usize,
    least: f32,
    unseen: f32,
    sampling: MoveSampling,
    /// The sequences by what precedes their last move and by the role that makes it: those that
    /// one choice compares lie side by side, since look-ups mostly wait for memory.
    averages: IndexMap<u64, MoveAverages, FxBuildHasher>,
    /// The number of sequences.
    sequences: usize,
    /// The digests of what precedes a move, the shortest first, and the values of moves.
    contexts: Vec<u64>,
    values: Vec<f32>,
}

/// Averages by move, in the order of moves.
#[derive(Debug, Default)]
struct MoveAverages(Vec<(u32, ReturnAverage)>);

impl MoveAverages {
    fn get(&self, mv: u32) -> Option<&ReturnAverage> {
        let found = self.0.binary_search_by_key(&mv, |(mv, _)| *mv);
        found.ok().map(|index| &self.0[index].1)
    }

    /// Adds a goal value of a move as this number of samples. Returns whether they are the first.
    fn add(&mut self, mv: u32, goal: f32, count: f32) -> bool {
        let found = self.0.binary_search_by_key(&mv, |(mv, _)| *mv);
        let index = found.unwrap_or_else(|index| {
            self.0.insert(index, (mv, ReturnAverage::default()));
            index
        });
        self.0[index].1.add(goal, count);
        found.is_err()
    }

    fn fade(&mut self, mv: u32, factor: f32) {
        if let Ok(index) = self.0.binary_search_by_key(&mv, |(mv, _)| *mv) {
            self.0[index].1.fade(factor);
        }
    }
}

impl NGram {
    /// With the number of moves of the longest sequences, the samples from which those of
    /// several moves count, and the value of moves never made in goal points.
    #[must_use]
    pub fn new(longest: usize, least: f32, unseen: f32, sampling: MoveSampling) -> Self {
        Self {
            longest,
            least,
            unseen,
            sampling,
            averages: IndexMap::default(),
            sequences: 0,
            contexts: Vec::new(),
            values: Vec::new(),
        }
    }

    fn look_back(&mut self, history: MoveHistory<'_>) {
        self.contexts.clear();
        self.contexts.extend(history.digests().take(self.longest));
    }

    /// Values the moves in `values`: by the average of the sequences that end with them. A
    /// sequence has no more samples than the shorter one that it contains, so that the first one
    /// that does not count is the last to be looked up.
    fn rate(&mut self, situation: &Situation<'_>, history: &MoveHistory<'_>) {
        self.look_back(*history);
        let known = |&context: &u64| self.averages.get(&key(context, situation.role));
        let known: Vec<&MoveAverages> = self.contexts.iter().map_while(known).collect();
        self.values.clear();
        self.values.extend(situation.moves.iter().map(|mv| {
            let (mut sum, mut counted, mut least) = (0.0, 0.0, f32::MIN_POSITIVE);
            for averages in &known {
                let average = averages.get(mv.0);
                let Some(average) = average.filter(|average| average.count >= least) else {
                    break;
                };
                sum += average.mean();
                counted += 1.0;
                least = self.least;
            }
            match counted {
                0.0 => self.unseen,
                _ => sum / counted,
            }
        }));
    }

    /// Forgets rare sequences if there are too many, or all of them if most are common.
    fn make_room(&mut self) {
        if self.sequences > MOST_SEQUENCES {
            let least = self.least;
            self.retain(|average| average.count >= least);
            if self.sequences > MOST_SEQUENCES / 2 {
                self.averages.clear();
                self.sequences = 0;
            }
        }
    }

    /// Keeps those averages for which `keeps`, which may change them, returns true.
    fn retain(&mut self, mut keeps: impl FnMut(&mut ReturnAverage) -> bool) {
        let mut sequences = 0;
        self.averages.retain(|_, averages| {
            averages.0.retain_mut(|(_, average)| keeps(average));
            sequences += averages.0.len();
            !averages.0.is_empty()
        });
        self.sequences = sequences;
    }

    /// Calls `visit` with the context key, the last move and the role that made it of every
    /// sequence in a simulation.
    fn visit(&mut self, episode: &Episode<'_>, mut visit: impl FnMut(&mut Self, u64, u32, Role)) {
        for (step, joint) in episode.steps().enumerate() {
            self.look_back(MoveHistory::before(episode, step));
            for (role, &mv) in joint.iter().enumerate() {
                let lengths = if mv == NO_CHOICE {
                    0
                } else {
                    self.contexts.len()
                };
                for length in 0..lengths {
                    let key = key(self.contexts[length], role);
                    visit(self, key, mv, role);
                }
            }
        }
    }
}

/// The key of what precedes a role's move.
fn key(context: u64, role: Role) -> u64 {
    mix(context, role as u32)
}

impl Playout for NGram {
    fn sampling_mode(&mut self) -> SamplingMode<'_> {
        SamplingMode::PerLane
    }

    fn choose(&mut self, situation: &Situation<'_>, random: &mut Xoshiro256PlusPlus) -> usize {
        self.choose_after(situation, &MoveHistory::UNKNOWN, random)
    }

    fn choose_after(
        &mut self,
        situation: &Situation<'_>,
        history: &MoveHistory<'_>,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize {
        self.rate(situation, history);
        self.sampling.choose(&self.values, random)
    }

    fn preferences(
        &mut self,
        situation: &Situation<'_>,
        history: &MoveHistory<'_>,
        _random: &mut Xoshiro256PlusPlus,
        logarithms: &mut Vec<f32>,
    ) -> bool {
        self.rate(situation, history);
        self.sampling.preferences(&self.values, logarithms)
    }

    fn observes(&self) -> Observed {
        Observed::Moves
    }

    fn learn(&mut self, _role: Role, episode: &Episode<'_>) {
        self.make_room();
        let simulations = episode.simulations as f32;
        self.visit(episode, |ngram, key, mv, role| {
            let averages = ngram.averages.entry(key).or_default();
            let is_new = averages.add(mv, episode.goals[role] as f32, simulations);
            ngram.sequences += usize::from(is_new);
        });
    }

    fn fade(&mut self, factor: f32) {
        self.retain(|average| {
            average.fade(factor);
            average.count > 0.0
        });
    }

    fn fade_made(&mut self, factor: f32, episode: &Episode<'_>) {
        let mut keys = Vec::new();
        self.visit(episode, |_, key, mv, _| keys.push((key, mv)));
        keys.sort_unstable();
        keys.dedup();
        for (key, mv) in keys {
            if let Some(averages) = self.averages.get_mut(&key) {
                averages.fade(mv, factor);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gdl_runtime::engine::Move;

    /// A role makes moves and gets a goal value.
    fn learn(ngram: &mut NGram, simulations: u32, moves: &[u32], goal: i32) {
        ngram.learn(
            0,
            &Episode {
                simulations,
                goals: &[goal],
                moves,
                inside: 0,
                states: &[],
            },
        );
    }

    fn ngram() -> NGram {
        NGram::new(3, 7.0, 77.0, MoveSampling::Greedy(0.0))
    }

    fn value(ngram: &mut NGram, before: &[u32], mv: u32) -> f32 {
        value_after(ngram, 0, MoveHistory::new(1, before, &[]), mv)
    }

    fn value_after(ngram: &mut NGram, role: Role, history: MoveHistory<'_>, mv: u32) -> f32 {
        let situation = Situation {
            role,
            moves: &[Move(mv)],
            state: &[],
        };
        ngram.rate(&situation, &history);
        ngram.values[0]
    }

    #[test]
    fn sequences_count_from_k_samples_on() {
        let mut ngram = ngram();
        assert_eq!(value(&mut ngram, &[], 1), 77.0);
        learn(&mut ngram, 6, &[1, 2, 3], 90);
        learn(&mut ngram, 6, &[4, 5, 3], 0);
        // A single move counts at once.
        assert_eq!(value(&mut ngram, &[1, 2], 3), 45.0);
        learn(&mut ngram, 1, &[1, 2, 3], 90);
        learn(&mut ngram, 1, &[4, 5, 3], 0);
        // Q(3) = 45, Q(2 3) = Q(1 2 3) = 90.
        assert_eq!(value(&mut ngram, &[1, 2], 3), 75.0);
        assert_eq!(value(&mut ngram, &[9, 2], 3), 67.5);
        assert_eq!(value(&mut ngram, &[4, 5], 3), 15.0);
        assert_eq!(value(&mut ngram, &[2, 1], 3), 45.0);
    }

    #[test]
    fn roles_are_kept_apart() {
        let mut ngram = ngram();
        let episode = Episode {
            simulations: 7,
            goals: &[100, 20],
            moves: &[1, NO_CHOICE, NO_CHOICE, 1],
            inside: 1,
            states: &[],
        };
        ngram.learn(0, &episode);
        let mut value = |role| {
            let history = MoveHistory::new(2, &[1, NO_CHOICE], &[]);
            value_after(&mut ngram, role, history, 1)
        };
        assert_eq!([value(0), value(1)], [100.0, 20.0]);
        // Two single moves, and one sequence of two.
        assert_eq!(ngram.sequences, 3);
    }

    #[test]
    fn rare_sequences_make_room() {
        let mut ngram = ngram();
        learn(&mut ngram, 7, &[1], 50);
        for context in 1..=MOST_SEQUENCES as u64 {
            let rare = MoveAverages(vec![(1, ReturnAverage::default())]);
            ngram.averages.insert(context, rare);
            ngram.sequences += 1;
        }
        learn(&mut ngram, 1, &[2], 50);
        assert_eq!(ngram.sequences, 2);
    }
}

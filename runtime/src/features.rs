//! Features of positions beyond fluents, computed for all lanes at once.
//!
//! A [`Pattern`] is a set of fluents that bring about an outcome together, such as the cells
//! of a line. A position is described by which single fluents would complete a pattern; which
//! patterns of four fluents or more lack two that can still become true; for each outcome,
//! whether one fluent, or more than one, that would complete a pattern can become true with the
//! next move; and how many moves there are to choose from. In some games it is also described by
//! [which role comes first](crate::reachability) where several can bring about the same thing.

use crate::lanes::{Word, kernel};
use crate::layout::Choice;
use crate::reachability::ReachabilityProgram;
use std::collections::HashMap;
use std::sync::Arc;

/// A fluent of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PatternFluent {
    /// Its index.
    pub fluent: u32,
    /// The fluent that holds as long as this one can still become true, such as that a
    /// cell is empty, if there is one.
    pub open: Option<u32>,
    /// Fluents that keep it from becoming true while any of them holds, such as that a cell is
    /// taken by another piece.
    pub blockers: Box<[u32]>,
    /// What else it takes, if anything, for it to become true with the next move, such as that the
    /// cell below is taken.
    pub ready: Option<Condition>,
}

/// The condition that one of some fluents holds, or that none of them does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Condition {
    /// The fluents.
    pub fluents: Box<[u32]>,
    /// Whether one of them has to hold.
    pub holds: bool,
}

impl Condition {
    /// Whether it is fulfilled in a state, by its fluents.
    pub fn is_fulfilled(&self, holds: impl Fn(u32) -> bool) -> bool {
        self.fluents.iter().any(|&fluent| holds(fluent)) == self.holds
    }

    /// The lanes of a set in which it is fulfilled.
    #[inline(always)]
    fn lanes<W: Word>(&self, set: W, fluents: &[W]) -> W {
        let mut unfulfilled = set;
        for &fluent in &self.fluents {
            unfulfilled = unfulfilled.and_not(fluents[fluent as usize]);
        }
        match self.holds {
            true => set.and_not(unfulfilled),
            false => unfulfilled,
        }
    }
}

/// Fluents that bring about an outcome together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// The fluents.
    pub fluents: Box<[PatternFluent]>,
    /// The number of the outcome: the same for patterns that lead to the same goals.
    pub outcome: u32,
}

impl Pattern {
    /// Whether two missing fluents make a feature: in a pattern of at most three, only one fluent
    /// holds then, which is nothing new.
    fn tells_of_two(&self) -> bool {
        self.fluents.len() >= 4
    }
}

/// The features of one game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeatureSet {
    patterns: Vec<Pattern>,
    /// The fluents that the patterns consist of, each once.
    literals: Vec<PatternFluent>,
    /// For each pattern, what it consists of.
    members: Vec<Box<[Member]>>,
    /// The number of patterns that also have a feature for two missing fluents.
    half_open: usize,
    /// The fluents that may be all that is missing for an outcome.
    completions: Vec<Completion>,
    /// The number of outcomes.
    outcomes: usize,
    /// Computes which role is the first to reach what, if that is a feature.
    reachability: Option<Arc<ReachabilityProgram>>,
}

/// A fluent in a pattern, by numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Member {
    fluent: u32,
    /// Its index in the literals.
    literal: u32,
    /// The index of its completion.
    completion: u32,
}

/// A fluent that completes patterns of an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Completion {
    /// The index of the outcome.
    outcome: u32,
    ready: Option<Condition>,
}

impl FeatureSet {
    /// The features of these patterns.
    #[must_use]
    pub fn new(patterns: Vec<Pattern>) -> Self {
        let outcomes = sorted(patterns.iter().map(|pattern| pattern.outcome));
        let place = |outcome: &u32| outcomes.binary_search(outcome).unwrap_or(0) as u32;
        let pairs = patterns.iter().flat_map(|pattern| {
            let outcome = place(&pattern.outcome);
            let fluents = pattern.fluents.iter();
            fluents.map(move |literal| (outcome, literal.fluent))
        });
        let pairs = sorted(pairs);
        let mut completions: Vec<Completion> = pairs
            .iter()
            .map(|&(outcome, _)| Completion {
                outcome,
                ready: None,
            })
            .collect();
        let mut literals: Vec<PatternFluent> = Vec::new();
        let mut numbers: HashMap<PatternFluent, u32> = HashMap::new();
        let mut member = |outcome: u32, literal: &PatternFluent| {
            let pair = (outcome, literal.fluent);
            let completion = pairs.binary_search(&pair).unwrap_or(0);
            completions[completion].ready.clone_from(&literal.ready);
            Member {
                fluent: literal.fluent,
                literal: *numbers.entry(literal.clone()).or_insert_with(|| {
                    literals.push(literal.clone());
                    literals.len() as u32 - 1
                }),
                completion: completion as u32,
            }
        };
        let members = patterns.iter().map(|pattern| {
            let outcome = place(&pattern.outcome);
            let fluents = pattern.fluents.iter();
            fluents.map(|literal| member(outcome, literal)).collect()
        });
        let half_open = patterns.iter().filter(|pattern| pattern.tells_of_two());
        Self {
            members: members.collect(),
            half_open: half_open.count(),
            literals,
            completions,
            outcomes: outcomes.len(),
            patterns,
            reachability: None,
        }
    }

    /// The same, and the bits of this program.
    #[must_use]
    pub fn with_reachability(self, program: Arc<ReachabilityProgram>) -> Self {
        Self {
            reachability: Some(program),
            ..self
        }
    }

    /// The same without bits of a program.
    #[must_use]
    pub fn without_reachability(self) -> Self {
        Self {
            reachability: None,
            ..self
        }
    }

    /// The program that computes which role is the first to reach what, if that is a feature.
    #[must_use]
    pub fn reachability(&self) -> Option<&ReachabilityProgram> {
        self.reachability.as_deref()
    }

    /// The patterns.
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The number of features from patterns.
    #[must_use]
    pub fn len(&self) -> usize {
        self.completions.len() + self.half_open + 2 * self.outcomes
    }

    /// Whether there are no patterns.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// The features in a single state, by its fluents: those of completions, by outcome and
    /// fluent, those of patterns, and for each outcome whether one completion or more than
    /// one can become true with the next move.
    pub fn of_state(&self, holds: impl Fn(u32) -> bool) -> impl Iterator<Item = bool> {
        let mut completed = vec![false; self.completions.len()];
        let mut half_open = Vec::with_capacity(self.half_open);
        for (number, pattern) in self.patterns.iter().enumerate() {
            let missing = |literal: &&PatternFluent| !holds(literal.fluent);
            let opens = |literal: &PatternFluent| {
                literal.open.is_none_or(&holds) && !literal.blockers.iter().any(|&b| holds(b))
            };
            let fluents = pattern.fluents.iter();
            let count = fluents.clone().filter(missing).count();
            let are_open = fluents.filter(missing).all(opens);
            if pattern.tells_of_two() {
                half_open.push(count == 2 && are_open);
            }
            if count == 1 && are_open {
                let members = self.members[number].iter();
                let completion = members.filter(|member| !holds(member.fluent));
                completion.for_each(|member| completed[member.completion as usize] = true);
            }
        }
        let mut threats = vec![false; 2 * self.outcomes];
        for (completion, &completed) in self.completions.iter().zip(&completed) {
            let is_ready = |ready: &Condition| ready.is_fulfilled(&holds);
            if completed && completion.ready.as_ref().is_none_or(is_ready) {
                let one = 2 * completion.outcome as usize;
                threats[one + 1] |= threats[one];
                threats[one] = true;
            }
        }
        completed.into_iter().chain(half_open).chain(threats)
    }
}

/// The different items, in order.
fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items.dedup();
    items
}

kernel! {
    /// Appends the rows of all features, and those of the counts of choices, to `rows`,
    /// which hold the fluents.
    pub(crate) fn append_features<'a, W>(
        set: &'a FeatureSet,
        choices: &'a [Choice],
        work: &'a [W],
        rows: &'a mut Vec<W>,
    ) {
        let Some(&some) = rows.first() else { return };
        let zero = some.xor(some);
        let ones = W::lut3::<0xff>(zero, zero, zero);
        let mut open_rows = vec![zero; set.literals.len()];
        for (literal, open) in set.literals.iter().zip(&mut open_rows) {
            *open = opens(rows, literal, ones);
        }
        let fluents = rows.len();
        rows.resize(fluents + set.len(), zero);
        let (fluents, features) = rows.split_at_mut(fluents);
        let (completions, features) = features.split_at_mut(set.completions.len());
        let (half_open, threats) = features.split_at_mut(set.half_open);
        let mut half_open = half_open.iter_mut();
        for (members, pattern) in set.members.iter().zip(&set.patterns) {
            // The lanes in which none, one or two of the fluents so far are missing, and
            // these can become true.
            let (mut all, mut one, mut two) = (ones, zero, zero);
            for member in members {
                let holds = fluents[member.fluent as usize];
                let open = open_rows[member.literal as usize];
                two = holds.select(two, one.and(open));
                one = holds.select(one, all.and(open));
                all = all.and(holds);
            }
            if pattern.tells_of_two()
                && let Some(row) = half_open.next()
            {
                *row = two;
            }
            for member in members {
                let holds = fluents[member.fluent as usize];
                let row = &mut completions[member.completion as usize];
                // row | one & !holds: this fluent is the one that is missing.
                *row = W::lut3::<0b1111_0010>(*row, holds, one);
            }
        }
        for (completion, &row) in set.completions.iter().zip(&*completions) {
            let ready = match &completion.ready {
                Some(ready) => ready.lanes(row, fluents),
                None => row,
            };
            let one = 2 * completion.outcome as usize;
            threats[one + 1] = threats[one + 1].or(threats[one].and(ready));
            threats[one] = threats[one].or(ready);
        }
        for choice in choices {
            let count = choice.count as usize;
            rows.extend_from_slice(&work[count..count + choice.count_bits as usize]);
        }
    }
}

/// The lanes in which a fluent of a pattern can become true if it is not.
#[inline(always)]
fn opens<W: Word>(rows: &[W], literal: &PatternFluent, ones: W) -> W {
    let mut open = match literal.open {
        Some(open) => rows[open as usize],
        None => ones,
    };
    for &blocker in &literal.blockers {
        open = open.and_not(rows[blocker as usize]);
    }
    open
}

//! Features of positions beyond fluents, computed for all lanes at once.
//!
//! A [`Pattern`] is a set of fluents that mean something together, such as the cells of
//! a line. A position is described by which single fluents would complete a pattern,
//! which patterns lack two fluents that can still come to hold, and how many moves there
//! are to choose from.

use crate::lanes::{Word, kernel};
use crate::layout::Choice;
use std::collections::HashMap;

/// A fluent of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PatternFluent {
    /// Its index.
    pub fluent: u32,
    /// The fluent that holds as long as this one can still come to hold, such as that a
    /// cell is empty, if there is one.
    pub open: Option<u32>,
    /// Fluents while one of which holds it cannot come to hold, such as that a cell is
    /// taken by another piece.
    pub blockers: Box<[u32]>,
}

/// Fluents that mean something together.
pub type Pattern = Box<[PatternFluent]>;

/// The features of one game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeatureSet {
    patterns: Vec<Pattern>,
    /// What the patterns consist of, each once.
    literals: Vec<PatternFluent>,
    /// For each pattern, what it consists of.
    members: Vec<Box<[Member]>>,
    completed: usize,
}

/// A fluent in a pattern, by numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Member {
    fluent: u32,
    /// Its index in the literals.
    literal: u32,
    /// The index of its completion feature.
    completion: u32,
}

impl FeatureSet {
    /// The features that these patterns give rise to.
    #[must_use]
    pub fn new(patterns: Vec<Pattern>) -> Self {
        let fluents = patterns.iter().flatten().map(|literal| literal.fluent);
        let mut fluents: Vec<u32> = fluents.collect();
        fluents.sort_unstable();
        fluents.dedup();
        let mut literals: Vec<PatternFluent> = Vec::new();
        let mut numbers: HashMap<PatternFluent, u32> = HashMap::new();
        let mut member = |literal: &PatternFluent| Member {
            fluent: literal.fluent,
            literal: *numbers.entry(literal.clone()).or_insert_with(|| {
                literals.push(literal.clone());
                literals.len() as u32 - 1
            }),
            completion: fluents.binary_search(&literal.fluent).unwrap_or(0) as u32,
        };
        let members = patterns.iter();
        Self {
            members: members
                .map(|pattern| pattern.iter().map(&mut member).collect())
                .collect(),
            literals,
            completed: fluents.len(),
            patterns,
        }
    }

    /// The patterns.
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The number of features from patterns.
    #[must_use]
    pub fn len(&self) -> usize {
        self.completed + self.patterns.len()
    }

    /// Whether there are no patterns.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// The features in a single state, by its fluents: those of completions, by fluent,
    /// then those of patterns.
    pub fn of_state(&self, holds: impl Fn(u32) -> bool) -> impl Iterator<Item = bool> {
        let mut features = vec![false; self.len()];
        for (number, pattern) in self.patterns.iter().enumerate() {
            let missing = |literal: &&PatternFluent| !holds(literal.fluent);
            let opens = |literal: &PatternFluent| {
                literal.open.is_none_or(&holds) && !literal.blockers.iter().any(|&b| holds(b))
            };
            let count = pattern.iter().filter(missing).count();
            let are_open = pattern.iter().filter(missing).all(opens);
            features[self.completed + number] = count == 2 && are_open;
            if count == 1 && are_open {
                let members = self.members[number].iter();
                let completion = members.filter(|member| !holds(member.fluent));
                completion.for_each(|member| features[member.completion as usize] = true);
            }
        }
        features.into_iter()
    }
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
        let (completions, patterns) = features.split_at_mut(set.completed);
        for (members, pattern) in set.members.iter().zip(patterns) {
            // The lanes in which none, one or two of the fluents so far are missing, and
            // these can come to hold.
            let (mut all, mut one, mut two) = (ones, zero, zero);
            for member in members {
                let holds = fluents[member.fluent as usize];
                let open = open_rows[member.literal as usize];
                two = holds.select(two, one.and(open));
                one = holds.select(one, all.and(open));
                all = all.and(holds);
            }
            *pattern = two;
            for member in members {
                let holds = fluents[member.fluent as usize];
                let row = &mut completions[member.completion as usize];
                // row | one & !holds: this fluent is the one that is missing.
                *row = W::lut3::<0b1111_0010>(*row, holds, one);
            }
        }
        for choice in choices {
            let count = choice.count as usize;
            rows.extend_from_slice(&work[count..count + choice.count_bits as usize]);
        }
    }
}

/// The lanes in which a fluent of a pattern can come to hold if it does not.
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

//! The relations of a game's fluents, with what was seen of each.

use crate::evidence::GameEvidence;
use crate::flat_term::{FlatTerm, pick};
use std::collections::{BTreeMap, BTreeSet};

/// All fluents of one skeleton.
#[derive(Debug)]
pub(super) struct SeenRelation<'e> {
    pub(super) skeleton: &'e str,
    pub(super) arity: usize,
    /// For each slot, the words seen there.
    pub(super) domains: Vec<BTreeSet<&'e str>>,
    /// For each state, the words of the facts that hold.
    pub(super) states: Vec<Vec<&'e [String]>>,
    /// The largest number of facts in any state.
    pub(super) most: usize,
}

impl<'e> SeenRelation<'e> {
    /// Whether arguments of its facts have arguments of their own.
    pub(super) fn is_nested(&self) -> bool {
        self.skeleton.matches('(').count() > 1
    }

    /// All relations, in the order of their skeletons.
    pub(super) fn collect(evidence: &'e GameEvidence) -> Vec<Self> {
        let mut found: BTreeMap<&str, Self> = BTreeMap::new();
        let empty = evidence.states.len();
        for fluent in &evidence.fluents {
            Self::entry(&mut found, fluent, empty).learn(&fluent.words);
        }
        for (index, state) in evidence.states.iter().enumerate() {
            for fact in &state.facts {
                let relation = Self::entry(&mut found, fact, empty);
                relation.learn(&fact.words);
                relation.states[index].push(&fact.words);
            }
        }
        let mut relations: Vec<Self> = found.into_values().collect();
        for relation in &mut relations {
            relation.most = relation.states.iter().map(Vec::len).max().unwrap_or(0);
        }
        relations
    }

    fn entry<'m>(
        found: &'m mut BTreeMap<&'e str, Self>,
        term: &'e FlatTerm,
        states: usize,
    ) -> &'m mut Self {
        found.entry(&term.skeleton).or_insert_with(|| Self {
            skeleton: &term.skeleton,
            arity: term.words.len(),
            domains: vec![BTreeSet::new(); term.words.len()],
            states: vec![Vec::new(); states],
            most: 0,
        })
    }

    fn learn(&mut self, words: &'e [String]) {
        for (domain, word) in self.domains.iter_mut().zip(words) {
            domain.insert(word);
        }
    }

    /// Whether no two facts agree in all of these slots: in the first state, and in nearly
    /// all others, since unusual states of a few games should not matter.
    pub(super) fn is_key(&self, slots: &[usize]) -> bool {
        let clash = |facts: &&Vec<&[String]>| {
            let keys: BTreeSet<Vec<&str>> = facts.iter().map(|words| pick(words, slots)).collect();
            keys.len() < facts.len()
        };
        let clashes = self.states.iter().filter(clash).count();
        !self.states.first().is_some_and(|facts| clash(&facts)) && 20 * clashes <= self.states.len()
    }

    /// Whether no two facts of the first state agree in all of these slots, there being
    /// some.
    pub(super) fn is_key_at_first(&self, slots: &[usize]) -> bool {
        let first = self.states.first().filter(|facts| !facts.is_empty());
        first.is_some_and(|facts| {
            let keys: BTreeSet<Vec<&str>> = facts.iter().map(|words| pick(words, slots)).collect();
            keys.len() == facts.len()
        })
    }

    /// Whether there is exactly one fact in nearly every state.
    pub(super) fn is_single(&self) -> bool {
        let single = self.states.iter().filter(|facts| facts.len() == 1).count();
        self.most == 1 && 10 * single >= 9 * self.states.len()
    }

    /// The slots that are not among these.
    pub(super) fn others(&self, slots: &[usize]) -> Vec<usize> {
        (0..self.arity)
            .filter(|slot| !slots.contains(slot))
            .collect()
    }
}

//! Which slots of which relations may name the cells of a board.

use super::axis::{Successors, order};
use super::relation::Relation;
use crate::evidence::GameEvidence;
use std::collections::BTreeSet;

/// The smallest number of facts of a state by which a board is noticed.
const FEWEST: usize = 4;

/// The smallest number of values of a slot that names cells by itself.
const FEWEST_NAMES: usize = 4;

/// What a coordinate does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CoordinateRole {
    /// Chooses one of several boards.
    Board,
    /// Chooses a column of boards in a board of boards.
    OuterColumn,
    /// Chooses a row of boards in a board of boards.
    OuterRow,
    /// The column.
    Column,
    /// The row.
    Row,
    /// The whole name of a cell.
    Name,
}

/// A relation, read as facts about cells.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// The relation, by position.
    pub(super) relation: usize,
    /// The slots that name the cell, ascending.
    pub(super) key: Vec<usize>,
    /// What each of them does.
    pub(super) roles: Vec<CoordinateRole>,
    /// Whether no cell has two of the facts.
    pub(super) is_exclusive: bool,
}

/// Finds the relations that form boards by themselves.
pub(super) fn find(
    relations: &[Relation<'_>],
    evidence: &GameEvidence,
    successors: &Successors<'_>,
) -> Vec<Candidate> {
    let roles: BTreeSet<&str> = evidence.roles.iter().map(String::as_str).collect();
    let named = named_words(evidence);
    let search = Search {
        successors,
        roles: &roles,
        named: &named,
    };
    let indexed = relations.iter().enumerate();
    indexed.filter_map(|(index, relation)| search.candidate(index, relation)).collect()
}

/// All words of all moves that were seen or are known.
fn named_words(evidence: &GameEvidence) -> BTreeSet<&str> {
    let legal = evidence.states.iter().flat_map(|state| state.legal.iter().flatten());
    let moves = evidence.moves.iter().chain(legal);
    moves.flat_map(|mv| mv.words.iter().map(String::as_str)).collect()
}

struct Search<'a> {
    successors: &'a Successors<'a>,
    roles: &'a BTreeSet<&'a str>,
    /// The words of moves.
    named: &'a BTreeSet<&'a str>,
}

impl Search<'_> {
    fn candidate(&self, index: usize, relation: &Relation<'_>) -> Option<Candidate> {
        let ordered: Vec<usize> = (0..relation.arity)
            .filter(|&slot| self.is_ordered(relation, slot))
            .collect();
        let make = |(key, roles): (Vec<usize>, Vec<CoordinateRole>), is_exclusive| Candidate {
            relation: index,
            key,
            roles,
            is_exclusive,
        };
        if let Some(found) = self.exclusive_key(relation, &ordered) {
            return Some(make(found, true));
        }
        if let Some(found) = places_of_things(relation, &ordered) {
            return Some(make(found, false));
        }
        let found = self.name_key(relation)?;
        Some(make(found, true))
    }

    fn is_ordered(&self, relation: &Relation<'_>, slot: usize) -> bool {
        order(&relation.domains[slot], self.successors).is_some()
    }

    /// The fewest slots, two of them ordered, that identify a fact.
    fn exclusive_key(
        &self,
        relation: &Relation<'_>,
        ordered: &[usize],
    ) -> Option<(Vec<usize>, Vec<CoordinateRole>)> {
        use CoordinateRole::{Board, Column, OuterColumn, OuterRow, Row};
        if relation.most < FEWEST {
            return None;
        }
        // A value for each thing: no board, though a pair identifies facts as well.
        if relation.arity == 2 && [0, 1].iter().any(|&slot| relation.is_key(&[slot])) {
            return None;
        }
        let pairs = pairs(ordered);
        if let Some([column, row]) = pairs.iter().find(|pair| relation.is_key(&pair[..])) {
            let sizes = [*column, *row].map(|slot| relation.domains[slot].len());
            if relation.arity == 2 && sizes[0] > 6 && sizes[1] <= 3 {
                return Some((vec![*column, *row], vec![CoordinateRole::Name, Board]));
            }
            return Some((vec![*column, *row], vec![Column, Row]));
        }
        for [column, row] in &pairs {
            for other in relation.others(&[*column, *row]) {
                let mut key = vec![*column, *row, other];
                key.sort_unstable();
                // At least one slot is left for the piece, or there are levels.
                if relation.domains[other].len() <= 40 && relation.is_key(&key) {
                    return Some(self.with_board_slot(relation, key, ordered));
                }
            }
        }
        if let [first, second, third, fourth, ..] = ordered[..] {
            let key = vec![first, second, third, fourth];
            let sizes: Vec<usize> = key.iter().map(|&slot| relation.domains[slot].len()).collect();
            let small = sizes.iter().all(|&size| size <= 6);
            let spans_a_board = relation.arity > 4 && small && relation.is_key(&key);
            return spans_a_board.then(|| (key, vec![OuterColumn, OuterRow, Column, Row]));
        }
        self.names_on_boards(relation, ordered)
    }

    /// A slot of ordered names of cells, and one that chooses a board.
    fn names_on_boards(
        &self,
        relation: &Relation<'_>,
        ordered: &[usize],
    ) -> Option<(Vec<usize>, Vec<CoordinateRole>)> {
        use CoordinateRole::{Board, Name};
        let [only] = ordered else {
            return None;
        };
        let other = relation.others(&[*only]).into_iter().find(|&other| {
            relation.domains[other].len() <= 8 && relation.is_key(&[*only, other])
        })?;
        let is_named = |slot: usize| {
            let mut words = relation.domains[slot].iter();
            words.all(|word| self.named.contains(word))
        };
        let fits = is_named(*only) && is_named(other) && !relation.is_key(&[*only]);
        let found = match other < *only {
            true => (vec![other, *only], vec![Board, Name]),
            false => (vec![*only, other], vec![Name, Board]),
        };
        fits.then_some(found)
    }

    /// Of three slots, the one that chooses the board: one without an order, or with the
    /// fewest values, or the last.
    fn with_board_slot(
        &self,
        relation: &Relation<'_>,
        key: Vec<usize>,
        ordered: &[usize],
    ) -> (Vec<usize>, Vec<CoordinateRole>) {
        let rank = |&at: &usize| {
            let slot = key[at];
            (ordered.contains(&slot), relation.domains[slot].len(), key.len() - at)
        };
        let board = (0..key.len()).min_by_key(rank).unwrap_or(0);
        let mut plain = [CoordinateRole::Column, CoordinateRole::Row].into_iter();
        let roles = (0..key.len()).map(|at| match at == board {
            true => CoordinateRole::Board,
            false => plain.next().unwrap_or(CoordinateRole::Row),
        });
        let roles = roles.collect();
        (key, roles)
    }

    /// The slot whose values are cells with names of their own: each has one fact at most,
    /// and moves name them.
    fn name_key(&self, relation: &Relation<'_>) -> Option<(Vec<usize>, Vec<CoordinateRole>)> {
        if !(1..=3).contains(&relation.arity) {
            return None;
        }
        let is_name = |slot: usize| {
            let domain = &relation.domains[slot];
            let named = domain.iter().filter(|word| self.named.contains(*word)).count();
            let others = relation.others(&[slot]);
            let stacks = others.iter().any(|&other| !relation.domains[other].is_disjoint(domain) && !self.is_ordered(relation, other));
            (FEWEST_NAMES..=100).contains(&domain.len())
                && 2 * named > domain.len()
                && relation.most >= 2
                && !stacks
                && domain.is_disjoint(self.roles)
                && relation.is_key(&[slot])
        };
        // Of several, the one with the most values.
        let slots = (0..relation.arity).filter(|&slot| is_name(slot));
        if let Some(slot) = slots.max_by_key(|&slot| relation.domains[slot].len()) {
            return Some((vec![slot], vec![CoordinateRole::Name]));
        }
        // Names of two words, such as a ring and a direction.
        let pair = [0, 1];
        let is_word = |&slot: &usize| {
            let domain = &relation.domains[slot];
            domain.len() >= 3 && domain.iter().all(|word| self.named.contains(word))
        };
        let fits = relation.arity == 3 && relation.most >= FEWEST && pair.iter().all(is_word);
        let fits = fits && relation.is_key(&pair) && domain_is_free(relation, self.roles);
        fits.then(|| (pair.to_vec(), vec![CoordinateRole::Name; 2]))
    }
}

/// All pairs of slots, neighbours before others.
fn pairs(slots: &[usize]) -> Vec<[usize; 2]> {
    let all = slots.iter().flat_map(|&first| {
        let later = slots.iter().filter(move |&&second| second > first);
        later.map(move |&second| [first, second])
    });
    let mut all: Vec<[usize; 2]> = all.collect();
    all.sort_by_key(|[first, second]| second - first);
    all
}

/// Where things are: a relation that states two coordinates for each of a few things.
fn places_of_things(
    relation: &Relation<'_>,
    ordered: &[usize],
) -> Option<(Vec<usize>, Vec<CoordinateRole>)> {
    let pairs = pairs(ordered);
    let [column, row] = pairs.into_iter().find(|&[column, row]| {
        let others = relation.others(&[column, row]);
        let sizes = [column, row].map(|slot| relation.domains[slot].len());
        row == column + 1 && !others.is_empty() && sizes.iter().all(|&size| size >= 3) && relation.is_key(&others)
    })?;
    Some((vec![column, row], vec![CoordinateRole::Column, CoordinateRole::Row]))
}

/// Whether the first two slots are not about roles.
fn domain_is_free(relation: &Relation<'_>, roles: &BTreeSet<&str>) -> bool {
    relation.domains[..2].iter().all(|domain| domain.is_disjoint(roles))
}

//! Which slots of which relations may name the cells of a board.

use super::axis::{LONGEST, ValueSuccessors, order};
use super::relation::SeenRelation;
use crate::evidence::GameEvidence;
use crate::flat_term::FlatTerm;
use std::collections::BTreeSet;

/// The smallest number of facts in a state for a board to be recognised.
const FEWEST: usize = 4;

/// The smallest number of values of a slot that names cells on its own.
const FEWEST_NAMES: usize = 4;

/// The largest number of cells with names of their own.
const MOST_NAMES: usize = 100;

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

impl CoordinateRole {
    /// With columns and rows swapped.
    pub(super) const fn transposed(self) -> Self {
        match self {
            Self::Column => Self::Row,
            Self::Row => Self::Column,
            role => role,
        }
    }
}

/// A relation, read as facts about cells.
#[derive(Debug, Clone)]
pub(super) struct BoardCandidate {
    /// The relation, by position.
    pub(super) relation: usize,
    /// The slots that name the cell, ascending.
    pub(super) key: Vec<usize>,
    /// What each of them does.
    pub(super) roles: Vec<CoordinateRole>,
    /// Whether no cell has two of the facts.
    pub(super) is_exclusive: bool,
}

/// Finds the relations that form boards on their own.
pub(super) fn find(
    relations: &[SeenRelation<'_>],
    evidence: &GameEvidence,
    successors: &ValueSuccessors<'_>,
) -> Vec<BoardCandidate> {
    let roles: BTreeSet<&str> = evidence.roles.iter().map(String::as_str).collect();
    let named = named_words(evidence);
    let search = CandidateSearch {
        successors,
        roles: &roles,
        named: &named,
        widest_move: moves(evidence).map(|mv| mv.words.len()).max().unwrap_or(0),
    };
    let indexed = relations.iter().enumerate();
    indexed
        .filter_map(|(index, relation)| search.candidate(index, relation))
        .collect()
}

/// All moves that were seen or are known.
fn moves(evidence: &GameEvidence) -> impl Iterator<Item = &FlatTerm> {
    let legal = evidence
        .states
        .iter()
        .flat_map(|state| state.legal.iter().flatten());
    evidence.moves.iter().chain(legal)
}

/// All words of all moves.
fn named_words(evidence: &GameEvidence) -> BTreeSet<&str> {
    moves(evidence)
        .flat_map(|mv| mv.words.iter().map(String::as_str))
        .collect()
}

struct CandidateSearch<'a> {
    successors: &'a ValueSuccessors<'a>,
    roles: &'a BTreeSet<&'a str>,
    /// The words of moves.
    named: &'a BTreeSet<&'a str>,
    /// The largest number of words of a move.
    widest_move: usize,
}

impl CandidateSearch<'_> {
    fn candidate(&self, index: usize, relation: &SeenRelation<'_>) -> Option<BoardCandidate> {
        let ordered: Vec<usize> = (0..relation.arity)
            .filter(|&slot| self.is_ordered(relation, slot))
            .collect();
        let make = |(key, roles): (Vec<usize>, Vec<CoordinateRole>), is_exclusive| BoardCandidate {
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

    /// Whether the facts are about two neighbouring cells: whether the first four slots are
    /// two points one step apart.
    fn is_link(&self, relation: &SeenRelation<'_>, ordered: &[usize]) -> bool {
        if !(4..=5).contains(&relation.arity) || !ordered.starts_with(&[0, 1, 2, 3]) {
            return false;
        }
        // The steps along one axis and along the other.
        let steps = |[first, second]: [usize; 2]| {
            let values = relation.domains[first].union(&relation.domains[second]);
            let values = order(&values.copied().collect(), self.successors)?;
            let at = move |word: &str| values.iter().position(|value| value == word).unwrap_or(0);
            Some(move |words: &[String]| at(&words[first]).abs_diff(at(&words[second])))
        };
        let are_close = |one: [usize; 2], other: [usize; 2]| {
            let (Some(one), Some(other)) = (steps(one), steps(other)) else {
                return false;
            };
            let facts = || relation.states.iter().flatten();
            let close = facts().filter(|words| {
                one(words) <= 1 && other(words) <= 1 && one(words) + other(words) > 0
            });
            10 * close.count() >= 9 * facts().count()
        };
        are_close([0, 2], [1, 3]) || are_close([0, 1], [2, 3])
    }

    fn is_ordered(&self, relation: &SeenRelation<'_>, slot: usize) -> bool {
        order(&relation.domains[slot], self.successors).is_some()
    }

    /// The fewest slots, two of them ordered, that identify a fact.
    fn exclusive_key(
        &self,
        relation: &SeenRelation<'_>,
        ordered: &[usize],
    ) -> Option<(Vec<usize>, Vec<CoordinateRole>)> {
        use CoordinateRole::{Board, Column, OuterColumn, OuterRow, Row};
        if relation.most < FEWEST || self.is_link(relation, ordered) {
            return None;
        }
        // A value for each thing: no board, though a pair identifies facts as well.
        if relation.arity == 2 && [0, 1].iter().any(|&slot| relation.is_key(&[slot])) {
            return None;
        }
        let pairs = pairs(ordered);
        if let Some([column, row]) = pairs.iter().find(|pair| relation.is_key(&pair[..])) {
            let sizes = [*column, *row].map(|slot| relation.domains[slot].len());
            let named = |&slot: &usize| {
                relation.domains[slot]
                    .iter()
                    .all(|word| self.named.contains(word))
            };
            if relation.arity == 2
                && sizes[0] > 6
                && sizes[1] <= 3
                && [column, row].into_iter().all(named)
            {
                return Some((vec![*column, *row], vec![CoordinateRole::Name, Board]));
            }
            return Some((vec![*column, *row], vec![Column, Row]));
        }
        let triples = || {
            pairs.iter().flat_map(|&[column, row]| {
                let others = relation.others(&[column, row]).into_iter();
                others.map(move |other| vec![column, row, other])
            })
        };
        // A slot is left for the piece.
        let fits =
            |key: &Vec<usize>| relation.arity > 3 && relation.domains[key[2]].len() <= LONGEST;
        let strict = triples().find(|key| fits(key) && relation.is_key(key));
        // Some games put several things on a cell later on. Where moves name three
        // coordinates, cells have more than two.
        let has_levels = strict.is_some() && self.widest_move >= 3;
        let at_first =
            |pair: &&[usize; 2]| relation.arity > 2 && relation.is_key_at_first(&pair[..]);
        if let Some([column, row]) = pairs.iter().find(at_first).filter(|_| !has_levels) {
            return Some((vec![*column, *row], vec![Column, Row]));
        }
        let triple =
            strict.or_else(|| triples().find(|key| fits(key) && relation.is_key_at_first(key)));
        if let Some(mut key) = triple {
            key.sort_unstable();
            return Some(self.with_board_slot(relation, key, ordered));
        }
        if let [first, second, third, fourth, ..] = ordered[..] {
            let key = vec![first, second, third, fourth];
            let sizes: Vec<usize> = key
                .iter()
                .map(|&slot| relation.domains[slot].len())
                .collect();
            let small = sizes.iter().all(|&size| size <= 6);
            let spans_a_board = relation.arity > 4 && small && relation.is_key(&key);
            return spans_a_board.then(|| (key, vec![OuterColumn, OuterRow, Column, Row]));
        }
        self.names_on_boards(relation, ordered)
    }

    /// A slot of ordered names of cells, and one that chooses a board.
    fn names_on_boards(
        &self,
        relation: &SeenRelation<'_>,
        ordered: &[usize],
    ) -> Option<(Vec<usize>, Vec<CoordinateRole>)> {
        use CoordinateRole::{Board, Name};
        let [only] = ordered else {
            return None;
        };
        let other = relation.others(&[*only]).into_iter().find(|&other| {
            relation.domains[other].len() < relation.domains[*only].len().min(8)
                && relation.is_key(&[*only, other])
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
        relation: &SeenRelation<'_>,
        key: Vec<usize>,
        ordered: &[usize],
    ) -> (Vec<usize>, Vec<CoordinateRole>) {
        let rank = |&at: &usize| {
            let slot = key[at];
            (
                ordered.contains(&slot),
                relation.domains[slot].len(),
                key.len() - at,
            )
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
    fn name_key(&self, relation: &SeenRelation<'_>) -> Option<(Vec<usize>, Vec<CoordinateRole>)> {
        if !(1..=3).contains(&relation.arity) {
            return None;
        }
        let is_name = |slot: usize| {
            let domain = &relation.domains[slot];
            let named = domain
                .iter()
                .filter(|word| self.named.contains(*word))
                .count();
            let others = relation.others(&[slot]);
            // Things that stand on each other are not cells.
            let is_thing = |word: &&&str| word.parse::<i64>().is_err();
            let stacks = others.iter().any(|&other| {
                relation.domains[other]
                    .intersection(domain)
                    .any(|word| is_thing(&word))
            });
            (FEWEST_NAMES..=MOST_NAMES).contains(&domain.len())
                && 2 * named > domain.len()
                && (relation.most >= FEWEST
                    || relation.most >= 2 && domain.len() >= 2 * FEWEST_NAMES)
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
        let cells = || pair.iter().map(|&slot| relation.domains[slot].len());
        let fits = fits && cells().product::<usize>() <= MOST_NAMES;
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
    relation: &SeenRelation<'_>,
    ordered: &[usize],
) -> Option<(Vec<usize>, Vec<CoordinateRole>)> {
    let pairs = pairs(ordered);
    let [column, row] = pairs.into_iter().find(|&[column, row]| {
        let others = relation.others(&[column, row]);
        let sizes = [column, row].map(|slot| relation.domains[slot].len());
        let is_thing = |&slot: &usize| !ordered.contains(&slot);
        row == column + 1
            && others.len() == 1
            && others.iter().all(is_thing)
            && sizes.iter().all(|&size| size >= 3)
            && relation.is_key(&others)
    })?;
    Some((
        vec![column, row],
        vec![CoordinateRole::Column, CoordinateRole::Row],
    ))
}

/// Whether the first two slots are not about roles.
fn domain_is_free(relation: &SeenRelation<'_>, roles: &BTreeSet<&str>) -> bool {
    relation.domains[..2]
        .iter()
        .all(|domain| domain.is_disjoint(roles))
}

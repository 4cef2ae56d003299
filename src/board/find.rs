//! Finds the fluents that form a board: those with two ordered arguments that identify
//! their facts.

use std::collections::{BTreeMap, BTreeSet};

use gdl_runtime::kif::GroundTerm;

use super::DrawnBoard;

/// Maximum number of ranks or files.
const LARGEST: usize = 40;

/// Minimum number of simultaneous facts of a board.
const FEWEST: usize = 4;

impl DrawnBoard {
    /// Returns the board that a relation forms, if any, given its facts in each state.
    pub(super) fn find(
        relation: &str,
        arity: usize,
        states: &[Vec<&GroundTerm<'_>>],
    ) -> Option<Self> {
        if states.iter().map(Vec::len).max()? < FEWEST {
            return None;
        }
        for first in 0..arity {
            for second in first + 1..arity {
                let values = |argument: usize| {
                    let facts = states.iter().flatten();
                    axis(facts.map(move |fact| &fact.args()[argument]))
                };
                let (Some(one), Some(other)) = (values(first), values(second)) else {
                    continue;
                };
                if !mostly_differ(states, first, second) {
                    continue;
                }
                let mut board = Self {
                    relation: relation.to_owned(),
                    arity,
                    file: first,
                    rank: second,
                    files: one,
                    ranks: other,
                    symbols: BTreeMap::new(),
                    has_blank: false,
                };
                board.turn();
                board.choose_symbols(states);
                return Some(board);
            }
        }
        None
    }

    /// Swaps the coordinates if only the second is a letter, or if they are named by r and
    /// c: otherwise the first one is the file.
    fn turn(&mut self) {
        let letters = |values: &[String]| !values[0].ends_with(|c: char| c.is_ascii_digit());
        let swapped = !letters(&self.files) && letters(&self.ranks)
            || self.files[0].starts_with('r') && self.ranks[0].starts_with('c');
        if swapped {
            std::mem::swap(&mut self.files, &mut self.ranks);
            std::mem::swap(&mut self.file, &mut self.rank);
        }
    }
}

/// Returns the key by which values of an ordered set compare: their common prefix, and a
/// number.
fn ordinal(value: &str) -> Option<(&str, u32)> {
    let digits = value.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let prefix = &value[..value.len() - digits.len()];
    if !digits.is_empty() {
        return Some((prefix, digits.parse().ok()?));
    }
    let mut letters = value.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_alphabetic() => {
            Some(("", u32::from(letter.to_ascii_lowercase())))
        }
        _ => None,
    }
}

/// Sorts the values of an ordered set, and fills gaps if there are few; `None` if they
/// are not ordered.
fn axis<'a>(values: impl Iterator<Item = &'a GroundTerm<'a>>) -> Option<Vec<String>> {
    let values: BTreeSet<&str> = values.map(as_constant).collect::<Option<_>>()?;
    let first = *values.first()?;
    let (prefix, _) = ordinal(first)?;
    let numeric = first.ends_with(|letter: char| letter.is_ascii_digit());
    let mut ordered = BTreeMap::new();
    for &value in &values {
        let (own, number) = ordinal(value)?;
        let same = own == prefix && value.ends_with(|c: char| c.is_ascii_digit()) == numeric;
        if !same || ordered.insert(number, value.to_owned()).is_some() {
            return None;
        }
    }
    let (low, high) = (*ordered.first_key_value()?.0, *ordered.last_key_value()?.0);
    let range = (high - low) as usize + 1;
    if range <= 3 * ordered.len() && first.len() == prefix.len() + 1 {
        for number in low..=high {
            let value = match char::from_u32(number) {
                Some(letter) if !numeric => letter.to_string(),
                _ => format!("{prefix}{number}"),
            };
            ordered.entry(number).or_insert(value);
        }
    }
    (2..=LARGEST)
        .contains(&ordered.len())
        .then(|| ordered.into_values().collect())
}

/// The symbol of a constant; `None` for other terms, which no coordinate is.
pub(super) fn as_constant<'a>(term: &GroundTerm<'a>) -> Option<&'a str> {
    match term {
        GroundTerm::Constant(symbol) => Some(symbol),
        GroundTerm::Compound(..) => None,
    }
}

/// Whether no two facts are about the same square, in the first state and in nearly all
/// others: unusual states of a few games should not prevent a board.
fn mostly_differ(states: &[Vec<&GroundTerm<'_>>], first: usize, second: usize) -> bool {
    let clash = |facts: &&Vec<&GroundTerm<'_>>| !squares_differ(facts, first, second);
    let clashes = states.iter().filter(clash).count();
    !states.first().is_some_and(|facts| clash(&facts)) && 20 * clashes <= states.len()
}

/// Whether no two facts are about the same square.
fn squares_differ(facts: &[&GroundTerm<'_>], first: usize, second: usize) -> bool {
    let squares: BTreeSet<_> = facts
        .iter()
        .map(|fact| (&fact.args()[first], &fact.args()[second]))
        .collect();
    squares.len() == facts.len()
}

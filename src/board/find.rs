//! Which fluents form a board: those with two ordered arguments that tell their
//! facts apart.

use std::collections::{BTreeMap, BTreeSet};

use super::DrawnBoard;
use super::fact::Fact;

/// The most ranks or files that are still drawn.
const LARGEST: usize = 40;

/// Fewer facts than this at once are not drawn as a board.
const FEWEST: usize = 4;

impl DrawnBoard {
    /// The board that a relation forms in these states, if any: its facts in each.
    pub(super) fn find(relation: &str, arity: usize, states: &[Vec<&Fact<'_>>]) -> Option<Self> {
        if states.iter().map(Vec::len).max()? < FEWEST {
            return None;
        }
        for first in 0..arity {
            for second in first + 1..arity {
                let values = |argument: usize| {
                    let facts = states.iter().flatten();
                    axis(facts.map(move |fact| fact.arguments[argument]))
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

    /// The first coordinate is the file, unless only the second is a letter or
    /// they are named by r and c.
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

/// The order among the values of an ordered set: what they have in common, and
/// a number.
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

/// The values of an ordered set, gaps filled where there are few.
fn axis<'a>(values: impl Iterator<Item = &'a str>) -> Option<Vec<String>> {
    let values: BTreeSet<&str> = values.collect();
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

/// Whether no two facts are about the same square, in the first state and in
/// nearly all others: odd states of a few games are no reason to draw none.
fn mostly_differ(states: &[Vec<&Fact<'_>>], first: usize, second: usize) -> bool {
    let clash = |facts: &&Vec<&Fact<'_>>| !squares_differ(facts, first, second);
    let clashes = states.iter().filter(clash).count();
    !states.first().is_some_and(|facts| clash(&facts)) && 20 * clashes <= states.len()
}

/// Whether no two facts are about the same square.
fn squares_differ(facts: &[&Fact<'_>], first: usize, second: usize) -> bool {
    let squares: BTreeSet<_> = facts
        .iter()
        .map(|fact| (fact.arguments[first], fact.arguments[second]))
        .collect();
    squares.len() == facts.len()
}

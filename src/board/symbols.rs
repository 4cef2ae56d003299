//! Chooses the symbol of each content of a board.

use std::collections::{BTreeMap, BTreeSet};

use gdl_runtime::kif::GroundTerm;

use super::DrawnBoard;

impl DrawnBoard {
    /// Chooses a symbol for every content in these states, the first being the initial one.
    pub(super) fn choose_symbols(&mut self, states: &[Vec<&GroundTerm<'_>>]) {
        let facts = states.iter().flatten();
        let contents: BTreeSet<String> = facts.map(|fact| self.content(fact)).collect();
        let squares = self.files.len() * self.ranks.len();
        let at_first = states.first().map_or(&[][..], Vec::as_slice);
        for content in contents {
            let count = || {
                at_first
                    .iter()
                    .filter(|fact| self.content(fact) == content)
                    .count()
            };
            let lower = content.to_lowercase();
            // b may be blank or black: blank if most of the board is.
            let blank = ["blank", "empty", "none"].contains(&lower.as_str())
                || ["b", "e"].contains(&lower.as_str()) && 2 * count() > squares;
            let symbol = if blank {
                self.has_blank = true;
                ".".to_owned()
            } else {
                abbreviate(&content, &self.symbols)
            };
            self.symbols.insert(content, symbol);
        }
    }
}

/// Returns a short text that no other content has: the initials of the words, followed by
/// as many letters of the last word as needed.
fn abbreviate(content: &str, taken: &BTreeMap<String, String>) -> String {
    if content.chars().count() <= 2 {
        return content.to_owned();
    }
    let words = words(content);
    let initials: String = words
        .iter()
        .filter_map(|word| word.chars().next())
        .collect();
    let last: Vec<char> = words
        .last()
        .map_or_else(Vec::new, |word| word.chars().collect());
    (1..=last.len())
        .map(|length| {
            last[1..length]
                .iter()
                .fold(initials.clone(), |mut symbol, &letter| {
                    symbol.push(letter);
                    symbol
                })
        })
        .find(|symbol| !taken.values().any(|other| other == symbol))
        .unwrap_or_else(|| content.to_owned())
}

/// Splits a name into words, as in `white king`, `black_king` or `whiteRook`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let begins = letter.is_uppercase() && before.is_lowercase();
        if begins || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(letter);
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

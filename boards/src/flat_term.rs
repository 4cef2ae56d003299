//! Terms without their nesting: what all facts of one kind share, and where they differ.

use gdl_runtime::kif::{GroundTerm, write_list};
use std::fmt::{self, Write as _};

/// Texts of more bytes are left out: no board has them, and a survey would keep many.
const LONGEST_TEXT: usize = 2000;

/// A ground term taken apart: `(at (square a 1) king)` is the skeleton
/// `(at (square _ _) _)` with the words `a`, `1` and `king`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FlatTerm {
    /// The term in lower case, with `_` for every constant; the name itself for a
    /// constant.
    pub(crate) skeleton: String,
    /// The constants from the left, as they are spelled.
    pub(crate) words: Vec<String>,
}

impl FlatTerm {
    /// Takes a text apart; `None` if it is not one term, or too long.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.len() > LONGEST_TEXT {
            return None;
        }
        let term = GroundTerm::parse(text).ok()?;
        let mut words = Vec::new();
        let mut skeleton = String::new();
        match &term {
            GroundTerm::Constant(name) => skeleton.push_str(&name.to_lowercase()),
            compound => {
                let _ = flatten(compound, &mut skeleton, &mut words);
            }
        }
        Some(Self { skeleton, words })
    }
}

/// The name of the relation of a skeleton.
pub(crate) fn relation_of(skeleton: &str) -> &str {
    let name = skeleton.trim_start_matches('(');
    name.split([' ', ')']).next().unwrap_or(name)
}

/// The words in some slots.
pub(crate) fn pick<'w>(words: &'w [String], slots: &[usize]) -> Vec<&'w str> {
    slots.iter().map(|&slot| words[slot].as_str()).collect()
}

/// Appends the skeleton and the words of a term. Recursion is bounded, since the depth of
/// a [`GroundTerm`] is.
fn flatten(term: &GroundTerm<'_>, skeleton: &mut String, words: &mut Vec<String>) -> fmt::Result {
    match term {
        GroundTerm::Constant(word) => {
            words.push((*word).to_owned());
            skeleton.write_char('_')
        }
        GroundTerm::Compound(symbol, args) => {
            write_list(skeleton, &symbol.to_lowercase(), args, |skeleton, arg| {
                flatten(arg, skeleton, words)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_becomes_a_skeleton() {
        let flat = FlatTerm::parse("(At (square A 1) king)");
        let words = ["A", "1", "king"].map(str::to_owned).to_vec();
        let skeleton = "(at (square _ _) _)".to_owned();
        assert_eq!(flat, Some(FlatTerm { skeleton, words }));
        assert_eq!(relation_of("(at (square _ _) _)"), "at");
        let constant = FlatTerm::parse("NoOp").map(|flat| (flat.skeleton, flat.words.len()));
        assert_eq!(constant, Some(("noop".to_owned(), 0)));
        assert_eq!(FlatTerm::parse("(a"), None);
        assert_eq!(FlatTerm::parse(&"a".repeat(LONGEST_TEXT + 1)), None);
    }
}

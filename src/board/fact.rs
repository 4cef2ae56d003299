//! Facts taken apart.

use gdl_runtime::kif::expressions;

/// A fact taken apart: the relation's name and its arguments as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fact<'a> {
    pub(super) relation: &'a str,
    pub(super) arguments: Vec<&'a str>,
}

impl<'a> Fact<'a> {
    pub(super) fn parse(text: &'a str) -> Self {
        let text = text.trim();
        let inner = text
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        let mut parts = split(inner.unwrap_or(text));
        let relation = if parts.is_empty() {
            ""
        } else {
            parts.remove(0)
        };
        Self {
            relation,
            arguments: parts,
        }
    }
}

/// The top-level terms of a text; none if its parentheses do not match.
pub(super) fn split(text: &str) -> Vec<&str> {
    let found = expressions(text).unwrap_or_default();
    found.into_iter().map(|term| &text[term.range]).collect()
}

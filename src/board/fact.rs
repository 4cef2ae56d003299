//! Facts taken apart.

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

/// The terms of a list, nested ones whole.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, None);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if letter.is_whitespace() && depth == 0 {
            parts.extend(start.take().map(|start| &text[start..at]));
        } else {
            start = start.or(Some(at));
        }
    }
    parts.extend(start.map(|start| &text[start..]));
    parts
}

//! Syntax: the text of a rule sheet to a [`Description`].
//!
//! Input: a [`Source`](crate::source::Source). Output: every statement that could
//! be read, and an error for each that could not, so that one run reports all
//! errors. Nothing in a description nests deeper than [`MAX_DEPTH`], so later
//! stages may recurse over it.

mod description;
mod expressions;
mod grammar;
mod reader;
mod tokens;

pub use description::*;
pub use expressions::MAX_DEPTH;
pub use tokens::{SyntaxToken, TokenKind, tokenize};

use crate::diag::Sink;
use crate::source::Span;

/// The maximum length of a text in bytes. The largest public rule sheet has 69 kB,
/// and reading takes about a hundred bytes of memory per byte.
const MAX_BYTES: usize = 8 << 20;

/// Reads the sink's source; statements that cannot be read become errors.
pub fn parse(sink: &mut Sink) -> Description {
    let source = sink.source().clone();
    let length = source.text.len();
    if length > MAX_BYTES {
        let message = format!("the text has {length} bytes; at most {MAX_BYTES} are accepted");
        sink.error("syntax", Span::default(), message);
        return Description::default();
    }
    let statements = expressions::split(&source.text, sink)
        .into_iter()
        .filter_map(|expression| reader::read_statement(expression, sink))
        .collect();
    Description { statements }
}

/// `n` arguments, in words.
pub(crate) fn arguments(n: usize) -> String {
    match n {
        0 => "no argument".to_owned(),
        1 => "one argument".to_owned(),
        2 => "two arguments".to_owned(),
        n => format!("{n} arguments"),
    }
}

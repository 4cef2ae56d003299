//! Layout: a rule sheet as its author would have liked to type it.
//!
//! Only blanks and line breaks change: words, parentheses and comments stay, in their
//! order, so the meaning does as well, and a text in this layout stays as it is.
//!
//! - A rule is on one line, or it has one condition a line, each below the head. It is
//!   broken if it has to be, because it is too long or has comments inside, and if its
//!   author broke it between conditions. `and` and `or` likewise.
//! - Facts of one relation share a line where they did before, as long as they fit.
//!   Any other statement begins a line.
//! - Of several blank lines one stays; a statement has none inside.
//! - A comment stays behind what it follows on its line, or on a line of its own, indented
//!   as what follows.
//! - A term or an atom that is too long is filled: its line is as full as it can be, and
//!   the others are indented.

mod printer;
mod tree;

use crate::diag::{Diagnostic, Sink};
use crate::source::Source;
use crate::syntax;
use std::sync::Arc;

/// The number of columns that a line without a comment has at most, if its words allow
/// that.
pub const MAX_WIDTH: usize = 100;

/// A rule sheet in the canonical layout. Lines end as the first one of the source does.
///
/// # Errors
/// The diagnostics of a text that cannot be read; checks other than those of the syntax do
/// not run.
///
/// ```
/// use gdlc::source::Source;
///
/// let source = Source::new("game.kif", "(<= (wins ?p)   ; over
///  (line ?p)
/// )");
/// let formatted = gdlc::format::format(&source).expect("the syntax is right");
/// assert_eq!(formatted, "(<= (wins ?p) ; over\n    (line ?p))\n");
/// ```
pub fn format(source: &Arc<Source>) -> Result<String, Vec<Diagnostic>> {
    let mut sink = Sink::new(source.clone());
    syntax::parse(&mut sink);
    if sink.has_errors() {
        return Err(sink.finish());
    }
    let text = printer::print(&tree::read(&source.text));
    let first_line = source.text.split_inclusive('\n').next();
    let has_carriage_returns = first_line.is_some_and(|line| line.ends_with("\r\n"));
    Ok(if has_carriage_returns {
        text.replace('\n', "\r\n")
    } else {
        text
    })
}

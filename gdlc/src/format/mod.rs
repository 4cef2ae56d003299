//! Layout: prints a rule sheet in one canonical layout.
//!
//! Only whitespace changes: words, parentheses and comments stay, in their order, so
//! the meaning is preserved, and text that is already in this layout is left as it
//! is.
//!
//! - A rule is on one line, or has one condition per line, each below the head. It is
//!   broken if it has to be, because it is too long or contains comments, or if its
//!   author broke it between conditions. The same goes for `and` and `or`.
//! - Facts of one relation share a line where they did before, as long as they fit.
//!   Any other statement begins a line.
//! - Several blank lines become one; none are left inside a statement.
//! - A comment that follows something on its line stays after it; a comment on a line of
//!   its own stays on its own line, indented like what comes next.
//! - A term or an atom that is too long is filled: its lines are as full as they can be,
//!   and all but the first are indented.

mod printer;
mod tree;

use crate::diag::{Diagnostic, Sink};
use crate::source::Source;
use crate::syntax;
use std::sync::Arc;

/// The maximum width in columns of a line without a comment, if its words allow it.
pub const MAX_WIDTH: usize = 100;

/// A rule sheet in the canonical layout. Lines end as the first one of the source does.
///
/// # Errors
/// The diagnostics of a text that cannot be read; only the syntax is checked.
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

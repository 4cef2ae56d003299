//! Error: `init`, `next`, `base` or `input` in a body, which may depend only on
//! the current state and the moves.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::rules::Keyword;
use crate::syntax::is_connective;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    context.description.for_each_body_atom(&mut |atom| {
        let reason = match Keyword::from_word(&atom.name.text) {
            Some(Keyword::Init) => "a rule cannot test what holds initially",
            Some(Keyword::Next) => "a rule cannot test what holds next",
            Some(Keyword::Base | Keyword::Input) => "a rule cannot test declarations",
            _ if is_connective(&atom.name.text) => "a rule cannot stand inside a rule",
            _ => return,
        };
        let message = format!("`{}` cannot be in the body of a rule", atom.name.text);
        sink.error("forbidden-in-body", atom.span, message)
            .label(reason);
    });
}

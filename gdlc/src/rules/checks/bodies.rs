//! Error: `init`, `next`, `base` or `input` in a body, where only what holds in
//! the present state may be asked.

use super::CheckContext;
use crate::diag::Sink;
use crate::rules::Keyword;
use crate::syntax::is_connective;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    context.description.for_each_body_atom(&mut |atom| {
        let reason = match Keyword::from_word(&atom.name.text) {
            Some(Keyword::Init) => "what holds at the start cannot be asked for",
            Some(Keyword::Next) => "what holds next cannot be asked for",
            Some(Keyword::Base | Keyword::Input) => "declarations cannot be asked for",
            _ if is_connective(&atom.name.text) => "a rule cannot stand inside a rule",
            _ => return,
        };
        let message = format!("`{}` cannot be in the body of a rule", atom.name.text);
        sink.error("forbidden-in-body", atom.span, message)
            .label(reason);
    });
}

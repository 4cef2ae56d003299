//! Error: a word of GDL as a function or as an object constant.
//!
//! `base` and `input` were added to the language later, and older rule sheets may
//! use them as constants: only a warning.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::rules::{Keyword, is_reserved};
use crate::syntax::{Name, TermSyntax};

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    context.description.for_each_term(&mut |term| {
        term.for_each(&mut |term| match term {
            TermSyntax::Variable(_) => {}
            TermSyntax::Constant(name) => check_constant(name, sink),
            TermSyntax::Function(name, _, span) => {
                if is_reserved(&name.text) {
                    sink.error(
                        "keyword-as-function",
                        *span,
                        format!("the keyword `{}` is used as a function", name.text),
                    )
                    .label("this is a term, not a literal");
                }
            }
        });
    });
}

fn check_constant(name: &Name, sink: &mut Sink) {
    let message = format!("the keyword `{}` is used as an object constant", name.text);
    let code = "keyword-as-constant";
    match Keyword::from_word(&name.text) {
        Some(Keyword::Base | Keyword::Input) => sink.warning(code, name.span, message),
        _ if is_reserved(&name.text) => sink.error(code, name.span, message),
        _ => return,
    }
    .label("reserved word");
}

//! Error: a keyword with the wrong number of arguments.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::rules::Keyword;
use crate::syntax::arguments;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    context.description.for_each_atom(&mut |atom| {
        let found = atom.args.len();
        let Some(keyword) = Keyword::from_word(&atom.name.text) else {
            return;
        };
        if keyword.arity() != found {
            let expected = arguments(keyword.arity());
            sink.error(
                "keyword-arity",
                atom.span,
                format!("`{keyword}` takes {expected}, not {found}"),
            )
            .label("wrong number of arguments");
        }
    });
}

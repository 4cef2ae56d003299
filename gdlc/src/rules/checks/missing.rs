//! Error: no role, or no rule for `legal`, `goal` or `terminal`.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::rules::Keyword;
use crate::source::Span;

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    for keyword in [
        Keyword::Role,
        Keyword::Legal,
        Keyword::Goal,
        Keyword::Terminal,
    ] {
        let word = keyword.word();
        let statements = &context.description.statements;
        if statements
            .iter()
            .any(|statement| statement.head().name.is(word))
        {
            continue;
        }
        let message = match keyword {
            Keyword::Role => "the game has no role".to_owned(),
            _ => format!("nothing derives `{word}`"),
        };
        let consequence = match keyword {
            Keyword::Role => "declare each player by a fact `(role name)`",
            Keyword::Legal => "no role has a move",
            Keyword::Goal => "no role has a goal value",
            _ => "the game never ends",
        };
        sink.error("missing-keyword", Span::default(), message)
            .note(consequence);
    }
}

//! Error: a rule or a fact for a word that rules cannot define.
//!
//! Roles have to be facts; the state defines `true`, the players define `does`.

use super::context::CheckContext;
use crate::diag::Sink;
use crate::rules::Keyword;
use crate::syntax::{Statement, is_connective};

pub fn check(context: &CheckContext<'_>, sink: &mut Sink) {
    for statement in &context.description.statements {
        let head = statement.head();
        let place = match statement {
            Statement::Fact(_) => "be a fact",
            Statement::Rule(_) => "be the head of a rule",
        };
        let reason = match Keyword::from_word(&head.name.text) {
            Some(Keyword::True) => "the state decides what is `true`: use `init` and `next`",
            Some(Keyword::Does) => "the players decide what they do: use `legal`",
            Some(Keyword::Role) if matches!(statement, Statement::Rule(_)) => {
                "each role is declared by a fact of its own"
            }
            _ if is_connective(&head.name.text) => "only relations can be stated or derived",
            _ => continue,
        };
        let message = format!("`{}` cannot {place}", head.name.text);
        sink.error("forbidden-head", head.span, message)
            .label(reason);
    }
}

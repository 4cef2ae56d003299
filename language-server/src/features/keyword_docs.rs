//! What the words of GDL mean, in a sentence each.

use gdlc::rules::Keyword;

/// How a keyword is used, and what it means.
#[must_use]
pub fn keyword(keyword: Keyword) -> (&'static str, &'static str) {
    match keyword {
        Keyword::Role => (
            "(role ?role)",
            "The role takes part in the game. The order of these facts is the order of the roles.",
        ),
        Keyword::Init => ("(init ?fluent)", "The fluent holds in the initial state."),
        Keyword::True => ("(true ?fluent)", "The fluent holds in the current state."),
        Keyword::Does => (
            "(does ?role ?move)",
            "The role makes the move in the current step. Only `next` may depend on it.",
        ),
        Keyword::Next => (
            "(next ?fluent)",
            "The fluent holds in the next state. Fluents that no rule derives cease to hold.",
        ),
        Keyword::Legal => (
            "(legal ?role ?move)",
            "The role may make the move in the current state. Every role needs one in every \
             state that is not terminal.",
        ),
        Keyword::Goal => (
            "(goal ?role ?value)",
            "The state is worth the value to the role, a whole number from 0 to 100.",
        ),
        Keyword::Terminal => ("terminal", "The game is over in the current state."),
        Keyword::Base => (
            "(base ?fluent)",
            "The fluent may hold in some state. Declarations like this are optional.",
        ),
        Keyword::Input => (
            "(input ?role ?move)",
            "The role may be able to make the move in some state. Declarations like this are \
             optional.",
        ),
    }
}

/// How a connective is used, and what it means; `None` for other words.
#[must_use]
pub fn connective(word: &str) -> Option<(&'static str, &'static str)> {
    Some(match word {
        "<=" => (
            "(<= head condition …)",
            "A rule: the head holds if all conditions do.",
        ),
        "not" => (
            "(not condition)",
            "The condition cannot be derived. Its variables have to be bound by other \
             conditions.",
        ),
        "or" => ("(or condition …)", "At least one of the conditions holds."),
        "and" => ("(and condition …)", "All of the conditions hold."),
        "distinct" => (
            "(distinct term term)",
            "The terms differ. Their variables have to be bound by other conditions.",
        ),
        _ => return None,
    })
}

//! Describes the errors in a record for people.

use gdl_network::protocol::MatchRecord;

/// Describes the errors before the last state.
pub(super) fn describe(roles: &[String], record: &MatchRecord) -> String {
    let Some(errors) = record.errors.last() else {
        return String::new();
    };
    let moves = match record.errors.len() {
        1 => None,
        _ => record.moves.last(),
    };
    let mut text = String::new();
    for (role, error) in errors
        .iter()
        .enumerate()
        .filter(|(_, error)| !error.is_empty())
    {
        let name = &roles[role];
        let then = match moves {
            Some(moves) => format!("; {} was chosen at random instead", moves[role]),
            None => String::new(),
        };
        text += &format!("{name} erred: {}{then}\n", explain(error));
    }
    text
}

fn explain(error: &str) -> String {
    match error {
        "TO" => "no answer in time (TO)".to_owned(),
        "CE" => "the connection failed (CE)".to_owned(),
        other => match other.strip_prefix("IL ") {
            Some(answer) => format!("{answer:?} is not legal (IL)"),
            None => other.to_owned(),
        },
    }
}

/// Returns the number of errors of each player that made any.
pub(super) fn summarise(roles: &[String], record: &MatchRecord) -> String {
    let count = |role: usize| {
        let errors = record.errors.iter().filter_map(|row| row.get(role));
        errors.filter(|error| !error.is_empty()).count()
    };
    let counts = (roles.iter().enumerate())
        .map(|(role, name)| (name, count(role)))
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| format!("{name} {count}"));
    let counts: Vec<String> = counts.collect();
    match counts.is_empty() {
        true => String::new(),
        false => format!("Errors: {}\n", counts.join(", ")),
    }
}

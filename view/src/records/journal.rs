//! Journals of contests: a line that says what was played, and a line for each game.

use serde::Deserialize;

use super::recorded::{FormatError, Recorded};

#[derive(Deserialize)]
struct JournalHead {
    game: String,
    agents: Vec<String>,
}

#[derive(Deserialize)]
struct JournalGame {
    /// The index of the agent of every role.
    #[serde(rename = "seats")]
    agents: Vec<usize>,
    moves: Vec<Vec<String>>,
}

/// Takes the first game.
pub(super) fn parse(text: &str) -> Result<Recorded, FormatError> {
    let mut lines = text.lines();
    let head: JournalHead = serde_json::from_str(lines.next().unwrap_or(""))?;
    let game: JournalGame = serde_json::from_str(lines.next().ok_or(FormatError::Empty)?)?;
    let agent = |&player: &usize| head.agents.get(player).cloned().unwrap_or_default();
    Ok(Recorded {
        game: Some(head.game),
        players: game.agents.iter().map(agent).collect(),
        moves: game.moves,
    })
}

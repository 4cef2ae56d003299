//! What `gdl play --json` prints: one line of JSON per match.

use serde::Deserialize;

use super::recorded::{FormatError, Recorded};

#[derive(Deserialize)]
struct PlayedLine {
    game: String,
    #[serde(default)]
    players: Vec<String>,
    rounds: Vec<PlayedRound>,
}

#[derive(Deserialize)]
struct PlayedRound {
    moves: Vec<String>,
}

pub(super) fn parse(text: &str) -> Result<Recorded, FormatError> {
    let mut lines = serde_json::Deserializer::from_str(text).into_iter::<PlayedLine>();
    let line = lines.next().ok_or(FormatError::Empty)??;
    let name = std::path::Path::new(&line.game).file_stem();
    Ok(Recorded {
        game: name.map(|name| name.to_string_lossy().into_owned()),
        players: line.players,
        moves: line.rounds.into_iter().map(|round| round.moves).collect(),
    })
}

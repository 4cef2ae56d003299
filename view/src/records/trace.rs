//! Traces: recorded playouts.

use gdl_engines::trace::TraceLine;

use super::recorded::{FormatError, Recorded};

/// Takes the first playout.
pub(super) fn parse(text: &str) -> Result<Recorded, FormatError> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let TraceLine::Header(head) = serde_json::from_str(lines.next().unwrap_or(""))? else {
        return Err(FormatError::Other(
            "the first line describes no game".to_owned(),
        ));
    };
    let mut moves = Vec::new();
    for line in lines {
        match serde_json::from_str(line)? {
            TraceLine::Record(record) if record.playout == 0 => moves.extend(record.joint),
            _ => break,
        }
    }
    Ok(Recorded {
        game: Some(head.game),
        players: Vec::new(),
        moves,
    })
}

//! What records of all formats are read into.

/// A match as it was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recorded {
    /// The name of the game, if the record has one.
    pub game: Option<String>,
    /// Who played, if the record says so.
    pub players: Vec<String>,
    /// The moves of every round, one per role.
    pub moves: Vec<Vec<String>>,
}

/// Why a format does not yield a match.
#[derive(Debug)]
pub(super) enum FormatError {
    /// It is another format.
    Other(String),
    /// It is this format, but holds no match.
    Empty,
}

impl From<serde_json::Error> for FormatError {
    fn from(error: serde_json::Error) -> Self {
        Self::Other(error.to_string())
    }
}

//! The messages that a host sends to a player.
//!
//! Hosts differ, so messages are read leniently: keywords in any case, comments
//! and line breaks anywhere, surplus arguments ignored. They are written the way
//! the host of ggp-base writes them: on one line, without comments.

mod reader;
#[cfg(test)]
mod tests;

use gdl_runtime::kif::one_line;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A message from a host to a player.
///
/// Names have at most 1,000 bytes and no control characters, and compare
/// case-insensitively, like everything in KIF. The name of a match has no blanks;
/// that of a role may be a compound term.
///
/// # Examples
/// ```
/// use gdl_network::protocol::message::Message;
///
/// let message: Message = "(play m.1 ((mark 1 1) noop))".parse()?;
/// assert_eq!(message.to_string(), "( PLAY m.1 ((mark 1 1) noop) )");
/// # Ok::<(), gdl_network::protocol::message::BadMessage>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// Asks whether the player is there and free.
    Info,
    /// Announces a game that may be played soon.
    Preview {
        /// The rule sheet.
        rules: String,
        /// The time available for analysing the rules.
        clock: Duration,
    },
    /// Begins a match.
    Start {
        /// The name of the match.
        id: String,
        /// The role assigned to the player.
        role: String,
        /// The rule sheet: everything between its outer parentheses, comments and
        /// line breaks included.
        rules: String,
        /// The time until the player must be ready.
        start_clock: Duration,
        /// The time for each move.
        play_clock: Duration,
    },
    /// Reports the moves of the last round and asks for the player's next one.
    Play {
        /// The name of the match.
        id: String,
        /// One move per role, in role order, each written with single blanks and
        /// none next to the inside of a parenthesis; `None` in the first round.
        moves: Option<Vec<String>>,
    },
    /// Reports the moves of the last round; the match is over.
    Stop {
        /// The name of the match.
        id: String,
        /// As in [`Play`](Self::Play).
        moves: Option<Vec<String>>,
    },
    /// Ends the match without a result.
    Abort {
        /// The name of the match.
        id: String,
    },
}

/// The text is not a message: what is wrong with it, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {what}")]
pub struct BadMessage {
    /// What is wrong, on one line.
    pub what: String,
    /// The line of the error, counted from 1.
    pub line: usize,
    /// The character within the line, counted from 1.
    pub column: usize,
}

impl FromStr for Message {
    type Err = BadMessage;

    fn from_str(text: &str) -> Result<Self, BadMessage> {
        reader::read(text)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Info => f.write_str("( INFO )"),
            Self::Preview { rules, clock } => {
                write!(f, "( PREVIEW ({}) {} )", one_line(rules), seconds(*clock))
            }
            Self::Start {
                id,
                role,
                rules,
                start_clock,
                play_clock,
            } => {
                let (start, play) = (seconds(*start_clock), seconds(*play_clock));
                write!(
                    f,
                    "( START {id} {role} ({}) {start} {play} )",
                    one_line(rules)
                )
            }
            Self::Play { id, moves } => write!(f, "( PLAY {id} {} )", list(moves.as_deref())),
            Self::Stop { id, moves } => write!(f, "( STOP {id} {} )", list(moves.as_deref())),
            Self::Abort { id } => write!(f, "( ABORT {id} )"),
        }
    }
}

fn seconds(clock: Duration) -> String {
    clock.as_secs_f64().to_string()
}

/// The moves of a round; `NIL` where there are none.
fn list(moves: Option<&[String]>) -> String {
    match moves {
        None | Some([]) => "NIL".to_owned(),
        Some(moves) => format!("({})", moves.join(" ")),
    }
}

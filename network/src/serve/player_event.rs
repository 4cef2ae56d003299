//! What happens in a match that we play.

use serde::Serialize;
use std::fmt;

/// An event of a match.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum PlayerEvent {
    /// The host started a match.
    Start {
        /// The name of our role.
        role: String,
        /// Seconds until we must be ready.
        start_clock: f64,
        /// Seconds for each move.
        play_clock: f64,
        /// The length of the rules, in bytes.
        rules: usize,
    },
    /// The match continues on another engine.
    Engine {
        /// The name of the engine.
        engine: String,
        /// Seconds since the start of the match.
        seconds: f64,
        /// Whether the search tree of the previous engine is kept.
        tree_kept: bool,
    },
    /// A problem that makes play worse, but not impossible.
    Trouble {
        /// What the problem is.
        reason: String,
    },
    /// The rules cannot be played.
    Unplayable {
        /// The reason.
        reason: String,
    },
    /// The agent has decided how it plays.
    Choice {
        /// What it learned, and how it plays and why, in words.
        choice: String,
    },
    /// A move was chosen.
    Move {
        /// The zero-based index of the round.
        round: usize,
        /// The move as KIF.
        #[serde(rename = "move")]
        mv: String,
        /// The name of the current engine.
        engine: String,
        /// The number of simulations since the previous move, including those during
        /// the opponents' time.
        simulations: u64,
        /// The expected goal value; `None` if nothing was searched.
        value: Option<f64>,
        /// Seconds since the message arrived.
        seconds: f64,
    },
    /// The match did not answer before the time for a move was up.
    Late {
        /// The fallback move that was played.
        #[serde(rename = "move")]
        mv: String,
    },
    /// No move was found in time, or none that is legal.
    Fallback {
        /// The zero-based index of the round.
        round: usize,
        /// The move that is played instead.
        #[serde(rename = "move")]
        mv: String,
        /// What the agent did.
        reason: String,
    },
    /// A message was refused because it does not fit the match.
    Refused {
        /// The reason.
        reason: String,
    },
    /// The match has ended for us.
    End {
        /// `stopped` or `aborted` by the host, `left` by us, or `abandoned` by the host.
        how: &'static str,
        /// The number of rounds played.
        rounds: usize,
        /// One goal value per role, in role order, if the game is over.
        goals: Option<Vec<i32>>,
    },
}

impl fmt::Display for PlayerEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start {
                role,
                start_clock,
                play_clock,
                rules,
            } => write!(
                f,
                "playing {role}, start clock {start_clock} s, play clock {play_clock} s, {rules} bytes of rules"
            ),
            Self::Engine {
                engine,
                seconds,
                tree_kept,
            } => {
                let kept = if *tree_kept { ", keeping the tree" } else { "" };
                write!(f, "{engine} engine after {seconds:.2} s{kept}")
            }
            Self::Choice { choice } => f.write_str(choice),
            Self::Trouble { reason } | Self::Unplayable { reason } | Self::Refused { reason } => {
                f.write_str(reason)
            }
            Self::Move {
                round,
                mv,
                engine,
                simulations,
                value,
                seconds,
            } => {
                write!(f, "round {}: {mv} after {seconds:.2} s, ", round + 1)?;
                if let Some(value) = value {
                    write!(f, "value {value:.1}, ")?;
                }
                write!(f, "{simulations} simulations on {engine}")
            }
            Self::Late { mv } => write!(f, "no answer in time, playing {mv}"),
            Self::Fallback { mv, reason, .. } => write!(f, "{reason}, playing {mv}"),
            Self::End { how, rounds, goals } => {
                write!(f, "{how} after {rounds} rounds")?;
                match goals {
                    Some(goals) => write!(f, ", goals {goals:?}"),
                    None => Ok(()),
                }
            }
        }
    }
}

//! What happens in matches, told as it happens: logged for people, and as lines of
//! JSON for programs.

use serde::Serialize;
use std::fmt;
use std::io::{self, Write as _};
use std::time::{SystemTime, UNIX_EPOCH};

/// Something that happened in a match.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum PlayerEvent {
    /// The host began a match.
    Start {
        /// The role that is ours.
        role: String,
        /// Seconds until we have to be ready.
        start_clock: f64,
        /// Seconds for a move.
        play_clock: f64,
        /// Bytes of the rules.
        rules: usize,
    },
    /// An engine took over.
    Engine {
        /// What it is called.
        engine: String,
        /// Seconds since the start.
        seconds: f64,
        /// Whether what was learned on the one before is still there.
        tree_kept: bool,
    },
    /// Something makes play worse, but not impossible.
    Trouble {
        /// What.
        reason: String,
    },
    /// The rules cannot be played.
    Unplayable {
        /// Why.
        reason: String,
    },
    /// A move was chosen.
    Move {
        /// Rounds played before.
        round: usize,
        /// As KIF.
        #[serde(rename = "move")]
        mv: String,
        /// The engine that was searched on last.
        engine: String,
        /// Simulations since the move before, those in the opponents' time
        /// included.
        simulations: u64,
        /// Expected goal value; none where nothing was searched.
        value: Option<f64>,
        /// Seconds since the message came.
        seconds: f64,
    },
    /// The time for a move was up before its match said anything.
    Late {
        /// What was played instead.
        #[serde(rename = "move")]
        mv: String,
    },
    /// A message did not fit the match and was refused.
    Refused {
        /// Why.
        reason: String,
    },
    /// The match is over for us.
    End {
        /// `stopped`, `aborted`, `left` by us, or `abandoned` by the host.
        how: &'static str,
        /// Rounds played.
        rounds: usize,
        /// Goal values in the command of the roles, if the game is over.
        goals: Option<Vec<i32>>,
    },
}

/// A line of the log.
#[derive(Serialize)]
struct LogLine<'a> {
    /// Milliseconds since 1970.
    time: u64,
    #[serde(rename = "match")]
    id: &'a str,
    #[serde(flatten)]
    event: &'a PlayerEvent,
}

/// Where events go.
#[derive(Debug, Clone, Copy, Default)]
pub struct Events {
    /// Lines of JSON on standard output, too.
    pub json: bool,
}

impl Events {
    /// The player is ready for hosts at this address.
    pub fn listening(self, address: &str) {
        tracing::info!("listening on {address}");
        self.print(&serde_json::json!({ "time": now(), "event": "listening", "address": address }));
    }

    /// Tells of an event.
    pub fn tell(self, id: &str, event: &PlayerEvent) {
        match event {
            PlayerEvent::Trouble { .. }
            | PlayerEvent::Late { .. }
            | PlayerEvent::Refused { .. } => {
                tracing::warn!("{id}: {event}");
            }
            PlayerEvent::Unplayable { .. } => tracing::error!("{id}: {event}"),
            _ => tracing::info!("{id}: {event}"),
        }
        self.print(&LogLine {
            time: now(),
            id,
            event,
        });
    }

    fn print(self, line: &impl Serialize) {
        if self.json
            && let Ok(line) = serde_json::to_string(line)
        {
            // A full disk is no reason to lose a match.
            let _ = writeln!(io::stdout(), "{line}");
        }
    }
}

/// Milliseconds since 1970.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
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
                "we are {role}, {start_clock} s to start, {play_clock} s a move, {rules} bytes of rules"
            ),
            Self::Engine {
                engine,
                seconds,
                tree_kept,
            } => {
                let kept = if *tree_kept { ", the tree is kept" } else { "" };
                write!(f, "{engine} engine after {seconds:.2} s{kept}")
            }
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
            Self::Late { mv } => write!(f, "no move in time, so {mv}"),
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

//! Traces: recorded playouts, as lines of JSON.
//!
//! The first line describes the game, the last one says how the recording ended, and
//! each line between them holds one state. Files may be compressed with gzip. Facts and
//! moves are KIF and are compared without regard to case and spacing.

mod replay;

pub use replay::{Difference, DifferenceSubject, Mismatch, Replay, ReplayOutcome};

use flate2::read::MultiGzDecoder;
use gdl_runtime::engine::{Engine, Move, Position};
use gdl_runtime::kif::normalise;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::path::Path;

/// The first line: the description of the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceHeader {
    /// The game's name.
    pub game: String,
    /// The program that recorded it.
    pub oracle: String,
    /// The names of the roles, in order.
    pub roles: Vec<String>,
    /// The number of playouts that were asked for.
    #[serde(rename = "K")]
    pub playouts: u32,
    /// The number of steps after which a playout is cut off.
    pub max_steps: u32,
}

/// A line between the first and the last: a state, and the moves that were made in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceRecord {
    /// The zero-based index of the playout.
    #[serde(rename = "p")]
    pub playout: u32,
    /// The number of steps before this state.
    #[serde(rename = "s")]
    pub step: u32,
    /// The facts, sorted.
    pub state: Vec<String>,
    /// Whether the game is over.
    pub terminal: bool,
    /// The legal moves, sorted, of each role; absent at the end of a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<Vec<String>>>,
    /// The goal values of each role; absent if they were not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goals: Option<Vec<GoalValues>>,
    /// The move of each role; absent at the end of a playout.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<Vec<String>>,
    /// Whether the playout was cut off here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// The last line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceEnd {
    /// Always true: it distinguishes this line from the others.
    pub end: bool,
    /// `ok`, or why the recording ended early.
    pub status: String,
}

/// Any line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TraceLine {
    /// A state: tried first on reading, since most lines are states.
    Record(TraceRecord),
    /// The first line.
    Header(TraceHeader),
    /// The last line.
    End(TraceEnd),
}

/// The goal values that hold for one role, in ascending order; usually one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoalValues(pub Vec<i32>);

impl Serialize for GoalValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [] => serializer.serialize_none(),
            [value] => serializer.serialize_i32(*value),
            values => values.serialize(serializer),
        }
    }
}

/// Accepts null, a number, a string that holds a number, or an array of these.
impl<'de> Deserialize<'de> for GoalValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = match Value::deserialize(deserializer)? {
            Value::Null => Vec::new(),
            Value::Array(values) => values,
            value => vec![value],
        };
        let mut goals: Vec<i32> = (values.iter())
            .map(|value| match value {
                Value::String(text) => text.trim().parse().ok(),
                value => value.as_i64().and_then(|number| i32::try_from(number).ok()),
            })
            .collect::<Option<_>>()
            .ok_or_else(|| serde::de::Error::custom("a goal value is not a whole number"))?;
        goals.sort_unstable();
        Ok(Self(goals))
    }
}

/// Why a trace cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be opened.
    #[error("cannot open {file}: {error}")]
    Open {
        /// The file.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// A line cannot be read.
    #[error("cannot read {file}, line {line}: {error}")]
    Read {
        /// The file.
        file: String,
        /// The one-based number of the line.
        line: usize,
        /// Why.
        error: io::Error,
    },
    /// A line cannot be part of a trace.
    #[error("{file}, line {line}: {error}")]
    Malformed {
        /// The file.
        file: String,
        /// The one-based number of the line.
        line: usize,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// The first line does not describe a game.
    #[error("{0} does not begin with the description of a game: is it a trace?")]
    NoHeader(String),
    /// The last line is missing.
    #[error("{0} is cut off: its last line is missing")]
    CutOff(String),
    /// A description of a game stands in the middle of the file, or a line after the end.
    #[error("{0}: a line in the wrong place")]
    Misplaced(String),
    /// The trace cannot be written.
    #[error("cannot write the trace: {0}")]
    Write(io::Error),
}

/// Reads a trace, plain or compressed, line by line.
///
/// # Errors
/// If the file cannot be opened; while iterating, if a line cannot be read or is not one
/// of a trace.
pub fn read(
    path: &Path,
) -> Result<impl Iterator<Item = Result<TraceLine, TraceError>> + use<>, TraceError> {
    let file = path.display().to_string();
    let reader = open(path).map_err(|error| TraceError::Open {
        file: file.clone(),
        error,
    })?;
    let lines = BufReader::new(reader).lines().zip(1..);
    Ok(lines.map(move |(text, line)| {
        let file = || file.clone();
        let text = text.map_err(|error| TraceError::Read {
            file: file(),
            line,
            error,
        })?;
        serde_json::from_str(&text).map_err(|error| TraceError::Malformed {
            file: file(),
            line,
            error,
        })
    }))
}

/// Opens a file, and decompresses it if it begins like a gzip file.
fn open(path: &Path) -> io::Result<Box<dyn io::Read>> {
    let mut magic = Vec::new();
    File::open(path)?.take(2).read_to_end(&mut magic)?;
    let file = File::open(path)?;
    Ok(match magic == [0x1f, 0x8b] {
        true => Box::new(MultiGzDecoder::new(file)),
        false => Box::new(file),
    })
}

/// Reads a trace and checks the order of its lines; returns the first line and the
/// states.
///
/// # Errors
/// If the first line does not describe a game; while iterating, if the last line does
/// not say that it is the last, so that the file is cut off, or if there is a line after it.
pub fn records(
    path: &Path,
) -> Result<
    (
        TraceHeader,
        impl Iterator<Item = Result<TraceRecord, TraceError>> + use<>,
    ),
    TraceError,
> {
    let file = path.display().to_string();
    let mut lines = read(path)?;
    let Some(TraceLine::Header(header)) = lines.next().transpose()? else {
        return Err(TraceError::NoHeader(file));
    };
    let mut ended = false;
    let records = std::iter::from_fn(move || match (ended, lines.next()) {
        (true, None) => None,
        (false, Some(Ok(TraceLine::Record(record)))) => Some(Ok(record)),
        (false, Some(Ok(TraceLine::End(_)))) => {
            // Whoever iterates will not ask again: another line is seen now or never.
            ended = true;
            let after = lines.next()?;
            Some(after.and_then(|_| Err(TraceError::Misplaced(file.clone()))))
        }
        (_, Some(Err(error))) => Some(Err(error)),
        (false, None) => {
            ended = true;
            Some(Err(TraceError::CutOff(file.clone())))
        }
        (_, Some(Ok(_))) => Some(Err(TraceError::Misplaced(file.clone()))),
    });
    Ok((header, records))
}

/// What to record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recording {
    /// The number of playouts.
    pub playouts: u32,
    /// The number of steps after which a playout is cut off.
    pub max_steps: u32,
    /// The same seed makes the same moves on every engine.
    pub seed: u64,
}

/// Plays uniformly random games and writes their trace.
///
/// # Errors
/// If the output cannot be written.
pub fn record(
    engine: &mut dyn Engine,
    game: &str,
    recording: Recording,
    out: &mut dyn Write,
) -> Result<(), TraceError> {
    let header = TraceHeader {
        game: game.to_owned(),
        oracle: format!("gdl {} engine, seed {}", engine.name(), recording.seed),
        roles: engine.roles().to_vec(),
        playouts: recording.playouts,
        max_steps: recording.max_steps,
    };
    write_line(out, &TraceLine::Header(header))?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(recording.seed);
    let mut status = "ok";
    for playout in 0..recording.playouts {
        if !record_playout(engine, playout, recording.max_steps, &mut rng, out)? {
            status = "stuck";
            break;
        }
    }
    let status = status.to_owned();
    write_line(out, &TraceLine::End(TraceEnd { end: true, status }))
}

/// Records one playout. Returns false if a role had no legal move before the end.
fn record_playout(
    engine: &mut dyn Engine,
    playout: u32,
    max_steps: u32,
    rng: &mut Xoshiro256PlusPlus,
    out: &mut dyn Write,
) -> Result<bool, TraceError> {
    let mut state = engine.initial();
    for step in 0.. {
        let position = engine.examine(&state);
        let legal = named_moves(engine, &position);
        let stuck = legal.iter().any(Vec::is_empty);
        let cut = !position.terminal && step >= max_steps;
        let goes_on = !position.terminal && !cut && !stuck;
        let joint: Option<Vec<&(String, Move)>> = goes_on.then(|| {
            legal
                .iter()
                .map(|moves| &moves[rng.random_range(..moves.len())])
                .collect()
        });
        let record = TraceRecord {
            playout,
            step,
            state: engine.facts(&state),
            terminal: position.terminal,
            legal: (!position.terminal).then(|| legal.iter().map(names).collect()),
            goals: Some(position.goals.iter().cloned().map(GoalValues).collect()),
            joint: joint.as_ref().map(|joint| names(joint.iter().copied())),
            cut,
        };
        write_line(out, &TraceLine::Record(record))?;
        let Some(joint) = joint else {
            return Ok(position.terminal || cut);
        };
        let moves: Vec<Move> = joint.iter().map(|&&(_, mv)| mv).collect();
        state = engine.next(&state, &moves);
    }
    Ok(true)
}

fn names<'a>(moves: impl IntoIterator<Item = &'a (String, Move)>) -> Vec<String> {
    moves.into_iter().map(|(name, _)| name.clone()).collect()
}

/// The legal moves of each role with their names, in an order that does not depend on
/// the engine.
fn named_moves(engine: &dyn Engine, position: &Position) -> Vec<Vec<(String, Move)>> {
    let named = |role: usize, moves: &[Move]| {
        let mut named: Vec<(String, Move)> = (moves.iter())
            .map(|&mv| (engine.move_name(role, mv), mv))
            .collect();
        named.sort_by_cached_key(|(name, _)| normalise(name));
        named
    };
    (position.legal.iter().enumerate())
        .map(|(role, moves)| named(role, moves))
        .collect()
}

fn write_line(out: &mut dyn Write, line: &TraceLine) -> Result<(), TraceError> {
    let written = serde_json::to_writer(&mut *out, line).map_err(io::Error::from);
    written
        .and_then(|()| out.write_all(b"\n"))
        .map_err(TraceError::Write)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_after_the_end_are_misplaced() {
        const TRACE: &str = r#"{"game":"g","oracle":"o","roles":["r"],"K":1,"max_steps":1}
            {"p":0,"s":0,"state":["a"],"terminal":true}
            {"end":true,"status":"ok"}
            "#;
        let read = |text: &str| -> Result<Vec<TraceRecord>, TraceError> {
            let file = tempfile::NamedTempFile::new().expect("there is room");
            std::fs::write(file.path(), text).expect("there is room");
            records(file.path())?.1.collect()
        };
        let once = TRACE.trim_end();
        assert_eq!(read(once).expect("it is complete").len(), 1);
        let twice = read(&format!("{once}\n{once}"));
        assert!(matches!(twice, Err(TraceError::Misplaced(_))), "{twice:?}");
    }
}

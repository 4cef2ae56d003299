//! Traces: recorded playouts, as JSON, one object a line.
//!
//! The first line describes the game, the last one how the recording ended;
//! between them stands a line for every state. Files may be compressed with
//! gzip. Facts and moves are KIF; they are compared without regard to case and
//! spacing ([`normalise`]).

use anyhow::{Context as _, bail};
use flate2::read::MultiGzDecoder;
use gdl_runtime::engine::{Engine, Move, Position};
use gdl_runtime::kif::normalise;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, Read as _, Write};
use std::path::Path;

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The game's name.
    pub game: String,
    /// What recorded it.
    pub oracle: String,
    /// The roles, in order.
    pub roles: Vec<String>,
    /// How many playouts were asked for.
    #[serde(rename = "K")]
    pub playouts: u32,
    /// After how many steps a playout is cut off.
    pub max_steps: u32,
}

/// A state, what holds in it, and the moves that were then made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The playout, from 0.
    #[serde(rename = "p")]
    pub playout: u32,
    /// Moves made so far.
    #[serde(rename = "s")]
    pub step: u32,
    /// The facts, sorted.
    pub state: Vec<String>,
    /// Whether the game is over.
    pub terminal: bool,
    /// The legal moves of every role, sorted; absent at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<Vec<String>>>,
    /// The goal values of every role; absent where they were not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goals: Option<Vec<GoalValues>>,
    /// The move that every role makes; absent at the end.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<Vec<String>>,
    /// Whether the playout was cut off here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// The last line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Always true: it tells this line from the others.
    pub end: bool,
    /// `ok`, or why the recording stopped early.
    pub status: String,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Line {
    /// A state; the most common, so tried first.
    Record(Record),
    /// The first line.
    Header(Header),
    /// The last line.
    End(End),
}

/// The goal values that hold for one role, ascending: usually one.
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

/// Null, a number, a string with a number, or an array of them.
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

/// Reads a trace, plain or compressed, a line at a time.
///
/// # Errors
/// If the file cannot be opened; later, if a line cannot be read or is none of
/// the three kinds.
pub fn read(path: &Path) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Line>> + use<>> {
    let name = path.display().to_string();
    let open = || File::open(path).with_context(|| format!("cannot open {name}"));
    let mut magic = Vec::new();
    open()?.take(2).read_to_end(&mut magic)?;
    let file: Box<dyn std::io::Read> = if magic == [0x1f, 0x8b] {
        Box::new(MultiGzDecoder::new(open()?))
    } else {
        Box::new(open()?)
    };
    let lines = BufReader::new(file).lines().enumerate();
    Ok(lines.map(move |(number, line)| {
        let number = number + 1;
        let line = line.with_context(|| format!("cannot read {name}, line {number}"))?;
        serde_json::from_str(&line).with_context(|| format!("{name}, line {number}"))
    }))
}

/// What to record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recording {
    /// How many playouts.
    pub playouts: u32,
    /// After how many steps a playout is cut off.
    pub max_steps: u32,
    /// The same seed makes the same moves, whichever engine plays.
    pub seed: u64,
}

/// Plays games by uniformly random moves and writes the trace.
///
/// # Errors
/// If the output cannot be written.
pub fn record(
    engine: &mut dyn Engine,
    game: &str,
    recording: Recording,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let header = Header {
        game: game.to_owned(),
        oracle: format!("gdl {} engine, seed {}", engine.name(), recording.seed),
        roles: engine.roles().to_vec(),
        playouts: recording.playouts,
        max_steps: recording.max_steps,
    };
    write_line(out, &Line::Header(header))?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(recording.seed);
    let mut status = "ok";
    for playout in 0..recording.playouts {
        if !record_playout(engine, playout, recording.max_steps, &mut rng, out)? {
            status = "stuck";
            break;
        }
    }
    let status = status.to_owned();
    write_line(out, &Line::End(End { end: true, status }))
}

/// Says whether every role always had a move.
fn record_playout(
    engine: &mut dyn Engine,
    playout: u32,
    max_steps: u32,
    rng: &mut Xoshiro256PlusPlus,
    out: &mut dyn Write,
) -> anyhow::Result<bool> {
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
        let record = Record {
            playout,
            step,
            state: engine.facts(&state),
            terminal: position.terminal,
            legal: (!position.terminal).then(|| legal.iter().map(names).collect()),
            goals: Some(position.goals.iter().cloned().map(GoalValues).collect()),
            joint: joint.as_ref().map(|joint| names(joint.iter().copied())),
            cut,
        };
        write_line(out, &Line::Record(record))?;
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

/// The legal moves of every role with their names, in an order that does not
/// depend on the engine.
fn named_moves(engine: &dyn Engine, position: &Position) -> Vec<Vec<(String, Move)>> {
    let named = |role: usize, moves: &[Move]| {
        let mut named: Vec<(String, Move)> = (moves.iter())
            .map(|&mv| (engine.move_name(role, mv), mv))
            .collect();
        named.sort_unstable_by_key(|(name, _)| normalise(name));
        named
    };
    (position.legal.iter().enumerate())
        .map(|(role, moves)| named(role, moves))
        .collect()
}

fn write_line(out: &mut dyn Write, line: &Line) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, line).context("cannot write the trace")?;
    out.write_all(b"\n").context("cannot write the trace")
}

/// Checks that the lines of a trace come in their order, and hands out the
/// states.
///
/// # Errors
/// If the first line is no header, or the last one does not say that it is: the
/// file is cut off.
pub fn records(
    path: &Path,
) -> anyhow::Result<(Header, impl Iterator<Item = anyhow::Result<Record>> + use<>)> {
    let name = path.display().to_string();
    let mut lines = read(path)?;
    let Some(Line::Header(header)) = lines.next().transpose()? else {
        bail!("{name} does not begin with the description of a game: is it a trace?");
    };
    let mut ended = false;
    let records = std::iter::from_fn(move || match (ended, lines.next()) {
        (true, None) => None,
        (false, Some(Ok(Line::Record(record)))) => Some(Ok(record)),
        (false, Some(Ok(Line::End(_)))) => {
            ended = true;
            None
        }
        (_, Some(Err(error))) => Some(Err(error)),
        (false, None) => {
            ended = true;
            Some(Err(anyhow::anyhow!(
                "{name} is cut off: its last line is missing"
            )))
        }
        (_, Some(Ok(_))) => Some(Err(anyhow::anyhow!("{name}: a line in the wrong place"))),
    });
    Ok((header, records))
}

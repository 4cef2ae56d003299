//! The file of positions: JSON, one object per line. The first line is the header, which
//! says how the set was made; every other line is a position.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// The first line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetHeader {
    /// [`FORMAT`].
    pub format: u32,
    /// The command that makes this file.
    pub made_by: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of states that a solver may expand for one position. Positions that
    /// take more are left out.
    pub limit: u64,
    /// What the positions are of.
    pub classes: Vec<ClassSummary>,
}

/// The positions of one game at one stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassSummary {
    /// The name.
    pub name: String,
    /// The rule sheet, relative to the root of the repository.
    pub sheet: PathBuf,
    /// For each number of empty cells, the number of positions.
    pub positions: BTreeMap<u32, usize>,
}

/// A position whose value is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownPosition {
    /// The name of its class.
    pub class: String,
    /// The number of empty cells.
    pub empty: u32,
    /// The moves that lead to it from the initial state, of whichever role had a choice;
    /// moves without a choice are left out.
    pub moves: Vec<String>,
    /// The role that has a choice.
    pub role: String,
    /// The goal values of all roles under best play. With more than two roles, those
    /// of others are left out where they depend on which of several best moves is made.
    pub goals: BTreeMap<String, i32>,
    /// The best moves. All others lead to a lower goal.
    pub right: Vec<String>,
    /// The number of legal moves.
    pub legal: usize,
    /// The number of states that the solver expanded: how hard it is.
    pub expanded: u64,
}

impl KnownPosition {
    /// The goal value of the role that has a choice.
    #[must_use]
    pub fn value(&self) -> Option<i32> {
        self.goals.get(&self.role).copied()
    }
}

/// A set of positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionSet {
    /// How it was made.
    pub header: SetHeader,
    /// The positions, class by class in the order of the header; within a class by the
    /// number of empty cells.
    pub positions: Vec<KnownPosition>,
}

/// Why a set cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PositionSetError {
    /// The file cannot be read.
    #[error("cannot read {file}: {error}")]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line does not have the expected form.
    #[error("line {line}: {error}")]
    Malformed {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// The format is of another version.
    #[error("the file has format {0}, and this program reads format {FORMAT}")]
    OtherFormat(u32),
    /// There is no header.
    #[error("the file is empty")]
    Empty,
}

impl PositionSet {
    /// The set in the repository.
    #[must_use]
    pub fn file() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("positions.jsonl")
    }

    /// The file of a rule sheet that is named relative to the root of the repository.
    #[must_use]
    pub fn sheet(sheet: &Path) -> PathBuf {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        root.join(sheet)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read or is not of this format.
    pub fn read(file: &Path) -> Result<Self, PositionSetError> {
        let text = std::fs::read_to_string(file).map_err(|error| {
            let file = file.to_owned();
            PositionSetError::Unreadable { file, error }
        })?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self, PositionSetError> {
        let mut lines = (1..).zip(text.lines());
        let malformed = |line| move |error| PositionSetError::Malformed { line, error };
        let (line, header) = lines.next().ok_or(PositionSetError::Empty)?;
        let header: SetHeader = serde_json::from_str(header).map_err(malformed(line))?;
        if header.format != FORMAT {
            return Err(PositionSetError::OtherFormat(header.format));
        }
        let parsed = lines.map(|(line, text)| serde_json::from_str(text).map_err(malformed(line)));
        let positions = parsed.collect::<Result<_, _>>()?;
        Ok(Self { header, positions })
    }

    /// The text of the file.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    pub fn to_text(&self) -> serde_json::Result<String> {
        let mut text = serde_json::to_string(&self.header)? + "\n";
        for position in &self.positions {
            text += &serde_json::to_string(position)?;
            text.push('\n');
        }
        Ok(text)
    }

    /// The positions of a class.
    pub fn of_class<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a KnownPosition> {
        (self.positions.iter()).filter(move |position| position.class == name)
    }
}

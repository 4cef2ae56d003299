//! Networks in files: a header, the weights, and a digest of both.
//!
//! All numbers are little-endian. A header of [`HEADER`] bytes has
//!
//! | bytes | what |
//! |---|---|
//! | 8 | [`MAGIC`] |
//! | 4 | [`VERSION`] |
//! | 8 | the length of the file in bytes |
//! | 32 | the [digest of the game](game_digest) |
//! | 4 | the number of heads, one per role; 0 for the one head of a game of constant sum |
//! | 4 | the number of columns, which is the number of weights of a feature |
//! | 4 | the number of features |
//! | 4 | the number of patterns among them |
//! | 4 | the number of features that tell which role reaches what first |
//! | 4 | the largest absolute sum of the first layer that training met |
//! | 8 | the number of games that the network learned from |
//! | 8 | the time that it learned for, in microseconds |
//!
//! The patterns follow. For each: the number of its outcome, the number of its fluents, and
//! for each of these its index, the index of the fluent that holds while it is open (or
//! `u32::MAX`), the number of its blockers and their indices, the number of fluents that
//! decide whether it is ready, their indices, and whether one of them has to hold (1) or none
//! of them may (0); four bytes each. Then there are rows of columns, all 32-bit floating-point
//! numbers: one row per feature, one for the constant 1, and one per head with the weights of
//! the hidden units. The SHA-256 digest of everything before it is at the end.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use gdl_runtime::features::{Condition, FeatureSet, Pattern, PatternFluent};
use gdl_runtime::layout::Layout;
use gdl_runtime::network::{COLUMNS, FloatNetwork, FloatRow};
use sha2::{Digest as _, Sha256};

use super::game_digest::{DIGEST, game_digest};
use super::learned::LearnedNetwork;
use super::network::{MAX_HEADS, ValueHeads, ValueNetwork, hidden_units};

/// The first bytes of a file.
pub const MAGIC: &[u8; 8] = b"gdlnet\r\n";

/// The version of the format that is written, and the only one that is read.
pub const VERSION: u32 = 6;

/// The size of the header in bytes.
pub const HEADER: usize = 92;

/// The size of a row of weights in bytes.
const ROW: usize = COLUMNS * size_of::<f32>();

/// The size in bytes beyond which no file is read.
const LARGEST_FILE: u64 = 256 << 20;

/// Why bytes are not a network for a game.
#[derive(Debug, thiserror::Error)]
pub enum NetworkFileError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    /// It does not begin like a network.
    #[error("is not a file of a network")]
    NotANetwork,
    /// It is of another version.
    #[error("has version {0} of the format; this program reads version {VERSION}")]
    Version(u32),
    /// Its length is not what its header or its contents say.
    #[error("is cut short or too long")]
    Length,
    /// Its contents do not match their digest.
    #[error("is damaged")]
    Damaged,
    /// Its header or weights make no sense, though they are as they were written.
    #[error("has no valid network in it")]
    Invalid,
    /// The network is of another game.
    #[error("is a network of another game, or of another version of these rules")]
    OtherGame,
    /// It learned from which role reaches what first, and the engine does not know the rules.
    #[error("sees which role comes first to what, which this engine cannot tell")]
    NoReachability,
    /// The engine does not know all fluents of the game in advance.
    #[error("is of no use to an engine that does not number fluents, such as reference")]
    NoNumbers,
}

/// A file that holds no network for a game.
#[derive(Debug, thiserror::Error)]
#[error("{} {problem}", path.display())]
pub struct UnusableNetwork {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: NetworkFileError,
}

/// A game's network as the bytes of a file.
#[must_use]
pub fn write(learned: &LearnedNetwork, layout: &Layout) -> Vec<u8> {
    let network = &learned.network;
    let heads = match network.heads {
        ValueHeads::ConstantSum => 0,
        ValueHeads::PerRole(roles) => roles as u32,
    };
    let (patterns, rows) = (learned.features.patterns(), &network.weights.rows);
    let mut contents = Vec::new();
    contents.extend_from_slice(&game_digest(layout));
    for number in [
        heads,
        COLUMNS as u32,
        rows.len() as u32,
        patterns.len() as u32,
        learned.reached as u32,
    ] {
        contents.extend_from_slice(&number.to_le_bytes());
    }
    contents.extend_from_slice(&learned.largest.to_le_bytes());
    contents.extend_from_slice(&learned.games.to_le_bytes());
    let micros = learned.time.as_micros().min(u128::from(u64::MAX)) as u64;
    contents.extend_from_slice(&micros.to_le_bytes());
    for pattern in patterns {
        write_pattern(&mut contents, pattern);
    }
    let FloatNetwork { bias, outputs, .. } = &network.weights;
    let numbers = rows.iter().chain([bias]).chain(outputs);
    let numbers = numbers.flat_map(|row| row.0);
    contents.extend(numbers.flat_map(f32::to_le_bytes));

    let start = MAGIC.len() + size_of::<u32>() + size_of::<u64>();
    let length = start + contents.len() + DIGEST;
    let mut bytes = Vec::with_capacity(length);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(length as u64).to_le_bytes());
    bytes.extend_from_slice(&contents);
    let digest = Sha256::digest(&bytes);
    bytes.extend_from_slice(&digest);
    bytes
}

fn write_pattern(bytes: &mut Vec<u8>, pattern: &Pattern) {
    let mut number = |number: u32| bytes.extend_from_slice(&number.to_le_bytes());
    number(pattern.outcome);
    number(pattern.fluents.len() as u32);
    for literal in &pattern.fluents {
        number(literal.fluent);
        number(literal.open.unwrap_or(u32::MAX));
        let ready = literal.ready.as_ref();
        for fluents in [
            &*literal.blockers,
            ready.map_or(&[], |ready| &*ready.fluents),
        ] {
            number(fluents.len() as u32);
            fluents.iter().for_each(|&fluent| number(fluent));
        }
        number(ready.is_some_and(|ready| ready.holds).into());
    }
}

/// Reads a network of a game.
///
/// # Errors
/// If the bytes are not what [`write()`] made of a network of that game.
pub fn read(bytes: &[u8], layout: &Layout) -> Result<LearnedNetwork, NetworkFileError> {
    let mut reader = Reader { rest: bytes };
    if reader.array().ok().as_ref() != Some(MAGIC) {
        return Err(NetworkFileError::NotANetwork);
    }
    let version = reader.u32()?;
    if version != VERSION {
        return Err(NetworkFileError::Version(version));
    }
    if reader.u64()? != bytes.len() as u64 || bytes.len() < HEADER + DIGEST {
        return Err(NetworkFileError::Length);
    }
    let (contents, digest) = bytes.split_at(bytes.len() - DIGEST);
    if Sha256::digest(contents)[..] != *digest {
        return Err(NetworkFileError::Damaged);
    }
    if reader.array()? != game_digest(layout) {
        return Err(NetworkFileError::OtherGame);
    }
    let heads = match reader.u32()? as usize {
        0 => ValueHeads::ConstantSum,
        roles => ValueHeads::PerRole(roles),
    };
    if heads.count() > MAX_HEADS || reader.u32()? as usize != COLUMNS {
        return Err(NetworkFileError::Invalid);
    }
    let (features, patterns) = (reader.u32()? as usize, reader.u32()?);
    let reached = reader.u32()? as usize;
    let largest = reader.f32()?;
    let [games, micros] = [reader.u64()?, reader.u64()?];
    // Lists grow as they are read, so that they are no longer than the file, whatever
    // their lengths are said to be.
    let patterns = (0..patterns).map(|_| reader.pattern());
    let patterns = patterns.collect::<Result<Vec<Pattern>, _>>()?;
    let weights = features.saturating_add(1 + heads.count());
    if reader.rest.len() != weights.saturating_mul(ROW).saturating_add(DIGEST) {
        return Err(NetworkFileError::Length);
    }
    let mut rows = |count: usize| -> Result<Vec<_>, NetworkFileError> {
        (0..count).map(|_| reader.row()).collect()
    };
    let (rows, bias, mut outputs) = (rows(features)?, rows(1)?, rows(heads.count())?);
    for output in &mut outputs {
        output.0[hidden_units(heads)..].fill(0.0);
    }
    let learned = LearnedNetwork {
        network: ValueNetwork {
            heads,
            weights: FloatNetwork {
                rows,
                bias: bias[0],
                outputs,
            },
        },
        features: FeatureSet::new(patterns),
        reached,
        largest,
        games,
        time: Duration::from_micros(micros),
    };
    match learned.fits(layout) && largest >= 0.0 {
        true => Ok(learned),
        false => Err(NetworkFileError::Invalid),
    }
}

/// Reads a file with a network of a game.
///
/// # Errors
/// If the file cannot be read, is a pipe or a device, or has no network of that game; `layout` is `None` if the
/// engine has none.
pub fn load(path: &Path, layout: Option<&Layout>) -> Result<LearnedNetwork, UnusableNetwork> {
    let contents = || -> io::Result<Vec<u8>> {
        // A pipe may never be written to, and could be read only once.
        if !path.metadata()?.is_file() {
            return Err(io::Error::other("it is not a regular file"));
        }
        let mut bytes = Vec::new();
        let file = File::open(path)?;
        file.take(LARGEST_FILE).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let network = || {
        let layout = layout.ok_or(NetworkFileError::NoNumbers)?;
        read(&contents().map_err(NetworkFileError::Unreadable)?, layout)
    };
    network().map_err(|problem| UnusableNetwork {
        path: path.to_owned(),
        problem,
    })
}

/// Takes numbers off the front of bytes.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], NetworkFileError> {
        let (first, rest) = self
            .rest
            .split_first_chunk()
            .ok_or(NetworkFileError::Length)?;
        self.rest = rest;
        Ok(*first)
    }

    fn u32(&mut self) -> Result<u32, NetworkFileError> {
        self.array().map(u32::from_le_bytes)
    }

    fn bool(&mut self) -> Result<bool, NetworkFileError> {
        match self.u32()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(NetworkFileError::Invalid),
        }
    }

    fn u64(&mut self) -> Result<u64, NetworkFileError> {
        self.array().map(u64::from_le_bytes)
    }

    /// A finite number.
    fn f32(&mut self) -> Result<f32, NetworkFileError> {
        let number = f32::from_le_bytes(self.array()?);
        let valid = number.is_finite().then_some(number);
        valid.ok_or(NetworkFileError::Invalid)
    }

    fn pattern(&mut self) -> Result<Pattern, NetworkFileError> {
        let outcome = self.u32()?;
        let count = self.u32()?;
        let literal = |_| {
            let fluent = self.u32()?;
            let open = self.u32()?;
            let blockers = self.fluents()?;
            let ready = Condition {
                fluents: self.fluents()?,
                holds: self.bool()?,
            };
            Ok(PatternFluent {
                fluent,
                open: (open != u32::MAX).then_some(open),
                blockers,
                ready: (!ready.fluents.is_empty()).then_some(ready),
            })
        };
        let fluents = (0..count).map(literal).collect::<Result<_, _>>()?;
        Ok(Pattern { fluents, outcome })
    }

    /// The indices of some fluents, after their number.
    fn fluents(&mut self) -> Result<Box<[u32]>, NetworkFileError> {
        let count = self.u32()?;
        (0..count).map(|_| self.u32()).collect()
    }

    fn row(&mut self) -> Result<FloatRow, NetworkFileError> {
        let mut row = FloatRow::ZERO;
        for weight in &mut row.0 {
            *weight = self.f32()?;
        }
        Ok(row)
    }
}

#[cfg(test)]
mod tests {
    use gdl_runtime::layout::{BaseRow, MoveRow, Row};
    use rand::SeedableRng as _;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn layout(fluents: &[&str], roles: &[&str]) -> Layout {
        let base = |name: &&str| BaseRow {
            name: (*name).to_owned(),
            initially: false,
        };
        let mv = |name: &str| MoveRow {
            name: name.to_owned(),
            legal: Row::Work(0),
            choice: None,
        };
        Layout {
            roles: roles.iter().map(|&role| role.to_owned()).collect(),
            bases: fluents.iter().map(base).collect(),
            moves: roles.iter().map(|_| vec![mv("go"), mv("stay")]).collect(),
            goals: vec![vec![(0, Row::Work(0)), (100, Row::Work(1))]; roles.len()],
            ..Layout::default()
        }
    }

    fn learned(heads: ValueHeads) -> LearnedNetwork {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let literal = |fluent, open, blockers: &[u32]| PatternFluent {
            fluent,
            open,
            blockers: blockers.into(),
            ready: open.map(|fluent| Condition {
                fluents: [fluent].into(),
                holds: false,
            }),
        };
        let one = Pattern {
            fluents: [literal(0, None, &[1, 2]), literal(1, Some(2), &[])].into(),
            outcome: 1,
        };
        let other = Pattern {
            fluents: [literal(2, Some(0), &[])].into(),
            outcome: 0,
        };
        LearnedNetwork {
            network: ValueNetwork::random(64, heads, &mut random),
            features: FeatureSet::new(vec![one, other]),
            reached: 7,
            largest: 3.5,
            games: 12_345,
            time: Duration::from_millis(2_500),
        }
    }

    const FLUENTS: [&str; 3] = ["lit", "(at 1)", "(at 2)"];

    fn game() -> Layout {
        layout(&FLUENTS, &["x", "o"])
    }

    #[test]
    fn what_is_written_is_read() {
        for heads in [ValueHeads::ConstantSum, ValueHeads::PerRole(2)] {
            let learned = learned(heads);
            let bytes = write(&learned, &game());
            assert_eq!(read(&bytes, &game()).expect("it is valid"), learned);
        }
    }

    #[test]
    fn other_games_are_refused() {
        let bytes = write(&learned(ValueHeads::ConstantSum), &game());
        let mut moves = game();
        moves.moves[1][0].name = "run".to_owned();
        let mut initial = game();
        initial.bases[0].initially = true;
        let others = [
            layout(&["(at 1)", "lit", "(at 2)"], &["x", "o"]),
            layout(&FLUENTS, &["o", "x"]),
            moves,
            initial,
        ];
        for other in others {
            let error = read(&bytes, &other).expect_err("it is another game");
            assert!(matches!(error, NetworkFileError::OtherGame), "{error}");
        }
    }

    #[test]
    fn every_cut_and_every_flipped_bit_is_an_error() {
        let bytes = write(&learned(ValueHeads::PerRole(2)), &game());
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length], &game()).is_err(), "{length} bytes");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(matches!(
            read(&longer, &game()),
            Err(NetworkFileError::Length)
        ));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(read(&damaged, &game()).is_err(), "byte {at}");
        }
    }

    /// Whether a network with these bytes in it is read, or why not.
    fn forged(at: usize, with: &[u8]) -> &'static str {
        let mut bytes = write(&learned(ValueHeads::ConstantSum), &game());
        bytes[at..at + with.len()].copy_from_slice(with);
        let end = bytes.len() - DIGEST;
        let digest = Sha256::digest(&bytes[..end]);
        bytes[end..].copy_from_slice(&digest);
        match read(&bytes, &game()) {
            Ok(_) => "read",
            Err(NetworkFileError::Version(_)) => "version",
            Err(NetworkFileError::Length) => "length",
            Err(NetworkFileError::Invalid) => "invalid",
            Err(NetworkFileError::OtherGame) => "game",
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn contents_are_not_trusted() {
        let huge = u32::MAX.to_le_bytes();
        assert_eq!(forged(8, &huge), "version");
        assert_eq!(forged(12, &huge), "length");
        assert_eq!(forged(20, &huge), "game");
        // The numbers of heads and columns.
        assert_eq!(forged(52, &huge), "invalid");
        assert_eq!(forged(56, &huge), "invalid");
        // The number of features that tell who comes first.
        assert_eq!(forged(68, &huge), "invalid");
        // The numbers of features and of patterns, of fluents in one, of blockers.
        for at in [60, 64, HEADER + 4, HEADER + 16, HEADER + 28] {
            assert_eq!(forged(at, &huge), "length", "{at}");
        }
        // Fluents that the game does not have, and what is neither true nor false.
        for at in [8, 12, 20, 32, 52, 56] {
            let at = HEADER + at;
            assert_eq!(forged(at, &3_u32.to_le_bytes()), "invalid", "{at}");
        }
        // Weights and sums are numbers.
        for at in [72, HEADER + 500] {
            assert_eq!(forged(at, &f32::NAN.to_le_bytes()), "invalid", "{at}");
        }
        assert_eq!(forged(72, &(-1.0_f32).to_le_bytes()), "invalid");
        // Games and times are only told.
        assert_eq!(forged(76, &[0xff; 16]), "read");
    }

    #[test]
    fn files_that_are_not_there_are_named() {
        let error = load(Path::new("no/such.net"), Some(&game())).expect_err("there is none");
        assert!(error.to_string().starts_with("no/such.net cannot be read"));
        let error = load(Path::new("no/such.net"), None).expect_err("there are no fluents");
        assert!(matches!(error.problem, NetworkFileError::NoNumbers));
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_read() {
        let error = load(Path::new("/dev/null"), Some(&game())).expect_err("it is a device");
        let expected = "/dev/null cannot be read: it is not a regular file";
        assert_eq!(error.to_string(), expected);
    }
}

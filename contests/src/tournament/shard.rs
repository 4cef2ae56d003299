//! Parts of a tournament, for processes that know nothing of each other.

use std::fmt;
use std::str::FromStr;

/// A part of the games: its zero-based index among `count` parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// The index, below `count`.
    pub index: u64,
    /// The number of parts, at least one.
    pub count: u64,
}

impl Shard {
    /// All games.
    pub const WHOLE: Self = Self { index: 0, count: 1 };
}

/// The text does not name a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write 1/4 for the first of four parts")]
pub struct BadShard;

impl FromStr for Shard {
    type Err = BadShard;

    /// Reads `1/4`, the first of four parts.
    fn from_str(text: &str) -> Result<Self, BadShard> {
        let (index, count) = text.split_once('/').ok_or(BadShard)?;
        let number = |text: &str| text.parse::<u64>().map_err(|_| BadShard);
        let (index, count) = (number(index)?, number(count)?);
        match (1..=count).contains(&index) {
            true => Ok(Self {
                index: index - 1,
                count,
            }),
            false => Err(BadShard),
        }
    }
}

impl fmt::Display for Shard {
    /// As part of a file name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}of{}", self.index + 1, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_count_from_one() {
        let last = Shard { index: 3, count: 4 };
        assert_eq!(
            ("4/4".parse(), last.to_string()),
            (Ok(last), "4of4".to_owned())
        );
        for wrong in ["", "1", "0/4", "5/4", "1/0", "a/4", "1/4/2", "-1/4"] {
            assert_eq!(wrong.parse::<Shard>(), Err(BadShard), "{wrong}");
        }
    }
}

//! Rule sheets from the command line: reading them, and refusing them.

use anyhow::Context as _;
use gdlc::source::Source;
use std::fmt;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

/// Rule sheets above this many bytes are refused unread; the largest public
/// one has 69 kB.
const MAX_BYTES: u64 = 1 << 28;

/// Reads a rule sheet, `-` being standard input. Bytes that are not UTF-8 are
/// replaced: such rule sheets exist, with the odd letter in a comment.
///
/// # Errors
/// If the file cannot be read or is larger than 256 MiB.
pub fn read(path: &Path) -> anyhow::Result<Arc<Source>> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    let reader: Box<dyn std::io::Read> = if path == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(std::fs::File::open(path).with_context(|| format!("cannot open {name}"))?)
    };
    reader
        .take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {name}"))?;
    if bytes.len() as u64 > MAX_BYTES {
        anyhow::bail!("{name} has more than {MAX_BYTES} bytes: no rule sheet is that large");
    }
    Ok(Source::new(name, String::from_utf8_lossy(&bytes)))
}

/// The rules were read and are wrong: `gdl` prints the text as it stands and
/// exits with 1, where any other error is prefixed and exits with 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(
    /// The rendered diagnostics.
    pub String,
);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.trim_end())
    }
}

impl std::error::Error for Refused {}

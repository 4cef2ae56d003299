//! Rule sheets from the command line: reading them, and refusing them.

use anyhow::Context as _;
use gdlc::diag::{self, Diagnostic, Severity};
use gdlc::rules::Program;
use gdlc::source::Source;
use std::fmt;
use std::io::{IsTerminal as _, Read as _};
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

/// What a game is called: its file's name without the extension.
#[must_use]
pub fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(
        || "game".to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}

/// Takes a rule sheet to its program; warnings are logged.
///
/// # Errors
/// [`Refused`], if the rules have errors.
pub fn check(source: Arc<Source>) -> Result<Program, Refused> {
    let checked = gdlc::rules::check(source);
    match checked.program {
        Some(program) => {
            for warning in &checked.diagnostics {
                tracing::info!("{}: {}", warning.code, warning.message);
            }
            Ok(program)
        }
        None => Err(Refused::new(&checked.diagnostics)),
    }
}

/// Refuses rules that have errors.
///
/// # Errors
/// [`Refused`], if a diagnostic is an error.
pub fn refuse_errors(diagnostics: &[Diagnostic]) -> Result<(), Refused> {
    let is_error = |found: &Diagnostic| found.severity == Severity::Error;
    if diagnostics.iter().any(is_error) {
        return Err(Refused::new(diagnostics));
    }
    Ok(())
}

/// The rules were read and are wrong: `gdl` prints the text as it stands and
/// exits with 1, where any other error is prefixed and exits with 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(
    /// The rendered diagnostics.
    pub String,
);

impl Refused {
    /// Renders the diagnostics, in colour if standard error is a terminal.
    #[must_use]
    pub fn new(diagnostics: &[Diagnostic]) -> Self {
        Self(diag::render(diagnostics, std::io::stderr().is_terminal()))
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.trim_end())
    }
}

impl std::error::Error for Refused {}

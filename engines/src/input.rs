//! Reads rule sheets, and rejects those with errors.

use gdlc::diag::{self, Diagnostic, Severity};
use gdlc::rules::Program;
use gdlc::source::Source;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

/// Rule sheets of more bytes than this are rejected unread; the largest public one is
/// 69 kB long.
const MAX_BYTES: u64 = 1 << 28;

/// Why a rule sheet could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadRulesError {
    /// The file cannot be opened.
    #[error("cannot open {name}: {error}")]
    Open {
        /// The file.
        name: String,
        /// Why.
        error: io::Error,
    },
    /// The file was opened, but cannot be read.
    #[error("cannot read {name}: {error}")]
    Read {
        /// The file.
        name: String,
        /// Why.
        error: io::Error,
    },
    /// The file is larger than any rule sheet.
    #[error("{name} has more than {MAX_BYTES} bytes: no rule sheet is that large")]
    TooLarge {
        /// The file.
        name: String,
    },
}

/// Reads a rule sheet from a file, or from standard input if the path is `-`. Bytes that
/// are not UTF-8 are replaced: there are rule sheets with such characters in comments.
///
/// # Errors
/// If the file cannot be read or is larger than 256 MiB.
pub fn read(path: &Path) -> Result<Arc<Source>, ReadRulesError> {
    let bytes = read_bytes(path)?;
    let name = path.display().to_string();
    Ok(Source::new(name, String::from_utf8_lossy(&bytes)))
}

/// Reads a rule sheet as [`read`] does, but returns its bytes as they are.
///
/// # Errors
/// As [`read`].
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadRulesError> {
    let name = path.display().to_string();
    let reader: Box<dyn io::Read> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        match File::open(path) {
            Ok(file) => Box::new(file),
            Err(error) => return Err(ReadRulesError::Open { name, error }),
        }
    };
    let mut bytes = Vec::new();
    match reader.take(MAX_BYTES + 1).read_to_end(&mut bytes) {
        Err(error) => Err(ReadRulesError::Read { name, error }),
        Ok(_) if bytes.len() as u64 > MAX_BYTES => Err(ReadRulesError::TooLarge { name }),
        Ok(_) => Ok(bytes),
    }
}

/// The name of a game: that of its file, without the extension.
#[must_use]
pub fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(
        || "game".to_owned(),
        |stem| stem.to_string_lossy().into_owned(),
    )
}

/// Checks a rule sheet; warnings are logged.
///
/// # Errors
/// [`InvalidRules`] if the rules have errors.
pub fn check(source: Arc<Source>) -> Result<Program, InvalidRules> {
    let checked = gdlc::rules::check(source);
    match checked.program {
        Some(program) => {
            for warning in &checked.diagnostics {
                tracing::info!("{}: {}", warning.code, warning.message);
            }
            Ok(program)
        }
        None => Err(InvalidRules(checked.diagnostics)),
    }
}

/// Rejects rules with errors.
///
/// # Errors
/// [`InvalidRules`] if a diagnostic is an error.
pub fn reject_errors(diagnostics: &[Diagnostic]) -> Result<(), InvalidRules> {
    let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
    if diagnostics.iter().any(is_error) {
        return Err(InvalidRules(diagnostics.to_vec()));
    }
    Ok(())
}

/// The rule sheet was read and has errors.
///
/// `gdl` prints the text as it is and exits with 1, while it prefixes all other errors
/// and exits with 2.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", diag::render(.0, false).trim_end())]
pub struct InvalidRules(
    /// What was found.
    pub Vec<Diagnostic>,
);

impl InvalidRules {
    /// The diagnostics as text, with terminal colours if `color` is set.
    #[must_use]
    pub fn render(&self, color: bool) -> String {
        diag::render(&self.0, color).trim_end().to_owned()
    }
}

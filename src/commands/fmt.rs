//! `gdl fmt`: prints rule sheets in one layout.

use anyhow::Context as _;
use gdl_engines::input;
use gdl_engines::whole_file;
use gdlc::diag::render;
use gdlc::format::format;
use gdlc::source::Source;
use similar::TextDiff;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Format rule sheets: one layout, with comments kept and the meaning unchanged
///
/// Files are formatted in place; standard input (`-`, or no file) goes to standard output.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A rule has one condition per line, or stays on one line if it was on one and fits. Facts
of one relation share lines as before, up to 100 columns. Comments are kept; several blank
lines become one.

Exit codes:
  0  everything is formatted
  1  with --check: a file is not formatted; otherwise: a file has syntax errors
  2  a file could not be read or written

Examples:
  gdl fmt games/                  # all rule sheets in a folder, in place
  gdl fmt --check games/          # for continuous integration: shows what would change
  gdl fmt < game.kif              # from standard input to standard output")]
pub struct FmtArgs {
    /// Rule sheets, and folders of .kif and .gdl files; `-` is standard input
    #[arg(
        value_name = "FILE|FOLDER",
        default_value = "-",
        hide_default_value = true
    )]
    paths: Vec<PathBuf>,
    /// Write nothing; show the differences, and exit with 1 if there are any
    #[arg(long)]
    check: bool,
    /// With --check: only list the files that would change
    #[arg(short, long, requires = "check")]
    list: bool,
}

/// What became of a file, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Formatted,
    NotFormatted,
    Failed,
}

/// Formats every file, or compares it with what it should be.
///
/// # Errors
/// If standard output cannot be written. A file that cannot be read or written is reported
/// and makes the exit code 2; the other files are still formatted.
pub fn run(args: &FmtArgs) -> anyhow::Result<ExitCode> {
    let mut worst = Outcome::Formatted;
    for path in &args.paths {
        let outcome = match files(path) {
            Ok(files) => format_all(args, &files)?,
            Err(error) => report(&error),
        };
        worst = worst.max(outcome);
    }
    Ok(ExitCode::from(match worst {
        Outcome::Formatted => 0,
        Outcome::NotFormatted => 1,
        Outcome::Failed => 2,
    }))
}

fn report(error: &anyhow::Error) -> Outcome {
    eprintln!("error: {error:#}");
    Outcome::Failed
}

/// The path itself or, if it is a folder, the rule sheets in it, sorted by name.
fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let context = || format!("cannot read {}", path.display());
    let mut files = Vec::new();
    for entry in path.read_dir().with_context(context)? {
        let file = entry.with_context(context)?.path();
        let extension = file.extension();
        if extension.is_some_and(|name| name == "kif" || name == "gdl") && file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

fn format_all(args: &FmtArgs, files: &[PathBuf]) -> anyhow::Result<Outcome> {
    let mut worst = Outcome::Formatted;
    for file in files {
        let outcome = match read(file) {
            Ok(source) => format_one(args, file, &source)?,
            Err(error) => report(&error),
        };
        worst = worst.max(outcome);
    }
    Ok(worst)
}

/// Reads a rule sheet. Bytes that are not UTF-8 are an error, since formatting would lose
/// them.
fn read(file: &Path) -> anyhow::Result<Arc<Source>> {
    let name = file.display();
    let text = String::from_utf8(input::read_bytes(file)?).ok();
    let text =
        text.with_context(|| format!("{name} is not UTF-8; formatting it would lose characters"))?;
    Ok(Source::new(name.to_string(), text))
}

fn format_one(args: &FmtArgs, file: &Path, source: &Arc<Source>) -> anyhow::Result<Outcome> {
    let formatted = match format(source) {
        Ok(formatted) => formatted,
        Err(errors) => {
            eprint!("{}", render(&errors, std::io::stderr().is_terminal()));
            return Ok(Outcome::NotFormatted);
        }
    };
    if args.check {
        return show_changes(args, source, &formatted);
    }
    if file == Path::new("-") {
        let mut out = std::io::stdout().lock();
        (out.write_all(formatted.as_bytes())).context("cannot write to standard output")?;
    } else if formatted != source.text
        && let Err(error) = replace(file, &formatted)
    {
        return Ok(report(&error));
    }
    Ok(Outcome::Formatted)
}

/// Prints what formatting a file would change.
fn show_changes(args: &FmtArgs, source: &Source, formatted: &str) -> anyhow::Result<Outcome> {
    if formatted == source.text {
        return Ok(Outcome::Formatted);
    }
    let name = &source.name;
    let mut out = std::io::stdout().lock();
    let written = if args.list {
        writeln!(out, "{name}")
    } else {
        let diff = TextDiff::from_lines(source.text.as_str(), formatted);
        let mut diff = diff.unified_diff();
        write!(out, "{}", diff.header(name, &format!("{name} formatted")))
    };
    written.context("cannot write to standard output")?;
    Ok(Outcome::NotFormatted)
}

/// Replaces a file atomically, so that an interruption leaves the old content.
fn replace(file: &Path, text: &str) -> anyhow::Result<()> {
    let context = || format!("cannot write {}", file.display());
    // Follow links, so that the file is replaced and not the link to it.
    let file = file.canonicalize().with_context(context)?;
    let permissions = file.metadata().with_context(context)?.permissions();
    let mut new = whole_file::begin(&file).with_context(context)?;
    (new.as_file().set_permissions(permissions)).with_context(context)?;
    new.write_all(text.as_bytes()).with_context(context)?;
    new.persist(&file).with_context(context)?;
    Ok(())
}

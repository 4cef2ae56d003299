//! `gdl check`: reports errors and warnings in rule sheets, with their positions.

use anyhow::Context as _;
use gdl_engines::input;
use gdlc::diag::{Diagnostic, Fix, Severity, render};
use gdlc::rules;
use gdlc::source::Source;
use serde_json::{Value, json};
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

/// Check rule sheets, and report every error and warning with its position
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Exit codes:
  0  no errors; there may be warnings
  1  errors
  2  a file could not be read

Examples:
  gdl check games/*.kif
  gdl check --json game.kif | jq '.[] | select(.severity == \"error\")'")]
pub struct CheckArgs {
    /// Rule sheets; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON array of everything found instead of text
    #[arg(long)]
    json: bool,
    /// Do not print warnings
    #[arg(short, long)]
    quiet: bool,
}

/// Checks every file and prints its diagnostics to standard output.
///
/// # Errors
/// If standard output cannot be written. A file that cannot be read is reported and
/// makes the exit code 2; the other files are still checked.
pub fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let mut found = Vec::new();
    let mut unreadable = 0;
    for file in &args.files {
        match input::read(file) {
            Ok(source) => found.extend(rules::check(source).diagnostics),
            Err(error) => {
                eprintln!("error: {error:#}");
                unreadable += 1;
            }
        }
    }
    let count = |severity| {
        found
            .iter()
            .filter(|found| found.severity == severity)
            .count()
    };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    if args.quiet {
        found.retain(|found| found.severity == Severity::Error);
    }
    print(args, &found).context("cannot write to standard output")?;
    if !args.json {
        let files = counted(args.files.len(), "file");
        let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
        eprintln!("checked {files}: {errors}, {warnings}");
    }
    Ok(ExitCode::from(match (unreadable, errors) {
        (0, 0) => 0,
        (0, _) => 1,
        _ => 2,
    }))
}

fn print(args: &CheckArgs, found: &[Diagnostic]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    if args.json {
        let values: Vec<Value> = found.iter().map(to_json).collect();
        return writeln!(out, "{:#}", Value::Array(values));
    }
    for of_one_file in found.chunk_by(|one, next| one.source.name == next.source.name) {
        write!(out, "{}", render(of_one_file, out.is_terminal()))?;
    }
    Ok(())
}

fn to_json(found: &Diagnostic) -> Value {
    let (line, column) = found.line_column();
    let (end_line, end_column) = found.source.line_column(found.span.end as usize);
    let places = found.secondary.iter().map(|(span, label)| {
        let (line, column) = found.source.line_column(span.start as usize);
        json!({ "line": line, "column": column, "label": label })
    });
    json!({
        "file": found.source.name,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "severity": found.severity.to_string(),
        "code": found.code,
        "message": found.message,
        "label": found.label,
        "places": places.collect::<Vec<_>>(),
        "notes": found.notes,
        "fix": found.fix.as_ref().map(|fix| fix_to_json(&found.source, fix)),
    })
}

/// Every place has its text; that of the first is also that of the whole, as it was when there was
/// only one.
fn fix_to_json(source: &Source, fix: &Fix) -> Value {
    let places = fix.edits.iter().map(|(span, text)| {
        let (line, column) = source.line_column(span.start as usize);
        let (end_line, end_column) = source.line_column(span.end as usize);
        json!({
            "line": line,
            "column": column,
            "end_line": end_line,
            "end_column": end_column,
            "text": text,
        })
    });
    let first = fix.edits.first().map(|(_, text)| text);
    json!({ "text": first, "places": places.collect::<Vec<_>>() })
}

/// A count with its noun: `1 file`, `2 files`.
fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

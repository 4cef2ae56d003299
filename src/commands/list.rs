//! `gdl list`: the games that are linked into this binary.

use std::process::ExitCode;

/// List the games that are built in
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl list            the games of games/, compiled into this binary")]
pub struct Args {}

/// Prints a game a line.
///
/// # Errors
/// If standard output cannot be written.
pub fn run(_args: &Args) -> anyhow::Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}

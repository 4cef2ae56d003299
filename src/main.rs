//! The `gdl` command.

use clap::Parser;
use gdl_cli::commands::Cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    // `gdl … | head` must end quietly: by default, writing to a closed pipe makes
    // `println!` panic.
    sigpipe::reset();
    gdl_cli::standalone::run().unwrap_or_else(|| Cli::parse().run())
}

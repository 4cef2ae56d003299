//! The subcommands, one file each.
//!
//! A subcommand `name` is a file `name.rs` with
//! `pub struct NameArgs` (derives [`clap::Args`]; its doc comment is the line that
//! `gdl --help` prints, its `after_help` has examples) and
//! `pub fn run(&NameArgs) -> anyhow::Result<ExitCode>`. To add one, add two lines
//! here: its `pub mod` and its entry in `subcommands!`.

pub mod agents;
pub mod bench;
pub mod budget;
pub mod build;
pub mod check;
pub mod compliance;
mod contest_args;
mod contest_progress;
pub mod fmt;
pub mod host;
pub mod learn;
mod learning_args;
pub mod list;
mod live_args;
mod live_run;
pub mod lsp;
pub mod matches;
pub mod perft;
pub mod play;
pub mod results;
pub mod serve;
pub mod show;
pub mod tournament;
pub mod verify;
pub mod view;

use anyhow::Context as _;
use gdl_engines::input::InvalidRules;
use gdl_runtime::lanes::CpuLevel;
use std::io::IsTerminal as _;
use std::process::ExitCode;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

/// Compile games written in the Game Description Language, and play them
///
/// Rule sheets are .kif files; `-` stands for standard input.
#[derive(Debug, clap::Parser)]
#[command(name = "gdl", version, after_help = HELP)]
pub struct Cli {
    /// Log more to standard error; -vv logs everything
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    #[command(subcommand)]
    command: Command,
}

const HELP: &str = "\
Exit codes:
  0  done, and the answer is yes
  1  done, and the answer is no: errors in the rules, a mismatch, a difference
  2  not done: wrong usage, an unreadable file, a game that is too large

RUST_LOG chooses what is logged (e.g. RUST_LOG=gdlc=debug) and overrides -v. GDL_CPU is the
highest instruction-set level to use, where the processor has more: avx512, avx2, sse2 or
portable.";

/// Makes the enum of subcommands and its dispatch from `Variant => module::Args`,
/// in the order of `gdl --help`.
macro_rules! subcommands {
    ($($variant:ident => $module:ident::$args:ident,)*) => {
        #[derive(Debug, clap::Subcommand)]
        enum Command {
            $($variant($module::$args),)*
        }

        impl Command {
            fn run(&self) -> anyhow::Result<ExitCode> {
                match self {
                    $(Self::$variant(args) => $module::run(args),)*
                }
            }
        }
    };
}

subcommands! {
    Build => build::BuildArgs,
    Check => check::CheckArgs,
    Fmt => fmt::FmtArgs,
    Lsp => lsp::LspArgs,
    List => list::ListArgs,
    Play => play::PlayArgs,
    View => view::ViewArgs,
    Host => host::HostArgs,
    Match => matches::MatchArgs,
    Tournament => tournament::TournamentArgs,
    Results => results::ResultsArgs,
    Agents => agents::AgentsArgs,
    Learn => learn::LearnArgs,
    Serve => serve::ServeArgs,
    Perft => perft::PerftArgs,
    Bench => bench::BenchArgs,
    Show => show::ShowArgs,
    Verify => verify::VerifyArgs,
    Compliance => compliance::ComplianceArgs,
}

impl Cli {
    /// Runs the chosen subcommand; errors are printed and become exit codes.
    #[must_use]
    pub fn run(&self) -> ExitCode {
        // A server reports what happens without being asked.
        let serves = matches!(self.command, Command::Serve(_));
        start_logging(self.verbose + u8::from(serves));
        match check_level().and_then(|()| self.command.run()) {
            Ok(code) => code,
            Err(error) => match error
                .chain()
                .find_map(|cause| cause.downcast_ref::<InvalidRules>())
            {
                Some(invalid) => {
                    eprintln!("{}", invalid.render(std::io::stderr().is_terminal()));
                    ExitCode::from(1)
                }
                None => {
                    eprintln!("error: {error:#}");
                    ExitCode::from(2)
                }
            },
        }
    }
}

/// Refuses to go on if the environment names a level that this processor does not have.
///
/// # Errors
/// What is wrong with the variable.
pub(crate) fn check_level() -> anyhow::Result<()> {
    CpuLevel::from_environment().context(CpuLevel::GDL_CPU)?;
    Ok(())
}

/// Logs go to standard error, so that answers can be piped.
pub(crate) fn start_logging(verbose: u8) {
    let default = [LevelFilter::WARN, LevelFilter::INFO, LevelFilter::TRACE];
    let default = || Targets::new().with_default(default[usize::from(verbose.min(2))]);
    let filter = match std::env::var("RUST_LOG") {
        Ok(directives) => directives.parse::<Targets>().unwrap_or_else(|error| {
            eprintln!("warning: RUST_LOG is ignored: {error}");
            default()
        }),
        Err(_) => default(),
    };
    let layer = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time();
    // Already set where a test runs several commands in one process.
    let _ = tracing_subscriber::registry()
        .with(layer.with_filter(filter))
        .try_init();
}

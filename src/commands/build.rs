//! `gdl build`: a game as an executable.

use crate::standalone;
use anyhow::ensure;
use gdl_engines::input;
use gdl_engines::native::{CompileLimits, CompileRequest, CompilerCache, emit_game};
use gdl_runtime::lanes::Width;
use gdl_runtime::stop_flag::StopFlag;
use gdlc::compile::{self, compile};
use indicatif::ProgressBar;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Compile a game into an executable that plays it
///
/// The executable needs neither a compiler nor the rule sheet: it can play, match,
/// serve, perft and bench. Compiled code is kept in the user's cache folder (or the one
/// that GDL_CACHE names), so the same game is not compiled twice.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl build games/breakthrough.kif                  makes ./breakthrough
  gdl build games/breakthrough.kif -o bt && ./bt play
  ./bt serve --port 9147                            a player on the network
  ./bt perft 4")]
pub struct BuildArgs {
    /// The rule sheet
    file: PathBuf,
    /// Where to write the executable [default: the rule sheet's name, in the current folder]
    #[arg(short, long, value_name = "BIN")]
    output: Option<PathBuf>,
}

impl BuildArgs {
    /// Where to write the executable: never over the rule sheet, whose name may have no extension.
    fn output(&self) -> anyhow::Result<PathBuf> {
        let output = match &self.output {
            Some(output) => output.clone(),
            None => {
                let has_name = self.file != Path::new("-");
                ensure!(has_name, "standard input has no name: give one with -o");
                input::stem(&self.file).into()
            }
        };
        let known = output.canonicalize().ok();
        ensure!(
            known.is_none() || known != self.file.canonicalize().ok(),
            "the executable {} would replace the rules: name another file with -o",
            output.display()
        );
        Ok(output)
    }
}

/// Builds the executable.
///
/// # Errors
/// If the rules have errors, the game is too large, or there is no compiler.
pub fn run(args: &BuildArgs) -> anyhow::Result<ExitCode> {
    let source = input::read(&args.file)?;
    let name = input::stem(&args.file);
    let output = args.output()?;
    let program = input::check(Arc::clone(&source))?;
    let progress = ProgressBar::new_spinner().with_message("compiling the rules");
    progress.enable_steady_tick(Duration::from_millis(100));
    let compilation = compile(&program, &compile::CompileOptions::default())?;
    let code = emit_game(&name, &program, &compilation.plan, &Width::COMPILED)?;
    progress.set_message("compiling the emitted code");
    let request = CompileRequest {
        code: &code,
        rules: None,
    };
    let cache = CompilerCache::from_environment()?;
    let library =
        cache.build_library(&request, &CompileLimits::FOREGROUND, &StopFlag::default())?;
    standalone::write(&library, &source, &output)?;
    progress.finish_and_clear();
    println!("built {}", output.display());
    Ok(ExitCode::SUCCESS)
}

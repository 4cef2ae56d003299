//! Stand-alone executables: this program with a compiled game behind it.
//!
//! `gdl build` copies the running executable and appends the game's library and
//! a trailer; a started executable that finds a trailer at its end plays that
//! game. So a game is built in the time that its library takes, and the result
//! needs neither the compiler nor anything else.

use crate::commands::{bench, perft, play};
use anyhow::{Context as _, ensure};
use clap::Parser;
use gdl_engines::LoadedEngine;
use gdl_engines::native::Library;
use gdl_runtime::engine::Engine as _;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::process::ExitCode;

/// The last bytes of an executable with a game; before them stand the library's
/// length, as eight bytes, and the library.
const TRAILER: &[u8; 16] = b"gdl game payload";

/// Bytes behind the library.
const TAIL: u64 = 8 + TRAILER.len() as u64;

/// Play a compiled game
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Play a match: agents against each other, or against people
    Play(play::Table),
    /// Count the move sequences of the game, length by length
    Perft(perft::Counting),
    /// Measure the game by uniformly random playouts
    Bench(bench::Measuring),
}

/// Appends a library to a copy of the running executable.
///
/// # Errors
/// If a file cannot be read or written.
pub fn write(library: &Path, out: &Path) -> anyhow::Result<()> {
    let program = std::env::current_exe().context("cannot find the running executable")?;
    ensure!(
        read_payload()?.is_none(),
        "this executable holds a game itself"
    );
    std::fs::copy(&program, out).with_context(|| format!("cannot write {}", out.display()))?;
    let payload =
        std::fs::read(library).with_context(|| format!("cannot read {}", library.display()))?;
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .open(out)
        .with_context(|| format!("cannot write {}", out.display()))?;
    file.write_all(&payload)?;
    file.write_all(&(payload.len() as u64).to_le_bytes())?;
    file.write_all(TRAILER)?;
    Ok(())
}

/// Plays the game behind the running executable, if there is one.
#[must_use]
pub fn run() -> Option<ExitCode> {
    let payload = match read_payload() {
        Ok(payload) => payload?,
        Err(error) => {
            eprintln!("error: {error:#}");
            return Some(ExitCode::from(2));
        }
    };
    let cli = Cli::parse();
    let outcome = load(&payload).and_then(|engine| dispatch(&cli, engine));
    Some(outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    }))
}

fn dispatch(cli: &Cli, mut engine: LaneEngine) -> anyhow::Result<ExitCode> {
    let name = engine.layout().name.clone();
    match &cli.command {
        Command::Play(table) => play::play(&name, &mut engine, table),
        Command::Perft(counting) => perft::count(&name, &mut engine, counting),
        Command::Bench(measuring) => {
            let loaded = LoadedEngine {
                engine: Box::new(engine),
                setup: Vec::new(),
                size: None,
            };
            bench::run_loaded(&name, "native", loaded, measuring)
        }
    }
}

/// The library behind the running executable, if there is one.
fn read_payload() -> anyhow::Result<Option<Vec<u8>>> {
    let program = std::env::current_exe().context("cannot find the running executable")?;
    let mut file = std::fs::File::open(&program).context("cannot read the running executable")?;
    let length = file.metadata()?.len();
    let Some(tail_at) = length.checked_sub(TAIL) else {
        return Ok(None);
    };
    let mut tail = [0; TAIL as usize];
    file.seek(SeekFrom::Start(tail_at))?;
    file.read_exact(&mut tail)?;
    let (size, trailer) = tail.split_at(8);
    if trailer != TRAILER {
        return Ok(None);
    }
    let size = u64::from_le_bytes(size.try_into().context("eight bytes")?);
    let start = tail_at.checked_sub(size).context("the game is cut off")?;
    let mut payload = vec![0; usize::try_from(size)?];
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut payload)?;
    Ok(Some(payload))
}

/// Loads the library from a file that is gone as soon as it is loaded.
fn load(payload: &[u8]) -> anyhow::Result<LaneEngine> {
    let mut file = tempfile::Builder::new()
        .prefix("gdl-game-")
        .tempfile()
        .context("cannot make a temporary file")?;
    file.write_all(payload)
        .context("cannot write a temporary file")?;
    let engine = Library::load(file.path())?.engine(Width::widest())?;
    tracing::debug!(engine = engine.name(), "loaded the game");
    Ok(engine)
}

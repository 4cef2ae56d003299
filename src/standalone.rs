//! Stand-alone executables: this program with a compiled game appended.
//!
//! `gdl build` copies the running executable and appends the game's library, its rule
//! sheet and a trailer. An executable that finds a trailer at its own end when it starts
//! plays that game. Building therefore takes no longer than compiling the library, and the
//! result needs neither the compiler nor any other file.

use crate::commands::{bench, check_level, matches, perft, play, serve, start_logging};
use anyhow::{Context as _, ensure};
use clap::Parser;
use gdl_contests::contest_game::ContestGame;
use gdl_engines::native::{Library, PrecompiledGame};
use gdl_engines::whole_file;
use gdl_engines::{EngineKind, LoadedEngine};
use gdl_runtime::lanes::Width;
use gdlc::source::Source;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// The last bytes of an executable that holds a game. Before them are the lengths of the
/// library and of the rule sheet, eight bytes each, and before those the library and the
/// rule sheet themselves.
const TRAILER: &[u8; 16] = b"gdl game payload";

/// The number of bytes after the rule sheet.
const TAIL: u64 = 8 + 8 + TRAILER.len() as u64;

/// Play a compiled game
#[derive(Debug, Parser)]
#[command(version)]
struct StandaloneCli {
    #[command(subcommand)]
    command: StandaloneCommand,
}

#[derive(Debug, clap::Subcommand)]
enum StandaloneCommand {
    /// Play a match: agents against each other, or against people
    Play(play::PlayOptions),
    /// Let agents play many games, and find out which is better
    ///
    /// It does what `gdl match` does with the rule sheet of this game and the engine
    /// `native`, and goes on with the same files.
    Match(matches::MatchOptions),
    /// Play matches for hosts on the network, by the GGP protocol
    ///
    /// A host that sends the rules of this game is answered by the compiled game from
    /// the first move, without a compiler. Other rules, including those of this game with
    /// other names, are played as `gdl serve` plays them: at once on the net engine,
    /// and on native code if rustc is installed.
    Serve(serve::ServeOptions),
    /// Count the move sequences of the game, length by length
    Perft(perft::PerftOptions),
    /// Measure the game by uniformly random playouts
    Bench(bench::MeasurementOptions),
}

/// Writes an executable that plays a game: a copy of the running one with the game's
/// library and rule sheet.
///
/// # Errors
/// If a file cannot be read or written.
pub fn write(library: &Path, rules: &Source, out: &Path) -> anyhow::Result<()> {
    let program = std::env::current_exe().context("cannot find the running executable")?;
    ensure!(
        read_payload()?.is_none(),
        "this executable already holds a game"
    );
    let library =
        std::fs::read(library).with_context(|| format!("cannot read {}", library.display()))?;
    let assemble = || {
        let mut original = File::open(&program)?;
        let permissions = original.metadata()?.permissions();
        let mut file = whole_file::begin(out)?;
        std::io::copy(&mut original, file.as_file_mut())?;
        let parts = [&library[..], rules.text.as_bytes()];
        for part in parts {
            file.write_all(part)?;
        }
        for part in parts {
            file.write_all(&(part.len() as u64).to_le_bytes())?;
        }
        file.write_all(TRAILER)?;
        // Last, since the running executable may be one that nobody may write to.
        file.as_file().set_permissions(permissions)?;
        file.persist(out)?;
        Ok::<_, std::io::Error>(())
    };
    assemble().with_context(|| format!("cannot write {}", out.display()))
}

/// Runs the game appended to the running executable; `None` if there is none.
#[must_use]
pub fn run() -> Option<ExitCode> {
    let payload = match read_payload() {
        Ok(payload) => payload?,
        Err(error) => {
            eprintln!("error: {error:#}");
            return Some(ExitCode::from(2));
        }
    };
    let cli = StandaloneCli::parse();
    let serves = matches!(cli.command, StandaloneCommand::Serve(_));
    start_logging(u8::from(serves));
    let outcome = check_level()
        .and_then(|()| load(payload))
        .and_then(|game| dispatch(&cli.command, game));
    Some(outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    }))
}

fn dispatch(command: &StandaloneCommand, game: PrecompiledGame) -> anyhow::Result<ExitCode> {
    let mut engine = game.engine(Width::widest())?;
    let name = engine.layout().name.clone();
    match command {
        StandaloneCommand::Play(options) => play::play(&name, &mut engine, game.source(), options),
        StandaloneCommand::Match(options) => {
            let source = Arc::clone(game.source());
            let (rules, kind) = (&source.text, EngineKind::Native);
            let game = ContestGame::from_rules(name, rules, Box::new(engine), kind);
            matches::play(&game, options)
        }
        StandaloneCommand::Serve(options) => serve::serve(options, Some(Arc::new(game))),
        StandaloneCommand::Perft(options) => perft::count(&name, &mut engine, options),
        StandaloneCommand::Bench(options) => {
            let loaded = LoadedEngine {
                engine: Box::new(engine),
                setup: Vec::new(),
                size: None,
            };
            bench::run_loaded(&name, EngineKind::Native.name(), loaded, options)
        }
    }
}

/// What is appended to an executable.
struct Payload {
    library: Vec<u8>,
    rules: String,
}

/// Reads what is appended to the running executable; `None` if nothing is.
fn read_payload() -> anyhow::Result<Option<Payload>> {
    let program = std::env::current_exe().context("cannot find the running executable")?;
    let mut file = File::open(&program).context("cannot read the running executable")?;
    let length = file.metadata()?.len();
    let Some(tail_at) = length.checked_sub(TAIL) else {
        return Ok(None);
    };
    file.seek(SeekFrom::Start(tail_at))?;
    let (library, rules) = (read_length(&mut file)?, read_length(&mut file)?);
    if read_bytes(&mut file, TRAILER.len() as u64)? != TRAILER {
        return Ok(None);
    }
    let start = library
        .checked_add(rules)
        .and_then(|payload| tail_at.checked_sub(payload))
        .context("the appended game is truncated")?;
    file.seek(SeekFrom::Start(start))?;
    Ok(Some(Payload {
        library: read_bytes(&mut file, library)?,
        rules: String::from_utf8(read_bytes(&mut file, rules)?).context("the rules are damaged")?,
    }))
}

fn read_length(file: &mut File) -> anyhow::Result<u64> {
    let mut bytes = [0; 8];
    file.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn read_bytes(file: &mut File, count: u64) -> anyhow::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(count)?];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Loads the library from a temporary file, which is deleted once it is loaded.
fn load(payload: Payload) -> anyhow::Result<PrecompiledGame> {
    let mut file = tempfile::Builder::new()
        .prefix("gdl-game-")
        .tempfile()
        .context("cannot make a temporary file")?;
    file.write_all(&payload.library)
        .context("cannot write a temporary file")?;
    let library = Library::load(file.path())?;
    // Rules from hosts have no file name either; this is the name that messages show.
    Ok(PrecompiledGame::new(
        Source::new("rules", payload.rules),
        library,
    ))
}

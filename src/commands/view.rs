//! `gdl view`: a page in the browser to play, analyse, replay and write games.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::live_args::open_page;
use anyhow::{Context as _, bail};
use gdl_engines::builtin;
use gdl_view::records::{self, Recorded};
use gdl_view::{GameLibrary, Limits, ViewServer, replay_file};

/// Play, analyse, replay and write games in the browser
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl view                       the built-in games
  gdl view hex                   one of them, opened at once
  gdl view my-game.kif           a rule sheet of your own
  gdl view games records         all rule sheets and records of two folders
  gdl view --no-open --port 8017 prints the address and opens no browser
  gdl view match.json -o match.html        a recorded match as a file of its own
  gdl view hex.kif match.json -o a.html    of a game that is not built in")]
pub struct ViewArgs {
    /// Rule sheets, records of matches, folders of these, or names of built-in games
    paths: Vec<PathBuf>,
    /// Port to serve the page on; any free one if 0
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Address to listen on; other machines can reach the page if it is not a loopback address
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Print the address instead of opening a browser
    #[arg(long)]
    no_open: bool,
    /// Memory of every search, in MiB. A page may have one per role, one per agent that analyses
    /// (up to four), and one that values the states of a match
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,
    /// Write a recorded match to this file, which needs no server, instead of serving a page
    #[arg(short, long, value_name = "FILE",
          conflicts_with_all = ["port", "listen", "no_open", "memory", "pages"])]
    output: Option<PathBuf>,
    /// Pages that may be open at a time
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    pages: u32,
}

/// Serves the page until it is interrupted.
///
/// # Errors
/// If a path cannot be read, or the address cannot be used.
pub fn run(args: &ViewArgs) -> anyhow::Result<ExitCode> {
    if let Some(output) = &args.output {
        return write_replay(&args.paths, output);
    }
    let library = GameLibrary::new(&args.paths).context("cannot list what to show")?;
    let limits = Limits {
        pages: args.pages as usize,
        memory: (args.memory as usize) << 20,
        ..Limits::default()
    };
    let address = SocketAddr::new(args.listen, args.port);
    let server = ViewServer::bind(address, library, limits)
        .with_context(|| format!("cannot listen at {address}"))?;
    let page = format!("http://{}/", server.address());
    println!("{page}");
    if !args.no_open {
        open_page(&page);
    }
    server.run()?;
    Ok(ExitCode::SUCCESS)
}

/// The built-in game that a record names. Anything else that it names could be any file.
fn named_game(recorded: &Recorded) -> Option<PathBuf> {
    let named = recorded.game.as_ref()?;
    let is_built_in = builtin().iter().any(|game| game.name() == *named);
    is_built_in.then(|| named.into())
}

/// Writes a record, the last of the paths, as a file that replays it. The path before it is
/// the rule sheet; without one, the game is the built-in one that the record names.
fn write_replay(paths: &[PathBuf], output: &Path) -> anyhow::Result<ExitCode> {
    let (record, game) = match paths {
        [record] => (record, None),
        [game, record] => (record, Some(game.clone())),
        _ => bail!("-o takes a record, or a rule sheet and a record"),
    };
    let bytes =
        std::fs::read(record).with_context(|| format!("cannot read {}", record.display()))?;
    let recorded = records::read(&bytes).with_context(|| record.display().to_string())?;
    let game = game
        .or_else(|| named_game(&recorded))
        .context("the record names no game that is built in: give its rule sheet first")?;
    let document = replay_file(&game, &recorded)?;
    std::fs::write(output, document)
        .with_context(|| format!("cannot write {}", output.display()))?;
    Ok(ExitCode::SUCCESS)
}

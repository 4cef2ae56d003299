//! `gdl view`: a page in the browser to play, analyse, replay and write games.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use gdl_view::{GameLibrary, Limits, ViewServer};

/// Play, analyse, replay and write games in the browser
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl view                       the built-in games
  gdl view hex                   one of them, opened at once
  gdl view my-game.kif           a rule sheet of your own
  gdl view games records         all rule sheets and records of two folders
  gdl view --no-open --port 8017 prints the address and opens no browser")]
pub struct ViewArgs {
    /// Rule sheets, records of matches, folders of these, or names of built-in games
    paths: Vec<PathBuf>,
    /// Port to serve the page on; any free one if 0
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Address to listen at; other machines can reach the page if it is not a loopback address
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Print the address instead of opening a browser
    #[arg(long)]
    no_open: bool,
    /// Memory of the search of each player, in MiB
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,
    /// Pages that may be open at a time
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    pages: u32,
}

/// Serves the page until it is interrupted.
///
/// # Errors
/// If a path cannot be read, or the address cannot be used.
pub fn run(args: &ViewArgs) -> anyhow::Result<ExitCode> {
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
    if !args.no_open
        && let Err(error) = open::that_detached(&page)
    {
        eprintln!("open {page} in a browser: {error}");
    }
    server.run()?;
    Ok(ExitCode::SUCCESS)
}

//! `gdl serve`: a player on the network.

use super::learning_args::LearningArgs;
use super::live_args::{LiveArgs, LivePage};
use anyhow::{Context as _, ensure};
use gdl_agent::agents::Agent;
use gdl_engines::native::{PrecompiledGame, Rustc};
use gdl_network::serve::{Events, MatchObserver, MatchRegistry, PlayerSettings, Server};
use gdl_runtime::stop_flag::StopFlag;
use gdl_view::live::LiveServing;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Play matches for hosts on the network, by the GGP protocol
///
/// A host sends the rules of a game. The match begins on the net engine at once, and
/// continues on native code as soon as it is compiled.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl serve                                  wait for hosts on port 9147
  gdl serve --agent uct+mast --matches 4     another agent, up to four matches at once
  gdl serve --port 0 --json                  any free port; one line of JSON per event
  gdl serve --view                           shows the boards in the browser

What happens in a match is logged to standard error. Its record, in the JSON of
GGP Base, is written to --folder after every move. Native code needs rustc; without
it, matches are played on the net engine. Compiled games are kept (GDL_CACHE, by
default in the user's cache folder; at most GDL_CACHE_LIMIT MiB of them), and so is
what an agent has learned about a game, to continue from in the next match.

The player stops when interrupted (Ctrl-C, SIGTERM), with exit code 0.")]
pub struct ServeArgs {
    #[command(flatten)]
    options: ServeOptions,
}

/// How to serve, and where.
#[derive(Debug, Clone, clap::Args)]
pub struct ServeOptions {
    /// The port to listen on; 0 picks a free one
    #[arg(long, value_name = "PORT", default_value_t = 9147)]
    port: u16,
    /// The address to listen on; by default all addresses of this machine
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::UNSPECIFIED))]
    listen: IpAddr,
    /// The agent that chooses the moves, as explained by `gdl agents`
    #[arg(long, default_value_t = Agent::champion())]
    agent: Agent,
    #[command(flatten)]
    learning: LearningArgs,
    /// What the player calls itself
    #[arg(long, default_value = "gdl")]
    name: String,
    /// Maximum number of matches at a time
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u16).range(1..=1000))]
    matches: u16,
    /// Memory for the tree of each match, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    memory: u32,
    /// Never compile native code
    #[arg(long)]
    no_native: bool,
    /// The folder for records of matches; by default in the user's data folder
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Print events as lines of JSON to standard output
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    live: LiveArgs,
}

/// Serves until it is interrupted.
///
/// # Errors
/// If the port cannot be listened on.
pub fn run(args: &ServeArgs) -> anyhow::Result<ExitCode> {
    serve(&args.options, None)
}

/// Serves until it is interrupted; a game that is compiled already is played by its
/// engine from the first move.
///
/// # Errors
/// If the port cannot be listened on.
pub fn serve(
    args: &ServeOptions,
    precompiled: Option<Arc<PrecompiledGame>>,
) -> anyhow::Result<ExitCode> {
    let word = |name: &str| {
        !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || "();".contains(c))
    };
    ensure!(
        word(&args.name),
        "--name {}: it has to be one word",
        args.name
    );
    let page = args
        .live
        .serve(&format!("{} plays {}", args.name, args.agent))?;
    let observer = page
        .as_ref()
        .map(|page| Arc::new(LiveServing::new(page.feed.clone())) as Arc<dyn MatchObserver>);
    let events = Events {
        json: args.json,
        observer,
    };
    let settings = PlayerSettings {
        name: args.name.clone(),
        agent: args.learning.equip(args.agent.clone()).into(),
        matches: args.matches.into(),
        memory: (args.memory as usize) << 20,
        precompiled,
        native: !args.no_native && finds_compiler(),
        folder: Some(args.folder()?),
        events: events.clone(),
    };
    let registry = MatchRegistry::new(settings);
    registry.prepare();
    let server = Server::bind(args.listen, args.port, registry)?;
    // Only now, since there is nothing to show if the port is taken.
    page.iter().for_each(LivePage::open);
    let address = reachable(server.address()?);
    let stop = StopFlag::default();
    let raised = stop.clone();
    ctrlc::set_handler(move || {
        raised.raise();
        // Wakes the server, which waits for a connection.
        let _ = TcpStream::connect(address);
    })
    .context("cannot listen for interruptions")?;
    events.listening(&format!("http://{address}"));
    server.run(&stop);
    Ok(ExitCode::SUCCESS)
}

impl ServeOptions {
    fn folder(&self) -> anyhow::Result<PathBuf> {
        if let Some(folder) = &self.folder {
            return Ok(folder.clone());
        }
        let folders = directories::ProjectDirs::from("", "", "gdl")
            .context("there is no home folder to keep records in; set --folder")?;
        Ok(folders.data_local_dir().join("matches"))
    }
}

/// Whether native code can be compiled; logs a warning if not.
fn finds_compiler() -> bool {
    Rustc::find()
        .inspect_err(|error| {
            tracing::warn!("games that are not compiled yet stay on the net engine: {error:#}");
        })
        .is_ok()
}

/// An address at which this machine reaches a server that may listen on all addresses.
fn reachable(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => (Ipv4Addr::LOCALHOST, address.port()).into(),
        IpAddr::V6(ip) if ip.is_unspecified() => {
            (std::net::Ipv6Addr::LOCALHOST, address.port()).into()
        }
        _ => address,
    }
}

//! `gdl host`: a match between players that speak the GGP protocol.

mod errors;
mod record_file;

use super::learning_args::LearningArgs;
use super::live_args::LiveArgs;
use crate::roles;
use crate::screen::{Screen, Verbosity};
use crate::seeds;
use anyhow::{Context as _, ensure};
use gdl_agent::agents::Agent;
use gdl_agent::matches::{Ending, MatchError, MatchEvent};
use gdl_agent::search::SearchLimits;
use gdl_agent::shared_engine::SharedEngine;
use gdl_engines::EngineKind;
use gdl_engines::input;
use gdl_network::host::{
    self, HostedMatch, HostedPlayer, MatchOutcome, MatchSetup, PlayerSpec, RoleAssignment,
    Scramble, clocks,
};
use gdl_network::protocol::{ClockSeconds, Clocks, MatchRecord};
use gdl_runtime::engine::Engine;
use gdl_runtime::stop_flag::StopFlag;
use gdl_view::live::{LiveGame, LiveHosting};
use record_file::RecordFile;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Host a match between players that speak the GGP protocol
///
/// Local agents can take part without a network. A move that is late, missing or
/// illegal is replaced by a random legal one, and the match continues.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl host games/breakthrough.kif --player white=http://localhost:9147 --player black=http://localhost:9148
  gdl host games/tictactoe.kif --player 1=localhost:9147 --playclock 2     the other role is played by champion
  gdl host GAME.kif --player 1=localhost:9147 --player 2=random --scramble
  gdl host GAME.kif --player 1=localhost:9147 --record records/            keeps records/GAME.TIME.json
  gdl host GAME.kif --player 1=localhost:9147 --view                       shows the board in the browser

A role is given by its name, or by its number from 1. A move may arrive up to a
second after the play clock; the answer to the start message may not be late. The
record is the JSON of GGP Base, rewritten at every move. In its errors, row 0 belongs to the
start; TO stands for a late answer, CE for a failed connection, IL for an illegal
move.

Exit codes:
  0  the match ended, and every answer was in time and legal
  1  the match did not end, or a player made an error
  2  not done: wrong usage, no player at an address, interrupted")]
pub struct HostArgs {
    /// The rule sheet, `-` for standard input
    file: PathBuf,
    /// The player of a role: the address of a remote player, as http://HOST:PORT, or an
    /// agent as explained by `gdl agents` (by default champion)
    #[arg(long, value_name = "ROLE=WHO")]
    player: Vec<String>,
    /// Seconds from the rules to the first state
    #[arg(long, value_name = "S", default_value_t = clocks::DEFAULT.start)]
    startclock: ClockSeconds,
    /// Seconds per move
    #[arg(long, value_name = "S", default_value_t = clocks::DEFAULT.play)]
    playclock: ClockSeconds,
    /// Send the rules beforehand, with this many seconds for preparation
    #[arg(long, value_name = "S", value_parser = clocks::preview())]
    preview: Option<u64>,
    /// Replace the words of the rule sheet with random ones, which this seed or, without one,
    /// that of --seed reproduces
    #[arg(long, value_name = "SEED", num_args = 0..=1, require_equals = true)]
    scramble: Option<Option<u64>>,
    /// Write a record to this file, or to a file named after the match in this folder
    #[arg(long, value_name = "PATH")]
    record: Option<PathBuf>,
    /// The engine that runs the game for the host and local agents
    #[arg(long, value_enum, default_value_t = EngineKind::Net)]
    engine: EngineKind,
    /// Memory per local agent for its tree, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    memory: u32,
    #[command(flatten)]
    learning: LearningArgs,
    /// Number of rounds after which the match is abandoned
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    rounds: usize,
    /// Seed of all random choices; by default a fresh one, which is shown
    #[arg(long)]
    seed: Option<u64>,
    /// Print only the result
    #[arg(short, long)]
    quiet: bool,
    /// Print the record as a line of JSON instead
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    live: LiveArgs,
}

/// Hosts a match.
///
/// # Errors
/// If the game cannot be loaded, the arguments do not fit it, or no player answers at an
/// address.
pub fn run(args: &HostArgs) -> anyhow::Result<ExitCode> {
    let source = input::read(&args.file)?;
    let options = gdl_engines::EngineOptions::default();
    let mut engine =
        SharedEngine::new(gdl_engines::open_source(&source, args.engine, &options)?.engine);
    let participants = args.participants(engine.roles())?;
    let agents = participants.iter().filter_map(PlayerSpec::agent);
    for agent in agents {
        agent.check_files(&engine)?;
    }
    let stop = StopFlag::default();
    let raised = stop.clone();
    ctrlc::set_handler(move || raised.raise()).context("cannot listen for interruptions")?;
    let names = host::player_names(participants.iter())?;
    let seed = seeds::given_or_fresh(args.seed);
    let mut screen = Screen::new(&mut engine, &source, args.verbosity());
    let players: Vec<String> = shown(&participants, &names);
    let setup = Arc::new(MatchSetup {
        id: args.match_id(),
        rules: source.text.clone(),
        engine: engine.clone(),
        clocks: args.clocks(),
    });
    let mut hosted = HostedMatch {
        players: args.players(&setup, &participants, &names, seed),
        record: args.begin(&setup, names),
        rounds: args.rounds,
        seed,
        stop,
        setup,
    };
    let mut record_file = RecordFile::begin(args.record.as_deref(), &hosted.record)?;
    screen.introduce(&args.file.display().to_string(), &engine, &players, seed);
    if args.json {
        // The record of GGP Base has no place for it.
        eprintln!("seed {seed}");
    }
    let page = args.page(&hosted.setup, players)?;
    let outcome = hosted.play(&mut |engine, event, record| {
        if let MatchEvent::Reached(..) = event {
            let faults = errors::describe(engine.roles(), record);
            screen.print(&faults);
            record_file.rewrite(record);
            page.iter()
                .for_each(|page| page.follow(event, record, &faults));
        }
        screen.show(engine, event);
    });
    record_file.rewrite(&hosted.record);
    page.iter().for_each(|page| page.conclude(&hosted.record));
    conclude(args, &mut screen, &engine, &hosted.record, outcome)
}

/// Shows the result and returns the exit code.
fn conclude(
    args: &HostArgs,
    screen: &mut Screen,
    engine: &dyn Engine,
    record: &MatchRecord,
    hosted: Result<MatchOutcome, MatchError>,
) -> anyhow::Result<ExitCode> {
    if args.json {
        println!("{}", serde_json::to_string(record)?);
    }
    let hosted = match hosted {
        Ok(hosted) => hosted,
        Err(error) => {
            eprintln!("error: {error}");
            return Ok(ExitCode::from(1));
        }
    };
    if hosted.played.ending == Ending::Quit {
        anyhow::bail!("interrupted after {} moves", record.moves.len());
    }
    screen.conclude(engine, &hosted.played);
    screen.print(&errors::summarise(engine.roles(), record));
    let well = record.is_completed && !record.has_errors();
    Ok(ExitCode::from(u8::from(!well)))
}

impl HostArgs {
    /// Who plays each role.
    fn participants(&self, roles: &[String]) -> anyhow::Result<Vec<PlayerSpec>> {
        let mut participants =
            vec![PlayerSpec::Agent(self.learning.equip(Agent::champion())); roles.len()];
        for spec in &self.player {
            let (role, who) = roles::assignment(roles, spec)?;
            let who: PlayerSpec = who.parse().with_context(|| format!("--player {spec}"))?;
            let address = who.address();
            ensure!(
                address.is_none() || participants.iter().all(|other| other.address() != address),
                "--player {spec}: a player has one role in a match, and this one already has one"
            );
            participants[role] = match who {
                PlayerSpec::Agent(agent) => PlayerSpec::Agent(self.learning.equip(agent)),
                remote => remote,
            };
        }
        Ok(participants)
    }

    /// Returns a name for the match that is a KIF word and a valid file name, and does not
    /// reveal the game if its words are scrambled.
    fn match_id(&self) -> String {
        let safe = |letter: char| match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => letter,
            _ => '_',
        };
        let game = match self.scramble {
            Some(_) => "game".to_owned(),
            None => input::stem(&self.file).chars().map(safe).take(60).collect(),
        };
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        format!("{game}.{}", since.map_or(0, |since| since.as_millis()))
    }

    fn clocks(&self) -> Clocks {
        Clocks {
            preview: self.preview,
            start: self.startclock,
            play: self.playclock,
        }
    }

    fn verbosity(&self) -> Verbosity {
        match (self.json, self.quiet) {
            (true, _) => Verbosity::Silent,
            (false, true) => Verbosity::Results,
            (false, false) => Verbosity::All,
        }
    }

    /// Returns one player per role.
    fn players(
        &self,
        setup: &MatchSetup,
        participants: &[PlayerSpec],
        names: &[String],
        seed: u64,
    ) -> Vec<Arc<dyn HostedPlayer>> {
        let scramble =
            |own: Option<u64>| Arc::new(Scramble::new(&setup.rules, own.unwrap_or(seed)));
        let words = self.scramble.map(scramble);
        let limits = SearchLimits {
            memory: (self.memory as usize) << 20,
            ..SearchLimits::default()
        };
        let player = |(role, who): (usize, &PlayerSpec)| {
            who.player(RoleAssignment {
                name: names[role].clone(),
                role,
                role_name: setup.engine.roles()[role].clone(),
                limits,
                seed: seeds::of_role(seed, role),
                words: words.clone(),
            })
        };
        participants.iter().enumerate().map(player).collect()
    }

    /// The page that shows the match, if `--view` was given.
    fn page(
        &self,
        setup: &MatchSetup,
        players: Vec<String>,
    ) -> anyhow::Result<Option<LiveHosting>> {
        let name = input::stem(&self.file);
        let feed = self
            .live
            .start(&format!("{name}: {}", players.join(" - ")))?;
        Ok(feed.map(|feed| {
            let game = LiveGame::new(&name, &setup.rules, setup.engine.clone());
            game.prepare();
            LiveHosting::new(feed, game, players)
        }))
    }

    /// Returns the record of a match that has not begun.
    fn begin(&self, setup: &MatchSetup, names: Vec<String>) -> MatchRecord {
        let facts = setup.engine.facts(&setup.engine.initial());
        MatchRecord {
            scrambled: self.scramble.is_some(),
            ..MatchRecord::begin(&setup.id, setup.clocks, names, &facts)
        }
    }
}

/// Returns the names of the participants, with addresses where they have one.
fn shown(participants: &[PlayerSpec], names: &[String]) -> Vec<String> {
    let pairs = participants.iter().map(ToString::to_string).zip(names);
    pairs
        .map(|(who, name)| match who == *name {
            true => who,
            false => format!("{name} at {who}"),
        })
        .collect()
}

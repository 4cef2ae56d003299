//! `gdl play`: agents and people play a match at the terminal.
//!
//! [`play`] takes an engine that is already loaded, so that stand-alone games can use it too.

mod person;
mod record;

use super::budget::BudgetOptions;
use super::learning_args::LearningArgs;
use crate::roles;
use crate::screen::{Screen, Verbosity};
use crate::seeds;
use anyhow::{Context as _, ensure};
use gdl_agent::agents::Agent;
use gdl_agent::matches::{self, Ending, MatchError, MatchStepper};
use gdl_agent::player::Player;
use gdl_agent::search::{SearchLimits, TimeControl};
use gdl_contests::budget::MoveBudget;
use gdl_engines::EngineKind;
use gdl_runtime::engine::Engine;
use gdlc::source::Source;
use person::Person;
use record::PlayRecord;
use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Play a match: agents against each other, or against people
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl play games/breakthrough.kif                       two agents, one second per move
  gdl play games/tictactoe.kif --human x                you play x
  gdl play GAME.kif --player 2=random --games 10        against random moves
  gdl play GAME.kif --player 1=uct+rave+mast            a search with more components
  gdl play GAME.kif --sims 10000 --seed 7               the same match every time
  gdl play GAME.kif --json --quiet                      one line of JSON per match

Exit code 1 means that the match did not end: a person quit, it was too long, or the
rules left a role without a move.")]
pub struct PlayArgs {
    /// The rule sheet, `-` for standard input, or the name of a game that is built in
    file: PathBuf,
    /// The engine that runs the game
    #[arg(long, value_enum, default_value_t = EngineKind::Net)]
    engine: EngineKind,
    #[command(flatten)]
    options: PlayOptions,
}

/// Who plays, and how.
#[derive(Debug, Clone, clap::Args)]
pub struct PlayOptions {
    /// A person plays this role (its name, or its number from 1)
    #[arg(long, value_name = "ROLE")]
    human: Vec<String>,
    /// The player of a role: human, or an agent as explained by `gdl agents` (by default
    /// champion with a time per move, otherwise uct)
    #[arg(long, value_name = "ROLE=WHO")]
    player: Vec<String>,
    #[command(
        flatten,
        next_help_heading = "Budget per move (--time 1s if none is given)"
    )]
    budget: BudgetOptions,
    /// Time in which champions learn before the first move, with --time
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = humantime::parse_duration)]
    start: Duration,
    #[command(flatten)]
    learning: LearningArgs,
    /// Seed of all random choices; by default a fresh one, which is shown
    #[arg(long)]
    seed: Option<u64>,
    /// Maximum number of concurrent simulations, one per lane; by default it grows with
    /// the tree
    #[arg(long, value_name = "N")]
    in_flight: Option<usize>,
    /// Playouts per new node; by default chosen by cost, but 1 with --sims and --steps
    #[arg(long, value_name = "N")]
    playouts: Option<usize>,
    /// Memory per agent for its tree, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    memory: u32,
    /// Number of matches to play
    #[arg(long, value_name = "N", default_value_t = 1)]
    games: u64,
    /// Number of rounds after which a match is abandoned
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    rounds: usize,
    /// Print only the results
    #[arg(short, long)]
    quiet: bool,
    /// Print every match as a line of JSON instead
    #[arg(long)]
    json: bool,
}

/// What plays a role.
#[derive(Debug, Clone, PartialEq)]
enum Participant {
    Agent(Agent),
    Human,
}

impl fmt::Display for Participant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agent(agent) => agent.fmt(f),
            Self::Human => f.write_str("human"),
        }
    }
}

/// Loads a game and plays it.
///
/// # Errors
/// If the game cannot be loaded or the arguments do not fit it.
pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let options = gdl_engines::EngineOptions::default();
    let (loaded, rules) = gdl_engines::open_with_rules(&args.file, args.engine, &options)?;
    let mut engine = loaded.engine;
    let name = args.file.display().to_string();
    play(&name, &mut *engine, &rules, &args.options)
}

/// Plays the matches that the options ask for.
///
/// # Errors
/// If the arguments do not fit the game.
pub fn play(
    game: &str,
    engine: &mut dyn Engine,
    rules: &Arc<Source>,
    options: &PlayOptions,
) -> anyhow::Result<ExitCode> {
    let participants = options.participants(engine.roles())?;
    for who in &participants {
        if let Participant::Agent(agent) = who {
            agent.check_files(engine)?;
        }
    }
    let time_control = options.budget().time_control();
    let seed = seeds::given_or_fresh(options.seed);
    let mut screen = Screen::new(engine, rules, options.verbosity(&participants));
    let names: Vec<String> = participants.iter().map(ToString::to_string).collect();
    screen.introduce(game, engine, &names, seed);
    let mut finished = true;
    for number in 0..options.games {
        let mut players = options.players(engine, &participants, seed.wrapping_add(number));
        let mut watch =
            |engine: &dyn Engine, event: &matches::MatchEvent<'_>| screen.show(engine, event);
        let stepper = MatchStepper::begin(engine, options.rounds);
        if let TimeControl::Time(_) = time_control {
            matches::prepare(&stepper, engine, &mut players, options.start);
        }
        let result = matches::play_from(stepper, engine, &mut players, time_control, &mut watch);
        let record = match result {
            Ok(record) => record,
            Err(error @ MatchError::NoMove(_)) => {
                eprintln!("error: {error}");
                return Ok(ExitCode::from(1));
            }
            Err(error) => return Err(error.into()),
        };
        finished &= record.ending == Ending::Terminal;
        screen.conclude(engine, &record);
        if options.json {
            let seed = seed.wrapping_add(number);
            let players = players.iter().map(|player| player.name()).collect();
            println!(
                "{}",
                PlayRecord::new(game, engine, players, seed, &record).line()?
            );
        }
        if record.ending == Ending::Quit {
            break;
        }
    }
    screen.summarise(engine);
    Ok(ExitCode::from(u8::from(!finished)))
}

impl PlayOptions {
    /// Returns the participants in the order of the roles.
    fn participants(&self, roles: &[String]) -> anyhow::Result<Vec<Participant>> {
        // Without a clock there is no time to learn.
        let agent = match self.budget().is_counted() {
            true => Agent::default(),
            false => self.learning.equip(Agent::champion()),
        };
        let mut participants = vec![Participant::Agent(agent); roles.len()];
        let mut assigned = vec![false; roles.len()];
        for spec in &self.player {
            let (role, who) = roles::assignment(roles, spec)?;
            assigned[role] = true;
            participants[role] = match who {
                "human" => Participant::Human,
                agent => {
                    let agent = agent.parse().with_context(|| format!("--player {spec}"))?;
                    Participant::Agent(self.learning.equip(agent))
                }
            };
        }
        for name in &self.human {
            let role = roles::find_role(roles, name)?;
            ensure!(
                !assigned[role],
                "--human {name}: --player names another player of this role"
            );
            participants[role] = Participant::Human;
        }
        Ok(participants)
    }

    fn budget(&self) -> MoveBudget {
        self.budget.chosen().unwrap_or(MoveBudget::Seconds(1.0))
    }

    /// Where simulations or steps are counted, each simulation adds a node.
    fn playouts(&self) -> Option<usize> {
        let default = self.budget().is_counted().then_some(1);
        self.playouts.or(default)
    }

    fn verbosity(&self, participants: &[Participant]) -> Verbosity {
        match (self.json, self.quiet) {
            // Standard output is for records, but a person needs to see the state.
            (true, _) if participants.contains(&Participant::Human) => Verbosity::Aside,
            (true, _) => Verbosity::Silent,
            (false, true) if !participants.contains(&Participant::Human) => Verbosity::Results,
            (false, _) => Verbosity::All,
        }
    }

    fn limits(&self) -> SearchLimits {
        SearchLimits {
            memory: (self.memory as usize) << 20,
            in_flight: self.in_flight,
            playouts_per_leaf: self.playouts(),
            ..SearchLimits::default()
        }
    }

    fn players(
        &self,
        engine: &dyn Engine,
        participants: &[Participant],
        seed: u64,
    ) -> Vec<Box<dyn Player>> {
        let seat = |(role, who): (usize, &Participant)| -> Box<dyn Player> {
            let seed = seeds::of_role(seed, role);
            match who {
                Participant::Agent(agent) => agent.player(engine, self.limits(), seed),
                Participant::Human => Box::new(Person::at_terminal(self.json)),
            }
        };
        participants.iter().enumerate().map(seat).collect()
    }
}

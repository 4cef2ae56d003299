//! `gdl tournament`: plays the contests that a file lists.

use super::budget::BudgetOptions;
use super::contest_args::{ContestArgs, open_game};
use super::contest_progress::ContestProgress;
use super::live_args::LiveArgs;
use super::live_run::{LiveRun, live_game, observers};
use anyhow::Context as _;
use gdl_contests::contest::{self, Contest};
use gdl_contests::contest_game::ContestGame;
use gdl_contests::options::RunOptions;
use gdl_contests::report;
use gdl_contests::summary::{self, ContestSummary};
use gdl_contests::tournament::{Pairing, Shard, Tournament};
use gdl_engines::EngineKind;
use gdl_engines::input;
use gdl_runtime::stop_flag::StopFlag;
use gdl_view::live::LiveGame;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Play all contests that a file lists
///
/// Games are kept in a folder, one file per contest and shard. After an interruption,
/// the same command continues, including unfinished games, as gdl match does.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl tournament TABLE.toml
  gdl tournament TABLE.toml --shard 1/2 --out games     on one machine
  gdl tournament TABLE.toml --shard 2/2 --out games     on another
  gdl results games                                     both together
  gdl tournament TABLE.toml --view                      the table grows in the browser

A file lists agents that all meet in all games, or pairings, or both:

  games = 100                        # of every pairing
  simulations = 10000                # for every move; or steps = 100000, the moves
                                     # of simulations; or time = \"1s\"; or as a
                                     # host, startclock = 30 and playclock = 10,
                                     # of which one may be left out
  start_steps = 1000000              # of each player before the first move; or
                                     # start_simulations; none if not given
  forced = true                      # search also where a role has one legal move
  seed = 1                           # 1 if not given
  engine = \"net\"                     # net if not given
  rules = [\"breakthrough.kif\", \"othello\"]  # beside this file, or built in
  agents = [\"uct\", \"random\"]

  [[pairing]]
  game = \"tron.kif\"                  # all of rules if not given
  first = \"uct\"
  second = \"random\"
  games = 300                        # this and the following: if different
  time = \"200ms\"                     # a pairing with one clock has the other from
                                     # above: 30 or 10, whatever the file has
  paper = 90.0                       # the published value, in per cent, half its
  interval = 3.4                     # 95 % interval, and where it stands, for
  table = \"2010, table 1\"            # gdl results --markdown and --plot
  row = \"Tron\"
  column = \"UCT\"

  [[matrix]]                         # every first agent against the second
  rules = [\"tron.kif\", \"hex.kif\"]    # all of rules if not given
  first = [\"uct+mast\", \"uct+rave\"]
  second = \"uct\"
  table = \"mine\"                     # with games as rows and agents as columns

  [[overall]]                        # a published mean of the column of a table;
  table = \"2010, table 1\"            # paper_games = 300, at the top, is the number
  column = \"UCT\"                     # of games behind the published values
  paper = 61.2

Remote players are agents too, given by address: first = \"http://host:9147\". They
need clocks, and play one role in one match at a time; a move that is late or illegal
is replaced by a random one, and counted.

Shards are blocks of 100 games, dealt in turn. Exit code 1 if a move was
illegal.")]
pub struct TournamentArgs {
    /// The file that lists the contests
    file: PathBuf,
    /// The shard to play, as 1/4 for the first of four [default: all]
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// The folder in which games are kept; by default one in the current folder that is
    /// named after the file
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Budget per move, whatever the file says")]
    budget: BudgetOptions,
    /// Number of games per contest, whatever the file says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: Option<u64>,
    /// Print the results of every contest as a line of JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    contest: ContestArgs,
    #[command(flatten)]
    live: LiveArgs,
}

/// Plays the games that the folder lacks, and prints the results.
///
/// # Errors
/// If the file or a game of it is wrong, or a game cannot be played or kept.
pub fn run(args: &TournamentArgs) -> anyhow::Result<ExitCode> {
    let mut tournament = Tournament::read(&args.file)?;
    for pairing in &mut tournament.pairings {
        pairing.budget = args.budget.chosen().unwrap_or(pairing.budget);
        pairing.games = args.games.unwrap_or(pairing.games);
    }
    tournament.check_journals()?;
    let folder = (args.out.clone()).unwrap_or_else(|| input::stem(&args.file).into());
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make {}", folder.display()))?;
    let parts = tournament.shard(args.shard.unwrap_or(Shard::WHOLE));
    check_rules(&parts)?;
    let games = parts
        .iter()
        .flat_map(|(_, ranges)| ranges)
        .map(|range| range.end - range.start);
    let stop = StopFlag::default();
    let options = args.contest.options(&stop);
    let games = games.sum();
    let progress = ContestProgress::start(games, &stop)?;
    progress.note(&format!("games are kept in {}", folder.display()));
    let live;
    let mut run = TournamentRun {
        seed: tournament.seed,
        args,
        folder: &folder,
        options: RunOptions {
            idle: options.idle.or(tournament.idle),
            ..options
        },
        progress: &progress,
        live: None,
        game: None,
    };
    // The page opens when there is something to show.
    if let Some((first, _)) = parts.first() {
        run.game = Some(run.open(&first.file, tournament.engine)?);
    }
    live = LiveRun::start(&args.live, &input::stem(&args.file), games)?;
    run.live = live.as_ref();
    let mut summaries = Vec::new();
    for together in parts.chunk_by(|(one, _), (other, _)| one.can_join(other)) {
        let played = run.play(together, summaries.len(), tournament.engine)?;
        summaries.extend(played);
    }
    progress.finish();
    live.iter().for_each(LiveRun::end);
    if args.json {
        print!("{}", summary::lines(&summaries)?);
    } else {
        print!("{}", report::overview(&summaries));
    }
    let illegal = summaries.iter().any(|summary| summary.illegal > 0);
    Ok(ExitCode::from(u8::from(illegal)))
}

/// Checks the rule sheets of all games, so that nothing is played if one of them has errors. Those
/// of built-in games have been checked.
fn check_rules(parts: &[(&Pairing, Vec<Range<u64>>)]) -> anyhow::Result<()> {
    let files = parts.iter().map(|(pairing, _)| pairing.file.as_path());
    let files: BTreeSet<&Path> = files.filter(|file| file.exists()).collect();
    for file in files {
        input::check(input::read(file)?)?;
    }
    Ok(())
}

/// A tournament in progress.
struct TournamentRun<'a> {
    seed: u64,
    args: &'a TournamentArgs,
    folder: &'a Path,
    options: RunOptions,
    progress: &'a ContestProgress,
    live: Option<&'a LiveRun>,
    /// The last game that was loaded, kept because contests in one game tend to follow
    /// each other.
    game: Option<TournamentGame>,
}

/// A game that was loaded.
struct TournamentGame {
    file: PathBuf,
    game: ContestGame,
    /// What the page shows of it, if there is a page.
    shown: Option<Arc<LiveGame>>,
}

impl TournamentRun<'_> {
    /// Plays the games of pairings that can be played together; `before` is the number of
    /// pairings already played.
    fn play(
        &mut self,
        parts: &[(&Pairing, Vec<Range<u64>>)],
        before: usize,
        engine: EngineKind,
    ) -> anyhow::Result<Vec<ContestSummary>> {
        let Some((first, _)) = parts.first() else {
            return Ok(Vec::new());
        };
        let loaded = match self.game.take() {
            Some(loaded) if loaded.file == first.file => loaded,
            _ => self.open(&first.file, engine)?,
        };
        let game = &loaded.game;
        let contests = parts
            .iter()
            .map(|(pairing, ranges)| self.contest(game, pairing, ranges));
        let mut contests: Vec<Contest<'_>> = contests.collect::<anyhow::Result<_>>()?;
        let shown = self.live.zip(loaded.shown.as_ref());
        let group = shown.map(|(live, game)| live.group(game, before));
        let observer = observers(self.progress, group.as_ref());
        self.progress.playing(first.budget);
        contest::play(game, &mut contests, &self.options, None, &observer)?;
        self.game = Some(loaded);
        let summaries = contests
            .iter()
            .map(|contest| contest.store.stored.restricted(&contest.ranges))
            .map(|asked| ContestSummary::new(&asked, u64::MAX));
        Ok(summaries.collect())
    }

    fn open(&self, file: &Path, engine: EngineKind) -> anyhow::Result<TournamentGame> {
        let game = open_game(file, engine)?;
        Ok(TournamentGame {
            file: file.to_owned(),
            shown: self.args.live.is_wanted().then(|| live_game(&game)),
            game,
        })
    }

    /// Opens the journal of a pairing, or begins it.
    fn contest<'b>(
        &self,
        game: &ContestGame,
        pairing: &'b Pairing,
        ranges: &[Range<u64>],
    ) -> anyhow::Result<Contest<'b>> {
        let store = pairing.open(game, self.seed, &self.options, self.folder, self.args.shard)?;
        Ok(Contest {
            store,
            ranges: ranges.to_vec(),
            agents: &pairing.agents,
        })
    }
}

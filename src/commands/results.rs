//! `gdl results`: computes the results of contests from their games.

use anyhow::{Context as _, bail};
use gdl_contests::journal::StoredContest;
use gdl_contests::report::{self, agreement, plot, published, text};
use gdl_contests::summary::{self, ContestSummary};
use gdl_contests::tournament::Tournament;
use gdl_contests::tournament::published::PublishedTables;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Compute the results of contests from their games
///
/// Files of the same contest, such as the shards of a tournament, are taken together.
/// Lines of JSON that `gdl results --json` printed are read as well.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gdl results hex.uct.vs.random.1000sims.jsonl
  gdl results games --json > summary.jsonl      one line per contest, without the games
  gdl results summary.jsonl --markdown          published values next to ours
  gdl results summary.jsonl --plot figure.svg   the same as a figure

Agreement with published values, per budget: the correlation; the mean absolute
difference in points; both as they would be if the published experiment were
repeated and only chance differed; the same for predicting 50 % everywhere; and in how
many cells the difference is within its 95 % interval.

Exit code 1 if a move was illegal.")]
pub struct ResultsArgs {
    /// Files of games or results, and folders of such files (*.jsonl)
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print the results of every contest as a line of JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print Markdown tables
    #[arg(long)]
    markdown: bool,
    /// Print only how well results agree with published values, for each budget; with
    /// --json as lines of JSON
    #[arg(long, conflicts_with = "markdown")]
    agreement: bool,
    /// Take published values from a tournament file, not from the games; can be given several
    /// times, and games that are in several tables then count in each
    #[arg(long, value_name = "FILE.toml")]
    tables: Vec<PathBuf>,
    /// Plot results against published values to this file, one point per contest
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Reads the files and prints their results.
///
/// # Errors
/// If a file cannot be read, or holds neither games nor results.
pub fn run(args: &ResultsArgs) -> anyhow::Result<ExitCode> {
    let mut contests = FoundContests::default();
    for path in files(&args.files)? {
        contests.read(&path)?;
    }
    let tables = published_tables(&args.tables)?;
    let summaries = contests.summaries().into_iter();
    let summaries: Vec<ContestSummary> = summaries
        .flat_map(|summary| tables.compare(summary))
        .collect();
    if let Some(path) = &args.plot {
        let drawing = plot::against_published(&summaries)?;
        std::fs::write(path, drawing)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if args.agreement {
        let text = match args.json {
            true => agreement::lines(&summaries)?,
            false => agreement::text(&summaries),
        };
        print!("{text}");
    } else if args.json {
        print!("{}", summary::lines(&summaries)?);
    } else if args.markdown {
        print!("{}", published::tables(&summaries));
    } else if let [summary] = &summaries[..] {
        print!("{}", text::contest(summary));
    } else {
        print!("{}", report::overview(&summaries));
    }
    let illegal = summaries.iter().any(|summary| summary.illegal > 0);
    Ok(ExitCode::from(u8::from(illegal)))
}

fn published_tables(files: &[PathBuf]) -> anyhow::Result<PublishedTables> {
    let mut tables = PublishedTables::default();
    for file in files {
        tables.add(&Tournament::read(file)?);
    }
    Ok(tables)
}

/// Returns the files, and those in the folders, the latter sorted.
fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let cannot = || format!("cannot list {}", path.display());
        let mut inside = Vec::new();
        for entry in std::fs::read_dir(path).with_context(cannot)? {
            inside.push(entry.with_context(cannot)?.path());
        }
        inside.retain(|path| {
            path.extension()
                .is_some_and(|extension| extension == "jsonl")
        });
        inside.sort();
        if inside.is_empty() {
            bail!("{} holds no *.jsonl", path.display());
        }
        files.append(&mut inside);
    }
    Ok(files)
}

/// Contests in the order in which they were found.
#[derive(Default)]
struct FoundContests {
    all: Vec<FoundContest>,
}

/// A contest as it was read: all its games, or only its results.
enum FoundContest {
    Games(Box<StoredContest>),
    Figures(Box<ContestSummary>),
}

impl FoundContests {
    fn read(&mut self, path: &Path) -> anyhow::Result<()> {
        let lines = gdl_contests::journal::read(path)?;
        let parse = |line: &String| serde_json::from_str::<ContestSummary>(line);
        if lines.first().is_none_or(|first| parse(first).is_err()) {
            // A journal is empty until its first game has begun.
            if let Some(stored) = StoredContest::read(path)? {
                self.add(stored);
            }
            return Ok(());
        }
        for (index, line) in lines.iter().enumerate() {
            let place = || format!("{}, line {}", path.display(), index + 1);
            let figures = parse(line).with_context(place)?;
            self.all.push(FoundContest::Figures(figures.into()));
        }
        Ok(())
    }

    fn add(&mut self, stored: StoredContest) {
        let identity = stored.configuration.identity();
        let same = self.all.iter_mut().find_map(|contest| match contest {
            FoundContest::Games(known) if known.configuration.identity() == identity => Some(known),
            _ => None,
        });
        match same {
            Some(known) => known.merge(stored),
            None => self.all.push(FoundContest::Games(stored.into())),
        }
    }

    fn summaries(self) -> Vec<ContestSummary> {
        let summary = |contest| match contest {
            FoundContest::Games(stored) => ContestSummary::new(&stored, u64::MAX),
            FoundContest::Figures(figures) => *figures,
        };
        self.all.into_iter().map(summary).collect()
    }
}

//! Measures the cost of a step where moves are drawn by weight or observed, compared
//! with the uniform choice that is compiled with each game, and the cost of what
//! policies read. Weights differ from lane to lane, as in interleaved matches, except
//! in the column `common`: weighted and observed, as in one search.
//!
//! `cargo bench --bench selection -- games/chess.kif` measures other games than the
//! built-in ones. Figures are nanoseconds per lane and step; lanes are in different
//! states of random games, and finished games restart outside the measured time.

use clap::Parser;
use gdl_engines::{EngineKind, EngineOptions, open};
use gdl_runtime::engine::{Lanes, MOST_WEIGHT, Move, Pick, State};
use gdl_runtime::lanes::Width;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The time for which each figure is measured.
const TIME: Duration = Duration::from_millis(300);

/// The number of steps before measuring, after which lanes are in different states.
const WARM_UP: usize = 300;

const GAMES: [&str; 7] = [
    "tictactoe",
    "connect_four",
    "breakthrough",
    "othello",
    "checkers",
    "tron",
    "hex",
];

/// Measure the cost of steps where moves are drawn by weight or observed
#[derive(Parser)]
struct Args {
    /// Rule sheets; some of the built-in games if none is given.
    files: Vec<PathBuf>,
    /// Passed by cargo bench, and not by cargo test.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    if !args.bench {
        println!("not measured: cargo bench --bench selection does");
        return Ok(());
    }
    let mut files = args.files;
    if files.is_empty() {
        files.extend(GAMES.map(|name| PathBuf::from(format!("games/{name}.kif"))));
    }
    println!(
        "| game | lanes | moves | uniform | observed | weighted | both | common | legal | states | \
         weigh | force |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    );
    for file in files {
        for width in [Width::W64, Width::W256, Width::W512] {
            if width.available() {
                measure(&file, width)?;
            }
        }
    }
    Ok(())
}

fn measure(file: &Path, width: Width) -> anyhow::Result<()> {
    let options = EngineOptions {
        width: Some(width),
        ..EngineOptions::default()
    };
    let engine = open(file, EngineKind::Net, &options)?.engine;
    let mut game = Game {
        initial: engine.initial(),
        lanes: engine.lanes(1),
    };
    let everywhere = vec![!0; game.lanes.count().div_ceil(64)];
    game.lanes.load_all(&everywhere, &game.initial.0);
    for _ in 0..WARM_UP {
        game.step();
    }
    let mut figures = Vec::new();
    let moves = game.weigh(&[!0]);
    let common = game.steps(true, true);
    // Every fourth lane has the same weights.
    game.weigh(&[0, 1, 2, 3].map(|part| 0x1111_1111_1111_1111 << part));
    for (observed, weighted) in [(false, false), (true, false), (false, true), (true, true)] {
        figures.push(game.steps(observed, weighted));
    }
    figures.push(common);
    game.lanes.choose_by_weight(false);
    game.lanes.observe_moves(false);
    figures.push(game.legal_tables() / width.lanes() as f64);
    figures.push(game.state_tables() / width.lanes() as f64);
    figures.push(game.single_weight());
    figures.push(game.single_force());
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    print!("| {name} | {width} | {moves} |");
    figures.iter().for_each(|figure| print!(" {figure:.2} |"));
    println!();
    Ok(())
}

/// The median duration in nanoseconds of something that returns how long it took:
/// the statistic that other load affects least.
fn repeat(mut what: impl FnMut() -> Duration) -> f64 {
    let start = Instant::now();
    let mut times = Vec::new();
    while start.elapsed() < TIME {
        times.push(what());
    }
    times.sort_unstable();
    times[times.len() / 2].as_nanos() as f64
}

fn timed(what: impl FnOnce()) -> Duration {
    let start = Instant::now();
    what();
    start.elapsed()
}

struct Game {
    initial: State,
    lanes: Box<dyn Lanes>,
}

impl Game {
    /// Gives every move of every role a weight in each of these sets of lanes, each
    /// repeated every 64 lanes; returns the number of moves.
    fn weigh(&mut self, sets: &[u64]) -> usize {
        let words = self.lanes.count().div_ceil(64);
        let (mut moves, mut all) = (0, Vec::new());
        for role in 0..self.lanes.roles() {
            self.lanes.table_moves(role, &mut all);
            moves += all.len();
            for (place, &mv) in all.iter().enumerate() {
                for (part, &set) in sets.iter().enumerate() {
                    let weight = 1 + (place * 37 + part * 101) as u32 % MOST_WEIGHT;
                    self.lanes.weigh(&vec![set; words], role, mv, weight);
                }
            }
        }
        moves
    }

    /// Nanoseconds per step and lane.
    fn steps(&mut self, observed: bool, weighted: bool) -> f64 {
        self.lanes.observe_moves(observed);
        self.lanes.choose_by_weight(weighted);
        repeat(|| self.step()) / self.lanes.count() as f64
    }

    fn step(&mut self) -> Duration {
        self.lanes.evaluate();
        let over = self.lanes.terminal().to_vec();
        self.lanes.load_all(&over, &self.initial.0);
        timed(|| {
            self.lanes.evaluate();
            self.lanes.advance();
        })
    }

    fn legal_tables(&mut self) -> f64 {
        let mut table = Vec::new();
        let (roles, count) = (self.lanes.roles(), self.lanes.count());
        repeat(|| {
            self.step();
            self.lanes.evaluate();
            timed(|| {
                for role in 0..roles {
                    self.lanes.legal_table(role, count, &mut table);
                    black_box(&table);
                }
            })
        })
    }

    fn state_tables(&mut self) -> f64 {
        let (count, mut table) = (self.lanes.count(), Vec::new());
        repeat(|| {
            timed(|| {
                self.lanes.state_table(count, &mut table);
                black_box(&table);
            })
        })
    }

    /// Nanoseconds to give a move a weight in one lane.
    fn single_weight(&mut self) -> f64 {
        let (mut all, mut at) = (Vec::new(), 0);
        self.lanes.table_moves(0, &mut all);
        let mut set = vec![0; self.lanes.count().div_ceil(64)];
        set[0] = 2;
        let block = 1000;
        let block_time = repeat(|| {
            timed(|| {
                for _ in 0..block {
                    at += 1;
                    let mv = all[at * 31 % all.len()];
                    self.lanes.weigh(&set, 0, mv, 1 + at as u32 % MOST_WEIGHT);
                }
            })
        });
        block_time / f64::from(block)
    }

    /// Nanoseconds to force the first legal moves in one lane.
    fn single_force(&mut self) -> f64 {
        let everywhere = vec![!0; self.lanes.count().div_ceil(64)];
        self.lanes.load_all(&everywhere, &self.initial.0);
        self.lanes.evaluate();
        let mut picks = Vec::new();
        for role in 0..self.lanes.roles() {
            let mut legal: Vec<Move> = Vec::new();
            self.lanes.legal(0, role, &mut legal);
            picks.push(Pick {
                mv: legal[0],
                index: 0,
            });
        }
        let mut set = vec![0; everywhere.len()];
        set[0] = 2;
        let block = 1000;
        let block_time = repeat(|| {
            timed(|| {
                for _ in 0..block {
                    self.lanes.force(black_box(&set), &picks);
                }
            })
        });
        block_time / f64::from(block)
    }
}

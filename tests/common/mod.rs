//! Helpers shared by the modules of tests.

pub mod command;
pub mod process;
pub mod served;

use gdl_engines::trace::{self, Replay, ReplayOutcome};
use gdl_engines::{EngineKind, EngineOptions};
use gdl_runtime::engine::{Engine, Move, Position, State};
use gdl_runtime::lanes::CpuLevel;
use gdlc::source::Source;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The rule sheets of `games/`, sorted.
pub fn games() -> Vec<PathBuf> {
    sheets("games")
}

/// The paths of all rule sheets of a folder of the project, in order.
pub fn sheets(folder: &str) -> Vec<PathBuf> {
    let mut sheets: Vec<PathBuf> = std::fs::read_dir(root().join(folder))
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "kif"))
        .collect();
    sheets.sort();
    sheets
}

/// Returns the root folder of the project.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of a rule sheet: `games/`, or `experiments/games/` for variants that only the
/// papers' tables need and that are not compiled in.
pub fn folder_of(game: &str) -> PathBuf {
    let folders = ["games", "experiments/games"].map(|folder| root().join(folder));
    let is_there = |folder: &PathBuf| folder.join(game).with_extension("kif").is_file();
    let mut folders = folders.into_iter().filter(is_there);
    folders.next().expect("the game is there")
}

/// Reads one of our rule sheets by name.
pub fn game(name: &str) -> Arc<Source> {
    let path = folder_of(name).join(name).with_extension("kif");
    gdl_engines::input::read(&path).expect("it can be read")
}

/// An entry of a game in the file `perft.toml` of its folder.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// Sequences of 1, 2, … joint moves.
    pub counts: Vec<u64>,
    /// `published`, `computed` or `measured`.
    pub source: String,
    /// Sequences of 1, 2, … turns, where a turn can be several moves.
    #[serde(default)]
    pub published_turns: Vec<u64>,
    /// Distinct positions after 1, 2, … moves.
    #[serde(default)]
    pub published_positions: Vec<u64>,
}

/// Returns the entry of a game in the `perft.toml` beside its rule sheet.
pub fn expected(game: &str) -> Expected {
    let path = folder_of(game).join("perft.toml");
    let text = std::fs::read_to_string(path).expect("the table is there");
    let mut table: BTreeMap<String, Expected> = toml::from_str(&text).expect("the table is TOML");
    table
        .remove(game)
        .unwrap_or_else(|| panic!("perft.toml lacks {game}"))
}

/// Loads a game into an engine.
pub fn load(source: &Arc<Source>, kind: EngineKind) -> Box<dyn Engine> {
    let _compiler = (kind == EngineKind::Native).then(process::compiling);
    gdl_engines::load(source, kind, &EngineOptions::default())
        .unwrap_or_else(|error| panic!("{} in {kind}: {error:#}", source.name))
}

/// For every level of this processor, the options that force it.
pub fn levels() -> Vec<EngineOptions> {
    let levels = CpuLevel::ALL.into_iter().filter(|level| level.available());
    levels
        .map(|level| EngineOptions {
            level: Some(level),
            ..EngineOptions::default()
        })
        .collect()
}

/// Replays a recorded trace.
pub fn replay(engine: &mut dyn Engine, trace: &Path) -> ReplayOutcome {
    let (_, records) = trace::records(trace).expect("the trace can be read");
    let mut replay = Replay::new(engine);
    for record in records {
        replay.compare(&record.expect("the trace is whole"));
    }
    replay.finish()
}

/// Walks through the game at random and panics at the first difference between
/// the engines; `seed` is part of every message. Returns the number of distinct
/// states that were compared.
pub fn assert_agree(
    engines: &mut [Box<dyn Engine>],
    seed: u64,
    walks: usize,
    steps: usize,
) -> usize {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut compared = BTreeSet::new();
    for _ in 0..walks {
        let mut states: Vec<State> = engines.iter().map(|engine| engine.initial()).collect();
        for _ in 0..steps {
            let seen: Vec<Seen> = engines
                .iter_mut()
                .zip(&states)
                .map(|(engine, state)| Seen::new(engine.as_mut(), state))
                .collect();
            for (other, engine) in seen[1..].iter().zip(&engines[1..]) {
                let (one, two) = (engines[0].name(), engine.name());
                assert_eq!(&seen[0], other, "seed {seed}: {one} and {two} differ");
            }
            for (seen, engine) in seen.iter().zip(&*engines) {
                seen.assert_constant_goals(&engine.constant_goals(), seed);
            }
            let joint = seen[0].random_joint(&mut rng);
            compared.extend(seen.into_iter().next().map(|seen| seen.facts));
            let Some(joint) = joint else {
                break;
            };
            states = engines
                .iter_mut()
                .zip(&states)
                .map(|(engine, state)| advance(engine.as_mut(), state, &joint))
                .collect();
        }
    }
    compared.len()
}

/// A position by names, comparable between engines.
#[derive(Debug, PartialEq, Eq)]
pub struct Seen {
    facts: Vec<String>,
    terminal: bool,
    legal: Vec<BTreeSet<String>>,
    goals: Vec<Vec<i32>>,
}

impl Seen {
    fn new(engine: &mut dyn Engine, state: &State) -> Self {
        let Position {
            terminal,
            legal,
            goals,
        } = engine.examine(state);
        // In terminal states legal moves mean nothing.
        let legal = if terminal { Vec::new() } else { legal };
        let names = |(role, moves): (usize, &Vec<Move>)| {
            moves.iter().map(|&mv| engine.move_name(role, mv)).collect()
        };
        Self {
            facts: engine.facts(state),
            terminal,
            legal: legal.iter().enumerate().map(names).collect(),
            goals,
        }
    }

    /// Asserts that in a terminal state every role with a constant goal has that goal.
    fn assert_constant_goals(&self, constants: &[Option<i32>], seed: u64) {
        for (goals, &constant) in self.goals.iter().zip(constants) {
            let greatest = goals.last().copied().unwrap_or(0);
            let is_kept = constant.is_none_or(|goal| goal == greatest);
            assert!(
                !self.terminal || is_kept,
                "seed {seed}: {goals:?} for {constant:?}"
            );
        }
    }

    fn random_joint(&self, rng: &mut StdRng) -> Option<Vec<String>> {
        if self.terminal || self.legal.iter().any(BTreeSet::is_empty) {
            return None;
        }
        let pick = |moves: &BTreeSet<String>| {
            let index = rng.random_range(0..moves.len());
            moves.iter().nth(index).cloned()
        };
        self.legal.iter().map(pick).collect()
    }
}

/// A random legal move of every role.
pub fn random_joint(position: &Position, rng: &mut StdRng) -> Vec<Move> {
    let pick = |moves: &Vec<Move>| {
        assert!(!moves.is_empty(), "a role has no move");
        moves[rng.random_range(0..moves.len())]
    };
    position.legal.iter().map(pick).collect()
}

/// The state after a joint move given by names.
pub fn advance(engine: &mut dyn Engine, state: &State, joint: &[String]) -> State {
    let legal = engine.examine(state).legal;
    let moves: Vec<Move> = joint
        .iter()
        .enumerate()
        .map(|(role, name)| {
            *legal[role]
                .iter()
                .find(|&&mv| engine.move_name(role, mv) == *name)
                .expect("the engines agree on what is legal")
        })
        .collect();
    engine.next(state, &moves)
}

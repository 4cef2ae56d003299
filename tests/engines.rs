//! The common tests of all engines on all games of `games/`, and of most on their variants in
//! `experiments/games`: golden playthroughs recorded by the reference engine, and perft counts.

use crate::common;
use expect_test::expect_file;
use gdl_engines::EngineKind;
use gdl_engines::trace::{self, Recording};
use gdl_runtime::engine::{Engine, State, lanes_of};
use gdl_runtime::perft;
use std::collections::BTreeSet;

/// The tests of games on engines, by game and engine: `cargo test --test tests othello::net`.
macro_rules! suite {
    ($games:ident on $engines:tt: $($game:ident)*) => {
        const $games: &[&str] = &[$(stringify!($game)),*];
        $(mod $game {
            const GAME: &str = stringify!($game);

            #[test]
            fn golden_is_up_to_date() {
                super::golden_is_up_to_date(GAME);
            }

            suite!(@engines $engines);
        })*
    };
    (@engines [$($engine:ident $kind:ident),*]) => {
        $(mod $engine {
            use gdl_engines::EngineKind;

            #[test]
            fn golden() {
                super::super::replays_golden(super::GAME, EngineKind::$kind);
            }

            #[test]
            fn perft() {
                super::super::counts_agree(super::GAME, EngineKind::$kind);
            }
        })*
    };
}

suite! {
    GAMES on [reference Reference, net Net, native Native]:
    amazons_small battle breakthrough checkers checkers_counted chinook connect_four hex
    knightthrough othello peg_solitaire pentago runners skirmish tictactoe tron yavalath
}

// A compiler would take half a minute for these, and native code is already tested by the games
// of which they are variants. `amazons_one_ply` has tests of its own.
suite! {
    VARIANTS on [reference Reference, net Net]:
    battle_public runners_graded skirmish_counted
}

#[test]
fn every_game_is_in_a_suite() {
    let names = |folder: &str| -> Vec<String> {
        let paths = common::sheets(folder);
        let stems = paths.iter().filter_map(|path| path.file_stem());
        stems
            .map(|stem| stem.to_string_lossy().into_owned())
            .collect()
    };
    assert_eq!(names("games"), GAMES);
    let variants: Vec<&str> = ["amazons_one_ply"]
        .iter()
        .chain(VARIANTS)
        .copied()
        .collect();
    assert_eq!(names("experiments/games"), variants);
}

/// The fewest terminal states after which a game is looked at.
const ENDS: usize = 100;

/// A machine needs no time to begin a game: the step after the last one of a game does it.
#[test]
fn after_a_terminal_state_comes_the_initial_one() {
    for path in common::games() {
        let source = gdl_engines::input::read(&path).expect("it can be read");
        for level in common::levels() {
            let engine = gdl_engines::load(&source, EngineKind::Net, &level);
            let engine = engine.expect("the game fits");
            let initial = engine.initial();
            let seed = gdl_testing::seed_or(5);
            let mut lanes = engine.lanes(seed);
            let mut ends = 0;
            while ends < ENDS {
                lanes.evaluate();
                let over: Vec<usize> = lanes_of(lanes.terminal()).collect();
                lanes.advance();
                for &lane in &over {
                    let case = format!("{}, {}, seed {seed}", path.display(), engine.name());
                    assert_eq!(lanes.state(lane), initial, "{case}");
                }
                ends += over.len();
            }
        }
    }
}

/// The same seed gives the same golden playthroughs: a change of the rules, the
/// reference engine or the format shows here.
fn golden_is_up_to_date(game: &str) {
    let mut engine = common::load(&common::game(game), EngineKind::Reference);
    let recording = Recording {
        playouts: 1,
        max_steps: 250,
        seed: 7,
    };
    let mut text = Vec::new();
    trace::record(engine.as_mut(), game, recording, &mut text).expect("memory can be written");
    let text = String::from_utf8(text).expect("JSON is UTF-8");
    expect_file![golden(game)].assert_eq(&text);
}

fn golden(game: &str) -> std::path::PathBuf {
    let folder = match GAMES.contains(&game) {
        true => "games/golden",
        false => "experiments/games",
    };
    common::root()
        .join(folder)
        .join(game)
        .with_extension("jsonl")
}

fn replays_golden(game: &str, kind: EngineKind) {
    let mut engine = common::load(&common::game(game), kind);
    let outcome = common::replay(engine.as_mut(), &golden(game));
    assert!(outcome.states > 5, "{game}: only {} states", outcome.states);
    assert_eq!(outcome.mismatches, 0, "{game}: {:?}", outcome.first);
}

/// The number of sequences that an engine can count in a few seconds, or `PERFT_LIMIT` if
/// set, which can ask for the whole table.
fn affordable(kind: EngineKind) -> u64 {
    if let Ok(limit) = std::env::var("PERFT_LIMIT") {
        return limit.parse().expect("PERFT_LIMIT is a number");
    }
    match kind {
        EngineKind::Reference => 60_000,
        _ => 250_000,
    }
}

fn affordable_prefix(counts: &[u64], kind: EngineKind) -> impl Iterator<Item = (u8, u64)> {
    let counts = counts
        .iter()
        .copied()
        .take_while(move |&count| count <= affordable(kind));
    (1..).zip(counts)
}

fn counts_agree(game: &str, kind: EngineKind) {
    let expected = common::expected(game);
    assert!(["published", "computed", "measured"].contains(&expected.source.as_str()));
    let mut engine = common::load(&common::game(game), kind);
    let initial = engine.initial();
    // Moves are made only above the last depth: at depth 2, one for each that is legal.
    let depths = affordable_prefix(&expected.counts, kind).count();
    let depths = depths.max(usize::from(kind != EngineKind::Reference) + 1);
    for (depth, &count) in (1..).zip(&expected.counts).take(depths) {
        let found = perft::count(engine.as_mut(), &initial, depth);
        assert_eq!(found, count, "{game}, depth {depth}, {kind}");
    }
    for (depth, count) in affordable_prefix(&expected.published_turns, kind) {
        let found = count_turns(engine.as_mut(), &initial, depth);
        assert_eq!(found, count, "{game}, {depth} turns, {kind}");
    }
    for (depth, count) in affordable_prefix(&expected.published_positions, kind) {
        let found = distinct_positions(engine.as_mut(), depth).len() as u64;
        assert_eq!(
            found, count,
            "{game}, positions after {depth} moves, {kind}"
        );
    }
}

/// Perft of complete turns: a move after which `(chain …)` holds is continued by the same
/// player, and counts as one turn with its continuation. This is how the literature
/// counts draughts.
fn count_turns(engine: &mut dyn Engine, state: &State, turns: u8) -> u64 {
    if turns == 0 {
        return 1;
    }
    let position = engine.examine(state);
    if position.terminal {
        return 0;
    }
    let mut total = 0;
    perft::for_each_joint(&position, |joint| {
        let successor = engine.next(state, joint);
        let unfinished = engine
            .facts(&successor)
            .iter()
            .any(|fact| fact.starts_with("(chain "));
        let left = if unfinished { turns } else { turns - 1 };
        total += count_turns(engine, &successor, left);
    });
    total
}

fn distinct_positions(engine: &mut dyn Engine, depth: u8) -> BTreeSet<State> {
    let mut states = BTreeSet::from([engine.initial()]);
    for _ in 0..depth {
        let mut successors = BTreeSet::new();
        for state in &states {
            let position = engine.examine(state);
            if !position.terminal {
                perft::for_each_joint(&position, |joint| {
                    successors.insert(engine.next(state, joint));
                });
            }
        }
        states = successors;
    }
    states
}

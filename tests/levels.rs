//! Every level of instructions plays the same games.

use crate::common;
use assert_cmd::Command;
use gdl_engines::{EngineKind, EngineOptions, load};
use gdl_runtime::engine::Tally;
use gdl_runtime::lanes::{CpuLevel, Width};
use gdl_runtime::perft;
use gdlc::source::Source;
use std::sync::Arc;

/// Playouts to compare: more than there are lanes, so that games end and begin in all.
const PLAYOUTS: u64 = 1000;

/// What a net counts in random playouts.
fn tally(source: &Arc<Source>, level: CpuLevel, width: Width) -> Tally {
    let options = EngineOptions {
        level: Some(level),
        width: Some(width),
        ..EngineOptions::default()
    };
    let engine = load(source, EngineKind::Net, &options).expect("the game fits");
    assert!(
        engine.name().contains(&width.to_string()),
        "{}",
        engine.name()
    );
    let mut lanes = engine.lanes(gdl_testing::seed_or(3));
    lanes.playouts(&mut |tally| tally.playouts < PLAYOUTS)
}

/// Lanes draw the same numbers whatever computes them, so code for different instructions
/// plays the same games if it has the same number of lanes.
#[test]
fn levels_play_the_same_games_at_the_same_number_of_lanes() {
    for path in common::games() {
        let source = gdl_engines::input::read(&path).expect("it can be read");
        for (tables, machine_code) in [
            (Width::Portable128, vec![(CpuLevel::Sse2, Width::W128)]),
            (
                Width::Portable256,
                vec![
                    (CpuLevel::Avx2, Width::W256),
                    (CpuLevel::Avx512, Width::W256),
                ],
            ),
        ] {
            let expected = tally(&source, CpuLevel::Portable, tables);
            for (level, width) in machine_code {
                if level.available() {
                    let found = tally(&source, level, width);
                    assert_eq!(found, expected, "{}, {level}, {width}", path.display());
                }
            }
        }
    }
}

#[test]
fn every_level_replays_the_golden_playthroughs() {
    for path in common::games() {
        let source = gdl_engines::input::read(&path).expect("it can be read");
        let game = path.file_stem().expect("sheets have names");
        let golden = common::root().join("games/golden").join(game);
        for level in common::levels() {
            let mut engine = load(&source, EngineKind::Net, &level).expect("the game fits");
            let outcome = common::replay(engine.as_mut(), &golden.with_extension("jsonl"));
            let case = format!("{}, {}", path.display(), engine.name());
            assert_eq!(outcome.mismatches, 0, "{case}: {:?}", outcome.first);
            assert!(outcome.states > 5, "{case}");
        }
    }
}

/// Native code for the words of every level.
#[test]
fn every_level_compiles_native_code() {
    let source = common::game("connect_four");
    let expected = common::expected("connect_four").counts;
    for level in common::levels() {
        let _compiler = common::process::compiling();
        let engine = load(&source, EngineKind::Native, &level).expect("there is a compiler");
        let lanes = level.level().widest_compiled().lanes();
        assert_eq!(engine.name(), format!("native, {lanes} lanes"));
        let mut engine = engine;
        let initial = engine.initial();
        for (depth, &count) in (1..=4).zip(&expected) {
            assert_eq!(
                perft::count(engine.as_mut(), &initial, depth),
                count,
                "{lanes} lanes"
            );
        }
    }
}

fn bench(level: &str) -> Command {
    let arguments = [
        "bench",
        "games/tictactoe.kif",
        "--engine=net",
        "--seconds=0.01",
        "--json",
    ];
    let mut command = common::command::gdl(common::root(), &arguments);
    command.env(CpuLevel::GDL_CPU, level);
    command
}

#[test]
fn the_environment_forces_a_level() {
    for level in CpuLevel::ALL.into_iter().filter(|level| level.available()) {
        let output = bench(level.name())
            .assert()
            .code(0)
            .get_output()
            .stdout
            .clone();
        let result: serde_json::Value = serde_json::from_slice(&output).expect("output is JSON");
        assert_eq!(result["lanes"], level.widest().lanes());
        assert_eq!(result["settings"]["level"], level.name());
    }
}

#[test]
fn an_unknown_level_is_an_error_that_names_the_usable_ones() {
    let output = bench("avx1024")
        .assert()
        .code(2)
        .get_output()
        .stderr
        .clone();
    let text = String::from_utf8(output).expect("messages are UTF-8");
    assert!(
        text.contains("GDL_CPU: there is no processor level \"avx1024\""),
        "{text}"
    );
    assert!(text.contains("supports portable"), "{text}");
}

#[test]
fn widths_are_those_of_the_level() {
    let output = bench("portable")
        .arg("--width=512")
        .assert()
        .code(2)
        .get_output()
        .stderr
        .clone();
    let text = String::from_utf8(output).expect("messages are UTF-8");
    assert!(
        text.contains("64, 128, 256 at the level portable"),
        "{text}"
    );
}

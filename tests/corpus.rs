//! Replays a sample of public games, recorded by an independent engine.
//!
//! The corpus is not part of the repository, so these tests are ignored by default and
//! fail without it. `gdl verify` replays all of the corpus.

use crate::common;
use gdl_engines::EngineKind;

/// Small and medium-sized games of many kinds: one to four roles, puzzles, simultaneous
/// moves, recursion, unusual spelling.
const SAMPLE: &[&str] = &[
    "3pConnectFour",
    "4pttc",
    "blocksWorld",
    "breakthrough",
    "buttons",
    "chickentictactoe",
    "chomp",
    "connectFour",
    "copolymer_4_pie",
    "dotsAndBoxes",
    "doubletictactoe",
    "eightPuzzle",
    "endgame",
    "firefighter",
    "god",
    "guess",
    "hanoi",
    "knightThrough",
    "lightsOut",
    "nim1",
    "pearls",
    "point_grab",
    "queens08ug",
    "roshambo2",
    "snakeParallel",
    "sum15",
    "ticTacToe",
    "tron_10x10",
];

#[test]
#[ignore = "needs the public corpus"]
fn reference_replays_the_sample() {
    replay_sample(EngineKind::Reference);
}

#[test]
#[ignore = "needs the public corpus"]
fn net_replays_the_sample() {
    replay_sample(EngineKind::Net);
}

fn replay_sample(kind: EngineKind) {
    let corpus = gdl_testing::corpus();
    for game in SAMPLE {
        let rules = corpus.join("games").join(format!("{game}.kif"));
        let trace = corpus.join("traces").join(format!("{game}.jsonl.gz"));
        let source = gdl_engines::input::read(&rules).expect("the sample is in the corpus");
        let mut engine = common::load(&source, kind);
        let outcome = common::replay(engine.as_mut(), &trace);
        assert!(outcome.states > 0, "{game}: nothing was replayed");
        assert_eq!(
            outcome.mismatches, 0,
            "{game} in {kind}: {:?}",
            outcome.first
        );
    }
}

//! Amazons in which a whole move is one ply: its moves are pairs of those of the game with two
//! plies. It is not one of `games`, so its engines are tested here.

use super::play::Match;
use crate::common;
use expect_test::expect_file;
use gdl_engines::EngineKind;
use gdl_engines::trace::{self, Recording};

const NAME: &str = "amazons_one_ply";

fn golden() -> std::path::PathBuf {
    common::root().join("experiments/games/amazons_one_ply.jsonl")
}

#[test]
fn the_golden_playthrough_is_up_to_date() {
    let mut engine = common::load(&common::game(NAME), EngineKind::Reference);
    let recording = Recording {
        playouts: 1,
        max_steps: 8,
        seed: 7,
    };
    let mut text = Vec::new();
    trace::record(engine.as_mut(), NAME, recording, &mut text).expect("memory can be written");
    let text = String::from_utf8(text).expect("JSON is UTF-8");
    expect_file![golden()].assert_eq(&text);
}

#[test]
fn the_net_replays_the_golden_playthrough() {
    let mut engine = common::load(&common::game(NAME), EngineKind::Net);
    let outcome = common::replay(engine.as_mut(), &golden());
    assert!(outcome.states > 5, "only {} states", outcome.states);
    assert_eq!(outcome.mismatches, 0, "{:?}", outcome.first);
}

/// In random games with one ply per turn, the moves are those of going and then shooting in the
/// game with two, and the end is the same.
#[test]
fn moves_are_those_of_two_plies() {
    let mut halves = Match::new("amazons_small");
    Match::see_random_games(NAME, |game| {
        let role = usize::from(game.holds("(turn black)"));
        let facts = game.facts().concat() + "(due go)";
        let mut expected = Vec::new();
        halves.set(&facts);
        assert_eq!(halves.result(), None);
        for going in halves.legal(role) {
            halves.set(&facts);
            halves.turn(&going);
            let way = going.trim_start_matches("(move ").trim_end_matches(')');
            for shot in halves.legal(role) {
                let target = shot.trim_start_matches("(shoot ").trim_end_matches(')');
                expected.push(format!("(play {way} {target})"));
            }
        }
        expected.sort();
        assert_eq!(game.legal(role), expected);
    });
}

#[test]
fn who_cannot_go_loses() {
    let facts = "(cell a 1 white) (cell a 2 arrow) (cell c 1 black) (cell b 2 black) (turn black)";
    let mut game = Match::at(NAME, facts);
    game.turn("(play c 1 c 2 b 1)");
    assert_eq!(game.result(), Some(vec![0, 100]));
}

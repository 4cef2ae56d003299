//! Our Skirmish, Knightthrough and counted draughts are the games of the public rule
//! sheets: in random games, both agree on the legal moves, the end and the goals.

use super::DEFAULT_SEED;
use crate::common;
use gdl_engines::EngineKind;
use gdl_runtime::engine::{Engine, Move, Position, State};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

const GAMES: usize = 100;

#[test]
#[ignore = "needs the public corpus"]
fn skirmish_is_the_public_game() {
    // The public game ends a ply sooner.
    agree("skirmish", "skirmishFinal1", 58, number_files);
}

#[test]
#[ignore = "needs the public corpus"]
fn knightthrough_is_the_public_game() {
    agree("knightthrough", "knightThrough", usize::MAX, number_files);
}

#[test]
#[ignore = "needs the public corpus"]
fn counted_draughts_is_the_public_game() {
    agree("checkers_counted", "checkers", usize::MAX, mirror_files);
}

/// In the public sheets, files have numbers instead of letters.
fn number_files(word: &str) -> String {
    match word.as_bytes() {
        [file @ b'a'..=b'h'] => (file - b'a' + 1).to_string(),
        _ => word.to_owned(),
    }
}

/// In the public sheet the other squares are dark, pieces have shorter names, and
/// a jump is a move.
fn mirror_files(word: &str) -> String {
    let renamed = match word {
        "(jump" => "(move",
        "(double_jump" => "(doublejump",
        "(triple_jump" => "(triplejump",
        "black_man" => "wp",
        "black_king" => "wk",
        "white_man" => "bp",
        "white_king" => "bk",
        _ => match word.as_bytes() {
            [file @ b'a'..=b'h'] => return char::from(b'a' + b'h' - file).to_string(),
            _ => word,
        },
    };
    renamed.to_owned()
}

/// How a word of one sheet is spelt in the other.
type Spelling = fn(&str) -> String;

fn agree(ours: &str, public: &str, plies: usize, spelling: Spelling) {
    let path = gdl_testing::corpus()
        .join("games")
        .join(format!("{public}.kif"));
    let source = gdl_engines::input::read(&path).expect("the game is in the corpus");
    let mut public = common::load(&source, EngineKind::Net);
    let mut ours = common::load(&common::game(ours), EngineKind::Net);
    let seed = gdl_testing::seed_or(DEFAULT_SEED);
    let mut rng = StdRng::seed_from_u64(seed);
    let mut compared = 0;
    for _ in 0..GAMES {
        let (mut state, mut theirs) = (ours.initial(), public.initial());
        for _ in 0..plies {
            let (seen, expected) = (ours.examine(&state), public.examine(&theirs));
            compare_ends(&seen, &expected);
            if seen.terminal {
                break;
            }
            let (legal, allowed) = (
                named(ours.as_ref(), &seen, spelling),
                named(public.as_ref(), &expected, str::to_owned),
            );
            assert_eq!(names(&legal), names(&allowed));
            let picks: Vec<usize> = legal
                .iter()
                .map(|moves| rng.random_range(0..moves.len()))
                .collect();
            state = advance(ours.as_mut(), &state, &legal, &picks);
            theirs = advance(public.as_mut(), &theirs, &allowed, &picks);
            compared += 1;
        }
    }
    assert!(compared > 10 * GAMES, "only {compared} states");
}

/// Not all public sheets have goals before the end.
fn compare_ends(seen: &Position, expected: &Position) {
    assert_eq!(seen.terminal, expected.terminal);
    for (goals, expected) in seen.goals.iter().zip(&expected.goals) {
        if !expected.is_empty() {
            assert_eq!(goals, expected);
        }
    }
}

/// Each role's legal moves, sorted by name.
fn named(engine: &dyn Engine, position: &Position, spelling: Spelling) -> Vec<Vec<(String, Move)>> {
    let named = |role: usize, mv: Move| {
        let name = engine.move_name(role, mv);
        let words: Vec<String> = name.split(' ').map(spelling).collect();
        (words.join(" "), mv)
    };
    let mut legal = Vec::new();
    for (role, moves) in position.legal.iter().enumerate() {
        let mut moves: Vec<_> = moves.iter().map(|&mv| named(role, mv)).collect();
        moves.sort();
        legal.push(moves);
    }
    legal
}

fn names(legal: &[Vec<(String, Move)>]) -> Vec<&str> {
    legal.iter().flatten().map(|(name, _)| &**name).collect()
}

fn advance(
    engine: &mut dyn Engine,
    state: &State,
    legal: &[Vec<(String, Move)>],
    picks: &[usize],
) -> State {
    let joint = legal.iter().zip(picks);
    let joint: Vec<Move> = joint.map(|(moves, &pick)| moves[pick].1).collect();
    engine.next(state, &joint)
}

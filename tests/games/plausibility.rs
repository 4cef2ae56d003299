//! Random games of the ten games of the papers, five of them in two versions, have the
//! same average length and number of choices as when their rules were verified.

use crate::common;
use gdl_engines::EngineKind;
use gdl_runtime::engine::Engine;
use rand::SeedableRng as _;
use rand::rngs::StdRng;
use std::ops::Range;

const DEFAULT_SEED: u64 = 17;
const GAMES: usize = 1000;

/// Games of small Amazons with whole moves: its states have a hundred moves and take long, and
/// its games hardly differ in length.
const GAMES_OF_AMAZONS: usize = 100;

/// A game of the papers, how often it is played, and what is expected of it: moves per game, and
/// legal moves of a role that has a choice.
struct Expected {
    game: &'static str,
    games: usize,
    length: Range<f64>,
    choice: Range<f64>,
}

const fn expect(game: &'static str, length: Range<f64>, choice: Range<f64>) -> Expected {
    expect_in(GAMES, game, length, choice)
}

const fn expect_in(
    games: usize,
    game: &'static str,
    length: Range<f64>,
    choice: Range<f64>,
) -> Expected {
    Expected {
        game,
        games,
        length,
        choice,
    }
}

const EXPECTED: &[Expected] = &[
    expect("amazons_small", 48.0..52.0, 11.0..14.0),
    expect_in(
        GAMES_OF_AMAZONS,
        "amazons_one_ply",
        24.5..26.5,
        100.0..150.0,
    ),
    expect("battle", 78.0..83.0, 50.0..57.0),
    expect("battle_public", 29.9..30.1, 40.0..90.0),
    expect("breakthrough", 62.0..66.0, 24.0..27.0),
    expect("checkers", 70.0..76.0, 5.5..7.0),
    expect("checkers_counted", 99.0..100.2, 7.5..8.5),
    expect("chinook", 26.5..29.5, 8.0..9.0),
    expect("knightthrough", 32.0..35.5, 35.0..40.0),
    expect("othello", 60.0..60.8, 8.0..9.5),
    expect("pentago", 53.0..56.5, 14.0..16.5),
    expect("runners", 49.0..50.1, 6.0..7.0),
    expect("runners_graded", 49.0..50.1, 6.0..7.0),
    expect("skirmish", 59.5..60.1, 16.0..18.5),
    expect("skirmish_counted", 59.5..60.1, 16.0..18.5),
];

/// Sums over games: moves, choices of roles, and the options in those choices.
#[derive(Default)]
struct Measured {
    moves: usize,
    choices: usize,
    options: usize,
}

impl Measured {
    fn play_out(&mut self, engine: &mut dyn Engine, rng: &mut StdRng) {
        let mut state = engine.initial();
        loop {
            let position = engine.examine(&state);
            if position.terminal {
                return;
            }
            self.moves += 1;
            for moves in position.legal.iter().filter(|moves| moves.len() > 1) {
                self.choices += 1;
                self.options += moves.len();
            }
            state = engine.next(&state, &common::random_joint(&position, rng));
        }
    }
}

#[test]
fn random_games_are_plausible() {
    let seed = gdl_testing::seed_or(DEFAULT_SEED);
    for expected in EXPECTED {
        let game = expected.game;
        let mut engine = common::load(&common::game(game), EngineKind::Net);
        let mut rng = StdRng::seed_from_u64(seed);
        let mut measured = Measured::default();
        for _ in 0..expected.games {
            measured.play_out(engine.as_mut(), &mut rng);
        }
        let length = measured.moves as f64 / expected.games as f64;
        let choice = measured.options as f64 / measured.choices as f64;
        println!("{game}: {length:.1} moves a game, {choice:.1} to choose from");
        assert!(expected.length.contains(&length), "{game}: {length} moves");
        assert!(
            expected.choice.contains(&choice),
            "{game}: {choice} to choose from"
        );
    }
}

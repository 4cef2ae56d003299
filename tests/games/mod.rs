//! The rule sheets of `games/` describe the intended games. Goldens cannot tell, since
//! they are recorded from the same rules.

mod play;

mod amazons_one_ply;
mod amazons_small;
mod battle;
mod battle_public;
mod checkers;
mod checkers_counted;
mod chinook;
mod corpus;
mod hex;
mod knightthrough;
mod othello;
mod peg_solitaire;
mod pentago;
mod plausibility;
mod runners;
mod runners_graded;
mod skirmish;
mod tron;
mod yavalath;

use crate::common;
use play::Match;
use rand::SeedableRng as _;
use rand::rngs::StdRng;

/// Some expectations are statistical, so the seed is fixed unless `SEED` asks for another.
const DEFAULT_SEED: u64 = 11;
const GAMES_EACH: usize = 10;

/// The number of games of `amazons_one_ply`, which has the most moves.
const LARGE_GAMES: usize = 2;

#[test]
fn random_games_are_sound() {
    let seed = gdl_testing::seed_or(DEFAULT_SEED);
    let variants = common::sheets("experiments/games");
    for path in common::games().into_iter().chain(variants) {
        let name = path.file_stem().expect("it has a name").to_string_lossy();
        let mut game = Match::new(&name);
        let mut rng = StdRng::seed_from_u64(seed);
        let games = match &*name {
            "amazons_one_ply" => LARGE_GAMES,
            _ => GAMES_EACH,
        };
        for _ in 0..games {
            game.restart();
            let goals = game.play_out(&mut rng, |_| {});
            let total: i32 = goals.iter().sum();
            let in_range = goals.iter().all(|goal| (0..=100).contains(goal));
            assert!(in_range, "{name}: {goals:?}");
            match &*name {
                "peg_solitaire" => {}
                "yavalath" => assert!([100, 150].contains(&total), "{name}: {goals:?}"),
                // Each player scores independently.
                "battle_public" | "skirmish" => {
                    assert!(goals.iter().all(|goal| goal % 10 == 0), "{name}: {goals:?}");
                }
                "runners_graded" => {
                    assert!(goals.iter().all(|goal| goal % 2 == 0), "{name}: {goals:?}");
                }
                _ => assert_eq!(total, 100, "{name}: {goals:?}"),
            }
            if ["amazons_small", "breakthrough", "hex", "knightthrough"].contains(&&*name) {
                assert!(goals.contains(&100), "{name} has no draws: {goals:?}");
            }
        }
    }
}

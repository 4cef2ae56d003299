//! Random games from given states have the means of random games.

use gdl_engines::load_builtin;
use gdl_environments::Rollouts;
use gdl_runtime::engine::Engine as _;
use gdl_runtime::lanes::Width;

#[test]
fn random_games_have_their_mean() {
    let mut engine = load_builtin("tictactoe", Width::W64).expect("the game is built in");
    let initial = engine.initial();
    let position = engine.examine(&initial);
    let joint: Vec<_> = position.legal.iter().map(|legal| legal[0]).collect();
    let second = engine.next(&initial, &joint);
    let states = [&initial.0[..], &second.0[..]].concat();
    let seed = gdl_testing::seed_or(3);
    let mut rollouts = Rollouts::new(&engine, seed);
    let table = rollouts
        .play(&states, 20_000, None, &mut || true)
        .expect("two states");
    assert_eq!(table.ended, [20_000, 20_000]);
    // The first player wins 58.5 % of random games and draws 12.7 %: Weisstein,
    // "Tic-Tac-Toe", MathWorld.
    let mean = table.goals[0] as f64 / 20_000.0;
    assert!((mean - (58.49 + 12.70 / 2.0)).abs() < 1.5, "mean {mean}");
    assert_eq!(table.goals[0] + table.goals[1], 2_000_000);
    let lengths = table
        .steps
        .iter()
        .map(|&steps| steps as f64 / 20_000.0)
        .collect::<Vec<_>>();
    assert!((lengths[0] - lengths[1] - 1.0).abs() < 0.3, "{lengths:?}");
}

#[test]
fn games_that_are_too_long_are_given_up() {
    let engine = load_builtin("tictactoe", Width::W64).expect("the game is built in");
    let mut rollouts = Rollouts::new(&engine, 1);
    let initial = engine.initial().0;
    let table = rollouts
        .play(&initial, 100, Some(4), &mut || true)
        .expect("a state");
    assert_eq!((table.ended[0], table.steps[0]), (0, 400));
    let stopped = rollouts
        .play(&initial, u32::MAX, None, &mut || false)
        .expect("a state");
    assert!(stopped.ended[0] < 100_000);
    assert!(
        rollouts
            .play(&[], 5, None, &mut || true)
            .expect("none")
            .ended
            .is_empty()
    );
}

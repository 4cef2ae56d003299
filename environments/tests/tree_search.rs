//! Tree searches with an evaluation that knows nothing find what the tree alone shows.

use gdl_engines::load_builtin;
use gdl_environments::{BatchOptions, BatchSearch, EnvironmentError, Observation};
use gdl_runtime::engine::{Engine, Move, State};
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;

fn options(games: usize) -> BatchOptions {
    BatchOptions {
        games,
        observation: Observation::Fluents,
        exploration: 1.5,
        noise: 0.0,
        concentration: None,
        seed: 1,
    }
}

fn engine(game: &str) -> LaneEngine {
    load_builtin(game, Width::W64).expect("the game is built in")
}

/// The number of a role's move, and the state after moves of the players in turn.
fn number(engine: &LaneEngine, role: usize, name: &str) -> usize {
    let mut moves = engine.layout().moves[role].iter();
    moves
        .position(|mv| mv.name == name)
        .expect("there is such a move")
}

fn after(engine: &mut LaneEngine, names: &[&str]) -> State {
    let mut state = engine.initial();
    for name in names {
        let legal = engine.examine(&state).legal;
        let joint = legal
            .iter()
            .enumerate()
            .map(|(role, legal)| match legal.len() {
                1 => legal[0],
                _ => Move(number(engine, role, name) as u32),
            });
        let joint: Vec<Move> = joint.collect();
        state = engine.next(&state, &joint);
    }
    state
}

/// Searches with the same evaluation everywhere: no preference, no value.
fn search(search: &mut BatchSearch, states: &[u64], simulations: u32) -> (Vec<u32>, Vec<f32>) {
    let shape = *search.shape();
    let logits = vec![0.0; shape.environments * shape.actions];
    let values = vec![0.0; shape.environments * shape.roles];
    search.begin(states).expect("the states fit");
    search
        .expand(&logits, &values)
        .expect("the evaluation fits");
    for _ in 0..simulations {
        search.descend().expect("the actions are legal");
        search
            .expand(&logits, &values)
            .expect("the evaluation fits");
    }
    let (mut visits, mut means) = (vec![0; logits.len()], logits);
    search
        .results(&mut visits, &mut means)
        .expect("the arrays fit");
    (visits, means)
}

#[test]
fn searches_find_wins_and_parry_them() {
    let mut engine = engine("tictactoe");
    let wins = after(
        &mut engine,
        &["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"],
    );
    let parries = after(&mut engine, &["(mark 1 1)", "(mark 2 1)", "(mark 1 2)"]);
    let states = [&wins.0[..], &parries.0[..]].concat();
    let mut searches = BatchSearch::new(&engine, options(2)).expect("the game can be searched");
    let (visits, values) = search(&mut searches, &states, 400);
    let actions = searches.shape().actions;
    for (game, role) in [(0, 0), (1, 1)] {
        let own = &visits[game * actions..][..actions];
        assert_eq!(own.iter().sum::<u32>(), 400, "game {game}");
        let best = (0..actions).max_by_key(|&action| own[action]);
        assert_eq!(
            best,
            Some(number(&engine, role, "(mark 1 3)")),
            "game {game}"
        );
    }
    let winning = number(&engine, 0, "(mark 1 3)");
    assert!((values[winning] - 1.0).abs() < 1e-5, "{}", values[winning]);
}

#[test]
fn leaves_are_what_the_game_says() {
    let engine = engine("connect_four");
    let mut searches = BatchSearch::new(&engine, options(3)).expect("the game can be searched");
    let shape = *searches.shape();
    let states = engine.initial().0.repeat(3);
    searches.begin(&states).expect("the states fit");
    assert_eq!(searches.leaves().players, [0, 0, 0]);
    assert_eq!(searches.leaves().open, [true, true, true]);
    // Each tree prefers another column.
    let mut logits = vec![0.0; 3 * shape.actions];
    for game in 0..3 {
        let column = number(&engine, 0, &format!("(drop {})", game + 1));
        logits[game * shape.actions + column] = 9.0;
    }
    searches
        .expand(&logits, &vec![0.0; 3 * shape.roles])
        .expect("the evaluation fits");
    searches.descend().expect("the actions are legal");
    assert_eq!(searches.leaves().players, [1, 1, 1]);
    let bits = shape.observation_bits;
    for game in 0..3 {
        let seen = &searches.leaves().observations[game * bits..][..bits];
        let fluents = engine.layout().bases.iter();
        let names: Vec<&str> = fluents
            .zip(seen)
            .filter(|(_, bit)| **bit == 1)
            .map(|(base, _)| base.name.as_str())
            .collect();
        let cell = format!("(cell {} 1 red)", game + 1);
        assert!(names.contains(&cell.as_str()), "{names:?}");
    }
}

#[test]
fn noise_is_repeatable_and_spreads_visits() {
    let engine = engine("connect_four");
    let noisy = |seed| BatchOptions {
        noise: 0.9,
        concentration: Some(0.1),
        seed,
        ..options(8)
    };
    let states = engine.initial().0.repeat(8);
    let run = |seed| {
        let mut searches =
            BatchSearch::new(&engine, noisy(seed)).expect("the game can be searched");
        search(&mut searches, &states, 50).0
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
    let first = run(1);
    let actions = first.len() / 8;
    assert!(
        first
            .chunks(actions)
            .any(|visits| visits != &first[..actions])
    );
}

#[test]
fn over_is_over_at_the_root() {
    let mut engine = engine("tictactoe");
    let ended = after(
        &mut engine,
        &[
            "(mark 1 1)",
            "(mark 2 1)",
            "(mark 1 2)",
            "(mark 2 2)",
            "(mark 1 3)",
        ],
    );
    let mut searches = BatchSearch::new(&engine, options(1)).expect("the game can be searched");
    searches.begin(&ended.0).expect("the state fits");
    assert_eq!(searches.leaves().open, [false]);
    let (visits, _) = search(&mut searches, &ended.0, 5);
    assert!(visits.iter().all(|&visits| visits == 0));
}

#[test]
fn games_of_simultaneous_choices_are_refused() {
    let refused = BatchSearch::new(&engine("tron"), options(1)).err();
    assert_eq!(refused, Some(EnvironmentError::Simultaneous));
}

#[test]
fn roots_are_expanded_first() {
    let engine = engine("tictactoe");
    let mut searches = BatchSearch::new(&engine, options(1)).expect("the game can be searched");
    assert_eq!(searches.descend(), Err(EnvironmentError::NotExpanded));
    searches.begin(&engine.initial().0).expect("the state fits");
    assert_eq!(searches.descend(), Err(EnvironmentError::NotExpanded));
}

#[test]
fn evaluations_that_are_not_finite_do_no_lasting_harm() {
    let engine = engine("tictactoe");
    let mut searches = BatchSearch::new(&engine, options(1)).expect("the game can be searched");
    let actions = searches.shape().actions;
    let mut logits = vec![0.0; actions];
    let noop = number(&engine, 0, "noop");
    logits[(noop + 1) % actions] = f32::INFINITY;
    searches.begin(&engine.initial().0).expect("the state fits");
    searches.expand(&logits, &[0.0; 2]).expect("the arrays fit");
    for simulation in 0..20 {
        searches.descend().expect("the roots are expanded");
        let value = if simulation == 3 { f32::NAN } else { 0.0 };
        let values = [value, f32::INFINITY];
        searches.expand(&logits, &values).expect("the arrays fit");
    }
    let (mut visits, mut means) = (vec![0; actions], vec![0.0; actions]);
    searches
        .results(&mut visits, &mut means)
        .expect("the arrays fit");
    assert_eq!(visits.iter().sum::<u32>(), 20);
    assert!(means.iter().all(|mean| *mean == 0.0), "{means:?}");
}

//! Games that share the lanes of a machine.

use super::*;
use gdl_contests::schedule::Fixture;
use std::time::Instant;

fn agents(texts: [&str; 2]) -> [Agent; 2] {
    texts.map(|text| text.parse().unwrap())
}

#[test]
fn a_seed_repeats_all_games() {
    let agents = agents(["uct", "random"]);
    for (games_per_thread, threads) in [(1, 1), (8, 1), (100, 2)] {
        let once = play_interleaved(&agents, games_per_thread, threads);
        let fixtures: Vec<Fixture> = once
            .iter()
            .map(|game| game.record.fixture.clone())
            .collect();
        let expected: Vec<Fixture> = (0..30).map(|number| SCHEDULE.fixture(number)).collect();
        assert_eq!(fixtures, expected);
        assert_eq!(once, play_interleaved(&agents, games_per_thread, threads));
    }
}

#[test]
fn time_is_divided_among_searches() {
    let agents = agents(["uct", "uct"]);
    let mut runner = InterleavedRunner {
        time_control: TimeControl::Simulations(200),
        ..interleaved(&agents, 16, 1)
    };
    let begun = Instant::now();
    let (games, _) = play(&mut runner, 16, usize::MAX);
    let taken = begun.elapsed().as_secs_f64();
    let reports = games.iter().flat_map(|game| &game.record.players);
    let seconds: f64 = reports.map(|report| report.seconds).sum();
    assert!(seconds > 0.0 && seconds < taken, "{seconds} of {taken} s");
}

/// Games by number, on a budget that is large for tic-tac-toe.
fn play_well(agents: &[Agent], games: u64, games_per_thread: usize) -> Vec<FinishedGame> {
    let mut runner = InterleavedRunner {
        time_control: TimeControl::Simulations(300),
        ..interleaved(agents, games_per_thread, 1)
    };
    let (mut all, outcome) = play(&mut runner, games, usize::MAX);
    assert_eq!(outcome, Ok(()));
    all.sort_by_key(|game| game.record.fixture.number);
    all
}

#[test]
fn budgets_are_exact_and_the_better_agent_wins() {
    let agents = agents(["uct", "random"]);
    let games = play_well(&agents, 100, 10);
    assert_eq!(games.len(), 100);
    let mut score = 0;
    for game in &games {
        assert_eq!(game.goals.iter().sum::<i32>(), 100);
        let mut playing = game.record.fixture.agents.iter();
        let role = playing.position(|&agent| agent == 0).unwrap();
        score += game.goals[role];
        let report = &game.record.players[role];
        let exact = report.simulations <= 300 * report.searches;
        assert!(report.searches > 0 && exact, "{report:?}");
        assert_eq!(game.record.players[1 - role].searches, 0);
    }
    assert!(score > 9_000, "{score}");
}

#[test]
fn every_lane_follows_its_own_policy() {
    // Plain and weighted playouts, and a component that only observes, in neighbouring
    // lanes: a player that takes over a lane is not affected by what used it before.
    let agents = agents(["uct+mast", "uct+rave"]);
    let games = play_well(&agents, 60, 7);
    let goals = games
        .iter()
        .map(|game| game.goals[game.record.fixture.agents[0]]);
    assert_eq!(games.len(), 60);
    // Both play tic-tac-toe well, so that most games are drawn.
    let sum: i32 = goals.sum();
    assert!((2_400..=3_600).contains(&sum), "{sum}");
}

/// Both players search every move, and all moves of tic-tac-toe but the last are choices.
fn play_idle(idle: IdleSearch) -> Vec<FinishedGame> {
    let agents = agents(["uct", "uct"]);
    let mut runner = InterleavedRunner {
        idle,
        ..interleaved(&agents, 4, 1)
    };
    let (games, outcome) = play(&mut runner, 8, usize::MAX);
    assert_eq!((games.len(), outcome), (8, Ok(())));
    games
}

#[test]
fn forced_plies_are_searched_if_asked_for() {
    let searches = |games: &[FinishedGame]| -> Vec<(u64, u64)> {
        let count = |game: &FinishedGame| {
            let reports = game.record.players.iter();
            let searches = reports.map(|report| report.searches).sum();
            (searches, game.record.moves.len() as u64)
        };
        games.iter().map(count).collect()
    };
    // One of two roles has a choice in every round; a search of a proven root makes no
    // simulations and is not counted.
    for (searches, rounds) in searches(&play_idle(IdleSearch::default())) {
        assert!(searches <= rounds, "{searches} in {rounds} rounds");
    }
    let forced = IdleSearch {
        forced: true,
        ..IdleSearch::default()
    };
    for (searches, rounds) in searches(&play_idle(forced)) {
        assert!(searches > rounds, "{searches} in {rounds} rounds");
    }
}

#[test]
fn a_start_clock_is_spent_before_the_first_move() {
    // With 20 simulations a move uct is far from the end of tic-tac-toe; after 20,000 it
    // has proven the draw, so that no search of the game makes a simulation.
    let searched = |idle: IdleSearch| {
        let games = play_idle(idle);
        let reports = games.iter().flat_map(|game| &game.record.players);
        let searched = reports.map(|report| report.searches).sum::<u64>();
        let draws = games.iter().filter(|game| game.goals == [50, 50]).count();
        (searched, draws)
    };
    let start = IdleSearch {
        start: Some(MoveBudget::Simulations(20_000)),
        ..IdleSearch::default()
    };
    let (without, _) = searched(IdleSearch::default());
    assert!(without > 40, "{without}");
    assert_eq!(searched(start), (0, 8));
}

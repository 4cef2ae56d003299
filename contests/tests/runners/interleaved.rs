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

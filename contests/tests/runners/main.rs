//! Runners of contests: what they play, what they report, and when they stop.
#![allow(clippy::unwrap_used)]

mod batches;
mod dedicated;
mod idle;
mod interleaved;
mod resumed;

use gdl_agent::agents::Agent;
use gdl_agent::matches::MatchError;
use gdl_agent::player::Player;
use gdl_agent::player::random::RandomPlayer;
use gdl_agent::search::TimeControl;
use gdl_agent::shared_engine::SharedEngine;
use gdl_contests::game_record::{FinishedGame, GameRecord};
use gdl_contests::idle_search::IdleSearch;
use gdl_contests::runner::{GameEvent, InterleavedRunner, Runner};
use gdl_contests::schedule::Schedule;
use gdl_engines::load_builtin;
use gdl_runtime::engine::Engine;
use gdl_runtime::lanes::Width;
use std::ops::ControlFlow;

const SCHEDULE: Schedule = Schedule {
    roles: 2,
    agents: 2,
    seed: 9,
};

/// Enough for moves that are no worse than random ones.
const FEW_SIMULATIONS: TimeControl = TimeControl::Simulations(10);

fn engine() -> SharedEngine {
    SharedEngine::new(Box::new(load_builtin("tictactoe", Width::W64).unwrap()))
}

fn random(_: usize, _: &dyn Engine, seed: u64) -> Box<dyn Player> {
    Box::new(RandomPlayer::new(seed))
}

fn interleaved(agents: &[Agent], games_per_thread: usize, threads: usize) -> InterleavedRunner<'_> {
    InterleavedRunner {
        engine: engine(),
        agents,
        time_control: TimeControl::Simulations(20),
        idle: IdleSearch::default(),
        rounds: 100,
        memory: 1 << 24,
        games_per_thread,
        threads,
        watch: &(),
    }
}

/// Plays `games` games, or until `enough` of them are over.
fn play(
    runner: &mut dyn Runner,
    games: u64,
    enough: usize,
) -> (Vec<FinishedGame>, Result<(), MatchError>) {
    let mut all = Vec::new();
    let mut games = (0..games).map(|number| GameRecord::new(SCHEDULE.fixture(number)));
    let outcome = runner.play(&mut games, &mut |event| {
        if let GameEvent::Finished(game) = event {
            all.push(game);
        }
        match all.len() < enough {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    (all, outcome)
}

/// All of thirty interleaved games by number, without the seconds they took.
fn play_interleaved(
    agents: &[Agent],
    games_per_thread: usize,
    threads: usize,
) -> Vec<FinishedGame> {
    let mut runner = interleaved(agents, games_per_thread, threads);
    let (mut games, outcome) = play(&mut runner, 30, usize::MAX);
    assert_eq!(outcome, Ok(()));
    games.sort_by_key(|game| game.record.fixture.number);
    for report in games.iter_mut().flat_map(|game| &mut game.record.players) {
        report.seconds = 0.0;
    }
    games
}

//! Games that have a machine each.

use super::*;
use gdl_agent::matches::{Ending, PlayerReport, TOLERANCE};
use gdl_agent::player::{NoMove, Reply, Turn};
use gdl_agent::search::SearchReport;
use gdl_agent::search::SearchResult;
use gdl_contests::runner::DedicatedRunner;
use gdl_runtime::engine::Move;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

type MakePlayer = dyn Fn(usize, &dyn Engine, u64) -> Box<dyn Player> + Sync;

/// Plays `games` games, or until `enough` of them are over.
fn play_dedicated(
    make_player: &MakePlayer,
    time_control: TimeControl,
    threads: usize,
    (games, enough): (u64, usize),
) -> (Vec<FinishedGame>, Result<(), MatchError>) {
    let mut runner = DedicatedRunner {
        engine: engine(),
        make_player,
        time_control,
        idle: IdleSearch::default(),
        start: None,
        rounds: 100,
        threads,
        watch: &(),
    };
    play(&mut runner, games, enough)
}

#[test]
fn every_fixture_is_played_once_and_the_same_on_any_thread() {
    let by_number = |threads| -> BTreeMap<u64, FinishedGame> {
        let (played, outcome) = play_dedicated(&random, FEW_SIMULATIONS, threads, (40, 100));
        assert_eq!((played.len(), outcome), (40, Ok(())));
        let numbered = played
            .into_iter()
            .map(|played| (played.record.fixture.number, played));
        numbered.collect()
    };
    let alone = by_number(1);
    assert_eq!(alone.len(), 40);
    assert!(
        alone
            .values()
            .all(|played| played.ending == Ending::Terminal)
    );
    assert_eq!(alone, by_number(3));
    let first_moves = alone.values().map(|played| played.record.moves[0][0]);
    assert!(first_moves.collect::<BTreeSet<Move>>().len() > 3);
}

#[test]
fn it_stops_when_it_is_told() {
    for threads in [1, 3] {
        let (played, outcome) =
            play_dedicated(&random, FEW_SIMULATIONS, threads, (1_000_000_000, 5));
        assert_eq!((played.len(), outcome), (5, Ok(())));
    }
    let (played, outcome) = play_dedicated(&random, FEW_SIMULATIONS, 3, (0, 5));
    assert_eq!((played.len(), outcome), (0, Ok(())));
}

/// Makes the same move always, which soon is not legal.
struct Cheat;

impl Player for Cheat {
    fn name(&self) -> String {
        "cheat".to_owned()
    }

    fn choose(&mut self, _: &Turn<'_>, _: &mut dyn FnMut(&SearchReport)) -> Result<Reply, NoMove> {
        Ok(Reply::Play(SearchResult::without_search(Move(0))))
    }
}

#[test]
fn illegal_moves_end_a_contest() {
    let make = |_: usize, _: &dyn Engine, _: u64| -> Box<dyn Player> { Box::new(Cheat) };
    let (played, outcome) = play_dedicated(&make, FEW_SIMULATIONS, 2, (10, 10));
    assert_eq!(played.len(), 0);
    assert!(
        matches!(outcome, Err(MatchError::Illegal { .. })),
        "{outcome:?}"
    );
}

/// Takes so long for its first move.
struct Slow(Duration);

impl Player for Slow {
    fn name(&self) -> String {
        "slow".to_owned()
    }

    fn choose(
        &mut self,
        turn: &Turn<'_>,
        _: &mut dyn FnMut(&SearchReport),
    ) -> Result<Reply, NoMove> {
        std::thread::sleep(std::mem::take(&mut self.0));
        Ok(Reply::Play(SearchResult::without_search(turn.legal()[0])))
    }
}

#[test]
fn moves_that_take_too_long_are_counted() {
    let make = |agent: usize, _: &dyn Engine, _: u64| -> Box<dyn Player> {
        Box::new(Slow(Duration::from_millis([0, 130][agent])))
    };
    let time_control = TimeControl::Time(Duration::from_millis(20));
    let (played, _) = play_dedicated(&make, time_control, 1, (2, 2));
    for game in played {
        let late = game
            .record
            .fixture
            .agents
            .iter()
            .position(|&agent| agent == 1)
            .unwrap();
        assert_eq!(game.record.players[late].overruns, 1);
        assert!(game.record.players[late].longest_overrun >= Duration::from_millis(110));
    }
}

#[test]
fn overruns_begin_above_the_tolerance() {
    let result = SearchResult::without_search(Move(0));
    let second = Duration::from_secs(1);
    let mut report = PlayerReport::default();
    report.add(&result, second + TOLERANCE, TimeControl::Time(second));
    assert_eq!((report.overruns, report.longest_overrun), (0, TOLERANCE));
    let millisecond = Duration::from_millis(1);
    report.add(
        &result,
        second + TOLERANCE + millisecond,
        TimeControl::Time(second),
    );
    assert_eq!(
        (report.overruns, report.longest_overrun),
        (1, TOLERANCE + millisecond)
    );
    report.add(&result, 100 * second, TimeControl::Simulations(1));
    assert_eq!(report.overruns, 1);
}

//! Contests between toy players: who sits where, what is told, and when it stops.
#![allow(clippy::unwrap_used)]

mod toys;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

use gdl_agent::agents::Agent;
use gdl_agent::clock::Allowance;
use gdl_agent::contest::{
    Course, Fixture, News, OneByOne, Played, Schedule, SeatReport, SharedEngine, SideBySide,
    TOLERANCE, Venue,
};
use gdl_agent::matches::{Ending, MatchError};
use gdl_agent::player::{NoMove, Player, RandomPlayer, Reply, Thought, Turn};
use gdl_agent::search::Report;
use gdl_runtime::engine::{Engine, Move};
use toys::*;

const SCHEDULE: Schedule = Schedule {
    roles: 2,
    agents: 2,
    seed: 9,
};

fn engine() -> SharedEngine {
    SharedEngine::new(Box::new(ToyEngine::new(TIC_TAC_TOE, 16)))
}

type MakePlayer = dyn Fn(usize, &dyn Engine, u64) -> Box<dyn Player> + Sync;

fn random(_: usize, _: &dyn Engine, seed: u64) -> Box<dyn Player> {
    Box::new(RandomPlayer::new(seed))
}

/// Plays so many games until `enough` are there.
fn play_one_by_one(
    make_player: &MakePlayer,
    allowance: Allowance,
    threads: usize,
    (games, enough): (u64, usize),
) -> (Vec<Played>, Result<(), MatchError>) {
    let mut venue = OneByOne {
        engine: engine(),
        make_player,
        allowance,
        rounds: 100,
        threads,
    };
    play(&mut venue, games, enough)
}

fn play(venue: &mut dyn Venue, games: u64, enough: usize) -> (Vec<Played>, Result<(), MatchError>) {
    let mut all = Vec::new();
    let mut games = (0..games).map(|number| Course::new(SCHEDULE.fixture(number)));
    let outcome = venue.play(&mut games, &mut |news| {
        if let News::Ended(played) = news {
            all.push(played);
        }
        match all.len() < enough {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    (all, outcome)
}

const FREE: Allowance = Allowance::Simulations(10);

#[test]
fn every_fixture_is_played_once_and_the_same_on_any_thread() {
    let by_number = |threads| -> BTreeMap<u64, Played> {
        let (played, outcome) = play_one_by_one(&random, FREE, threads, (40, 100));
        assert_eq!((played.len(), outcome), (40, Ok(())));
        let numbered = played
            .into_iter()
            .map(|played| (played.course.fixture.number, played));
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
    let openings = alone.values().map(|played| played.course.moves[0][0]);
    assert!(openings.collect::<std::collections::BTreeSet<Move>>().len() > 3);
}

#[test]
fn it_stops_when_it_is_told() {
    for threads in [1, 3] {
        let (played, outcome) = play_one_by_one(&random, FREE, threads, (1_000_000_000, 5));
        assert_eq!((played.len(), outcome), (5, Ok(())));
    }
    let (played, outcome) = play_one_by_one(&random, FREE, 3, (0, 5));
    assert_eq!((played.len(), outcome), (0, Ok(())));
}

/// Makes a move that no state has.
struct Cheat;

impl Player for Cheat {
    fn name(&self) -> String {
        "cheat".to_owned()
    }

    fn choose(&mut self, _: &Turn<'_>, _: &mut dyn FnMut(&Report)) -> Result<Reply, NoMove> {
        Ok(Reply::Play(Thought::bare(Move(77))))
    }
}

#[test]
fn illegal_moves_end_a_contest() {
    let make = |_: usize, _: &dyn Engine, _: u64| -> Box<dyn Player> { Box::new(Cheat) };
    let (played, outcome) = play_one_by_one(&make, FREE, 2, (10, 10));
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

    fn choose(&mut self, turn: &Turn<'_>, _: &mut dyn FnMut(&Report)) -> Result<Reply, NoMove> {
        std::thread::sleep(std::mem::take(&mut self.0));
        Ok(Reply::Play(Thought::bare(turn.legal()[0])))
    }
}

#[test]
fn moves_that_take_too_long_are_counted() {
    let make = |agent: usize, _: &dyn Engine, _: u64| -> Box<dyn Player> {
        Box::new(Slow(Duration::from_millis([0, 130][agent])))
    };
    let allowance = Allowance::Time(Duration::from_millis(20));
    let (played, _) = play_one_by_one(&make, allowance, 1, (2, 2));
    for game in played {
        let late = game
            .course
            .fixture
            .seats
            .iter()
            .position(|&agent| agent == 1)
            .unwrap();
        assert_eq!(game.course.seats[late].overruns, 1);
        assert!(game.course.seats[late].longest_overrun >= Duration::from_millis(110));
    }
}

#[test]
fn overruns_begin_above_the_tolerance() {
    let thought = Thought::bare(Move(0));
    let second = Duration::from_secs(1);
    let mut report = SeatReport::default();
    report.add(&thought, second + TOLERANCE, Allowance::Time(second));
    assert_eq!((report.overruns, report.longest_overrun), (0, TOLERANCE));
    let millisecond = Duration::from_millis(1);
    report.add(
        &thought,
        second + TOLERANCE + millisecond,
        Allowance::Time(second),
    );
    assert_eq!(
        (report.overruns, report.longest_overrun),
        (1, TOLERANCE + millisecond)
    );
    report.add(&thought, 100 * second, Allowance::Simulations(1));
    assert_eq!(report.overruns, 1);
}

/// Fixtures of agents 0 and 1, side by side.
fn side_by_side(agents: &[Agent], boards: usize, threads: usize) -> Vec<Played> {
    let mut venue = SideBySide {
        engine: engine(),
        agents,
        allowance: Allowance::Simulations(20),
        rounds: 100,
        memory: 1 << 24,
        boards,
        threads,
    };
    let (mut played, outcome) = play(&mut venue, 30, usize::MAX);
    assert_eq!(outcome, Ok(()));
    played.sort_by_key(|played| played.course.fixture.number);
    for seat in played
        .iter_mut()
        .flat_map(|played| &mut played.course.seats)
    {
        seat.seconds = 0.0;
    }
    played
}

#[test]
fn side_by_side_a_seed_repeats_all_games() {
    let agents = ["uct", "random"].map(|text| text.parse().unwrap());
    for (boards, threads) in [(1, 1), (8, 1), (100, 2)] {
        let one = side_by_side(&agents, boards, threads);
        let fixtures: Vec<Fixture> = one
            .iter()
            .map(|played| played.course.fixture.clone())
            .collect();
        let expected: Vec<Fixture> = (0..30).map(|number| SCHEDULE.fixture(number)).collect();
        assert_eq!(fixtures, expected);
        assert_eq!(one, side_by_side(&agents, boards, threads));
    }
}

#[test]
fn side_by_side_time_is_shared_out() {
    let agents = ["uct", "uct"].map(|text| text.parse().unwrap());
    let mut venue = SideBySide {
        engine: engine(),
        agents: &agents,
        allowance: Allowance::Simulations(200),
        rounds: 100,
        memory: 1 << 24,
        boards: 16,
        threads: 1,
    };
    let begun = std::time::Instant::now();
    let (played, _) = play(&mut venue, 16, usize::MAX);
    let taken = begun.elapsed().as_secs_f64();
    let seats = played.iter().flat_map(|played| &played.course.seats);
    let seconds: f64 = seats.map(|seat| seat.seconds).sum();
    assert!(seconds > 0.0 && seconds < taken, "{seconds} of {taken} s");
}

/// A game goes on where it was broken off, and what was counted counts.
#[test]
fn games_are_taken_up_again() {
    let agents = ["uct", "random"].map(|text| text.parse().unwrap());
    let whole = side_by_side(&agents, 8, 1);
    let begun = |played: &Played| Course {
        moves: played.course.moves[..2].to_vec(),
        seats: vec![
            SeatReport {
                simulations: 1000,
                ..SeatReport::default()
            };
            2
        ],
        interruptions: 1,
        ..Course::new(played.course.fixture.clone())
    };
    let mut beside = SideBySide {
        engine: engine(),
        agents: &agents,
        allowance: Allowance::Simulations(20),
        rounds: 100,
        memory: 1 << 24,
        boards: 8,
        threads: 1,
    };
    let mut alone = OneByOne {
        engine: engine(),
        make_player: &random,
        allowance: FREE,
        rounds: 100,
        threads: 2,
    };
    let venues: [&mut dyn Venue; 2] = [&mut beside, &mut alone];
    for venue in venues {
        let mut ended = 0;
        let outcome = venue.play(&mut whole.iter().map(begun), &mut |news| {
            let News::Ended(played) = news else {
                return ControlFlow::Continue(());
            };
            ended += 1;
            let (course, number) = (&played.course, played.course.fixture.number as usize);
            assert_eq!(course.moves[..2], whole[number].course.moves[..2]);
            assert!(course.moves.len() >= 5);
            assert_eq!(played.ending, Ending::Terminal);
            assert_eq!(course.interruptions, 1);
            assert!(course.seats.iter().all(|seat| seat.simulations >= 1000));
            ControlFlow::Continue(())
        });
        assert_eq!((ended, outcome), (whole.len(), Ok(())));
    }
}

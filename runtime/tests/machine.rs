//! Machines play a game exactly as its rules say, in every lane at every width.

use crate::pile::{ONE, PILE, Pile, TWO, WAIT, layout, machine, state};
use crate::widths::at_every_width;
use gdl_runtime::engine::{Engine as _, Move, Pick, Tally};
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;
use gdl_runtime::layout::{BaseRow, Layout};
use gdl_runtime::perft;
use gdl_runtime::program::{Phase, Rows, StepProgram};
use gdl_runtime::programs::Programs;
use std::sync::Arc;

/// The exact expectation of uniformly random play from the initial state.
struct Expectation {
    length: f64,
    squared_length: f64,
    first_wins: f64,
}

impl Expectation {
    /// From the probabilities of `(left, moves made)`, the pile shrinking.
    fn exact() -> Self {
        let mut probability = [[0.0; PILE + 1]; PILE + 1];
        probability[PILE][0] = 1.0;
        let mut expected = Self {
            length: 0.0,
            squared_length: 0.0,
            first_wins: 0.0,
        };
        for left in (1..=PILE).rev() {
            for made in 0..PILE {
                let here = probability[left][made];
                if left == 1 {
                    probability[0][made + 1] += here;
                } else {
                    probability[left - 1][made + 1] += here / 2.0;
                    probability[left - 2][made + 1] += here / 2.0;
                }
            }
        }
        for (made, p) in probability[0].into_iter().enumerate() {
            expected.length += p * made as f64;
            expected.squared_length += p * (made * made) as f64;
            expected.first_wins += if made % 2 == 1 { p } else { 0.0 };
        }
        expected
    }

    /// Panics if the tally is more than five standard deviations off. Sums up to
    /// a stopping time have their expectation (Wald), whatever the stopping rule.
    fn assert_met_by(&self, tally: &Tally, case: &str) {
        let games = tally.playouts as f64;
        let variance = self.squared_length - self.length.powi(2);
        let off = (tally.steps as f64 - games * self.length) / (games * variance).sqrt();
        assert!(
            off.abs() < 5.0,
            "{case}: lengths are off by {off} deviations: {tally:?}"
        );
        // A winner has 100 points, a loser 10.
        let wins = (tally.goals[0] as f64 - 10.0 * games) / 90.0;
        let variance = self.first_wins * (1.0 - self.first_wins);
        let off = (wins - games * self.first_wins) / (games * variance).sqrt();
        assert!(
            off.abs() < 5.0,
            "{case}: wins are off by {off} deviations: {tally:?}"
        );
        let winners = wins.round() as i64;
        let losers = tally.playouts as i64 - winners;
        assert_eq!(tally.goals[1], 10 * winners + 100 * losers, "{case}");
        assert_eq!(
            tally.squared_goals[0],
            i128::from(10_000 * winners + 100 * losers),
            "{case}"
        );
        assert_eq!(
            tally.squared_goals[1],
            i128::from(100 * winners + 10_000 * losers),
            "{case}"
        );
    }
}

#[test]
fn playouts_have_the_exact_expectation() {
    at_every_width(long_playouts);
}

fn long_playouts(width: Width, seed: u64) {
    let tally = machine(width, seed).playouts(&mut |tally| tally.playouts < 100_000);
    assert!(tally.playouts >= 100_000);
    let expected = Expectation::exact();
    expected.assert_met_by(&tally, &format!("{} lanes", width.lanes()));
    let games = tally.playouts as f64;
    let squares = tally.squared_steps as f64 / games;
    assert!(
        (squares / expected.squared_length - 1.0).abs() < 0.02,
        "{tally:?}"
    );
    assert!(tally.transitions >= tally.steps);
    assert!(
        tally.transitions - tally.steps < 64 * width.lanes() as u64,
        "{tally:?}"
    );
}

/// Stopped at once, every lane plays one game to its end; stopped later, the
/// games in play are played to theirs. Dropping them would favour short games.
#[test]
fn stopping_favours_no_length() {
    at_every_width(short_runs);
}

fn short_runs(width: Width, first_seed: u64) {
    for questions in 0..3 {
        let mut sum = Tally::default();
        for number in 0..40_000 / width.lanes() as u64 {
            let mut left = questions;
            let tally = machine(width, first_seed + number).playouts(&mut |_| {
                left -= 1;
                left >= 0
            });
            if questions == 0 {
                assert_eq!(tally.playouts, width.lanes() as u64);
            }
            sum += &tally;
        }
        let case = format!("{} lanes, {questions} questions", width.lanes());
        Expectation::exact().assert_met_by(&sum, &case);
    }
}

/// A game that never ends: nothing is counted, and the run ends nevertheless.
#[test]
fn endless_games_are_given_up() {
    let layout = Layout {
        bases: vec![BaseRow {
            name: "on".to_owned(),
            initially: true,
        }],
        ..Layout::default()
    };
    struct Endless;
    impl StepProgram<u64> for Endless {
        fn run(&self, phase: Phase, rows: &mut Rows<u64>) {
            if phase == Phase::Next {
                rows.next.copy_from_slice(&rows.now);
            }
        }
    }
    let programs = Programs {
        w64: Some(Arc::new(Endless)),
        ..Programs::default()
    };
    let engine = LaneEngine::new("endless", layout, programs, Width::W64);
    let mut machine = engine.expect("64 lanes are everywhere").lanes(0);
    let tally = machine.playouts(&mut |_| false);
    assert_eq!((tally.playouts, tally.steps), (0, 0));
    assert!((64..10_000 * 64).contains(&tally.transitions), "{tally:?}");
}

#[test]
fn lanes_take_states_and_give_them_back() {
    at_every_width(states_in_lanes);
}

fn states_in_lanes(width: Width, seed: u64) {
    let mut machine = machine(width, seed);
    let state_of = |lane: usize| state(lane % (PILE + 1), lane.is_multiple_of(3));
    for lane in 0..width.lanes() {
        machine.load(lane, &state_of(lane));
    }
    machine.evaluate();
    for lane in 0..width.lanes() {
        let (left, second) = (lane % (PILE + 1), lane.is_multiple_of(3));
        assert_eq!(machine.state(lane), state_of(lane));
        let over = machine.terminal()[lane / 64] >> (lane % 64) & 1 != 0;
        assert_eq!(over, left == 0);
        if over {
            let mut goals = [0; 2];
            machine.goals(lane, &mut goals);
            assert_eq!(
                goals,
                if second { [100, 10] } else { [10, 100] },
                "lane {lane}"
            );
            continue;
        }
        let mut legal = [Vec::new(), Vec::new()];
        for (role, legal) in legal.iter_mut().enumerate() {
            machine.legal(lane, role, legal);
        }
        let mover = if left == 1 { vec![ONE] } else { vec![ONE, TWO] };
        assert_eq!(legal[usize::from(second)], mover, "lane {lane}");
        assert_eq!(legal[usize::from(!second)], [WAIT], "lane {lane}");
    }
}

/// A set of lanes as words.
fn set_of(lanes: &[usize]) -> Vec<u64> {
    let mut set = vec![0; 8];
    lanes
        .iter()
        .for_each(|&lane| set[lane / 64] |= 1 << (lane % 64));
    set
}

#[test]
fn forced_moves_are_made_once_and_nowhere_else() {
    at_every_width(forced_moves);
}

/// Even lanes are forced to take one or two in turn, odd ones are left alone.
fn forced_moves(width: Width, seed: u64) {
    let mut machine = machine(width, seed);
    let (mut ones, mut twos) = (0_u32, 0_u32);
    let initial = state(PILE, false);
    for _ in 0..20_000 / width.lanes() {
        (0..width.lanes()).for_each(|lane| machine.load(lane, &initial));
        machine.evaluate();
        for lane in (0..width.lanes()).step_by(2) {
            let index = lane as u32 / 2 % 2;
            let pick = |mv: Move, index| Pick { mv, index };
            machine.force(&set_of(&[lane]), &[pick(Move(index), index), pick(WAIT, 0)]);
        }
        machine.advance();
        for lane in 0..width.lanes() {
            let found = machine.state(lane);
            if lane % 2 == 0 {
                let taken = 1 + lane / 2 % 2;
                assert_eq!(found, state(PILE - taken, true), "lane {lane}");
            } else if found == state(PILE - 1, true) {
                ones += 1;
            } else {
                assert_eq!(found, state(PILE - 2, true), "lane {lane}");
                twos += 1;
            }
        }
        // Nothing is forced any more: the second player's moves are random, also
        // in the lanes that were forced.
        machine.evaluate();
        machine.advance();
        if width.lanes() > 64 {
            let takes_one = (0..width.lanes()).step_by(2).filter(|&lane| {
                let taken = 1 + lane / 2 % 2;
                machine.state(lane) == state(PILE - taken - 1, false)
            });
            let (one, all) = (takes_one.count(), width.lanes() / 2);
            assert!((all / 5..all * 4 / 5).contains(&one), "{one} of {all}");
        }
    }
    let off = (f64::from(ones) - f64::from(twos)) / f64::from(ones + twos).sqrt();
    assert!(off.abs() < 5.0, "{ones} took one, {twos} took two");
}

#[test]
fn a_seed_decides_the_games() {
    at_every_width(seeded);
}

fn seeded(width: Width, seed: u64) {
    let tally = |seed| machine(width, seed).playouts(&mut |tally| tally.playouts < 5_000);
    assert_eq!(tally(seed), tally(seed));
    assert_ne!(tally(seed), tally(seed + 1));
    let states = |seed| {
        let mut machine = machine(width, seed);
        machine.evaluate();
        machine.advance();
        (0..width.lanes())
            .map(|lane| machine.state(lane))
            .collect::<Vec<_>>()
    };
    assert_eq!(states(seed), states(seed));
    assert_ne!(states(seed), states(seed + 1));
}

/// Playouts start from the initial state, whatever the lanes held before.
#[test]
fn playouts_forget_what_was_loaded() {
    let mut fresh = machine(Width::W64, 4);
    let mut used = machine(Width::W64, 4);
    (0..64).for_each(|lane| used.load(lane, &state(1, true)));
    used.evaluate();
    let mut stop = |tally: &Tally| tally.playouts < 1_000;
    assert_eq!(fresh.playouts(&mut stop), used.playouts(&mut stop));
}

#[test]
fn the_engine_steps_single_positions() {
    for width in Width::ALL.into_iter().filter(|width| width.available()) {
        let mut engine = LaneEngine::new("hand", layout(), Programs::of(Pile), width)
            .expect("the width is available");
        assert_eq!(engine.name(), format!("hand, {width} lanes"));
        let initial = engine.initial();
        assert_eq!(initial, state(PILE, false));
        let next = engine.next(&initial, &[TWO, WAIT]);
        assert_eq!(engine.facts(&next), ["(pile 4)", "(turn second)"]);
        assert_eq!(
            engine.state(&[" (Turn SECOND)".into(), "(pile  4)".into()]),
            Ok(next)
        );
        assert!(engine.state(&["(pile 9)".into()]).is_err());
        let over = engine.examine(&state(0, true));
        assert!(over.terminal);
        assert_eq!(over.goals, [vec![10, 100], vec![10]]);
        for depth in 0..=7 {
            let count = perft::count(&mut engine, &initial, depth);
            assert_eq!(count, sequences(PILE, depth), "depth {depth}");
        }
    }
}

/// The number of sequences of exactly `moves` ones and twos that take no more tokens
/// than there are, and the last one only with the last move.
fn sequences(left: usize, moves: u8) -> u64 {
    match (left, moves) {
        (_, 0) => 1,
        (0, _) => 0,
        (1, _) => sequences(0, moves - 1),
        _ => sequences(left - 1, moves - 1) + sequences(left - 2, moves - 1),
    }
}

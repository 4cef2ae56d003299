//! The hand-written engines of benches/handwritten play the games that they are
//! compared with: equal perft counts, equal means of random games.

#[path = "../benches/handwritten/mod.rs"]
mod handwritten;

use crate::common;
use gdl_cli::measure::{self, Effort, Mean, Measurement};
use gdl_engines::EngineKind;
use gdl_runtime::engine::Engine;
use gdl_runtime::perft;
#[cfg(target_arch = "x86_64")]
use handwritten::bits::Bmi2;
use handwritten::bits::{Bits as _, Portable};
use handwritten::{Yardstick, yardsticks};

/// Deeper counts would take the net engine too long.
const ENOUGH: u64 = 100_000;
/// The seconds of random games of each engine.
const SECONDS: f64 = 0.6;
const DEFAULT_SEED: u64 = 5;
/// Standard errors by which means may differ.
const TOLERANCE: f64 = 5.0;

#[test]
fn the_sequences_are_those_of_the_rules() {
    assert_same_sequences(ours());
}

#[test]
fn random_games_are_those_of_the_rules() {
    assert_same_random_games(ours());
}

mod corpus {
    use super::{assert_same_random_games, assert_same_sequences, of_the_corpus};

    #[test]
    #[ignore = "needs the public corpus"]
    fn the_sequences_are_those_of_the_rules() {
        assert_same_sequences(of_the_corpus());
    }

    #[test]
    #[ignore = "needs the public corpus"]
    fn random_games_are_those_of_the_rules() {
        assert_same_random_games(of_the_corpus());
    }
}

fn assert_same_sequences(yardsticks: Vec<Yardstick>) {
    for (yardstick, mut engine) in playable(yardsticks) {
        let initial = engine.initial();
        for depth in 1.. {
            let count = perft::count(engine.as_mut(), &initial, depth);
            let found = (yardstick.perft)(depth.into());
            assert_eq!(found, Some(count), "{}, depth {depth}", yardstick.name);
            if count > ENOUGH {
                break;
            }
        }
    }
}

#[test]
fn the_sequences_are_those_of_the_literature() {
    for yardstick in ours() {
        if (yardstick.player)(0).is_none() {
            eprintln!("not compared: this processor cannot run {}", yardstick.name);
            continue;
        }
        let counts = common::expected(yardstick.game()).counts;
        for (depth, count) in (1..).zip(counts) {
            let found = (yardstick.perft)(depth);
            assert_eq!(found, Some(count), "{}, depth {depth}", yardstick.name);
        }
    }
}

/// Scalar engines run the portable code only on processors without the instruction for it.
#[test]
fn bits_are_picked_in_order() {
    for mask in [
        1,
        1 << 63,
        0x8000_0000_0000_0001,
        0x00f0_1234_5678_9abc,
        u64::MAX,
    ] {
        let set = (0..64).map(|bit| 1 << bit).filter(|bit| mask & bit != 0);
        for (n, bit) in (0..).zip(set) {
            assert_eq!(Portable.nth(mask, n), bit, "bit {n} of {mask:#x}");
            #[cfg(target_arch = "x86_64")]
            if let Some(bits) = Bmi2::detect() {
                assert_eq!(bits.nth(mask, n), bit, "bit {n} of {mask:#x}");
            }
        }
    }
}

fn assert_same_random_games(yardsticks: Vec<Yardstick>) {
    let effort = Effort {
        seconds: SECONDS,
        threads: 1,
        seed: gdl_testing::seed_or(DEFAULT_SEED),
    };
    for (yardstick, engine) in playable(yardsticks) {
        let player = (yardstick.player)(effort.seed).expect("it was there before");
        let contestants = vec![
            vec![player],
            measure::runners_per_thread(engine.as_ref(), &effort),
        ];
        let measured = measure::take_turns(contestants, effort.seconds, |_| ());
        let [ours, theirs] = &measured[..] else {
            panic!("two contestants, two measurements");
        };
        assert_same_games(yardstick.name, ours, theirs);
    }
}

fn assert_same_games(name: &str, ours: &Measurement, theirs: &Measurement) {
    let lengths = [ours, theirs].map(|measured| measured.length().expect("games ended"));
    assert_same(&format!("{name}: length"), lengths);
    let (ours, theirs) = (ours.goals(), theirs.goals());
    assert_eq!(ours.len(), theirs.len(), "{name}: roles");
    for (role, (our, their)) in ours.into_iter().zip(theirs).enumerate() {
        assert_same(&format!("{name}: goal of role {role}"), [our, their]);
    }
}

fn assert_same(what: &str, [ours, theirs]: [Mean; 2]) {
    let error = |mean: Mean| mean.error.expect("several games ended");
    let error = error(ours).hypot(error(theirs));
    let difference = (ours.value - theirs.value).abs();
    assert!(
        difference <= TOLERANCE * error,
        "{what}: {ours:?} and {theirs:?}, {:.1} standard errors apart",
        difference / error
    );
}

/// The yardsticks of the rule sheets in `games/`.
fn ours() -> Vec<Yardstick> {
    let mut yardsticks = yardsticks();
    yardsticks.retain(Yardstick::is_ours);
    yardsticks
}

/// The yardsticks of public rule sheets.
fn of_the_corpus() -> Vec<Yardstick> {
    let mut yardsticks = yardsticks();
    yardsticks.retain(|yardstick| !yardstick.is_ours());
    yardsticks
}

/// The yardsticks that this processor can run, each with the net engine of its rule
/// sheet.
fn playable(yardsticks: Vec<Yardstick>) -> Vec<(Yardstick, Box<dyn Engine>)> {
    let mut playable = Vec::new();
    for yardstick in yardsticks {
        if (yardstick.player)(0).is_none() {
            eprintln!("not compared: this processor cannot run {}", yardstick.name);
            continue;
        }
        let folder = match yardstick.is_ours() {
            true => common::root().join("games"),
            false => gdl_testing::corpus().join("games"),
        };
        let path = folder.join(format!("{}.kif", yardstick.game()));
        let source = gdl_engines::input::read(&path).expect("it can be read");
        playable.push((yardstick, common::load(&source, EngineKind::Net)));
    }
    playable
}

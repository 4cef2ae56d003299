//! What playout policies rely on: moves are chosen in exact proportion to their weights,
//! the moves made are reported, and tables agree with lanes examined one by one.
//!
//! The seed is fixed unless the environment variable `SEED` gives another.

use crate::common;
use gdl_engines::{EngineKind, EngineOptions, load_builtin};
use gdl_runtime::engine::{Engine, Lanes, MOST_WEIGHT, Move, NO_CHOICE, Pick, Role, State};
use gdl_runtime::lanes::Width;
use gdl_runtime::perft;
use gdl_testing::chi_square;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use std::collections::{BTreeMap, HashMap};

/// Draws per possible successor, on average.
const DRAWS_A_SUCCESSOR: usize = 100;

fn seed() -> u64 {
    gdl_testing::seed_or(5)
}

fn widths() -> impl Iterator<Item = Width> {
    Width::ALL.into_iter().filter(|width| width.available())
}

/// A game of ours by every engine, at every width that it has.
fn engines(name: &str) -> Vec<Box<dyn Engine>> {
    let source = common::game(name);
    let mut engines: Vec<Box<dyn Engine>> = Vec::new();
    let load = |kind, width| {
        let options = EngineOptions {
            width,
            ..EngineOptions::default()
        };
        gdl_engines::load(&source, kind, &options).expect("the game fits")
    };
    engines.push(load(EngineKind::Reference, None));
    for width in widths() {
        engines.push(load(EngineKind::Net, Some(width)));
        engines.push(Box::new(
            load_builtin(name, width).expect("the game is built in"),
        ));
    }
    engines
}

/// All lanes of a machine.
fn all(lanes: &dyn Lanes) -> Vec<u64> {
    let count = lanes.count();
    let bits =
        |word| (word * 64..count.min(word * 64 + 64)).fold(0, |set, lane| set | 1 << (lane % 64));
    (0..count.div_ceil(64)).map(bits).collect()
}

fn only(lane: usize, lanes: &dyn Lanes) -> Vec<u64> {
    let mut set = vec![0; lanes.count().div_ceil(64)];
    set[lane / 64] = 1 << (lane % 64);
    set
}

fn legal(lanes: &mut dyn Lanes, lane: usize, role: Role) -> Vec<Move> {
    let mut moves = Vec::new();
    lanes.legal(lane, role, &mut moves);
    moves
}

fn is_terminal(lanes: &dyn Lanes, lane: usize) -> bool {
    lanes.terminal()[lane / 64] >> (lane % 64) & 1 != 0
}

/// Plays on from the initial state, restarting lanes that are terminal, and calls
/// `ask` at every step.
fn at_every_step(
    engine: &mut dyn Engine,
    steps: usize,
    mut ask: impl FnMut(&mut dyn Engine, &mut dyn Lanes),
) {
    let mut lanes = engine.lanes(seed());
    let initial = engine.initial();
    for lane in 0..lanes.count() {
        lanes.load(lane, &initial);
    }
    for _ in 0..steps {
        lanes.evaluate();
        let over: Vec<usize> = (0..lanes.count())
            .filter(|&lane| is_terminal(&*lanes, lane))
            .collect();
        for lane in over {
            lanes.load(lane, &initial);
        }
        lanes.evaluate();
        ask(engine, &mut *lanes);
    }
}

/// Random weights: a move is given one, in all lanes, when it is first met.
struct RandomWeights {
    random: StdRng,
    weights: HashMap<(Role, Move), u32>,
}

impl RandomWeights {
    fn of(&mut self, lanes: &mut dyn Lanes, role: Role, mv: Move) -> u32 {
        let all = all(lanes);
        *self.weights.entry((role, mv)).or_insert_with(|| {
            // Small weights too, in which a mistake in a low bit would show.
            let most = [3, 20, MOST_WEIGHT][self.random.random_range(0..3)];
            let weight = self.random.random_range(1..=most);
            lanes.weigh(&all, role, mv, weight);
            weight
        })
    }
}

/// Tests at the states of a random game whether successors are reached in
/// proportion to the products of the weights; returns the number of states at which
/// there was a choice.
fn assert_weighted(engine: &mut dyn Engine, steps: usize) -> usize {
    let mut random = StdRng::seed_from_u64(seed());
    let mut tested = 0;
    let mut state = engine.initial();
    for step in 0..steps {
        let position = engine.examine(&state);
        if position.terminal {
            state = engine.initial();
            continue;
        }
        let case = format!("{}, seed {}, step {step}", engine.name(), seed());
        tested += usize::from(assert_weighted_at(engine, &state, &case));
        state = engine.next(&state, &common::random_joint(&position, &mut random));
    }
    tested
}

fn assert_weighted_at(engine: &mut dyn Engine, state: &State, case: &str) -> bool {
    let mut lanes = engine.lanes(seed() + 1);
    let mut weights = RandomWeights {
        random: StdRng::seed_from_u64(seed() + 2),
        weights: HashMap::new(),
    };
    lanes.choose_by_weight(true);
    let mut expected: BTreeMap<State, f64> = BTreeMap::new();
    let position = engine.examine(state);
    perft::for_each_joint(&position, |joint| {
        let weight: f64 = (joint.iter().enumerate())
            .map(|(role, &mv)| f64::from(weights.of(&mut *lanes, role, mv)))
            .product();
        *expected.entry(engine.next(state, joint)).or_default() += weight;
    });
    // Rare successors are counted together: each alone would take too many draws.
    let total: f64 = expected.values().sum();
    let draws = (expected.len() * DRAWS_A_SUCCESSOR).div_ceil(lanes.count()) * lanes.count();
    if expected.len() < 2 {
        return false;
    }
    let mut seen: BTreeMap<State, u64> = expected.keys().map(|next| (next.clone(), 0)).collect();
    for _ in 0..draws / lanes.count() {
        let all = all(&*lanes);
        lanes.load_all(&all, &state.0);
        lanes.evaluate();
        lanes.advance();
        for lane in 0..lanes.count() {
            let next = lanes.state(lane);
            let count = seen.get_mut(&next);
            *count.unwrap_or_else(|| panic!("{case}: no joint move leads to {next:?}")) += 1;
        }
    }
    let (mut counts, mut shares) = (vec![0], vec![0.0]);
    for (next, weight) in expected {
        if weight / total * (draws as f64) < 8.0 {
            counts[0] += seen[&next];
            shares[0] += weight;
        } else {
            counts.push(seen[&next]);
            shares.push(weight);
        }
    }
    if shares[0] / total * (draws as f64) < 5.0 {
        counts.remove(0);
        shares.remove(0);
    }
    chi_square::assert_weighted(&counts, &shares, case);
    true
}

#[test]
fn moves_are_made_in_proportion_to_their_weights() {
    for (name, steps) in [
        ("tictactoe", 6),
        ("connect_four", 10),
        ("breakthrough", 8),
        ("tron", 8),
    ] {
        for mut engine in engines(name) {
            assert!(assert_weighted(engine.as_mut(), steps) > 4, "{name}");
        }
    }
}

/// Asserts that the reported moves lead to the state that each lane is in.
fn assert_moves_are_told(name: &str, by_weight: bool) {
    for mut engine in engines(name) {
        let mut random = StdRng::seed_from_u64(seed() + 2);
        let steps = if engine.name() == "reference" { 20 } else { 60 };
        let mut told = 0;
        at_every_step(engine.as_mut(), steps, |engine, lanes| {
            lanes.choose_by_weight(by_weight);
            lanes.observe_moves(true);
            let roles = 0..lanes.roles();
            let legal: Vec<Vec<Vec<Move>>> = (0..lanes.count())
                .map(|lane| roles.clone().map(|role| legal(lanes, lane, role)).collect())
                .collect();
            let before: Vec<State> = (0..lanes.count()).map(|lane| lanes.state(lane)).collect();
            let mut forced: HashMap<usize, Vec<Move>> = HashMap::new();
            for (lane, legal) in legal.iter().enumerate() {
                let picks: Vec<Pick> = (legal.iter())
                    .map(|moves| {
                        let index = random.random_range(0..moves.len());
                        Pick {
                            mv: moves[index],
                            index: index as u32,
                        }
                    })
                    .collect();
                if random.random_ratio(1, 4) {
                    lanes.force(&only(lane, lanes), &picks);
                    forced.insert(lane, picks.iter().map(|pick| pick.mv).collect());
                } else if random.random_ratio(1, 4) {
                    let weight = random.random_range(1..=MOST_WEIGHT);
                    picks.iter().enumerate().for_each(|(role, pick)| {
                        lanes.weigh(&only(lane, lanes), role, pick.mv, weight);
                    });
                }
            }
            lanes.advance();
            for lane in 0..lanes.count() {
                let made: Vec<u32> = roles.clone().map(|role| lanes.made(role)[lane]).collect();
                let joint: Vec<Move> = (made.iter().zip(&legal[lane]))
                    .map(|(&made, legal)| match made {
                        NO_CHOICE => {
                            assert_eq!(legal.len(), 1, "{name}: a choice is not reported");
                            legal[0]
                        }
                        made => {
                            told += 1;
                            Move(made)
                        }
                    })
                    .collect();
                for (mv, legal) in joint.iter().zip(&legal[lane]) {
                    assert!(legal.contains(mv), "{name}: {mv:?} is not legal");
                }
                if let Some(forced) = forced.get(&lane) {
                    assert_eq!(&joint, forced, "{name}: lane {lane} was forced");
                }
                // Stepping one position takes a whole machine: not in every lane.
                if lane % 16 == 3 || lanes.count() == 1 {
                    assert_eq!(
                        engine.next(&before[lane], &joint),
                        lanes.state(lane),
                        "{name}, lane {lane}"
                    );
                }
            }
        });
        assert!(told >= 10, "{name}: {told} moves");
    }
}

#[test]
fn moves_made_are_told() {
    for name in ["tictactoe", "breakthrough", "checkers", "tron", "othello"] {
        assert_moves_are_told(name, false);
    }
}

#[test]
fn moves_drawn_by_weight_are_told() {
    for name in ["tictactoe", "breakthrough", "checkers", "tron", "othello"] {
        assert_moves_are_told(name, true);
    }
}

#[test]
fn tables_say_what_lanes_say() {
    for name in ["breakthrough", "checkers", "tron"] {
        for mut engine in engines(name) {
            let (mut table, mut places, mut words) = (Vec::new(), Vec::new(), Vec::new());
            at_every_step(engine.as_mut(), 12, |_, lanes| {
                for role in 0..lanes.roles() {
                    lanes.table_moves(role, &mut places);
                    lanes.legal_table(role, lanes.count(), &mut table);
                    let stride = places.len().div_ceil(64);
                    assert_eq!(table.len(), stride * lanes.count());
                    for lane in 0..lanes.count() {
                        let row = &table[lane * stride..][..stride];
                        let found = (0..stride * 64)
                            .filter(|place| row[place / 64] >> (place % 64) & 1 != 0);
                        let found: Vec<Move> = found.map(|place| places[place]).collect();
                        assert_eq!(found, legal(lanes, lane, role), "{name}, lane {lane}");
                    }
                }
                lanes.state_table(lanes.count(), &mut table);
                let mut expected = Vec::new();
                for lane in 0..lanes.count() {
                    lanes.read_state(lane, &mut words);
                    expected.extend_from_slice(&words);
                }
                assert_eq!(table, expected, "{name}");
                lanes.advance();
            });
        }
    }
}

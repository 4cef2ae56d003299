//! Which role reaches a square first, compared with distances counted square by square.

use crate::common;
use gdl_engines::{EngineKind, EngineOptions, input, load_timed};
use gdl_runtime::engine::{Engine, State};
use gdl_runtime::features::FeatureSet;
use gdl_runtime::lanes::Width;
use gdl_runtime::reachability::ReachabilityProgram;
use gdlc::ground::{GroundingBudget, ground};
use gdlc::propnet::assemble;
use gdlc::propnet::reachability::{Reachability, prepare};
use rand::SeedableRng as _;
use rand::rngs::StdRng;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A square: its two words.
type Square = (u8, u8);

/// The occupied squares, each with what stands on it.
type Board = BTreeMap<Square, String>;

fn square(first: &str, second: &str) -> Square {
    (first.as_bytes()[0], second.as_bytes()[0])
}

/// The fluents `(cell X Y CONTENT)` of a state.
fn board(engine: &dyn Engine, state: &State) -> Board {
    let facts = engine.facts(state);
    let cells = facts.iter().filter_map(|fact| {
        let words: Vec<&str> = fact.trim_matches(['(', ')']).split(' ').collect();
        match words[..] {
            ["cell", x, y, content] => Some((square(x, y), content.to_owned())),
            _ => None,
        }
    });
    cells.collect()
}

/// How pieces move over empty squares.
#[derive(Clone, Copy)]
struct Movement {
    steps: &'static [(i8, i8)],
    /// Whether they can go any distance in one move.
    slides: bool,
    /// The first and the last word of each coordinate.
    edges: [(u8, u8); 2],
}

const CYCLE: Movement = Movement {
    steps: &[(0, 1), (0, -1), (1, 0), (-1, 0)],
    slides: false,
    edges: [(b'1', b'8'), (b'1', b'8')],
};

const AMAZON: Movement = Movement {
    steps: &[
        (0, 1),
        (0, -1),
        (1, 0),
        (-1, 0),
        (1, 1),
        (1, -1),
        (-1, 1),
        (-1, -1),
    ],
    slides: true,
    edges: [(b'a', b'f'), (b'1', b'6')],
};

impl Movement {
    fn is_empty(&self, board: &Board, (x, y): Square) -> bool {
        let [columns, rows] = self.edges;
        let inside = (columns.0..=columns.1).contains(&x) && (rows.0..=rows.1).contains(&y);
        inside && !board.contains_key(&(x, y))
    }

    /// The squares that can be entered from these with one move.
    fn entered(&self, board: &Board, from: &BTreeSet<Square>) -> BTreeSet<Square> {
        let mut entered = BTreeSet::new();
        for &(x, y) in from {
            for &(dx, dy) in self.steps {
                let mut at = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                while self.is_empty(board, at) {
                    entered.insert(at);
                    if !self.slides {
                        break;
                    }
                    at = (at.0.wrapping_add_signed(dx), at.1.wrapping_add_signed(dy));
                }
            }
        }
        entered
    }

    /// For each square that a role can reach within `most` moves, the fewest moves.
    fn distances(&self, board: &Board, role: &str, most: usize) -> BTreeMap<Square, usize> {
        let own = board.iter().filter(|(_, content)| *content == role);
        let mut reached: BTreeSet<Square> = own.map(|(&at, _)| at).collect();
        let mut distances: BTreeMap<Square, usize> = reached.iter().map(|&at| (at, 0)).collect();
        for moves in 1..=most {
            let entered = self.entered(board, &reached);
            for &at in &entered {
                distances.entry(at).or_insert(moves);
            }
            reached.extend(entered);
        }
        distances
    }
}

/// The program of an engine, and which of its bits are set in a state.
fn bits(engine: &dyn Engine, program: &Arc<ReachabilityProgram>, state: &State) -> Vec<bool> {
    let layout = engine.layout().expect("it knows its fluents");
    let choices = layout
        .choices
        .iter()
        .map(|choice| choice.count_bits as usize);
    let first = layout.bases.len() + choices.sum::<usize>();
    let mut lanes = engine.lanes(1);
    let mut table = Vec::new();
    lanes.load_table(&state.0);
    lanes.evaluate();
    let features = FeatureSet::default().with_reachability(Arc::clone(program));
    lanes.feature_table(&features, 1, &mut table);
    let bit = |at: usize| table[at / 64] >> (at % 64) & 1 != 0;
    (first..first + program.bits()).map(bit).collect()
}

/// States of random games.
fn random_states(engine: &mut dyn Engine, games: usize, rng: &mut StdRng) -> Vec<State> {
    let mut states = Vec::new();
    for _ in 0..games {
        let mut state = engine.initial();
        loop {
            let position = engine.examine(&state);
            if position.terminal {
                break;
            }
            let next = engine.next(&state, &common::random_joint(&position, rng));
            states.push(std::mem::replace(&mut state, next));
        }
    }
    states
}

/// What a bit should be, judging by its name.
fn expected(name: &str, distances: &BTreeMap<String, BTreeMap<Square, usize>>) -> bool {
    let words: Vec<&str> = name
        .split([' ', '(', ')'])
        .filter(|it| !it.is_empty())
        .collect();
    let [what, role, "cell", x, y, "*"] = words[..] else {
        panic!("{name} is no square");
    };
    let distance = |role: &str| distances[role].get(&square(x, y));
    let others = distances.keys().filter(|other| *other != role);
    let least = others.filter_map(|other| distance(other)).min();
    match (distance(role), least) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(own), Some(other)) => what == "first" && own < other,
    }
}

fn compare_with_distances(game: &str, movement: Movement) {
    let mut rng = StdRng::seed_from_u64(gdl_testing::seed());
    let program = input::check(common::game(game)).expect("the rules are sound");
    let ground = ground(&program, &GroundingBudget::default()).expect("the game is small");
    let levels = Reachability::find(&prepare(assemble(&ground)))
        .expect("roles can come to squares")
        .levels;
    let mut engine = common::load(&common::game(game), EngineKind::Net);
    let program = engine.reachability_finder().expect("it has rules")();
    let program = program.expect("roles can come to squares");
    let mut set = [0, 0];
    for state in random_states(&mut *engine, 8, &mut rng) {
        let board = board(&*engine, &state);
        let roles = engine.roles().iter();
        let distances = roles.map(|role| (role.clone(), movement.distances(&board, role, levels)));
        let distances = distances.collect();
        for (name, bit) in program.names().zip(bits(&*engine, &program, &state)) {
            assert_eq!(bit, expected(name, &distances), "{name} {board:?}");
            set[usize::from(bit)] += 1;
        }
    }
    assert!(set.iter().all(|&count| count > 1000), "{set:?}");
}

#[test]
fn cycles_come_first_to_what_they_are_nearer_to() {
    compare_with_distances("tron", CYCLE);
}

#[test]
fn amazons_come_first_to_what_they_reach_in_fewer_moves() {
    compare_with_distances("amazons_small", AMAZON);
}

/// Machine code and tables, at all widths.
#[test]
fn all_widths_tell_the_same() {
    let mut rng = StdRng::seed_from_u64(gdl_testing::seed());
    let source = common::game("checkers_counted");
    let engines = [Width::W64, Width::W128, Width::W256, Width::W512].map(|width| {
        let options = EngineOptions {
            width: Some(width),
            ..EngineOptions::default()
        };
        let loaded = load_timed(&source, EngineKind::Net, &options);
        loaded.expect("the game is small").engine
    });
    let mut first = common::load(&source, EngineKind::Net);
    let states = random_states(&mut *first, 2, &mut rng);
    let all = engines.map(|engine| {
        let program = engine.reachability_finder().expect("it has rules")();
        let program = program.expect("roles can come to squares");
        let of_state = |state| bits(&*engine, &program, state);
        states.iter().map(of_state).collect::<Vec<_>>()
    });
    assert!(all.iter().all(|bits| *bits == all[0]));
    assert!(all[0].concat().contains(&true));
}

/// Where stones can be placed anywhere, all empty cells are equally near to both roles, and the
/// rules of connection are recursive.
#[test]
fn games_without_distances() {
    let engine = common::load(&common::game("hex"), EngineKind::Net);
    assert!(engine.reachability_finder().expect("it has rules")().is_none());
}

//! Vector environments against single states of an engine.

use gdl_engines::{EngineKind, EngineOptions, load, load_builtin};
use gdl_environments::{
    Autoreset, EnvironmentError, EnvironmentOptions, RewardScale, StepTables, VectorEnvironment,
    sample_actions,
};
use gdl_runtime::engine::{Engine, Move, Position, State};
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;
use gdlc::source::Source;

/// Games of all kinds: turns, passes, several moves at a time, one role.
const GAMES: [&str; 6] = [
    "tictactoe",
    "connect_four",
    "othello",
    "breakthrough",
    "tron",
    "peg_solitaire",
];

fn engine(game: &str) -> LaneEngine {
    load_builtin(game, Width::W64).expect("the game is built in")
}

/// The number of a role's move.
fn number(engine: &LaneEngine, role: usize, name: &str) -> u32 {
    let moves = engine.layout().moves[role].iter();
    let found = moves.enumerate().find(|(_, mv)| mv.name == name);
    found
        .map(|(number, _)| number as u32)
        .expect("there is such a move")
}

/// A game that is stepped state by state, as an environment is.
struct Shadow {
    state: State,
    position: Position,
    steps: u32,
}

impl Shadow {
    fn new(engine: &mut LaneEngine) -> Self {
        let state = engine.initial();
        Self {
            position: engine.examine(&state),
            state,
            steps: 0,
        }
    }

    /// Makes the moves of an environment, where `players` has the one to move or -1.
    fn step(&mut self, engine: &mut LaneEngine, actions: &[i32], player: i8) {
        let joint: Vec<Move> = (self.position.legal.iter().enumerate())
            .map(|(role, legal)| match player {
                -1 => Move(actions[role] as u32),
                player if role == player as usize => Move(actions[0] as u32),
                _ => legal[0],
            })
            .collect();
        self.state = engine.next(&self.state, &joint);
        self.position = engine.examine(&self.state);
        self.steps += 1;
    }
}

/// Every mode of resetting gives what the engine gives, packed and as bytes.
#[test]
fn environments_play_as_the_engine_does() {
    let seed = gdl_testing::seed();
    for game in GAMES {
        for autoreset in [
            Autoreset::NextStep,
            Autoreset::SameStep,
            Autoreset::Disabled,
        ] {
            for packed in [false, true] {
                follow(game, autoreset, packed, seed);
            }
        }
    }
}

fn follow(game: &str, autoreset: Autoreset, packed: bool, seed: u64) {
    let mut engine = engine(game);
    let limit = 40;
    let options = EnvironmentOptions {
        environments: 70,
        packed,
        autoreset,
        step_limit: Some(limit),
        ..EnvironmentOptions::default()
    };
    let mut games = VectorEnvironment::new(&engine, options).expect("the game can be run");
    let shape = *games.shape();
    let mut tables = StepTables::new(&shape);
    games
        .reset(None, &mut tables.buffers())
        .expect("the buffers fit");
    let mut shadows: Vec<Shadow> = (0..70).map(|_| Shadow::new(&mut engine)).collect();
    let mut over = [false; 70];
    let mut actions = vec![0; 70 * shape.slots];
    for step in 0..90 {
        sample_actions(&tables.masks, shape.mask_row(), seed ^ step, &mut actions);
        let players = tables.players.clone();
        games
            .step(&actions, &mut tables.buffers())
            .expect("the actions are legal");
        for (index, shadow) in shadows.iter_mut().enumerate() {
            let case =
                format!("{game}, {autoreset:?}, packed: {packed}, game {index}, step {step}");
            let was_over = over[index];
            match (was_over, autoreset) {
                (false, _) => {
                    shadow.step(
                        &mut engine,
                        &actions[index * shape.slots..][..shape.slots],
                        players[index],
                    );
                }
                (true, Autoreset::Disabled) => {}
                (true, _) => *shadow = Shadow::new(&mut engine),
            }
            let ends = shadow.position.terminal;
            over[index] = ends || shadow.steps >= limit;
            assert_eq!(tables.terminated[index], u8::from(ends), "{case}");
            assert_eq!(
                tables.truncated[index],
                u8::from(over[index] && !ends),
                "{case}"
            );
            let goal = |role: usize| shadow.position.goals[role].last().copied().unwrap_or(0);
            for role in 0..shape.roles {
                let expected = if ends && !was_over { goal(role) } else { 0 };
                let found = tables.rewards[index * shape.roles + role];
                assert_eq!(found, expected as f32 / 100.0, "{case}");
            }
            if over[index] && autoreset == Autoreset::SameStep {
                let last = &tables.last_states[index * shape.state_words..][..shape.state_words];
                assert_eq!(last, &shadow.state.0[..], "{case}");
                *shadow = Shadow::new(&mut engine);
                over[index] = false;
            }
            assert_masks(&tables, &shape, index, shadow, &case);
        }
        let mut states = vec![0; 70 * shape.state_words];
        games.states(&mut states).expect("the array fits");
        let expected: Vec<u64> = shadows
            .iter()
            .flat_map(|shadow| shadow.state.0.to_vec())
            .collect();
        assert!(states == expected, "{game}, {autoreset:?}, step {step}");
        assert_observations(&tables, &shape, &states);
    }
    assert!(
        shadows.iter().any(|shadow| shadow.steps < 90),
        "some game has ended"
    );
}

fn bit(bytes: &[u8], packed: bool, index: usize) -> bool {
    match packed {
        true => bytes[index / 8] >> (index % 8) & 1 != 0,
        false => bytes[index] != 0,
    }
}

fn assert_masks(
    tables: &StepTables,
    shape: &gdl_environments::VectorShape,
    index: usize,
    shadow: &Shadow,
    case: &str,
) {
    let bytes = shape.mask_row().bytes();
    for slot in 0..shape.slots {
        let mask = &tables.masks[(index * shape.slots + slot) * bytes..][..bytes];
        let found: Vec<u32> = (0..shape.actions as u32)
            .filter(|&action| bit(mask, shape.packed, action as usize))
            .collect();
        if shadow.position.terminal {
            assert_eq!(found.len(), shape.actions, "{case}");
            continue;
        }
        let role = match tables.players[index] {
            -1 => slot,
            player => player as usize,
        };
        let mut legal: Vec<u32> = shadow.position.legal[role].iter().map(|mv| mv.0).collect();
        legal.sort_unstable();
        assert_eq!(found, legal, "{case}");
        let others = shadow
            .position
            .legal
            .iter()
            .enumerate()
            .filter(|&(other, _)| other != role);
        if tables.players[index] >= 0 {
            for (_, legal) in others {
                assert_eq!(legal.len(), 1, "{case}: another role can choose");
            }
        }
    }
}

fn assert_observations(tables: &StepTables, shape: &gdl_environments::VectorShape, states: &[u64]) {
    let bytes = shape.observation_row().bytes();
    for (state, seen) in states
        .chunks(shape.state_words)
        .zip(tables.observations.chunks(bytes))
    {
        for fluent in 0..shape.observation_bits {
            let holds = state[fluent / 64] >> (fluent % 64) & 1 != 0;
            assert_eq!(bit(seen, shape.packed, fluent), holds);
        }
    }
}

#[test]
fn an_illegal_action_changes_nothing() {
    let engine = engine("tictactoe");
    let options = EnvironmentOptions {
        environments: 65,
        ..EnvironmentOptions::default()
    };
    let mut games = VectorEnvironment::new(&engine, options).expect("the game can be run");
    let mut tables = StepTables::new(games.shape());
    games
        .reset(None, &mut tables.buffers())
        .expect("the buffers fit");
    let before = tables.clone();
    let mark = number(&engine, 0, "(mark 1 1)") as i32;
    for wrong in [-2, 9999] {
        let mut actions = vec![mark; 65];
        actions[64] = wrong;
        let error = games.step(&actions, &mut tables.buffers());
        let Err(EnvironmentError::Illegal {
            environment: 64,
            action,
            ..
        }) = error
        else {
            panic!("{error:?}");
        };
        assert_eq!(action, wrong);
    }
    assert_eq!(tables, before);
    games
        .step(&[mark; 65], &mut tables.buffers())
        .expect("the first move is legal");
    assert!(
        games.step(&[mark; 65], &mut tables.buffers()).is_err(),
        "the cell is taken"
    );
    assert!(
        games.step(&[mark; 64], &mut tables.buffers()).is_err(),
        "an action is missing"
    );
}

#[test]
fn games_without_fluents_are_stepped() {
    let rules = "
        (role white) (role black)
        (legal white one) (legal white two) (legal black one)
        (goal white 50) (goal black 50)
        (<= terminal (true never))";
    let source = Source::new("still.kif", rules);
    let engine = load(&source, EngineKind::Net, &EngineOptions::default());
    let options = EnvironmentOptions {
        environments: 100,
        ..EnvironmentOptions::default()
    };
    let engine = engine.expect("the rules are sound");
    let mut games = VectorEnvironment::new(&*engine, options).expect("the game can be run");
    let shape = *games.shape();
    let mut tables = StepTables::new(&shape);
    let (mut actions, mut states) = (vec![0; 100 * shape.slots], vec![0; 100 * shape.state_words]);
    games.reset(None, &mut tables.buffers()).expect("they fit");
    for seed in 0..3 {
        sample_actions(&tables.masks, shape.mask_row(), seed, &mut actions);
        let stepped = games.step(&actions, &mut tables.buffers());
        stepped.expect("the actions are legal");
        games.states(&mut states).expect("the array fits");
        let all: Vec<u32> = (0..100).collect();
        let set = games.set_states(&all, &states, &mut tables.buffers());
        set.expect("the states fit");
    }
    assert!(tables.terminated.iter().all(|&over| over == 0));
}

#[test]
fn states_that_were_read_can_be_set() {
    let mut engine = engine("connect_four");
    let options = EnvironmentOptions {
        environments: 100,
        rewards: RewardScale::ZeroSum,
        ..EnvironmentOptions::default()
    };
    let mut games = VectorEnvironment::new(&engine, options).expect("the game can be run");
    let shape = *games.shape();
    let mut tables = StepTables::new(&shape);
    games
        .reset(None, &mut tables.buffers())
        .expect("the buffers fit");
    let mut actions = vec![0; 100];
    for seed in 0..5 {
        sample_actions(&tables.masks, shape.mask_row(), seed, &mut actions);
        games
            .step(&actions, &mut tables.buffers())
            .expect("the actions are legal");
    }
    let before = tables.clone();
    let mut states = vec![0; 100 * shape.state_words];
    games.states(&mut states).expect("the array fits");
    games
        .reset(None, &mut tables.buffers())
        .expect("the buffers fit");
    assert_ne!(tables.observations, before.observations);
    let all: Vec<u32> = (0..100).collect();
    games
        .set_states(&all, &states, &mut tables.buffers())
        .expect("the states fit");
    assert_eq!(tables.observations, before.observations);
    assert_eq!(tables.masks, before.masks);
    assert_eq!(tables.players, before.players);
    // A state in which the game is over: the next step begins a new game.
    let mut state = engine.initial();
    for column in [1, 2, 1, 2, 1, 2, 1] {
        let name = format!("(drop {column})");
        let position = engine.examine(&state);
        let joint: Vec<Move> = position
            .legal
            .iter()
            .enumerate()
            .map(|(role, legal)| match legal.len() {
                1 => legal[0],
                _ => Move(number(&engine, role, &name)),
            })
            .collect();
        state = engine.next(&state, &joint);
    }
    assert!(engine.examine(&state).terminal);
    games
        .set_states(&[64], &state.0, &mut tables.buffers())
        .expect("the state fits");
    assert_eq!(
        tables
            .terminated
            .iter()
            .map(|&end| u64::from(end))
            .sum::<u64>(),
        1
    );
    assert_eq!((tables.terminated[64], tables.rewards[128]), (1, 0.0));
    sample_actions(&tables.masks, shape.mask_row(), 9, &mut actions);
    games
        .step(&actions, &mut tables.buffers())
        .expect("the actions are legal");
    games.states(&mut states).expect("the array fits");
    assert_eq!(
        &states[64 * shape.state_words..][..shape.state_words],
        &engine.initial().0[..]
    );
    assert!(
        games
            .set_states(&[100], &state.0, &mut tables.buffers())
            .is_err()
    );
}

#[test]
fn games_can_wait() {
    let engine = engine("connect_four");
    let options = EnvironmentOptions {
        environments: 100,
        step_limit: Some(2),
        ..EnvironmentOptions::default()
    };
    let mut games = VectorEnvironment::new(&engine, options).expect("the game can be run");
    let shape = *games.shape();
    let mut tables = StepTables::new(&shape);
    games
        .reset(None, &mut tables.buffers())
        .expect("the buffers fit");
    let drop = number(&engine, 0, "(drop 3)") as i32;
    let actions: Vec<i32> = (0..100)
        .map(|game| if game % 3 == 0 { -1 } else { drop })
        .collect();
    for step in 1..=2 {
        games
            .step(&actions, &mut tables.buffers())
            .expect("the actions are legal");
        let mut states = vec![0; 100 * shape.state_words];
        games.states(&mut states).expect("the array fits");
        for (game, state) in states.chunks(shape.state_words).enumerate() {
            let waits = game % 3 == 0;
            assert_eq!(
                state == &engine.initial().0[..],
                waits,
                "game {game}, step {step}"
            );
            assert_eq!(tables.players[game], i8::from(!waits && step == 1));
            assert_eq!(tables.truncated[game], u8::from(!waits && step == 2));
        }
    }
}

#[test]
fn rewards_can_sum_to_zero() {
    let engine = engine("tictactoe");
    let options = EnvironmentOptions {
        environments: 200,
        rewards: RewardScale::ZeroSum,
        ..EnvironmentOptions::default()
    };
    let mut games = VectorEnvironment::new(&engine, options).expect("the game can be run");
    let shape = *games.shape();
    let mut tables = StepTables::new(&shape);
    games
        .reset(None, &mut tables.buffers())
        .expect("the buffers fit");
    let mut actions = vec![0; 200];
    let mut seen = Vec::new();
    for seed in 0..12 {
        sample_actions(&tables.masks, shape.mask_row(), seed, &mut actions);
        games
            .step(&actions, &mut tables.buffers())
            .expect("the actions are legal");
        for pair in tables.rewards.chunks(2) {
            assert_eq!(pair[0], -pair[1]);
            seen.push(pair[0] as i32);
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [-1, 0, 1]);
}

#[test]
fn what_does_not_fit_the_game_is_refused() {
    let refusal = |game: &str, options: EnvironmentOptions| {
        VectorEnvironment::new(&engine(game), options).err()
    };
    let default = EnvironmentOptions::default();
    let one_action = EnvironmentOptions {
        one_action: Some(true),
        ..default.clone()
    };
    assert_eq!(
        refusal("tron", one_action),
        Some(EnvironmentError::Simultaneous)
    );
    let none = EnvironmentOptions {
        environments: 0,
        ..default.clone()
    };
    assert_eq!(
        refusal("tron", none),
        Some(EnvironmentError::NoEnvironments)
    );
    let zero_sum = EnvironmentOptions {
        rewards: RewardScale::ZeroSum,
        ..default
    };
    assert_eq!(
        refusal("peg_solitaire", zero_sum),
        Some(EnvironmentError::OneRole)
    );
}

/// A game that is set to its end takes no more moves: the next step begins a new one.
#[test]
fn games_that_are_set_to_their_end_begin_anew() {
    let mut engine = engine("tictactoe");
    let mut end = Shadow::new(&mut engine);
    while !end.position.terminal {
        let joint: Vec<Move> = end.position.legal.iter().map(|legal| legal[0]).collect();
        end.state = engine.next(&end.state, &joint);
        end.position = engine.examine(&end.state);
    }
    for autoreset in [Autoreset::NextStep, Autoreset::SameStep] {
        let options = EnvironmentOptions {
            autoreset,
            ..EnvironmentOptions::default()
        };
        let mut games = VectorEnvironment::new(&engine, options).expect("the game can be run");
        let mut tables = StepTables::new(games.shape());
        (games.set_states(&[0], &end.state.0, &mut tables.buffers())).expect("the state fits");
        assert_eq!(tables.terminated, [1]);
        (games.step(&[0], &mut tables.buffers())).expect("games that are over take any action");
        assert_eq!(tables.terminated, [0]);
        let mut state = vec![0; games.shape().state_words];
        games.states(&mut state).expect("the array fits");
        assert_eq!(state[..], engine.initial().0[..], "{autoreset:?}");
    }
}

#[test]
fn games_that_were_not_reset_are_in_their_initial_state() {
    for game in ["tictactoe", "tron"] {
        let engine = engine(game);
        let options = EnvironmentOptions {
            environments: 3,
            ..EnvironmentOptions::default()
        };
        let mut games = VectorEnvironment::new(&engine, options).expect("the game can be run");
        let shape = *games.shape();
        let mut tables = StepTables::new(&shape);
        let waits = vec![-1; 3 * shape.slots];
        (games.step(&waits, &mut tables.buffers())).expect("nothing is played");
        let mut states = vec![0; 3 * shape.state_words];
        games.states(&mut states).expect("the array fits");
        assert_eq!(states, engine.initial().0.repeat(3), "{game}");
    }
}

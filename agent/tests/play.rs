//! Whole moves and matches on toys: strength, legality, repeatability, time.

use std::time::{Duration, Instant};

use crate::toys::*;
use gdl_agent::matches::{Ending, MatchError, PlayedMatch, play};
use gdl_agent::player::random::RandomPlayer;
use gdl_agent::player::search_player::SearchPlayer;
use gdl_agent::player::{NoMove, Player, Turn};
use gdl_agent::search::SearchResult;
use gdl_agent::search::SearchSettings;
use gdl_agent::search::{SearchBudget, TimeControl};
use gdl_runtime::engine::{Engine, Move, Role, State};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a player thinks of a state, and for how long.
fn think(
    engine: &mut dyn Engine,
    player: &mut SearchPlayer,
    state: &State,
    role: Role,
    budget: SearchBudget,
) -> Result<SearchResult, NoMove> {
    let position = engine.examine(state);
    let turn = Turn {
        engine,
        role,
        state,
        position: &position,
        budget,
    };
    player.think(&turn, &mut |_| {})
}

/// The result of a new player after this number of simulations.
fn choose(toy: impl Toy, words: Words, role: Role, simulations: u64, seed: u64) -> SearchResult {
    let mut engine = ToyEngine::new(toy, 64);
    let mut player = SearchPlayer::new("uct", &engine, SearchSettings::default(), seed);
    let budget = SearchBudget::Simulations(simulations);
    think(&mut engine, &mut player, &pack(words), role, budget).unwrap()
}

fn uct(engine: &dyn Engine, seed: u64) -> Box<dyn Player> {
    Box::new(SearchPlayer::new(
        "uct",
        engine,
        SearchSettings::default(),
        seed,
    ))
}

fn play_match(
    engine: &mut dyn Engine,
    mut players: Vec<Box<dyn Player>>,
    simulations: u64,
) -> PlayedMatch {
    let time_control = TimeControl::Simulations(simulations);
    play(engine, &mut players, time_control, 500, &mut |_, _| {}).unwrap()
}

/// The goals that UCT collects in `games` games against random players, taking
/// each role in turn.
fn against_random(toy: impl Toy, games: usize, simulations: u64) -> i32 {
    let mut engine = ToyEngine::new(toy, 32);
    let roles = engine.roles().len();
    let mut total = 0;
    for game in 0..games {
        let own = game % roles;
        let player = |role| {
            let seed = (game * roles + role) as u64;
            if role == own {
                uct(&engine, seed)
            } else {
                Box::new(RandomPlayer::new(seed)) as Box<dyn Player>
            }
        };
        let players = (0..roles).map(player).collect();
        total += play_match(&mut engine, players, simulations).goals[own];
    }
    total
}

#[test]
fn uct_beats_random_players() {
    let at_least = |total: i32, least| assert!(total >= least, "{total}, not {least}");
    at_least(against_random(CONNECT_FOUR, 20, 300), 1900);
    at_least(against_random(TIC_TAC_TOE, 40, 300), 3400);
    // Random play wins a third of these games.
    at_least(against_random(Count(21), 60, 300), 3600);
    let race = Race {
        length: 9,
        rounds: 12,
    };
    at_least(against_random(race, 20, 300), 1800);
}

#[test]
fn more_simulations_win_more() {
    let mut engine = ToyEngine::new(CONNECT_FOUR, 16);
    let mut strong = 0;
    for game in 0..20u64 {
        let own = (game % 2) as usize;
        let player = |role| {
            let full = uct(&engine, 2 * game + role as u64);
            if role == own {
                full
            } else {
                Box::new(Weakened(full)) as Box<dyn Player>
            }
        };
        let players = (0..2).map(player).collect();
        strong += play_match(&mut engine, players, 1000).goals[own];
    }
    assert!(strong >= 1500, "{strong} of 2000");
}

/// Thinks with a twentieth of the budget.
struct Weakened(Box<dyn Player>);

impl Player for Weakened {
    fn name(&self) -> String {
        "weakened".to_owned()
    }

    fn choose(
        &mut self,
        turn: &Turn<'_>,
        watch: &mut dyn FnMut(&gdl_agent::search::SearchReport),
    ) -> Result<gdl_agent::player::Reply, NoMove> {
        let SearchBudget::Simulations(count) = turn.budget else {
            unreachable!("the match is by simulations")
        };
        let budget = SearchBudget::Simulations(count / 20);
        self.0.choose(&Turn { budget, ..*turn }, watch)
    }
}

#[test]
fn wins_in_one_and_blocks() {
    let cells = |list: &[(u32, u32)]| {
        list.iter()
            .fold(0, |set, &(x, y)| set | TIC_TAC_TOE.cell(x, y))
    };
    let corner = Move(TIC_TAC_TOE.cell(2, 0).trailing_zeros());
    let two = cells(&[(0, 0), (1, 0)]);
    let other = cells(&[(0, 2), (1, 1)]);
    for seed in 0..20 {
        let win = choose(TIC_TAC_TOE, [two, other, 0], 0, 200, seed);
        assert_eq!(win.chosen, corner, "seed {seed}");
        let evaluation = win.evaluation().unwrap();
        assert!(
            evaluation.proven && evaluation.value == 100.0,
            "{evaluation:?}"
        );
        let block = choose(TIC_TAC_TOE, [two, cells(&[(1, 1)]), 1], 1, 400, seed);
        assert_eq!(block.chosen, corner, "seed {seed}");
    }
}

#[test]
fn plays_nim_perfectly() {
    for seed in 0..10 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let start = [0; 3].map(|_| random.random_range(1..6u8));
        if start[0] ^ start[1] ^ start[2] == 0 {
            continue;
        }
        let nim = Nim(start);
        let result = choose(nim, nim.initial(), 0, 20_000, seed);
        let after = heaps(&nim.next(&nim.initial(), &[result.chosen, Move(0)]));
        assert_eq!(
            after[0] ^ after[1] ^ after[2],
            0,
            "seed {seed}: {start:?} to {after:?}"
        );
        assert!(
            result.evaluation().unwrap().proven,
            "seed {seed}: {start:?}"
        );
    }
}

#[test]
fn simultaneous_moves_find_dominant_and_mixed_play() {
    // Row 1 and column 2 are better than all else, whatever the other does.
    let rows = [[10, 20, 5], [60, 70, 50], [30, 20, 40]];
    let columns = [[20, 30, 90], [10, 40, 80], [0, 50, 60]];
    for role in 0..2 {
        let result = choose(Matrix([rows, columns]), [0; 3], role, 3000, 7);
        assert_eq!(result.chosen, Move([1, 2][role]), "{result:?}");
    }
    // In rock, paper, scissors nothing is better than the rest.
    let rows = [[50, 0, 100], [100, 50, 0], [0, 100, 50]];
    let columns = rows.map(|row| row.map(|goal| 100 - goal));
    let result = choose(Matrix([rows, columns]), [0; 3], 0, 20_000, 7);
    for evaluation in &result.evaluations {
        assert!((evaluation.value - 50.0).abs() < 5.0, "{result:?}");
        assert!(evaluation.visits > 3_000, "{result:?}");
    }
}

#[test]
fn solves_a_puzzle_to_the_end() {
    let lamps = Lamps {
        count: 8,
        lit: 0b1101_0110,
        presses: 8,
    };
    let mut engine = ToyEngine::new(lamps, 64);
    let players = vec![uct(&engine, 3)];
    assert_eq!(play_match(&mut engine, players, 20_000).goals, [100]);
}

#[test]
fn games_without_end_are_cut() {
    let ring = Ring { size: 50, goal: 99 };
    let settings = || SearchSettings {
        longest_playout: 200,
        ..SearchSettings::default()
    };
    let mut engine = ToyEngine::new(ring, 16);
    let mut player = SearchPlayer::new("uct", &engine, settings(), 1);
    let budget = SearchBudget::Simulations(500);
    let result = think(&mut engine, &mut player, &pack([0; 3]), 0, budget).unwrap();
    assert_eq!(result.report.simulations, 500);
    let longest = result.report.playout_steps / 500;
    assert!((200..=264).contains(&longest), "{longest}");
    let mut players: Vec<Box<dyn Player>> = vec![Box::new(player)];
    let time_control = TimeControl::Simulations(20);
    let record = play(&mut engine, &mut players, time_control, 7, &mut |_, _| {}).unwrap();
    assert_eq!((record.ending, record.rounds.len()), (Ending::TooLong, 7));
}

#[test]
fn cycles_do_not_hide_the_way() {
    let ring = Ring { size: 40, goal: 33 };
    let mut engine = ToyEngine::new(ring, 16);
    let players = vec![uct(&engine, 1)];
    let record = play_match(&mut engine, players, 20_000);
    // Seven steps back are the shortest way, 33 forward the other one.
    assert_eq!((record.ending, record.goals[0]), (Ending::Terminal, 100));
    assert!(record.rounds.len() <= 33, "{} rounds", record.rounds.len());
}

#[test]
fn never_plays_an_illegal_move() {
    let mut seeds = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
    for _ in 0..60 {
        let seed: u64 = seeds.random();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let lanes = random.random_range(1..130);
        let simulations = random.random_range(0..60);
        println!("{lanes} lanes, {simulations} simulations");
        // `play` fails on an illegal move, and the toy lanes panic on one.
        let run = |engine: &mut dyn Engine| {
            let roles = engine.roles().len() as u64;
            let players = (0..roles).map(|role| uct(engine, seed ^ role)).collect();
            assert_eq!(
                play_match(engine, players, simulations).ending,
                Ending::Terminal
            );
        };
        run(&mut ToyEngine::new(CONNECT_FOUR, lanes));
        run(&mut ToyEngine::new(Count(15), lanes));
        run(&mut ToyEngine::new(
            Race {
                length: 9,
                rounds: 12,
            },
            lanes,
        ));
        run(&mut ToyEngine::new(Nim([3, 4, 5]), lanes));
    }
}

#[test]
fn without_a_budget_the_first_legal_move_is_played() {
    for budget in [
        SearchBudget::Simulations(0),
        SearchBudget::Until(Instant::now()),
    ] {
        let mut engine = ToyEngine::new(CONNECT_FOUR, 64);
        let mut player = SearchPlayer::new("uct", &engine, SearchSettings::default(), 1);
        let state = engine.initial();
        let result = think(&mut engine, &mut player, &state, 0, budget).unwrap();
        assert_eq!(result.chosen, engine.examine(&state).legal[0][0]);
        assert_eq!(result.report.simulations, 0);
    }
}

#[test]
fn a_role_without_a_move_is_an_error() {
    let mut engine = ToyEngine::new(Stuck, 8);
    let mut players = vec![uct(&engine, 1)];
    // The search itself avoids the dead end: 30 is better than nothing.
    let record = play_match(&mut engine, players, 50);
    assert_eq!(record.goals, [30]);
    players = vec![Box::new(FirstMove(1))];
    let time_control = TimeControl::Simulations(10);
    let result = play(&mut engine, &mut players, time_control, 10, &mut |_, _| {});
    let role = "lost".to_owned();
    assert_eq!(result, Err(MatchError::NoMove(NoMove { role })));
}

/// Plays a fixed move, and fails where there is none.
struct FirstMove(u32);

impl Player for FirstMove {
    fn name(&self) -> String {
        "fixed".to_owned()
    }

    fn choose(
        &mut self,
        turn: &Turn<'_>,
        watch: &mut dyn FnMut(&gdl_agent::search::SearchReport),
    ) -> Result<gdl_agent::player::Reply, NoMove> {
        if turn.legal().is_empty() {
            return RandomPlayer::new(0).choose(turn, watch);
        }
        Ok(gdl_agent::player::Reply::Play(
            SearchResult::without_search(Move(self.0)),
        ))
    }
}

#[test]
fn illegal_moves_and_missing_players_end_a_match() {
    let mut engine = ToyEngine::new(CONNECT_FOUR, 8);
    let time_control = TimeControl::Simulations(10);
    let mut players: Vec<Box<dyn Player>> = vec![Box::new(FirstMove(5)), uct(&engine, 1)];
    let result = play(&mut engine, &mut players, time_control, 10, &mut |_, _| {});
    let (role, mv) = ("white".to_owned(), "5".to_owned());
    assert_eq!(result, Err(MatchError::Illegal { role, mv }));
    players.truncate(1);
    let result = play(&mut engine, &mut players, time_control, 10, &mut |_, _| {});
    let (roles, players) = (2, 1);
    assert_eq!(result, Err(MatchError::Players { roles, players }));
}

#[test]
fn a_seed_repeats_a_match() {
    for lanes in [1, 7, 64] {
        let record = |seed| {
            let mut engine = ToyEngine::new(CONNECT_FOUR, lanes);
            let players = vec![uct(&engine, seed), uct(&engine, seed + 1)];
            let record = play_match(&mut engine, players, 400);
            let evaluations = |round: &gdl_agent::matches::Round| {
                let of = |result: &SearchResult| (result.chosen, result.evaluations.clone());
                round.results.iter().map(of).collect::<Vec<_>>()
            };
            record.rounds.iter().map(evaluations).collect::<Vec<_>>()
        };
        assert_eq!(record(5), record(5), "{lanes} lanes");
        assert_ne!(record(5), record(6), "{lanes} lanes");
    }
}

#[test]
fn deadlines_are_kept() {
    let mut engine = ToyEngine::new(CONNECT_FOUR, 256);
    let mut player = SearchPlayer::new("uct", &engine, SearchSettings::default(), 1);
    let state = engine.initial();
    for time in [1, 20, 150].map(Duration::from_millis) {
        let mut attempt = || {
            let begun = Instant::now();
            let budget = SearchBudget::within(time);
            let result = think(&mut engine, &mut player, &state, 0, budget).unwrap();
            let over = begun.elapsed().saturating_sub(time);
            (over, result.report.simulations)
        };
        // A busy machine takes the processor away now and then.
        let attempts: Vec<_> = std::iter::repeat_with(&mut attempt).take(20).collect();
        let kept = |&(over, simulations): &(Duration, u64)| {
            over < Duration::from_millis(50) && simulations > 0
        };
        assert!(attempts.iter().any(kept), "{time:?}: {attempts:?}");
    }
}

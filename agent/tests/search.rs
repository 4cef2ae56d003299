//! The search graph from outside: exact counts, proofs, memory, reuse.

use crate::engines::small_engine;
use crate::toys::*;
use gdl_agent::agents::Agent;
use gdl_agent::search::budget::SearchBudget;
use gdl_agent::search::{Search, SearchLimits, SearchReport, SearchResult, SearchSettings};
use gdl_agent::tree::SearchTree;
use gdl_agent::tree::edge::{MoveEdge, SolvedStatus};
use gdl_runtime::engine::{Engine, Move, State};

fn search(toy: impl Toy, lanes: usize, settings: SearchSettings) -> Search {
    let engine = ToyEngine::new(toy, lanes);
    Search::new(engine.lanes(1), &engine.initial(), settings, 2)
}

fn run(search: &mut Search, state: &State, simulations: u64) -> SearchReport {
    search.run(
        state,
        0,
        SearchBudget::Simulations(simulations),
        &mut |_| {},
    )
}

/// The proven goals of a state after this number of simulations.
fn proven(toy: impl Toy, words: Words, simulations: u64) -> Option<Vec<i32>> {
    let mut search = search(toy, 16, SearchSettings::default());
    run(&mut search, &pack(words), simulations);
    goals(search.tree(), &pack(words))
}

fn goals(tree: &SearchTree, state: &State) -> Option<Vec<i32>> {
    let outcome = tree.outcome(tree.find(state).unwrap())?;
    Some(tree.goals(outcome).to_vec())
}

#[test]
fn proves_small_games() {
    let nim = Nim([3, 4, 5]);
    assert_eq!(proven(nim, nim.initial(), 200_000), Some(vec![100, 0]));
    let lost = Nim([1, 2, 3]);
    assert_eq!(proven(lost, lost.initial(), 50_000), Some(vec![0, 100]));
    let lamps = Lamps {
        count: 6,
        lit: 0b100001,
        presses: 6,
    };
    assert_eq!(proven(lamps, lamps.initial(), 200_000), Some(vec![100]));
    // One press too few: proven to be lost, not merely not found.
    let hopeless = Lamps {
        count: 5,
        lit: 0b10101,
        presses: 2,
    };
    assert_eq!(proven(hopeless, hopeless.initial(), 50_000), Some(vec![0]));
}

/// A draw is proven only if every move that could be better is searched to its end, which
/// averages do not ask for.
#[test]
fn solved_moves_take_no_simulations() {
    let initial = pack(TIC_TAC_TOE.initial());
    let run_with = |closes: bool| {
        let settings = SearchSettings {
            closes,
            ..SearchSettings::default()
        };
        let mut search = search(TIC_TAC_TOE, 16, settings);
        let report = run(&mut search, &initial, 300_000);
        (goals(search.tree(), &initial), report)
    };
    let (open, _) = run_with(false);
    assert_eq!(open, None);
    let (proven, report) = run_with(true);
    assert_eq!(proven, Some(vec![50, 50]));
    assert!(report.simulations < 300_000, "{}", report.simulations);
}

#[test]
fn the_simulation_that_spends_the_steps_is_the_last() {
    let settings = SearchSettings {
        in_flight: Some(1),
        playouts_per_leaf: Some(1),
        ..SearchSettings::default()
    };
    let mut search = search(CONNECT_FOUR, 16, settings);
    for limit in [1, 100, 5_000] {
        let budget = SearchBudget::Steps(limit);
        let report = search.run(&pack(CONNECT_FOUR.initial()), 0, budget, &mut |_| {});
        let steps = report.tree_steps + report.playout_steps;
        // A game has 42 moves.
        assert!((limit..limit + 42).contains(&steps), "{steps} of {limit}");
    }
}

#[test]
fn what_is_forgotten_is_searched_anew() {
    let race = Race {
        length: 40,
        rounds: 60,
    };
    let mut search = search(race, 64, SearchSettings::default());
    let initial = pack(race.initial());
    let root_visits = |search: &Search| {
        let root = search.tree().find(&initial).unwrap();
        search.tree().visits(root)
    };
    run(&mut search, &initial, 5000);
    run(&mut search, &initial, 5000);
    assert_eq!(root_visits(&search), 10_000);
    search.forget();
    assert!(search.tree().is_empty() && search.tree().find(&initial).is_none());
    let bytes = search.tree().bytes();
    run(&mut search, &initial, 5000);
    assert_eq!(root_visits(&search), 5000);
    // The memory was there already.
    assert_eq!(search.tree().bytes(), bytes);
}

#[test]
fn without_proofs_there_are_averages() {
    let settings = SearchSettings {
        proves: false,
        ..SearchSettings::default()
    };
    let nim = Nim([3, 4, 5]);
    let start = pack(nim.initial());
    let mut search = search(nim, 16, settings);
    run(&mut search, &start, 50_000);
    assert_eq!(goals(search.tree(), &start), None);
    // Taking two of the first heap wins all the same.
    let best = |edge: &&MoveEdge| edge.visits;
    let root = search.tree().find(&start).unwrap();
    let edge = search
        .tree()
        .edges(root, 0)
        .iter()
        .max_by_key(best)
        .unwrap();
    let MoveEdge { status, .. } = *edge;
    assert_eq!(status, SolvedStatus::Open);
    assert!((60.0..100.0).contains(&edge.mean()), "{edge:?}");
}

#[test]
fn proofs_agree_with_exhaustive_play() {
    fn value(line: Line, words: &Words) -> i32 {
        if line.terminal(words) {
            return line.goal(words, 0);
        }
        let mut moves = Vec::new();
        let side = words[2] as usize;
        line.legal(words, side, &mut moves);
        let values = moves
            .iter()
            .map(|&mv| value(line, &line.next(words, &[mv, mv])));
        let values: Vec<i32> = values.collect();
        *(if side == 0 {
            values.iter().max()
        } else {
            values.iter().min()
        })
        .unwrap()
    }
    // Every position after three moves.
    let line = TIC_TAC_TOE;
    let (mut positions, mut decided) = (vec![line.initial()], 0);
    for _ in 0..3 {
        let mut next = Vec::new();
        for words in &positions {
            let mut moves = Vec::new();
            line.legal(words, words[2] as usize, &mut moves);
            next.extend(moves.iter().map(|&mv| line.next(words, &[mv, mv])));
        }
        positions = next;
    }
    positions.sort_unstable();
    positions.dedup();
    for words in positions {
        let expected = value(line, &words);
        // A draw is seldom proven: it takes all of the moves that lose.
        match proven(line, words, 20_000) {
            Some(found) => assert_eq!(found, [expected, 100 - expected], "{words:x?}"),
            None => assert_eq!(expected, 50, "{words:x?}"),
        }
        decided += i32::from(expected != 50);
    }
    assert!(decided > 50);
}

#[test]
fn proves_simultaneous_moves_only_where_they_are_clear() {
    let same = [[40; 3]; 3];
    assert_eq!(
        proven(Matrix([same, same]), [0; 3], 2_000),
        Some(vec![40, 40])
    );
    let sure = [[10, 20, 30], [100, 100, 100], [0, 50, 0]];
    let rest = [[10, 20, 30], [0, 0, 0], [0, 50, 0]];
    assert_eq!(
        proven(Matrix([sure, rest]), [0; 3], 2_000),
        Some(vec![100, 0])
    );
    let cycle = [[50, 0, 100], [100, 50, 0], [0, 100, 50]];
    assert_eq!(proven(Matrix([cycle, cycle]), [0; 3], 2_000), None);
}

#[test]
fn every_simulation_is_counted_once() {
    for lanes in [1, 3, 64, 200] {
        let mut search = search(CONNECT_FOUR, lanes, SearchSettings::default());
        let state = pack([0; 3]);
        for (budget, total) in [(1, 1), (99, 100), (400, 500)] {
            assert_eq!(run(&mut search, &state, budget).simulations, budget);
            let tree = search.tree();
            let root = tree.find(&state).unwrap();
            assert_eq!((tree.visits(root), tree.started(root)), (total, total));
            for role in 0..2 {
                let edges = tree.edges(root, role);
                assert_eq!(edges.iter().map(|edge| edge.visits).sum::<u32>(), total);
                let tries = tree.scores(root, role).iter().map(|score| score.tries);
                assert!(tries.eq(edges.iter().map(|edge| edge.visits)));
            }
        }
        let nodes = search.tree().len();
        assert!(
            (400..=501).contains(&nodes),
            "one node a simulation: {nodes}"
        );
    }
}

#[test]
fn several_playouts_share_a_node() {
    let settings = SearchSettings {
        in_flight: Some(64),
        playouts_per_leaf: Some(8),
        ..SearchSettings::default()
    };
    let mut search = search(CONNECT_FOUR, 64, settings);
    let state = pack([0; 3]);
    let report = run(&mut search, &state, 4_000);
    let tree = search.tree();
    let root = tree.find(&state).unwrap();
    assert_eq!(report.simulations, 4_000);
    assert_eq!((tree.visits(root), tree.started(root)), (4_000, 4_000));
    assert!((300..=501).contains(&report.nodes), "{report:?}");
}

#[test]
fn equal_states_are_one_node() {
    // 4 · 5 · 6 states a side at most, however many ways lead to them.
    let mut search = search(Nim([3, 4, 5]), 8, SearchSettings::default());
    let state = pack(Nim([3, 4, 5]).initial());
    run(&mut search, &state, 200_000);
    assert!(search.tree().len() <= 240, "{}", search.tree().len());
}

#[test]
fn memory_is_kept_and_reused() {
    let limit = 1 << 19;
    let settings = SearchSettings {
        memory: limit,
        ..SearchSettings::default()
    };
    let mut search = search(CONNECT_FOUR, 32, settings);
    let mut words = CONNECT_FOUR.initial();
    for _ in 0..6 {
        let state = pack(words);
        let report = run(&mut search, &state, 20_000);
        assert!(report.bytes <= limit, "{report:?}");
        assert_eq!(report.simulations, 20_000);
        let tree = search.tree();
        let root = tree.find(&state).unwrap();
        let side = words[2] as usize;
        let best = tree.edges(root, side).iter().max_by_key(|edge| edge.visits);
        words = CONNECT_FOUR.next(&words, &[best.unwrap().mv; 2]);
        assert!(tree.find(&pack(words)).is_some(), "the next root is known");
    }
}

#[test]
fn trimming_keeps_what_can_be_reached() {
    fn statistics(
        tree: &SearchTree,
        words: Words,
        depth: u32,
        seen: &mut Vec<(Words, u32, Vec<u32>)>,
    ) {
        let Some(node) = tree.find(&pack(words)) else {
            return;
        };
        let edges = tree.edges(node, words[2] as usize);
        seen.push((
            words,
            tree.visits(node),
            edges.iter().map(|edge| edge.visits).collect(),
        ));
        let tried = edges.iter().filter(|edge| depth > 0 && edge.visits > 0);
        for mv in tried.map(|edge| edge.mv) {
            statistics(tree, CONNECT_FOUR.next(&words, &[mv; 2]), depth - 1, seen);
        }
    }
    let start = pack([0; 3]);
    let settings = SearchSettings {
        tidy: true,
        ..SearchSettings::default()
    };
    let mut search = search(CONNECT_FOUR, 32, settings);
    let size = run(&mut search, &start, 5_000).nodes;
    let next = CONNECT_FOUR.next(&[0; 3], &[Move(21); 2]);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    statistics(search.tree(), next, 4, &mut before);
    assert!(before.len() > 100);
    let kept = run(&mut search, &pack(next), 0).nodes;
    statistics(search.tree(), next, 4, &mut after);
    assert_eq!(before, after);
    assert!(kept < size, "{kept} of {size}");
    assert!(search.tree().find(&start).is_none());
}

#[test]
fn discounts_count_moves() {
    let settings = SearchSettings {
        discount: 0.9,
        ..SearchSettings::default()
    };
    let rows = [[50, 0, 100], [100, 50, 0], [0, 100, 50]];
    let columns = rows.map(|row| row.map(|goal| 100 - goal));
    let mut search = search(Matrix([rows, columns]), 8, settings);
    let state = pack([0; 3]);
    run(&mut search, &state, 1_000);
    let tree = search.tree();
    let root = tree.find(&state).unwrap();
    let edges = (0..2).flat_map(|role| tree.edges(root, role));
    let sum: f64 = edges.map(|edge| edge.sum).sum();
    assert!((sum - 1_000.0 * 90.0).abs() < 1e-3, "{sum}");
}

/// What a role has for certain is worth no more to it than that, whatever else it tries: here a
/// draw, beside a move that wins one time in four.
#[test]
fn closed_moves_do_not_add_to_the_value_of_open_ones() {
    let mut engine = small_engine("gamble");
    let state = engine.initial();
    let legal = engine.examine(&state).legal;
    let agent: Agent = "uct+closed".parse().unwrap();
    let settings = agent.settings(&*engine, SearchLimits::default());
    let mut search = Search::on_engine(&*engine, vec![settings], gdl_testing::seed());
    let report = run(&mut search, &state, 20_000);
    let result = SearchResult::of(search.searchers(), &state, 0, &legal[0]);
    assert_eq!(engine.move_name(0, result.chosen), "stay", "{report:?}");
    let values = result.evaluations.iter();
    let stay = values.max_by_key(|evaluation| evaluation.visits).unwrap();
    assert!((stay.value - 50.0).abs() < 2.0, "{stay:?}");
}

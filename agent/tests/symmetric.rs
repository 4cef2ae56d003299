//! States that are images of each other share a node: there are fewer of them, with the same
//! values, and moves are those of the state that was given.

use std::collections::HashMap;

use gdl_agent::agents::Agent;
use gdl_agent::search::{Search, SearchBudget, SearchLimits, SearchResult};
use gdl_runtime::engine::{Engine, Move, Position, Role, State};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::engines::{engine, random_joint};

/// A search with one simulation after the other.
fn search(engine: &dyn Engine, agent: &str, seed: u64) -> Search {
    let limits = SearchLimits {
        in_flight: Some(1),
        playouts_per_leaf: Some(1),
        ..SearchLimits::default()
    };
    let agent: Agent = agent.parse().unwrap();
    let settings = agent.settings(engine, limits);
    Search::on_engine(engine, vec![settings], seed)
}

/// What an agent finds out about a role's moves in a state.
fn look(
    engine: &mut dyn Engine,
    agent: &str,
    state: &State,
    role: Role,
    simulations: u64,
) -> SearchResult {
    let mut search = search(engine, agent, 1);
    let budget = SearchBudget::Simulations(simulations);
    search.run(state, role, budget, &mut |_| {});
    SearchResult::of(
        search.searchers(),
        state,
        role,
        &engine.examine(state).legal[role],
    )
}

/// The role that has a choice, if one alone has.
fn decider(position: &Position) -> Option<Role> {
    let choices = position.legal.iter().enumerate();
    let mut choices = choices.filter(|(_, moves)| moves.len() > 1);
    let only = choices.next().map(|(role, _)| role);
    only.filter(|_| choices.next().is_none())
}

/// The joint move in which a role makes this move and all others their first one.
fn joint(position: &Position, role: Role, mv: Move) -> Vec<Move> {
    let mut joint: Vec<Move> = position.legal.iter().map(|moves| moves[0]).collect();
    joint[role] = mv;
    joint
}

/// States of random games that are not terminal, with their positions.
fn states(engine: &mut dyn Engine, count: usize, seed: u64) -> Vec<(State, Position)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut states = Vec::new();
    let mut state = engine.initial();
    while states.len() < count {
        let position = engine.examine(&state);
        if position.terminal {
            state = engine.initial();
            continue;
        }
        let next = engine.next(&state, &random_joint(&position, &mut random));
        states.push((std::mem::replace(&mut state, next), position));
    }
    states
}

/// Whether a move wins, at once or by the move that the same role makes next.
fn wins(engine: &mut dyn Engine, state: &State, position: &Position, role: Role, mv: Move) -> bool {
    let next = engine.next(state, &joint(position, role, mv));
    let after = engine.examine(&next);
    let goes_on = !after.terminal && decider(&after) == Some(role);
    let mut moves = after.legal[role].iter().filter(|_| goes_on);
    after.terminal && after.goals[role] == [100]
        || moves.any(|&mv| wins(engine, &next, &after, role, mv))
}

/// What the first role gets from a state of a game of two roles under best play.
fn minimax(engine: &mut dyn Engine, state: &State, known: &mut HashMap<State, i32>) -> i32 {
    if let Some(&value) = known.get(state) {
        return value;
    }
    let position = engine.examine(state);
    let value = if position.terminal {
        position.goals[0][0]
    } else {
        let role = decider(&position).unwrap_or(0);
        let values = position.legal[role].iter().map(|&mv| {
            let next = engine.next(state, &joint(&position, role, mv));
            minimax(engine, &next, known)
        });
        let values: Vec<i32> = values.collect();
        let best = match role {
            0 => values.into_iter().max(),
            _ => values.into_iter().min(),
        };
        best.unwrap()
    };
    known.insert(state.clone(), value);
    value
}

/// Tic-tac-toe has 5478 states, of which 765 are no images of others.
#[test]
fn images_share_a_node() {
    let engine = engine("tictactoe");
    let nodes = |agent: &str| {
        let mut search = search(&*engine, agent, 1);
        let budget = SearchBudget::Simulations(400_000);
        search.run(&engine.initial(), 0, budget, &mut |_| {});
        search.tree().len()
    };
    // So much exploration that all moves are tried everywhere.
    assert_eq!(nodes("uct(c=10000)+unproven"), 5478);
    assert_eq!(nodes("uct(c=10000)+unproven+symmetric"), 765);
}

/// The value of the game is proven in a seventh of the simulations.
#[test]
fn proofs_count_for_images() {
    let engine = engine("tictactoe");
    let proof = |agent: &str, seed| {
        let mut search = search(&*engine, agent, seed);
        let budget = SearchBudget::Simulations(400_000);
        let report = search.run(&engine.initial(), 0, budget, &mut |_| {});
        assert!(search.is_exhausted());
        let legal: Vec<Move> = (0..9).map(Move).collect();
        let result = SearchResult::of(search.searchers(), &engine.initial(), 0, &legal);
        let open = result.evaluations.iter().filter(|found| !found.pruned);
        assert!(
            open.clone()
                .all(|found| found.proven && found.value == 50.0)
        );
        (report.simulations, open.count())
    };
    let (mut plain, mut symmetric) = (0, 0);
    for seed in 0..5 {
        plain += proof("uct+closed", seed).0;
        let (simulations, moves) = proof("uct+closed+symmetric", seed);
        symmetric += simulations;
        // A corner, a side and the centre.
        assert_eq!(moves, 3);
    }
    assert!(symmetric * 4 < plain, "{symmetric} and {plain} simulations");
}

const AGENTS: [&str; 4] = [
    "uct+symmetric",
    "uct+closed+symmetric+growth(known=1,first=1)",
    "uct+mast+cutoff+symmetric",
    "roulette+symmetric+trees(n=2)",
];

/// In states that are not canonical, too, the best moves are found.
#[test]
fn moves_are_those_of_the_actual_state() {
    let mut engine = engine("tictactoe");
    let mut known = HashMap::new();
    for (number, (state, position)) in states(&mut *engine, 60, 1).into_iter().enumerate() {
        let Some(role) = decider(&position) else {
            continue;
        };
        let best = minimax(&mut *engine, &state, &mut known);
        let agent = AGENTS[number % 3];
        let result = look(&mut *engine, agent, &state, role, 4000);
        let next = engine.next(&state, &joint(&position, role, result.chosen));
        let value = minimax(&mut *engine, &next, &mut known);
        assert_eq!(value, best, "{agent} in {:?}", engine.facts(&state));
    }
}

/// Whatever is known of a state is known of its legal moves, and moves that win at once win in
/// the state in which they are made.
#[test]
fn wins_are_found_in_larger_games() {
    for game in ["pentago", "connect_four", "breakthrough", "tictactoe"] {
        let mut engine = engine(game);
        let finder = engine.automorphism_finder().unwrap();
        assert!(!finder().is_empty(), "{game}");
        let mut found = 0;
        for (state, position) in states(&mut *engine, 120, 2) {
            let Some(role) = decider(&position) else {
                continue;
            };
            let mut moves = position.legal[role].iter();
            let can_win = moves.any(|&mv| wins(&mut *engine, &state, &position, role, mv));
            let agent = AGENTS[found % AGENTS.len()];
            let result = look(&mut *engine, agent, &state, role, 600);
            assert_eq!(
                result.evaluations.len(),
                position.legal[role].len(),
                "{game}"
            );
            let visits = result.evaluations.iter().map(|found| found.visits);
            assert!(visits.sum::<u32>() > 0);
            if can_win {
                found += 1;
                let is_win = wins(&mut *engine, &state, &position, role, result.chosen);
                assert!(is_win, "{agent} in {game}");
            }
        }
        assert!(found >= 3, "{found} in {game}");
    }
}

/// Where roles choose at the same time, strategies are mapped back as well.
#[test]
fn simultaneous_moves_are_mapped_back() {
    for game in ["tron", "battle"] {
        let mut engine = engine(game);
        for agent in ["uct+symmetric", "uct+regret-matching+symmetric"] {
            for (state, position) in states(&mut *engine, 20, 3) {
                for (role, legal) in position.legal.iter().enumerate() {
                    let result = look(&mut *engine, agent, &state, role, 300);
                    assert!(legal.contains(&result.chosen));
                    assert_eq!(result.evaluations.len(), legal.len(), "{agent} in {game}");
                }
            }
        }
    }
}

/// Rules that look for the moves of a node later on search as they do without symmetries.
#[test]
fn later_moves_are_not_those_of_images() {
    let engine = engine("tictactoe");
    let nodes = |agent: &str| {
        let mut search = search(&*engine, agent, 1);
        let budget = SearchBudget::Simulations(1000);
        let report = search.run(&engine.initial(), 0, budget, &mut |_| {});
        (search.tree().len(), report.playout_steps)
    };
    assert_eq!(nodes("uct+rave"), nodes("uct+rave+symmetric"));
    assert_ne!(nodes("uct"), nodes("uct+symmetric"));
}

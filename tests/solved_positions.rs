//! Positions whose values are known, proved by search.

use gdl_agent::learning::Learner;
use gdl_agent::puct::{EvaluatedSearch, GoalModel, PuctSettings};
use gdl_engines::{EngineKind, EngineOptions};
use gdl_runtime::engine::{Engine, Move, State};
use gdl_runtime::stop_flag::StopFlag;
use std::time::Duration;

/// Columns of the public connect four, 8 by 6, after which red, to move, has lost. The
/// search by playouts stands at 50 there for hundreds of millions of simulations.
const LOST: [u32; 22] = [
    4, 5, 5, 5, 4, 5, 2, 5, 5, 4, 3, 1, 3, 2, 4, 4, 2, 2, 3, 3, 3, 3,
];

/// Descents within which the loss is to be proven. It took 97,000 to 514,000 with networks
/// of eight seeds each, learned in two seconds and, as on a busy machine, in 0.3 s.
const DESCENTS: u64 = 2_000_000;

fn state_after(engine: &mut dyn Engine, columns: &[u32]) -> State {
    let mut state = engine.initial();
    for (ply, column) in columns.iter().enumerate() {
        let legal = engine.examine(&state).legal;
        let role = ply % 2;
        let wanted = |mv: &&Move| engine.move_name(role, **mv) == format!("(drop {column})");
        let chosen = *legal[role]
            .iter()
            .find(wanted)
            .expect("the column has room");
        let mut joint: Vec<Move> = legal.iter().map(|moves| moves[0]).collect();
        joint[role] = chosen;
        state = engine.next(&state, &joint);
    }
    state
}

#[test]
#[ignore = "needs the public corpus"]
fn a_lost_connect_four_of_the_corpus_is_proven_lost() {
    let file = gdl_testing::corpus().join("games/connectFour.kif");
    let loaded = gdl_engines::open(&file, EngineKind::Net, &EngineOptions::default());
    let mut engine = loaded.expect("the game is in the corpus").engine;
    let state = state_after(&mut *engine, &LOST);
    let layout = engine.layout().expect("a propnet knows its fluents");
    let initial = engine.initial();
    let seed = gdl_testing::seed();
    let mut learner = Learner::new(engine.lanes(seed), &initial, &layout, seed).expect("two roles");
    learner.learn(Duration::from_secs(2), &StopFlag::default(), &mut |_| {});
    let network = learner.network().expect("it has learned");
    let words = initial.0.len();
    let settings = PuctSettings::default();
    let mut search = EvaluatedSearch::new(
        engine.lanes(seed),
        words,
        GoalModel::up_to(vec![100, 100]),
        settings,
    );
    search.set_network(network, learner.features());
    search.set_root(&state);
    search.run(&mut |counts| counts.descents < DESCENTS);
    assert_eq!(search.proven_goals(&state), Some(vec![0, 100]));
}

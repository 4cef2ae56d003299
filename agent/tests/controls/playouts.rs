//! Controls of playouts.

use super::*;
use gdl_engines::{EngineKind, EngineOptions};
use std::path::Path;

/// One of four moves is good, whenever it is made.
const SWEETS: Picks = Picks {
    moves: 4,
    rounds: 12,
    value: |_, _, mv| if mv == 2 { 8 } else { 0 },
};

/// What counts is to make the move before the last once more.
const ECHO: Picks = Picks {
    moves: 4,
    rounds: 10,
    value: |round, before, mv| if round == 9 && mv == before { 100 } else { 0 },
};

#[test]
fn mast_makes_the_good_move_in_playouts() {
    let plain = average(SWEETS, settings(SWEETS, "uct"));
    for agent in ["uct+mast(tau=2)", "uct+to-mast(tau=2)"] {
        let guided = average(SWEETS, settings(SWEETS, agent));
        assert!(guided > plain + 5.0, "{agent}: {plain} to {guided}");
    }
    assert_eq!(
        settings(SWEETS, "uct+past+mast").memory,
        SearchLimits::default().memory
    );
}

#[test]
fn past_knows_where_a_move_is_good() {
    let past = || SearchSettings {
        playout: Some(Box::new(Past::new(1, 192, 10.0, 3.0))),
        ..settings(ECHO, "uct")
    };
    let (plain, mast) = (settings(ECHO, "uct"), settings(ECHO, "uct+mast"));
    let [plain, mast, past] = [plain, mast, past()].map(|settings| average(ECHO, settings));
    assert!(
        past > mast + 5.0 && past > plain + 5.0,
        "{plain}, {mast}, {past}"
    );
}

const RIDDLES: Riddles = Riddles {
    kinds: 4,
    rounds: 6,
};

#[test]
fn ngrams_know_after_what_a_move_is_good() {
    // The average return of the role that asks, which answers diminish.
    let asks = |agent: &str| average(RIDDLES, settings(RIDDLES, agent));
    for agent in ["uct+ngram", "uct+ngram-gibbs"] {
        let (single, sequences) = (asks(&format!("{agent}(n=1)")), asks(agent));
        assert!(sequences < single - 10.0, "{agent}: {single}, {sequences}");
    }
}

#[test]
fn last_good_replies_answer_the_move_before() {
    let asks = |agent: &str| average(RIDDLES, settings(RIDDLES, agent));
    let (plain, mast) = (asks("uct"), asks("uct+mast"));
    for agent in ["uct+lgr", "uct+lgr(forget=0)"] {
        let replied = asks(agent);
        assert!(
            replied < plain.min(mast) - 10.0,
            "{agent}: {plain}, {mast}, {replied}"
        );
    }
}

#[test]
fn without_a_reply_the_policy_chooses() {
    let [alone, sequences, averages] = ["uct+lgr", "uct+ngram+lgr", "uct+lgr+mast(tau=2)"]
        .map(|agent| average(SWEETS, settings(SWEETS, agent)));
    assert!(
        sequences.min(averages) > alone + 5.0,
        "{alone}, {sequences}, {averages}"
    );
}

#[test]
fn decay_forgets_what_was_good_before_a_move() {
    // The good move is another one in the second half, and makes less of a difference.
    const TURN: Picks = Picks {
        moves: 4,
        rounds: 24,
        value: |round, _, mv| match round {
            0..12 => 8 * u64::from(mv == 1),
            _ => 2 * u64::from(mv == 2),
        },
    };
    let halfway = (0..12).fold(TURN.initial(), |state, _| TURN.next(&state, &[Move(0)]));
    let second_half = |agent: &str| {
        let (mut search, _) = search(TURN, settings(TURN, agent), 2_000, 1);
        let state = pack(halfway);
        search.run(&state, 0, SearchBudget::Simulations(60), &mut |_| {});
        let root = search.tree().find(&state).unwrap();
        let edges = search.tree().edges(root, 0).iter();
        edges.map(|edge| edge.sum).sum::<f64>() / 60.0
    };
    for policy in ["mast(tau=1)", "ngram", "ngram-gibbs(tau=1)"] {
        let kept = second_half(&format!("uct+{policy}"));
        let decayed = second_half(&format!("uct+{policy}+decay(move=0)"));
        assert!(decayed > kept + 5.0, "{policy}: {kept}, {decayed}");
    }
}

#[test]
fn opponents_are_modelled_as_fallible() {
    // The last column is always the best one. It alone makes the second row the best.
    const GAMBLE: [[i32; 3]; 3] = [[100, 100, 0], [40, 40, 40], [0, 0, 0]];
    let game = Matrix([GAMBLE, [[0, 0, 100]; 3]]);
    let seed = gdl_testing::seed();
    let preferred = |agent: &str| {
        let share = |mv: usize| {
            mean(seed, |seed| {
                let (search, _) = search(game, settings(game, agent), 3_000, seed);
                root_edges(&search, game)[mv].visits.into()
            })
        };
        let shares = [0, 1, 2].map(share);
        let most = (0..3).max_by(|&a, &b| shares[a].total_cmp(&shares[b]));
        Move(most.unwrap() as u32)
    };
    assert_eq!(preferred("uct+unproven"), Move(1));
    assert_eq!(preferred("uct+unproven+opponents(error=0)"), Move(1));
    assert_eq!(preferred("uct+unproven+opponents(error=1)"), Move(0));
    assert_eq!(
        preferred("uct+unproven+opponents(c=10000,error=0)"),
        Move(0)
    );
}

#[test]
fn policies_guide_playouts_together() {
    let [mast, product, fallback] = [
        "uct+mast(tau=8)",
        "uct+mast(tau=8)+to-mast(tau=8)+product",
        "uct+mast(tau=8)+to-mast(tau=8)+fallback",
    ]
    .map(|agent| average(SWEETS, settings(SWEETS, agent)));
    assert!(product > mast + 5.0, "{mast}, {product}");
    // The first of them always has a preference.
    assert_eq!(fallback, mast);
}

#[test]
fn policies_that_are_asked_lane_by_lane_guide_playouts_with_others() {
    let plain = average(SWEETS, settings(SWEETS, "uct"));
    for policy in ["ngram", "mini(only=history,tau=2)"] {
        for combination in ["product", "fallback"] {
            // The other policy hardly prefers anything.
            let agent = format!("uct+{policy}+mast(tau=10000)+{combination}");
            let guided = average(SWEETS, settings(SWEETS, &agent));
            assert!(guided > plain + 5.0, "{agent}: {plain} to {guided}");
        }
    }
}

#[test]
fn the_final_move_is_chosen_by_two_levels() {
    let chosen = |agent: &str| {
        let (search, _) = search(Trap, settings(Trap, agent), 100, gdl_testing::seed());
        let state = pack(Trap.initial());
        SearchResult::of(search.searchers(), &state, 0, &[Move(0), Move(1)]).chosen
    };
    assert_eq!(chosen("uct+unproven"), Move(0));
    assert_eq!(chosen("uct+unproven+two-level"), Move(1));
    assert_eq!(chosen("uct+unproven+two-level(least=1000)"), Move(0));
}

/// The average returns of a strategy that is random, of a better one, and of all together.
fn strategies(toy: impl Toy, better: &str) -> [f64; 3] {
    let only = |only: &str| format!("uct+mini(only={only},tau=2)");
    ["random", better, "all"].map(|name| average(toy, settings(toy, &only(name))))
}

/// An engine with one of the tests' games.
fn open(game: &str, kind: EngineKind) -> Box<dyn Engine> {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/games");
    let file = games.join(game).with_extension("kif");
    gdl_engines::open(&file, kind, &EngineOptions::default())
        .unwrap()
        .engine
}

/// A search of the initial state, after some simulations that a strategy drives.
fn driven_search(engine: &dyn Engine, only: &str, simulations: u64) -> (Search, SearchReport) {
    let agent: Agent = format!("uct+mini(only={only})").parse().unwrap();
    let initial = engine.initial();
    let settings = agent.settings(engine, one_by_one());
    let mut search = Search::new(engine.lanes(1), &initial, settings, 1);
    let report = search.run(
        &initial,
        0,
        SearchBudget::Simulations(simulations),
        &mut |_| {},
    );
    (search, report)
}

/// The average return of two hundred of them.
fn driven(game: &str, only: &str) -> f64 {
    let engine = open(game, EngineKind::Net);
    let (search, _) = driven_search(&*engine, only, 200);
    let root = search.tree().find(&engine.initial()).unwrap();
    let edges = search.tree().edges(root, 0);
    let visits: u32 = edges.iter().map(|edge| edge.visits).sum();
    edges.iter().map(|edge| edge.sum).sum::<f64>() / f64::from(visits)
}

#[test]
fn the_strategies_that_do_well_drive_simulations() {
    let [random, history, all] = strategies(SWEETS, "history");
    assert!(
        history.min(all) > random + 10.0,
        "{random}, {history}, {all}"
    );
    let [random, mobility, all] = ["random", "mobility", "all"].map(|name| driven("tower", name));
    assert!(
        mobility.min(all) > random + 4.0,
        "{random}, {mobility}, {all}"
    );
}

/// The strategies by which a lamp is worth switching on before all others are lit: few games of
/// chance end so.
#[test]
fn goals_that_are_nearly_fulfilled_drive_simulations() {
    let [random, goals] = ["random", "goals"].map(|name| driven("lamps", name));
    assert!(goals > random + 20.0, "{random}, {goals}");
}

/// The reference engine meets fluents as it goes, so that there is no comparing of states.
#[test]
fn without_a_layout_simulations_are_random_or_driven_by_history() {
    let engine = open("lamps", EngineKind::Reference);
    let returns = |only| {
        let (search, report) = driven_search(&*engine, only, 50);
        assert_eq!(report.simulations, 50, "{only}");
        let root = search.tree().find(&engine.initial()).unwrap();
        let edges = search.tree().edges(root, 0).iter();
        edges
            .map(|edge| (edge.visits, edge.sum))
            .collect::<Vec<_>>()
    };
    let random = returns("random");
    for only in ["mobility", "exploration", "symbols", "goals"] {
        assert_eq!(returns(only), random, "{only}");
    }
    returns("all");
}

#[test]
fn cutoffs_shorten_playouts_where_goals_grow() {
    const LADDER: Picks = Picks {
        moves: 2,
        rounds: 50,
        value: |_, _, mv| 2 * u64::from(mv),
    };
    let (_, whole) = search(LADDER, settings(LADDER, "uct"), 500, 1);
    let (search, cut) = search(LADDER, settings(LADDER, "uct+cutoff"), 500, 1);
    let length = |report: SearchReport| report.playout_steps / report.simulations;
    assert!(length(whole) > 35, "{whole:?}");
    // The hundred simulations that are watched are played to their end.
    assert!(length(cut) <= (100 * 50 + 400 * 10) / 500, "{cut:?}");
    let verdict = search.searchers().next().unwrap().verdict().unwrap();
    assert!(verdict.starts_with("goals are stable"), "{verdict}");
}

#[test]
fn the_simulations_that_a_cutoff_watches_count_for_the_tree() {
    const SHORT: Picks = Picks {
        moves: 3,
        rounds: 6,
        value: |_, _, mv| 5 * u64::from(mv),
    };
    let (search, report) = search(SHORT, settings(SHORT, "uct+unproven+cutoff"), 60, 1);
    let visits = root_edges(&search, SHORT).iter().map(|edge| edge.visits);
    assert_eq!((report.simulations, visits.sum::<u32>()), (60, 60));
    // They add nodes as others do, not only below the root.
    assert!(report.deepest > 2, "{report:?}");
    let verdict = search.searchers().next().unwrap().verdict().unwrap();
    assert!(verdict.starts_with("40 simulations"), "{verdict}");
}

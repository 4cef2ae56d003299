//! What search controls are for, each in a game made for it.

use crate::toys::riddles::Riddles;
use crate::toys::traps::{Doors, Trap};
use crate::toys::*;
use gdl_agent::agents::Agent;
use gdl_agent::playout::past::Past;
use gdl_agent::search::SearchLimits;
use gdl_agent::search::budget::SearchBudget;
use gdl_agent::search::{Search, SearchReport, SearchResult, SearchSettings};
use gdl_agent::tree::edge::MoveEdge;
use gdl_runtime::engine::{Engine, Move};
use gdl_testing::chi_square::assert_weighted;

/// An agent's settings for a game, with one simulation after the other.
fn settings(toy: impl Toy, agent: &str) -> SearchSettings {
    let limits = SearchLimits {
        in_flight: Some(1),
        playouts_per_leaf: Some(1),
        ..SearchLimits::default()
    };
    let agent: Agent = agent.parse().unwrap();
    agent.settings(&ToyEngine::new(toy, 1), limits)
}

fn search(
    toy: impl Toy,
    settings: SearchSettings,
    simulations: u64,
    seed: u64,
) -> (Search, SearchReport) {
    let engine = ToyEngine::new(toy, 1);
    let initial = engine.initial();
    let mut search = Search::new(engine.lanes(seed), &initial, settings, seed);
    let budget = SearchBudget::Simulations(simulations);
    let report = search.run(&initial, 0, budget, &mut |_| {});
    (search, report)
}

fn root_edges(search: &Search, toy: impl Toy) -> &[MoveEdge] {
    let root = search.tree().find(&pack(toy.initial())).unwrap();
    search.tree().edges(root, 0)
}

/// The average return of all simulations.
fn average(toy: impl Toy, settings: SearchSettings) -> f64 {
    let (search, _) = search(toy, settings, 500, 1);
    let edges = root_edges(&search, toy).iter();
    let sum: f64 = edges.clone().map(|edge| edge.sum).sum();
    sum / f64::from(edges.map(|edge| edge.visits).sum::<u32>())
}

/// One of four moves is good, whenever it is made.
const SWEETS: Picks = Picks {
    moves: 4,
    rounds: 12,
    value: |_, _, mv| if mv == 2 { 8 } else { 0 },
};

/// One of many moves is good whenever it is made.
const HIDDEN: Picks = Picks {
    moves: 20,
    rounds: 6,
    value: |_, _, mv| if mv == 7 { 16 } else { 0 },
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
    let preferred = |agent: &str| {
        let (search, _) = search(game, settings(game, agent), 3_000, gdl_testing::seed());
        let edges = root_edges(&search, game).iter();
        edges.max_by_key(|edge| edge.visits).unwrap().mv
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
fn the_final_move_is_chosen_by_two_levels() {
    let chosen = |agent: &str| {
        let (search, _) = search(Trap, settings(Trap, agent), 160, gdl_testing::seed());
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

#[test]
fn the_strategies_that_do_well_drive_simulations() {
    let [random, history, all] = strategies(SWEETS, "history");
    assert!(
        history.min(all) > random + 10.0,
        "{random}, {history}, {all}"
    );
    let [random, mobility, all] = strategies(Doors { rooms: 12 }, "mobility");
    assert!(
        mobility.min(all) > random + 4.0,
        "{random}, {mobility}, {all}"
    );
}

#[test]
fn rave_finds_the_good_move_sooner() {
    let found = |agent: &str| {
        let finds = |seed: &u64| {
            let (search, _) = search(HIDDEN, settings(HIDDEN, agent), 60, *seed);
            let edges = root_edges(&search, HIDDEN).iter();
            edges.max_by_key(|edge| edge.visits).unwrap().mv.0 == 7
        };
        (0..40).filter(finds).count()
    };
    let (plain, rave) = (found("uct"), found("uct+rave"));
    assert!(rave > plain + 10, "{plain} and {rave} of 40");
}

#[test]
fn urgency_leaves_moves_untried() {
    const DOOR: Picks = Picks {
        moves: 50,
        rounds: 3,
        value: |round, _, mv| if round == 0 && mv == 7 { 90 } else { 0 },
    };
    let untried = |agent: &str, seed| {
        let (search, _) = search(DOOR, settings(DOOR, agent), 60, seed);
        let edges = root_edges(&search, DOOR).iter();
        edges.filter(|edge| edge.visits == 0).count()
    };
    let most = (0..20).map(|seed| untried("uct+urgency", seed)).max();
    assert!(most.unwrap() > 10, "{most:?}");
    assert_eq!(untried("uct", 0), 0);
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
    // The hundred games that are watched are played to their end.
    assert!(length(cut) <= (100 * 50 + 400 * 10) / 500, "{cut:?}");
    let verdict = search.searchers().next().unwrap().verdict().unwrap();
    assert!(verdict.starts_with("goals are stable"), "{verdict}");
}

/// The first move alone counts: one is better than the others by little.
const ENOUGH: Picks = Picks {
    moves: 4,
    rounds: 12,
    value: |round, _, mv| match (round, mv) {
        (0, 2) => 85,
        (0, _) => 75,
        _ => 0,
    },
};

#[test]
fn exploration_ends_where_a_move_is_good_enough() {
    let seed = gdl_testing::seed();
    let visits = |agent: &str| {
        let (search, _) = search(ENOUGH, settings(ENOUGH, agent), 500, seed);
        let edges = root_edges(&search, ENOUGH).iter();
        edges.map(|edge| edge.visits).collect::<Vec<_>>()
    };
    let others = |visits: &[u32]| 500 - visits[2];
    let plain = visits("uct");
    assert!(others(&plain) > 100, "{plain:?}");
    let sufficient = visits("uct+sufficiency(alpha=80)");
    assert_eq!(others(&sufficient), 3, "{sufficient:?}");
    assert_eq!(visits("uct+sufficiency(alpha=85)"), plain);
}

/// Everything is won by the same move again and again, which a search learns slowly.
const STAIRS: Picks = Picks {
    moves: 4,
    rounds: 8,
    value: |_, _, mv| if mv == 2 { 12 } else { 0 },
};

#[test]
fn moving_averages_forget_what_was_not_known_better() {
    let seed = gdl_testing::seed();
    let value = |agent: &str| {
        let (search, _) = search(STAIRS, settings(STAIRS, agent), 500, seed);
        let searcher = search.searchers().next().unwrap();
        let values = searcher.evaluate(&pack(STAIRS.initial()), 0);
        let mean = root_edges(&search, STAIRS)[2].mean();
        (mean, values[2].1)
    };
    let (mean, plain) = value("uct+moving-average(step=0)+unproven");
    assert!((mean - plain).abs() < 0.01, "{mean} and {plain}");
    let (mean, moving) = value("uct+moving-average(step=0.05)+unproven");
    assert!(moving > mean + 5.0, "{mean} and {moving}");
}

#[test]
fn the_wheel_stops_in_proportion_to_averages() {
    const SHARES: Picks = Picks {
        moves: 4,
        rounds: 12,
        value: |round, _, mv| {
            if round == 0 {
                [10, 20, 30, 40][mv as usize]
            } else {
                0
            }
        },
    };
    let seed = gdl_testing::seed();
    let (search, _) = search(SHARES, settings(SHARES, "roulette"), 4000, seed);
    let edges = root_edges(&search, SHARES).iter();
    let counts: Vec<u64> = edges.map(|edge| edge.visits.into()).collect();
    // The first four tries are one of each move.
    let drawn: Vec<u64> = counts.iter().map(|count| count - 1).collect();
    assert_weighted(&drawn, &[10.0, 20.0, 30.0, 40.0], "roulette");
}

#[test]
fn the_wheel_rests_where_a_move_surely_wins() {
    let seed = gdl_testing::seed();
    let nim = Nim([3, 0, 0]);
    let (search, _) = search(nim, settings(nim, "roulette"), 50, seed);
    // Taking all three wins, after which nothing else is tried.
    assert!(search.is_exhausted());
}

#[test]
fn temporal_differences_prefer_the_shorter_way() {
    // Two steps forward or five back, where every walk ends with the same goal.
    const WALK: Ring = Ring { size: 7, goal: 2 };
    const SEARCHES: u64 = 100;
    let seed = gdl_testing::seed();
    let values = |agent: &str, nth| {
        let (search, _) = search(WALK, settings(WALK, agent), 500, seed.wrapping_add(nth));
        let searcher = search.searchers().next().unwrap();
        let values = searcher.evaluate(&pack(WALK.initial()), 0);
        [0, 1, 2].map(|index: usize| values[index].1)
    };
    assert_eq!(values("uct+unproven", 0), [100.0; 3]);
    for form in ["td-single", "td-weighted", "td-merged"] {
        let agent = format!("uct+{form}(gamma=0.9)+unproven");
        let goes_forward = |nth: &u64| {
            let [forward, back, stay] = values(&agent, *nth);
            forward > back && forward > stay
        };
        let forward = (0..SEARCHES).filter(goes_forward).count();
        assert!(forward >= 60, "{form}: {forward} of {SEARCHES}");
    }
}

/// The average return of a hundred simulations.
fn early_average(agent: &str, seed: u64) -> f64 {
    let (search, _) = search(HIDDEN, settings(HIDDEN, agent), 100, seed);
    let edges = root_edges(&search, HIDDEN).iter();
    edges.map(|edge| edge.sum).sum::<f64>() / 100.0
}

#[test]
fn grave_knows_good_moves_where_rave_does_not_yet() {
    let seed = gdl_testing::seed();
    let average = |agent: &str| early_average(agent, seed);
    let [plain, rave, grave] = ["uct(c=10)", "uct(c=10)+rave", "uct(c=10)+grave"].map(average);
    assert!(
        grave > rave + 10.0 && grave > plain + 10.0,
        "{plain}, {rave}, {grave}"
    );
}

#[test]
fn knowledge_leads_to_moves_that_were_good_elsewhere() {
    let seed = gdl_testing::seed();
    let plain = early_average("uct(c=10)", seed);
    for agent in ["progressive-bias", "unpruning(moves=2)"] {
        let guided = early_average(&format!("uct(c=10)+{agent}"), seed);
        assert!(guided > plain + 10.0, "{agent}: {plain} to {guided}");
    }
}

#[test]
fn moves_are_unpruned_little_by_little() {
    let seed = gdl_testing::seed();
    let untried = |agent: &str, simulations| {
        let (search, _) = search(HIDDEN, settings(HIDDEN, agent), simulations, seed);
        let edges = root_edges(&search, HIDDEN).iter();
        edges.filter(|edge| edge.visits == 0).count()
    };
    assert_eq!(untried("uct", 45), 0);
    let [early, late] = [45, 2000].map(|count| untried("uct+unpruning(moves=2)", count));
    assert!(early > 5 && late < early, "{early} and {late}");
}

/// At first one move is good, and later another one.
const CHANGING: Picks = Picks {
    moves: 6,
    rounds: 8,
    value: |round, _, mv| match (round, mv) {
        (0, 3) => 10,
        (1.., 5) => 12,
        _ => 0,
    },
};

#[test]
fn rave_is_trusted_where_it_proved_right() {
    let seed = gdl_testing::seed();
    let finds = |toy: Picks, good: u32, simulations, agent: &str| {
        let agent = format!("{agent}+unproven");
        let is_found = |nth: &u64| {
            let settings = settings(toy, &agent);
            let (search, _) = search(toy, settings, simulations, seed.wrapping_add(*nth));
            let edges = root_edges(&search, toy).iter();
            edges.max_by_key(|edge| edge.visits).unwrap().mv.0 == good
        };
        (0..40).filter(is_found).count()
    };
    let changing = |agent: &str| finds(CHANGING, 3, 200, agent);
    let misled = changing("uct(c=20)+rave(k=10000)");
    assert!(misled < 10, "{misled} of 40");
    let wary = changing("uct(c=20)+selective-rave(k=10000,margin=100)");
    let bounded = changing("uct(c=20)+selective-rave(k=10000,margin=2,correlation=-1)");
    assert!(wary > 20 && bounded > 20, "{wary} and {bounded} of 40");
    // What RAVE gains where it is right is kept.
    let hidden = |agent: &str| finds(HIDDEN, 7, 60, agent);
    let [rave, selective] = ["uct+rave", "uct+selective-rave"].map(hidden);
    assert!(selective + 4 >= rave, "{rave} and {selective} of 40");
}

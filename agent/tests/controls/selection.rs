//! Controls of selection and of the values of moves.

use super::*;

/// One of many moves is good whenever it is made.
const HIDDEN: Picks = Picks {
    moves: 20,
    rounds: 6,
    value: |_, _, mv| if mv == 7 { 16 } else { 0 },
};

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

/// The number of moves that a search never tried.
fn untried(agent: &str, simulations: u64, seed: u64) -> f64 {
    let (search, _) = search(HIDDEN, settings(HIDDEN, agent), simulations, seed);
    let edges = root_edges(&search, HIDDEN).iter();
    edges.filter(|edge| edge.visits == 0).count() as f64
}

#[test]
fn rave_leaves_moves_untried_that_did_badly_later() {
    let seed = gdl_testing::seed();
    let untried = |agent: &str| mean(seed, |seed| untried(agent, 60, seed));
    assert_eq!(untried("uct(c=10)+rave(bonus=uct)"), 0.0);
    for bonus in ["mixed", "share"] {
        let untried = untried(&format!("uct(c=10)+rave(bonus={bonus})"));
        assert!(untried > 4.0, "{bonus}: {untried}");
    }
}

/// The number of moves made inside the tree, and of simulations credited to those of the
/// second level.
fn growth(toy: impl Toy, agent: &str, simulations: u64, seed: u64) -> (u64, u32) {
    let (search, report) = search(toy, settings(toy, agent), simulations, seed);
    let tree = search.tree();
    let root = tree.find(&pack(toy.initial())).unwrap();
    let edges = tree.span(root, 0);
    let children = edges.filter_map(|edge| tree.edge_child(edge as u32));
    let credited = children.flat_map(|child| tree.edges(child, 0));
    (report.tree_steps, credited.map(|edge| edge.visits).sum())
}

#[test]
fn simulations_pass_known_states() {
    // Whatever the order in which piles shrink, the state is the same.
    let piles = Nim([3, 4, 5]);
    let seed = gdl_testing::seed();
    let steps = |agent| mean(seed, |seed| growth(piles, agent, 200, seed).0 as f64);
    let [stops, passes] = ["uct+unproven", "uct+unproven+growth"].map(steps);
    assert!(passes > stops, "{stops}, {passes}");
}

#[test]
fn new_nodes_are_credited_with_the_first_move_of_their_playouts() {
    let seed = gdl_testing::seed();
    let credited = |agent: &str| growth(HIDDEN, agent, 21, seed).1;
    let plain = credited("uct+unproven");
    let first = credited("uct+unproven+growth(first=1)");
    // Twenty children of the root are new, and the first simulation of all makes the root's
    // first move, not one after it.
    assert!(plain <= 1 && first >= 20, "{plain} and {first}");
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

/// The average return of the first hundred simulations of searches.
fn early_average(agent: &str, seed: u64) -> f64 {
    mean(seed, |seed| {
        let (search, _) = search(HIDDEN, settings(HIDDEN, agent), 100, seed);
        let edges = root_edges(&search, HIDDEN).iter();
        edges.map(|edge| edge.sum).sum::<f64>() / 100.0
    })
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
    let untried = |agent: &str, simulations| mean(seed, |seed| untried(agent, simulations, seed));
    assert_eq!(untried("uct", 45), 0.0);
    let [early, late] = [45, 4000].map(|count| untried("uct+unpruning(moves=1)", count));
    assert!(early > 5.0 && late < early, "{early} and {late}");
}

/// The number of simulations after which the goals of a game are proven.
fn simulations_to_proof(toy: impl Toy, agent: &str, seed: u64) -> f64 {
    let (search, report) = search(toy, settings(toy, agent), 100_000, seed);
    assert!(search.is_exhausted(), "{agent} has proven nothing");
    report.simulations as f64
}

#[test]
fn proof_numbers_lead_to_proofs() {
    let piles = Nim([4, 5, 6]);
    let seed = gdl_testing::seed();
    let proof = |agent: &str| mean(seed, |seed| simulations_to_proof(piles, agent, seed));
    let [plain, guided] = ["uct+closed", "uct+closed+proof-numbers(weight=300)"].map(proof);
    assert!(guided < 0.75 * plain, "{plain} to {guided}");
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
    let misled = changing("uct(c=20)+rave(k=10000,bonus=uct)");
    assert!(misled < 10, "{misled} of 40");
    let wary = changing("uct(c=20)+selective-rave(k=10000,margin=100)");
    let bounded = changing("uct(c=20)+selective-rave(k=10000,margin=2,correlation=-1)");
    assert!(wary > 15 && bounded > 15, "{wary} and {bounded} of 40");
    // What RAVE gains where it is right is kept.
    let hidden = |agent: &str| finds(HIDDEN, 7, 60, agent);
    let [rave, selective] = ["uct+rave", "uct+selective-rave"].map(hidden);
    assert!(selective + 4 >= rave, "{rave} and {selective} of 40");
}

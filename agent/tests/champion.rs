//! Learning, search by evaluation, and what they rest on, on real rule sheets.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use gdl_agent::agents::Agent;
use gdl_agent::expander::{Expander, Positions};
use gdl_agent::learning::QuantisedNetwork;
use gdl_agent::learning::network::{ValueHeads, ValueNetwork};
use gdl_agent::learning::patterns::{FluentNames, PatternFinder};
use gdl_agent::learning::quantised::StateValues;
use gdl_agent::learning::time_slice::TimeSlice;
use gdl_agent::matches::{self, MatchStepper, highest_goals};
use gdl_agent::player::Turn;
use gdl_agent::player::search_player::SearchPlayer;
use gdl_agent::puct::{EvaluatedSearch, GoalModel, PuctSettings};
use gdl_agent::search::{SearchBudget, SearchLimits, TimeControl};
use gdl_runtime::engine::{Engine, Move, State};
use gdl_runtime::features::FeatureSet;
use gdl_runtime::layout::Layout;
use gdl_runtime::stop_flag::StopFlag;
use gdl_runtime::symmetry::StateSymmetry;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::engines::{engine, random_joint, small_engine};

/// States of random games, terminal ones too.
fn states(engine: &mut dyn Engine, count: usize, random: &mut Xoshiro256PlusPlus) -> Vec<State> {
    let mut states = vec![engine.initial()];
    while states.len() < count {
        let last = states.last().unwrap().clone();
        let position = engine.examine(&last);
        let next = match position.terminal {
            true => engine.initial(),
            false => engine.next(&last, &random_joint(&position, random)),
        };
        states.push(next);
    }
    states
}

#[test]
fn an_expander_agrees_with_its_engine() {
    let seed = gdl_testing::seed();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    for game in ["connect_four", "tron", "checkers", "yavalath"] {
        let mut engine = engine(game);
        let states = states(&mut *engine, 700, &mut random);
        let mut expander = Expander::new(engine.lanes(1), states[0].0.len());
        let words: Vec<u64> = states.iter().flat_map(|state| state.0.to_vec()).collect();
        let (mut positions, mut next) = (Positions::default(), Positions::default());
        expander.examine(&words, &mut positions);
        let (mut parents, mut picks, mut expected) = (Vec::new(), Vec::new(), Vec::new());
        for (index, state) in states.iter().enumerate() {
            let position = engine.examine(state);
            assert_eq!(positions.state(index), &*state.0);
            assert_eq!(positions.terminal[index], position.terminal, "{game}");
            if position.terminal {
                assert_eq!(positions.goals(index), highest_goals(&position), "{game}");
                continue;
            }
            let mut joint = Vec::new();
            for (role, legal) in position.legal.iter().enumerate() {
                let moves = positions.moves(index, role);
                assert!(
                    moves.iter().map(|pick| pick.mv).eq(legal.iter().copied()),
                    "{game}"
                );
                let pick = moves[random.random_range(0..moves.len())];
                let all = moves.iter().map(|pick| pick.mv);
                assert_eq!(expander.pick(role, pick.mv, all), pick);
                joint.push(pick.mv);
                // A role with a single move need not be forced to make it.
                picks.push(Some(pick).filter(|_| moves.len() > 1 || random.random_bool(0.5)));
            }
            parents.extend_from_slice(&state.0);
            expected.push(engine.next(state, &joint));
        }
        expander.advance(&parents, &picks, true, &mut next);
        for (index, state) in expected.iter().enumerate() {
            assert_eq!(next.state(index), &*state.0, "{game}");
            let position = engine.examine(state);
            assert_eq!(next.terminal[index], position.terminal, "{game}");
            if position.terminal {
                assert_eq!(next.goals(index), highest_goals(&position), "{game}");
            }
        }
    }
}

/// A champion that plays by evaluation, after a start clock of a second.
fn prepared(engine: &dyn Engine) -> SearchPlayer {
    let seed = gdl_testing::seed();
    let agent: Agent = "champion(trials=0,mix=0)".parse().unwrap();
    let limits = SearchLimits::default();
    let mut player = agent.search_player(engine, limits, seed).unwrap();
    let start = SearchBudget::within(Duration::from_secs(1));
    player.prepare(&engine.initial(), 0, start, &mut |_| {});
    player
}

#[test]
fn a_champion_goes_on_on_another_engine_of_the_game() {
    let first = engine("connect_four");
    let mut player = prepared(&*first);
    let initial = first.initial();
    let search = |player: &mut SearchPlayer| {
        let budget = SearchBudget::Simulations(100);
        let report = player.ponder(&initial, 0, budget, &mut |_| {});
        assert!(report.evaluations > 0, "it searches by evaluation");
        // The tree has so many visits that leaves are expanded in batches of 32.
        assert_eq!(report.simulations, 100);
    };
    search(&mut player);
    // The tree is kept: its moves are made on lanes that have not read them.
    player.move_to(&*engine("connect_four")).unwrap();
    search(&mut player);
}

#[test]
fn a_champion_searches_ahead_in_the_start_clock() {
    let engine = engine("connect_four");
    let mut player = prepared(&*engine);
    let one = SearchBudget::Simulations(1);
    let report = player.ponder(&engine.initial(), 0, one, &mut |_| {});
    assert!(report.nodes > 100, "{} nodes", report.nodes);
}

#[test]
fn what_is_left_of_the_start_clock_does_not_decide_anew() {
    let mut engine = engine("breakthrough");
    let agent = Agent::champion();
    let limits = SearchLimits::default();
    let seed = gdl_testing::seed();
    let mut player = agent.search_player(&*engine, limits, seed).unwrap();
    let initial = engine.initial();
    let position = engine.examine(&initial);
    // Without the number of games, which grows.
    let mut decided = |millis| {
        let start = SearchBudget::within(Duration::from_millis(millis));
        player.prepare(&initial, 0, start, &mut |_| {});
        let turn = Turn {
            engine: &*engine,
            role: 0,
            state: &initial,
            position: &position,
            budget: SearchBudget::Simulations(1),
        };
        let choice = player.think(&turn, &mut |_| {}).unwrap().choice.unwrap();
        let (_, how) = choice.split_once(" games").unwrap();
        how.to_owned()
    };
    let first = decided(2000);
    assert_eq!(decided(600), first);
}

/// The fluents of connect four one of which holds when the cell of this one can be taken: those
/// of the cell below.
fn below(cell: &str) -> Vec<String> {
    let words: Vec<&str> = cell.trim_matches(['(', ')']).split(' ').collect();
    let row: u32 = words[2].parse().unwrap();
    let below = |colour| format!("(cell {} {} {colour})", words[1], row - 1);
    match row {
        1 => Vec::new(),
        _ => vec![below("red"), below("yellow")],
    }
}

/// The features that the patterns of a game give rise to, as found with all the time they need.
fn patterns(
    engine: &dyn Engine,
    expander: &mut Expander,
    symmetries: &[StateSymmetry],
    random: &mut Xoshiro256PlusPlus,
) -> FeatureSet {
    let names = FluentNames::of(&engine.layout().unwrap());
    let mut finder = PatternFinder {
        expander,
        initial: &engine.initial(),
        random,
        names: &names,
        symmetries,
        time: TimeSlice {
            end: Instant::now() + Duration::from_secs(60),
            stop_flag: &StopFlag::default(),
        },
    };
    finder.find()
}

#[test]
fn patterns_are_the_lines_of_connect_four_and_lanes_compute_them() {
    let mut engine = engine("connect_four");
    let layout = engine.layout().unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
    let mut expander = Expander::new(engine.lanes(1), engine.initial().0.len());
    let features = patterns(&*engine, &mut expander, &[], &mut random);
    // 24 horizontal, 21 vertical and 24 diagonal lines of either colour.
    let lines = features
        .patterns()
        .iter()
        .map(|pattern| &pattern.fluents)
        .filter(|fluents| fluents.len() == 4);
    let count = lines.clone().count();
    assert!((100..=138).contains(&count), "{count} lines");
    let (mut mistaken, mut unready) = (0, 0);
    for fluent in lines.flatten() {
        let name = &layout.bases[fluent.fluent as usize].name;
        let other = match name.ends_with("red)") {
            true => name.replace("red", "yellow"),
            false => name.replace("yellow", "red"),
        };
        let blockers = fluent.blockers.iter();
        let blockers: Vec<&str> = blockers.map(|&b| &*layout.bases[b as usize].name).collect();
        assert!(blockers.contains(&&*other), "{name}: {blockers:?}");
        mistaken += blockers.len() - 1;
        // A disc comes to rest on another one, of either colour.
        let ready = fluent.ready.as_ref().filter(|ready| ready.holds);
        let ready = ready.map_or(&[][..], |ready| &ready.fluents);
        let ready = ready.iter().map(|&it| &*layout.bases[it as usize].name);
        unready += usize::from(!ready.eq(below(name).iter().map(|below| &**below)));
    }
    // Cells that are seldom taken may never have been taken together.
    // Yellow takes no cell before red has, and seldom one of the highest row.
    assert!(
        unready <= 4 * count / 5,
        "{unready} of {} fluents",
        4 * count
    );
    assert!(mistaken <= 40, "{mistaken} of {} fluents", 4 * count);
    assert_lanes_compute(&features, &mut *engine, &mut expander, &mut random);
}

/// In states of random games, lanes compute the same features as are told of single states.
fn assert_lanes_compute(
    features: &FeatureSet,
    engine: &mut dyn Engine,
    expander: &mut Expander,
    random: &mut Xoshiro256PlusPlus,
) {
    expander.set_features(features.clone());
    let states = states(engine, 300, random);
    let words: Vec<u64> = states.iter().flat_map(|state| state.0.to_vec()).collect();
    let mut positions = Positions::default();
    expander.examine(&words, &mut positions);
    let fluents = engine.layout().unwrap().bases.len();
    for (index, state) in states.iter().enumerate() {
        let own = features.of_state(|fluent| Layout::holds(&state.0, fluent as usize));
        for (number, holds) in own.enumerate() {
            let feature = Layout::holds(positions.features(index), fluents + number);
            assert_eq!(feature, holds, "feature {number} of state {index}");
        }
    }
}

/// In Yavalath four in a row win. Three in a row put their owner out, which is seen one move later
/// and whatever is played, and who is left alone wins. Each line is found in all its images.
#[test]
fn what_leads_to_milestones_is_a_pattern() {
    let mut engine = engine("yavalath");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed_or(5));
    let mut expander = Expander::new(engine.lanes(1), engine.initial().0.len());
    let symmetries = engine.symmetry_finder().unwrap()();
    let features = patterns(&*engine, &mut expander, &symmetries, &mut random);
    // Of 61 cells, 102 lines of four and 129 of three, for each of three players.
    let lines = |cells: usize| {
        let patterns = features.patterns().iter();
        patterns
            .filter(|pattern| pattern.fluents.len() == cells)
            .count()
    };
    assert_eq!([lines(3), lines(4)], [3 * 129, 3 * 102]);
    assert_eq!(features.patterns().len(), 3 * (129 + 102));
    let outcomes = features.patterns().iter().map(|pattern| pattern.outcome);
    assert_eq!(outcomes.collect::<BTreeSet<u32>>().len(), 6);
    assert_lanes_compute(&features, &mut *engine, &mut expander, &mut random);
}

/// Hardly a chain of Hex decides twice, and the patterns of chance take more time than they are
/// worth.
#[test]
fn what_decides_once_is_no_pattern() {
    let engine = engine("hex");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
    let mut expander = Expander::new(engine.lanes(1), engine.initial().0.len());
    let features = patterns(&*engine, &mut expander, &[], &mut random);
    assert!(
        features.is_empty(),
        "{} patterns",
        features.patterns().len()
    );
}

#[test]
fn integers_value_states_as_the_network_does() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
    for heads in [ValueHeads::ConstantSum, ValueHeads::PerRole(3)] {
        let network = ValueNetwork::random(200, heads, &mut random);
        let quantised = QuantisedNetwork::new(&network, 6.0);
        let mut origin = [0_u64; 4];
        let mut values = StateValues::default();
        for _ in 0..100 {
            let mut states = Vec::new();
            for _ in 0..3 {
                let mut state = origin;
                for _ in 0..5 {
                    let feature = random.random_range(0..200);
                    state[feature / 64] ^= 1 << (feature % 64);
                }
                states.extend(state);
            }
            quantised.evaluate(&origin, &states, &mut values);
            let mut exact = vec![0.0; heads.count().max(2)];
            for (index, state) in states.chunks(4).enumerate() {
                network.values(state, &mut exact);
                assert_eq!(values.of(index).len(), exact.len());
                for (value, exact) in values.of(index).iter().zip(&exact) {
                    assert!((value - exact).abs() < 0.03, "{value} for {exact}");
                }
            }
            origin.copy_from_slice(&states[8..]);
        }
    }
}

/// The goals under best play of a game in which one role decides at a time and the goals
/// of two roles add up to 100.
fn solve(engine: &mut dyn Engine, state: &State, known: &mut HashMap<State, Vec<i32>>) -> Vec<i32> {
    if let Some(goals) = known.get(state) {
        return goals.clone();
    }
    let position = engine.examine(state);
    let goals = if position.terminal {
        highest_goals(&position)
    } else {
        let decider = usize::from(position.legal[1].len() > 1);
        let successors = position.legal[decider].iter().map(|&mv| {
            let mut joint: Vec<Move> = position.legal.iter().map(|moves| moves[0]).collect();
            joint[decider] = mv;
            joint
        });
        let successors: Vec<Vec<Move>> = successors.collect();
        let values = successors.into_iter().map(|joint| {
            let next = engine.next(state, &joint);
            solve(engine, &next, known)
        });
        values.max_by_key(|goals| goals[decider]).unwrap()
    };
    known.insert(state.clone(), goals.clone());
    goals
}

#[test]
fn what_bounds_prove_is_what_exhaustive_search_finds() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
    let mut engine = engine("tictactoe");
    let mut known = HashMap::new();
    let words = engine.initial().0.len();
    // Both with and without the knowledge that goals add up to 100, and with playouts.
    for (heads, playouts) in [
        (ValueHeads::ConstantSum, 0.0),
        (ValueHeads::PerRole(2), 0.0),
        (ValueHeads::ConstantSum, 0.5),
    ] {
        let network = ValueNetwork::random(64 * words, heads, &mut random);
        let network = QuantisedNetwork::new(&network, 6.0);
        let mut search = EvaluatedSearch::new(
            engine.lanes(1),
            words,
            GoalModel::up_to(vec![100, 100]),
            PuctSettings::default(),
        );
        if playouts > 0.0 {
            search = search.with_playouts(engine.lanes(2), playouts);
        }
        search.set_network(network, Default::default());
        for state in states(&mut *engine, 60, &mut random) {
            if engine.examine(&state).terminal {
                continue;
            }
            search.set_root(&state);
            let mut rounds = 0;
            search.run(&mut |_| {
                rounds += 1;
                rounds < 20_000
            });
            assert!(search.is_exhausted(), "{heads:?}");
            backed_up_values_are_proven_ones(&search, heads);
            let exact = solve(&mut *engine, &state, &mut known);
            if let Some(goals) = search.proven_goals(&state) {
                assert_eq!(goals, exact, "{heads:?}");
            } else {
                assert_eq!(
                    heads,
                    ValueHeads::PerRole(2),
                    "constant sums leave nothing open"
                );
            }
            // What is proven of each move is right, and a best one is chosen.
            let position = engine.examine(&state);
            let role = usize::from(position.legal[1].len() > 1);
            let result = search.result(&state, role, &position.legal[role]);
            let mut joint: Vec<Move> = position.legal.iter().map(|moves| moves[0]).collect();
            joint[role] = result.chosen;
            let next = engine.next(&state, &joint);
            let reached = solve(&mut *engine, &next, &mut known);
            assert_eq!(reached[role], exact[role], "{heads:?}");
        }
    }
}

/// What a search says about the states of its tree is what it has proven of them, if it has.
fn backed_up_values_are_proven_ones(search: &EvaluatedSearch, heads: ValueHeads) {
    let (mut told, mut proven) = (0, 0);
    search.for_each_visited(1, &mut |state, values| {
        told += 1;
        assert!(values.iter().all(|value| (0.0..=1.0).contains(value)));
        if heads == ValueHeads::ConstantSum {
            assert!((values[0] + values[1] - 1.0).abs() < 1e-5, "{values:?}");
        }
        if let Some(goals) = search.proven_goals(&State(state.into())) {
            proven += 1;
            let pairs = goals.iter().zip(values);
            pairs.for_each(|(&goal, &value)| assert_eq!(goal as f32 / 100.0, value, "{heads:?}"));
        }
    });
    assert!(told <= search.counts().nodes);
    assert!(told == 0 || proven > 0 || heads != ValueHeads::ConstantSum);
}

/// Room is made for new nodes again and again, and what was found about the moves of the root stays.
#[test]
fn a_search_goes_on_when_its_memory_is_full() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
    for game in ["connect_four", "tron"] {
        let mut engine = engine(game);
        let state = engine.initial();
        let legal = engine.examine(&state).legal;
        let words = state.0.len();
        let settings = PuctSettings {
            memory: 1 << 20,
            ..PuctSettings::default()
        };
        let network = ValueNetwork::random(64 * words, ValueHeads::ConstantSum, &mut random);
        let lanes = engine.lanes(1);
        let mut search =
            EvaluatedSearch::new(lanes, words, GoalModel::up_to(vec![100, 100]), settings);
        search.set_network(QuantisedNetwork::new(&network, 10.0), Default::default());
        search.set_root(&state);
        let (mut before, mut times_trimmed, mut visits) = (0, 0, 0);
        search.run(&mut |counts| {
            assert!(counts.bytes <= settings.memory, "{game}: {counts:?}");
            times_trimmed += u32::from(counts.nodes < before);
            before = counts.nodes;
            visits = counts.descents;
            times_trimmed < 3
        });
        assert_eq!(times_trimmed, 3, "{game}");
        let result = search.result(&state, 0, &legal[0]);
        let known: u64 = result
            .evaluations
            .iter()
            .map(|it| u64::from(it.visits))
            .sum();
        // A move counts as visited once before it is.
        assert_eq!(known, visits + legal[0].len() as u64, "{game}");
    }
}

/// A search of a game of three roles, whose greatest goals are taken for 100, without a network.
fn search_for_three(engine: &dyn Engine) -> EvaluatedSearch {
    let words = engine.initial().0.len();
    EvaluatedSearch::new(
        engine.lanes(1),
        words,
        GoalModel::up_to(vec![100; 3]),
        PuctSettings::default(),
    )
}

/// A random network for it.
fn network_for_three(engine: &dyn Engine, random: &mut Xoshiro256PlusPlus) -> QuantisedNetwork {
    let features = 64 * engine.initial().0.len();
    let network = ValueNetwork::random(features, ValueHeads::PerRole(3), random);
    QuantisedNetwork::new(&network, 20.0)
}

/// Where a role that has lost decides between the others, nothing is left to search, but nothing
/// is proven for these: what counts is how many of its moves are good for whom.
#[test]
fn who_has_lost_is_expected_to_choose_at_random_among_others() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
    let mut engine = small_engine("kingmaker");
    let state = engine.initial();
    let legal = engine.examine(&state).legal;
    for _ in 0..20 {
        let mut search = search_for_three(&*engine);
        search.set_network(network_for_three(&*engine, &mut random), Default::default());
        search.set_root(&state);
        search.run(&mut |counts| counts.descents < 1000);
        assert!(search.is_exhausted() && !search.has_proof(0));
        let result = search.result(&state, 0, &legal[0]);
        assert_eq!(engine.move_name(0, result.chosen), "(open left)");
        let mut of_root = None;
        search.for_each_visited(1, &mut |told, values| {
            if told == &*state.0 {
                of_root = Some(values.to_vec());
            }
        });
        let [alice, bob, carol] = of_root.unwrap()[..] else {
            panic!("a value per role");
        };
        assert!((alice - 0.5).abs() < 1e-3 && bob == 0.0, "{alice} {bob}");
        assert!((0.0..=1.0).contains(&carol), "{carol}");
        for (found, value) in [("(open left)", 50.0), ("(open right)", 25.0)] {
            let mut moves = result.evaluations.iter();
            let found = moves.find(|evaluation| engine.move_name(0, evaluation.mv) == found);
            let found = found.unwrap();
            assert!(
                (found.value - value).abs() < 0.1 && !found.proven,
                "{found:?}"
            );
        }
    }
}

#[test]
fn a_champion_learns_and_says_by_what_it_plays() {
    let mut engine = engine("breakthrough");
    let limits = SearchLimits::default();
    let (champion, random): (Agent, Agent) =
        ("champion".parse().unwrap(), "random".parse().unwrap());
    assert!(champion.learns() && champion.is_parallel() && !random.learns());
    let mut players = [
        champion.player(&*engine, limits, 1),
        random.player(&*engine, limits, 2),
    ];
    let stepper = MatchStepper::begin(&mut *engine, 200);
    matches::prepare(&stepper, &*engine, &mut players, Duration::from_secs(2));
    let budget = TimeControl::Simulations(200);
    let played =
        matches::play_from(stepper, &mut *engine, &mut players, budget, &mut |_, _| {}).unwrap();
    assert_eq!(played.goals, [100, 0]);
    let result = &played.rounds[0].results[0];
    let choice = result.choice.as_ref().unwrap();
    assert!(choice.contains("learned from"), "{choice}");
    let report = result.report;
    assert!(report.simulations >= 200 && report.nodes > 0, "{report:?}");
    let evaluates = !choice.ends_with("by playouts");
    assert_eq!(report.evaluations > 200, evaluates, "{choice}: {report:?}");
}

/// A role that can share does not gamble where that is worth less on average: what it has for
/// certain is then what all get. Playouts tell what the gamble is worth; the network has hardly an
/// opinion. (With a greatest goal of 50 the die would be taken to show the first face that is proven.)
#[test]
fn a_certain_draw_is_worth_no_more_than_a_draw() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(gdl_testing::seed());
    let mut engine = small_engine("gamble");
    let state = engine.initial();
    let legal = engine.examine(&state).legal;
    for _ in 0..5 {
        let mut search = search_for_three(&*engine).with_playouts(engine.lanes(2), 1.0);
        let network = network_for_three(&*engine, &mut random).scaled(0.01);
        search.set_network(network, Default::default());
        search.set_root(&state);
        search.run(&mut |counts| counts.descents < 20_000);
        let result = search.result(&state, 0, &legal[0]);
        assert_eq!(engine.move_name(0, result.chosen), "stay", "{result:?}");
        let moves = result.evaluations.iter();
        let stay = moves.max_by_key(|evaluation| evaluation.visits).unwrap();
        assert!((stay.value - 50.0).abs() < 3.0, "{stay:?}");
    }
}

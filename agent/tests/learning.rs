//! Learning goes on where it stopped.

use std::sync::Arc;
use std::time::Duration;

use gdl_agent::agents::Agent;
use gdl_agent::learning::network::ValueHeads;
use gdl_agent::learning::{LearnedNetwork, Learner, NetworkStore, ValueNetwork, file};
use gdl_agent::player::Turn;
use gdl_agent::player::search_player::SearchPlayer;
use gdl_agent::search::budget::SearchBudget;
use gdl_agent::search::{SearchLimits, SearchResult};
use gdl_engines::{EngineKind, EngineOptions};
use gdl_runtime::engine::Engine;
use gdl_runtime::features::FeatureSet;
use gdl_runtime::stop_flag::StopFlag;
use gdlc::source::Source;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::engines::engine;

/// Nim with one pile of 21: up to three are taken, and whoever takes the last one wins.
fn nim() -> Box<dyn Engine> {
    let mut rules = "(role first) (role second) (init (stones 21)) (init (control first))
        (other first second) (other second first)
        (<= (legal ?p (take ?k)) (true (control ?p)) (true (stones ?n)) (after ?k ?n ?m))
        (<= (legal ?p wait) (other ?p ?q) (true (control ?q)))
        (<= (next (stones ?m)) (true (stones ?n)) (does ?p (take ?k)) (after ?k ?n ?m))
        (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
        (<= terminal (true (stones 0)))
        (<= (goal ?p 100) (other ?p ?q) (true (control ?q)))
        (<= (goal ?p 0) (true (control ?p)))"
        .to_owned();
    for take in 1..=3 {
        for stones in take..=21 {
            rules += &format!("(after {take} {stones} {})", stones - take);
        }
    }
    let source = Source::new("nim", &rules);
    gdl_engines::load(&source, EngineKind::Net, &EngineOptions::default()).unwrap()
}

fn learner(engine: &dyn Engine, seed: u64) -> Learner {
    let layout = engine.layout().unwrap();
    let lanes = engine.lanes(seed);
    Learner::new(lanes, &engine.initial(), &layout, seed).unwrap()
}

/// Learns for this time, or for as long as a busy machine takes to learn anything.
fn learn(learner: &mut Learner, millis: u64) -> LearnedNetwork {
    let time = Duration::from_millis(millis);
    loop {
        learner.learn(time, &StopFlag::default(), &mut |_| {});
        if let Some(learned) = learner.learned() {
            return learned;
        }
    }
}

#[test]
fn a_known_network_is_learned_further() {
    let engine = nim();
    let mut fresh = learner(&*engine, 1);
    assert!(fresh.learned().is_none());
    let first = learn(&mut fresh, 1000);
    let losses: Vec<f32> = fresh
        .history()
        .iter()
        .filter_map(|round| round.loss)
        .collect();
    assert!(losses.len() > 2 && first.games > 0, "{losses:?}");
    assert!(first.time >= Duration::from_millis(900), "{:?}", first.time);

    // Through a file, as it would be.
    let layout = engine.layout().unwrap();
    let read = file::read(&file::write(&first, &layout), &layout).unwrap();
    let mut second = learner(&*engine, 2).with_network(read.clone(), &layout);
    assert_eq!(second.learned().as_ref(), Some(&read));
    let further = learn(&mut second, 500);
    assert!(further.games > first.games && further.time > first.time);
    // It foresees the results of its first round as well as those of the last one were
    // foreseen, and much better than a network that knows nothing.
    let begun = second.history()[0].loss.unwrap();
    assert!(begun < losses[0] - 0.1, "{begun} after {losses:?}");
    let ended = second.loss().unwrap();
    assert!(ended < losses[0] - 0.1, "{ended} after {losses:?}");
}

/// First the network chooses the moves, then searches by it do, until the end, and afterwards too;
/// from them it learns what the piles are worth.
#[test]
fn searches_choose_the_moves_later_on() {
    let engine = nim();
    let layout = engine.layout().unwrap();
    let mut learner =
        learner(&*engine, gdl_testing::seed()).with_searches(&layout, |seed| engine.lanes(seed));
    learn(&mut learner, 1500);
    learner.learn_on(Duration::from_millis(300), &StopFlag::default());
    let rounds: Vec<bool> = learner.history().iter().map(|it| it.by_searches).collect();
    let first = rounds.iter().position(|&it| it).unwrap();
    assert!(
        first >= 2 && rounds[first..].iter().all(|&it| it),
        "{rounds:?}"
    );
    let losses: Vec<Option<f32>> = learner.history().iter().map(|it| it.loss).collect();
    assert!(learner.loss().unwrap() < 0.3, "{losses:?}");
}

/// Where several roles choose at once, results are learned to the end.
#[test]
fn searches_are_left_out_where_roles_choose_at_once() {
    let engine = engine("tron");
    let layout = engine.layout().unwrap();
    let mut learner =
        learner(&*engine, gdl_testing::seed()).with_searches(&layout, |seed| engine.lanes(seed));
    learn(&mut learner, 800);
    learner.learn_on(Duration::from_millis(300), &StopFlag::default());
    let history = learner.history();
    assert!(history.iter().all(|round| !round.by_searches));
    let played = history[0].played;
    assert!(played.simultaneous > played.plies / 2, "{played:?}");
}

/// Openings lead to where a role has no moves, before any search has moved.
#[test]
fn searches_begin_where_a_game_is_over() {
    let mut rules = "(role one) (init (step 0)) (init (score 0))
        (<= (legal one stay) (true (step ?n)) (after ?n ?m))
        (<= (legal one gain) (true (step ?n)) (after ?n ?m))
        (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
        (<= (next (score ?s)) (true (score ?s)) (does one stay))
        (<= (next (score 1)) (does one gain))
        (<= terminal (true (step 9)))
        (<= (goal one 100) (true (score 1)))
        (<= (goal one 0) (true (score 0)))"
        .to_owned();
    for step in 0..3 {
        rules += &format!("(after {step} {})", step + 1);
    }
    let source = Source::new("stuck", &rules);
    let engine = gdl_engines::load(&source, EngineKind::Net, &EngineOptions::default()).unwrap();
    let layout = engine.layout().unwrap();
    let mut learner =
        learner(&*engine, gdl_testing::seed()).with_searches(&layout, |seed| engine.lanes(seed));
    learn(&mut learner, 500);
    learner.learn_on(Duration::from_millis(200), &StopFlag::default());
    assert!(learner.history().iter().any(|round| round.by_searches));
}

#[test]
fn pauses_between_rounds_do_not_count() {
    let engine = nim();
    let mut learner = learner(&*engine, 3);
    let (time, stop_flag) = (Duration::from_millis(400), StopFlag::default());
    let mut done = Duration::ZERO;
    while learner.learn_round(done, time, &stop_flag, &mut |_| {}) {
        std::thread::sleep(Duration::from_millis(100));
        done = learner.time();
    }
    assert!(learner.history().len() > 3);
    let learned = learner.learned().unwrap();
    assert!(learned.time < time + Duration::from_millis(200));
    assert_eq!(learned.time, learner.time());
}

/// A network that sees which role reaches what first goes through a file, and is of use only to
/// learners that can compute that.
#[test]
fn what_a_network_sees_has_to_be_computed() {
    let engine = engine("tron");
    let layout = engine.layout().unwrap();
    let finder = engine.reachability_finder();
    let program = finder.as_ref().unwrap()().unwrap();
    let counts = layout.choices.iter().map(|choice| choice.count_bits);
    let bits = layout.bases.len() + counts.sum::<u32>() as usize + program.bits();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let features = 64 * bits.div_ceil(64);
    let network = ValueNetwork::random(features, ValueHeads::ConstantSum, &mut random);
    let learned = LearnedNetwork {
        network,
        features: FeatureSet::default(),
        reached: program.bits(),
        largest: 1.0,
        games: 1,
        time: Duration::from_secs(1),
    };
    let read = file::read(&file::write(&learned, &layout), &layout).unwrap();
    assert_eq!(read, learned);

    let continues = |learner: Learner, learned: &LearnedNetwork| {
        let learner = learner.with_network(learned.clone(), &layout);
        learner.learned()
    };
    let knowing = || learner(&*engine, 1).with_reachability(finder.clone());
    assert_eq!(continues(knowing(), &learned), Some(learned.clone()));
    assert_eq!(continues(learner(&*engine, 1), &learned), None);
    let fewer = LearnedNetwork {
        reached: program.bits() - 1,
        ..learned
    };
    assert_eq!(continues(knowing(), &fewer), None);
}

#[test]
fn networks_that_do_not_fit_are_not_used() {
    let engine = nim();
    let layout = engine.layout().unwrap();
    let mut other = learn(&mut learner(&*engine, 4), 300);
    assert!(other.fits(&layout));
    let mut roles = (*layout).clone();
    roles.roles.push("third".to_owned());
    let mut fewer = (*layout).clone();
    fewer.bases.clear();
    fewer.choices.clear();
    for unlike in [roles, fewer] {
        assert!(!other.fits(&unlike));
        let learner = learner(&*engine, 5).with_network(other.clone(), &unlike);
        assert!(learner.learned().is_none());
    }
    // A file can claim any number of games.
    other.games = u64::MAX;
    let mut continued = learner(&*engine, 5).with_network(other, &layout);
    assert_eq!(learn(&mut continued, 300).games, u64::MAX);
}

#[test]
fn a_champion_plays_by_its_network_without_a_start_clock() {
    let engine = nim();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nim.net");
    let learned = learn(&mut learner(&*engine, 6), 1000);
    std::fs::write(&path, file::write(&learned, &engine.layout().unwrap())).unwrap();
    let agent: Agent = format!("champion(net={})", path.display()).parse().unwrap();
    agent.check_files(&*engine).unwrap();
    // It has not learned on these threads what it knows.
    let agent = agent.learning_on(2);
    let limits = SearchLimits {
        memory: 16 << 20,
        ..SearchLimits::default()
    };
    let mut player = agent.search_player(&*engine, limits, 1).unwrap();
    let mut engine = engine;
    let result = first_move(&mut *engine, &mut player);
    assert_eq!(engine.move_name(0, result.chosen), "(take 1)");
    let choice = result.choice.unwrap();
    let expected = format!("learned from {} games; plays by evaluation", learned.games);
    assert_eq!(choice, expected);

    std::fs::write(&path, "no network").unwrap();
    let error = agent.check_files(&*engine).unwrap_err();
    assert!(error.to_string().ends_with("is not a file of a network"));
    // Without that check, a player is made all the same.
    assert!(agent.search_player(&*engine, limits, 1).is_some());
}

/// What the first role makes of the initial state in 200 simulations.
fn first_move(engine: &mut dyn Engine, player: &mut SearchPlayer) -> SearchResult {
    let initial = engine.initial();
    let position = engine.examine(&initial);
    let turn = Turn {
        engine,
        role: 0,
        state: &initial,
        position: &position,
        budget: SearchBudget::Simulations(200),
    };
    player.think(&turn, &mut |_| {}).unwrap()
}

/// A champion of nim that learned for some time.
fn prepared(engine: &dyn Engine, agent: &Agent, millis: u64) -> SearchPlayer {
    let limits = SearchLimits {
        memory: 16 << 20,
        ..SearchLimits::default()
    };
    let mut player = agent.search_player(engine, limits, 1).unwrap();
    let budget = SearchBudget::within(Duration::from_millis(millis));
    player.prepare(&engine.initial(), 0, budget, &mut |_| {});
    player
}

/// The number of games that a player says it has learned from.
fn games_learned(engine: &mut dyn Engine, player: &SearchPlayer) -> u64 {
    let initial = engine.initial();
    let position = engine.examine(&initial);
    let turn = Turn {
        engine,
        role: 0,
        state: &initial,
        position: &position,
        budget: SearchBudget::Simulations(1),
    };
    let choice = player.result(&turn).unwrap().choice.unwrap();
    let words: Vec<&str> = choice.split(' ').collect();
    assert_eq!(words[..2], ["learned", "from"], "{choice}");
    words[2].parse().unwrap()
}

#[test]
fn a_champion_goes_on_from_what_earlier_matches_left() {
    let mut engine = nim();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learned");
    let store = Arc::new(NetworkStore::new(&path, 1 << 20));
    let agent = Agent::champion().with_store(Arc::clone(&store));
    let first = prepared(&*engine, &agent, 800);
    let first = games_learned(&mut *engine, &first);
    let layout = engine.layout().unwrap();
    assert_eq!(store.load(&layout).unwrap().games, first);
    let second = prepared(&*engine, &agent, 800);
    let second = games_learned(&mut *engine, &second);
    assert_eq!(store.load(&layout).unwrap().games, second);
    assert!(second > first, "{second} games after {first}");

    // What is damaged is not used, and replaced.
    let [file] = &std::fs::read_dir(&path).unwrap().collect::<Vec<_>>()[..] else {
        panic!("more than one file");
    };
    std::fs::write(file.as_ref().unwrap().path(), "no network").unwrap();
    assert!(store.load(&layout).is_none());
    let third = prepared(&*engine, &agent, 800);
    let third = games_learned(&mut *engine, &third);
    assert_eq!(store.load(&layout).unwrap().games, third);
}

#[test]
fn a_champion_learns_on_several_threads() {
    let mut engine = nim();
    let agent: Agent = "champion(trials=0,mix=0)".parse().unwrap();
    let searching: Agent = "champion(trials=0,mix=0)+threads(n=3)".parse().unwrap();
    for agent in [
        searching.clone(),
        searching.learning_on(2),
        agent.learning_on(3),
    ] {
        let mut player = prepared(&*engine, &agent, 1000);
        let games = games_learned(&mut *engine, &player);
        let result = first_move(&mut *engine, &mut player);
        let expected = format!("learned from {games} games on 3 threads");
        let choice = result.choice.unwrap();
        assert!(games > 0 && choice.starts_with(&expected), "{choice}");
        assert_eq!(engine.move_name(0, result.chosen), "(take 1)");
    }
}

#[test]
fn a_store_never_exceeds_its_limit() {
    let engine = nim();
    let layout = engine.layout().unwrap();
    let learned = learn(&mut learner(&*engine, 7), 200);
    let bytes = file::write(&learned, &layout).len() as u64;
    let folder = tempfile::tempdir().unwrap();
    let store = NetworkStore::new(folder.path(), 3 * bytes);
    let other = folder.path().join("other.txt");
    std::fs::write(&other, vec![0; 10 * bytes as usize]).unwrap();
    for heap in 1..=6 {
        let mut layout = (*layout).clone();
        layout.bases[0].name = format!("(heap a {heap}000)");
        store.keep(&learned, &layout);
        // File systems tell times apart that are some milliseconds apart.
        std::thread::sleep(Duration::from_millis(20));
        assert!(store.load(&layout).is_some(), "the last one is kept");
        let files = std::fs::read_dir(folder.path()).unwrap();
        assert!(files.count() <= 4, "three networks and another file");
    }
    assert!(other.exists(), "what is not its own is left alone");
}

#[test]
fn a_champion_learns_while_it_has_nothing_to_decide() {
    // Nim would be proven in the start clock.
    let mut engine = engine("connect_four");
    let mut player = prepared(&*engine, &"champion(trials=0,mix=0)".parse().unwrap(), 600);
    let before = games_learned(&mut *engine, &player);
    let budget = SearchBudget::within(Duration::from_millis(600));
    player.use_idle_time(&engine.initial(), 1, budget, &mut |_| {});
    let after = games_learned(&mut *engine, &player);
    assert!(after > before, "{after} games after {before}");
}

//! Searches that are interrupted, resumed, and moved to other machines.

use std::thread;
use std::time::{Duration, Instant};

use crate::toys::*;
use gdl_agent::agents::Agent;
use gdl_agent::search::SearchLimits;
use gdl_agent::search::budget::SearchBudget;
use gdl_agent::search::{Search, SearchReport};
use gdl_agent::tree::SearchTree;
use gdl_runtime::engine::{Engine, State};

/// Long enough for any machine.
const EVER: Duration = Duration::from_secs(600);

fn search(text: &str, toy: impl Toy, lanes: usize) -> Search {
    let agent: Agent = text.parse().unwrap();
    let engine = ToyEngine::new(toy, lanes);
    let trees = if text.contains("trees") { 2 } else { 1 };
    let settings = (0..trees).map(|_| agent.settings(&engine, SearchLimits::default()));
    let initial = engine.initial();
    Search::parallel(settings.collect(), &|seed| engine.lanes(seed), &initial, 7)
}

fn run(search: &mut Search, state: &State, budget: SearchBudget) -> SearchReport {
    search.run(state, 0, budget, &mut |_| {})
}

fn start() -> State {
    pack(CONNECT_FOUR.initial())
}

/// Simulations through a state, and those of them that have ended.
fn counts(tree: &SearchTree, state: &State) -> (u32, u32) {
    let node = tree.find(state).unwrap();
    (tree.started(node), tree.visits(node))
}

#[test]
fn a_bell_calls_every_thread_back() {
    for text in ["uct", "uct+threads(n=3)", "uct+trees+threads"] {
        let mut search = search(text, CONNECT_FOUR, 64);
        let stop_flag = search.stop_flag();
        let caller = thread::spawn(move || {
            thread::sleep(Duration::from_millis(30));
            stop_flag.raise();
            Instant::now()
        });
        let report = run(&mut search, &start(), SearchBudget::within(EVER));
        let late = caller.join().unwrap().elapsed();
        assert!(report.simulations > 0, "{text}");
        assert!(late < Duration::from_secs(5), "{text}: {late:?}");
    }
}

#[test]
fn nothing_begins_until_the_bell_is_silenced() {
    let mut search = search("uct", CONNECT_FOUR, 64);
    search.stop_flag().raise();
    for _ in 0..2 {
        let report = run(&mut search, &start(), SearchBudget::within(EVER));
        assert_eq!(report.simulations, 0);
    }
    search.stop_flag().clear();
    let report = run(&mut search, &start(), SearchBudget::Simulations(500));
    assert_eq!(report.simulations, 500);
}

/// A search with simulations in flight, and how many those are.
fn in_flight(text: &str) -> (Search, u32) {
    let mut search = search(text, CONNECT_FOUR, 64);
    run(&mut search, &start(), SearchBudget::Simulations(1000));
    // On a busy machine a moment can be over before anything is in flight.
    for _ in 0..100 {
        let moment = Duration::from_millis(5);
        run(&mut search, &start(), SearchBudget::within(moment));
        let (started, ended) = counts(search.tree(), &start());
        if started > ended {
            return (search, started - ended);
        }
    }
    panic!("{text}: nothing is ever in flight");
}

#[test]
fn what_is_in_flight_lands_in_the_next_run() {
    for text in ["uct", "uct+mast+rave", "uct+threads"] {
        let (mut search, flying) = in_flight(text);
        let report = run(&mut search, &start(), SearchBudget::Simulations(0));
        assert_eq!(report.simulations, u64::from(flying), "{text}");
        let (started, ended) = counts(search.tree(), &start());
        assert_eq!(started, ended, "{text}");
    }
}

#[test]
fn another_move_leaves_nothing_in_flight() {
    let (mut search, flying) = in_flight("uct");
    let (started, _) = counts(search.tree(), &start());
    let root = search.tree().find(&start()).unwrap();
    let mv = search.tree().edges(root, 0)[0].mv;
    let next = CONNECT_FOUR.next(&CONNECT_FOUR.initial(), &[mv; 2]);
    let report = run(&mut search, &pack(next), SearchBudget::Simulations(0));
    assert_eq!(report.simulations, 0);
    let landed = started - flying;
    assert_eq!(counts(search.tree(), &start()), (landed, landed));
    // The same for another role: components are told which role a simulation is for.
    let (mut search, _) = in_flight("uct");
    search.run(&start(), 1, SearchBudget::Simulations(0), &mut |_| {});
    let (started, ended) = counts(search.tree(), &start());
    assert_eq!(started, ended);
}

#[test]
fn a_search_moves_to_other_lanes_with_all_it_knows() {
    for text in [
        "uct",
        "uct+mast+rave",
        "uct+past",
        "uct+cutoff",
        "uct+threads",
        "uct+trees",
    ] {
        let mut search = search(text, CONNECT_FOUR, 64);
        run(
            &mut search,
            &start(),
            SearchBudget::within(Duration::from_millis(50)),
        );
        let (_, ended) = counts(search.tree(), &start());
        let nodes = search.tree().len();
        let engine = ToyEngine::new(CONNECT_FOUR, 16);
        search.move_to(&|seed| engine.lanes(seed));
        assert_eq!(counts(search.tree(), &start()), (ended, ended), "{text}");
        let report = run(&mut search, &start(), SearchBudget::Simulations(500));
        assert_eq!(report.simulations, 500, "{text}");
        assert!(report.nodes >= nodes, "{text}");
        let (started, after) = counts(search.tree(), &start());
        let share = if text.contains("trees") { 250 } else { 500 };
        assert_eq!((started, after), (ended + share, ended + share), "{text}");
    }
}

//! A match that goes from one engine to another.

use super::match_actor::MatchActor;
use super::match_handle::{
    HostRequest, MatchAnswer, MatchCommand, MatchEnd, MatchHandle, RequestKind,
};
use super::match_parameters::MatchParameters;
use super::recorder::MatchRecorder;
use super::search_thread::{SearchSetup, SearchThread};
use super::{Events, ServedAgent};
use crate::protocol::MatchRecord;
use gdl_agent::agents::Agent;
use gdl_agent::search::SearchLimits;
use gdl_engines::reference::ReferenceEngine;
use gdl_engines::{EngineKind, EngineOptions, input, load};
use gdlc::reference::EvaluationBudget;
use gdlc::source::Source;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// The second step takes a hundred facts, all others a few.
const HARD_STEP: &str = "
    (role r) (init (s 0)) (legal r go)
    (num 0) (num 1) (num 2) (num 3) (num 4) (num 5) (num 6) (num 7) (num 8) (num 9)
    (<= (pair ?x ?y) (true (s 1)) (num ?x) (num ?y))
    (<= hard (pair ?x ?y) (pair ?y ?x) (distinct ?x ?y))
    (<= (next (s 1)) (true (s 0)))
    (<= (next (s 2)) (true (s 1)) hard)
    (<= (next (s 3)) (true (s 2)))
    (<= terminal (true (s 3))) (goal r 100)";

const FACTS: EvaluationBudget = EvaluationBudget {
    facts: 60,
    matches: 1_000_000,
    depth: 10,
    length: 1000,
    terms: 10_000,
    unrestricted: 1000,
};

/// How long a request may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_state_that_the_reference_engine_loses_is_found_again_by_the_next_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let (handle, inbox) = MatchHandle::new();
    let handle = Arc::new(handle);
    let setup = SearchSetup {
        agent: "uct"
            .parse::<Agent>()
            .map(ServedAgent::from)
            .expect("it is one"),
        rules: HARD_STEP.into(),
        limits: SearchLimits::default(),
        seed: 1,
    };
    let search = SearchThread::start(setup, Arc::clone(&handle)).expect("a thread");
    let parameters = MatchParameters {
        id: "hard".to_owned(),
        rules: HARD_STEP.into(),
        role: "r".to_owned(),
        start_clock: PATIENCE,
        play_clock: PATIENCE,
        agent: "uct".to_owned(),
    };
    let recorder = MatchRecorder::new(Some(folder.path()), "hard", Events::default());
    let host = Arc::clone(&handle);
    let actor = MatchActor::new(parameters, handle, search, recorder, Events::default());
    let running = thread::spawn(move || actor.run(&inbox));
    let source = || Source::new("hard", HARD_STEP);
    let program = input::check(source()).expect("the rules are valid");
    let reference = ReferenceEngine::load(program, FACTS).expect("the first step is easy");
    host.send(MatchCommand::Engine(
        Box::new(reference),
        EngineKind::Reference,
    ));

    let ask = |moves: Option<&str>| {
        let (reply, answers) = channel();
        let kind = RequestKind::Play(moves.map(|mv| vec![mv.to_owned()]));
        let deadline = Instant::now() + PATIENCE;
        host.send(MatchCommand::Ask(HostRequest {
            kind,
            deadline,
            reply,
        }));
        answers
    };
    let go = Ok(MatchAnswer::Move("go".to_owned()));
    assert_eq!(ask(None).recv(), go);
    assert_eq!(ask(Some("go")).recv(), go);
    let lost = ask(Some("go"));
    let net = load(&source(), EngineKind::Net, &EngineOptions::default());
    let net = net.expect("the game is small");
    host.send(MatchCommand::Engine(net, EngineKind::Net));
    assert_eq!(lost.recv(), go);
    let last = Some(vec!["go".to_owned()]);
    host.send(MatchCommand::End(MatchEnd::Stopped(last)));
    running.join().expect("no panic");

    let files = std::fs::read_dir(folder.path()).expect("it can be listed");
    let files: Vec<_> = files.flatten().collect();
    let text = std::fs::read_to_string(files[0].path()).expect("it was written");
    let record: MatchRecord = serde_json::from_str(&text).expect("it is a record");
    assert_eq!(record.goal_values, [100]);
    let states = ["( (s 0) )", "( (s 1) )", "( (s 2) )", "( (s 3) )"];
    assert_eq!(record.states, states.map(str::to_owned));
}

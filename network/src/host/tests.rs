//! Matches between players that follow a script, without a network.

use super::*;
use crate::protocol::{ClockSeconds, Clocks, MatchRecord};
use gdl_agent::matches::{Ending, MatchError, MatchEvent};
use gdl_agent::shared_engine::SharedEngine;
use gdl_engines::load_builtin;
use gdl_runtime::engine::Engine;
use gdl_runtime::lanes::Width;
use gdl_runtime::stop_flag::StopFlag;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Answers a move request.
type Script = fn(&MoveRequest) -> Result<String, PlayerFault>;

/// A player that follows a script and keeps what it is told.
#[derive(Default)]
struct Scripted {
    ready: Option<PlayerFault>,
    answer: Option<Script>,
    heard: Mutex<Vec<String>>,
}

impl Scripted {
    fn answering(answer: Script) -> Arc<Self> {
        Arc::new(Self {
            answer: Some(answer),
            ..Self::default()
        })
    }

    fn hear(&self, what: impl Into<String>) {
        self.heard
            .lock()
            .expect("no thread panics")
            .push(what.into());
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("no thread panics").clone()
    }
}

impl HostedPlayer for Scripted {
    fn preview(&self, _: &MatchSetup, _: Instant) -> Result<(), PlayerFault> {
        self.hear("preview");
        Ok(())
    }

    fn start(&self, setup: &MatchSetup, _: Instant) -> Result<String, PlayerFault> {
        self.hear(format!("start {}", setup.id));
        match &self.ready {
            Some(fault) => Err(fault.clone()),
            None => Ok("ready".to_owned()),
        }
    }

    fn play(
        &self,
        _: &MatchSetup,
        turn: &MoveRequest,
        _: Instant,
    ) -> Result<PlayerAnswer, PlayerFault> {
        self.hear(format!("play {:?}", turn.moves));
        let answer = self.answer.map_or(Ok("noop".to_owned()), |say| say(turn));
        answer.map(|text| PlayerAnswer { text, result: None })
    }

    fn stop(
        &self,
        _: &MatchSetup,
        moves: Option<&[String]>,
        _: Instant,
    ) -> Result<(), PlayerFault> {
        self.hear(format!("stop {moves:?}"));
        Ok(())
    }

    fn abort(&self, _: &MatchSetup, _: Instant) -> Result<(), PlayerFault> {
        self.hear("abort");
        Ok(())
    }
}

/// A match of tic-tac-toe with clocks of one second.
fn hosted(players: Vec<Arc<dyn HostedPlayer>>, preview: Option<u64>) -> HostedMatch {
    let engine = load_builtin("tictactoe", Width::widest()).expect("it is built in");
    let engine = SharedEngine::new(Box::new(engine));
    let clocks = Clocks {
        preview,
        start: ClockSeconds::whole(1),
        play: ClockSeconds::whole(1),
    };
    let names = vec!["one".to_owned(), "other".to_owned()];
    let facts = engine.facts(&engine.initial());
    HostedMatch {
        players,
        record: MatchRecord::begin("m.1", clocks, names, &facts),
        rounds: 100,
        seed: 1,
        stop: StopFlag::default(),
        setup: Arc::new(MatchSetup {
            id: "m.1".to_owned(),
            rules: String::new(),
            engine,
            clocks,
        }),
    }
}

/// Plays x in the first column, in odd spellings.
fn first_column(turn: &MoveRequest) -> Result<String, PlayerFault> {
    let answer = match turn.position.legal[0].len() {
        9 => " (MARK 1 1)",
        7 => "( mark\t1(2) ) ; the middle",
        5 => "(Mark 1 3)",
        _ => "( NOOP ) ",
    };
    Ok(answer.replace("(2)", " 2"))
}

/// Plays o in the third column.
fn third_column(turn: &MoveRequest) -> Result<String, PlayerFault> {
    Ok(match turn.position.legal[1].len() {
        8 => "(mark 3 1)".to_owned(),
        6 => "(mark 3 2)".to_owned(),
        _ => "noop".to_owned(),
    })
}

fn play(hosted: &mut HostedMatch) -> MatchOutcome {
    hosted
        .play(&mut |_, _, _| {})
        .expect("every role has a move")
}

#[test]
fn players_are_told_everything_in_order() {
    let x = Scripted::answering(first_column);
    let o = Scripted::answering(third_column);
    let mut hosted = hosted(vec![x.clone(), o], Some(1));
    let outcome = play(&mut hosted);
    assert_eq!(outcome.played.ending, Ending::Terminal);
    assert_eq!(hosted.record.goal_values, [100, 0]);
    assert_eq!(hosted.record.errors, vec![[""; 2]; 6]);
    assert!(hosted.record.is_completed && !hosted.record.is_aborted);
    let heard = x.heard();
    assert_eq!(heard[..3], ["preview", "start m.1", "play None"]);
    assert_eq!(heard[3], r#"play Some(["(mark 1 1)", "noop"])"#);
    assert_eq!(heard[4], r#"play Some(["noop", "(mark 3 1)"])"#);
    assert_eq!(heard[7], r#"stop Some(["(mark 1 3)", "noop"])"#);
    assert_eq!(heard.len(), 8);
}

#[test]
fn errors_are_recorded_and_replaced_by_legal_moves() {
    let x = Scripted {
        ready: Some(PlayerFault::Late),
        answer: Some(|turn| match turn.position.legal[0].len() {
            9 => Err(PlayerFault::Late),
            1 => Ok("noop".to_owned()),
            _ => Err(PlayerFault::Connection("it broke".to_owned())),
        }),
        ..Scripted::default()
    };
    let o = Scripted::answering(|turn| match turn.position.legal[1].len() {
        8 => Ok("((((\u{0}\n nonsense".to_owned()),
        1 => Ok("NoOp".to_owned()),
        _ => Ok("x".repeat(1000)),
    });
    let mut hosted = hosted(vec![Arc::new(x), o], None);
    let outcome = play(&mut hosted);
    let errors = &hosted.record.errors;
    assert_eq!(errors[0], ["TO", ""]);
    assert_eq!(errors[1], ["TO", ""]);
    assert_eq!(errors[2], ["", "IL ((((  nonsense"]);
    assert_eq!(errors[3], ["CE", ""]);
    assert_eq!(errors[4][1], format!("IL {}", "x".repeat(200)));
    assert_eq!(errors.len(), hosted.record.states.len());
    assert!(hosted.record.is_completed);
    let (x, o) = (&outcome.reports[0], &outcome.reports[1]);
    assert_eq!((x.illegal, o.overruns), (0, 0));
    assert_eq!(x.overruns + o.illegal, outcome.played.rounds.len() as u64);
    let legal = outcome.played.rounds.iter().all(|round| {
        let results = round.results.iter().zip(&round.position.legal);
        results
            .clone()
            .all(|(result, legal)| legal.contains(&result.chosen))
    });
    assert!(legal);
}

#[test]
fn replacements_follow_from_the_seed() {
    let moves = |seed: u64| {
        let mute = || Scripted::answering(|_| Err(PlayerFault::Late));
        let mut hosted = hosted(vec![mute(), mute()], None);
        hosted.seed = seed;
        play(&mut hosted);
        hosted.record.moves
    };
    assert_eq!(moves(1), moves(1));
    assert_ne!(moves(1), moves(2));
}

/// A player that ignores deadlines does not delay the others.
#[test]
fn players_that_do_not_return_are_late() {
    let stuck = Scripted::answering(|turn| {
        if turn.moves.is_none() {
            std::thread::sleep(Duration::from_secs(60));
        }
        Ok("noop".to_owned())
    });
    let mut hosted = hosted(vec![stuck, Scripted::answering(third_column)], None);
    hosted.rounds = 1;
    let begun = Instant::now();
    let outcome = play(&mut hosted);
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert_eq!(outcome.played.ending, Ending::TooLong);
    assert_eq!(hosted.record.errors[1], ["TO", ""]);
    assert!(hosted.record.is_aborted && !hosted.record.is_completed);
}

#[test]
fn stopping_a_match_ends_it_at_once_and_tells_all_players() {
    let slow = Scripted::answering(|_| {
        std::thread::sleep(Duration::from_millis(1500));
        Ok("noop".to_owned())
    });
    let o = Scripted::answering(third_column);
    let mut hosted = hosted(vec![slow.clone(), o.clone()], None);
    let stop = hosted.stop.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        stop.raise();
    });
    let outcome = play(&mut hosted);
    assert_eq!(outcome.played.ending, Ending::Quit);
    assert!(hosted.record.is_aborted && hosted.record.goal_values.is_empty());
    for player in [slow, o] {
        assert_eq!(player.heard(), ["start m.1", "play None", "abort"]);
    }
}

#[test]
fn the_record_grows_with_the_match() {
    let x = Scripted::answering(first_column);
    let mut hosted = hosted(vec![x, Scripted::answering(third_column)], None);
    let mut seen = Vec::new();
    let mut watch = |_: &dyn Engine, event: &MatchEvent<'_>, record: &MatchRecord| {
        if let MatchEvent::Reached(_, position, rounds) = event {
            assert_eq!(record.moves.len(), *rounds);
            assert_eq!(record.is_completed, position.terminal);
            seen.push(record.states.len());
        }
    };
    hosted.play(&mut watch).expect("it can be played");
    assert_eq!(seen, [1, 2, 3, 4, 5, 6]);
}

#[test]
fn rules_that_leave_a_role_without_a_move_end_the_match() {
    let rules = "(role r) (init a) (<= (legal r wait) (true b)) (goal r 0) (<= terminal (true b))";
    let source = gdlc::source::Source::new("stuck", rules);
    let (kind, options) = (gdl_engines::EngineKind::Net, Default::default());
    let engine = gdl_engines::load(&source, kind, &options).expect("it can be loaded");
    let player = Arc::new(Scripted::default());
    let mut hosted = hosted(vec![player.clone()], None);
    hosted.setup = Arc::new(MatchSetup {
        id: "m".to_owned(),
        rules: rules.to_owned(),
        engine: SharedEngine::new(engine),
        clocks: hosted.setup.clocks,
    });
    let error = hosted
        .play(&mut |_, _, _| {})
        .expect_err("there is no move");
    assert!(matches!(error, MatchError::NoMove(_)));
    assert!(hosted.record.is_aborted);
    assert_eq!(player.heard(), ["start m", "abort"]);
}

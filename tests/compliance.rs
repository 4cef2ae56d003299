//! `gdl compliance` on players that comply, and on players that do not.

use crate::common::process::keeping_time;
use crate::common::served::Served;
use crate::common::{self, command};
use assert_cmd::Command;
use gdl_engines::{EngineKind, EngineOptions};
use gdl_network::compliance::{Group, TestedPlayer, run};
use gdl_network::protocol::client::Address;
use gdl_network::protocol::http::{ReadError, Request, RequestLimits, read_request, refuse, reply};
use gdl_network::protocol::message::Message;
use gdl_runtime::engine::{Engine, State};
use gdl_runtime::kif::normalise;
use gdl_runtime::moves::find_joint_move;
use gdlc::source::Source;
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// The flaw of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flaw {
    None,
    /// It makes illegal moves.
    Illegal,
    /// It thinks longer than the play clock.
    Late,
    /// It serves one connection after another.
    OneByOne,
    /// It understands keywords only in upper case.
    Case,
    /// It answers PLAY for matches that it does not know.
    Confused,
    /// It stops answering after a malformed message.
    Offended,
    /// It forgets a match that is started a second time.
    Forgetful,
    /// It reads the lines of a head, however many there are.
    Patient,
    /// It takes a moment to accept a connection. That is allowed.
    Hesitant,
}

/// A match in progress.
struct ScriptedMatch {
    engine: Box<dyn Engine>,
    state: State,
    role: usize,
}

struct Scripted {
    flaw: Flaw,
    matches: Mutex<HashMap<String, ScriptedMatch>>,
    offended: AtomicBool,
}

/// A player with a flaw, which listens as long as the test runs.
fn player(flaw: Flaw) -> Address {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    let scripted = Arc::new(Scripted {
        flaw,
        matches: Mutex::new(HashMap::new()),
        offended: AtomicBool::new(false),
    });
    thread::spawn(move || {
        for stream in listener.incoming() {
            let stream = stream.expect("connections can be accepted");
            if flaw == Flaw::Hesitant {
                thread::sleep(Duration::from_millis(15));
            }
            let scripted = Arc::clone(&scripted);
            let serving = thread::spawn(move || scripted.serve(&stream));
            if flaw == Flaw::OneByOne {
                serving.join().expect("no panic");
            }
        }
    });
    address.to_string().parse().expect("it is an address")
}

impl Scripted {
    fn serve(&self, stream: &TcpStream) {
        let soon = Instant::now() + Duration::from_secs(5);
        if self.offended.load(Ordering::Relaxed) {
            return;
        }
        if self.flaw == Flaw::Patient {
            let answer = read_patiently(stream).and_then(|text| text.parse().ok());
            let answer = answer.map(|message| self.answer(message));
            drop(answer.map(|answer| reply(stream, &answer, soon)));
            return;
        }
        // This fails if the host has disconnected, which is not an error.
        let _ = match read_request(stream, &RequestLimits::default(), soon) {
            Ok(Request::Options) => reply(stream, "", soon).map(drop),
            Ok(Request::Message(text)) => match text.parse() {
                Ok(message) if self.flaw != Flaw::Case || is_upper(&text) => {
                    reply(stream, &self.answer(message), soon).map(drop)
                }
                _ => {
                    let is_offended = self.flaw == Flaw::Offended;
                    self.offended.store(is_offended, Ordering::Relaxed);
                    refuse(stream, 400, soon)
                }
            },
            Err(ReadError::Gone(_)) => Ok(()),
            Err(error) => refuse(stream, error.status().unwrap_or(400), soon),
        };
    }

    fn answer(&self, message: Message) -> String {
        let mut matches = self.matches.lock().expect("no panic");
        match message {
            Message::Info => "((name scripted) (status available))".to_owned(),
            Message::Preview { .. } => "ready".to_owned(),
            Message::Start {
                id, role, rules, ..
            } => {
                if self.flaw == Flaw::Forgetful && matches.remove(&id).is_some() {
                    return "ready".to_owned();
                }
                match ScriptedMatch::start(&role, &rules) {
                    Some(known) => {
                        matches.entry(id).or_insert(known);
                        "ready".to_owned()
                    }
                    None => "busy".to_owned(),
                }
            }
            Message::Play { id, moves } => match matches.get_mut(&id) {
                Some(_) if self.flaw == Flaw::Illegal => "(resign)".to_owned(),
                Some(known) => {
                    if self.flaw == Flaw::Late {
                        thread::sleep(Duration::from_millis(2300));
                    }
                    known.play(moves).unwrap_or_else(|| "busy".to_owned())
                }
                None if self.flaw == Flaw::Confused => "noop".to_owned(),
                None => "busy".to_owned(),
            },
            Message::Stop { id, .. } => known(matches.remove(&id), "done"),
            Message::Abort { id } => known(matches.remove(&id), "aborted"),
        }
    }
}

/// A message; `None` if it is not complete.
fn read_patiently(stream: &TcpStream) -> Option<String> {
    let mut lines = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            None if line.trim_end().is_empty() => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().ok()?;
            }
            _ => {}
        }
    }
    let mut body = vec![0; length];
    lines.read_exact(&mut body).ok()?;
    String::from_utf8(body).ok()
}

fn known(found: Option<ScriptedMatch>, answer: &str) -> String {
    found.map_or("busy", |_| answer).to_owned()
}

fn is_upper(text: &str) -> bool {
    let keyword = text
        .trim_start_matches(['(', ' '])
        .split_whitespace()
        .next();
    keyword.is_some_and(|keyword| keyword == keyword.to_uppercase())
}

impl ScriptedMatch {
    fn start(role: &str, rules: &str) -> Option<Self> {
        let mut options = EngineOptions::default();
        options.evaluation.facts = 10_000;
        options.evaluation.matches = 100_000;
        let source = Source::new("scripted", rules);
        let engine = gdl_engines::load(&source, EngineKind::Reference, &options).ok()?;
        let role = normalise(role);
        Some(Self {
            role: (engine.roles().iter()).position(|name| normalise(name) == role)?,
            state: engine.initial(),
            engine,
        })
    }

    /// Makes the given joint move, if any, and returns the first legal move after it.
    fn play(&mut self, moves: Option<Vec<String>>) -> Option<String> {
        if let Some(moves) = moves {
            let position = self.engine.examine(&self.state);
            let joint = find_joint_move(&*self.engine, &position, &moves).ok()?;
            self.state = self.engine.next(&self.state, &joint);
        }
        let legal = self.engine.examine(&self.state).legal;
        Some(self.engine.move_name(self.role, *legal[self.role].first()?))
    }
}

/// The checks that a player fails, with the reasons.
fn failed(address: Address, only: Option<Group>) -> HashMap<&'static str, String> {
    let player = TestedPlayer::new(address, Duration::from_secs(1));
    let outcomes = run(&player, only, |_| {});
    assert!(!outcomes.is_empty());
    let failed = outcomes.into_iter().filter(|outcome| !outcome.passed);
    failed
        .map(|outcome| (outcome.check, outcome.reason.unwrap_or_default()))
        .collect()
}

#[test]
fn a_sound_player_passes_everything() {
    let _clocks = keeping_time();
    assert_eq!(failed(player(Flaw::None), None), HashMap::new());
}

#[test]
fn a_player_may_be_slow_to_accept_connections() {
    let _clocks = keeping_time();
    let failed = failed(player(Flaw::Hesitant), Some(Group::Connections));
    assert_eq!(failed, HashMap::new());
}

#[test]
fn our_player_passes_everything() {
    let _clocks = keeping_time();
    let player = Served::start(&["--no-native"]);
    assert_eq!(failed(player.address.clone(), None), HashMap::new());
}

#[test]
fn flaws_are_found_by_the_checks_for_them_and_by_no_others() {
    let _clocks = keeping_time();
    let thinking = "INFO is answered while the player thinks";
    let three = "START, PLAY, STOP";
    let abort = "ABORT frees the player for another match";
    let drip = "a byte now and then, others are served";
    let cases = [
        (
            Flaw::Illegal,
            Group::Messages,
            &[three, abort, thinking][..],
        ),
        (Flaw::Late, Group::Messages, &[three, abort, thinking]),
        (
            Flaw::OneByOne,
            Group::Connections,
            &[drip, "200 idle connections"],
        ),
        (Flaw::Case, Group::Spelling, &["keywords in lower case"]),
        (
            Flaw::Confused,
            Group::Faults,
            &["PLAY of an unknown match: busy"],
        ),
        (
            Flaw::Forgetful,
            Group::Faults,
            &["START twice, the match goes on"],
        ),
        (
            Flaw::Patient,
            Group::Connections,
            &["a head that does not end"],
        ),
    ];
    // All at once, since the checks mostly wait.
    thread::scope(|scope| {
        for (flaw, group, checks) in cases {
            scope.spawn(move || {
                let found = failed(player(flaw), Some(group));
                let mut names: Vec<&str> = found.keys().copied().collect();
                names.sort_by_key(|name| checks.iter().position(|check| check == name));
                assert_eq!(names, checks, "{flaw:?}: {found:?}");
            });
        }
    });
}

#[test]
fn a_player_that_is_silent_after_a_fault_fails() {
    let _clocks = keeping_time();
    let found = failed(player(Flaw::Offended), Some(Group::Faults));
    let reason = &found["messages that are none"];
    assert!(reason.starts_with("INFO: "), "{reason}");
}

#[test]
fn the_command_says_what_was_passed() {
    let _clocks = keeping_time();
    let sound = player(Flaw::None).to_string();
    let only = ["--only", "messages", "--clock", "1"];
    let output = gdl(&sound).args(only).assert().code(0).get_output().clone();
    let text = String::from_utf8(output.stdout).expect("it is text");
    assert!(text.contains("passed 6 of 6 checks"), "{text}");
    let flawed = player(Flaw::Illegal).to_string();
    let output = gdl(&flawed).args(only).arg("--json").assert().code(1);
    let report: serde_json::Value =
        serde_json::from_slice(&output.get_output().stdout).expect("it is JSON");
    assert_eq!(
        (&report["passed"], &report["failed"]),
        (&3.into(), &3.into())
    );
    let reason = &report["checks"][3]["reason"];
    assert_eq!(reason, "PLAY: `(resign)` is not a legal move");
    let unused = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let unused = unused.expect("a port is free").to_string();
    gdl(&unused).assert().code(2);
}

fn gdl(address: &str) -> Command {
    command::gdl(common::root(), &["compliance", address])
}

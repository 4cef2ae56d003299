//! Pages that look on: what they are told of contests, hosted matches and served ones.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use gdl_agent::agents::Agent;
use gdl_agent::shared_engine::SharedEngine;
use gdl_contests::budget::MoveBudget;
use gdl_contests::contest::{self, Contest};
use gdl_contests::contest_game::ContestGame;
use gdl_contests::journal::{ContestStore, StoredContest};
use gdl_contests::options::RunOptions;
use gdl_engines::{EngineKind, EngineOptions};
use gdl_network::host::{
    HostedMatch, HostedPlayer, LocalPlayer, MatchSetup, MoveRequest, PlayerAnswer, PlayerFault,
};
use gdl_network::protocol::message::Message as GgpMessage;
use gdl_network::protocol::{ClockSeconds, Clocks, MatchRecord};
use gdl_network::serve::{Events, MatchRegistry, PlayerSettings};
use gdl_runtime::engine::Engine as _;
use gdl_runtime::stop_flag::StopFlag;
use gdl_view::live::{LiveContests, LiveFeed, LiveGame, LiveHosting, LiveServing};
use serde_json::json;

use super::*;

/// A feed, and the address of its pages.
fn feed() -> (LiveFeed, SocketAddr) {
    let feed = LiveFeed::start("a test").expect("there is a thread");
    let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
    let server = ViewServer::bind_live(any_port, feed.clone(), Limits::default());
    (feed, run(server.expect("a port is free")))
}

fn tictactoe() -> (SharedEngine, String) {
    let opened = gdl_engines::open_with_rules(
        Path::new("tictactoe"),
        EngineKind::Net,
        &EngineOptions::default(),
    );
    let (loaded, rules) = opened.expect("it is built in");
    (SharedEngine::new(loaded.engine), rules.text.clone())
}

fn contest_game() -> ContestGame {
    let (loaded, rules) = gdl_engines::open_with_rules(
        Path::new("tictactoe"),
        EngineKind::Net,
        &EngineOptions::default(),
    )
    .expect("it is built in");
    ContestGame::from_rules(
        "tictactoe".to_owned(),
        &rules.text,
        loaded.engine,
        EngineKind::Net,
    )
}

/// Plays games of a contest between `uct` and `random`, with a feed if there is one. Returns
/// what the journal has.
fn play(games: Range<u64>, total: u64, journal: &Path, feed: Option<&LiveFeed>) -> StoredContest {
    let game = contest_game();
    let agents = ["uct", "random"].map(|agent| agent.parse().expect("it is an agent"));
    let options = RunOptions {
        threads: Some(1),
        memory: 16,
        ..RunOptions::default()
    };
    let budget = MoveBudget::Simulations(20);
    let configuration = game.configuration(&agents, budget, 3, &options, None);
    let configuration = configuration.expect("it is sound");
    let mut contests = [Contest {
        store: ContestStore::open(journal, &configuration).expect("it can be kept"),
        ranges: vec![games],
        agents: &agents,
    }];
    match feed {
        None => contest::play(&game, &mut contests, &options, None, &()),
        Some(feed) => {
            let shown = LiveGame::new("tictactoe", game.rules(), game.engine.clone());
            let live = LiveContests::new(feed.clone(), total);
            let group = live.group(shown, 0);
            contest::play(&game, &mut contests, &options, None, &group)
        }
    }
    .expect("it can be played");
    let [contest] = contests;
    contest.store.stored.clone()
}

#[test]
fn a_contest_is_told_from_the_games_before_to_the_last() {
    let folder = tempfile::tempdir().expect("there is room");
    let journal = folder.path().join("games.jsonl");
    play(0..30, 30, &journal, None);
    let (feed, address) = feed();
    let mut page = Page::open(address).expect("a page may open");
    assert_eq!(
        page.hear("live"),
        json!({"is": "live", "title": "a test", "ended": false})
    );
    let player = std::thread::spawn(move || {
        let stored = play(0..400, 400, &journal, Some(&feed));
        feed.end();
        (stored, Instant::now())
    });
    let (mut boards, mut standings, mut ended) = (Vec::new(), Vec::new(), false);
    while let Some(event) = page.next() {
        match event["is"].as_str() {
            Some("live_board") => boards.push(event),
            Some("standings") => standings.push(event),
            Some("live") => ended |= event["ended"] == true,
            _ => {}
        }
    }
    let (stored, end) = player.join().expect("it plays");
    assert!(ended, "the page is told of the end");
    assert!(end.elapsed() < PATIENCE);
    // Nothing is lost at the end, and what there was before is counted.
    let done = |event: &Value| event["done"].as_u64().unwrap_or(0);
    assert!(
        standings.iter().all(|event| done(event) >= 30),
        "{standings:?}"
    );
    assert!(standings.is_sorted_by_key(done));
    let last = standings.last().expect("it has come");
    assert_eq!((done(last), &last["requested"]), (400, &json!(400)));
    let table = &last["tables"][0];
    let summary = gdl_contests::summary::ContestSummary::new(&stored, u64::MAX);
    let cell = &table["agents"][0]["cells"][1];
    assert_eq!(cell["encounters"], json!(400));
    assert_eq!(cell["score"], json!(summary.score));
    assert_eq!(cell["elo"]["elo"], json!(summary.elo));
    assert_eq!(cell["elo"]["lower"], json!(summary.elo_lower));
    assert!(
        table["agents"][0]["rating"]["elo"].as_f64() > Some(0.0),
        "{table}"
    );
    assert_eq!(table["agents"][0]["cells"][0], Value::Null);

    assert!(!boards.is_empty());
    for board in &boards {
        let place = board["place"].as_u64();
        assert!(place.is_some_and(|place| place < 12), "{board}");
        assert!(
            board["picture"]
                .as_str()
                .is_some_and(|svg| svg.starts_with("<svg"))
        );
        let players: Vec<&Value> = (0..2).map(|role| &board["players"][role]["name"]).collect();
        assert!(
            players == ["uct", "random"] || players == ["random", "uct"],
            "{board}"
        );
    }
    let marked = |board: &&Value| {
        board["picture"]
            .as_str()
            .is_some_and(|svg| svg.contains("gdl-last"))
    };
    let moved = boards
        .iter()
        .find(|board| board["rounds"].as_u64() > Some(0));
    assert!(
        moved.is_none_or(|board| marked(&board)),
        "the last move is marked"
    );
}

#[test]
fn pages_that_do_not_read_hold_up_nobody_and_change_no_result() {
    let folder = tempfile::tempdir().expect("there is room");
    let alone = play(0..300, 300, &folder.path().join("alone.jsonl"), None);
    let (feed, address) = feed();
    let idle: Vec<Page> = (0..5).filter_map(|_| Page::open(address).ok()).collect();
    assert_eq!(idle.len(), 5);
    let watched = play(
        0..300,
        300,
        &folder.path().join("watched.jsonl"),
        Some(&feed),
    );
    let begun = Instant::now();
    feed.end();
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(alone.games.len(), watched.games.len());
    for (one, other) in alone.games.values().zip(watched.games.values()) {
        assert_eq!((&one.moves, &one.goals), (&other.moves, &other.goals));
    }
}

#[test]
fn pages_that_look_on_can_ask_for_nothing() {
    let (_feed, address) = feed();
    let mut page = Page::open(address).expect("a page may open");
    page.say(&json!({"do": "open", "name": "tictactoe"}));
    assert_eq!(page.hear("failed")["message"], "this page only looks on");
    let own = address.to_string();
    assert!(get(address, "/", &own, "").contains("/live.js"));
    assert!(get(address, "/", "evil.example", "").starts_with("HTTP/1.1 403"));
}

/// A player whose moves are all illegal.
struct Illegal;

impl HostedPlayer for Illegal {
    fn preview(&self, _: &MatchSetup, _: Instant) -> Result<(), PlayerFault> {
        Ok(())
    }

    fn start(&self, _: &MatchSetup, _: Instant) -> Result<String, PlayerFault> {
        Ok("ready".to_owned())
    }

    fn play(
        &self,
        _: &MatchSetup,
        request: &MoveRequest,
        _: Instant,
    ) -> Result<PlayerAnswer, PlayerFault> {
        match request.position.legal[0].len() {
            9 => Err(PlayerFault::Late),
            _ => Ok(PlayerAnswer {
                text: "(fly away)".to_owned(),
                result: None,
            }),
        }
    }

    fn stop(&self, _: &MatchSetup, _: Option<&[String]>, _: Instant) -> Result<(), PlayerFault> {
        Ok(())
    }

    fn abort(&self, _: &MatchSetup, _: Instant) -> Result<(), PlayerFault> {
        Ok(())
    }
}

/// A match of tictactoe between a player that errs and one that plays at random.
fn hosted(engine: &SharedEngine, rules: &str) -> HostedMatch {
    let clocks = Clocks {
        preview: None,
        start: ClockSeconds::whole(1),
        play: ClockSeconds::whole(5),
    };
    let random: Agent = "random".parse().expect("it is an agent");
    let limits = gdl_agent::search::SearchLimits::default();
    let local = LocalPlayer::new(random, limits, 1, 1);
    let names = vec!["bad".to_owned(), "random".to_owned()];
    let facts = engine.facts(&engine.initial());
    HostedMatch {
        players: vec![Arc::new(Illegal), Arc::new(local)],
        record: MatchRecord::begin("m.1", clocks, names, &facts),
        rounds: 100,
        seed: 1,
        stop: StopFlag::default(),
        setup: Arc::new(MatchSetup {
            id: "m.1".to_owned(),
            rules: rules.to_owned(),
            engine: engine.clone(),
            clocks,
        }),
    }
}

#[test]
fn a_hosted_match_is_shown_with_late_and_illegal_moves() {
    let (feed, address) = feed();
    let mut page = Page::open(address).expect("a page may open");
    page.hear("live");
    let (engine, rules) = tictactoe();
    let game = LiveGame::new("tictactoe", &rules, engine.clone());
    let shown = LiveHosting::new(feed, game, vec!["bad".to_owned(), "random".to_owned()]);
    let host = std::thread::spawn(move || {
        let mut hosted = hosted(&engine, &rules);
        let outcome =
            hosted.play(&mut |_, event, record| shown.follow(event, record, "it erred\n"));
        shown.conclude(&hosted.record);
        (outcome.expect("it can be played"), hosted.record)
    });
    let mut last = Value::Null;
    while let Some(event) = page.next() {
        if event["is"] == "live_board" {
            last = event;
        }
    }
    let (outcome, record) = host.join().expect("it hosts");
    assert_eq!(last["goals"], json!(outcome.played.goals));
    assert_eq!(last["rounds"], json!(record.moves.len()));
    assert_eq!(last["note"], "it erred");
    assert_eq!(last["players"][0]["name"], "bad");
    assert_eq!(last["players"][0]["late"], 1);
    let illegal = outcome.reports[0].illegal;
    assert!(illegal > 0);
    assert_eq!(last["players"][0]["illegal"], json!(illegal));
    assert_eq!(last["players"][1]["illegal"], 0);
}

/// A player on the network whose matches are on a feed.
fn served(feed: LiveFeed, folder: &Path) -> MatchRegistry {
    MatchRegistry::new(PlayerSettings {
        name: "shown".to_owned(),
        agent: "uct".parse::<Agent>().expect("it is an agent").into(),
        matches: 1,
        memory: 16 << 20,
        precompiled: None,
        native: false,
        folder: Some(folder.to_owned()),
        events: Events {
            json: false,
            observer: Some(Arc::new(LiveServing::new(feed))),
        },
    })
}

/// What a player answers.
fn say(registry: &MatchRegistry, text: &str) -> String {
    let message: GgpMessage = text.parse().expect("it is a message");
    registry.answer(message, Instant::now()).text
}

#[test]
fn a_player_on_the_network_shows_the_matches_that_it_plays() {
    let (feed, address) = feed();
    let mut page = Page::open(address).expect("a page may open");
    page.hear("live");
    let folder = tempfile::tempdir().expect("there is room");
    let registry = served(feed, folder.path());
    let (_, rules) = tictactoe();
    let say = |text: &str| say(&registry, text);
    assert_eq!(say(&format!("(START M.1 x ({rules}) 20 5)")), "ready");
    let first = say("(PLAY M.1 nil)");
    say(&format!("(PLAY m.1 ({first} noop))"));
    let mut board = page.hear("live_board");
    while board["rounds"] != 1 {
        board = page.hear("live_board");
    }
    assert_eq!(
        board["players"][0],
        json!({"role": "x", "name": "uct", "late": 0, "illegal": 0})
    );
    assert_eq!(board["players"][1]["name"], "?");
    assert_eq!(board["led_by"][0]["text"], json!(first));
    say("(ABORT M.1)");
    while board["ending"] != "aborted" {
        board = page.hear("live_board");
    }
}

/// Terms grow without end, so that no other engine can play it.
#[test]
fn matches_on_the_reference_engine_are_shown() {
    let (feed, address) = feed();
    let mut page = Page::open(address).expect("a page may open");
    page.hear("live");
    let folder = tempfile::tempdir().expect("there is room");
    let registry = served(feed, folder.path());
    let rules = "(role a) (init (count zero)) (legal a go) (goal a 100)
        (<= (next (count (after ?n))) (true (count ?n)))
        (<= (legal a stop) (true (count (after (after (after ?n))))))
        (<= (next done) (does a stop))
        (<= terminal (true done))";
    let start = format!("(START grows a ({rules}) 10 5)");
    assert_eq!(say(&registry, &start), "ready");
    let board = page.hear("live_board");
    assert_eq!(board["rounds"], 0, "{board}");
    assert_eq!(say(&registry, "(PLAY grows nil)"), "go");
    say(&registry, "(PLAY grows (go))");
    let mut board = page.hear("live_board");
    while board["rounds"] != 1 {
        board = page.hear("live_board");
    }
    assert_eq!(board["led_by"][0]["text"], "go");
    let picture = board["picture"].as_str().expect("there is one");
    assert!(picture.contains("after"), "{picture}");
    say(&registry, "(ABORT grows)");
}

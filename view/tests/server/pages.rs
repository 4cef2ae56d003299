//! Pages that play: what they may ask for, and what they are told.

use serde_json::json;

use super::*;

#[test]
fn requests_under_foreign_names_are_refused() {
    let address = serve(Limits::default());
    let own = address.to_string();
    let fine = get(address, "/", &own, "");
    assert!(fine.starts_with("HTTP/1.1 200"), "{fine}");
    assert!(
        fine.contains("content-security-policy: default-src 'none'"),
        "{fine}"
    );
    for (host, further) in [
        ("evil.example", ""),
        (&own[..], "Origin: http://evil.example\r\n"),
        (&own[..], "Origin: null\r\n"),
    ] {
        let refused = get(address, "/page.js", host, further);
        assert!(
            refused.starts_with("HTTP/1.1 403"),
            "{host} {further}: {refused}"
        );
    }
}

#[test]
fn only_the_files_of_the_page_are_served() {
    let address = serve(Limits::default());
    let own = address.to_string();
    assert!(get(address, "/page.css", &own, "").contains("text/css"));
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/Cargo.toml",
        "/etc/passwd",
        "/replay/x",
    ] {
        let missing = get(address, path, &own, "");
        assert!(missing.starts_with("HTTP/1.1 404"), "{path}: {missing}");
    }
}

#[test]
fn a_page_opens_a_game_and_plays_it() {
    let mut page = Page::open(serve(Limits::default())).expect("a page may open");
    let library = page.hear("library");
    assert!(
        library["entries"]
            .as_array()
            .is_some_and(|entries| entries.len() > 10)
    );
    page.say(&json!({"do": "open", "name": "tictactoe"}));
    assert_eq!(page.hear("opened")["roles"], json!(["x", "o"]));
    let position = page.hear("position");
    assert_eq!(position["counts"], json!([9, 1]));
    assert_eq!(position["asked"], json!([true, false]));
    assert!(
        position["picture"]
            .as_str()
            .is_some_and(|svg| svg.starts_with("<svg"))
    );
    assert!(
        position["legal"][0][4]["cells"]
            .as_array()
            .is_some_and(|cells| cells.len() == 1)
    );

    page.say(
        &json!({"do": "start", "players": [{"kind": "person"}, {"kind": "agent", "agent": "uct"}],
        "seconds": 0.05, "start_seconds": 0}),
    );
    page.hear("position");
    page.say(&json!({"do": "move", "role": 0, "index": 4}));
    while page.hear("position")["round"] != 2 {}
    page.say(&json!({"do": "move", "role": 0, "index": 99}));
    assert_eq!(
        page.hear("failed")["message"],
        "this move cannot be made now"
    );
    page.say(&json!({"do": "take_back"}));
    while page.hear("position")["round"] != 0 {}
}

/// A record of tictactoe after this many rounds.
fn record(rounds: usize) -> Value {
    let moves = [
        ["(mark 1 1)", "noop"],
        ["noop", "(mark 2 2)"],
        ["(mark 1 2)", "noop"],
        ["noop", "(mark 3 3)"],
        ["(mark 1 3)", "noop"],
    ];
    let record = json!({"matchId": "tictactoe.1", "moves": moves[..rounds]});
    json!({"do": "open_record", "text": record.to_string()})
}

#[test]
fn a_record_is_replayed_in_the_game_that_it_names() {
    let mut page = Page::open(serve(Limits::default())).expect("a page may open");
    page.say(&json!({"do": "open", "name": "breakthrough"}));
    assert_eq!(page.hear("opened")["name"], "breakthrough");
    page.say(&record(5));
    assert_eq!(page.hear("opened")["name"], "tictactoe");
    assert_eq!(page.hear("position")["rounds"], 5);
}

#[test]
fn a_move_at_an_earlier_state_continues_the_match_from_there() {
    let mut page = Page::open(serve(Limits::default())).expect("a page may open");
    page.say(&json!({"do": "open", "name": "tictactoe"}));
    page.say(&record(5));
    while page.hear("position")["rounds"] != 5 {}
    page.say(&json!({"do": "go_to", "round": 2}));
    let earlier = page.hear("position");
    assert_eq!(earlier["round"], 2);
    // What cannot be done changes nothing.
    page.say(&json!({"do": "move", "role": 0, "index": 99}));
    page.hear("failed");
    let nonsense = json!({"kind": "agent", "agent": "nonsense"});
    page.say(&json!({"do": "players", "players": [nonsense, nonsense], "seconds": 1}));
    page.hear("failed");
    page.say(&json!({"do": "move", "role": 0, "index": 6}));
    let position = page.hear("position");
    assert_eq!(
        (&position["round"], &position["rounds"]),
        (&json!(3), &json!(3))
    );
    assert_eq!(
        position["led_by"][0]["text"],
        earlier["legal"][0][6]["text"]
    );
}

#[test]
fn what_is_not_a_request_is_refused_and_the_page_goes_on() {
    let mut page = Page::open(serve(Limits::default())).expect("a page may open");
    for odd in [
        json!("open"),
        json!({"do": "fly"}),
        json!({"do": "open"}),
        json!({"do": "open", "name": "../../etc/passwd"}),
        json!({"do": "move", "role": 0, "index": 0}),
        json!({"do": "open_record", "text": "not one"}),
        json!({"do": "open_text", "text": "(role"}),
    ] {
        page.say(&odd);
        assert!(page.hear("failed")["message"].is_string(), "{odd}");
    }
    page.say(&json!({"do": "check", "text": "(role player)", "version": 7}));
    let findings = page.hear("findings");
    assert_eq!(
        (&findings["version"], &findings["playable"]),
        (&json!(7), &json!(false))
    );
}

#[test]
fn agents_are_checked_and_bounded() {
    let mut page = Page::open(serve(Limits::default())).expect("a page may open");
    page.say(&json!({"do": "open", "name": "tictactoe"}));
    page.hear("opened");
    let no_file = "champion(net=no such file)";
    for agent in ["nonsense", "uct+threads(n=256)", "random", "", no_file] {
        page.say(&json!({"do": "analyse", "agents": [agent], "role": null}));
        assert!(page.hear("failed")["message"].is_string(), "{agent}");
    }
    page.say(&json!({"do": "analyse", "agents": ["uct+closed"], "role": 0}));
    while page.hear("analysis")["exhausted"] != true {}
}

#[test]
fn a_champion_goes_on_preparing_after_a_request() {
    let mut page = Page::open(serve(Limits::default())).expect("a page may open");
    page.say(&json!({"do": "open", "name": "breakthrough"}));
    page.hear("opened");
    let champion = json!({"kind": "agent", "agent": "champion"});
    let begun = Instant::now();
    page.say(
        &json!({"do": "start", "players": [champion, {"kind": "person"}],
        "seconds": 0.05, "start_seconds": 4}),
    );
    page.hear("position");
    for _ in 0..3 {
        std::thread::sleep(Duration::from_millis(100));
        page.say(&json!({"do": "go_to", "round": 0}));
        assert_eq!(page.hear("position")["round"], 0);
    }
    while page.hear("position")["round"] != 1 {}
    // It learns for more than half of the time, and then decides by what to play.
    assert!(
        begun.elapsed() > Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn the_tree_of_an_analysis_can_be_walked_in() {
    let mut page = Page::open(serve(Limits::default())).expect("a page may open");
    page.say(&json!({"do": "open", "name": "tictactoe"}));
    page.hear("opened");
    let tree = |open: Value| json!({"do": "tree", "index": 0, "open": open});
    page.say(&tree(json!([[]])));
    assert_eq!(page.hear("failed")["message"], "nothing is being analysed");
    page.say(&json!({"do": "analyse", "agents": ["uct+closed"], "role": 0}));
    while page.hear("analysis")["exhausted"] != true {}
    // The root, the middle taken, and a way that does not exist.
    page.say(&tree(json!([[], [[4, 0]], [[99, 0]]])));
    let told = page.hear("tree");
    assert_eq!(told["round"], 0);
    let nodes = told["nodes"].as_array().expect("they are listed");
    assert_eq!(nodes.len(), 2);
    let root = &nodes[0]["roles"][0];
    assert_eq!((&root["role"], &root["legal"]), (&json!(0), &json!(9)));
    let moves = root["moves"].as_array().expect("they are listed");
    assert!(moves.iter().any(|mv| mv["proven"] == true), "{root}");
    let replies = &nodes[1]["roles"][0];
    assert_eq!(
        (&replies["role"], &replies["legal"]),
        (&json!(1), &json!(8))
    );
    assert!(
        !replies["moves"]
            .as_array()
            .expect("they are listed")
            .is_empty()
    );

    page.say(&tree(json!(vec![Vec::<u64>::new(); 33])));
    assert!(page.hear("failed")["message"].is_string());
    page.say(&tree(json!([vec![[0, 0]; 33]])));
    assert!(page.hear("failed")["message"].is_string());
}

#[test]
fn the_tree_grows_while_it_is_open_and_shows_simultaneous_moves() {
    let mut page = Page::open(serve(Limits::default())).expect("a page may open");
    page.say(&json!({"do": "open", "name": "tron"}));
    page.hear("opened");
    page.say(&json!({"do": "analyse", "agents": ["uct"], "role": 0}));
    page.hear("analysis");
    page.say(&json!({"do": "tree", "index": 0, "open": [[]]}));
    let visits = |told: &Value| {
        let roles = told["nodes"][0]["roles"]
            .as_array()
            .expect("they are listed");
        assert_eq!(roles.len(), 2, "{told}");
        roles[0]["moves"][0]["visits"].as_u64().expect("a number")
    };
    let early = visits(&page.hear("tree"));
    assert!(visits(&page.hear("tree")) > early);
    page.say(&json!({"do": "move", "role": 0, "index": 0}));
    page.say(&json!({"do": "stop_analysis"}));
}

#[test]
fn pages_and_messages_are_bounded() {
    let address = serve(Limits {
        pages: 2,
        message: 1000,
        ..Limits::default()
    });
    let (first, second) = (Page::open(address), Page::open(address));
    let mut first = first.expect("a page may open");
    assert!(second.is_ok());
    let refused = Page::open(address).err().unwrap_or_default();
    assert!(refused.contains("503"), "{refused}");
    first.say(&json!({"do": "check", "text": "(".repeat(2000), "version": 1}));
    let closed = std::iter::repeat_with(|| first.0.read())
        .take(10)
        .any(|read| read.is_err());
    assert!(closed, "a message that is too large ends the connection");
    // Its place is free again.
    let deadline = Instant::now() + PATIENCE;
    while Page::open(address).is_err() {
        assert!(
            Instant::now() < deadline,
            "the place of a page that is gone stays taken"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Hears the values of states until these have one.
fn hear_values(page: &mut Page, rounds: std::ops::Range<usize>) {
    let mut unvalued: Vec<usize> = rounds.collect();
    while !unvalued.is_empty() {
        let history = page.hear("history");
        let from = history["from"].as_u64().unwrap_or(0) as usize;
        let values = history["values"].as_array().expect("they are listed");
        let is_valued = |round: usize| {
            let state = round.checked_sub(from).and_then(|index| values.get(index));
            let roles = state.and_then(Value::as_array);
            roles.is_some_and(|roles| roles.iter().any(Value::is_number))
        };
        unvalued.retain(|&round| !is_valued(round));
    }
}

#[test]
fn every_state_is_valued_while_an_analysis_goes_on() {
    let mut page = Page::open(serve(Limits::default())).expect("a page may open");
    page.say(&json!({"do": "open", "name": "tictactoe"}));
    page.say(&record(4));
    while page.hear("position")["rounds"] != 4 {}
    page.say(&json!({"do": "analyse", "agents": ["uct"], "role": null}));
    page.say(&json!({"do": "evaluate", "seconds": 0.02}));
    hear_values(&mut page, 0..5);
}

#[test]
fn the_first_state_of_a_match_is_valued() {
    let mut page = Page::open(serve(Limits::default())).expect("a page may open");
    page.say(&json!({"do": "open", "name": "breakthrough"}));
    page.hear("position");
    page.say(&json!({"do": "evaluate", "seconds": 0.02}));
    hear_values(&mut page, 0..1);
}

#[test]
fn a_role_that_cannot_move_is_named() {
    let rules = "(role left) (role right) (init (step 1)) (init (step 2))
        (<= (legal left go) (true (step 1))) (<= (legal right go) (true (step 2)))
        (<= (next (step 1)) (true (step 1))) (<= terminal (true (step 3)))
        (goal left 0) (goal right 0)";
    let mut page = Page::open(serve(Limits::default())).expect("a page may open");
    page.say(&json!({"do": "open_text", "text": rules}));
    assert_eq!(page.hear("position")["note"], Value::Null);
    // Single moves are made at once.
    let position = page.hear("position");
    assert_eq!(position["asked"], json!([false, false]));
    let note = position["note"].as_str().unwrap_or_default();
    assert!(note.contains("right has no legal move"), "{position}");
}

#[test]
fn the_simulations_of_a_search_add_up() {
    let mut page = Page::open(serve(Limits::default())).expect("a page may open");
    page.say(&json!({"do": "open", "name": "breakthrough"}));
    page.hear("position");
    let players = [
        json!({"kind": "agent", "agent": "uct"}),
        json!({"kind": "person"}),
    ];
    page.say(&json!({"do": "start", "players": players, "seconds": 1, "start_seconds": 0}));
    page.hear("position");
    let mut known = 0;
    while let Some(event) = page.next().filter(|event| event["is"] != "position") {
        let simulations = event["simulations"].as_u64();
        assert!(
            simulations.is_none_or(|simulations| simulations >= known),
            "{event} after {known}"
        );
        known = simulations.unwrap_or(known);
    }
    assert!(known > 0);
}

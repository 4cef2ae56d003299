//! The server, asked by hand: what it refuses, and what it says.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use gdl_view::{GameLibrary, Limits, ViewServer};
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket, client};

/// How long something may take that takes a moment on an idle machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Starts a server that runs until the tests end.
fn serve(limits: Limits) -> SocketAddr {
    let library = GameLibrary::new(&[]).expect("there are no files to read");
    let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
    let server = ViewServer::bind(any_port, library, limits).expect("a port is free");
    let address = server.address();
    std::thread::spawn(|| server.run());
    address
}

/// The response to a request with these headers, head and body.
fn get(address: SocketAddr, path: &str, host: &str, further: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{further}\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("it answers");
    response
}

/// The websocket of a page.
struct Page(WebSocket<TcpStream>);

impl Page {
    fn open(address: SocketAddr) -> Result<Self, String> {
        let stream = TcpStream::connect(address).map_err(|error| error.to_string())?;
        stream
            .set_read_timeout(Some(PATIENCE))
            .expect("a timeout can be set");
        let url = format!("ws://{address}/session");
        match client(url, stream) {
            Ok((socket, _)) => Ok(Self(socket)),
            Err(error) => Err(error.to_string()),
        }
    }

    fn say(&mut self, request: &Value) {
        let text = request.to_string();
        self.0.send(Message::text(text)).expect("the server reads");
    }

    /// The next event of a kind; others are skipped.
    fn hear(&mut self, kind: &str) -> Value {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Message::Text(text) = self.0.read().expect("the server speaks") {
                let event: Value = serde_json::from_str(&text).expect("events are JSON");
                if event["is"] == kind {
                    return event;
                }
            }
        }
        panic!("no {kind} came");
    }
}

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
    for agent in ["nonsense", "uct+threads(n=256)", "random", ""] {
        page.say(&json!({"do": "analyse", "agents": [agent], "role": null}));
        assert!(page.hear("failed")["message"].is_string(), "{agent}");
    }
    page.say(&json!({"do": "analyse", "agents": ["uct+closed"], "role": 0}));
    while page.hear("analysis")["exhausted"] != true {}
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

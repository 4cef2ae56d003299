//! The server, asked by hand: what it refuses, and what it says.

mod live;
mod network_seats;
mod pages;

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use gdl_view::{GameLibrary, Limits, ViewServer};
use serde_json::Value;
use tungstenite::{Message, WebSocket, client};

/// How long something may take that takes a moment on an idle machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Starts a server that runs until the tests end.
fn serve(limits: Limits) -> SocketAddr {
    let library = GameLibrary::new(&[]).expect("there are no files to read");
    let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
    let server = ViewServer::bind(any_port, library, limits).expect("a port is free");
    run(server)
}

/// Runs a server until the tests end, and returns its address.
fn run(server: ViewServer) -> SocketAddr {
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

    /// The next event; `None` if the server has closed the connection.
    fn next(&mut self) -> Option<Value> {
        loop {
            if let Message::Text(text) = self.0.read().ok()? {
                return Some(serde_json::from_str(&text).expect("events are JSON"));
            }
        }
    }

    /// The next event of a kind; others are skipped.
    fn hear(&mut self, kind: &str) -> Value {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let event = self.next().expect("the server speaks");
            if event["is"] == kind {
                return event;
            }
        }
        panic!("no {kind} came");
    }
}

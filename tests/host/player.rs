//! Players that behave in a given manner, on ephemeral ports.

use gdl_engines::{EngineKind, EngineOptions};
use gdl_network::protocol::message::Message;
use gdl_runtime::engine::{Engine, State};
use gdl_runtime::kif;
use gdlc::source::Source;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// How a player answers requests for moves; it answers everything else properly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// With the first legal move, in an odd spelling.
    Good,
    /// After the host has stopped waiting.
    Late,
    /// With an illegal move.
    Illegal,
    /// By closing the connection, on every message but INFO.
    Drops,
    /// With bytes that are not HTTP.
    Garbage,
}

/// A player that listens on a thread of its own until the test ends.
pub struct Player {
    /// `http://127.0.0.1:PORT`.
    pub url: String,
    heard: Receiver<String>,
}

impl Player {
    /// Starts the player.
    pub fn new(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it listens");
        let (sender, heard) = mpsc::channel();
        std::thread::spawn(move || {
            let mut game = None;
            for stream in listener.incoming() {
                let stream = stream.expect("connections can be accepted");
                // This fails if the host has disconnected, which is not an error.
                let _ = answer(stream, manner, &mut game, &sender);
            }
        });
        Self {
            url: format!("http://{address}"),
            heard,
        }
    }

    /// All messages received so far.
    pub fn heard(&self) -> Vec<String> {
        self.heard.try_iter().collect()
    }

    /// Waits for a message with this beginning.
    pub fn wait_for(&self, start: &str) -> String {
        loop {
            let message = (self.heard.recv_timeout(Duration::from_secs(60)))
                .unwrap_or_else(|_| panic!("no {start} came"));
            if message.starts_with(start) {
                return message;
            }
        }
    }
}

/// The game that a player plays, from the rules that it received.
struct Game {
    engine: Box<dyn Engine>,
    state: State,
    role: usize,
}

impl Game {
    fn new(rules: &str, role: &str) -> Self {
        let source = Source::new("rules", rules);
        let engine = gdl_engines::load(&source, EngineKind::Reference, &EngineOptions::default())
            .unwrap_or_else(|error| panic!("{error:#}: {rules}"));
        Self {
            state: engine.initial(),
            role: (engine.roles().iter())
                .position(|name| name == role)
                .unwrap_or_else(|| panic!("there is no role {role}: {rules}")),
            engine,
        }
    }

    /// Makes a joint move, which has to be legal.
    fn advance(&mut self, moves: &[String]) {
        let legal = self.engine.examine(&self.state).legal;
        let joint = moves
            .iter()
            .zip(&legal)
            .enumerate()
            .map(|(role, (name, legal))| {
                let is_meant = |mv: &&_| {
                    kif::normalise(&self.engine.move_name(role, **mv)) == kif::normalise(name)
                };
                *legal
                    .iter()
                    .find(is_meant)
                    .unwrap_or_else(|| panic!("{name} is not legal"))
            });
        let joint: Vec<_> = joint.collect();
        self.state = self.engine.next(&self.state, &joint);
    }

    fn first_move(&mut self) -> String {
        let first = self.engine.examine(&self.state).legal[self.role][0];
        let name = self.engine.move_name(self.role, first);
        let spaced = name.replace('(', " ( ").replace(')', "\n)");
        spaced.to_uppercase()
    }
}

fn answer(
    mut stream: TcpStream,
    manner: Manner,
    game: &mut Option<Game>,
    heard: &Sender<String>,
) -> std::io::Result<()> {
    let text = read_body(&mut stream)?;
    // This fails if the test has ended, which is not an error.
    let _ = heard.send(text.clone());
    let message: Message = text.parse().expect("hosts write messages");
    let reply = match &message {
        Message::Info => format!("( ( name {manner:?} ) ( status available ) )"),
        _ if manner == Manner::Drops => return Ok(()),
        Message::Preview { .. } => "ready".to_owned(),
        Message::Start { rules, role, .. } => {
            *game = Some(Game::new(rules, role));
            "READY".to_owned()
        }
        Message::Play { moves, .. } => {
            let game = game.as_mut().expect("the match has begun");
            if let Some(moves) = moves {
                game.advance(moves);
            }
            match manner {
                Manner::Late => {
                    std::thread::sleep(Duration::from_millis(2500));
                    game.first_move()
                }
                Manner::Illegal => "(surely not\n legal)".to_owned(),
                Manner::Garbage => return stream.write_all(b"\xff\x00 what? ((((\r\n\r\n"),
                Manner::Good | Manner::Drops => game.first_move(),
            }
        }
        Message::Stop { .. } => "done".to_owned(),
        Message::Abort { .. } => "aborted".to_owned(),
    };
    let length = reply.len();
    write!(
        stream,
        "HTTP/1.0 200 OK\r\nContent-Length: {length}\r\n\r\n{reply}"
    )
}

fn read_body(stream: &mut TcpStream) -> std::io::Result<String> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut text = String::new();
    let mut piece = [0; 4096];
    loop {
        let length = stream.read(&mut piece)?;
        text += std::str::from_utf8(&piece[..length]).expect("hosts write UTF-8");
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let lines = head.lines().filter_map(|line| line.split_once(": "));
            let length = lines
                .filter(|(name, _)| *name == "Content-Length")
                .find_map(|(_, length)| length.parse::<usize>().ok())
                .expect("hosts say how long messages are");
            if body.len() >= length {
                return Ok(body.to_owned());
            }
        }
        assert_ne!(length, 0, "the message was cut short: {text}");
    }
}

//! A hosted player that is reached over the protocol.

use super::hosted_player::{HostedPlayer, MatchSetup, MoveRequest, PlayerAnswer, PlayerFault};
use super::scramble::Scramble;
use crate::protocol::client::{Address, AskError, ask, connect, post_on};
use crate::protocol::message::Message;
use gdl_runtime::kif::words;
use parking_lot::Mutex;
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The greatest length of a player's name, in characters; longer names are cut.
const LONGEST_NAME: usize = 60;

/// A remote player of a role in one match.
pub struct RemotePlayer {
    address: Address,
    /// The name of the player in requests.
    name: String,
    role: String,
    /// The words that the player sees in place of those of the rule sheet.
    words: Option<Arc<Scramble>>,
    pending: Mutex<PendingConnections>,
}

/// The connections on which a player is being asked.
#[derive(Default)]
struct PendingConnections {
    /// Whether the match was aborted, so that no answer is of use.
    is_aborted: bool,
    streams: Vec<Arc<TcpStream>>,
}

impl RemotePlayer {
    /// The player of a role at an address. If `words` are given, it sees them instead of
    /// those of the rule sheet.
    #[must_use]
    pub fn new(address: Address, name: &str, role: &str, words: Option<Arc<Scramble>>) -> Self {
        Self {
            address,
            name: name.to_owned(),
            role: role.to_owned(),
            words,
            pending: Mutex::default(),
        }
    }

    /// The name that a player reports, if it reports one.
    ///
    /// # Errors
    /// If the player does not answer.
    pub fn name(address: &Address, deadline: Instant) -> Result<Option<String>, AskError> {
        let answer = ask(address, "", &Message::Info, deadline)?;
        let mut words = words(&answer);
        words.find(|word| word.eq_ignore_ascii_case("name"));
        let letters = words.next().map(str::chars);
        let plain = letters.map(|letters| letters.filter(|letter| !letter.is_control()));
        Ok(plain.map(|letters| letters.take(LONGEST_NAME).collect()))
    }

    /// Asks the player, until the deadline or until the match is aborted.
    fn ask(&self, message: &Message, deadline: Instant) -> Result<String, PlayerFault> {
        let stream = Arc::new(connect(&self.address, deadline)?);
        {
            let mut pending = self.pending.lock();
            if pending.is_aborted {
                return Err(PlayerFault::Late);
            }
            pending.streams.push(Arc::clone(&stream));
        }
        let text = message.to_string();
        let answer = post_on(&stream, &self.address, &self.name, &text, deadline);
        let streams = &mut self.pending.lock().streams;
        streams.retain(|known| !Arc::ptr_eq(known, &stream));
        Ok(answer?)
    }

    /// Ends all calls that wait for an answer: a start clock may be long.
    fn give_up_waiting(&self) {
        let mut pending = self.pending.lock();
        pending.is_aborted = true;
        for stream in &pending.streams {
            // Fails if the player has closed the connection, which is as good.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Translates a text of the game into the words that the player sees.
    fn outward(&self, text: &str) -> String {
        match &self.words {
            Some(words) => words.scramble(text),
            None => text.to_owned(),
        }
    }

    /// Translates an answer of the player into the words of the game.
    fn inward(&self, text: String) -> String {
        match &self.words {
            Some(words) => words.restore(&text),
            None => text,
        }
    }

    fn moves(&self, moves: Option<&[String]>) -> Option<Vec<String>> {
        moves.map(|moves| moves.iter().map(|mv| self.outward(mv)).collect())
    }
}

impl HostedPlayer for RemotePlayer {
    fn preview(&self, setup: &MatchSetup, deadline: Instant) -> Result<(), PlayerFault> {
        let message = Message::Preview {
            rules: self.outward(&setup.rules),
            clock: Duration::from_secs(setup.clocks.preview.unwrap_or(0)),
        };
        self.ask(&message, deadline).map(drop)
    }

    fn start(&self, setup: &MatchSetup, deadline: Instant) -> Result<String, PlayerFault> {
        let message = Message::Start {
            id: setup.id.clone(),
            role: self.outward(&self.role),
            rules: self.outward(&setup.rules),
            start_clock: setup.clocks.start(),
            play_clock: setup.clocks.play(),
        };
        self.ask(&message, deadline)
    }

    fn play(
        &self,
        setup: &MatchSetup,
        request: &MoveRequest,
        deadline: Instant,
    ) -> Result<PlayerAnswer, PlayerFault> {
        let message = Message::Play {
            id: setup.id.clone(),
            moves: self.moves(request.moves.as_deref()),
        };
        let text = self.ask(&message, deadline)?;
        Ok(PlayerAnswer {
            text: self.inward(text),
            result: None,
        })
    }

    fn stop(
        &self,
        setup: &MatchSetup,
        moves: Option<&[String]>,
        deadline: Instant,
    ) -> Result<(), PlayerFault> {
        let message = Message::Stop {
            id: setup.id.clone(),
            moves: self.moves(moves),
        };
        self.ask(&message, deadline).map(drop)
    }

    fn abort(&self, setup: &MatchSetup, deadline: Instant) -> Result<(), PlayerFault> {
        let message = Message::Abort {
            id: setup.id.clone(),
        };
        let told = ask(&self.address, &self.name, &message, deadline);
        self.give_up_waiting();
        Ok(told.map(drop)?)
    }
}

impl From<AskError> for PlayerFault {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Timeout => Self::Late,
            AskError::Connection(why) => Self::Connection(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::http::{Request, RequestLimits, read_request, reply};
    use crate::protocol::{ClockSeconds, Clocks};
    use gdl_agent::shared_engine::SharedEngine;
    use gdl_engines::load_builtin;
    use gdl_runtime::lanes::Width;
    use std::net::{Ipv4Addr, TcpListener};
    use std::sync::mpsc::channel;
    use std::thread;

    const PATIENCE: Duration = Duration::from_secs(60);

    fn setup() -> MatchSetup {
        let engine = load_builtin("tictactoe", Width::widest()).expect("it is built in");
        MatchSetup {
            id: "m".to_owned(),
            rules: "(role x)".to_owned(),
            engine: SharedEngine::new(Box::new(engine)),
            clocks: Clocks {
                preview: None,
                start: ClockSeconds::whole(3600),
                play: ClockSeconds::whole(1),
            },
        }
    }

    #[test]
    fn nobody_waits_for_a_start_clock_after_an_abort() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let address = listener.local_addr().expect("it has one").to_string();
        let hear = || {
            let (stream, _) = listener.accept().expect("a connection arrives");
            let limits = RequestLimits::default();
            let request = read_request(&stream, &limits, Instant::now() + PATIENCE);
            (stream, request.expect("it is sound"))
        };
        let address = address.parse().expect("it is one");
        let player = Arc::new(RemotePlayer::new(address, "", "x", None));
        let (setup, asked) = (Arc::new(setup()), Arc::clone(&player));
        let (answered, answers) = channel();
        let (waiting, hour) = (Arc::clone(&setup), Duration::from_secs(3600));
        thread::spawn(move || answered.send(asked.start(&waiting, Instant::now() + hour)));
        let (_unanswered, _) = hear();
        thread::scope(|scope| {
            let aborted = scope.spawn(|| player.abort(&setup, Instant::now() + PATIENCE));
            let (stream, told) = hear();
            assert_eq!(told, Request::Message("( ABORT m )".to_owned()));
            reply(&stream, "aborted", Instant::now() + PATIENCE).expect("it is read");
            assert_eq!(aborted.join().expect("no panic"), Ok(()));
        });
        let answer = answers.recv_timeout(PATIENCE).expect("it does not wait");
        assert!(
            matches!(answer, Err(PlayerFault::Connection(_))),
            "{answer:?}"
        );
        let late = player.start(&setup, Instant::now() + hour);
        assert_eq!(late, Err(PlayerFault::Late));
    }
}

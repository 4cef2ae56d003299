//! A hosted player that is reached over the protocol.

use super::hosted_player::{HostedPlayer, MatchSetup, MoveRequest, PlayerAnswer, PlayerFault};
use super::scramble::Scramble;
use crate::protocol::client::{Address, AskError, ask};
use crate::protocol::message::Message;
use gdl_runtime::kif::words;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The greatest length of a player's name, in characters; longer names are cut.
const LONGEST_NAME: usize = 60;

/// A remote player of a role.
pub struct RemotePlayer {
    address: Address,
    /// The name of the player in requests.
    name: String,
    role: String,
    /// The words that the player sees in place of those of the rule sheet.
    words: Option<Arc<Scramble>>,
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

    fn ask(&self, message: &Message, deadline: Instant) -> Result<String, PlayerFault> {
        ask(&self.address, &self.name, message, deadline).map_err(|error| match error {
            AskError::Timeout => PlayerFault::Late,
            AskError::Connection(why) => PlayerFault::Connection(why),
        })
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
        self.ask(&message, deadline).map(drop)
    }
}

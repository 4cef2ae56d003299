//! A match with the player under test in one role; the moves of the other roles are
//! made up here.

use super::CheckResult;
use super::tested_player::{GRACE, PROMPT, TestedPlayer, excerpt};
use crate::protocol::message::Message;
use gdl_engines::{EngineKind, EngineOptions};
use gdl_runtime::engine::{Engine, Move, Role, State};
use gdl_runtime::moves::{find_move, joint_move_names};
use gdlc::source::Source;
use std::time::{Duration, Instant};

/// A host's way of writing messages: maps the plain text to the text that is sent.
pub type Spelling = fn(&str) -> String;

/// A match in progress. It is aborted if dropped before its end, so that players that
/// play one match at a time are free for the next.
pub struct Session<'a> {
    player: &'a TestedPlayer,
    /// The name of the match.
    pub id: String,
    engine: Box<dyn Engine>,
    role: Role,
    state: State,
    /// The moves of the last round.
    last: Option<Vec<String>>,
    rounds: usize,
    spelling: Spelling,
    /// The longest time that the player took for a move.
    pub slowest: Duration,
    is_over: bool,
}

impl<'a> Session<'a> {
    /// Starts a match, for which the player must report that it is ready.
    pub fn start(player: &'a TestedPlayer, rules: &str, role: Role) -> Result<Self, String> {
        Self::start_spelled(player, rules, role, str::to_owned)
    }

    /// Starts a match all of whose messages are spelled in the given way.
    pub fn start_spelled(
        player: &'a TestedPlayer,
        rules: &str,
        role: Role,
        spelling: Spelling,
    ) -> Result<Self, String> {
        let source = Source::new("compliance", rules);
        let engine = gdl_engines::load(&source, EngineKind::Reference, &EngineOptions::default())
            .map_err(|error| format!("{error:#}"))?;
        let session = Self {
            player,
            id: player.new_id(),
            role,
            state: engine.initial(),
            engine,
            last: None,
            rounds: 0,
            spelling,
            slowest: Duration::ZERO,
            is_over: false,
        };
        let start = start_message(player, &session.id, &session.engine.roles()[role], rules);
        player.answers(&spelling(&start), player.clock(), &["ready"])?;
        Ok(session)
    }

    /// Requests a move, which must be legal; returns whether the game goes on.
    pub fn play(&mut self) -> Result<bool, String> {
        let message = Message::Play {
            id: self.id.clone(),
            moves: self.last.clone(),
        };
        self.play_by(&message.to_string())
    }

    /// Requests a move by a message that should be understood as PLAY.
    pub fn play_by(&mut self, message: &str) -> Result<bool, String> {
        let began = Instant::now();
        let reply = (self.player).ask(&(self.spelling)(message), self.player.clock() + GRACE);
        self.slowest = self.slowest.max(began.elapsed());
        let reply = reply.map_err(|error| format!("PLAY: {error}"))?;
        let joint = self.joint(&reply)?;
        self.last = Some(joint_move_names(&*self.engine, &joint));
        self.state = self.engine.next(&self.state, &joint);
        self.rounds += 1;
        Ok(!self.engine.examine(&self.state).terminal)
    }

    /// The joint move: the player's reply and made-up moves of the other roles.
    fn joint(&mut self, reply: &str) -> Result<Vec<Move>, String> {
        let legal = self.engine.examine(&self.state).legal;
        let own = find_move(&*self.engine, self.role, &legal[self.role], reply);
        let own = own.ok_or_else(|| format!("PLAY: {} is not a legal move", excerpt(reply)))?;
        let moves = legal.iter().enumerate();
        let others = |(role, moves): (Role, &Vec<Move>)| match role {
            _ if role == self.role => own,
            _ => moves[(7 * self.rounds + role) % moves.len()],
        };
        Ok(moves.map(others).collect())
    }

    /// Plays to the end and sends STOP; returns the longest time for a move.
    pub fn finish(mut self) -> Result<Duration, String> {
        while self.play()? {}
        self.stop()?;
        Ok(self.slowest)
    }

    /// Sends STOP, whether or not the game is over.
    pub fn stop(&mut self) -> CheckResult {
        let message = Message::Stop {
            id: self.id.clone(),
            moves: self.last.clone(),
        };
        self.is_over = true;
        let message = (self.spelling)(&message.to_string());
        (self.player).answers(&message, self.player.clock(), &["done"])
    }

    /// Sends ABORT.
    pub fn abort(&mut self) -> CheckResult {
        self.is_over = true;
        let message = (self.spelling)(&format!("( ABORT {} )", self.id));
        self.player.answers(&message, PROMPT, &["aborted"])
    }

    /// The START message of this match, to be sent once more.
    pub fn start_again(&self, rules: &str) -> String {
        start_message(
            self.player,
            &self.id,
            &self.engine.roles()[self.role],
            rules,
        )
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            // The result of the check does not depend on this.
            let _ = self.abort();
        }
    }
}

/// The START message of a match.
pub fn start_message(player: &TestedPlayer, id: &str, role: &str, rules: &str) -> String {
    let message = Message::Start {
        id: id.to_owned(),
        role: role.to_owned(),
        rules: rules.to_owned(),
        start_clock: player.clock(),
        play_clock: player.clock(),
    };
    message.to_string()
}

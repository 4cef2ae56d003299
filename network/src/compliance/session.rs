//! A match with the player at one role; the others' moves are made up here.

use super::CheckResult;
use super::tested_player::{GRACE, PROMPT, TestedPlayer, excerpt};
use crate::protocol::message::Message;
use gdl_engines::{EngineKind, EngineOptions};
use gdl_runtime::engine::{Engine, Move, Role, State};
use gdl_runtime::kif::normalise;
use gdlc::source::Source;
use std::time::{Duration, Instant};

/// How a host writes messages: from the plain text to what is sent.
pub type Spelling = fn(&str) -> String;

/// A match under way. One that is dropped unfinished is aborted, so that players
/// that play one at a time are free for the next.
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
    /// The longest that the player took for a move.
    pub slowest: Duration,
    is_over: bool,
}

impl<'a> Session<'a> {
    /// Begins a match, to which the player must be ready.
    pub fn start(player: &'a TestedPlayer, rules: &str, role: Role) -> Result<Self, String> {
        Self::start_spelled(player, rules, role, str::to_owned)
    }

    /// Begins a match all of whose messages are spelled in some way.
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

    /// Asks for a move, which must be legal; gives whether the game goes on.
    pub fn play(&mut self) -> Result<bool, String> {
        let message = Message::Play {
            id: self.id.clone(),
            moves: self.last.clone(),
        };
        self.play_by(&message.to_string())
    }

    /// Asks for a move by a message that should be understood as PLAY.
    pub fn play_by(&mut self, message: &str) -> Result<bool, String> {
        let began = Instant::now();
        let reply = (self.player).ask(&(self.spelling)(message), self.player.clock() + GRACE);
        self.slowest = self.slowest.max(began.elapsed());
        let reply = reply.map_err(|error| format!("PLAY: {error}"))?;
        let joint = self.joint(&reply)?;
        let names = joint.iter().enumerate();
        let names = names.map(|(role, &mv)| self.engine.move_name(role, mv));
        self.last = Some(names.collect());
        self.state = self.engine.next(&self.state, &joint);
        self.rounds += 1;
        Ok(!self.engine.examine(&self.state).terminal)
    }

    /// The player's move and everybody else's.
    fn joint(&mut self, reply: &str) -> Result<Vec<Move>, String> {
        let legal = self.engine.examine(&self.state).legal;
        let wanted = normalise(reply);
        let is_wanted = |mv: &&Move| normalise(&self.engine.move_name(self.role, **mv)) == wanted;
        let own = legal[self.role].iter().find(is_wanted);
        let own = *own.ok_or_else(|| format!("PLAY: {} is no legal move", excerpt(reply)))?;
        let moves = legal.iter().enumerate();
        let others = |(role, moves): (Role, &Vec<Move>)| match role {
            _ if role == self.role => own,
            _ => moves[(7 * self.rounds + role) % moves.len()],
        };
        Ok(moves.map(others).collect())
    }

    /// Plays to the end and says STOP.
    pub fn finish(mut self) -> Result<Duration, String> {
        while self.play()? {}
        self.stop()?;
        Ok(self.slowest)
    }

    /// Ends the match, whether or not the game is over.
    pub fn stop(&mut self) -> CheckResult {
        let message = Message::Stop {
            id: self.id.clone(),
            moves: self.last.clone(),
        };
        self.is_over = true;
        let message = (self.spelling)(&message.to_string());
        (self.player).answers(&message, self.player.clock(), &["done"])
    }

    /// Ends the match without a result.
    pub fn abort(&mut self) -> CheckResult {
        self.is_over = true;
        let message = (self.spelling)(&format!("( ABORT {} )", self.id));
        self.player.answers(&message, PROMPT, &["aborted"])
    }

    /// The START of this match once more.
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
            // What matters was found out before.
            let _ = self.abort();
        }
    }
}

/// The START of a match.
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

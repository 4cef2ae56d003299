//! The handle of a match: passes commands to the actor of the match, and holds a
//! fallback move.
//!
//! The actor may be busy with one step of a slow engine when the time for a move is
//! up. The handle therefore always holds the best move known so far, and a connection
//! that has waited long enough answers with it.

use parking_lot::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use gdl_engines::EngineKind;
use gdl_runtime::engine::Engine;

/// A command to the actor of a match.
pub enum MatchCommand {
    /// An engine is ready.
    Engine(Box<dyn Engine>, EngineKind),
    /// The rules cannot be played, for this reason.
    Unplayable(String),
    /// The search thread has finished the task of this number.
    Finished(u64),
    /// The host expects an answer.
    Ask(HostRequest),
    /// The match is to end.
    End(MatchEnd),
}

/// A request of the host, its deadline, and where to send the answer.
pub struct HostRequest {
    pub kind: RequestKind,
    pub deadline: Instant,
    pub reply: Sender<MatchAnswer>,
}

/// The kinds of requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestKind {
    /// Get ready for the match.
    Start,
    /// Choose a move, after these moves of the last round.
    Play(Option<Vec<String>>),
}

/// The answer of a match to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MatchAnswer {
    /// The match can begin.
    Ready,
    /// The move to play, as KIF.
    Move(String),
    /// The rules cannot be played.
    Unplayable,
    /// The reported moves of the last round are impossible.
    Impossible,
}

/// The reason why a match ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MatchEnd {
    /// The host stopped it after these moves.
    Stopped(Option<Vec<String>>),
    /// The host aborted it.
    Aborted,
    /// The player shuts down.
    Leaving,
    /// The host has sent nothing for too long.
    Silence,
}

/// A move to play if the actor does not answer in time.
struct FallbackMove {
    /// The number of rounds before the state that it is for.
    round: usize,
    mv: String,
}

/// The handle of a match.
pub struct MatchHandle {
    commands: Mutex<Sender<MatchCommand>>,
    fallback: Mutex<Option<FallbackMove>>,
}

impl MatchHandle {
    /// A handle, and the inbox of its actor.
    pub fn new() -> (Self, Receiver<MatchCommand>) {
        let (commands, inbox) = channel();
        let handle = Self {
            commands: Mutex::new(commands),
            fallback: Mutex::default(),
        };
        (handle, inbox)
    }

    /// Sends a command to the match; returns whether the match still runs.
    pub fn send(&self, command: MatchCommand) -> bool {
        self.commands.lock().send(command).is_ok()
    }

    /// Sends a request and waits for the answer; `None` if there is none before the
    /// deadline.
    pub fn ask(&self, kind: RequestKind, deadline: Instant) -> Option<MatchAnswer> {
        let (reply, answers) = channel();
        let asked = self.send(MatchCommand::Ask(HostRequest {
            kind,
            deadline,
            reply,
        }));
        if !asked {
            return None;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        answers.recv_timeout(left).ok()
    }

    /// The number of rounds before the state of the fallback move, if there is one.
    pub fn fallback_round(&self) -> Option<usize> {
        self.fallback.lock().as_ref().map(|fallback| fallback.round)
    }

    /// The move to play if there is no answer, unless it is for the state after `past` rounds
    /// or an earlier one.
    pub fn fallback_after(&self, past: Option<usize>) -> Option<String> {
        let fallback = self.fallback.lock();
        let current = fallback
            .as_ref()
            .filter(|fallback| Some(fallback.round) > past);
        current.map(|fallback| fallback.mv.clone())
    }

    /// Sets the fallback move after `round` rounds, unless there is one for that round
    /// or a later one.
    pub fn offer_fallback(&self, round: usize, mv: String) {
        let mut fallback = self.fallback.lock();
        if fallback
            .as_ref()
            .is_none_or(|fallback| fallback.round < round)
        {
            *fallback = Some(FallbackMove { round, mv });
        }
    }

    /// Sets the fallback move after `round` rounds to one that was found by searching,
    /// unless there is one for a later round.
    pub fn update_fallback(&self, round: usize, mv: String) {
        let mut fallback = self.fallback.lock();
        if fallback
            .as_ref()
            .is_none_or(|fallback| fallback.round <= round)
        {
            *fallback = Some(FallbackMove { round, mv });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_found_move_remains_until_the_next_round() {
        let (handle, _inbox) = MatchHandle::new();
        let put = |round, mv: &str, found| {
            match found {
                true => handle.update_fallback(round, mv.to_owned()),
                false => handle.offer_fallback(round, mv.to_owned()),
            }
            handle.fallback_after(None).unwrap_or_default()
        };
        assert_eq!(handle.fallback_after(None), None);
        assert_eq!(put(0, "first", false), "first");
        assert_eq!(put(0, "found", true), "found");
        assert_eq!(put(0, "first", false), "found");
        assert_eq!(put(0, "better", true), "better");
        assert_eq!(put(1, "next", false), "next");
        assert_eq!(put(0, "late", true), "next");
        assert_eq!(handle.fallback_after(Some(0)).as_deref(), Some("next"));
        assert_eq!(handle.fallback_after(handle.fallback_round()), None);
    }
}

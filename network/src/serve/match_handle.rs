//! A match as others see it: where to put a host's messages, and what to answer if
//! nobody does so in time.
//!
//! The actor of a match may be busy with one step of a slow engine when its time
//! is up. So a move is kept here at all times, the best one that is known, and a
//! connection that has waited long enough answers by itself.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use gdl_engines::engines::EngineKind;
use gdl_runtime::engine::Engine;

/// What a match is told.
pub enum MatchCommand {
    /// An engine is ready.
    Engine(Box<dyn Engine>, EngineKind),
    /// There will be no engine.
    Unplayable(String),
    /// The searcher has finished with the task of this number.
    Finished(u64),
    /// The host wants an answer.
    Ask(HostRequest),
    /// The match is to end: somebody said so.
    End(MatchEnd),
}

/// What the host wants to know, by when, and where to say it.
pub struct HostRequest {
    pub about: RequestKind,
    pub deadline: Instant,
    pub reply: Sender<MatchAnswer>,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestKind {
    /// Whether the match can begin.
    Start,
    /// The next move, after these of the last round.
    Play(Option<Vec<String>>),
}

/// What is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MatchAnswer {
    Ready,
    Move(String),
    /// The rules cannot be played.
    Unplayable,
    /// The moves of the last round cannot have been made.
    Impossible,
}

/// Why a match ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MatchEnd {
    /// The host stopped it after these moves; said when all is done.
    Stopped(Option<Vec<String>>),
    /// The host gave it up.
    Aborted,
    /// The player leaves.
    Leaving,
    /// Nothing was heard of the host for long.
    Silence,
}

/// A move that was put by.
struct FallbackMove {
    /// In the state after so many rounds.
    round: usize,
    mv: String,
}

/// A match under way.
pub struct MatchHandle {
    commands: Mutex<Sender<MatchCommand>>,
    /// What to play, as far as anybody knows.
    fallback: Mutex<Option<FallbackMove>>,
}

impl MatchHandle {
    /// A match and what its thread listens to.
    pub fn new() -> (Self, Receiver<MatchCommand>) {
        let (commands, inbox) = channel();
        let handle = Self {
            commands: Mutex::new(commands),
            fallback: Mutex::default(),
        };
        (handle, inbox)
    }

    /// Tells the match something; false if it has ended.
    pub fn tell(&self, command: MatchCommand) -> bool {
        lock(&self.commands).send(command).is_ok()
    }

    /// Asks, and waits for the answer until the deadline; none if there was none.
    pub fn ask(&self, about: RequestKind, deadline: Instant) -> Option<MatchAnswer> {
        let (reply, answers) = channel();
        let asked = self.tell(MatchCommand::Ask(HostRequest {
            about,
            deadline,
            reply,
        }));
        if !asked {
            return None;
        }
        let left = deadline.saturating_duration_since(Instant::now());
        answers.recv_timeout(left).ok()
    }

    /// What to play if there is no answer.
    pub fn fallback(&self) -> Option<String> {
        lock(&self.fallback)
            .as_ref()
            .map(|fallback| fallback.mv.clone())
    }

    /// After so many rounds this is better than nothing.
    pub fn keep_fallback(&self, round: usize, mv: String) {
        let mut fallback = lock(&self.fallback);
        if fallback
            .as_ref()
            .is_none_or(|fallback| fallback.round < round)
        {
            *fallback = Some(FallbackMove { round, mv });
        }
    }

    /// After so many rounds this is what was found.
    pub fn keep_found(&self, round: usize, mv: String) {
        let mut fallback = lock(&self.fallback);
        if fallback
            .as_ref()
            .is_none_or(|fallback| fallback.round <= round)
        {
            *fallback = Some(FallbackMove { round, mv });
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_counts_until_the_next_round() {
        let (handle, _inbox) = MatchHandle::new();
        let put = |round, mv: &str, found| {
            match found {
                true => handle.keep_found(round, mv.to_owned()),
                false => handle.keep_fallback(round, mv.to_owned()),
            }
            handle.fallback().unwrap_or_default()
        };
        assert_eq!(handle.fallback(), None);
        assert_eq!(put(0, "first", false), "first");
        assert_eq!(put(0, "found", true), "found");
        assert_eq!(put(0, "first", false), "found");
        assert_eq!(put(0, "better", true), "better");
        assert_eq!(put(1, "next", false), "next");
        assert_eq!(put(0, "late", true), "next");
    }
}

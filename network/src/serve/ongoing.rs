//! A match as others see it: where to put a host's messages, and what to answer if
//! nobody does so in time.
//!
//! The referee of a match may be busy with one step of a slow engine when its time
//! is up. So a move is kept here at all times, the best one that is known, and a
//! connection that has waited long enough answers by itself.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use gdl_engines::engines::EngineKind;
use gdl_runtime::engine::Engine;

/// What a match is told.
pub enum Command {
    /// An engine is ready.
    Engine(Box<dyn Engine>, EngineKind),
    /// There will be no engine.
    Unplayable(String),
    /// The searcher has finished with the task of this number.
    Finished(u64),
    /// The host wants an answer.
    Ask(Question),
    /// The match is to end: somebody said so.
    End(End),
}

/// What the host wants to know, by when, and where to say it.
pub struct Question {
    pub about: About,
    pub deadline: Instant,
    pub reply: Sender<Answer>,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// Whether the match can begin.
    Start,
    /// The next move, after these of the last round.
    Play(Option<Vec<String>>),
}

/// What is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Ready,
    Move(String),
    /// The rules cannot be played.
    Unplayable,
    /// The moves of the last round cannot have been made.
    Impossible,
}

/// Why a match ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
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
struct Spare {
    /// In the state after so many rounds.
    round: usize,
    mv: String,
}

/// A match under way.
pub struct Ongoing {
    commands: Mutex<Sender<Command>>,
    /// What to play, as far as anybody knows.
    spare: Mutex<Option<Spare>>,
}

impl Ongoing {
    /// A match and what its thread listens to.
    pub fn new() -> (Self, Receiver<Command>) {
        let (commands, inbox) = channel();
        let ongoing = Self {
            commands: Mutex::new(commands),
            spare: Mutex::default(),
        };
        (ongoing, inbox)
    }

    /// Tells the match something; false if it has ended.
    pub fn tell(&self, command: Command) -> bool {
        lock(&self.commands).send(command).is_ok()
    }

    /// Asks, and waits for the answer until the deadline; none if there was none.
    pub fn ask(&self, about: About, deadline: Instant) -> Option<Answer> {
        let (reply, answers) = channel();
        let asked = self.tell(Command::Ask(Question {
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
    pub fn spare(&self) -> Option<String> {
        lock(&self.spare).as_ref().map(|spare| spare.mv.clone())
    }

    /// After so many rounds this is better than nothing.
    pub fn keep_spare(&self, round: usize, mv: String) {
        let mut spare = lock(&self.spare);
        if spare.as_ref().is_none_or(|spare| spare.round < round) {
            *spare = Some(Spare { round, mv });
        }
    }

    /// After so many rounds this is what was found.
    pub fn keep_found(&self, round: usize, mv: String) {
        let mut spare = lock(&self.spare);
        if spare.as_ref().is_none_or(|spare| spare.round <= round) {
            *spare = Some(Spare { round, mv });
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
        let (ongoing, _inbox) = Ongoing::new();
        let put = |round, mv: &str, found| {
            match found {
                true => ongoing.keep_found(round, mv.to_owned()),
                false => ongoing.keep_spare(round, mv.to_owned()),
            }
            ongoing.spare().unwrap_or_default()
        };
        assert_eq!(ongoing.spare(), None);
        assert_eq!(put(0, "first", false), "first");
        assert_eq!(put(0, "found", true), "found");
        assert_eq!(put(0, "first", false), "found");
        assert_eq!(put(0, "better", true), "better");
        assert_eq!(put(1, "next", false), "next");
        assert_eq!(put(0, "late", true), "next");
    }
}

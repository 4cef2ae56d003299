//! Asking all seats at the same time.

use super::interrupt::Interrupt;
use super::seat::{Fault, Opening, Seat};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// After a deadline, seats that keep to it are heard for so long: threads have to
/// be woken.
const SLACK: Duration = Duration::from_millis(300);

/// How often to look for an interruption.
const GLANCE: Duration = Duration::from_millis(50);

/// What came of asking a seat.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply<T> {
    /// The answer.
    pub answer: Result<T, Fault>,
    /// How long it took.
    pub taken: Duration,
}

/// Asks every seat on a thread of its own, and waits until all have answered or the
/// deadline has passed; none if the match is interrupted meanwhile. Who has not
/// answered then is late, and what it still says is not heard.
pub fn ask_all<T: Send + 'static>(
    seats: &[Arc<dyn Seat>],
    opening: &Arc<Opening>,
    deadline: Instant,
    interrupt: &Interrupt,
    ask: impl Fn(&dyn Seat, &Opening) -> Result<T, Fault> + Send + Sync + 'static,
) -> Option<Vec<Reply<T>>> {
    let (sender, receiver) = mpsc::channel();
    let begun = Instant::now();
    let ask = Arc::new(ask);
    for (role, seat) in seats.iter().enumerate() {
        let (seat, opening) = (Arc::clone(seat), Arc::clone(opening));
        let (ask, answered) = (Arc::clone(&ask), sender.clone());
        let work = move || {
            let answer = ask(&*seat, &opening);
            // Nobody listens any longer after the deadline.
            let _ = answered.send((role, answer, begun.elapsed()));
        };
        if let Err(error) = thread::Builder::new().spawn(work) {
            let fault = Fault::Connection(format!("no thread to ask it: {error}"));
            let _ = sender.send((role, Err(fault), Duration::ZERO));
        }
    }
    drop(sender);
    let mut replies: Vec<Option<Reply<T>>> = seats.iter().map(|_| None).collect();
    let last = deadline + SLACK;
    while !interrupt.is_called() {
        let left = last.saturating_duration_since(Instant::now());
        match receiver.recv_timeout(left.min(GLANCE)) {
            Ok((role, answer, taken)) => replies[role] = Some(Reply { answer, taken }),
            Err(RecvTimeoutError::Timeout) if !left.is_zero() => {}
            Err(_) => {
                let late = || Reply {
                    answer: Err(Fault::Late),
                    taken: begun.elapsed(),
                };
                let replies = replies.into_iter();
                return Some(replies.map(|reply| reply.unwrap_or_else(late)).collect());
            }
        }
    }
    None
}

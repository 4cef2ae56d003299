//! Asking all players at the same time.

use super::hosted_player::{HostedPlayer, MatchSetup, PlayerFault};
use super::interrupt::Interrupt;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// After a deadline, players that keep to it are heard for so long: threads have to
/// be woken.
const SLACK: Duration = Duration::from_millis(300);

/// How often to look for an interruption.
const GLANCE: Duration = Duration::from_millis(50);

/// What came of asking a player.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerReply<T> {
    /// The answer.
    pub answer: Result<T, PlayerFault>,
    /// How long it took.
    pub taken: Duration,
}

/// Asks every player on a thread of its own, and waits until all have answered or the
/// deadline has passed; none if the match is interrupted meanwhile. Who has not
/// answered then is late, and what it still says is not heard.
pub fn ask_all<T: Send + 'static>(
    players: &[Arc<dyn HostedPlayer>],
    setup: &Arc<MatchSetup>,
    deadline: Instant,
    interrupt: &Interrupt,
    ask: impl Fn(&dyn HostedPlayer, &MatchSetup) -> Result<T, PlayerFault> + Send + Sync + 'static,
) -> Option<Vec<PlayerReply<T>>> {
    let (sender, receiver) = mpsc::channel();
    let begun = Instant::now();
    let ask = Arc::new(ask);
    for (role, player) in players.iter().enumerate() {
        let (player, setup) = (Arc::clone(player), Arc::clone(setup));
        let (ask, answered) = (Arc::clone(&ask), sender.clone());
        let work = move || {
            let answer = ask(&*player, &setup);
            // Nobody listens any longer after the deadline.
            let _ = answered.send((role, answer, begun.elapsed()));
        };
        if let Err(error) = thread::Builder::new().spawn(work) {
            let fault = PlayerFault::Connection(format!("no thread to ask it: {error}"));
            let _ = sender.send((role, Err(fault), Duration::ZERO));
        }
    }
    drop(sender);
    let mut replies: Vec<Option<PlayerReply<T>>> = players.iter().map(|_| None).collect();
    let last = deadline + SLACK;
    while !interrupt.is_called() {
        let left = last.saturating_duration_since(Instant::now());
        match receiver.recv_timeout(left.min(GLANCE)) {
            Ok((role, answer, taken)) => replies[role] = Some(PlayerReply { answer, taken }),
            Err(RecvTimeoutError::Timeout) if !left.is_zero() => {}
            Err(_) => {
                let late = || PlayerReply {
                    answer: Err(PlayerFault::Late),
                    taken: begun.elapsed(),
                };
                let replies = replies.into_iter();
                return Some(replies.map(|reply| reply.unwrap_or_else(late)).collect());
            }
        }
    }
    None
}

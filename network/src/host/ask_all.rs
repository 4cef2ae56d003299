//! Asks all players of a match at the same time.

use super::hosted_player::{HostedPlayer, MatchSetup, PlayerFault};
use gdl_runtime::stop_flag::StopFlag;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How long after the deadline answers are still accepted: the threads of players that
/// answer at the deadline may not be scheduled at once.
const SLACK: Duration = Duration::from_millis(300);

/// How often to check the stop flag.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The reply of a player.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerReply<T> {
    /// The answer.
    pub answer: Result<T, PlayerFault>,
    /// The time that the player took.
    pub taken: Duration,
}

/// Asks every player on a thread of its own, and waits until all have answered or the
/// deadline has passed. Returns one reply per player, or `None` if the flag is raised
/// meanwhile. A player that has not answered by then is late, and its later answer is
/// ignored.
pub fn ask_all<T: Send + 'static>(
    players: &[Arc<dyn HostedPlayer>],
    setup: &Arc<MatchSetup>,
    deadline: Instant,
    stop: &StopFlag,
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
            // Fails if the answer is late, which is no error here.
            let _ = answered.send((role, answer, begun.elapsed()));
        };
        if let Err(error) = thread::Builder::new().spawn(work) {
            let fault = PlayerFault::Connection(format!("cannot start a thread: {error}"));
            let _ = sender.send((role, Err(fault), Duration::ZERO));
        }
    }
    drop(sender);
    let mut replies: Vec<Option<PlayerReply<T>>> = players.iter().map(|_| None).collect();
    let last = deadline + SLACK;
    while !stop.is_raised() {
        let left = last.saturating_duration_since(Instant::now());
        match receiver.recv_timeout(left.min(POLL_INTERVAL)) {
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

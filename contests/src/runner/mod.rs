//! Runners: where and how the games of a contest are played.
//!
//! In: the games to be played, each with its progress so far. Out: [`GameEvent`]s in the
//! order in which they happen. Three runners differ in what shares a machine:
//! [`InterleavedRunner`] plays many games in the lanes of one, [`DedicatedRunner`] gives
//! every game its own, and [`HostedRunner`] plays over the network by the clocks of a host.
//! [`with_runner`] makes the one that a contest asks for. All of them tell a [`GameWatch`]
//! of every state that a game reaches.
//!
//! A fixture says what is played, not how the game goes: interleaved games draw from
//! a common source of random numbers, so that only the same fixtures on the same
//! number of threads give the same games again.

mod dedicated;
mod game_watch;
mod hosted;
mod interleaved;
mod kind;
mod report_timer;
mod select;

pub use dedicated::{DedicatedRunner, MakePlayer};
pub use game_watch::{GameProgress, GameWatch};
pub use hosted::HostedRunner;
pub use interleaved::InterleavedRunner;
pub use kind::RunnerKind;
pub use select::{RunnerOptions, with_runner};

use crate::game_record::{FinishedGame, GameRecord};
use gdl_agent::matches::MatchError;
use gdl_runtime::stop_flag::StopFlag;
use std::ops::ControlFlow;
use std::sync::mpsc::Receiver;

/// What a runner reports.
#[derive(Debug, Clone, PartialEq)]
pub enum GameEvent {
    /// Moves were made in a game that is not over.
    Advanced(GameRecord),
    /// A game is over.
    Finished(FinishedGame),
}

/// What the threads of a runner send.
type EventResult = Result<GameEvent, MatchError>;

/// Plays games.
pub trait Runner {
    /// Plays all games to their ends, or until `report` breaks off; games that are
    /// not over then are given up. Reports every game that is over and, from time to
    /// time, how far long games have come, unless this runner cannot resume them.
    ///
    /// # Errors
    /// If the rules leave a role without a move, a player is absent or answers with
    /// an illegal move that this runner does not replace, or the runner is
    /// interrupted.
    fn play(
        &mut self,
        games: &mut dyn Iterator<Item = GameRecord>,
        report: &mut dyn FnMut(GameEvent) -> ControlFlow<()>,
    ) -> Result<(), MatchError>;
}

/// Reports the events that the threads of a runner send until all of them have ended.
/// When `report` breaks off or a game cannot be played, the stop flag is raised, `report`
/// is dropped with what it owns, and later events are ignored.
fn report_events(
    received: &Receiver<EventResult>,
    stop: &StopFlag,
    mut report: impl FnMut(GameEvent) -> ControlFlow<()>,
) -> Result<(), MatchError> {
    let mut outcome = Ok(());
    for event in received {
        let flow = event.map(&mut report).unwrap_or_else(|error| {
            outcome = Err(error);
            ControlFlow::Break(())
        });
        if flow.is_break() {
            stop.raise();
            break;
        }
    }
    drop(report);
    received.iter().for_each(drop);
    outcome
}

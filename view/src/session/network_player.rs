//! A player on the network that plays a role of the match at a page.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use gdl_agent::shared_engine::SharedEngine;
use gdl_network::host::{HostedPlayer, MatchSetup, MoveRequest, PlayerFault, RemotePlayer};
use gdl_network::protocol::client::Address;
use gdl_network::protocol::{ClockSeconds, Clocks};
use gdl_runtime::engine::{Position, State};

use super::preparation::Preparation;
use crate::limits::MatchClocks;

/// How long past its clock a player may answer, for transmission.
const GRACE: Duration = Duration::from_secs(1);

/// How long the session waits for an answer before it attends to other things.
const SLICE: Duration = Duration::from_millis(50);

/// Where the answer to a message arrives.
type PendingAnswer = Receiver<Result<String, PlayerFault>>;

/// A player on the network, and the match that it plays.
pub(crate) struct NetworkPlayer {
    player: Arc<RemotePlayer>,
    setup: Arc<MatchSetup>,
    /// Whether it was told that the match begins, and not yet that it has ended.
    is_playing: bool,
    /// The answer to the last message, if it is still to be looked for.
    waiting: Option<PendingAnswer>,
}

/// Where the answer to a message stands.
#[derive(Debug)]
pub(super) enum NetworkAnswer {
    /// There is no answer yet.
    Waiting,
    /// The answer: a move as KIF if the player is sound and was asked for one.
    Text(String),
    /// There will be no answer.
    Fault(PlayerFault),
}

impl NetworkPlayer {
    pub(crate) fn new(
        address: Address,
        role: &str,
        rules: &str,
        engine: SharedEngine,
        clocks: MatchClocks,
    ) -> Self {
        let setup = MatchSetup {
            id: format!("page.{:016x}", rand::random::<u64>()),
            rules: rules.to_owned(),
            engine,
            clocks: Clocks {
                preview: None,
                start: ClockSeconds::of(clocks.start),
                play: ClockSeconds::of(clocks.play),
            },
        };
        Self {
            player: Arc::new(RemotePlayer::new(address, "", role, None)),
            setup: Arc::new(setup),
            is_playing: false,
            waiting: None,
        }
    }

    /// Tells the player, without waiting, that the match begins.
    pub(super) fn start(&mut self) {
        self.is_playing = true;
        let deadline = Instant::now() + self.setup.clocks.start() + GRACE;
        self.waiting = Some(self.send(move |player, setup| player.start(setup, deadline)));
    }

    /// Looks whether the player is ready to play.
    pub(super) fn prepare(&mut self) -> Preparation {
        let Some(answers) = self.waiting.take() else {
            return Preparation::Ready;
        };
        match self.look(answers) {
            NetworkAnswer::Waiting => Preparation::Waiting,
            NetworkAnswer::Text(text) if text.eq_ignore_ascii_case("busy") => {
                self.is_playing = false;
                Preparation::Failed("busy with another match".to_owned())
            }
            NetworkAnswer::Text(_) => Preparation::Ready,
            NetworkAnswer::Fault(fault) => Preparation::Failed(fault.to_string()),
        }
    }

    /// Asks for a move in a state that these moves led to, or looks for the answer if it has
    /// already asked.
    pub(super) fn ask(
        &mut self,
        state: &State,
        position: &Position,
        led_by: &[String],
    ) -> NetworkAnswer {
        let answers = self.waiting.take();
        let answers = answers.unwrap_or_else(|| self.request(state, position, led_by));
        self.look(answers)
    }

    /// Looks for an answer for a short while.
    fn look(&mut self, answers: PendingAnswer) -> NetworkAnswer {
        match answers.recv_timeout(SLICE) {
            Ok(Ok(text)) => NetworkAnswer::Text(text),
            Ok(Err(fault)) => NetworkAnswer::Fault(fault),
            Err(RecvTimeoutError::Timeout) => {
                self.waiting = Some(answers);
                NetworkAnswer::Waiting
            }
            Err(RecvTimeoutError::Disconnected) => NetworkAnswer::Fault(PlayerFault::Late),
        }
    }

    fn request(&self, state: &State, position: &Position, led_by: &[String]) -> PendingAnswer {
        let clock = Instant::now() + self.setup.clocks.play();
        let request = MoveRequest {
            moves: (!led_by.is_empty()).then(|| led_by.to_vec()),
            state: state.clone(),
            position: position.clone(),
            clock,
        };
        self.send(move |player, setup| {
            let answer = player.play(setup, &request, clock + GRACE);
            answer.map(|answer| answer.text)
        })
    }

    /// Sends a message from a thread of its own, which ends soon after the message's clock, or once
    /// the player has been told that the match is given up.
    fn send(
        &self,
        message: impl FnOnce(&RemotePlayer, &MatchSetup) -> Result<String, PlayerFault> + Send + 'static,
    ) -> PendingAnswer {
        let (answered, answers) = channel();
        let (player, setup) = (Arc::clone(&self.player), Arc::clone(&self.setup));
        in_background(move || {
            // Fails if the match was given up meanwhile.
            let _ = answered.send(message(&player, &setup));
        });
        answers
    }

    /// Tells the player, without waiting, that the match is over or given up, unless it plays
    /// none; `moves` are those of the last round if it is over.
    pub(super) fn end(&mut self, moves: Option<Vec<String>>) {
        if !std::mem::take(&mut self.is_playing) {
            return;
        }
        let (player, setup) = (Arc::clone(&self.player), Arc::clone(&self.setup));
        in_background(move || {
            let deadline = Instant::now() + GRACE;
            let told = match moves {
                Some(moves) => player.stop(&setup, Some(&moves), deadline),
                None => player.abort(&setup, deadline),
            };
            if let Err(fault) = told {
                tracing::info!("a player was not told that its match is over: {fault}");
            }
        });
    }
}

fn in_background(work: impl FnOnce() + Send + 'static) {
    if let Err(error) = std::thread::Builder::new().spawn(work) {
        tracing::warn!("no thread for a player on the network: {error}");
    }
}

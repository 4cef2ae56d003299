//! A player on the network that plays a role of the match at a page.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use gdl_agent::shared_engine::SharedEngine;
use gdl_network::host::{HostedPlayer, MatchSetup, MoveRequest, PlayerFault, RemotePlayer};
use gdl_network::protocol::client::Address;
use gdl_network::protocol::{ClockSeconds, Clocks};
use gdl_runtime::engine::{Position, State};

use crate::limits::MatchClocks;

/// How long past its clock a player may answer, for transmission.
const GRACE: Duration = Duration::from_secs(1);

/// How long the session waits for an answer before it attends to other things.
const SLICE: Duration = Duration::from_millis(50);

/// A player on the network, and the match that it plays.
pub(crate) struct NetworkPlayer {
    player: Arc<RemotePlayer>,
    setup: Arc<MatchSetup>,
    /// Where the answer to the last request arrives.
    waiting: Option<Receiver<Result<String, PlayerFault>>>,
}

/// Where a request for a move stands.
#[derive(Debug)]
pub(super) enum MoveAnswer {
    /// There is no answer yet.
    Waiting,
    /// The answer, a move as KIF if the player is sound.
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
            waiting: None,
        }
    }

    /// Starts the match: waits until the player is ready, but no longer than the start clock.
    pub(super) fn start(&self) -> Result<(), PlayerFault> {
        let deadline = Instant::now() + self.setup.clocks.start() + GRACE;
        self.player.start(&self.setup, deadline).map(drop)
    }

    /// Asks for a move in a state that these moves led to, or looks for the answer if it has
    /// already asked.
    pub(super) fn ask(
        &mut self,
        state: &State,
        position: &Position,
        led_by: &[String],
    ) -> MoveAnswer {
        let answers = self.waiting.take();
        let answers = answers.unwrap_or_else(|| self.request(state, position, led_by));
        match answers.recv_timeout(SLICE) {
            Ok(Ok(text)) => MoveAnswer::Text(text),
            Ok(Err(fault)) => MoveAnswer::Fault(fault),
            Err(RecvTimeoutError::Timeout) => {
                self.waiting = Some(answers);
                MoveAnswer::Waiting
            }
            Err(RecvTimeoutError::Disconnected) => MoveAnswer::Fault(PlayerFault::Late),
        }
    }

    /// Sends a request from a thread of its own, which ends soon after the play clock.
    fn request(
        &self,
        state: &State,
        position: &Position,
        led_by: &[String],
    ) -> Receiver<Result<String, PlayerFault>> {
        let (answered, answers) = channel();
        let (player, setup) = (Arc::clone(&self.player), Arc::clone(&self.setup));
        let clock = Instant::now() + setup.clocks.play();
        let request = MoveRequest {
            moves: (!led_by.is_empty()).then(|| led_by.to_vec()),
            state: state.clone(),
            position: position.clone(),
            clock,
        };
        let work = move || {
            let answer = player.play(&setup, &request, clock + GRACE);
            // Fails if the match was given up meanwhile.
            let _ = answered.send(answer.map(|answer| answer.text));
        };
        if let Err(error) = std::thread::Builder::new().spawn(work) {
            tracing::warn!("no thread for a player on the network: {error}");
        }
        answers
    }

    /// Tells the player, without waiting, that the match is over or given up; `moves` are
    /// those of the last round if it is over.
    pub(super) fn end(&self, moves: Option<Vec<String>>) {
        let (player, setup) = (Arc::clone(&self.player), Arc::clone(&self.setup));
        let work = move || {
            let deadline = Instant::now() + GRACE;
            let told = match moves {
                Some(moves) => player.stop(&setup, Some(&moves), deadline),
                None => player.abort(&setup, deadline),
            };
            if let Err(fault) = told {
                tracing::info!("a player was not told that its match is over: {fault}");
            }
        };
        if let Err(error) = std::thread::Builder::new().spawn(work) {
            tracing::warn!("no thread for a player on the network: {error}");
        }
    }
}

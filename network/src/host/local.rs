//! The player of an agent of our own, which plays without a network.

use super::hosted_player::{HostedPlayer, MatchSetup, MoveRequest, PlayerAnswer, PlayerFault};
use gdl_agent::agents::{Agent, Limits};
use gdl_agent::clock::Budget;
use gdl_agent::player::{self, Player, Reply};
use gdl_runtime::engine::{Engine as _, Role};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// An agent at a role.
pub struct LocalPlayer {
    agent: Agent,
    limits: Limits,
    role: Role,
    seed: u64,
    /// From the start of a match to its end.
    player: Mutex<Option<Box<dyn Player>>>,
}

impl LocalPlayer {
    /// An agent that will play a role.
    #[must_use]
    pub fn new(agent: Agent, limits: Limits, role: Role, seed: u64) -> Self {
        Self {
            agent,
            limits,
            role,
            seed,
            player: Mutex::default(),
        }
    }

    fn player(&self) -> MutexGuard<'_, Option<Box<dyn Player>>> {
        self.player.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HostedPlayer for LocalPlayer {
    fn preview(&self, _opening: &MatchSetup, _deadline: Instant) -> Result<(), PlayerFault> {
        Ok(())
    }

    fn start(&self, setup: &MatchSetup, _deadline: Instant) -> Result<String, PlayerFault> {
        let player = self.agent.player(&setup.engine, self.limits, self.seed);
        *self.player() = Some(player);
        Ok("ready".to_owned())
    }

    fn play(
        &self,
        setup: &MatchSetup,
        turn: &MoveRequest,
        _deadline: Instant,
    ) -> Result<PlayerAnswer, PlayerFault> {
        let silent = |why: &str| PlayerFault::Connection(why.to_owned());
        let turn = player::Turn {
            engine: &setup.engine,
            role: self.role,
            state: &turn.state,
            position: &turn.position,
            budget: Budget::Until(turn.clock),
        };
        let mut player = self.player();
        let player = player.as_mut().ok_or_else(|| silent("not started"))?;
        match player.choose(&turn, &mut |_| {}) {
            Ok(Reply::Play(thought)) => Ok(PlayerAnswer {
                text: setup.engine.move_name(self.role, thought.chosen),
                thought: Some(thought),
            }),
            Ok(Reply::Undo | Reply::Quit) => Err(silent("it left")),
            Err(error) => Err(silent(&error.to_string())),
        }
    }

    fn stop(
        &self,
        _opening: &MatchSetup,
        _moves: Option<&[String]>,
        _deadline: Instant,
    ) -> Result<(), PlayerFault> {
        *self.player() = None;
        Ok(())
    }

    /// A search under way ends by itself and is not waited for.
    fn abort(&self, _opening: &MatchSetup, _deadline: Instant) -> Result<(), PlayerFault> {
        if let Ok(mut player) = self.player.try_lock() {
            *player = None;
        }
        Ok(())
    }
}

//! The seat of an agent of our own, which plays without a network.

use super::seat::{Answer, Fault, Opening, Seat, Turn};
use gdl_agent::agents::{Agent, Limits};
use gdl_agent::clock::Budget;
use gdl_agent::player::{self, Player, Reply};
use gdl_runtime::engine::{Engine as _, Role};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// An agent at a role.
pub struct Local {
    agent: Agent,
    limits: Limits,
    role: Role,
    seed: u64,
    /// From the start of a match to its end.
    player: Mutex<Option<Box<dyn Player>>>,
}

impl Local {
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

impl Seat for Local {
    fn preview(&self, _opening: &Opening, _deadline: Instant) -> Result<(), Fault> {
        Ok(())
    }

    fn start(&self, opening: &Opening, _deadline: Instant) -> Result<String, Fault> {
        let player = self.agent.player(&opening.engine, self.limits, self.seed);
        *self.player() = Some(player);
        Ok("ready".to_owned())
    }

    fn play(&self, opening: &Opening, turn: &Turn, _deadline: Instant) -> Result<Answer, Fault> {
        let silent = |why: &str| Fault::Connection(why.to_owned());
        let turn = player::Turn {
            engine: &opening.engine,
            role: self.role,
            state: &turn.state,
            position: &turn.position,
            budget: Budget::Until(turn.clock),
        };
        let mut seat = self.player();
        let player = seat.as_mut().ok_or_else(|| silent("not started"))?;
        match player.choose(&turn, &mut |_| {}) {
            Ok(Reply::Play(thought)) => Ok(Answer {
                text: opening.engine.move_name(self.role, thought.chosen),
                thought: Some(thought),
            }),
            Ok(Reply::Undo | Reply::Quit) => Err(silent("it left")),
            Err(error) => Err(silent(&error.to_string())),
        }
    }

    fn stop(
        &self,
        _opening: &Opening,
        _moves: Option<&[String]>,
        _deadline: Instant,
    ) -> Result<(), Fault> {
        *self.player() = None;
        Ok(())
    }

    /// A search under way ends by itself and is not waited for.
    fn abort(&self, _opening: &Opening, _deadline: Instant) -> Result<(), Fault> {
        if let Ok(mut player) = self.player.try_lock() {
            *player = None;
        }
        Ok(())
    }
}

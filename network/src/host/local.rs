//! A hosted player that is an agent in this process, without a network.

use super::hosted_player::{HostedPlayer, MatchSetup, MoveRequest, PlayerAnswer, PlayerFault};
use gdl_agent::agents::Agent;
use gdl_agent::player::{self, Player, Reply};
use gdl_agent::search::{SearchBudget, SearchLimits};
use gdl_runtime::engine::{Engine as _, Role};
use parking_lot::Mutex;
use std::time::{Duration, Instant};

/// Time before the end of the start clock at which preparation ends.
const START_SLACK: Duration = Duration::from_millis(100);

/// An agent that plays a role.
pub struct LocalPlayer {
    agent: Agent,
    limits: SearchLimits,
    role: Role,
    seed: u64,
    /// Present from the start of a match to its end.
    player: Mutex<Option<Box<dyn Player>>>,
}

impl LocalPlayer {
    /// A player that plays the role with this agent, within these limits, from this seed.
    #[must_use]
    pub fn new(agent: Agent, limits: SearchLimits, role: Role, seed: u64) -> Self {
        Self {
            agent,
            limits,
            role,
            seed,
            player: Mutex::default(),
        }
    }
}

impl HostedPlayer for LocalPlayer {
    fn preview(&self, _setup: &MatchSetup, _deadline: Instant) -> Result<(), PlayerFault> {
        Ok(())
    }

    fn start(&self, setup: &MatchSetup, deadline: Instant) -> Result<String, PlayerFault> {
        let mut player = self.agent.player(&setup.engine, self.limits, self.seed);
        let mut engine = setup.engine.clone();
        let state = engine.initial();
        let turn = player::Turn {
            engine: &setup.engine,
            role: self.role,
            state: &state,
            position: &engine.examine(&state),
            budget: SearchBudget::Until(deadline.checked_sub(START_SLACK).unwrap_or(deadline)),
        };
        player.prepare(&turn, &mut |_| {});
        *self.player.lock() = Some(player);
        Ok("ready".to_owned())
    }

    fn play(
        &self,
        setup: &MatchSetup,
        request: &MoveRequest,
        _deadline: Instant,
    ) -> Result<PlayerAnswer, PlayerFault> {
        let silent = |why: &str| PlayerFault::Connection(why.to_owned());
        let turn = player::Turn {
            engine: &setup.engine,
            role: self.role,
            state: &request.state,
            position: &request.position,
            budget: SearchBudget::Until(request.clock),
        };
        let mut player = self.player.lock();
        let player = player
            .as_mut()
            .ok_or_else(|| silent("the match has not started"))?;
        match player.choose(&turn, &mut |_| {}) {
            Ok(Reply::Play(result)) => Ok(PlayerAnswer {
                text: setup.engine.move_name(self.role, result.chosen),
                result: Some(result),
            }),
            Ok(Reply::Undo | Reply::Quit) => Err(silent("the player left")),
            Err(error) => Err(silent(&error.to_string())),
        }
    }

    fn stop(
        &self,
        _setup: &MatchSetup,
        _moves: Option<&[String]>,
        _deadline: Instant,
    ) -> Result<(), PlayerFault> {
        *self.player.lock() = None;
        Ok(())
    }

    /// Does not wait for a running search, which ends on its own.
    fn abort(&self, _setup: &MatchSetup, _deadline: Instant) -> Result<(), PlayerFault> {
        if let Some(mut player) = self.player.try_lock() {
            *player = None;
        }
        Ok(())
    }
}

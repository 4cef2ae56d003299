//! What a step writes, and how large it is.

use crate::bits::MaskRow;
use crate::error::EnvironmentError;

/// How large the arrays of environments are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VectorShape {
    /// The number of games, `n`.
    pub environments: usize,
    /// The number of roles.
    pub roles: usize,
    /// The number of actions that a game takes per step: 1, or the number of roles.
    pub slots: usize,
    /// The number of actions of the role that has the most.
    pub actions: usize,
    /// The number of bits of an observation.
    pub observation_bits: usize,
    /// The number of 64-bit words of a state.
    pub state_words: usize,
    /// Whether observations and masks are packed.
    pub packed: bool,
}

impl VectorShape {
    /// How a mask is written: one for each game and slot.
    #[must_use]
    pub const fn mask_row(&self) -> MaskRow {
        MaskRow {
            bits: self.actions,
            packed: self.packed,
        }
    }

    /// How an observation is written: one for each game.
    #[must_use]
    pub const fn observation_row(&self) -> MaskRow {
        MaskRow {
            bits: self.observation_bits,
            packed: self.packed,
        }
    }
}

/// What a step writes, game after game.
#[derive(Debug)]
pub struct StepBuffers<'a> {
    /// Observations, as [`VectorShape::observation_row`] says.
    pub observations: &'a mut [u8],
    /// For each slot, the legal actions, as [`VectorShape::mask_row`] says. In the last
    /// state of a game all actions count as legal.
    pub masks: &'a mut [u8],
    /// The role whose action is next; -1 where every role has a slot.
    pub players: &'a mut [i8],
    /// The reward of every role.
    pub rewards: &'a mut [f32],
    /// Whether the game has ended: 0 or 1.
    pub terminated: &'a mut [u8],
    /// Whether the game was cut off: 0 or 1.
    pub truncated: &'a mut [u8],
    /// What was observed last in games that end and begin anew in the same step.
    pub last: Option<FinalBuffers<'a>>,
}

/// What was observed last in games that ended in a step and began anew in it. Entries of
/// other games are left as they are.
#[derive(Debug)]
pub struct FinalBuffers<'a> {
    /// As [`StepBuffers::observations`].
    pub observations: &'a mut [u8],
    /// The words of their states.
    pub states: &'a mut [u64],
}

impl StepBuffers<'_> {
    /// Checks all lengths.
    pub(crate) fn check(&self, shape: &VectorShape) -> Result<(), EnvironmentError> {
        let check = EnvironmentError::check_length;
        let games = shape.environments;
        let observations = games * shape.observation_row().bytes();
        check("observations", self.observations.len(), observations)?;
        let masks = games * shape.slots * shape.mask_row().bytes();
        check("masks", self.masks.len(), masks)?;
        check("players", self.players.len(), games)?;
        check("rewards", self.rewards.len(), games * shape.roles)?;
        check("terminated", self.terminated.len(), games)?;
        check("truncated", self.truncated.len(), games)?;
        if let Some(last) = &self.last {
            check("final observations", last.observations.len(), observations)?;
            check("final states", last.states.len(), games * shape.state_words)?;
        }
        Ok(())
    }

    /// The parts of some games from `first` on.
    pub(crate) fn part(
        &mut self,
        shape: &VectorShape,
        first: usize,
        games: usize,
    ) -> StepBuffers<'_> {
        let observation = shape.observation_row().bytes();
        let mask = shape.slots * shape.mask_row().bytes();
        StepBuffers {
            observations: &mut self.observations[first * observation..][..games * observation],
            masks: &mut self.masks[first * mask..][..games * mask],
            players: &mut self.players[first..][..games],
            rewards: &mut self.rewards[first * shape.roles..][..games * shape.roles],
            terminated: &mut self.terminated[first..][..games],
            truncated: &mut self.truncated[first..][..games],
            last: self.last.as_mut().map(|last| FinalBuffers {
                observations: &mut last.observations[first * observation..][..games * observation],
                states: &mut last.states[first * shape.state_words..][..games * shape.state_words],
            }),
        }
    }
}

/// Owned buffers for what a step writes.
#[derive(Debug, Clone, PartialEq)]
pub struct StepTables {
    /// See [`StepBuffers::observations`].
    pub observations: Vec<u8>,
    /// See [`StepBuffers::masks`].
    pub masks: Vec<u8>,
    /// See [`StepBuffers::players`].
    pub players: Vec<i8>,
    /// See [`StepBuffers::rewards`].
    pub rewards: Vec<f32>,
    /// See [`StepBuffers::terminated`].
    pub terminated: Vec<u8>,
    /// See [`StepBuffers::truncated`].
    pub truncated: Vec<u8>,
    /// See [`FinalBuffers::observations`].
    pub last_observations: Vec<u8>,
    /// See [`FinalBuffers::states`].
    pub last_states: Vec<u64>,
}

impl StepTables {
    /// Buffers of a shape.
    #[must_use]
    pub fn new(shape: &VectorShape) -> Self {
        let games = shape.environments;
        let observations = vec![0; games * shape.observation_row().bytes()];
        Self {
            last_observations: observations.clone(),
            observations,
            masks: vec![0; games * shape.slots * shape.mask_row().bytes()],
            players: vec![0; games],
            rewards: vec![0.0; games * shape.roles],
            terminated: vec![0; games],
            truncated: vec![0; games],
            last_states: vec![0; games * shape.state_words],
        }
    }

    /// The buffers.
    pub fn buffers(&mut self) -> StepBuffers<'_> {
        StepBuffers {
            observations: &mut self.observations,
            masks: &mut self.masks,
            players: &mut self.players,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            last: Some(FinalBuffers {
                observations: &mut self.last_observations,
                states: &mut self.last_states,
            }),
        }
    }
}

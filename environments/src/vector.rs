//! [`VectorEnvironment`]: many games side by side.

use crate::actions::ActionSpace;
use crate::block::{BlockRules, LaneBlock};
use crate::buffers::{StepBuffers, VectorShape};
use crate::error::EnvironmentError;
use crate::options::{EnvironmentOptions, Observation, RewardScale};
use crate::turns::TurnOrder;
use gdl_runtime::engine::Engine;

/// Many games of one rule sheet, advanced together.
pub struct VectorEnvironment {
    rules: BlockRules,
    blocks: Vec<LaneBlock>,
}

impl VectorEnvironment {
    /// Environments of an engine's game, in its initial state. What is observed there is known after
    /// a [reset](Self::reset).
    ///
    /// # Errors
    /// If the engine cannot run them, or the options do not fit the game.
    pub fn new(engine: &dyn Engine, options: EnvironmentOptions) -> Result<Self, EnvironmentError> {
        let layout = (engine.layout()).ok_or_else(|| EnvironmentError::NoNumbers(engine.name()))?;
        let turns = TurnOrder::new(&layout);
        let roles = layout.roles.len();
        let one_action = options.one_action.unwrap_or(turns.one_at_a_time);
        if one_action && !turns.one_at_a_time {
            return Err(EnvironmentError::Simultaneous);
        }
        if options.environments == 0 {
            return Err(EnvironmentError::NoEnvironments);
        }
        if options.rewards == RewardScale::ZeroSum && roles < 2 {
            return Err(EnvironmentError::OneRole);
        }
        if let Observation::Planes(planes) = &options.observation {
            let mut fluents = planes.fluents.iter().flatten();
            if fluents.any(|&fluent| fluent as usize >= layout.bases.len()) {
                return Err(EnvironmentError::OtherPlanes);
            }
        }
        let actions: Vec<ActionSpace> = (0..roles)
            .map(|role| ActionSpace::new(&layout, role))
            .collect();
        let shape = VectorShape {
            environments: options.environments,
            roles,
            slots: if one_action { 1 } else { roles },
            actions: actions.iter().map(ActionSpace::count).max().unwrap_or(0),
            observation_bits: match &options.observation {
                Observation::None => 0,
                Observation::Fluents => layout.bases.len(),
                Observation::Planes(planes) => planes.fluents.len(),
            },
            state_words: layout.state_words(),
            packed: options.packed,
        };
        let names = layout.moves.iter();
        let rules = BlockRules {
            shape,
            roles: layout.roles.clone(),
            names: names
                .map(|moves| moves.iter().map(|mv| mv.name.clone()).collect())
                .collect(),
            moves: actions.iter().map(|space| space.moves.clone()).collect(),
            listed: (actions.iter().any(|space| space.places.is_some()))
                .then(|| actions.iter().map(ActionSpace::listed).collect()),
            has_choice: !layout.choices.is_empty(),
            actions,
            turns,
            initial: engine.initial().0,
            options,
        };
        let mut blocks: Vec<LaneBlock> = Vec::new();
        let mut left = shape.environments;
        while left > 0 {
            let lanes = engine.lanes(blocks.len() as u64);
            let games = left.min(lanes.count());
            left -= games;
            blocks.push(LaneBlock::new(lanes, games, &rules));
        }
        Ok(Self { rules, blocks })
    }

    /// How large the arrays are.
    #[must_use]
    pub const fn shape(&self) -> &VectorShape {
        &self.rules.shape
    }

    /// Begins new games, where `games` has a non-zero byte or in all, and writes what is
    /// observed in all of them.
    ///
    /// # Errors
    /// If an array has the wrong length.
    pub fn reset(
        &mut self,
        games: Option<&[u8]>,
        out: &mut StepBuffers<'_>,
    ) -> Result<(), EnvironmentError> {
        let shape = self.rules.shape;
        out.check(&shape)?;
        if let Some(games) = games {
            EnvironmentError::check_length("reset mask", games.len(), shape.environments)?;
        }
        let mut first = 0;
        for block in &mut self.blocks {
            let end = first + block.games();
            let games = games.map(|games| &games[first..end]);
            block.reset(
                &self.rules,
                games,
                &mut out.part(&shape, first, end - first),
            );
            first = end;
        }
        Ok(())
    }

    /// Takes a step in every game: `actions` has one for each game and slot. An action of -1
    /// (in the first slot) leaves its game as it is. Games that are over take none, whatever
    /// their action says.
    ///
    /// # Errors
    /// If an array has the wrong length or an action is not legal; then nothing changes.
    pub fn step(
        &mut self,
        actions: &[i32],
        out: &mut StepBuffers<'_>,
    ) -> Result<(), EnvironmentError> {
        let shape = self.rules.shape;
        out.check(&shape)?;
        let needed = shape.environments * shape.slots;
        EnvironmentError::check_length("actions", actions.len(), needed)?;
        let mut first = 0;
        for block in &mut self.blocks {
            let end = first + block.games();
            let actions = &actions[first * shape.slots..end * shape.slots];
            block.choose(&self.rules, actions, first)?;
            first = end;
        }
        first = 0;
        for block in &mut self.blocks {
            let games = block.games();
            block.step(&self.rules, &mut out.part(&shape, first, games));
            first += games;
        }
        Ok(())
    }

    /// Takes a step in every game from given states, as [`set_states`](Self::set_states) and
    /// [`step`](Self::step) would one after the other.
    ///
    /// # Errors
    /// If an array has the wrong length or an action is not legal; then the games are in the
    /// given states.
    pub fn step_from(
        &mut self,
        states: &[u64],
        actions: &[i32],
        out: &mut StepBuffers<'_>,
    ) -> Result<(), EnvironmentError> {
        let shape = self.rules.shape;
        let needed = shape.environments * shape.state_words;
        EnvironmentError::check_length("states", states.len(), needed)?;
        let mut rest = states;
        for block in &mut self.blocks {
            let (part, behind) = rest.split_at(block.games() * shape.state_words);
            block.load_all(&self.rules, part);
            rest = behind;
        }
        self.step(actions, out)
    }

    /// Writes the words of the states of all games, game after game.
    ///
    /// # Errors
    /// If the array has the wrong length.
    pub fn states(&mut self, out: &mut [u64]) -> Result<(), EnvironmentError> {
        let shape = self.rules.shape;
        let needed = shape.environments * shape.state_words;
        EnvironmentError::check_length("states", out.len(), needed)?;
        let mut rest = out;
        for block in &mut self.blocks {
            let (part, behind) = rest.split_at_mut(block.games() * shape.state_words);
            block.states(part);
            rest = behind;
        }
        Ok(())
    }

    /// Puts states, given by their words, into some games, and writes what is observed in
    /// all. Their steps count from 0.
    ///
    /// # Errors
    /// If an array has the wrong length, or there is no such game; then nothing changes.
    pub fn set_states(
        &mut self,
        games: &[u32],
        states: &[u64],
        out: &mut StepBuffers<'_>,
    ) -> Result<(), EnvironmentError> {
        let shape = self.rules.shape;
        out.check(&shape)?;
        EnvironmentError::check_length("states", states.len(), games.len() * shape.state_words)?;
        if let Some(&beyond) = games
            .iter()
            .find(|&&game| game as usize >= shape.environments)
        {
            return Err(EnvironmentError::NoSuchEnvironment {
                environment: beyond as usize,
                last: shape.environments - 1,
            });
        }
        let lanes = self.blocks.first().map_or(1, LaneBlock::games);
        for (&game, state) in games.iter().zip(states.chunks_exact(shape.state_words)) {
            self.blocks[game as usize / lanes].load(game as usize % lanes, state);
        }
        let mut first = 0;
        for block in &mut self.blocks {
            let games = block.games();
            block.show(&self.rules, &mut out.part(&shape, first, games));
            first += games;
        }
        Ok(())
    }
}

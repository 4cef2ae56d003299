//! [`BatchSearch`]: a tree for each of many games, grown together.

use super::tree::{End, PriorTree, Reached};
use crate::buffers::{StepTables, VectorShape};
use crate::error::EnvironmentError;
use crate::options::{Autoreset, EnvironmentOptions, Observation, RewardScale};
use crate::vector::VectorEnvironment;
use gdl_runtime::engine::Engine;
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How searches are made.
#[derive(Debug, Clone)]
pub struct BatchOptions {
    /// The number of games.
    pub games: usize,
    /// What is observed for the evaluation.
    pub observation: Observation,
    /// The weight of exploration.
    pub exploration: f32,
    /// The share of noise in the priors of roots.
    pub noise: f32,
    /// The concentration of that noise; `None` for 10 divided by the number of actions.
    pub concentration: Option<f32>,
    /// The seed of the noise.
    pub seed: u64,
}

/// Tree searches of many games side by side, which take turns with an evaluation:
/// [`begin`](Self::begin) shows the roots in [`leaves`](Self::leaves),
/// [`expand`](Self::expand) takes the caller's evaluation of them; then, once for every
/// simulation, [`descend`](Self::descend) shows the next positions to expand.
///
/// Values are rewards: with several roles they sum to zero.
pub struct BatchSearch {
    options: BatchOptions,
    environment: VectorEnvironment,
    trees: Vec<PriorTree>,
    tables: StepTables,
    states: Vec<u64>,
    actions: Vec<i32>,
    leaves: LeafTables,
    at_root: bool,
    random: Xoshiro256PlusPlus,
}

/// Positions that wait for an evaluation, one of every game.
#[derive(Debug, Clone, Default)]
pub struct LeafTables {
    /// Observations, a byte for each bit.
    pub observations: Vec<u8>,
    /// The legal actions, a byte for each.
    pub masks: Vec<u8>,
    /// The role that chooses.
    pub players: Vec<i8>,
    /// Whether the evaluation of this game counts: it does not where the game is over.
    pub open: Vec<bool>,
}

impl BatchSearch {
    /// Searches of an engine's game.
    ///
    /// # Errors
    /// If several roles can choose at a time, or the options do not fit the game.
    pub fn new(engine: &dyn Engine, options: BatchOptions) -> Result<Self, EnvironmentError> {
        let rewards = match engine.roles().len() {
            1 => RewardScale::Unit,
            _ => RewardScale::ZeroSum,
        };
        let environment = VectorEnvironment::new(
            engine,
            EnvironmentOptions {
                environments: options.games,
                observation: options.observation.clone(),
                packed: false,
                one_action: Some(true),
                rewards,
                autoreset: Autoreset::Disabled,
                step_limit: None,
            },
        )?;
        let tables = StepTables::new(environment.shape());
        Ok(Self {
            trees: (0..options.games).map(|_| PriorTree::default()).collect(),
            states: vec![0; options.games * environment.shape().state_words],
            actions: vec![0; options.games],
            leaves: LeafTables::default(),
            at_root: true,
            random: Xoshiro256PlusPlus::seed_from_u64(options.seed),
            tables,
            environment,
            options,
        })
    }

    /// How large the arrays are.
    #[must_use]
    pub const fn shape(&self) -> &VectorShape {
        self.environment.shape()
    }

    /// The positions that wait for an evaluation.
    #[must_use]
    pub const fn leaves(&self) -> &LeafTables {
        &self.leaves
    }

    /// Begins searches of these states, given by their words.
    ///
    /// # Errors
    /// If there are not as many states as games.
    pub fn begin(&mut self, states: &[u64]) -> Result<(), EnvironmentError> {
        EnvironmentError::check_length("states", states.len(), self.states.len())?;
        self.states.copy_from_slice(states);
        let all: Vec<u32> = (0..self.options.games as u32).collect();
        self.environment
            .set_states(&all, states, &mut self.tables.buffers())?;
        self.trees.iter_mut().for_each(PriorTree::clear);
        self.at_root = true;
        self.await_evaluation();
        Ok(())
    }

    /// Takes the evaluation of the positions that wait for one. `logits` has a number for every
    /// action; the softmax over the legal ones gives the priors. `values` has the value of the
    /// position for every role.
    ///
    /// # Errors
    /// If an array has the wrong length.
    pub fn expand(&mut self, logits: &[f32], values: &[f32]) -> Result<(), EnvironmentError> {
        let shape = *self.shape();
        EnvironmentError::check_length("logits", logits.len(), shape.environments * shape.actions)?;
        EnvironmentError::check_length("values", values.len(), shape.environments * shape.roles)?;
        for game in 0..shape.environments {
            if self.actions[game] >= 0 || self.at_root {
                self.grow(
                    &shape,
                    game,
                    &logits[game * shape.actions..][..shape.actions],
                    values,
                );
            }
        }
        if std::mem::replace(&mut self.at_root, false) && self.options.noise > 0.0 {
            for tree in &mut self.trees {
                tree.disturb(
                    self.options.noise,
                    self.options.concentration,
                    &mut self.random,
                );
            }
        }
        Ok(())
    }

    /// Adds the position of a game to its tree, and counts its value.
    fn grow(&mut self, shape: &VectorShape, game: usize, logits: &[f32], values: &[f32]) {
        let rewards = &self.tables.rewards[game * shape.roles..][..shape.roles];
        let is_over = self.tables.terminated[game] != 0;
        let reached = Reached {
            state: &self.states[game * shape.state_words..][..shape.state_words],
            player: usize::try_from(self.tables.players[game]).unwrap_or(0),
            rewards: is_over.then_some(rewards),
        };
        let mask = &self.tables.masks[game * shape.actions..][..shape.actions];
        let tree = &mut self.trees[game];
        if is_over {
            tree.add(&reached, std::iter::empty());
            tree.back_up(rewards);
        } else {
            tree.add(&reached, priors(logits, mask));
            tree.back_up(&values[game * shape.roles..][..shape.roles]);
        }
    }

    /// Descends in every tree, and makes the moves at the ends of the paths: a simulation of
    /// each, which counts once the position is expanded, or at once where the game is over.
    ///
    /// # Errors
    /// If the roots have not been expanded, or the states with which the searches began are not
    /// states of the game.
    pub fn descend(&mut self) -> Result<(), EnvironmentError> {
        if self.at_root {
            return Err(EnvironmentError::NotExpanded);
        }
        let words = self.shape().state_words;
        for (game, tree) in self.trees.iter_mut().enumerate() {
            let state = &mut self.states[game * words..][..words];
            let (node, action) = match tree.descend(self.options.exploration) {
                End::Untried { node, action } => (node, action),
                End::Over(rewards) => {
                    tree.back_up(&rewards);
                    (0, -1)
                }
            };
            state.copy_from_slice(tree.state(node, words));
            self.actions[game] = action;
        }
        let mut buffers = self.tables.buffers();
        self.environment
            .step_from(&self.states, &self.actions, &mut buffers)?;
        self.environment.states(&mut self.states)?;
        self.await_evaluation();
        Ok(())
    }

    /// Shows the positions that the environments are in.
    fn await_evaluation(&mut self) {
        self.leaves
            .observations
            .clone_from(&self.tables.observations);
        self.leaves.masks.clone_from(&self.tables.masks);
        self.leaves.players.clone_from(&self.tables.players);
        let ends = self.tables.terminated.iter().zip(&self.actions);
        let is_open = |(&over, &action): (&u8, &i32)| over == 0 && (self.at_root || action >= 0);
        self.leaves.open = ends.map(is_open).collect();
    }

    /// Writes the visits and the mean values of all actions of every root: 0 for those that
    /// are not legal or were not tried.
    ///
    /// # Errors
    /// If an array has the wrong length.
    pub fn results(&self, visits: &mut [u32], values: &mut [f32]) -> Result<(), EnvironmentError> {
        let shape = self.shape();
        let needed = shape.environments * shape.actions;
        EnvironmentError::check_length("visits", visits.len(), needed)?;
        EnvironmentError::check_length("values", values.len(), needed)?;
        visits.fill(0);
        values.fill(0.0);
        for (game, tree) in self.trees.iter().enumerate() {
            for (action, visited, value) in tree.root() {
                visits[game * shape.actions + action as usize] = visited;
                values[game * shape.actions + action as usize] = value;
            }
        }
        Ok(())
    }
}

/// The legal actions with their priors: the softmax of their logits, of which none is infinite.
fn priors(logits: &[f32], mask: &[u8]) -> impl Iterator<Item = (i32, f32)> {
    let legal: Vec<(i32, f32)> = (0..)
        .zip(logits.iter().zip(mask))
        .filter(|(_, (_, legal))| **legal != 0)
        .map(|(action, (&logit, _))| (action, if logit.is_nan() { 0.0 } else { logit }))
        .map(|(action, logit)| (action, logit.clamp(f32::MIN, f32::MAX)))
        .collect();
    let greatest = legal
        .iter()
        .map(|(_, logit)| *logit)
        .fold(f32::MIN, f32::max);
    let weight = move |logit: f32| (logit - greatest).exp();
    let sum: f32 = legal.iter().map(|(_, logit)| weight(*logit)).sum();
    legal
        .into_iter()
        .map(move |(action, logit)| (action, weight(logit) / sum))
}

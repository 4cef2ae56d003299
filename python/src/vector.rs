//! Vector environments.

use crate::errors;
use crate::game::PyGame;
use gdl_environments::{
    Autoreset, EnvironmentOptions, FinalBuffers, Observation, RewardScale, StepBuffers,
    VectorEnvironment,
};
use numpy::{PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use parking_lot::Mutex;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Many games, advanced together. Results are written into arrays that the caller supplies, as
/// `gdl.VectorEnv` does.
#[pyclass(frozen, module = "gdl._gdl", name = "VectorEnvironment")]
pub(crate) struct PyVectorEnvironment {
    games: Mutex<VectorEnvironment>,
}

/// The arrays into which a step writes.
#[derive(FromPyObject)]
pub(crate) struct Buffers<'py> {
    observation: PyReadwriteArrayDyn<'py, u8>,
    mask: PyReadwriteArrayDyn<'py, u8>,
    player: PyReadwriteArrayDyn<'py, i8>,
    rewards: PyReadwriteArrayDyn<'py, f32>,
    terminated: PyReadwriteArrayDyn<'py, u8>,
    truncated: PyReadwriteArrayDyn<'py, u8>,
    final_observation: Option<PyReadwriteArrayDyn<'py, u8>>,
    final_state: Option<PyReadwriteArrayDyn<'py, u64>>,
}

impl Buffers<'_> {
    fn slices(&mut self) -> PyResult<StepBuffers<'_>> {
        let last = match (&mut self.final_observation, &mut self.final_state) {
            (Some(observations), Some(states)) => Some(FinalBuffers {
                observations: observations.as_slice_mut()?,
                states: states.as_slice_mut()?,
            }),
            _ => None,
        };
        Ok(StepBuffers {
            observations: self.observation.as_slice_mut()?,
            masks: self.mask.as_slice_mut()?,
            players: self.player.as_slice_mut()?,
            rewards: self.rewards.as_slice_mut()?,
            terminated: self.terminated.as_slice_mut()?,
            truncated: self.truncated.as_slice_mut()?,
            last,
        })
    }
}

#[pymethods]
impl PyVectorEnvironment {
    #[new]
    #[pyo3(signature = (game, num_envs, observation, packed, one_action, zero_sum, autoreset, step_limit))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        game: &PyGame,
        num_envs: usize,
        observation: &str,
        packed: bool,
        one_action: Option<bool>,
        zero_sum: bool,
        autoreset: &str,
        step_limit: Option<u32>,
    ) -> PyResult<Self> {
        let observation = match observation {
            "none" => Observation::None,
            "fluents" => Observation::Fluents,
            "planes" => Observation::Planes(game.plane_layout(py)?),
            _ => {
                let text = "observation must be 'planes', 'fluents' or 'none'";
                return Err(PyValueError::new_err(text));
            }
        };
        let options = EnvironmentOptions {
            environments: num_envs,
            observation,
            packed,
            one_action,
            rewards: match zero_sum {
                true => RewardScale::ZeroSum,
                false => RewardScale::Unit,
            },
            autoreset: match autoreset {
                "next_step" => Autoreset::NextStep,
                "same_step" => Autoreset::SameStep,
                "disabled" => Autoreset::Disabled,
                _ => {
                    let text = "autoreset must be 'next_step', 'same_step' or 'disabled'";
                    return Err(PyValueError::new_err(text));
                }
            },
            step_limit,
        };
        let made = py.detach(|| VectorEnvironment::new(&**game.engine().lock(), options));
        let games = made.map_err(|error| errors::error(py, error))?;
        Ok(Self {
            games: Mutex::new(games),
        })
    }

    /// The number of actions that a game takes per step: 1, or the number of roles.
    #[getter]
    fn slots(&self) -> usize {
        self.games.lock().shape().slots
    }

    /// The number of bits of an observation, and of a mask.
    #[getter]
    fn bits(&self) -> (usize, usize) {
        let games = self.games.lock();
        (games.shape().observation_bits, games.shape().actions)
    }

    /// Begins new games where `chosen` is not 0, or in all.
    fn reset(
        &self,
        py: Python<'_>,
        chosen: Option<PyReadonlyArrayDyn<'_, u8>>,
        mut buffers: Buffers<'_>,
    ) -> PyResult<()> {
        let chosen = chosen
            .as_ref()
            .map(|chosen| chosen.as_slice())
            .transpose()?;
        let mut out = buffers.slices()?;
        let done = py.detach(|| self.games.lock().reset(chosen, &mut out));
        done.map_err(|error| errors::error(py, error))
    }

    /// Takes a step in every game.
    fn step(
        &self,
        py: Python<'_>,
        actions: PyReadonlyArrayDyn<'_, i32>,
        mut buffers: Buffers<'_>,
    ) -> PyResult<()> {
        let actions = actions.as_slice()?;
        let mut out = buffers.slices()?;
        let done = py.detach(|| self.games.lock().step(actions, &mut out));
        done.map_err(|error| errors::error(py, error))
    }

    /// Writes the words of all states.
    fn states(&self, py: Python<'_>, mut out: PyReadwriteArrayDyn<'_, u64>) -> PyResult<()> {
        let out = out.as_slice_mut()?;
        let done = py.detach(|| self.games.lock().states(out));
        done.map_err(|error| errors::error(py, error))
    }

    /// Puts states into some games.
    fn set_states(
        &self,
        py: Python<'_>,
        chosen: PyReadonlyArrayDyn<'_, u32>,
        states: PyReadonlyArrayDyn<'_, u64>,
        mut buffers: Buffers<'_>,
    ) -> PyResult<()> {
        let (chosen, states) = (chosen.as_slice()?, states.as_slice()?);
        let mut out = buffers.slices()?;
        let done = py.detach(|| self.games.lock().set_states(chosen, states, &mut out));
        done.map_err(|error| errors::error(py, error))
    }
}

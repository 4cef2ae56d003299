//! Agents that search.

use crate::errors;
use crate::game::PyGame;
use crate::state::PyState;
use gdl_agent::agents::Agent;
use gdl_agent::player::Turn;
use gdl_agent::player::search_player::SearchPlayer;
use gdl_agent::search::{SearchBudget, SearchLimits, SearchReport, SearchResult};
use gdl_runtime::engine::{Move, Position, State};
use gdl_runtime::stop_flag::StopFlag;
use parking_lot::Mutex;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::time::Duration;

/// The maximum number of rounds of a variation.
const LONGEST_VARIATION: usize = 40;

/// Reads the text of an agent.
pub(crate) fn parse_agent(py: Python<'_>, text: &str) -> PyResult<Agent> {
    text.parse().map_err(|error| errors::error(py, error))
}

/// The shortest text of an agent: parameters that have their default values are left out.
#[pyfunction]
pub(crate) fn canonical_agent(py: Python<'_>, text: &str) -> PyResult<String> {
    parse_agent(py, text).map(|agent| agent.to_string())
}

/// A player of one game, which keeps what its searches have found.
#[pyclass(frozen, module = "gdl._gdl", name = "Player")]
pub(crate) struct PyPlayer {
    game: Py<PyGame>,
    player: Mutex<SearchPlayer>,
    stop: StopFlag,
}

/// What a search has found.
struct Found {
    result: SearchResult,
    /// The joint moves that are expected to follow.
    variation: Vec<Vec<Move>>,
}

#[pymethods]
impl PyPlayer {
    #[new]
    fn new(
        py: Python<'_>,
        game: Py<PyGame>,
        agent: &str,
        seed: u64,
        memory: usize,
    ) -> PyResult<Self> {
        let agent = parse_agent(py, agent)?;
        let limits = SearchLimits {
            memory,
            ..SearchLimits::default()
        };
        let shared = game.get();
        let player = py.detach(|| {
            let engine = shared.engine().lock();
            agent
                .check_files(&**engine)
                .map_err(|error| error.to_string())?;
            agent
                .search_player(&**engine, limits, seed)
                .ok_or_else(|| format!("{agent} does not search"))
        });
        let player = player.map_err(|error| errors::error(py, error))?;
        Ok(Self {
            stop: player.stop_flag(),
            player: Mutex::new(player),
            game,
        })
    }

    /// Searches a state for a role within a budget, exactly one of which is given, and returns
    /// the fields of `gdl.SearchResult`.
    fn search<'py>(
        &self,
        py: Python<'py>,
        state: &PyState,
        role: usize,
        sims: Option<u64>,
        seconds: Option<f64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        if !state.owner().is(&self.game) {
            return Err(PyValueError::new_err("the state is of another game"));
        }
        let budget = match (sims, seconds) {
            (Some(sims), None) => SearchBudget::Simulations(sims),
            (None, Some(seconds)) => {
                let time = Duration::try_from_secs_f64(seconds);
                SearchBudget::within(
                    time.map_err(|error| PyValueError::new_err(error.to_string()))?,
                )
            }
            _ => return Err(PyValueError::new_err("give either sims or time")),
        };
        let position = state.position();
        let legal = position.legal.get(role).map_or(0, Vec::len);
        if position.terminal || legal == 0 {
            return Err(errors::error(
                py,
                "there is nothing to search: no legal move, or the game is over",
            ));
        }
        let found = self.run(py, state.engine_state(), position, role, budget)?;
        self.fields(py, &found)
    }
}

impl PyPlayer {
    fn run(
        &self,
        py: Python<'_>,
        state: &State,
        position: &Position,
        role: usize,
        budget: SearchBudget,
    ) -> PyResult<Found> {
        let mut interrupted = Ok(());
        let found = py.detach(|| {
            let mut player = self.player.lock();
            self.stop.clear();
            let mut watch = |_: &SearchReport| {
                interrupted = Python::attach(|py| py.check_signals());
                if interrupted.is_err() {
                    self.stop.raise();
                }
            };
            if position.legal[role].len() > 1 {
                player.ponder(state, role, budget, &mut watch);
            }
            self.result(&player, state, position, role)
                .map(|result| Found {
                    variation: self.variation(&player, state),
                    result,
                })
        });
        interrupted?;
        found.ok_or_else(|| errors::error(py, "no role can move"))
    }

    /// What a player knows of a state.
    fn result(
        &self,
        player: &SearchPlayer,
        state: &State,
        position: &Position,
        role: usize,
    ) -> Option<SearchResult> {
        let engine = self.game.get().engine().lock();
        let turn = Turn {
            engine: &**engine,
            role,
            state,
            position,
            budget: SearchBudget::Simulations(0),
        };
        player.result(&turn).ok()
    }

    /// The joint moves that are expected to follow: in every state the best known move of
    /// every role, as far as the tree reaches.
    fn variation(&self, player: &SearchPlayer, state: &State) -> Vec<Vec<Move>> {
        let engine = || self.game.get().engine().lock();
        let mut state = state.clone();
        let mut rounds = Vec::new();
        while rounds.len() < LONGEST_VARIATION {
            let position = engine().examine(&state);
            if position.terminal {
                break;
            }
            let best = |(role, legal): (usize, &Vec<Move>)| match legal[..] {
                [] => None,
                [only] => Some(only),
                _ => {
                    let result = self.result(player, &state, &position, role)?;
                    result
                        .evaluation()
                        .filter(|known| known.visits > 0)
                        .map(|known| known.mv)
                }
            };
            let Some(joint) = position
                .legal
                .iter()
                .enumerate()
                .map(best)
                .collect::<Option<Vec<Move>>>()
            else {
                break;
            };
            state = engine().next(&state, &joint);
            rounds.push(joint);
        }
        rounds
    }

    fn fields<'py>(&self, py: Python<'py>, found: &Found) -> PyResult<Bound<'py, PyDict>> {
        let evaluations = &found.result.evaluations;
        let report = &found.result.report;
        let fields = PyDict::new(py);
        fields.set_item("action", found.result.chosen.0)?;
        fields.set_item(
            "actions",
            evaluations
                .iter()
                .map(|known| known.mv.0)
                .collect::<Vec<u32>>(),
        )?;
        fields.set_item(
            "visits",
            evaluations
                .iter()
                .map(|known| known.visits)
                .collect::<Vec<u32>>(),
        )?;
        fields.set_item(
            "values",
            evaluations
                .iter()
                .map(|known| known.value / 100.0)
                .collect::<Vec<f64>>(),
        )?;
        fields.set_item(
            "proven",
            evaluations
                .iter()
                .map(|known| known.proven)
                .collect::<Vec<bool>>(),
        )?;
        fields.set_item(
            "pruned",
            evaluations
                .iter()
                .map(|known| known.pruned)
                .collect::<Vec<bool>>(),
        )?;
        fields.set_item(
            "variation",
            found
                .variation
                .iter()
                .map(|joint| joint.iter().map(|mv| mv.0).collect())
                .collect::<Vec<Vec<u32>>>(),
        )?;
        fields.set_item("simulations", report.simulations)?;
        fields.set_item("nodes", report.nodes)?;
        fields.set_item("seconds", report.elapsed.as_secs_f64())?;
        Ok(fields)
    }
}

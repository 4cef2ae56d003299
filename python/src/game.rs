//! A loaded game.

use crate::errors;
use gdl_boards::{GameEvidence, StateLayout};
use gdl_environments::{EnvironmentError, PlaneLayout, Rollouts, TurnOrder};
use gdl_runtime::engine::{Engine, Move};
use gdl_runtime::kif::normalise;
use gdl_runtime::layout::Layout;
use gdlc::source::Source;
use numpy::{PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray2};
use parking_lot::Mutex;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::sync::Arc;
use std::time::Duration;

/// The time limit for the random games from which it is inferred how states look.
const SURVEY: Duration = Duration::from_secs(20);

/// A game, loaded into an engine. Made by `gdl.load`.
#[pyclass(frozen, module = "gdl._gdl", name = "Game")]
pub(crate) struct PyGame {
    name: String,
    source: Arc<Source>,
    engine: Mutex<Box<dyn Engine>>,
    layout: Arc<Layout>,
    turns: TurnOrder,
    /// Inferred when it is first needed.
    look: PyOnceLock<Arc<StateLayout>>,
    planes: PyOnceLock<Option<Arc<PlaneLayout>>>,
}

/// The arrays of a rollout: for each state and role the mean goal from 0 to 1 (NaN if no game
/// ended), the number of games that ended, the mean number of moves.
type RolloutArrays<'py> = (
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
);

impl PyGame {
    pub(crate) fn new(
        py: Python<'_>,
        name: &str,
        source: Arc<Source>,
        engine: Box<dyn Engine>,
    ) -> PyResult<Self> {
        let layout = engine
            .layout()
            .ok_or_else(|| errors::error(py, EnvironmentError::NoNumbers(engine.name())))?;
        Ok(Self {
            name: name.to_owned(),
            source,
            engine: Mutex::new(engine),
            turns: TurnOrder::new(&layout),
            layout,
            look: PyOnceLock::new(),
            planes: PyOnceLock::new(),
        })
    }

    pub(crate) fn engine(&self) -> &Mutex<Box<dyn Engine>> {
        &self.engine
    }

    pub(crate) fn source(&self) -> &Arc<Source> {
        &self.source
    }

    pub(crate) fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    pub(crate) fn turns(&self) -> &TurnOrder {
        &self.turns
    }

    /// How states look.
    pub(crate) fn look(&self, py: Python<'_>) -> &StateLayout {
        self.look.get_or_init(py, || {
            py.detach(|| {
                let mut engine = self.engine.lock();
                let evidence = GameEvidence::of_game(&mut **engine, &self.source, SURVEY);
                Arc::new(StateLayout::infer(&evidence))
            })
        })
    }

    /// What is observed as planes.
    pub(crate) fn plane_layout(&self, py: Python<'_>) -> PyResult<Arc<PlaneLayout>> {
        let planes = self.planes.get_or_init(py, || {
            let look = self.look(py);
            PlaneLayout::new(&self.layout, look, &self.turns).map(Arc::new)
        });
        let planes = planes.as_ref().ok_or(EnvironmentError::NoBoard);
        planes.cloned().map_err(|error| errors::error(py, error))
    }

    fn check_role(&self, role: usize) -> PyResult<()> {
        if role < self.layout.roles.len() {
            return Ok(());
        }
        Err(PyIndexError::new_err(format!(
            "{} has no role {role}",
            self.name
        )))
    }
}

#[pymethods]
impl PyGame {
    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The rule sheet.
    #[getter]
    fn rules(&self) -> &str {
        &self.source.text
    }

    /// The engine and its number of lanes.
    #[getter]
    fn engine_name(&self) -> String {
        self.engine.lock().name()
    }

    /// The names of the roles.
    #[getter]
    fn roles(&self) -> Vec<String> {
        self.layout.roles.clone()
    }

    /// The number of actions of each role.
    #[getter]
    fn num_actions(&self) -> Vec<usize> {
        self.layout.moves.iter().map(Vec::len).collect()
    }

    /// The number of 64-bit words of a state.
    #[getter]
    fn state_words(&self) -> usize {
        self.layout.state_words()
    }

    /// Whether the compiler has proved that one role at a time can choose.
    #[getter]
    fn is_turn_based(&self) -> bool {
        self.turns.one_at_a_time
    }

    /// The least and the greatest goal value of each role.
    #[getter]
    fn goal_ranges(&self) -> Vec<(i32, i32)> {
        let values = self.layout.goals.iter().map(|goals| {
            let values = goals.iter().map(|&(value, _)| value);
            (values.clone().min().unwrap_or(0), values.max().unwrap_or(0))
        });
        values.collect()
    }

    /// The fluents as KIF: the bits of states, lowest first.
    fn fluent_names(&self) -> Vec<String> {
        self.layout
            .bases
            .iter()
            .map(|base| base.name.clone())
            .collect()
    }

    /// The actions of a role as KIF.
    fn action_names(&self, role: usize) -> PyResult<Vec<String>> {
        self.check_role(role)?;
        let moves = self.layout.moves[role].iter();
        Ok(moves.map(|mv| mv.name.clone()).collect())
    }

    /// The action of a role that has this name.
    fn action(&self, role: usize, name: &str) -> PyResult<usize> {
        self.check_role(role)?;
        let wanted = normalise(name);
        let mut moves = self.layout.moves[role].iter();
        moves
            .position(|mv| normalise(&mv.name) == wanted)
            .ok_or_else(|| {
                let role = &self.layout.roles[role];
                PyValueError::new_err(format!("{role} has no action {name}"))
            })
    }

    /// What is observed as planes: height, width, for each channel its kind, board, name and
    /// owner, and the fluents that no plane shows.
    #[allow(clippy::type_complexity)]
    fn planes(
        &self,
        py: Python<'_>,
    ) -> PyResult<(
        usize,
        usize,
        Vec<(&'static str, String, String, Option<usize>)>,
        Vec<u32>,
    )> {
        let planes = self.plane_layout(py)?;
        let channels = planes.channels.iter().map(|channel| {
            let (board, name) = (channel.board.clone(), channel.name.clone());
            (channel.kind.name(), board, name, channel.owner)
        });
        Ok((
            planes.height,
            planes.width,
            channels.collect(),
            planes.unseen.clone(),
        ))
    }

    /// Plays `games` random games from every state.
    fn random_rollout<'py>(
        &self,
        py: Python<'py>,
        states: PyReadonlyArray2<'py, u64>,
        games: u32,
        seed: u64,
        step_limit: Option<u32>,
    ) -> PyResult<RolloutArrays<'py>> {
        let (count, roles) = (states.as_array().nrows(), self.layout.roles.len());
        let states = states.as_slice()?;
        let mut interrupted = Ok(());
        let played = py.detach(|| {
            let mut rollouts = Rollouts::new(&**self.engine.lock(), seed);
            rollouts.play(states, games, step_limit, &mut || {
                interrupted = Python::attach(|py| py.check_signals());
                interrupted.is_ok()
            })
        });
        interrupted?;
        let table = played.map_err(|error| errors::error(py, error))?;
        let means = table
            .goals
            .iter()
            .enumerate()
            .map(|(index, &goals)| goals as f64 / 100.0 / table.ended[index / roles] as f64);
        let goals = PyArray1::from_iter(py, means).reshape([count, roles])?;
        let ended = table.ended.iter().map(|&ended| ended as i64);
        let steps = table
            .steps
            .iter()
            .map(|&steps| steps as f64 / f64::from(games));
        Ok((
            goals,
            PyArray1::from_iter(py, ended),
            PyArray1::from_iter(py, steps),
        ))
    }

    /// The move of a role by its number.
    fn action_name(&self, role: usize, action: u32) -> PyResult<String> {
        self.check_role(role)?;
        if (action as usize) < self.layout.moves[role].len() {
            return Ok(self.engine.lock().move_name(role, Move(action)));
        }
        Err(PyIndexError::new_err(format!(
            "there is no action {action}"
        )))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __repr__(&self) -> String {
        format!("<gdl.Game {}: {}>", self.name, self.layout.roles.join(", "))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let restore = py.import("gdl.loading")?.getattr("_restore_game")?;
        Ok((restore, (self.name.clone(), self.source.text.clone())))
    }
}

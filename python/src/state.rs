//! A state of a game.

use crate::errors;
use crate::game::PyGame;
use gdl_boards::svg::SvgOptions;
use gdl_boards::{CellId, Picture};
use gdl_runtime::engine::{Move, Position, State};
use gdl_runtime::layout::Layout;
use numpy::{PyArray1, PyArray3, PyArrayMethods as _};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::OnceLock;

/// A state of a game. It is immutable; equal states compare equal and have the same hash.
#[pyclass(frozen, module = "gdl._gdl", name = "State")]
pub(crate) struct PyState {
    game: Py<PyGame>,
    state: State,
    /// Evaluated when it is first asked for.
    position: OnceLock<Position>,
}

impl PyState {
    pub(crate) fn new(game: Py<PyGame>, state: State) -> Self {
        Self {
            game,
            state,
            position: OnceLock::new(),
        }
    }

    pub(crate) fn engine_state(&self) -> &State {
        &self.state
    }

    pub(crate) fn owner(&self) -> &Py<PyGame> {
        &self.game
    }

    pub(crate) fn position(&self) -> &Position {
        self.position
            .get_or_init(|| self.game.get().engine().lock().examine(&self.state))
    }

    fn legal(&self, role: usize) -> PyResult<&[Move]> {
        let legal = self.position().legal.get(role);
        legal
            .map(Vec::as_slice)
            .ok_or_else(|| PyIndexError::new_err(format!("there is no role {role}")))
    }

    fn facts_in_order(&self) -> Vec<String> {
        self.game.get().engine().lock().facts(&self.state)
    }

    pub(crate) fn picture(&self, py: Python<'_>) -> Picture {
        let facts = self.facts_in_order();
        self.game.get().look(py).picture(&facts)
    }

    /// The roles that can choose.
    fn choosing(&self) -> Vec<usize> {
        let legal = self.position().legal.iter().enumerate();
        legal
            .filter(|(_, legal)| legal.len() > 1)
            .map(|(role, _)| role)
            .collect()
    }

    /// The role whose turn it is; `None` if several can choose.
    fn turn(&self) -> Option<usize> {
        let game = self.game.get();
        let layout = game.layout();
        let competes = |role: usize, mv: &Move| layout.moves[role][mv.0 as usize].choice.is_some();
        match self.choosing()[..] {
            [role] => Some(role),
            [] if game.turns().one_at_a_time => {
                let mut legal = self.position().legal.iter().enumerate();
                let found =
                    legal.position(|(role, legal)| legal.iter().any(|mv| competes(role, mv)));
                let told = || {
                    let fluents = game.turns().fluents.iter();
                    let mut told = fluents
                        .filter(|(fluent, _)| Layout::holds(&self.state.0, *fluent as usize));
                    told.next().map_or(0, |&(_, role)| role)
                };
                Some(found.unwrap_or_else(told))
            }
            _ => None,
        }
    }
}

/// What restores a state: a function and its arguments.
type Pickled<'py> = (Bound<'py, PyAny>, (Py<PyGame>, Vec<u64>));

/// The methods of games that make states: here, since `game.rs` knows nothing of states.
#[pymethods]
impl PyGame {
    /// The initial state.
    fn initial(slf: Py<Self>) -> PyState {
        let state = slf.get().engine().lock().initial();
        PyState::new(slf, state)
    }

    /// The state in which exactly these facts hold.
    fn state(slf: Py<Self>, py: Python<'_>, facts: Vec<String>) -> PyResult<PyState> {
        let state = slf.get().engine().lock().state(&facts);
        let state = state.map_err(|error| errors::error(py, error))?;
        Ok(PyState::new(slf, state))
    }

    /// The state with these words.
    fn state_of_words(slf: Py<Self>, words: Vec<u64>) -> PyResult<PyState> {
        let layout = slf.get().layout();
        let bits = layout.bases.len();
        let beyond = words
            .last()
            .filter(|_| !bits.is_multiple_of(64))
            .map_or(0, |word| word >> (bits % 64));
        if words.len() != layout.state_words() || beyond != 0 {
            return Err(PyValueError::new_err(
                "these are not the words of a state of this game",
            ));
        }
        Ok(PyState::new(slf, State(words.into())))
    }
}

#[pymethods]
impl PyState {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<PyGame> {
        self.game.clone_ref(py)
    }

    /// The words: bit `i % 64` of word `i // 64` is fluent `i`.
    #[getter]
    fn words<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        PyArray1::from_slice(py, &self.state.0)
    }

    /// The facts as KIF, sorted.
    #[getter]
    fn facts(&self) -> Vec<String> {
        self.facts_in_order()
    }

    /// Whether the game is over.
    #[getter]
    fn is_terminal(&self) -> bool {
        self.position().terminal
    }

    /// For every role the goal values that hold, 0 to 100, ascending: usually one.
    #[getter]
    fn goals(&self) -> Vec<Vec<i32>> {
        self.position().goals.clone()
    }

    /// For every role its goal, from 0 to 1: the highest that holds.
    #[getter]
    fn returns(&self) -> Vec<f64> {
        let goals = self.position().goals.iter();
        goals
            .map(|goals| f64::from(goals.last().copied().unwrap_or(0)) / 100.0)
            .collect()
    }

    /// The role whose turn it is; -1 if several roles can choose.
    #[getter]
    fn current_player(&self) -> i64 {
        self.turn().map_or(-1, |role| role as i64)
    }

    /// The legal actions of a role, ascending; those of the current player by default.
    #[pyo3(signature = (role=None))]
    fn legal_actions(&self, role: Option<usize>) -> PyResult<Vec<u32>> {
        let role = role.or_else(|| self.turn());
        let role =
            role.ok_or_else(|| PyValueError::new_err("it is no single role's turn: which role?"))?;
        let mut actions: Vec<u32> = self.legal(role)?.iter().map(|mv| mv.0).collect();
        actions.sort_unstable();
        Ok(actions)
    }

    /// The state after these actions, one for every role; or, in a game in which one role at
    /// a time can choose, after one of the current player.
    fn next(slf: PyRef<'_, Self>, actions: Vec<u32>) -> PyResult<Self> {
        let py = slf.py();
        if slf.position().terminal {
            return Err(errors::error(py, "the game is over"));
        }
        let roles = slf.position().legal.len();
        let actions = match (&actions[..], slf.turn()) {
            (&[action], Some(turn)) if roles != 1 => {
                let only = |(role, legal): (usize, &Vec<Move>)| match role == turn {
                    true => Some(action),
                    false => legal.first().map(|mv| mv.0),
                };
                let legal = slf.position().legal.iter().enumerate();
                legal.map(only).collect::<Option<Vec<u32>>>()
            }
            _ => Some(actions),
        };
        let actions = actions.ok_or_else(|| errors::error(py, "a role has no legal move"))?;
        if actions.len() != roles {
            let text = format!("{} actions for {roles} roles", actions.len());
            return Err(PyValueError::new_err(text));
        }
        let joint: Vec<Move> = actions.into_iter().map(Move).collect();
        let game = slf.game.get();
        for (role, mv) in joint.iter().enumerate() {
            if !slf.legal(role)?.contains(mv) {
                let role = &game.layout().roles[role];
                return Err(errors::error(
                    py,
                    format!("{role} cannot play action {}", mv.0),
                ));
            }
        }
        let state = game.engine().lock().next(&slf.state, &joint);
        Ok(Self::new(slf.game.clone_ref(py), state))
    }

    /// The fluents, a byte each.
    fn fluents<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let count = self.game.get().layout().bases.len();
        PyArray1::from_iter(
            py,
            (0..count).map(|fluent| u8::from(Layout::holds(&self.state.0, fluent))),
        )
    }

    /// The planes: channels, height, width.
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let planes = self.game.get().plane_layout(py)?;
        let holds = |fluent: &Option<u32>| {
            fluent.is_some_and(|fluent| Layout::holds(&self.state.0, fluent as usize))
        };
        let bits = planes.fluents.iter().map(|fluent| u8::from(holds(fluent)));
        PyArray1::from_iter(py, bits).reshape([planes.channels.len(), planes.height, planes.width])
    }

    /// The state as text.
    fn text(&self, py: Python<'_>) -> String {
        self.game.get().look(py).text(&self.picture(py))
    }

    /// The state as SVG; the cells that `moves` name are marked as those of the last move.
    #[pyo3(signature = (moves=Vec::new(), with_style=true))]
    #[allow(clippy::needless_pass_by_value)]
    fn svg(&self, py: Python<'_>, moves: Vec<String>, with_style: bool) -> String {
        let look = self.game.get().look(py);
        let mut options = SvgOptions {
            title: self.game.get().layout().name.clone(),
            without_style: !with_style,
            ..SvgOptions::default()
        };
        let named = moves.iter().flat_map(|mv| look.cells_of_move(mv));
        let cells: Vec<CellId> = named.filter(|cells| cells.len() == 1).flatten().collect();
        options.overlay.last_move = cells;
        look.svg(&self.picture(py), &options)
    }

    fn _repr_svg_(&self, py: Python<'_>) -> String {
        self.svg(py, Vec::new(), true)
    }

    fn __str__(&self, py: Python<'_>) -> String {
        self.text(py)
    }

    fn __repr__(&self) -> String {
        format!("<gdl.State {}>", self.facts_in_order().join(" "))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            let games = (self.game.get(), other.game.get());
            let same_game = self.game.is(&other.game) || games.0.layout() == games.1.layout();
            same_game && self.state == other.state
        })
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.state.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let restore = py.import("gdl.loading")?.getattr("_restore_state")?;
        Ok((restore, (self.game.clone_ref(py), self.state.0.to_vec())))
    }
}

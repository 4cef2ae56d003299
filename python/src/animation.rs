//! Matches as animated drawings.

use crate::game::PyGame;
use crate::state::PyState;
use gdl_boards::svg::{Overlay, StripPicture, SvgOptions, animation};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The states of a game one after another, each with the moves that led to it and a caption.
#[pyfunction]
pub(crate) fn animate(
    py: Python<'_>,
    game: &PyGame,
    states: Vec<PyRef<'_, PyState>>,
    moves: Vec<Vec<String>>,
    captions: Vec<String>,
    seconds: f64,
) -> PyResult<String> {
    if states.is_empty() || states.len() != moves.len() || states.len() != captions.len() {
        let text = "an animation needs states, and moves and a caption for each";
        return Err(PyValueError::new_err(text));
    }
    let look = game.look(py);
    let mut pictures: Vec<StripPicture> = Vec::with_capacity(states.len());
    for ((state, moves), caption) in states.iter().zip(&moves).zip(captions) {
        let picture = state.picture(py);
        let overlay = match pictures.last() {
            None => Overlay::default(),
            Some(before) => Overlay::of_moves(look, &before.picture, &picture, moves),
        };
        pictures.push(StripPicture {
            caption,
            options: SvgOptions {
                overlay,
                ..SvgOptions::default()
            },
            picture,
        });
    }
    Ok(animation(look, &pictures, &game.layout().name, seconds))
}

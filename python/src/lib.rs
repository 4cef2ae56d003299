//! The part of the Python package `gdl` that is written in Rust.
//!
//! The module `gdl._gdl` is private: what users see is `python/gdl`, which wraps it. Errors
//! become `gdl.GdlError`. The interpreter lock is released while games advance.

// PyO3 passes many arguments by value.
#![allow(clippy::needless_pass_by_value)]
// As a path, `Python::check_signals` has one fixed lifetime; a closure works for any.
#![allow(clippy::redundant_closure_for_method_calls)]

mod animation;
mod batch;
mod contest;
mod errors;
mod game;
mod load;
mod merging;
mod player;
mod sampling;
mod serve;
mod state;
mod terms;
mod tournament;
mod vector;

use pyo3::prelude::*;

/// The module `gdl._gdl`.
#[pymodule(name = "_gdl")]
mod module {
    #[pymodule_export]
    use crate::animation::animate;
    #[pymodule_export]
    use crate::batch::PyBatchSearch;
    #[pymodule_export]
    use crate::contest::contest;
    #[pymodule_export]
    use crate::game::PyGame;
    #[pymodule_export]
    use crate::load::{builtin_games, load};
    #[pymodule_export]
    use crate::merging::merge_searches;
    #[pymodule_export]
    use crate::player::{PyPlayer, canonical_agent};
    #[pymodule_export]
    use crate::sampling::sample;
    #[pymodule_export]
    use crate::serve::PyServer;
    #[pymodule_export]
    use crate::state::PyState;
    #[pymodule_export]
    use crate::terms::parse_term;
    #[pymodule_export]
    use crate::tournament::{PyBatchPlayer, PyTournament};
    #[pymodule_export]
    use crate::vector::PyVectorEnvironment;
}

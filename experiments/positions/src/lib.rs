//! Positions whose values are known by exhaustive search.
//!
//! `positions.jsonl` beside these sources holds the set, and `cargo run --release -p
//! gdl-positions` makes it again. `cargo bench --bench positions` evaluates searches by it.
//!
//! - [`position_set`]: the file.
//! - [`classes`]: the games and depths that it is made of.
//! - [`game_tree`]: states, their successors, and states by the moves that led to them.
//! - [`two_roles`] and [`several_roles`]: the solvers, behind [`solution`].
//! - [`maker`]: puts it all together; [`sampling`]: games that reach positions of some interest.

pub mod classes;
pub mod game_tree;
pub mod maker;
pub mod position_set;
pub mod sampling;
pub mod several_roles;
pub mod solution;
pub mod two_roles;
mod value_table;

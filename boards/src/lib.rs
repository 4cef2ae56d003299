//! Boards of games.

mod evidence;
mod flat_term;
mod infer;
mod layout;
mod picture;
mod piece;
pub mod svg;
mod text;

pub use evidence::GameEvidence;
pub use layout::{AxisLabel, BoardLayout, Cell, CellId, Geometry, StateLayout};
pub use picture::{BoardPicture, CellContent, Counter, Link, Picture, Turn};
pub use piece::{Piece, PieceColour, Sign};

//! Boards of games: infers from the rules of any game of the Game Description Language how
//! its states look, and draws them.
//!
//! 1. [`GameEvidence`] collects what is known of a game: states with their legal moves,
//!    from an engine or from records, and the static facts of the rules.
//! 2. [`StateLayout::infer`] turns it into a layout, once for each game: boards with cells
//!    at positions, and what each kind of fluent means.
//! 3. [`StateLayout::picture`] puts the facts of a state on the boards.
//! 4. [`StateLayout::text`] and [`StateLayout::svg`] draw the picture; layouts and pictures
//!    are also data (`serde::Serialize`), for pages that draw themselves.
//!
//! [`StateLayout::cells_of_move`] says which cells a move names, in order: pages match them
//! with what was clicked, and draw arrows between them. For observations as planes, take a
//! board's [`pieces`](BoardLayout::pieces) as planes, and the
//! [`column`](Cell::column) and [`row`](Cell::row) of each cell.
//!
//! ```
//! use gdl_boards::svg::SvgOptions;
//! use gdl_boards::{GameEvidence, Geometry, StateLayout};
//!
//! let facts = |facts: &[&str]| facts.iter().map(|&fact| fact.to_owned()).collect::<Vec<_>>();
//! let start = facts(&["(cell 1 1 b)", "(cell 1 2 b)", "(cell 2 1 b)", "(cell 2 2 b)", "(control x)"]);
//! let moves = [facts(&["(mark 1 1)", "(mark 1 2)", "(mark 2 1)", "(mark 2 2)"]), facts(&["noop"])];
//!
//! let mut evidence = GameEvidence::new(&facts(&["x", "o"]));
//! evidence.add_state(&start, &moves, &[]);
//! let layout = StateLayout::infer(&evidence);
//! assert_eq!(layout.boards[0].geometry, Geometry::Squares);
//!
//! let later = facts(&["(cell 1 1 x)", "(cell 1 2 b)", "(cell 2 1 b)", "(cell 2 2 b)", "(control o)"]);
//! let picture = layout.picture(&later);
//! assert_eq!(layout.text(&picture), "2  . .\n1  x .\n   1 2\no to move\n");
//! assert!(layout.svg(&picture, &SvgOptions::default()).starts_with("<svg"));
//!
//! let [cells] = &layout.cells_of_move("(mark 1 1)")[..] else { panic!() };
//! assert_eq!(layout.cell_at(cells[0]).coordinates, ["1", "1"]);
//! ```

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
pub use picture::{BoardPicture, CellContent, CellLink, Counter, Picture, RoleTurn};
pub use piece::{Piece, PieceColour, PieceSign};

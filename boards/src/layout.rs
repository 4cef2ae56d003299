//! How the states of a game are laid out: inferred once for each game.

use crate::flat_term::FlatTerm;
use crate::piece::{Palette, Piece};
use serde::Serialize;
use std::collections::BTreeMap;

/// How the states of a game look: which boards there are, and what each kind of fluent and
/// move means on them.
///
/// It is inferred by [`StateLayout::infer`], and turns states into pictures by
/// [`StateLayout::picture`].
#[derive(Debug, Clone, Default, Serialize)]
pub struct StateLayout {
    /// The roles, in the order of the rules.
    pub roles: Vec<String>,
    /// The boards, in the order in which they are drawn.
    pub boards: Vec<BoardLayout>,
    /// What the fluents of each skeleton mean; those that are absent are shown nowhere.
    #[serde(skip)]
    pub(crate) relations: BTreeMap<String, RelationMeaning>,
    /// Which cells the moves of each skeleton name.
    #[serde(skip)]
    pub(crate) moves: BTreeMap<String, Vec<NamedCell>>,
    /// The cells by their coordinates in lower case, for each group of boards.
    #[serde(skip)]
    pub(crate) index: Vec<BTreeMap<Vec<String>, CellId>>,
}

/// A board: cells at positions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BoardLayout {
    /// What distinguishes it from the other boards: its relation, with the value of the
    /// coordinate that chooses the board if there is one.
    pub name: String,
    /// The shape of the cells.
    pub geometry: Geometry,
    /// The cells, row by row from the top, and from the left in each row.
    pub cells: Vec<Cell>,
    /// The number of columns; the column of every cell is below it.
    pub columns: u32,
    /// The number of rows.
    pub rows: u32,
    /// Labels below the board.
    pub column_labels: Vec<AxisLabel>,
    /// Labels to the left of the board.
    pub row_labels: Vec<AxisLabel>,
    /// Pairs of cells, by index, that are joined by a line; only for [`Geometry::Points`].
    pub lines: Vec<(u32, u32)>,
    /// Whether [`CellLink`](crate::CellLink)s join the lower left corners of the cells that they
    /// name, as in dots and boxes; otherwise they join the centres.
    pub links_join_corners: bool,
    /// The kinds of pieces that were seen, in a fixed order, without those that stand for
    /// an empty cell: the planes of an observation.
    pub pieces: Vec<Piece>,
}

/// The shape of a board's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Geometry {
    /// Unit squares around their positions.
    Squares,
    /// Hexagons with a vertex at the top, whose centres are one unit apart.
    Hexagons,
    /// Points, which may be joined by lines.
    Points,
}

/// A cell of a board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// The words that name it in fluents, in the order of the fluents that put pieces on
    /// it.
    pub coordinates: Vec<String>,
    /// The horizontal position of its centre, to the right, in widths of a cell.
    pub x: f64,
    /// The vertical position of its centre, downwards, in widths of a cell.
    pub y: f64,
    /// Its column, from 0 at the left.
    pub column: u32,
    /// Its row, from 0 at the top.
    pub row: u32,
    /// Whether only its lower left corner is part of the board.
    pub is_corner: bool,
}

/// The name of a column or a row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AxisLabel {
    /// The value of the coordinate.
    pub text: String,
    /// The position of the column or row, in widths of a cell.
    pub at: f64,
}

/// A cell of some board, by position in [`StateLayout::boards`] and [`BoardLayout::cells`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct CellId {
    /// The board.
    pub board: usize,
    /// The cell.
    pub cell: usize,
}

/// What the fluents of one skeleton mean.
#[derive(Debug, Clone)]
pub(crate) enum RelationMeaning {
    /// Something is on a cell.
    Stand {
        /// The group of boards.
        group: usize,
        /// The slots that name the cell.
        key: Vec<usize>,
        /// The other slots, which say what it is.
        content: Vec<usize>,
        /// What it looks like.
        palette: Palette,
        /// Whether it is the cell's piece; otherwise it is marked beside the piece.
        is_piece: bool,
    },
    /// Something lies between two cells.
    Link {
        /// The group of boards.
        group: usize,
        /// The slots that name one cell.
        from: Vec<usize>,
        /// The slots that name the other.
        to: Vec<usize>,
        /// The other slots.
        content: Vec<usize>,
        /// What it looks like.
        palette: Palette,
    },
    /// It is a role's turn.
    Turn {
        /// The slot of the role.
        role: usize,
        /// The other slots.
        detail: Vec<usize>,
    },
    /// A value of the whole game, or of each role or thing.
    Counter {
        /// What it belongs to.
        label: Vec<usize>,
        /// The slots of the value; none if the fluent is a flag.
        value: Vec<usize>,
    },
}

/// A cell, or a line of cells, that a move names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedCell {
    pub(crate) group: usize,
    /// For each coordinate, the slot of the move that names it; `None` for any value.
    pub(crate) slots: Vec<Option<usize>>,
}

impl StateLayout {
    /// The cells that a move names, in the order in which it names them.
    ///
    /// Each entry is one name: mostly a single cell, but all cells of a column where the
    /// move names no more than that, as in connect four. A piece that moves from one cell
    /// to another has two entries; a move that names no cell has none. A page can offer
    /// the moves whose first entries contain the cells clicked so far.
    #[must_use]
    pub fn cells_of_move(&self, mv: &str) -> Vec<Vec<CellId>> {
        let Some(flat) = FlatTerm::parse(mv) else {
            return Vec::new();
        };
        let named = self.moves.get(&flat.skeleton).into_iter().flatten();
        let cells = named.map(|named| self.named_cells(named, &flat.words));
        cells.filter(|cells| !cells.is_empty()).collect()
    }

    /// The cells that the words of a move name.
    pub(crate) fn named_cells(&self, named: &NamedCell, words: &[String]) -> Vec<CellId> {
        let wanted: Vec<Option<String>> = named
            .slots
            .iter()
            .map(|slot| {
                slot.and_then(|slot| words.get(slot))
                    .map(|word| word.to_lowercase())
            })
            .collect();
        if let Some(key) = wanted.iter().cloned().collect::<Option<Vec<String>>>() {
            return self.index[named.group]
                .get(&key)
                .copied()
                .into_iter()
                .collect();
        }
        let fits = |key: &[String]| {
            let pairs = wanted.iter().zip(key);
            pairs
                .into_iter()
                .all(|(wanted, own)| wanted.as_ref().is_none_or(|word| word == own))
        };
        let entries = self.index[named.group].iter();
        entries
            .filter(|(key, _)| fits(key))
            .map(|(_, &cell)| cell)
            .collect()
    }

    /// The cell of a group of boards that these words name.
    pub(crate) fn cell(&self, group: usize, words: &[&str]) -> Option<CellId> {
        let key: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        self.index[group].get(&key).copied()
    }

    /// A cell's position and coordinates.
    ///
    /// # Panics
    /// If the layout has no such cell.
    #[must_use]
    pub fn cell_at(&self, id: CellId) -> &Cell {
        &self.boards[id.board].cells[id.cell]
    }
}

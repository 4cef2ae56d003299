//! Pieces: what stands on a cell, and the sign and colour by which people know it.

mod colour;
mod name;
mod palette;

pub use colour::PieceColour;
pub(crate) use palette::{Palette, PaletteFacts};

use serde::Serialize;

/// Something on a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Piece {
    /// The words of the fluent that are not coordinates, or the name of the relation if
    /// there are none.
    pub name: String,
    /// A short text that no piece of another name on the board has.
    pub symbol: String,
    /// What is drawn.
    pub sign: PieceSign,
    /// In which colour.
    pub colour: PieceColour,
    /// The role to which it belongs, by position, if its name says so.
    pub owner: Option<usize>,
}

/// What is drawn for a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceSign {
    /// A chess king.
    King,
    /// A chess queen.
    Queen,
    /// A chess rook.
    Rook,
    /// A chess bishop.
    Bishop,
    /// A chess knight.
    Knight,
    /// A chess pawn.
    Pawn,
    /// A piece of draughts.
    Man,
    /// A crowned piece of draughts.
    CrownedMan,
    /// A disc or stone, of which nothing but the colour matters.
    Disc,
    /// An X.
    Cross,
    /// An O.
    Nought,
    /// A cell that is filled: a wall, a block, a burnt field.
    Block,
    /// A number or a short word, written on the cell as it is.
    Text,
    /// Letters on a token.
    Token,
    /// A bar at the upper edge of the cell.
    BarTop,
    /// A bar at the right edge.
    BarRight,
    /// A bar at the lower edge.
    BarBottom,
    /// A bar at the left edge.
    BarLeft,
}

impl PieceSign {
    /// Whether it is a bar at one side of a cell.
    #[must_use]
    pub const fn is_bar(self) -> bool {
        matches!(
            self,
            Self::BarTop | Self::BarRight | Self::BarBottom | Self::BarLeft
        )
    }
}

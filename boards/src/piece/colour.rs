//! Colours of pieces.

use serde::Serialize;

/// The colour of a piece. Each is a CSS variable in the drawing, so that pages can change
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum PieceColour {
    White,
    Black,
    Red,
    Blue,
    Green,
    Yellow,
    Orange,
    Purple,
    Pink,
    Teal,
    Brown,
    Grey,
}

/// Words for colours, in lower case.
const WORDS: &[(&str, PieceColour)] = &[
    ("white", PieceColour::White),
    ("light", PieceColour::White),
    ("silver", PieceColour::White),
    ("black", PieceColour::Black),
    ("dark", PieceColour::Black),
    ("red", PieceColour::Red),
    ("blue", PieceColour::Blue),
    ("green", PieceColour::Green),
    ("yellow", PieceColour::Yellow),
    ("gold", PieceColour::Yellow),
    ("orange", PieceColour::Orange),
    ("purple", PieceColour::Purple),
    ("violet", PieceColour::Purple),
    ("pink", PieceColour::Pink),
    ("magenta", PieceColour::Pink),
    ("teal", PieceColour::Teal),
    ("cyan", PieceColour::Teal),
    ("turquoise", PieceColour::Teal),
    ("brown", PieceColour::Brown),
    ("grey", PieceColour::Grey),
    ("gray", PieceColour::Grey),
];

impl PieceColour {
    /// The colours of pieces whose names say none, in the order in which they are assigned.
    pub(super) const SPARE: [Self; 8] = [
        Self::Blue,
        Self::Red,
        Self::Green,
        Self::Purple,
        Self::Orange,
        Self::Teal,
        Self::Pink,
        Self::Brown,
    ];

    /// The colour that a word in lower case means.
    pub(super) fn of_word(word: &str) -> Option<Self> {
        let exact = WORDS.iter().find(|(name, _)| *name == word);
        exact.map(|&(_, colour)| colour)
    }

    /// The colour with which a word begins, and the rest of the word.
    pub(super) fn split_word(word: &str) -> Option<(Self, &str)> {
        let found = WORDS
            .iter()
            .find_map(|&(name, colour)| word.strip_prefix(name).map(|rest| (colour, rest)));
        found.filter(|(_, rest)| rest.len() != 1)
    }

    /// Its name, which ends the names of its CSS variables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
            Self::Red => "red",
            Self::Blue => "blue",
            Self::Green => "green",
            Self::Yellow => "yellow",
            Self::Orange => "orange",
            Self::Purple => "purple",
            Self::Pink => "pink",
            Self::Teal => "teal",
            Self::Brown => "brown",
            Self::Grey => "grey",
        }
    }
}

//! The games and depths of the set.

use std::ops::RangeInclusive;

/// Positions of one game at one stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionClass {
    /// The name.
    pub name: &'static str,
    /// The rule sheet, relative to the root of the repository.
    pub sheet: &'static str,
    /// The number of cells of its board.
    pub cells: u32,
    /// The numbers of empty cells.
    pub empty: RangeInclusive<u32>,
    /// The number of positions for each number of empty cells.
    pub each: usize,
    /// The number of candidates for each position, of which the one that takes most states
    /// to solve is kept: in many others the right move wins within a few moves. Fewer
    /// where solving takes long.
    pub candidates: usize,
}

const CONNECT_FOUR: &str = "games/connect_four.kif";

/// All classes.
pub const CLASSES: [PositionClass; 8] = [
    PositionClass {
        name: "tictactoe",
        sheet: "games/tictactoe.kif",
        cells: 9,
        empty: 3..=7,
        each: 4,
        candidates: 4,
    },
    PositionClass {
        name: "trio",
        sheet: "experiments/positions/games/trio.kif",
        cells: 16,
        empty: 4..=7,
        each: 6,
        candidates: 4,
    },
    PositionClass {
        name: "connect_four 8-14",
        sheet: CONNECT_FOUR,
        cells: 42,
        empty: 8..=14,
        each: 4,
        candidates: 4,
    },
    PositionClass {
        name: "connect_four 15-20",
        sheet: CONNECT_FOUR,
        cells: 42,
        empty: 15..=20,
        each: 4,
        candidates: 4,
    },
    PositionClass {
        name: "connect_four 21-26",
        sheet: CONNECT_FOUR,
        cells: 42,
        empty: 21..=26,
        each: 4,
        candidates: 2,
    },
    PositionClass {
        name: "othello 8-14",
        sheet: "games/othello.kif",
        cells: 64,
        empty: 8..=14,
        each: 4,
        candidates: 1,
    },
    PositionClass {
        name: "breakthrough 5x5",
        sheet: "experiments/positions/games/breakthrough_5x5.kif",
        cells: 25,
        empty: 8..=15,
        each: 3,
        candidates: 2,
    },
    PositionClass {
        name: "breakthrough 6x5",
        sheet: "experiments/positions/games/breakthrough_6x5.kif",
        cells: 30,
        empty: 12..=19,
        each: 3,
        candidates: 1,
    },
];

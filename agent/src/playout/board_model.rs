//! The board of a game, derived from the names of its fluents and moves.
//!
//! Input: names such as `(cell a 1 white_pawn)` and `(move a 1 a 2)`. Output: which
//! fluent puts which piece on which cell, and from where to where moves go.
//!
//! No word is known in advance. A relation describes a board if some of its arguments,
//! one or two in a row, reappear in the names of moves, and if no two of its fluents
//! that hold initially differ only in the other arguments.

use std::collections::BTreeMap;

use gdl_runtime::kif;
use gdl_runtime::layout::Layout;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

/// A piece on a cell, both by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stand {
    pub(super) cell: u32,
    pub(super) piece: u32,
}

/// The cells a move names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Travel {
    /// Where it begins, if it names more than one cell: the first one.
    pub(super) from: Option<u32>,
    /// Where it ends: the last cell it names.
    pub(super) to: u32,
}

/// Cells, pieces and moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BoardModel {
    pub(super) cells: usize,
    /// The words that distinguish pieces. An empty cell is not a piece.
    pub(super) pieces: Vec<String>,
    /// By fluent; `None` for those that put no piece anywhere.
    pub(super) stands: Vec<Option<Stand>>,
    /// By role and move; `None` for moves that name no cell.
    pub(super) travels: Vec<Vec<Option<Travel>>>,
}

type Set<'a> = IndexSet<&'a [&'a str], FxBuildHasher>;

/// The words of a fluent or move.
type Words<'a> = Vec<&'a str>;

/// The minimum number of cells of a board.
const LEAST_CELLS: usize = 4;

impl BoardModel {
    /// The board of a game, if it has one.
    pub(super) fn find(layout: &Layout) -> Option<Self> {
        let fluents: Vec<Words<'_>> = layout
            .bases
            .iter()
            .map(|base| kif::words(&base.name).collect())
            .collect();
        let moves = layout.moves.iter();
        let moves: Vec<Vec<Words<'_>>> = moves
            .map(|moves| {
                moves
                    .iter()
                    .map(|row| kif::words(&row.name).collect())
                    .collect()
            })
            .collect();
        let mut relations: BTreeMap<(&str, usize), Vec<usize>> = BTreeMap::new();
        for (index, fluent) in fluents.iter().enumerate() {
            let head = fluent.first().copied().unwrap_or_default();
            relations
                .entry((head, fluent.len()))
                .or_default()
                .push(index);
        }
        let readings = relations.iter().flat_map(|(&(_, length), members)| {
            let places = [2, 1].into_iter().flat_map(move |width| {
                let places = 1..(length + 1).saturating_sub(width);
                places.map(move |at| (at, width))
            });
            // At least one word is left to distinguish pieces.
            let places = places.filter(move |&(_, width)| width + 1 < length);
            places.map(move |(at, width)| Reading { members, at, width })
        });
        let mut best: Option<(usize, usize, Reading<'_>)> = None;
        for reading in readings {
            let cells = reading.cells(&fluents);
            if cells.len() < LEAST_CELLS || !reading.is_unambiguous(&fluents, layout) {
                continue;
            }
            let named = moves.iter().flatten();
            let named = named.filter(|words| travel(words, reading.width, &cells).is_some());
            let rank = (named.count(), cells.len());
            let highest = best.as_ref().map_or((0, 0), |best| (best.0, best.1));
            if rank.0 > 0 && rank > highest {
                best = Some((rank.0, rank.1, reading));
            }
        }
        best.map(|(.., reading)| reading.board(&fluents, &moves, layout))
    }

    /// Replaces `on` by the occupants of all cells in a state: a piece or [`NO_PIECE`]
    /// for each.
    pub(super) fn occupy(&self, fluents: impl Iterator<Item = usize>, on: &mut Vec<u32>) {
        on.clear();
        on.resize(self.cells, NO_PIECE);
        for stand in fluents.filter_map(|fluent| self.stands[fluent]) {
            on[stand.cell as usize] = stand.piece;
        }
    }

    /// The cells of a role's move.
    pub(super) fn travel(&self, role: usize, mv: u32) -> Option<Travel> {
        self.travels[role].get(mv as usize).copied().flatten()
    }
}

/// The occupant of an empty cell.
pub(super) const NO_PIECE: u32 = u32::MAX;

/// A relation interpreted as a board: which of its arguments name the cell.
struct Reading<'a> {
    members: &'a [usize],
    at: usize,
    width: usize,
}

impl Reading<'_> {
    fn cell<'w>(&self, fluent: &'w [&'w str]) -> &'w [&'w str] {
        &fluent[self.at..self.at + self.width]
    }

    fn piece(&self, fluent: &[&str]) -> String {
        let rest = fluent[self.at + self.width..].iter();
        let words: Vec<&str> = fluent[1..self.at].iter().chain(rest).copied().collect();
        words.join(" ")
    }

    fn cells<'w>(&self, fluents: &'w [Words<'w>]) -> Set<'w> {
        let members = self.members.iter();
        members.map(|&index| self.cell(&fluents[index])).collect()
    }

    /// Whether no cell has two pieces initially, and there are several kinds of pieces.
    fn is_unambiguous(&self, fluents: &[Words<'_>], layout: &Layout) -> bool {
        let initial = self
            .members
            .iter()
            .filter(|&&index| layout.bases[index].initially);
        let mut taken = Set::default();
        let pieces: IndexSet<String> = self
            .members
            .iter()
            .map(|&index| self.piece(&fluents[index]))
            .collect();
        let mut cells = initial.map(|&index| self.cell(&fluents[index]));
        pieces.len() > 1 && cells.all(|cell| taken.insert(cell))
    }

    /// The piece that marks empty cells, if there is one: the most frequent one, if
    /// every cell has a piece initially.
    fn emptiness(&self, fluents: &[Words<'_>], layout: &Layout, cells: usize) -> Option<String> {
        let initial = self
            .members
            .iter()
            .filter(|&&index| layout.bases[index].initially);
        let mut counts: IndexMap<String, usize> = IndexMap::new();
        for &index in initial {
            *counts.entry(self.piece(&fluents[index])).or_default() += 1;
        }
        let full = counts.values().sum::<usize>() == cells;
        let most = counts.into_iter().max_by_key(|&(_, count)| count);
        most.filter(|_| full).map(|(piece, _)| piece)
    }

    fn board(
        &self,
        fluents: &[Words<'_>],
        moves: &[Vec<Words<'_>>],
        layout: &Layout,
    ) -> BoardModel {
        let cells = self.cells(fluents);
        let empty = self.emptiness(fluents, layout, cells.len());
        let mut pieces: IndexSet<String> = IndexSet::new();
        let mut stands = vec![None; fluents.len()];
        for &index in self.members {
            let piece = self.piece(&fluents[index]);
            if empty.as_ref() != Some(&piece) {
                let piece = pieces.insert_full(piece).0 as u32;
                let cell = cells.get_index_of(self.cell(&fluents[index]));
                stands[index] = cell.map(|cell| Stand {
                    cell: cell as u32,
                    piece,
                });
            }
        }
        let travels = moves.iter().map(|moves| {
            let travels = moves.iter().map(|words| travel(words, self.width, &cells));
            travels.collect()
        });
        BoardModel {
            cells: cells.len(),
            pieces: pieces.into_iter().collect(),
            stands,
            travels: travels.collect(),
        }
    }
}

/// The cells of a move, found among its arguments from the left.
fn travel(words: &[&str], width: usize, cells: &Set<'_>) -> Option<Travel> {
    let (mut first, mut last, mut at) = (None, None, 1);
    while at + width <= words.len() {
        match cells.get_index_of(&words[at..at + width]) {
            Some(cell) => {
                last = Some(cell as u32);
                first = first.or(last);
                at += width;
            }
            None => at += 1,
        }
    }
    let from = first.filter(|_| first != last);
    last.map(|to| Travel { from, to })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use gdl_runtime::layout::{BaseRow, MoveRow, Row};

    /// A game of one role with these fluents, of which some hold at first.
    fn layout(initially: &[String], later: &[String], moves: &[String]) -> Layout {
        let base = |name: &String, initially| BaseRow {
            name: name.clone(),
            initially,
        };
        let first = initially.iter().map(|name| base(name, true));
        let moves = moves.iter().map(|name| MoveRow {
            name: name.clone(),
            legal: Row::Base(0),
            choice: None,
        });
        Layout {
            bases: first
                .chain(later.iter().map(|name| base(name, false)))
                .collect(),
            moves: vec![moves.collect()],
            ..Layout::default()
        }
    }

    /// `template` for every cell of a board of 4 by 4, whose coordinates replace X
    /// and Y.
    fn everywhere(template: &str, files: &str) -> Vec<String> {
        let file = |file: char| template.replace('X', &file.to_string());
        let cells = files.chars().flat_map(|x| {
            let file = file(x);
            (1..5).map(move |y| file.replace('Y', &y.to_string()))
        });
        cells.collect()
    }

    fn all(parts: &[Vec<String>]) -> Vec<String> {
        parts.concat()
    }

    fn one(name: &str) -> Vec<String> {
        vec![name.to_owned()]
    }

    fn move_names(board: &BoardModel, index: usize) -> (Option<u32>, u32) {
        let travel = board.travels[0][index].unwrap();
        (travel.from, travel.to)
    }

    #[test]
    fn letters_numbers_and_pieces_of_two_words() {
        let first = all(&[
            everywhere("(cell X 1 white rook)", "abcd")[..1].to_vec(),
            one("(cell b 4 black king)"),
            one("(control white)"),
            one("(captured white 0)"),
        ]);
        let kinds = ["white rook", "white king", "black rook", "black king"];
        let later = kinds.map(|kind| everywhere(&format!("(cell X Y {kind})"), "abcd"));
        let mut later = all(&later);
        later.retain(|name| !first.contains(name));
        let moves = [
            "(move rook a 1 b 4)",
            "noop",
            "(promote b 3 b 4 rook)",
            "castle",
        ];
        let board = BoardModel::find(&layout(&first, &later, &moves.map(str::to_owned))).unwrap();
        assert_eq!(board.cells, 16);
        assert_eq!(board.pieces.len(), 4);
        assert_eq!(board.stands[2], None);
        let [rook, king] = [0, 1].map(|fluent| board.stands[fluent].unwrap());
        assert_eq!(board.pieces[rook.piece as usize], "white rook");
        assert_eq!(move_names(&board, 0), (Some(rook.cell), king.cell));
        assert_eq!(board.travels[0][1], None);
        assert_eq!(move_names(&board, 2).1, king.cell);
    }

    #[test]
    fn empty_cells_are_no_pieces_and_jumps_end_where_they_end() {
        let first = all(&[
            everywhere("(cell X Y blank)", "34"),
            everywhere("(cell X Y white)", "1")[..2].to_vec(),
            everywhere("(cell X Y black)", "1")[2..].to_vec(),
            everywhere("(cell X Y blank)", "2"),
        ]);
        let kinds = ["white", "black", "blank"];
        let mut later = all(&kinds.map(|kind| everywhere(&format!("(cell X Y {kind})"), "1234")));
        later.retain(|name| !first.contains(name));
        let moves = ["(jump white 1 1 3 3 1 4)", "(move white 1 1 2 2)"];
        let board = BoardModel::find(&layout(&first, &later, &moves.map(str::to_owned))).unwrap();
        assert_eq!(board.pieces, ["white", "black"]);
        assert_eq!(board.stands[0], None);
        let end = board.stands[11].unwrap();
        assert_eq!(board.pieces[end.piece as usize], "black");
        assert_eq!(move_names(&board, 0).1, end.cell);
        let mut on = Vec::new();
        board.occupy([8, 11].into_iter(), &mut on);
        let (from, to) = move_names(&board, 0);
        assert_eq!((on[from.unwrap() as usize], on[to as usize]), (0, 1));
        assert_eq!(on.iter().filter(|&&piece| piece == NO_PIECE).count(), 14);
    }

    #[test]
    fn placing_on_an_empty_board() {
        let pieces = ["x", "o"].map(|kind| everywhere(&format!("(at {kind} X Y)"), "1234"));
        let marks = everywhere("(mark X Y)", "1234");
        let board = BoardModel::find(&layout(&one("(turn x)"), &all(&pieces), &marks)).unwrap();
        assert_eq!((board.cells, board.pieces.len()), (16, 2));
        assert!((0..16).all(|index| move_names(&board, index).0.is_none()));
        // Moves and fluents are in the same order here.
        let cells = (0..16).map(|index| board.stands[1 + index].unwrap().cell);
        assert!(cells.eq((0..16).map(|index| move_names(&board, index).1)));
    }

    #[test]
    fn cells_of_one_word() {
        let holes = ["a1", "b1", "b2", "c1", "c2", "c3"];
        let pieces =
            ["red", "blue"].map(|kind| holes.map(|hole| format!("(cell {hole} {kind})")).to_vec());
        let moves = ["(move a1 b2)".to_owned(), "noop".to_owned()];
        let board = BoardModel::find(&layout(&one("(step 1)"), &all(&pieces), &moves)).unwrap();
        assert_eq!((board.cells, board.pieces.len()), (6, 2));
        assert_eq!(move_names(&board, 0), (Some(0), 2));
    }

    #[test]
    fn games_without_a_board() {
        let steps: Vec<String> = (0..20).map(|step| format!("(step {step})")).collect();
        let piles = all(&[0, 1, 2].map(|pile| {
            (0..9)
                .map(|count| format!("(pile {pile} {count})"))
                .collect::<Vec<_>>()
        }));
        let moves = ["(go north)".to_owned(), "noop".to_owned()];
        assert_eq!(
            BoardModel::find(&layout(&steps[..1], &steps[1..], &moves)),
            None
        );
        assert_eq!(
            BoardModel::find(&layout(&one("(pile 0 3)"), &piles[1..], &moves)),
            None
        );
    }
}

//! What a state looks like on the boards of its game.

use crate::flat_term::{FlatTerm, pick, relation_of};
use crate::layout::{CellId, RelationMeaning, StateLayout};
use crate::piece::Piece;
use gdl_runtime::kif::one_line;
use serde::Serialize;

/// A state on the boards of its game. Every fact of the state is in exactly one of its
/// parts.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Picture {
    /// What is on each board of the layout.
    pub boards: Vec<BoardPicture>,
    /// Whose turn it is.
    pub turns: Vec<RoleTurn>,
    /// Values that are not on a board: steps, scores, what is in hand.
    pub counters: Vec<Counter>,
    /// The facts that stand nowhere, as KIF.
    pub facts: Vec<String>,
}

/// What is on a board.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct BoardPicture {
    /// What is on each cell of the layout.
    pub cells: Vec<CellContent>,
    /// What lies between cells.
    pub links: Vec<CellLink>,
}

/// What is on a cell.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct CellContent {
    /// The pieces: at most one, except in unusual states and for pieces that share cells.
    pub pieces: Vec<Piece>,
    /// What else is said about the cell.
    pub marks: Vec<Piece>,
    /// The words by which the rules say that the cell is empty, if they do.
    pub empty: Vec<String>,
}

/// Something between two cells: a wall, or a line that was drawn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellLink {
    /// One cell.
    pub from: CellId,
    /// The other.
    pub to: CellId,
    /// What it is; nothing if the rules say that nothing is there.
    pub piece: Option<Piece>,
}

/// A role's turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoleTurn {
    /// The role, as the fact spells it.
    pub role: String,
    /// What else the fact says, such as the phase of the turn; may be empty.
    pub detail: String,
}

/// A value beside the boards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Counter {
    /// What it counts.
    pub name: String,
    /// The role or thing to which it belongs; may be empty.
    pub of: String,
    /// The value; empty for a fact that merely holds.
    pub value: String,
}

impl StateLayout {
    /// The picture of a state, given its facts as KIF without `true`.
    #[must_use]
    pub fn picture(&self, facts: &[String]) -> Picture {
        let mut picture = self.empty_picture();
        for fact in facts {
            let placed = FlatTerm::parse(fact).and_then(|flat| self.place(&flat, &mut picture));
            if placed.is_none() {
                picture.facts.push(one_line(fact));
            }
        }
        picture
    }

    /// The picture of a state whose facts have already been parsed.
    pub(crate) fn picture_of(&self, facts: &[FlatTerm]) -> Picture {
        let mut picture = self.empty_picture();
        for fact in facts {
            let _ = self.place(fact, &mut picture);
        }
        picture
    }

    /// A picture without any fact.
    fn empty_picture(&self) -> Picture {
        let boards = self.boards.iter().map(|board| BoardPicture {
            cells: vec![CellContent::default(); board.cells.len()],
            links: Vec::new(),
        });
        Picture {
            boards: boards.collect(),
            ..Picture::default()
        }
    }

    /// Puts a fact into the picture; `None` if it stands nowhere.
    fn place(&self, fact: &FlatTerm, picture: &mut Picture) -> Option<()> {
        let relation = relation_of(&fact.skeleton);
        let words = |slots: &[usize]| pick(&fact.words, slots).join(" ");
        match self.relations.get(&fact.skeleton)? {
            RelationMeaning::Stand {
                group,
                key,
                content,
                palette,
                is_piece,
            } => {
                let id = self.cell(*group, &pick(&fact.words, key))?;
                let cell = picture.boards.get_mut(id.board)?.cells.get_mut(id.cell)?;
                let piece = palette.piece(relation, &words(content));
                match (piece, is_piece) {
                    (None, _) => cell.empty.push(words(content)),
                    (Some(piece), true) => cell.pieces.push(piece),
                    (Some(piece), false) => cell.marks.push(piece),
                }
            }
            RelationMeaning::Link {
                group,
                from,
                to,
                content,
                palette,
            } => {
                let from = self.cell(*group, &pick(&fact.words, from))?;
                let to = self.cell(*group, &pick(&fact.words, to))?;
                let piece = palette.piece(relation, &words(content));
                let board = picture.boards.get_mut(from.board)?;
                board.links.push(CellLink { from, to, piece });
            }
            RelationMeaning::Turn { role, detail } => picture.turns.push(RoleTurn {
                role: fact.words.get(*role)?.clone(),
                detail: words(detail),
            }),
            RelationMeaning::Counter { label, value } => picture.counters.push(Counter {
                name: relation.to_owned(),
                of: words(label),
                value: words(value),
            }),
        }
        Some(())
    }
}

impl Picture {
    /// The cells whose pieces differ from those in an earlier state of the same game.
    #[must_use]
    pub fn changed_cells(&self, before: &Self) -> Vec<CellId> {
        let mut changed = Vec::new();
        for (board, (now, old)) in self.boards.iter().zip(&before.boards).enumerate() {
            for (cell, (now, old)) in now.cells.iter().zip(&old.cells).enumerate() {
                if now.pieces != old.pieces {
                    changed.push(CellId { board, cell });
                }
            }
        }
        changed
    }

    /// The number of facts in the picture.
    #[must_use]
    pub fn fact_count(&self) -> usize {
        let on_boards = self.boards.iter().map(|board| {
            let on_cells = board
                .cells
                .iter()
                .map(|cell| cell.pieces.len() + cell.marks.len() + cell.empty.len());
            board.links.len() + on_cells.sum::<usize>()
        });
        on_boards.sum::<usize>() + self.turns.len() + self.counters.len() + self.facts.len()
    }
}

//! Inference: from what is known of a game to the layout of its states.
//!
//! 1. [`relation`]: the facts that were seen, by relation.
//! 2. [`candidate`]: which slots of a relation name cells: those with few, ordered values
//!    that identify the facts of a state; or, for cells with names of their own, one that
//!    moves name.
//! 3. [`group`]: relations over the same cells share a board, unless both fill it.
//! 4. [`lattice`]: positions of the cells: rows and columns, several boards, boards of
//!    boards; [`hexagonal`]: hexagons, where the static facts of the rules say that cells
//!    have six neighbours; [`graph`]: points and lines, where there is nothing but
//!    adjacency.
//! 5. [`beside`]: whose turn it is, and counters.
//! 6. [`moves`]: which cells moves name, judged by what they change.
//!
//! Names are used only to break ties: rows before columns if coordinates begin with r
//! and c, and words that say that a cell is empty.

mod adjacency;
mod axis;
mod beside;
mod candidate;
mod graph;
mod group;
mod hexagonal;
mod lattice;
mod moves;
mod place;
mod relation;

use crate::evidence::GameEvidence;
use crate::layout::{RelationMeaning, StateLayout};
use axis::ValueSuccessors;
use group::CellGroup;
use relation::SeenRelation;
use std::collections::BTreeMap;

impl StateLayout {
    /// Infers the layout of a game's states.
    #[must_use]
    pub fn infer(evidence: &GameEvidence) -> Self {
        let relations = SeenRelation::collect(evidence);
        let successors = ValueSuccessors::find(&evidence.statics);
        let candidates = candidate::find(&relations, evidence, &successors);
        let groups = group::assign(&relations, candidates, &successors);
        let mut layout = Self {
            roles: evidence.roles.clone(),
            ..Self::default()
        };
        for (index, group) in groups.iter().enumerate() {
            layout.add_group(index, group, &relations, evidence);
        }
        layout
            .relations
            .extend(beside::find(&relations, &layout.relations, evidence));
        layout.moves = moves::find(&layout, &groups, evidence);
        layout
    }

    /// Adds the boards of a group, and what its relations mean on them.
    fn add_group(
        &mut self,
        index: usize,
        group: &CellGroup,
        relations: &[SeenRelation<'_>],
        evidence: &GameEvidence,
    ) {
        let first = self.boards.len();
        let lattice = lattice::boards(group, relations, evidence);
        let cells = lattice.iter().map(|board| board.cells.len()).sum();
        let mut pieces = Vec::new();
        let mut symbols = BTreeMap::new();
        for member in &group.members {
            let relation = &relations[member.relation];
            let meaning = member.meaning(index, relation, &evidence.roles, cells, &symbols);
            if let RelationMeaning::Stand {
                palette, is_piece, ..
            } = &meaning
            {
                let named = palette.pieces();
                symbols.extend(named.map(|piece| (piece.symbol.clone(), piece.name.clone())));
                pieces.extend(palette.pieces().filter(|_| *is_piece).cloned());
            }
            self.relations.insert(relation.skeleton.to_owned(), meaning);
        }
        let mut keys = BTreeMap::new();
        for (offset, mut board) in lattice.into_iter().enumerate() {
            for (cell, place) in board.cells.iter().enumerate() {
                let words = place.coordinates.iter().map(|word| word.to_lowercase());
                let board = first + offset;
                keys.insert(words.collect(), crate::layout::CellId { board, cell });
            }
            board.pieces.clone_from(&pieces);
            self.boards.push(board);
        }
        self.index.push(keys);
    }
}

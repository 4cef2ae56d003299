//! Choice by weight, and observation of the moves chosen.
//!
//! Input: the rows of the legal moves and, where moves are only observed, the ranks
//! of those chosen. Output: ranks, as the next phase takes them, and the numbers of
//! the chosen moves per lane. The uniform choice is compiled with the game; this one
//! works on rows that every game has, and costs nothing unless requested.
//!
//! The weights of the legal moves of a choice are added up in a tree of adders, a
//! number is drawn below the total, exactly uniformly, and followed down to the leaf
//! that it falls on: a move is chosen with probability proportional to its weight.
//! Where moves are many, [`lists`] replace the adders.

mod candidates;
mod descent;
mod lists;
mod sums;
mod tree;

use crate::engine::{Move, NO_CHOICE, Role};
use crate::lanes::{Word, kernel};
use crate::layout::Layout;
use crate::program::Rows;
use crate::random::Random;
use crate::transpose::transpose_numbers;
use candidates::{BITS, Candidates};
use tree::CandidateTree;

/// The cost of reading and counting a legal move, in three-input operations.
const READ_COST: usize = 4;

/// The cost of masking, adding up and gathering a bit of a move's weight, in
/// three-input operations.
const WEIGHT_BIT_COST: usize = 4;

/// Weights and observation; see the module documentation.
pub(super) struct WeightedSelection<W> {
    /// For every choice of the layout.
    trees: Vec<CandidateTree<W>>,
    /// The leaf of every move, by role; `None` for moves that do not compete.
    leaves: Vec<Vec<Option<CandidateLeaf>>>,
    /// For every choice, the moves of its roles by the leaf and role numbers that are
    /// found.
    moves: Vec<Vec<(Role, Box<[u32]>)>>,
    /// Whether moves are drawn by weight.
    pub weighted: bool,
    /// Whether the moves made are recorded.
    pub observed: bool,
    /// The moves made: role after role, one per lane.
    made: Vec<u32>,
    /// The bits of the numbers of the chosen leaves, and the numbers.
    index: Vec<W>,
    numbers: Vec<u32>,
}

/// The leaf of a move.
#[derive(Clone, Copy)]
struct CandidateLeaf {
    choice: u32,
    /// An index of the roles of the choice.
    role: u32,
    leaf: u32,
}

impl<W: Word> WeightedSelection<W> {
    /// The selection of a game, with all weights 1.
    pub fn new(layout: &Layout, zero: W) -> Self {
        let choices = 0..layout.choices.len();
        let trees: Vec<CandidateTree<W>> = choices
            .map(|choice| CandidateTree::new(layout, choice, zero))
            .collect();
        let mut leaves: Vec<_> = (layout.moves.iter())
            .map(|moves| vec![None; moves.len()])
            .collect();
        for (choice, tree) in (0..).zip(&trees) {
            for (role, candidates) in (0..).zip(&tree.roles) {
                for (leaf, &mv) in (0..).zip(&candidates.moves) {
                    leaves[candidates.role][mv as usize] =
                        Some(CandidateLeaf { choice, role, leaf });
                }
            }
        }
        Self {
            made: vec![NO_CHOICE; layout.roles.len() * W::LANES],
            moves: trees.iter().map(moves_by_role).collect(),
            trees,
            leaves,
            weighted: false,
            observed: false,
            index: Vec::new(),
            numbers: vec![0; W::LANES],
        }
    }

    /// Switches between choice by weight and uniform choice.
    pub fn choose_by_weight(&mut self, on: bool, zero: W) {
        self.weighted = on;
        if on {
            for tree in &mut self.trees {
                tree.allow_weights(zero);
            }
        }
    }

    /// Gives a move a weight in some lanes, if it competes.
    pub fn weigh(&mut self, lanes: &[u64], role: Role, mv: Move, weight: u32, zero: W) {
        if let Some(at) = self.leaves[role][mv.0 as usize] {
            let tree = &mut self.trees[at.choice as usize];
            tree.allow_weights(zero);
            tree.weigh(at.role as usize, at.leaf as usize, lanes, weight);
        }
    }

    /// Resets all weights to 1 in some lanes.
    pub fn weigh_alike(&mut self, lanes: &[u64]) {
        for tree in &mut self.trees {
            tree.weigh_alike(lanes);
        }
    }

    /// The moves that a role made, one per lane.
    pub fn made(&self, role: Role) -> &[u32] {
        &self.made[role * W::LANES..][..W::LANES]
    }

    /// Whether an advance needs the legal rows.
    #[inline(always)]
    pub fn needs_legal(&self) -> bool {
        self.weighted || self.observed
    }

    /// The cost per step in three-input operations.
    pub fn operations(&self) -> usize {
        let roles = self.trees.iter().flat_map(|tree| &tree.roles);
        let leaves: usize = roles.map(|role| role.moves.len()).sum();
        let read = if self.needs_legal() { READ_COST } else { 0 };
        let weighed = if self.weighted {
            BITS * WEIGHT_BIT_COST
        } else {
            0
        };
        leaves * (read + weighed)
    }

    /// Draws the ranks of the moves by weight, and reads what is legal if moves are
    /// observed. Returns false if the ranks remain to be drawn uniformly.
    #[inline(always)]
    pub fn draw(
        &mut self,
        layout: &Layout,
        rows: &mut Rows<W>,
        random: &mut Random<W>,
        zero: W,
    ) -> bool {
        if self.needs_legal() {
            for tree in &mut self.trees {
                read_legal(zero, tree, rows);
            }
        }
        if self.weighted {
            for (tree, choice) in self.trees.iter_mut().zip(&layout.choices) {
                let (count, rank) = choice.rows(&mut rows.work);
                tree.draw(count, rank, random);
            }
        }
        self.weighted
    }

    /// Records which moves have these ranks, if moves are observed.
    #[inline(always)]
    pub fn observe(&mut self, layout: &Layout, work: &mut [W]) {
        if !self.observed {
            return;
        }
        for (index, choice) in layout.choices.iter().enumerate() {
            let (_, rank) = choice.rows(work);
            self.trees[index].find(rank, &mut self.index);
            transpose_numbers(&self.index, &mut self.numbers);
            for (role, moves) in &self.moves[index] {
                let made = &mut self.made[role * W::LANES..][..W::LANES];
                // A power of two: no leaf is out of bounds.
                let mask = moves.len() - 1;
                for (made, &leaf) in made.iter_mut().zip(&self.numbers) {
                    *made = moves[leaf as usize & mask];
                }
            }
        }
    }
}

/// For every role of a choice, its moves by leaf, then by role: `NO_CHOICE` at other
/// roles' and beyond the last leaf.
fn moves_by_role<W: Word>(tree: &CandidateTree<W>) -> Vec<(Role, Box<[u32]>)> {
    let leaves = tree.leaf_capacity();
    let roles = tree.roles.len().next_power_of_two();
    let of_role = |(index, candidates): (usize, &Candidates<W>)| {
        let mut moves = vec![NO_CHOICE; leaves * roles].into_boxed_slice();
        moves[index * leaves..][..candidates.moves.len()].copy_from_slice(&candidates.moves);
        (candidates.role, moves)
    };
    tree.roles.iter().enumerate().map(of_role).collect()
}

kernel! {
    fn read_legal<'a, W>(tree: &'a mut CandidateTree<W>, rows: &'a Rows<W>) {
        tree.read(rows);
    }
}

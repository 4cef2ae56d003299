//! Choosing by weight, and saying which moves were chosen.
//!
//! Input: the rows of the legal moves and, where moves are only observed, the
//! ranks of those chosen. Output: ranks, as the next phase takes them, and the
//! chosen moves' numbers a lane. The uniform choice is compiled with the game;
//! this one works on rows that every game has, and costs nothing while nobody
//! asks for it.
//!
//! Weights are sums of bits, so that the legal weights of a choice are added up
//! in a tree of adders, a number is drawn below the total, exactly uniformly, and
//! followed down to the leaf that it falls on: a move is chosen with probability
//! proportional to its weight. Where moves are many, [`lists`] take the place of the
//! adders.

mod descent;
mod lists;
mod side;
mod sums;
mod tree;

use crate::columns::gather_numbers;
use crate::engine::{Move, NO_CHOICE, Role};
use crate::lanes::{Kernel, Word};
use crate::layout::Layout;
use crate::machine::choice_rows;
use crate::program::Rows;
use crate::random::Random;
use side::{BITS, Side};
use tree::Tree;

/// What it takes to read a legal move and to count it, in three-input operations.
const READ_COST: usize = 4;

/// What it takes to mask a bit of a move's weight, to add it up and to gather it.
const WEIGHT_BIT_COST: usize = 4;

/// See the head of the file.
pub(super) struct Selection<W> {
    /// For every choice of the layout.
    trees: Vec<Tree<W>>,
    /// Where every move is, by roles; none for moves that compete with none.
    leaves: Vec<Vec<Option<Leaf>>>,
    /// For every choice, the moves that its roles make by the numbers of leaves
    /// and sides that are found.
    moves: Vec<Vec<(Role, Box<[u32]>)>>,
    /// Whether moves are drawn by weight.
    pub weighted: bool,
    /// Whether the moves made are written down.
    pub observed: bool,
    /// The moves made: every role's in all lanes.
    made: Vec<u32>,
    /// The leaves chosen: their numbers' bits, and the numbers.
    index: Vec<W>,
    numbers: Vec<u32>,
}

/// Where a move is.
#[derive(Clone, Copy)]
struct Leaf {
    choice: u32,
    side: u32,
    leaf: u32,
}

impl<W: Word> Selection<W> {
    /// For a game, with weights of 1.
    pub fn new(layout: &Layout, zero: W) -> Self {
        let choices = 0..layout.choices.len();
        let trees: Vec<Tree<W>> = choices
            .map(|choice| Tree::new(layout, choice, zero))
            .collect();
        let mut leaves: Vec<_> = (layout.moves.iter())
            .map(|moves| vec![None; moves.len()])
            .collect();
        for (choice, tree) in (0..).zip(&trees) {
            for (side, moves) in (0..).zip(&tree.sides) {
                for (leaf, &mv) in (0..).zip(&moves.moves) {
                    leaves[moves.role][mv as usize] = Some(Leaf { choice, side, leaf });
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

    /// Draws moves by weight or not.
    pub fn choose_by_weight(&mut self, on: bool, zero: W) {
        self.weighted = on;
        if on {
            for tree in &mut self.trees {
                tree.allow_weights(zero);
            }
        }
    }

    /// Gives a move a weight in some lanes, unless it competes with none.
    pub fn weigh(&mut self, lanes: &[u64], role: Role, mv: Move, weight: u32, zero: W) {
        if let Some(at) = self.leaves[role][mv.0 as usize] {
            let tree = &mut self.trees[at.choice as usize];
            tree.allow_weights(zero);
            tree.weigh(at.side as usize, at.leaf as usize, lanes, weight);
        }
    }

    /// Makes all moves weigh 1 in some lanes.
    pub fn weigh_alike(&mut self, lanes: &[u64]) {
        for tree in &mut self.trees {
            tree.weigh_alike(lanes);
        }
    }

    /// The moves that a role made, lane by lane.
    pub fn made(&self, role: Role) -> &[u32] {
        &self.made[role * W::LANES..][..W::LANES]
    }

    /// Whether an advance needs the legal moves.
    #[inline(always)]
    pub fn needs_legal(&self) -> bool {
        self.weighted || self.observed
    }

    /// What it adds to a step, in three-input operations.
    pub fn operations(&self) -> usize {
        let sides = self.trees.iter().flat_map(|tree| &tree.sides);
        let leaves: usize = sides.map(|side| side.moves.len()).sum();
        let read = if self.needs_legal() { READ_COST } else { 0 };
        let weighed = if self.weighted {
            BITS * WEIGHT_BIT_COST
        } else {
            0
        };
        leaves * (read + weighed)
    }

    /// Draws the ranks of the moves by weight, and reads what is legal if they are
    /// to be told; false if the ranks are left to be drawn uniformly.
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
                W::run(Read { tree, rows }, zero);
            }
        }
        if self.weighted {
            for (tree, choice) in self.trees.iter_mut().zip(&layout.choices) {
                let (count, rank) = choice_rows(&mut rows.work, choice);
                tree.draw(count, rank, random);
            }
        }
        self.weighted
    }

    /// Writes down which moves have these ranks, if that was asked for.
    #[inline(always)]
    pub fn observe(&mut self, layout: &Layout, work: &mut [W]) {
        if !self.observed {
            return;
        }
        for (index, choice) in layout.choices.iter().enumerate() {
            let (_, rank) = choice_rows(work, choice);
            self.trees[index].find(rank, &mut self.index);
            gather_numbers(&self.index, &mut self.numbers);
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

/// For every role of a choice, its moves by leaf, then by side: none on others'
/// sides and beyond the last leaf.
fn moves_by_role<W: Word>(tree: &Tree<W>) -> Vec<(Role, Box<[u32]>)> {
    let places = tree.places();
    let sides = tree.sides.len().next_power_of_two();
    let of_side = |(number, side): (usize, &Side<W>)| {
        let mut moves = vec![NO_CHOICE; places * sides].into_boxed_slice();
        moves[number * places..][..side.moves.len()].copy_from_slice(&side.moves);
        (side.role, moves)
    };
    tree.sides.iter().enumerate().map(of_side).collect()
}

struct Read<'a, W> {
    tree: &'a mut Tree<W>,
    rows: &'a Rows<W>,
}

impl<W: Word> Kernel for Read<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.tree.read(self.rows);
    }
}

//! The actions of a role, and the ranks by which machines make them.

use crate::bits::count_below;
use gdl_runtime::engine::{Move, Pick, Role};
use gdl_runtime::layout::Layout;

/// The actions of a role: its moves, by the engine's numbers.
#[derive(Debug, Clone)]
pub struct ActionSpace {
    /// All its moves in order.
    pub(crate) moves: Vec<Move>,
    /// Those that compete with others, as bits.
    pub(crate) candidates: Vec<u64>,
    /// For every move its place among those that the engine lists as legal, unless those
    /// that compete are listed in the order of their numbers.
    pub(crate) places: Option<Vec<u32>>,
}

impl ActionSpace {
    /// The actions of a role of a game.
    #[must_use]
    pub fn new(layout: &Layout, role: Role) -> Self {
        let rows = &layout.moves[role];
        let mut candidates = vec![0; rows.len().div_ceil(64)];
        for (index, row) in rows.iter().enumerate() {
            candidates[index / 64] |= u64::from(row.choice.is_some()) << (index % 64);
        }
        let order = &layout.legal_order[role];
        let competing = order
            .iter()
            .filter(|&&mv| rows[mv as usize].choice.is_some());
        let places = (!competing.is_sorted()).then(|| {
            let mut places = vec![0; rows.len()];
            for (place, &mv) in (0..).zip(order) {
                places[mv as usize] = place;
            }
            places
        });
        Self {
            moves: (0..rows.len() as u32).map(Move).collect(),
            candidates,
            places,
        }
    }

    /// The number of actions.
    #[must_use]
    pub fn count(&self) -> usize {
        self.moves.len()
    }

    /// How a machine is forced to take an action. `legal` has the legal actions as bits, and
    /// `listed` the same in the order in which the engine lists them, where that differs.
    #[inline]
    pub(crate) fn pick(&self, action: u32, legal: &[u64], listed: &[u64]) -> Pick {
        let index = match &self.places {
            None => count_below(legal, action),
            Some(places) => count_below(listed, places[action as usize]),
        };
        Pick {
            mv: Move(action),
            index,
        }
    }
}

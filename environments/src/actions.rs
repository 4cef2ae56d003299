//! The actions of a role, and the ranks by which machines make them.

use crate::bits::count_below;
use gdl_runtime::engine::{Move, Pick, Role};
use gdl_runtime::layout::Layout;

/// The actions of a role: its moves, by the engine's numbers.
#[derive(Debug, Clone)]
pub struct ActionSpace {
    /// All its moves in order.
    pub(crate) moves: Vec<Move>,
    /// For every move its place among those that the engine lists as legal, unless those
    /// that compete are listed in the order of their numbers.
    pub(crate) places: Option<Vec<u32>>,
}

impl ActionSpace {
    /// The actions of a role of a game.
    #[must_use]
    pub fn new(layout: &Layout, role: Role) -> Self {
        let rows = &layout.moves[role];
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
            places,
        }
    }

    /// The number of actions.
    #[must_use]
    pub fn count(&self) -> usize {
        self.moves.len()
    }

    /// The number of 64-bit words that a set of them takes.
    pub(crate) fn words(&self) -> usize {
        self.moves.len().div_ceil(64)
    }

    /// The moves in the order of their [places](Self::place).
    pub(crate) fn listed(&self) -> Vec<Move> {
        let mut listed = self.moves.clone();
        if let Some(places) = &self.places {
            listed.sort_by_key(|mv| places[mv.0 as usize]);
        }
        listed
    }

    /// The place of an action among those that the engine lists; -1 if there is no such action.
    #[inline]
    pub(crate) fn place(&self, action: i32) -> i32 {
        match &self.places {
            None => action,
            Some(places) => (usize::try_from(action).ok())
                .and_then(|action| places.get(action))
                .map_or(-1, |&place| place as i32),
        }
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

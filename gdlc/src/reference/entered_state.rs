//! What a model belongs to: a state and the moves made in it.

use super::term::TermId;
use std::cmp::Ordering;

/// A state and the moves made in it.
#[derive(Debug, Clone)]
pub(super) struct EnteredState {
    pub(super) state: Box<[TermId]>,
    /// Roles and their moves; if none have been made in this state, those that were made last.
    pub(super) moves: Vec<(TermId, TermId)>,
}

/// Calls `tell` with each fact that is in only one of two states, and whether it is in the new
/// one.
pub(super) fn for_each_change(old: &[TermId], new: &[TermId], mut tell: impl FnMut(TermId, bool)) {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (Some(old), Some(new)) => old.cmp(new),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return,
        };
        let (gone, come) = match order {
            Ordering::Less => (old.next(), None),
            Ordering::Greater => (None, new.next()),
            Ordering::Equal => {
                old.next();
                new.next();
                (None, None)
            }
        };
        gone.into_iter().for_each(|&fact| tell(fact, false));
        come.into_iter().for_each(|&fact| tell(fact, true));
    }
}

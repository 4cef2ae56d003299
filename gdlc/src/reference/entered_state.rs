//! What a model belongs to: a state and the moves made in it.

use super::term::TermId;
use std::cmp::Ordering;

/// A state and the moves made in it.
#[derive(Debug, Clone)]
pub(super) struct EnteredState {
    pub(super) state: Box<[TermId]>,
    /// Roles and their moves: those that were made last, if none have been in this state.
    pub(super) moves: Vec<(TermId, TermId)>,
}

/// When strata are next evaluated anew, so that the work of both ways can be compared.
#[derive(Debug, Clone)]
pub(super) struct EntryTrial {
    /// The number of states that were entered by changes since the last trial.
    pub(super) entered: u64,
    /// The number at which there is the next trial.
    pub(super) due: u64,
}

impl Default for EntryTrial {
    fn default() -> Self {
        Self { entered: 0, due: 4 }
    }
}

/// Tells which facts of two states are in one of them, and whether in the new one.
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

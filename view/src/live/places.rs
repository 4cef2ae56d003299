//! The places of boards on the page, and which matches have them.

use std::time::{Duration, Instant};

use super::game::LiveMatch;

/// The number of boards on a page.
pub(super) const MOST_BOARDS: usize = 12;

/// How long a match that is over keeps its place, so that people see its end.
const LINGERING: Duration = Duration::from_secs(2);

/// Identifies a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MatchKey {
    /// The contest, or whatever else plays.
    pub(super) source: u64,
    /// The match in it.
    pub(super) number: u64,
}

/// The matches that are shown, by their places.
#[derive(Default)]
pub(super) struct Places {
    taken: Vec<ShownMatch>,
}

/// A match in its place.
struct ShownMatch {
    key: MatchKey,
    shown: LiveMatch,
    /// When it was over.
    over: Option<Instant>,
    /// Whether it has changed since it was drawn.
    changed: bool,
}

impl Places {
    /// Changes a match. One without a place gets one if there is room, and `begin` makes it.
    /// Returns whether it has a place.
    pub(super) fn change(
        &mut self,
        key: MatchKey,
        begin: impl FnOnce() -> LiveMatch,
        change: impl FnOnce(&mut LiveMatch),
    ) -> bool {
        let known = self.taken.iter().position(|place| place.key == key);
        let Some(index) = known.or_else(|| self.room(key, begin)) else {
            return false;
        };
        self.update(index, change);
        true
    }

    /// Changes a match if it has a place. Returns whether it has.
    pub(super) fn change_known(
        &mut self,
        key: MatchKey,
        change: impl FnOnce(&mut LiveMatch),
    ) -> bool {
        let known = self.taken.iter().position(|place| place.key == key);
        if let Some(index) = known {
            self.update(index, change);
        }
        known.is_some()
    }

    fn update(&mut self, index: usize, change: impl FnOnce(&mut LiveMatch)) {
        let place = &mut self.taken[index];
        change(&mut place.shown);
        place.changed = true;
        if place.shown.is_over() {
            place.over.get_or_insert_with(Instant::now);
        }
    }

    /// Takes the place of a match that ended a while ago, or else a new one.
    fn room(&mut self, key: MatchKey, begin: impl FnOnce() -> LiveMatch) -> Option<usize> {
        let has_lingered =
            |place: &ShownMatch| place.over.is_some_and(|at| at.elapsed() >= LINGERING);
        let left = self.taken.iter().position(has_lingered);
        let new = Some(self.taken.len()).filter(|&new| new < MOST_BOARDS);
        let free = left.or(new)?;
        let place = ShownMatch {
            key,
            shown: begin(),
            over: None,
            changed: true,
        };
        match self.taken.get_mut(free) {
            Some(old) => *old = place,
            None => self.taken.push(place),
        }
        Some(free)
    }

    /// The matches that have changed since the last call, with their places.
    pub(super) fn take_changed(&mut self) -> Vec<(usize, LiveMatch)> {
        let places = self.taken.iter_mut().enumerate();
        let changed = places.filter_map(|(index, place)| {
            std::mem::take(&mut place.changed).then(|| (index, place.shown.clone()))
        });
        changed.collect()
    }
}

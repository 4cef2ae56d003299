//! How many games are compiled at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A limited number of places.
#[derive(Debug, Clone)]
pub struct Places {
    taken: Arc<AtomicUsize>,
    limit: usize,
}

/// A place, free again when dropped.
#[derive(Debug)]
pub struct Place(Arc<AtomicUsize>);

impl Places {
    pub fn new(limit: usize) -> Self {
        Self {
            taken: Arc::default(),
            limit,
        }
    }

    /// Takes a place if there is one.
    pub fn take(&self) -> Option<Place> {
        let before = self.taken.fetch_add(1, Ordering::Relaxed);
        // Dropped again if it is one too many.
        let place = Place(Arc::clone(&self.taken));
        (before < self.limit).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_are_taken_than_there_are() {
        let places = Places::new(2);
        let first = places.take();
        let second = places.take();
        assert!(first.is_some() && second.is_some());
        assert!(places.take().is_none() && places.take().is_none());
        drop(first);
        assert!(places.take().is_some());
    }
}

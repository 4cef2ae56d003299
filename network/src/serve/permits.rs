//! How many games are compiled at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A limited number of permits.
#[derive(Debug, Clone)]
pub struct Permits {
    taken: Arc<AtomicUsize>,
    limit: usize,
}

/// A permit, free again when dropped.
#[derive(Debug)]
pub struct Permit(Arc<AtomicUsize>);

impl Permits {
    pub fn new(limit: usize) -> Self {
        Self {
            taken: Arc::default(),
            limit,
        }
    }

    /// Takes a permit if there is one.
    pub fn take(&self) -> Option<Permit> {
        let before = self.taken.fetch_add(1, Ordering::Relaxed);
        // Dropped again if it is one too many.
        let permit = Permit(Arc::clone(&self.taken));
        (before < self.limit).then_some(permit)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_are_taken_than_there_are() {
        let permits = Permits::new(2);
        let first = permits.take();
        let second = permits.take();
        assert!(first.is_some() && second.is_some());
        assert!(permits.take().is_none() && permits.take().is_none());
        drop(first);
        assert!(permits.take().is_some());
    }
}

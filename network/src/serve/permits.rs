//! Limits the number of concurrent compilations.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A limited number of permits; clones share them.
#[derive(Debug, Clone)]
pub struct Permits {
    taken: Arc<AtomicUsize>,
    limit: usize,
}

/// One permit, returned when dropped.
#[derive(Debug)]
pub struct Permit(Arc<AtomicUsize>);

impl Permits {
    pub fn new(limit: usize) -> Self {
        Self {
            taken: Arc::default(),
            limit,
        }
    }

    /// Takes a permit if one is available.
    pub fn take(&self) -> Option<Permit> {
        let before = self.taken.fetch_add(1, Ordering::Relaxed);
        // Returned at once if it exceeds the limit.
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
    fn the_limit_holds_and_dropped_permits_return() {
        let permits = Permits::new(2);
        let first = permits.take();
        let second = permits.take();
        assert!(first.is_some() && second.is_some());
        assert!(permits.take().is_none() && permits.take().is_none());
        drop(first);
        assert!(permits.take().is_some());
    }
}

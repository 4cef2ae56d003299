//! Stopping work from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Asks work to stop, from any thread; the work looks at it now and then.
///
/// Clones share one flag: raising one raises all, and two flags are equal if they
/// are clones of one another. The flag stays raised until it is cleared, so work
/// that begins later stops too.
///
/// # Memory ordering
/// [`raise`](Self::raise) releases, [`is_raised`](Self::is_raised) and
/// [`clear`](Self::clear) acquire. Hence a thread that finds the flag raised, or
/// clears it, sees everything that the raising thread wrote before. A message
/// written before raising is therefore never missed by a receiver that clears the
/// flag before it reads. On x86, looking at the flag is an ordinary load.
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Asks all work that looks at this flag to stop.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Lets work run again.
    pub fn clear(&self) {
        // A store could not acquire what was written before the last raise.
        self.0.swap(false, Ordering::AcqRel);
    }

    /// Whether work is to stop.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Equal if raising one raises the other.
impl PartialEq for StopFlag {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for StopFlag {}

#[cfg(test)]
mod tests {
    use super::StopFlag;

    #[test]
    fn clones_share_one_flag() {
        let flag = StopFlag::default();
        let clone = flag.clone();
        clone.raise();
        assert!(flag.is_raised());
        flag.clear();
        assert!(!clone.is_raised());
        assert_eq!(flag, clone);
        assert_ne!(flag, StopFlag::default());
    }
}

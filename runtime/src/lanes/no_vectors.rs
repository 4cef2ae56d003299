//! Architectures without vector words of their own: portable words stand in for those of
//! x86-64, whose widths are not available.

use super::{Level, Portable128, Portable256};

/// Stands in for a word of x86-64.
pub type Word128 = Portable128;

/// Stands in for a word of x86-64.
pub type Word256 = Portable256;

/// Stands in for a word of x86-64.
pub type Word512 = Portable256;

/// The highest level that this processor supports.
pub(super) fn detect() -> Level {
    Level::Portable
}

/// Passes on what only x86-64 processors can run; here there is the other one.
#[macro_export]
#[doc(hidden)]
macro_rules! on_x86_64 {
    ({ $($there:tt)* } else { $($here:tt)* }) => { $($here)* };
}

//! Architectures without vector words of their own: portable words stand in for those of
//! x86-64, whose widths are not available.

pub use super::{Portable128 as Word128, Portable256 as Word256, Portable256 as Word512};

/// Passes on what only x86-64 processors can run; here there is the other one.
#[macro_export]
#[doc(hidden)]
macro_rules! on_x86_64 {
    ({ $($there:tt)* } else { $($here:tt)* }) => { $($here)* };
}

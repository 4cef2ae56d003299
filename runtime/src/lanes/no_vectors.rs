//! Architectures without vector words of their own: portable words stand in for those of
//! x86-64, whose widths are not available.

pub use super::{Portable128 as Word128, Portable256 as Word256, Portable256 as Word512};

/// Expands to its second argument; the first is for x86-64 alone.
#[macro_export]
#[doc(hidden)]
macro_rules! on_x86_64 {
    ({ $($there:tt)* } else { $($here:tt)* }) => { $($here)* };
}

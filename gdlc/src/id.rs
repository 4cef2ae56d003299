//! Checked `u32` ids and the vectors they index.
//!
//! Every table of the compiler is an [`IdVec`] indexed by its own id type, so
//! that an atom cannot be looked up in the table of relations. Ids are assigned
//! densely from zero, which makes iteration order, and with it everything the
//! compiler prints, deterministic.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A dense index into one particular table.
pub trait Id: Copy + Eq + Ord {
    /// The id of the `index`-th entry.
    ///
    /// # Panics
    /// If `index` does not fit 32 bits; budgets end a compilation long before.
    fn new(index: usize) -> Self;

    /// The position in the table.
    fn index(self) -> usize;
}

/// Declares id types: `ids! { /// doc  pub struct AtomId; }`.
macro_rules! ids {
    ($($(#[$doc:meta])* pub struct $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $crate::id::Id for $name {
            #[inline]
            fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("budgets keep every table below 2^32 entries"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    )*};
}
pub(crate) use ids;

/// A vector indexed by an [`Id`] type.
#[derive(Clone, PartialEq, Eq)]
pub struct IdVec<I, T> {
    entries: Vec<T>,
    id: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> IdVec<I, T> {
    /// An empty table.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            entries: Vec::new(),
            id: PhantomData,
        }
    }

    /// Appends an entry and returns its id.
    pub fn push(&mut self, entry: T) -> I {
        let id = I::new(self.entries.len());
        self.entries.push(entry);
        id
    }

    /// The id that the next [`push`](Self::push) will return.
    #[must_use]
    pub fn next_id(&self) -> I {
        I::new(self.entries.len())
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry of `id`, if there is one.
    #[must_use]
    pub fn get(&self, id: I) -> Option<&T> {
        self.entries.get(id.index())
    }

    /// The entries in order of their ids.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.entries.iter()
    }

    /// The entries in order of their ids, mutably.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.entries.iter_mut()
    }

    /// The ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.entries.len()).map(I::new)
    }

    /// Entries with their ids, in order.
    pub fn iter_ids(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.entries
            .iter()
            .enumerate()
            .map(|(index, entry)| (I::new(index), entry))
    }

    /// Grows or shrinks to `len` entries, new ones being clones of `entry`.
    pub fn resize(&mut self, len: usize, entry: T)
    where
        T: Clone,
    {
        self.entries.resize(len, entry);
    }
}

impl<I: Id, T: Clone> IdVec<I, T> {
    /// A table of `len` clones of `entry`.
    #[must_use]
    pub fn filled(entry: T, len: usize) -> Self {
        vec![entry; len].into()
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(entries: Vec<T>) -> Self {
        Self {
            entries,
            id: PhantomData,
        }
    }
}

impl<I: Id, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(iter: It) -> Self {
        iter.into_iter().collect::<Vec<_>>().into()
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        &self.entries[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.entries[id.index()]
    }
}

impl<'a, I: Id, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}

impl<I: Id, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.entries).finish()
    }
}

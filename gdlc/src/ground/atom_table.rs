//! The ground atoms of one relation, and indices over them.

use super::table::{NumberTable, hash_key};
use super::term::{FunctorId, GroundTermId, TermStore};
use crate::id::IdVec;
use crate::rules::RelationId;

/// No row.
pub(super) const NIL: u32 = u32::MAX;

/// What has been done with an atom so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// Only negative literals have mentioned it.
    Mentioned,
    /// It can hold, but has not been joined with other atoms yet.
    Derived,
    /// It has been joined with all earlier atoms, and is in the indices.
    Joined,
}

/// The ground atoms of one relation, numbered densely as rows.
pub(super) struct AtomTable {
    arity: usize,
    args: Vec<GroundTermId>,
    status: Vec<Status>,
    table: NumberTable,
    indices: Vec<AtomIndex>,
}

impl AtomTable {
    pub fn new(arity: usize) -> Self {
        Self {
            arity,
            args: Vec::new(),
            status: Vec::new(),
            table: NumberTable::default(),
            indices: Vec::new(),
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.status.len()
    }

    /// The arguments of a row.
    #[inline]
    pub fn row(&self, row: u32) -> &[GroundTermId] {
        let start = row as usize * self.arity;
        &self.args[start..start + self.arity]
    }

    /// The row with these arguments, if there is one.
    #[inline]
    pub fn find(&self, args: &[GroundTermId]) -> Option<u32> {
        self.table
            .find(hash_key(0, args), |row| self.row(row) == args)
    }

    /// The row with these arguments, and whether it is new.
    #[inline]
    pub fn intern(&mut self, args: &[GroundTermId]) -> (u32, bool) {
        let hash = hash_key(0, args);
        if let Some(row) = self.table.find(hash, |row| self.row(row) == args) {
            return (row, false);
        }
        let row = self.status.len() as u32;
        self.args.extend_from_slice(args);
        self.status.push(Status::Mentioned);
        self.table.insert(hash, row);
        (row, true)
    }

    #[inline]
    pub fn status(&self, row: u32) -> Status {
        self.status[row as usize]
    }

    /// Marks a row as able to hold; returns whether that is new.
    #[inline]
    pub fn derive(&mut self, row: u32) -> bool {
        let status = &mut self.status[row as usize];
        let new = *status == Status::Mentioned;
        if new {
            *status = Status::Derived;
        }
        new
    }

    /// Puts a derived row into the indices.
    pub fn join(&mut self, row: u32, terms: &TermStore, frame: &mut Vec<GroundTermId>) {
        self.status[row as usize] = Status::Joined;
        let start = row as usize * self.arity;
        let args = &self.args[start..start + self.arity];
        for index in &mut self.indices {
            index.insert(row, args, terms, frame);
        }
    }

    /// The rows that have been joined.
    pub fn joined(&self) -> impl Iterator<Item = u32> {
        (0..self.len() as u32).filter(|&row| self.status(row) == Status::Joined)
    }

    /// The rows that can hold.
    pub fn derived(&self) -> impl Iterator<Item = u32> {
        (0..self.len() as u32).filter(|&row| self.status(row) != Status::Mentioned)
    }

    /// The number of the index over these places of a frame, made on first use.
    pub fn index_over(&mut self, opens: &[OpenFunction], keys: &[u32], terms: &TermStore) -> usize {
        let found = self
            .indices
            .iter()
            .position(|index| index.opens == opens && index.keys == keys);
        found.unwrap_or_else(|| {
            let mut index = AtomIndex::new(opens.to_vec(), keys.to_vec());
            let mut frame = Vec::new();
            for row in self.joined() {
                index.insert(row, self.row(row), terms, &mut frame);
            }
            self.indices.push(index);
            self.indices.len() - 1
        })
    }

    #[inline]
    pub fn index(&self, number: usize) -> &AtomIndex {
        &self.indices[number]
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        (self.args.len() * size_of::<GroundTermId>() + self.status.len()) as u64
            + self.table.bytes()
            + self.indices.iter().map(AtomIndex::bytes).sum::<u64>()
    }
}

/// The terms and atoms found so far.
pub(super) struct AtomStore {
    pub terms: TermStore,
    pub tables: IdVec<RelationId, AtomTable>,
}

/// Appends the arguments of the function at place `source` to a frame.
///
/// A frame holds the arguments of an atom. Opening a nested function of a known
/// functor puts its arguments at known places of the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct OpenFunction {
    pub source: u32,
    pub functor: FunctorId,
}

/// Fills `frame` from an atom's arguments; returns whether all functors agree.
#[inline]
pub(super) fn fill_frame(
    frame: &mut Vec<GroundTermId>,
    args: &[GroundTermId],
    opens: &[OpenFunction],
    terms: &TermStore,
) -> bool {
    frame.clear();
    frame.extend_from_slice(args);
    for open in opens {
        let term = frame[open.source as usize];
        if terms.functor(term) != open.functor {
            return false;
        }
        frame.extend_from_slice(terms.args(term));
    }
    true
}

/// Finds the rows of one shape by the terms at some places of their frames.
pub(super) struct AtomIndex {
    opens: Vec<OpenFunction>,
    keys: Vec<u32>,
    /// The numbers of the keys.
    table: NumberTable,
    key_terms: Vec<GroundTermId>,
    /// The first and the last row of every key.
    ends: Vec<(u32, u32)>,
    /// For every row, the next row with the same key.
    next: Vec<u32>,
}

impl AtomIndex {
    fn new(opens: Vec<OpenFunction>, keys: Vec<u32>) -> Self {
        Self {
            opens,
            keys,
            table: NumberTable::default(),
            key_terms: Vec::new(),
            ends: Vec::new(),
            next: Vec::new(),
        }
    }

    fn key(&self, number: u32) -> &[GroundTermId] {
        let start = number as usize * self.keys.len();
        &self.key_terms[start..start + self.keys.len()]
    }

    /// The first row with this key.
    #[inline]
    pub fn first(&self, key: &[GroundTermId]) -> u32 {
        self.table
            .find(hash_key(0, key), |number| self.key(number) == key)
            .map_or(NIL, |number| self.ends[number as usize].0)
    }

    /// The row after `row` with the same key.
    #[inline]
    pub fn after(&self, row: u32) -> u32 {
        self.next[row as usize]
    }

    fn insert(
        &mut self,
        row: u32,
        args: &[GroundTermId],
        terms: &TermStore,
        frame: &mut Vec<GroundTermId>,
    ) {
        if !fill_frame(frame, args, &self.opens, terms) {
            return;
        }
        for &source in &self.keys {
            let term = frame[source as usize];
            frame.push(term);
        }
        let key_start = frame.len() - self.keys.len();
        let hash = hash_key(0, &frame[key_start..]);
        if self.next.len() <= row as usize {
            self.next.resize(row as usize + 1, NIL);
        }
        let key = &frame[key_start..];
        match self.table.find(hash, |number| self.key(number) == key) {
            Some(number) => {
                let last = &mut self.ends[number as usize].1;
                self.next[*last as usize] = row;
                *last = row;
            }
            None => {
                self.table.insert(hash, self.ends.len() as u32);
                self.ends.push((row, row));
                self.key_terms.extend_from_slice(key);
            }
        }
    }

    fn bytes(&self) -> u64 {
        (self.key_terms.len() * size_of::<GroundTermId>()
            + self.ends.len() * 8
            + self.next.len() * 4) as u64
            + self.table.bytes()
    }
}

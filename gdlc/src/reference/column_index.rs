//! Finds rows by the terms in some of their columns.
//!
//! Terms are numbered as they are met, so that those in one column, such as the ranks of a
//! board, mostly have numbers close to each other. Where few combinations of such numbers are
//! possible, a table has a place for each of them; elsewhere combinations are hashed.

use super::term::TermId;
use crate::id::Id;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// Lists of the rows with the same terms in some columns.
#[derive(Debug, Clone)]
pub(super) struct ColumnIndex {
    columns: Vec<usize>,
    heads: ListHeads,
    /// For every row, its neighbours in its list.
    neighbours: Vec<Neighbours>,
}

/// The rows beside a row in a list; `END` if there is none.
#[derive(Debug, Clone, Copy)]
struct Neighbours {
    next: u32,
    previous: u32,
}

/// The first row of every list.
#[derive(Debug, Clone)]
enum ListHeads {
    Tabled(TabledHeads),
    Hashed(HashTable<HashedHead>),
}

/// A place for every combination of terms with numbers in certain ranges.
#[derive(Debug, Clone)]
struct TabledHeads {
    /// A range for each column.
    ranges: Vec<TermRange>,
    heads: Vec<u32>,
}

/// Terms with consecutive numbers.
#[derive(Debug, Clone, Copy)]
struct TermRange {
    first: usize,
    len: usize,
}

/// The first row of a list, with a hash of the terms that its rows have in common.
#[derive(Debug, Clone, Copy)]
struct HashedHead {
    hash: u32,
    row: u32,
}

/// No row: the end of a list.
const END: u32 = u32::MAX;

/// The most places of a table, which is written whole when all rows are removed.
const MOST_PLACES: usize = 1 << 12;

/// An odd number without a pattern in its bits.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

impl ColumnIndex {
    /// An index without rows.
    pub(super) fn new(columns: Vec<usize>) -> Self {
        Self {
            heads: ListHeads::Tabled(TabledHeads::new(columns.len())),
            columns,
            neighbours: Vec::new(),
        }
    }

    /// The columns by whose terms rows are found.
    pub(super) fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// Adds a row; `cells` has the terms of any row.
    #[inline]
    pub(super) fn insert<'c>(&mut self, row: usize, cells: impl Fn(usize) -> &'c [TermId]) {
        let next = self.replace_head(row, |_| row as u32, &cells);
        self.link(row, next);
    }

    /// Adds a row unless there is one with the same terms in the columns, which is returned.
    #[inline]
    pub(super) fn find_or_insert<'c>(
        &mut self,
        row: usize,
        cells: impl Fn(usize) -> &'c [TermId],
    ) -> Option<usize> {
        let found = self.replace_head(row, |head| head.min(row as u32), &cells);
        if found != END {
            return Some(found as usize);
        }
        self.link(row, END);
        None
    }

    /// Links a row, now the first of its list, with the one that was first before.
    fn link(&mut self, row: usize, next: u32) {
        if self.neighbours.len() <= row {
            self.neighbours.resize(row + 1, Neighbours::ALONE);
        }
        self.neighbours[row] = Neighbours {
            next,
            previous: END,
        };
        if next != END {
            self.neighbours[next as usize].previous = row as u32;
        }
    }

    /// Removes a row that was added.
    pub(super) fn remove<'c>(&mut self, row: usize, cells: impl Fn(usize) -> &'c [TermId]) {
        let Neighbours { next, previous } = self.neighbours[row];
        if next != END {
            self.neighbours[next as usize].previous = previous;
        }
        match previous {
            END => self.set_head(row, next, &cells),
            _ => self.neighbours[previous as usize].next = next,
        }
    }

    /// The first row with these terms in the columns; `cells` has the terms of any row.
    #[inline]
    pub(super) fn first<'c>(
        &self,
        key: impl Iterator<Item = TermId> + Clone,
        cells: impl Fn(usize) -> &'c [TermId],
    ) -> Option<usize> {
        let head = match &self.heads {
            ListHeads::Tabled(table) => table.find(key),
            ListHeads::Hashed(table) => find_hashed(table, &self.columns, &key, cells),
        };
        (head != END).then_some(head as usize)
    }

    /// The next row with the same terms in the columns as `row`.
    #[inline]
    pub(super) fn next(&self, row: usize) -> Option<usize> {
        let next = self.neighbours[row].next;
        (next != END).then_some(next as usize)
    }

    /// Removes all rows.
    pub(super) fn clear(&mut self) {
        if self.neighbours.is_empty() {
            return;
        }
        self.neighbours.clear();
        match &mut self.heads {
            ListHeads::Tabled(table) => table.heads.fill(END),
            ListHeads::Hashed(table) => table.clear(),
        }
    }

    /// Changes the first row of the list with the terms of `like`, and returns what it was.
    #[inline]
    fn replace_head<'c>(
        &mut self,
        like: usize,
        change: impl Fn(u32) -> u32,
        cells: impl Fn(usize) -> &'c [TermId],
    ) -> u32 {
        let key = key_of(&self.columns, cells(like));
        if let ListHeads::Tabled(table) = &mut self.heads {
            if let Some(place) = table.place(key.clone()) {
                let head = table.heads[place];
                table.heads[place] = change(head);
                return head;
            }
            make_place(&mut self.heads, &self.columns, like, &cells);
        }
        match &mut self.heads {
            ListHeads::Tabled(table) => {
                if let Some(place) = table.place(key) {
                    table.heads[place] = change(END);
                }
                END
            }
            ListHeads::Hashed(table) => {
                let hash = hash_of(key.clone());
                match find_entry(table, &self.columns, hash, &key, &cells) {
                    Entry::Occupied(mut head) => {
                        let row = &mut head.get_mut().row;
                        let changed = change(*row);
                        std::mem::replace(row, changed)
                    }
                    Entry::Vacant(place) => {
                        let row = change(END);
                        place.insert(HashedHead { hash, row });
                        END
                    }
                }
            }
        }
    }

    /// Makes a row the first of the list with the terms of `like`, which is not empty; `END`
    /// empties the list.
    fn set_head<'c>(&mut self, like: usize, row: u32, cells: impl Fn(usize) -> &'c [TermId]) {
        if row != END {
            self.replace_head(like, |_| row, cells);
            return;
        }
        let key = key_of(&self.columns, cells(like));
        match &mut self.heads {
            ListHeads::Tabled(table) => {
                if let Some(place) = table.place(key) {
                    table.heads[place] = END;
                }
            }
            ListHeads::Hashed(table) => {
                let hash = hash_of(key.clone());
                if let Entry::Occupied(head) = find_entry(table, &self.columns, hash, &key, &cells)
                {
                    head.remove();
                }
            }
        }
    }
}

impl Neighbours {
    const ALONE: Self = Self {
        next: END,
        previous: END,
    };
}

impl TabledHeads {
    fn new(columns: usize) -> Self {
        Self {
            ranges: vec![TermRange { first: 0, len: 0 }; columns],
            heads: Vec::new(),
        }
    }

    /// The place of a combination of terms, if there is one.
    #[inline]
    fn place(&self, key: impl Iterator<Item = TermId>) -> Option<usize> {
        let mut place = 0;
        for (range, term) in self.ranges.iter().zip(key) {
            let at = term.index().wrapping_sub(range.first);
            if at >= range.len {
                return None;
            }
            place = place * range.len + at;
        }
        // Without columns there is a single combination, and at first no place for it.
        (place < self.heads.len()).then_some(place)
    }

    #[inline]
    fn find(&self, key: impl Iterator<Item = TermId>) -> u32 {
        self.place(key).map_or(END, |place| self.heads[place])
    }

    /// Makes places for further terms, all of them empty; returns whether they are few enough.
    fn extend(&mut self, key: impl Iterator<Item = TermId>) -> bool {
        for (range, term) in self.ranges.iter_mut().zip(key) {
            range.include(term);
        }
        let places = (self.ranges.iter())
            .try_fold(1_usize, |places, range| places.checked_mul(range.len))
            .filter(|&places| places <= MOST_PLACES);
        self.heads.resize(places.unwrap_or(0), END);
        places.is_some()
    }
}

impl TermRange {
    /// Extends the range to a term, and by at least half its length, since rows that are added in
    /// the order of their terms extend it again and again.
    fn include(&mut self, term: TermId) {
        let (term, end) = (term.index(), self.first + self.len);
        if self.len == 0 {
            (self.first, self.len) = (term, 1);
        } else if term >= end {
            self.len = (term + 1 - self.first).max(self.len + self.len / 2);
        } else if term < self.first {
            self.first = term.min(self.first.saturating_sub(self.len / 2));
            self.len = end - self.first;
        }
    }
}

/// Makes a place for a row's terms in a table, or hashes all lists if there would be too many
/// places.
#[cold]
fn make_place<'c>(
    heads: &mut ListHeads,
    columns: &[usize],
    row: usize,
    cells: impl Fn(usize) -> &'c [TermId],
) {
    let ListHeads::Tabled(table) = heads else {
        return;
    };
    let rows: Vec<u32> = table.heads.drain(..).filter(|&head| head != END).collect();
    let key = |row: u32| key_of(columns, cells(row as usize));
    if table.extend(key(row as u32)) {
        for row in rows {
            if let Some(place) = table.place(key(row)) {
                table.heads[place] = row;
            }
        }
        return;
    }
    let mut table = HashTable::with_capacity(rows.len());
    for row in rows {
        let head = HashedHead {
            hash: hash_of(key(row)),
            row,
        };
        table.insert_unique(spread(head.hash), head, |head| spread(head.hash));
    }
    *heads = ListHeads::Hashed(table);
}

/// The terms in some columns of a row.
fn key_of(columns: &[usize], cells: &[TermId]) -> impl Iterator<Item = TermId> + Clone {
    columns.iter().map(|&at| cells[at])
}

#[inline]
fn find_hashed<'c>(
    table: &HashTable<HashedHead>,
    columns: &[usize],
    key: &(impl Iterator<Item = TermId> + Clone),
    cells: impl Fn(usize) -> &'c [TermId],
) -> u32 {
    let hash = hash_of(key.clone());
    let is_same = |head: &HashedHead| {
        head.hash == hash && key_of(columns, cells(head.row as usize)).eq(key.clone())
    };
    table
        .find(spread(hash), is_same)
        .map_or(END, |head| head.row)
}

fn find_entry<'t, 'c>(
    table: &'t mut HashTable<HashedHead>,
    columns: &[usize],
    hash: u32,
    key: &(impl Iterator<Item = TermId> + Clone),
    cells: impl Fn(usize) -> &'c [TermId],
) -> Entry<'t, HashedHead> {
    let is_same = |head: &HashedHead| {
        head.hash == hash && key_of(columns, cells(head.row as usize)).eq(key.clone())
    };
    table.entry(spread(hash), is_same, |head| spread(head.hash))
}

/// A hash of these terms: by the method of rustc's hash tables, of which the upper bits depend
/// on all terms.
#[inline]
fn hash_of(terms: impl Iterator<Item = TermId>) -> u32 {
    let mix = |hash: u64, term: TermId| {
        (hash.rotate_left(5) ^ term.index() as u64).wrapping_mul(MULTIPLIER)
    };
    (terms.fold(0, mix) >> 32) as u32
}

/// The bits of a hash, spread over those that a table looks at.
#[inline]
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(MULTIPLIER)
}

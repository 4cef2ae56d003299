//! The extension of a relation: the facts that hold, arranged for matching.
//!
//! A fact is a row of terms. Rules do not match whole terms but look inside
//! them: `(true (cell ?x ?y b))` asks for facts of the shape `(cell _ _ _)`.
//! A [`View`] stores the terms in the holes of one such shape as rows of its own,
//! and a [`ColumnIndex`] finds the rows with particular terms in some columns.
//!
//! Rows are only added, in order, until everything is cleared. Views and indices
//! are brought up to date when they are next asked: those that no rule of the
//! current query uses cost nothing.

use super::term::{TermId, TermInterner};
use crate::id::Id;
use crate::rules::SymbolId;
use hashbrown::HashTable;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// The functions that an atom's arguments consist of, in the order of the text,
/// each with its arity. A hole (`None`) stands for any single term.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Shape(pub(super) Vec<Option<(SymbolId, usize)>>);

/// The facts of one relation.
#[derive(Debug, Clone)]
pub(super) struct Extension {
    facts: TermRows,
    /// Finds a fact among the rows.
    known: HashTable<u32>,
    views: Vec<View>,
}

/// The terms in the holes of a shape, for every fact that has the shape.
#[derive(Debug, Clone)]
pub(super) struct View {
    shape: Shape,
    pub(super) rows: TermRows,
    /// The number of the relation's facts that have been looked at.
    seen: usize,
    indices: Vec<ColumnIndex>,
    /// The rows that were new in the last round; see [`Extension::begin_round`].
    fresh: Range<usize>,
}

/// Finds the rows of a view by the terms in some columns.
#[derive(Debug, Clone)]
struct ColumnIndex {
    columns: Vec<usize>,
    /// The rows of every combination of terms in the columns.
    chains: HashTable<RowChain>,
    /// For every row, the next row with the same terms in the columns.
    next: Vec<u32>,
}

/// The rows with the same terms in an index's columns.
#[derive(Debug, Clone, Copy)]
struct RowChain {
    key: PackedKey,
    first: u32,
    last: u32,
}

/// The terms in an index's columns: in one number where they fit, which saves a look at
/// the row; elsewhere only their hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PackedKey(u128);

/// The position of a view in its extension.
pub(super) type ViewIndex = usize;

/// No row: the end of a chain.
const END: u32 = u32::MAX;

/// The number of rows that an estimate is based on, about.
const SAMPLED_ROWS: usize = 2000;

/// A list of rows of the same width, which may be zero.
#[derive(Debug, Clone)]
pub(super) struct TermRows {
    width: usize,
    len: usize,
    cells: Vec<TermId>,
}

impl TermRows {
    const fn new(width: usize) -> Self {
        Self {
            width,
            len: 0,
            cells: Vec::new(),
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// The row's terms.
    pub(super) fn row(&self, row: usize) -> &[TermId] {
        &self.cells[row * self.width..][..self.width]
    }

    fn push(&mut self, terms: &[TermId]) {
        self.cells.extend_from_slice(terms);
        self.len += 1;
    }

    fn clear(&mut self) {
        self.len = 0;
        self.cells.clear();
    }
}

impl Extension {
    /// No facts of a relation with `arity` arguments.
    pub(super) fn new(arity: usize) -> Self {
        Self {
            facts: TermRows::new(arity),
            known: HashTable::new(),
            views: Vec::new(),
        }
    }

    /// The facts in the order in which they were added.
    pub(super) fn facts(&self) -> impl Iterator<Item = &[TermId]> {
        (0..self.facts.len()).map(|row| self.facts.row(row))
    }

    /// The number of facts.
    pub(super) const fn len(&self) -> usize {
        self.facts.len()
    }

    /// Adds a fact; returns whether it is new.
    pub(super) fn insert(&mut self, fact: &[TermId]) -> bool {
        let (facts, hash) = (&self.facts, hash_row(fact.iter()));
        let same = |&row: &u32| facts.row(row as usize) == fact;
        if self.known.find(hash, same).is_some() {
            return false;
        }
        self.known.insert_unique(hash, facts.len() as u32, |&row| {
            hash_row(facts.row(row as usize).iter())
        });
        self.facts.push(fact);
        true
    }

    /// Removes all facts; keeps the views and indices, empty.
    pub(super) fn clear(&mut self) {
        self.facts.clear();
        self.known.clear();
        self.views.iter_mut().for_each(View::clear);
    }

    /// The view of a shape, made on first use.
    pub(super) fn view_of(&mut self, shape: Shape) -> ViewIndex {
        if let Some(known) = self.views.iter().position(|view| view.shape == shape) {
            return known;
        }
        self.views.push(View::new(shape));
        self.views.len() - 1
    }

    /// A view as it was when it was last brought up to date.
    pub(super) fn view(&self, view: ViewIndex) -> &View {
        &self.views[view]
    }

    /// A view, brought up to date.
    pub(super) fn updated_view(&mut self, view: ViewIndex, terms: &TermInterner) -> &mut View {
        let view = &mut self.views[view];
        view.update(&self.facts, terms);
        view
    }

    /// The index of a view by some columns, made on first use.
    pub(super) fn index_by(&mut self, view: ViewIndex, columns: Vec<usize>) -> usize {
        self.views[view].index_by(columns)
    }

    /// Begins a round of a fixpoint: the rows added since the last call become the
    /// fresh rows of every view.
    pub(super) fn begin_round(&mut self, terms: &TermInterner) {
        for view in &mut self.views {
            view.update(&self.facts, terms);
            view.fresh = view.fresh.end..view.rows.len();
        }
    }
}

impl View {
    fn new(shape: Shape) -> Self {
        let holes = shape.0.iter().filter(|part| part.is_none()).count();
        Self {
            shape,
            rows: TermRows::new(holes),
            seen: 0,
            indices: Vec::new(),
            fresh: 0..0,
        }
    }

    #[inline]
    fn update(&mut self, facts: &TermRows, terms: &TermInterner) {
        if self.seen < facts.len() {
            self.append(facts, terms);
        }
    }

    /// Adds the rows of the facts that have not been looked at.
    fn append(&mut self, facts: &TermRows, terms: &TermInterner) {
        while self.seen < facts.len() {
            let fact = facts.row(self.seen);
            push_holes(&self.shape, fact, terms, &mut self.rows);
            self.seen += 1;
        }
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.seen = 0;
        self.fresh = 0..0;
        for index in &mut self.indices {
            if !index.next.is_empty() {
                index.chains.clear();
                index.next.clear();
            }
        }
    }

    fn index_by(&mut self, columns: Vec<usize>) -> usize {
        let same = |index: &ColumnIndex| index.columns == columns;
        if let Some(known) = self.indices.iter().position(same) {
            return known;
        }
        self.indices.push(ColumnIndex {
            columns,
            chains: HashTable::new(),
            next: Vec::new(),
        });
        self.indices.len() - 1
    }

    /// The rows that the last round of a fixpoint added.
    pub(super) fn fresh(&self) -> Range<usize> {
        self.fresh.clone()
    }

    /// The expected number of rows with particular terms in `columns`: the rows divided
    /// by the combinations of terms that occur there, counted in a sample. Where there
    /// are no rows yet, each column is taken to be equally selective.
    pub(super) fn rows_per_key(&self, columns: &[usize]) -> f64 {
        let rows = self.rows.len();
        if rows == 0 {
            let open = self.rows.width - columns.len();
            return 2_f64.powf(open as f64 / self.rows.width as f64);
        }
        let stride = rows.div_ceil(SAMPLED_ROWS);
        let key = |row: usize| columns.iter().map(move |&at| self.rows.row(row)[at]);
        let sample = (0..rows).step_by(stride);
        let keys: FxHashSet<Vec<TermId>> = sample.map(|row| key(row).collect()).collect();
        // A sample meets only some combinations: the true number of rows for each lies
        // between the sample's and that which counts no combination but the sample's.
        rows as f64 / (keys.len() as f64 * (stride as f64).sqrt())
    }

    /// The first row with the terms `key` in an index's columns.
    pub(super) fn first(&mut self, index: usize, key: &[TermId]) -> Option<usize> {
        let index = &mut self.indices[index];
        if index.next.len() < self.rows.len() {
            index.append(&self.rows);
        }
        let packed = PackedKey::of(key.len(), key.iter());
        let chain = index.chains.find(packed.hash(), |chain| {
            chain.key == packed
                && (PackedKey::is_exact(key.len()) || {
                    let row = self.rows.row(chain.first as usize);
                    index.columns.iter().map(|&at| &row[at]).eq(key)
                })
        });
        chain.map(|chain| chain.first as usize)
    }

    /// The next row with the same terms in an index's columns as `row`.
    pub(super) fn following(&self, index: usize, row: usize) -> Option<usize> {
        let next = self.indices[index].next[row];
        (next != END).then_some(next as usize)
    }
}

impl ColumnIndex {
    /// Indexes the rows that have been added since the last call.
    fn append(&mut self, rows: &TermRows) {
        for row in self.next.len()..rows.len() {
            self.insert(row, rows);
        }
    }

    fn insert(&mut self, new: usize, rows: &TermRows) {
        let columns = &self.columns;
        let terms = |row: u32| {
            let row = rows.row(row as usize);
            columns.iter().map(move |&at| &row[at])
        };
        let row = new as u32;
        let key = PackedKey::of(columns.len(), terms(row));
        let same = |chain: &RowChain| {
            let exact = PackedKey::is_exact(columns.len());
            chain.key == key && (exact || terms(chain.first).eq(terms(row)))
        };
        match self.chains.find_mut(key.hash(), same) {
            Some(chain) => {
                self.next[chain.last as usize] = row;
                chain.last = row;
            }
            None => {
                let chain = RowChain {
                    key,
                    first: row,
                    last: row,
                };
                self.chains
                    .insert_unique(key.hash(), chain, |chain| chain.key.hash());
            }
        }
        self.next.push(END);
    }
}

impl PackedKey {
    /// The number of terms that fit.
    const CAPACITY: usize = 4;

    /// The key of this number of terms.
    fn of<'a>(count: usize, terms: impl Iterator<Item = &'a TermId>) -> Self {
        if count > Self::CAPACITY {
            return Self(hash_row(terms).into());
        }
        let pack = |key, term: &TermId| key << 32 | term.index() as u128;
        Self(terms.fold(0, pack))
    }

    /// Whether different combinations of this number of terms have different keys.
    const fn is_exact(count: usize) -> bool {
        count <= Self::CAPACITY
    }

    fn hash(self) -> u64 {
        let mut hasher = FxHasher::default();
        hasher.write_u64(self.0 as u64);
        hasher.write_u64((self.0 >> 64) as u64);
        hasher.finish()
    }
}

/// Appends the terms in the holes of `shape` as a row, if the fact has that shape.
fn push_holes(shape: &Shape, fact: &[TermId], terms: &TermInterner, rows: &mut TermRows) {
    let start = rows.cells.len();
    if match_args(&mut shape.0.iter(), fact, terms, &mut rows.cells) {
        rows.len += 1;
    } else {
        rows.cells.truncate(start);
    }
}

/// Matches arguments with the next parts of a shape, which nests no deeper than the
/// rule sheet; returns whether they have it.
fn match_args(
    parts: &mut std::slice::Iter<'_, Option<(SymbolId, usize)>>,
    args: &[TermId],
    terms: &TermInterner,
    cells: &mut Vec<TermId>,
) -> bool {
    args.iter().all(|&term| match parts.next() {
        Some(&Some((symbol, arity))) => {
            let inner = terms.args(term);
            terms.symbol(term) == symbol
                && inner.len() == arity
                && match_args(parts, inner, terms, cells)
        }
        Some(None) | None => {
            cells.push(term);
            true
        }
    })
}

fn hash_row<'a>(terms: impl Iterator<Item = &'a TermId>) -> u64 {
    let mut hasher = FxHasher::default();
    for term in terms {
        term.hash(&mut hasher);
    }
    hasher.finish()
}

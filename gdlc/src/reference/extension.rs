//! The extension of a relation: the facts that hold, arranged for matching.
//!
//! A fact is a row of terms. Rules do not match whole terms but look inside
//! them: `(true (cell ?x ?y b))` asks for facts of the shape `(cell _ _ _)`.
//! A [`View`] holds, for each row of one such shape, the terms in the holes, and
//! finds rows with particular terms in some columns.
//!
//! A relation is either evaluated anew in every state, so that its facts are added one after
//! another until everything is cleared, or kept up to date by counting how often each fact can
//! be derived. A fact then begins or ceases to hold when [`toggle`](Extension::toggle) is called.
//!
//! Views are brought up to date when they are next queried, so views that no rule of the
//! current query uses cost nothing.

use super::column_index::ColumnIndex;
use super::term::{TermId, TermInterner};
use crate::id::Id;
use crate::rules::SymbolId;
use rustc_hash::FxHashSet;

/// The functions that an atom's arguments consist of, in the order of the text,
/// each with its arity. A hole (`None`) stands for any single term.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Shape(pub(super) Vec<Option<(SymbolId, usize)>>);

/// The facts of one relation.
#[derive(Debug, Clone)]
pub(super) struct Extension {
    facts: TermRows,
    /// Finds a fact among the rows.
    known: ColumnIndex,
    /// What is known of the fact of each row.
    entries: Vec<FactEntry>,
    /// The number of facts that hold.
    len: usize,
    /// Rows without a fact.
    vacant: Vec<usize>,
    /// Rows of facts that may have begun or ceased to follow.
    changed: Vec<usize>,
    views: Vec<View>,
}

/// What is known of a fact.
#[derive(Debug, Clone, Copy, Default)]
struct FactEntry {
    /// In how many ways it can be derived, if that is counted.
    derivations: u32,
    /// Whether it holds: whether rules find it.
    holds: bool,
    /// Whether its row is among those that have changed.
    has_changed: bool,
}

/// The terms in the holes of a shape, for every fact that holds and has the shape.
#[derive(Debug, Clone)]
pub(super) struct View {
    shape: Shape,
    /// By the numbers of the facts' rows.
    rows: TermRows,
    /// Which rows have a fact that holds and has the shape.
    present: Vec<bool>,
    /// The number of those.
    len: usize,
    indices: Vec<ColumnIndex>,
    /// For each index, the number of rows that it takes into account.
    indexed: Vec<usize>,
    /// The end of the rows that were new before the last round.
    fresh: usize,
    /// The end of the rows that are new in this round; see [`Extension::begin_round`].
    fresh_end: usize,
}

/// The position of a view in its extension.
pub(super) type ViewIndex = usize;

/// The approximate number of rows that an estimate is based on.
const SAMPLED_ROWS: usize = 2000;

/// A list of rows of the same width, which may be zero.
#[derive(Debug, Clone)]
struct TermRows {
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

    /// The row's terms.
    #[inline]
    fn row(&self, row: usize) -> &[TermId] {
        &self.cells[row * self.width..][..self.width]
    }

    fn push(&mut self, terms: &[TermId]) {
        self.cells.extend_from_slice(terms);
        self.len += 1;
    }

    fn pop(&mut self) {
        self.len -= 1;
        self.cells.truncate(self.len * self.width);
    }

    fn set(&mut self, row: usize, terms: &[TermId]) {
        self.cells[row * self.width..][..self.width].copy_from_slice(terms);
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
            known: ColumnIndex::new((0..arity).collect()),
            entries: Vec::new(),
            len: 0,
            vacant: Vec::new(),
            changed: Vec::new(),
            views: Vec::new(),
        }
    }

    /// The facts that hold.
    pub(super) fn facts(&self) -> impl Iterator<Item = &[TermId]> {
        let rows = self.entries.iter().enumerate();
        let rows = rows.filter(|(_, entry)| entry.holds);
        rows.map(|(row, _)| self.facts.row(row))
    }

    /// The number of facts that hold.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// Adds a way to derive a fact, which holds from now on; returns whether it is new. No fact
    /// may have been removed since the last [`clear`](Self::clear).
    pub(super) fn insert(&mut self, fact: &[TermId]) -> bool {
        let row = self.entries.len();
        self.facts.push(fact);
        if let Some(row) = self.known.find_or_insert(row, |row| self.facts.row(row)) {
            self.facts.pop();
            let derivations = &mut self.entries[row].derivations;
            *derivations = derivations.saturating_add(1);
            return false;
        }
        self.entries.push(FactEntry {
            derivations: 1,
            holds: true,
            has_changed: false,
        });
        self.len += 1;
        true
    }

    /// Adds a way to derive a fact.
    pub(super) fn derive(&mut self, fact: &[TermId]) {
        let row = self.find(fact).unwrap_or_else(|| self.add(fact));
        self.entries[row].derivations += 1;
        if self.entries[row].derivations == 1 {
            self.note_change(row);
        }
    }

    /// Removes a way to derive a fact.
    pub(super) fn retract(&mut self, fact: &[TermId]) {
        let Some(row) = self.find(fact) else { return };
        let derivations = &mut self.entries[row].derivations;
        *derivations = derivations.saturating_sub(1);
        if *derivations == 0 {
            self.note_change(row);
        }
    }

    fn note_change(&mut self, row: usize) {
        if !std::mem::replace(&mut self.entries[row].has_changed, true) {
            self.changed.push(row);
        }
    }

    /// The row of a fact that follows but does not hold, or holds but does not follow, and whether
    /// it holds; `None` if there is no such fact.
    pub(super) fn take_change(&mut self) -> Option<(usize, bool)> {
        while let Some(row) = self.changed.pop() {
            let entry = &mut self.entries[row];
            entry.has_changed = false;
            if entry.holds != (entry.derivations > 0) {
                return Some((row, entry.holds));
            }
            if !entry.holds {
                self.release(row);
            }
        }
        None
    }

    /// Makes a fact hold if it does not, and cease to hold if it does.
    pub(super) fn toggle(&mut self, row: usize, terms: &TermInterner) {
        let entry = &mut self.entries[row];
        entry.holds = !entry.holds;
        let fact = self.facts.row(row);
        if entry.holds {
            self.len += 1;
            for view in &mut self.views {
                view.add(row, fact, terms);
            }
        } else {
            self.len -= 1;
            for view in &mut self.views {
                view.remove(row);
            }
            self.release(row);
        }
    }

    /// Frees the row of a fact that does not follow.
    fn release(&mut self, row: usize) {
        self.known.remove(row, |row| self.facts.row(row));
        self.vacant.push(row);
    }

    fn find(&self, fact: &[TermId]) -> Option<usize> {
        let key = fact.iter().copied();
        self.known.first(key, |row| self.facts.row(row))
    }

    /// Gives a fact a row.
    fn add(&mut self, fact: &[TermId]) -> usize {
        let row = match self.vacant.pop() {
            Some(row) => {
                self.facts.set(row, fact);
                row
            }
            None => {
                self.facts.push(fact);
                self.entries.push(FactEntry::default());
                self.entries.len() - 1
            }
        };
        self.known.insert(row, |row| self.facts.row(row));
        row
    }

    /// Removes all facts; keeps the views and indices, empty.
    pub(super) fn clear(&mut self) {
        self.facts.clear();
        self.known.clear();
        self.entries.clear();
        self.vacant.clear();
        self.changed.clear();
        self.len = 0;
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
    #[inline]
    pub(super) fn view(&self, view: ViewIndex) -> &View {
        &self.views[view]
    }

    /// A view, brought up to date.
    #[inline]
    pub(super) fn updated_view(&mut self, view: ViewIndex, terms: &TermInterner) -> &mut View {
        let view = &mut self.views[view];
        if view.rows.len < self.facts.len {
            view.append(&self.facts, &self.entries, terms);
        }
        view
    }

    /// The index of a view by some columns, made on first use.
    pub(super) fn index_by(&mut self, view: ViewIndex, columns: Vec<usize>) -> usize {
        self.views[view].index_by(columns)
    }

    /// Begins a round of a fixpoint: the rows added since the last call become the
    /// fresh rows of every view.
    pub(super) fn begin_round(&mut self, terms: &TermInterner) {
        for at in 0..self.views.len() {
            let view = self.updated_view(at, terms);
            view.fresh = view.fresh_end;
            view.fresh_end = view.rows.len;
        }
    }
}

impl View {
    fn new(shape: Shape) -> Self {
        let holes = shape.0.iter().filter(|part| part.is_none()).count();
        Self {
            shape,
            rows: TermRows::new(holes),
            present: Vec::new(),
            len: 0,
            indices: Vec::new(),
            indexed: Vec::new(),
            fresh: 0,
            fresh_end: 0,
        }
    }

    /// Adds the rows of the facts that have not been looked at.
    fn append(&mut self, facts: &TermRows, entries: &[FactEntry], terms: &TermInterner) {
        for (row, entry) in entries.iter().enumerate().skip(self.rows.len) {
            let end = (row + 1) * self.rows.width;
            let cells = &mut self.rows.cells;
            let fits = entry.holds && push_holes(&self.shape, facts.row(row), terms, cells);
            cells.resize(end, TermId::new(0));
            self.rows.len += 1;
            self.present.push(fits);
            self.len += usize::from(fits);
        }
    }

    /// Adds a fact that begins to hold, if its row has been looked at.
    fn add(&mut self, row: usize, fact: &[TermId], terms: &TermInterner) {
        if row >= self.rows.len {
            return;
        }
        let mut cells = Vec::new();
        if !push_holes(&self.shape, fact, terms, &mut cells) {
            return;
        }
        self.rows.set(row, &cells);
        self.present[row] = true;
        self.len += 1;
        for (index, &indexed) in self.indices.iter_mut().zip(&self.indexed) {
            if row < indexed {
                index.insert(row, |row| self.rows.row(row));
            }
        }
    }

    /// Removes a fact that ceases to hold, if its row has been looked at.
    fn remove(&mut self, row: usize) {
        if !self.contains(row) {
            return;
        }
        self.present[row] = false;
        self.len -= 1;
        for (index, &indexed) in self.indices.iter_mut().zip(&self.indexed) {
            if row < indexed {
                index.remove(row, |row| self.rows.row(row));
            }
        }
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.present.clear();
        self.len = 0;
        (self.fresh, self.fresh_end) = (0, 0);
        self.indices.iter_mut().for_each(ColumnIndex::clear);
        self.indexed.fill(0);
    }

    fn index_by(&mut self, columns: Vec<usize>) -> usize {
        let same = |index: &ColumnIndex| index.columns() == columns;
        if let Some(known) = self.indices.iter().position(same) {
            return known;
        }
        self.indices.push(ColumnIndex::new(columns));
        self.indexed.push(0);
        self.indices.len() - 1
    }

    /// The terms in the holes of a row.
    #[inline]
    pub(super) fn row(&self, row: usize) -> &[TermId] {
        self.rows.row(row)
    }

    /// Whether a row has a fact that holds and has the shape.
    #[inline]
    pub(super) fn contains(&self, row: usize) -> bool {
        self.present.get(row).is_some_and(|&present| present)
    }

    /// The first row from `from` on that the last round of a fixpoint added.
    pub(super) fn next_fresh(&self, from: usize) -> Option<usize> {
        (from.max(self.fresh)..self.fresh_end).find(|&row| self.present[row])
    }

    /// The expected number of rows with particular terms in `columns`: the rows divided
    /// by the combinations of terms that occur there, counted in a sample. Where there
    /// are no rows yet, each column is taken to be equally selective.
    pub(super) fn rows_per_key(&self, columns: &[usize]) -> f64 {
        if self.len == 0 {
            let open = self.rows.width - columns.len();
            return 2_f64.powf(open as f64 / self.rows.width as f64);
        }
        let stride = self.len.div_ceil(SAMPLED_ROWS);
        let key = |row: usize| columns.iter().map(move |&at| self.rows.row(row)[at]);
        let present = (0..self.rows.len).filter(|&row| self.present[row]);
        let sample = present.step_by(stride);
        let keys: FxHashSet<Vec<TermId>> = sample.map(|row| key(row).collect()).collect();
        // A sample has only some of the combinations: the true number of rows for each lies between
        // the number in the sample and all rows divided by the combinations of the sample.
        self.len as f64 / (keys.len() as f64 * (stride as f64).sqrt())
    }

    /// The first row with the terms `key` in an index's columns.
    #[inline]
    pub(super) fn first(
        &mut self,
        index: usize,
        key: impl Iterator<Item = TermId> + Clone,
    ) -> Option<usize> {
        if self.indexed[index] < self.rows.len {
            self.append_to_index(index);
        }
        self.indices[index].first(key, |row| self.rows.row(row))
    }

    /// Indexes the rows that have been added since the last call.
    fn append_to_index(&mut self, index: usize) {
        for row in self.indexed[index]..self.rows.len {
            if self.present[row] {
                self.indices[index].insert(row, |row| self.rows.row(row));
            }
        }
        self.indexed[index] = self.rows.len;
    }

    /// The next row with the same terms in an index's columns as `row`.
    #[inline]
    pub(super) fn next(&self, index: usize, row: usize) -> Option<usize> {
        self.indices[index].next(row)
    }
}

/// Appends the terms in the holes of `shape`; returns whether the fact has that shape. If not,
/// some may have been appended.
fn push_holes(
    shape: &Shape,
    fact: &[TermId],
    terms: &TermInterner,
    cells: &mut Vec<TermId>,
) -> bool {
    match_args(&mut shape.0.iter(), fact, terms, cells)
}

/// Matches arguments with the next parts of a shape, which nests no deeper than the
/// rule sheet; returns whether they match.
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

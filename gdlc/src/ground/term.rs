//! Ground terms, interned: equal terms have equal ids.

use super::table::{NumberTable, hash_key};
use crate::id::{Id, IdVec, ids};
use crate::rules::SymbolId;
use gdl_runtime::kif::write_list;
use indexmap::IndexSet;
use std::cmp::Ordering;

ids! {
    /// A ground term.
    pub struct GroundTermId;
    /// A symbol at one arity; a constant is a functor of arity 0.
    pub struct FunctorId;
}

/// A symbol at one arity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Functor {
    pub symbol: SymbolId,
    pub arity: usize,
}

/// All ground terms.
#[derive(Default)]
pub(super) struct TermStore {
    functors: IndexSet<Functor>,
    records: IdVec<GroundTermId, TermRecord>,
    /// The arguments of all terms, one after another.
    args: Vec<GroundTermId>,
    table: NumberTable,
}

struct TermRecord {
    functor: FunctorId,
    /// Where the arguments begin.
    start: u32,
    /// The number of symbols in the term as a tree; saturating.
    size: u32,
}

impl TermStore {
    /// The id of a functor.
    pub fn functor_id(&mut self, symbol: SymbolId, arity: usize) -> FunctorId {
        FunctorId::new(self.functors.insert_full(Functor { symbol, arity }).0)
    }

    /// The term `functor(args…)`, if it has been interned.
    #[inline]
    pub fn find(&self, functor: FunctorId, args: &[GroundTermId]) -> Option<GroundTermId> {
        self.find_hashed(hash_key(functor.index() as u32, args), functor, args)
    }

    fn find_hashed(
        &self,
        hash: u32,
        functor: FunctorId,
        args: &[GroundTermId],
    ) -> Option<GroundTermId> {
        let same = |number: u32| {
            let term = GroundTermId::new(number as usize);
            self.records[term].functor == functor && self.args(term) == args
        };
        self.table
            .find(hash, same)
            .map(|number| GroundTermId::new(number as usize))
    }

    /// The term `functor(args…)`.
    #[inline]
    pub fn intern(&mut self, functor: FunctorId, args: &[GroundTermId]) -> GroundTermId {
        let hash = hash_key(functor.index() as u32, args);
        if let Some(term) = self.find_hashed(hash, functor, args) {
            return term;
        }
        let size = args
            .iter()
            .fold(1u32, |size, &arg| size.saturating_add(self.size(arg)));
        let start = self.args.len() as u32;
        self.args.extend_from_slice(args);
        let term = self.records.push(TermRecord {
            functor,
            start,
            size,
        });
        self.table.insert(hash, term.index() as u32);
        term
    }

    /// The constant `symbol`.
    pub fn constant(&mut self, symbol: SymbolId) -> GroundTermId {
        let functor = self.functor_id(symbol, 0);
        self.intern(functor, &[])
    }

    /// The functor of a term.
    #[inline]
    pub fn functor(&self, term: GroundTermId) -> FunctorId {
        self.records[term].functor
    }

    /// The symbol at the head of a term.
    pub fn symbol(&self, term: GroundTermId) -> SymbolId {
        self.functors[self.records[term].functor.index()].symbol
    }

    /// Whether a term is this constant.
    pub fn is_constant(&self, term: GroundTermId, symbol: SymbolId) -> bool {
        self.symbol(term) == symbol && self.args(term).is_empty()
    }

    /// The arguments of a term; none for a constant.
    #[inline]
    pub fn args(&self, term: GroundTermId) -> &[GroundTermId] {
        let start = self.records[term].start as usize;
        let end = self
            .records
            .get(GroundTermId::new(term.index() + 1))
            .map_or(self.args.len(), |next| next.start as usize);
        &self.args[start..end]
    }

    /// The number of symbols in a term.
    #[inline]
    pub fn size(&self, term: GroundTermId) -> u32 {
        self.records[term].size
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        (self.records.len() * size_of::<TermRecord>() + self.args.len() * size_of::<GroundTermId>())
            as u64
            + self.table.bytes()
    }

    /// Appends a term as KIF. Depth is bounded by the budget on term size.
    pub fn show(&self, term: GroundTermId, symbols: &IdVec<SymbolId, String>, text: &mut String) {
        let name = &symbols[self.symbol(term)];
        let args = self.args(term);
        if args.is_empty() {
            text.push_str(name);
            return;
        }
        let _ = write_list(text, name, args, |text, &arg| {
            self.show(arg, symbols, text);
            Ok(())
        });
    }

    /// The order in which fluents and moves are numbered. Constants precede
    /// functions. Functions are ordered by the first occurrence of their symbol in
    /// the text, then argument by argument. Among constants, numbers precede names
    /// and are ordered by value; names are ordered alphabetically, runs of digits
    /// in them by value. As a result a board's cells are ordered row by row.
    pub fn compare(
        &self,
        left: GroundTermId,
        right: GroundTermId,
        symbols: &IdVec<SymbolId, String>,
    ) -> Ordering {
        if left == right {
            return Ordering::Equal;
        }
        let (left_args, right_args) = (self.args(left), self.args(right));
        let (left_symbol, right_symbol) = (self.symbol(left), self.symbol(right));
        if left_args.is_empty() && right_args.is_empty() {
            return compare_names(&symbols[left_symbol], &symbols[right_symbol])
                .then(left_symbol.cmp(&right_symbol));
        }
        let by_functor =
            (left_args.len().min(1), left_symbol).cmp(&(right_args.len().min(1), right_symbol));
        by_functor
            .then(left_args.len().cmp(&right_args.len()))
            .then_with(|| {
                left_args
                    .iter()
                    .zip(right_args)
                    .map(|(&left, &right)| self.compare(left, right, symbols))
                    .find(|order| order.is_ne())
                    .unwrap_or(Ordering::Equal)
            })
    }
}

/// Whole numbers first and by value, then names alphabetically, with runs of
/// digits compared by value.
fn compare_names(left: &str, right: &str) -> Ordering {
    match (left.parse::<i64>(), right.parse::<i64>()) {
        (Ok(left), Ok(right)) => left.cmp(&right),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => compare_natural(left.as_bytes(), right.as_bytes()),
    }
}

fn compare_natural(mut left: &[u8], mut right: &[u8]) -> Ordering {
    while let (Some(&l), Some(&r)) = (left.first(), right.first()) {
        if l.is_ascii_digit() && r.is_ascii_digit() {
            let (left_run, left_rest) = split_digits(left);
            let (right_run, right_rest) = split_digits(right);
            let order = left_run
                .len()
                .cmp(&right_run.len())
                .then_with(|| left_run.cmp(right_run));
            if order.is_ne() {
                return order;
            }
            (left, right) = (left_rest, right_rest);
        } else {
            let order = l.to_ascii_lowercase().cmp(&r.to_ascii_lowercase());
            if order.is_ne() {
                return order;
            }
            (left, right) = (&left[1..], &right[1..]);
        }
    }
    left.len().cmp(&right.len())
}

/// A leading run of digits without leading zeros, and the rest.
fn split_digits(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text
        .iter()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    let zeros = text[..end].iter().take_while(|&&byte| byte == b'0').count();
    (&text[zeros..end], &text[end..])
}

//! Ground terms, each stored once.
//!
//! Two terms are equal if and only if their [`TermId`]s are: a term is looked up
//! before it is made. Terms are never removed, so ids stay valid for the life of
//! the interner.

use super::error::{Cause, EvaluationBudget, ParseTermError};
use crate::id::{Id, IdVec, ids};
use crate::rules::SymbolId;
use gdl_runtime::kif::{GroundTerm, write_list};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

ids! {
    /// A ground term: a fact of a state without its `true`, a move, a role, …
    pub struct TermId;
}

/// All ground terms met so far.
#[derive(Debug, Clone)]
pub(super) struct TermInterner {
    /// Spellings of symbols.
    names: IdVec<SymbolId, String>,
    /// Symbols by their names in lower case.
    symbols: FxHashMap<String, SymbolId>,
    entries: IdVec<TermId, TermEntry>,
    /// The arguments of all terms, one after another.
    args: Vec<TermId>,
    table: HashTable<TermId>,
    budget: EvaluationBudget,
}

/// One term: a symbol, applied to `args[start..start + arity]`.
#[derive(Debug, Clone, Copy)]
struct TermEntry {
    symbol: SymbolId,
    start: u32,
    arity: u32,
    extent: TermExtent,
}

/// How large a term is when it is written out. Terms share their parts, so `length` may be
/// exponential in `depth`.
#[derive(Debug, Clone, Copy)]
struct TermExtent {
    /// The nesting of functions.
    depth: u32,
    /// The number of bytes as KIF.
    length: u32,
}

impl TermEntry {
    fn args(self, all: &[TermId]) -> &[TermId] {
        &all[self.start as usize..][..self.arity as usize]
    }
}

impl TermInterner {
    /// An empty interner over these symbols that refuses terms beyond the budget.
    pub(super) fn new(names: &IdVec<SymbolId, String>, budget: EvaluationBudget) -> Self {
        Self {
            names: names.clone(),
            symbols: names
                .iter_ids()
                .map(|(id, name)| (name.to_lowercase(), id))
                .collect(),
            entries: IdVec::new(),
            args: Vec::new(),
            table: HashTable::new(),
            budget,
        }
    }

    /// The term `symbol`.
    pub(super) fn constant(&mut self, symbol: SymbolId) -> TermId {
        let hash = hash_of(symbol, &[]);
        self.find(hash, symbol, &[]).unwrap_or_else(|| {
            let extent = TermExtent {
                depth: 0,
                length: self.names[symbol].len() as u32,
            };
            self.add(hash, symbol, &[], extent)
        })
    }

    /// The term `(symbol args…)`.
    pub(super) fn apply(&mut self, symbol: SymbolId, args: &[TermId]) -> Result<TermId, Cause> {
        let hash = hash_of(symbol, args);
        if let Some(term) = self.find(hash, symbol, args) {
            return Ok(term);
        }
        let extent = self.measure(symbol, args)?;
        Ok(self.add(hash, symbol, args, extent))
    }

    /// The extent of a new term; refuses one that exceeds the budget.
    fn measure(&self, symbol: SymbolId, args: &[TermId]) -> Result<TermExtent, Cause> {
        if self.entries.len() as u64 >= self.budget.terms {
            return Err(Cause::TooManyTerms(self.budget.terms));
        }
        let depths = args.iter().map(|&arg| self.entries[arg].extent.depth);
        let depth = depths.max().map_or(0, |deepest| deepest + 1);
        if depth > self.budget.depth {
            return Err(Cause::TermTooDeep(self.budget.depth));
        }
        let length = (self.names[symbol].len() + args.len() + 2) as u64 + self.length(args);
        match u32::try_from(length) {
            Ok(length) if length <= self.budget.length => Ok(TermExtent { depth, length }),
            _ => Err(Cause::TermTooLong(self.budget.length)),
        }
    }

    /// The length of all these terms as KIF, in bytes.
    pub(super) fn length(&self, terms: &[TermId]) -> u64 {
        let lengths = terms.iter().map(|&term| self.entries[term].extent.length);
        lengths.map(u64::from).sum()
    }

    fn find(&self, hash: u64, symbol: SymbolId, args: &[TermId]) -> Option<TermId> {
        let is_same =
            |&term: &TermId| self.entries[term].symbol == symbol && self.args(term) == args;
        self.table.find(hash, is_same).copied()
    }

    fn add(&mut self, hash: u64, symbol: SymbolId, args: &[TermId], extent: TermExtent) -> TermId {
        let (entries, all_args) = (&self.entries, &self.args);
        let term = entries.next_id();
        self.table.insert_unique(hash, term, |&term| {
            hash_of(entries[term].symbol, entries[term].args(all_args))
        });
        self.entries.push(TermEntry {
            symbol,
            start: TermId::new(self.args.len()).index() as u32,
            arity: args.len() as u32,
            extent,
        });
        self.args.extend_from_slice(args);
        term
    }

    /// The symbol of a constant, or of a term's outermost function.
    pub(super) fn symbol(&self, term: TermId) -> SymbolId {
        self.entries[term].symbol
    }

    /// The arguments of a term; none if it is a constant.
    pub(super) fn args(&self, term: TermId) -> &[TermId] {
        self.entries[term].args(&self.args)
    }

    /// An order of terms that depends only on the rule sheet, not on the terms met
    /// before.
    pub(super) fn compare(&self, left: TermId, right: TermId) -> Ordering {
        if left == right {
            return Ordering::Equal;
        }
        let (left_args, right_args) = (self.args(left), self.args(right));
        (self.symbol(left), left_args.len())
            .cmp(&(self.symbol(right), right_args.len()))
            .then_with(|| {
                left_args
                    .iter()
                    .zip(right_args)
                    .map(|(&left, &right)| self.compare(left, right))
                    .find(|order| order.is_ne())
                    .unwrap_or(Ordering::Equal)
            })
    }

    /// A term as KIF, in the rule sheet's spelling.
    pub(super) fn show(&self, term: TermId) -> String {
        let mut text = String::new();
        self.write(term, &mut text);
        text
    }

    fn write(&self, term: TermId, text: &mut String) {
        let name = &self.names[self.symbol(term)];
        let args = self.args(term);
        if args.is_empty() {
            text.push_str(name);
            return;
        }
        let _ = write_list(text, name, args, |text, &arg| {
            self.write(arg, text);
            Ok(())
        });
    }

    /// Reads a ground term; case and spacing do not matter.
    pub(super) fn parse(&mut self, text: &str) -> Result<TermId, ParseTermError> {
        let malformed = |_| ParseTermError::Malformed(text.to_owned());
        self.intern(&GroundTerm::parse(text).map_err(malformed)?, text)
    }

    fn intern(&mut self, term: &GroundTerm<'_>, text: &str) -> Result<TermId, ParseTermError> {
        let name = term.symbol();
        let symbol = *(self.symbols.get(&name.to_lowercase()))
            .ok_or_else(|| ParseTermError::UnknownSymbol(name.to_owned()))?;
        let args = term.args().iter().map(|arg| self.intern(arg, text));
        let args = args.collect::<Result<Vec<_>, _>>()?;
        let malformed = |_| ParseTermError::Malformed(text.to_owned());
        self.apply(symbol, &args).map_err(malformed)
    }
}

fn hash_of(symbol: SymbolId, args: &[TermId]) -> u64 {
    let mut hasher = FxHasher::default();
    symbol.hash(&mut hasher);
    args.hash(&mut hasher);
    hasher.finish()
}

//! [`NeededMoves`]: proofs that two signals never hold together since they need
//! different moves.

use super::{ImpliedLiterals, MutexGroups};
use crate::ground::{BaseId, MoveId};
use crate::id::{Id, IdVec};
use crate::propnet::{PropNode, Propnet, Signal};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Signals that need more moves than this are only compared with signals that need
/// fewer.
const FEW: usize = 16;

/// Deeper nets are not examined.
const DEEPEST: u32 = 60;

/// For every signal, a set of moves one of which has to be made for it to hold, and for
/// every move, those that are never made together with it. Frame rules ("a move that
/// does not touch this cell was made") need thousands of moves, which one comparison of
/// two bit sets excludes. Sound but not complete.
pub struct NeededMoves<'a> {
    net: &'a Propnet,
    implied: &'a ImpliedLiterals,
    groups: &'a MutexGroups,
    /// The moves of which one is needed; `None` if that is not known.
    needed: FxHashMap<Signal, Option<Rc<FixedBitSet>>>,
    /// The moves that are not made beside each move, computed when asked for.
    excluded: FxHashMap<MoveId, Rc<FixedBitSet>>,
    /// The moves whose legality implies each fluent.
    moves_at: IdVec<BaseId, Vec<MoveId>>,
}

impl<'a> NeededMoves<'a> {
    /// Nothing computed yet.
    #[must_use]
    pub fn new(net: &'a Propnet, implied: &'a ImpliedLiterals, groups: &'a MutexGroups) -> Self {
        let mut moves_at = IdVec::filled(Vec::new(), net.bases.len());
        for (id, mv) in net.moves.iter_ids() {
            for base in implied_bases(net, implied, mv.legal) {
                moves_at[base].push(id);
            }
        }
        Self {
            net,
            implied,
            groups,
            needed: FxHashMap::default(),
            excluded: FxHashMap::default(),
            moves_at,
        }
    }

    /// Whether no move that one signal needs is ever made beside a move that the other
    /// needs.
    pub fn prove_exclusion(&mut self, first: Signal, second: Signal) -> bool {
        let (Some(mine), Some(theirs)) = (self.needed(first, 0), self.needed(second, 0)) else {
            return false;
        };
        let (few, many) = match mine.count_ones(..) <= theirs.count_ones(..) {
            true => (mine, theirs),
            false => (theirs, mine),
        };
        few.count_ones(..) <= FEW
            && few
                .ones()
                .all(|mv| many.is_subset(&self.excluded_by(MoveId::new(mv))))
    }

    fn needed(&mut self, signal: Signal, depth: u32) -> Option<Rc<FixedBitSet>> {
        if let Some(known) = self.needed.get(&signal) {
            return known.clone();
        }
        if depth > DEEPEST {
            return None;
        }
        let found = self.find_needed(signal, depth);
        self.needed.insert(signal, found.clone());
        found
    }

    fn find_needed(&mut self, signal: Signal, depth: u32) -> Option<Rc<FixedBitSet>> {
        let net = self.net;
        let made = self.implied.of(signal).iter().find_map(|one| {
            match (one.inverted(), &net.nodes[one.node()]) {
                (false, PropNode::Does(mv)) => Some(*mv),
                _ => None,
            }
        });
        let mut all = FixedBitSet::with_capacity(net.moves.len());
        if let Some(mv) = made {
            all.insert(mv.index());
            return Some(Rc::new(all));
        }
        let PropNode::And(operands) = &net.nodes[signal.node()] else {
            return None;
        };
        if !signal.inverted() {
            return operands
                .iter()
                .find_map(|&operand| self.needed(operand, depth + 1));
        }
        for &operand in operands {
            all.union_with(&*self.needed(!operand, depth + 1)?);
        }
        Some(Rc::new(all))
    }

    /// The other moves of the role, and those whose legality excludes that of this one.
    fn excluded_by(&mut self, mv: MoveId) -> Rc<FixedBitSet> {
        if let Some(known) = self.excluded.get(&mv) {
            return Rc::clone(known);
        }
        let net = self.net;
        let mut all = FixedBitSet::with_capacity(net.moves.len());
        for (other, entry) in net.moves.iter_ids() {
            all.set(
                other.index(),
                other != mv && entry.role == net.moves[mv].role,
            );
        }
        for base in implied_bases(net, self.implied, net.moves[mv].legal) {
            for &group in &self.groups.of_base[base] {
                let others = self.groups.groups[group as usize].iter();
                for &other in others.filter(|&&other| other != base) {
                    let moves = self.moves_at[other].iter().map(|mv| mv.index());
                    all.extend(moves.filter(|&other| other != mv.index()));
                }
            }
        }
        let all = Rc::new(all);
        self.excluded.insert(mv, Rc::clone(&all));
        all
    }
}

/// The fluents that hold whenever a signal does.
fn implied_bases<'a>(
    net: &'a Propnet,
    implied: &'a ImpliedLiterals,
    signal: Signal,
) -> impl Iterator<Item = BaseId> + 'a {
    let literals = implied.of(signal).iter().filter(|one| !one.inverted());
    literals.filter_map(|one| match net.nodes[one.node()] {
        PropNode::Base(base) => Some(base),
        _ => None,
    })
}

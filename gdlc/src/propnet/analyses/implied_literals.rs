//! [`ImpliedLiterals`]: which signals must hold whenever a signal does.

use crate::id::IdVec;
use crate::propnet::{PropNode, PropNodeId, Propnet, Signal};
use smallvec::{SmallVec, smallvec};

/// What follows from a signal; mostly a few literals, or many.
type Literals = SmallVec<[Signal; 4]>;

/// Sets are truncated to this length unless the caller wants more, which is sound.
const LONGEST: usize = 64;

/// For every node, signals that hold whenever it is true and signals that hold whenever
/// it is false: the consequences of all operands of a conjunction, and those that the
/// operands of a disjunction have in common. Sound but not complete.
#[derive(Debug)]
pub struct ImpliedLiterals {
    if_true: IdVec<PropNodeId, Literals>,
    if_false: IdVec<PropNodeId, Literals>,
    longest: usize,
}

impl ImpliedLiterals {
    /// Computes the sets in one pass over the propnet.
    #[must_use]
    pub fn find(net: &Propnet) -> Self {
        Self::find_up_to(net, LONGEST)
    }

    /// As [`find`](Self::find), with sets of up to this length.
    #[must_use]
    pub fn find_up_to(net: &Propnet, longest: usize) -> Self {
        let mut found = Self {
            if_true: IdVec::new(),
            if_false: IdVec::new(),
            longest,
        };
        for (id, node) in net.nodes.iter_ids() {
            let (if_true, if_false) = match node {
                PropNode::And(operands) => (
                    found.of_conjunction(Signal::of(id), operands),
                    found.of_disjunction(!Signal::of(id), operands),
                ),
                PropNode::True => (smallvec![], smallvec![]),
                _ => (smallvec![Signal::of(id)], smallvec![!Signal::of(id)]),
            };
            found.if_true.push(if_true);
            found.if_false.push(if_false);
        }
        found
    }

    /// Signals that hold whenever `signal` does, sorted.
    #[must_use]
    pub fn of(&self, signal: Signal) -> &[Signal] {
        if signal.inverted() {
            &self.if_false[signal.node()]
        } else {
            &self.if_true[signal.node()]
        }
    }

    /// Whether `consequence` is known to hold whenever `signal` does.
    #[must_use]
    pub fn implies(&self, signal: Signal, consequence: Signal) -> bool {
        signal == consequence || self.of(signal).binary_search(&consequence).is_ok()
    }

    fn of_conjunction(&self, itself: Signal, operands: &[Signal]) -> Literals {
        let mut all: Literals = smallvec![itself];
        for &operand in operands {
            all.extend_from_slice(self.of(operand));
        }
        all.sort_unstable();
        all.dedup();
        all.truncate(self.longest);
        all.shrink_to_fit();
        all
    }

    /// What follows if some operand is false: the consequences that all operands share
    /// when they are false.
    fn of_disjunction(&self, itself: Signal, operands: &[Signal]) -> Literals {
        let mut common = match operands {
            [first, rest @ ..] => {
                let mut common = Literals::from(self.of(!*first));
                for &operand in rest {
                    if common.is_empty() {
                        break;
                    }
                    let other = self.of(!operand);
                    common.retain(|signal| other.binary_search(&*signal).is_ok());
                }
                common
            }
            [] => Literals::new(),
        };
        common.push(itself);
        common.sort_unstable();
        common.dedup();
        common.shrink_to_fit();
        common
    }
}

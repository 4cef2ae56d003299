//! Factors out what alternatives have in common.
//!
//! In a conjunction of inverted conjunctions, `!(a & b) & !(a & c)`, the operand
//! that most of them share is factored out: `!(a & !(!b & !c))`. This is the
//! factoring of a sum of products by its most frequent literal (Brayton and
//! McMullen, 1982), and likewise that of a product of sums. Gates that others read as
//! well are only taken apart (`shared`) where all alternatives turn out to share an operand.
//! Operands that make another one redundant or contradictory are handled first:
//! `a & !(a & b)` is `a & !b`.

mod shared;
mod term_index;

use super::Pass;
use crate::id::{Id, IdVec};
use crate::propnet::rebuild::{count_uses, push_and, rebuild};
use crate::propnet::{Operands, PropNode, PropNodeId, Propnet, Signal};
use term_index::TermIndex;

/// Leaves no operand that alternatives read by one gate only have in common.
pub(super) const PASS: Pass = Pass {
    name: "factoring",
    run: factoring,
};

fn factoring(net: &Propnet) -> Propnet {
    let uses = count_uses(net);
    // Of every new node, how often the old nodes that it stands for were read.
    let mut uses_of_new: Vec<u32> = Vec::new();
    rebuild(net, |nodes, id, operands| {
        uses_of_new.resize(nodes.len(), 0);
        let signal = factor(nodes, &uses_of_new, operands);
        uses_of_new.resize(nodes.len(), 0);
        uses_of_new[signal.node().index()] += uses[id];
        signal
    })
}

/// A conjunction being factored: single operands, and inverted conjunctions.
struct Product {
    operands: Vec<Signal>,
    /// The terms; empty where one was taken out.
    terms: Vec<Vec<Signal>>,
    index: TermIndex,
    /// What was taken out of the terms that are being factored.
    factor: Signal,
}

fn factor(nodes: &mut IdVec<PropNodeId, PropNode>, uses: &[u32], operands: Operands) -> Signal {
    let (single, terms) = split(nodes, uses, &operands);
    if terms.len() < 2 && single.is_empty() {
        return push_and(nodes, operands);
    }
    let reads = |signal: Signal| uses[signal.node().index()];
    let Some(mut product) = Product::new(single, terms, reads) else {
        return Signal::FALSE;
    };
    // Products nest: a product waits until the ones inside it are finished.
    let mut waiting = Vec::new();
    loop {
        if let Some(terms) = product.take_out() {
            match Product::new(Vec::new(), terms, reads) {
                Some(inner) => waiting.push(std::mem::replace(&mut product, inner)),
                None => product.put_back(nodes, Signal::FALSE),
            }
            continue;
        }
        let made = product.close(nodes);
        match waiting.pop() {
            Some(outer) => product = outer,
            None => return made,
        }
        product.put_back(nodes, made);
    }
}

impl Product {
    /// A product, simplified; none if it cannot hold.
    fn new(
        mut operands: Vec<Signal>,
        mut terms: Vec<Vec<Signal>>,
        reads: impl Fn(Signal) -> u32,
    ) -> Option<Product> {
        simplify(&mut operands, &mut terms).then(|| Product {
            index: TermIndex::of(&terms, reads),
            factor: Signal::TRUE,
            operands,
            terms,
        })
    }

    /// Takes out the operand that the most terms share, and returns what is left of these
    /// terms.
    fn take_out(&mut self) -> Option<Vec<Vec<Signal>>> {
        let (factor, containing) = self.index.most_frequent()?;
        self.factor = factor;
        let with: Vec<Vec<Signal>> = containing
            .iter()
            .map(|&term| std::mem::take(&mut self.terms[term as usize]))
            .filter(|term| !term.is_empty())
            .collect();
        let without_factor = with.into_iter().map(|mut term| {
            self.index.remove(&term);
            term.retain(|&one| one != factor);
            term
        });
        Some(without_factor.collect())
    }

    /// Adds the terms that `take_out` returned, now `inner`, as one operand: the inverse of
    /// `factor & !inner`. That is a new node, so no term mentions it, and the product need not
    /// be simplified again.
    fn put_back(&mut self, nodes: &mut IdVec<PropNodeId, PropNode>, inner: Signal) {
        let term = push_and(nodes, [self.factor, !inner].as_slice());
        self.operands.push(!term);
    }

    fn close(mut self, nodes: &mut IdVec<PropNodeId, PropNode>) -> Signal {
        self.operands.sort_unstable();
        let terms = self.terms.into_iter().filter(|term| !term.is_empty());
        self.operands
            .extend(terms.map(|term| !push_and(nodes, term)));
        push_and(nodes, self.operands)
    }
}

/// Single operands, and those inverted conjunctions that only this gate reads.
fn split(
    nodes: &IdVec<PropNodeId, PropNode>,
    uses: &[u32],
    operands: &[Signal],
) -> (Vec<Signal>, Vec<Vec<Signal>>) {
    let (mut single, mut terms) = (Vec::new(), Vec::new());
    for &operand in operands {
        let only_here = uses[operand.node().index()] == 1;
        match &nodes[operand.node()] {
            PropNode::And(term) if only_here && operand.inverted() => terms.push(term.to_vec()),
            _ => single.push(operand),
        }
    }
    shared::spell_out(nodes, &mut terms);
    shared::take_apart(nodes, &mut single, &mut terms);
    (single, terms)
}

/// Drops from terms what the operands beside them already say, and sorts the operands;
/// returns false if the whole cannot hold.
fn simplify(operands: &mut Vec<Signal>, terms: &mut Vec<Vec<Signal>>) -> bool {
    loop {
        operands.sort_unstable();
        operands.dedup();
        let holds =
            |signal: Signal| signal == Signal::TRUE || operands.binary_search(&signal).is_ok();
        if operands.iter().any(|&one| holds(!one)) {
            return false;
        }
        terms.retain(|term| !term.iter().any(|&one| holds(!one)));
        for term in terms.iter_mut() {
            term.retain(|&one| !holds(one));
        }
        let short: Vec<Vec<Signal>> = terms.extract_if(.., |term| term.len() < 2).collect();
        if short.iter().any(Vec::is_empty) {
            return false;
        }
        if short.is_empty() {
            return true;
        }
        operands.extend(short.iter().flatten().map(|&one| !one));
    }
}

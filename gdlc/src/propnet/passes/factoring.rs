//! Takes out what alternatives have in common.
//!
//! In a conjunction of inverted conjunctions, `!(a & b) & !(a & c)`, the operand
//! that most of them share is taken out: `!(a & !(!b & !c))`. That is the factoring
//! of a sum of products by its most frequent literal (Brayton and McMullen, 1982),
//! and of a product of sums alike. Only gates that nothing else reads are taken
//! apart. Operands beside which another is superfluous or impossible go first:
//! `a & !(a & b)` is `a & !b`.

use super::Pass;
use crate::id::{Id, IdVec};
use crate::propnet::rebuild::{count_uses, push_and, rebuild};
use crate::propnet::{Operands, PropNode, PropNodeId, Propnet, Signal};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

pub(super) const PASS: Pass = Pass {
    name: "factoring",
    ensures: "no operand that alternatives read by one gate only have in common",
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
#[derive(Default)]
struct Product {
    operands: Vec<Signal>,
    terms: Vec<Vec<Signal>>,
}

fn factor(nodes: &mut IdVec<PropNodeId, PropNode>, uses: &[u32], operands: Operands) -> Signal {
    let product = split(nodes, uses, &operands);
    if product.terms.len() < 2 && product.operands.is_empty() {
        return push_and(nodes, operands);
    }
    // Products inside products wait for each other: innermost first.
    let mut open = vec![(product, None::<Signal>)];
    let mut made: Option<Signal> = None;
    loop {
        let Some((product, waiting)) = open.last_mut() else {
            return made.unwrap_or(Signal::TRUE);
        };
        if let (Some(inner), Some(factor)) = (made.take(), waiting.take()) {
            // `factor & !inner` is the term that was taken out.
            let term = [factor, !inner];
            product.operands.push(!push_term(nodes, &term));
        }
        if !simplify(product) {
            open.pop();
            made = Some(Signal::FALSE);
            continue;
        }
        match take_out(product) {
            Some((factor, inner)) => {
                *waiting = Some(factor);
                open.push((inner, None));
            }
            None => {
                made = Some(close(nodes, product));
                open.pop();
            }
        }
    }
}

/// Conjunctions that only this gate reads are terms.
fn split(nodes: &IdVec<PropNodeId, PropNode>, uses: &[u32], operands: &[Signal]) -> Product {
    let mut product = Product::default();
    for &operand in operands {
        let single = uses[operand.node().index()] == 1;
        match &nodes[operand.node()] {
            PropNode::And(term) if single && operand.inverted() => {
                product.terms.push(term.to_vec());
            }
            _ => product.operands.push(operand),
        }
    }
    product
}

/// Drops from terms what the operands beside them say anyway; false if the whole
/// cannot hold.
fn simplify(product: &mut Product) -> bool {
    loop {
        product.operands.sort_unstable();
        product.operands.dedup();
        let operands = std::mem::take(&mut product.operands);
        let holds =
            |signal: Signal| signal == Signal::TRUE || operands.binary_search(&signal).is_ok();
        if operands.iter().any(|&one| holds(!one)) {
            return false;
        }
        product
            .terms
            .retain(|term| !term.iter().any(|&one| holds(!one)));
        for term in &mut product.terms {
            term.retain(|&one| !holds(one));
        }
        let (single, terms) = std::mem::take(&mut product.terms)
            .into_iter()
            .partition::<Vec<_>, _>(|term| term.len() < 2);
        product.terms = terms;
        product.operands = operands;
        if single.iter().any(Vec::is_empty) {
            return false;
        }
        if single.is_empty() {
            return true;
        }
        product
            .operands
            .extend(single.iter().flatten().map(|&one| !one));
    }
}

/// Takes the operand that most terms share out of them: it and what they leave.
fn take_out(product: &mut Product) -> Option<(Signal, Product)> {
    let mut counts: FxHashMap<Signal, u32> = FxHashMap::default();
    for &signal in product.terms.iter().flatten() {
        *counts.entry(signal).or_default() += 1;
    }
    let (count, Reverse(factor)) = counts
        .into_iter()
        .map(|(signal, count)| (count, Reverse(signal)))
        .max()?;
    if count < 2 {
        return None;
    }
    let (with, without) = std::mem::take(&mut product.terms)
        .into_iter()
        .partition::<Vec<_>, _>(|term| term.contains(&factor));
    product.terms = without;
    let terms = with.into_iter().map(|mut term| {
        term.retain(|&one| one != factor);
        term
    });
    let inner = Product {
        operands: Vec::new(),
        terms: terms.collect(),
    };
    Some((factor, inner))
}

fn close(nodes: &mut IdVec<PropNodeId, PropNode>, product: &mut Product) -> Signal {
    let terms = std::mem::take(&mut product.terms);
    let mut operands = std::mem::take(&mut product.operands);
    operands.extend(terms.iter().map(|term| !push_term(nodes, term)));
    push_and(nodes, operands)
}

/// A conjunction; those among its operands that are new are merged into it.
fn push_term(nodes: &mut IdVec<PropNodeId, PropNode>, operands: &[Signal]) -> Signal {
    push_and(nodes, operands)
}

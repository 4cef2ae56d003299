//! Alternatives that have an operand in common only beyond gates that others read as well.
//!
//! In Hex with a number for each group of stones, say, a red move next to a cell is
//! `red & any`, where `any` is one of the moves around it, and a group is reached where one of its
//! cells has such a move. Whether it is red's turn is the same for all cells, and without it, the
//! rest is the same for both players.

use crate::id::IdVec;
use crate::propnet::{PropNode, PropNodeId, Signal};

/// The fewest terms that are worth a further gate.
const FEWEST_TERMS: usize = 4;

/// Spells out conjunctions in terms that other gates read as well, if all terms then have an
/// operand in common: `c & pair`, where the pair is `a & b`, becomes `c & a & b`.
pub(super) fn spell_out(nodes: &IdVec<PropNodeId, PropNode>, terms: &mut [Vec<Signal>]) {
    if terms.len() < FEWEST_TERMS {
        return;
    }
    let pair = |operand: Signal| match operand.inverted() {
        false => pair_of(nodes, operand),
        true => &[],
    };
    let has = |term: &[Signal], common: Signal| {
        let mut operands = term.iter();
        operands.any(|&operand| operand == common || pair(operand).contains(&common))
    };
    let mut candidates = terms[0].iter().flat_map(|&operand| pair(operand));
    let common = candidates.find(|&&common| terms.iter().all(|term| has(term, common)));
    let Some(&common) = common else { return };
    for term in terms {
        let operands = term.iter().flat_map(|operand| match pair(*operand) {
            pair if pair.contains(&common) => pair,
            _ => std::slice::from_ref(operand),
        });
        *term = operands.copied().collect();
    }
}

/// Moves operands of a gate that other gates read as well to its terms, if all of its operands are
/// inverted conjunctions with an operand in common.
pub(super) fn take_apart(
    nodes: &IdVec<PropNodeId, PropNode>,
    single: &mut Vec<Signal>,
    terms: &mut Vec<Vec<Signal>>,
) {
    let pair = |&operand: &Signal| match operand.inverted() {
        true => pair_of(nodes, operand),
        false => &[],
    };
    let Some(first) = single.first().map(pair) else {
        return;
    };
    let is_common = |common: &Signal| {
        single.iter().all(|one| pair(one).contains(common))
            && terms.iter().all(|term| term.contains(common))
    };
    if first.iter().any(is_common) {
        terms.extend(single.iter().map(|one| pair(one).to_vec()));
        single.clear();
    }
}

/// The operands of a conjunction of two; empty for everything else.
fn pair_of(nodes: &IdVec<PropNodeId, PropNode>, signal: Signal) -> &[Signal] {
    match &nodes[signal.node()] {
        PropNode::And(operands) if operands.len() == 2 => operands,
        _ => &[],
    }
}

//! States rules by candidates instead of moves.
//!
//! Input: a propnet and its choices. Output: a propnet in which a move of a choice is the
//! conjunction of its candidate and its discriminating literals; a candidate is the `does`
//! of its first move. Since moves are restated wherever they are read, the passes can
//! factor out what the alternatives of a rule have in common: three moves to a cell test
//! only once whether it is the player's turn.

use super::choices::Choices;
use crate::ground::MoveId;
use crate::id::IdVec;
use crate::propnet::passes::reshape;
use crate::propnet::{PropNode, PropNodeId, Propnet, Signal};

/// In propnets with more operands, moves are restated and nothing is factored.
const MOST_OPERANDS: usize = 400_000;

pub(super) fn state_candidates(net: &Propnet, choices: &Choices) -> Propnet {
    let mut rewriter = CandidateRewriter {
        net,
        nodes: IdVec::new(),
        moved: IdVec::filled(None, net.nodes.len()),
        stands_for: stands_for(net, choices),
        candidates: IdVec::filled(None, net.moves.len()),
    };
    // Discriminating literals do not depend on moves: that part goes first.
    let on_moves = depends_on_moves(net);
    for moving in [false, true] {
        for (id, node) in net.nodes.iter_ids() {
            if on_moves[id] == moving {
                rewriter.add(id, node);
            }
        }
    }
    let mut result = net.clone();
    result.map_roots(|signal| rewriter.operand(signal));
    result.nodes = rewriter.nodes;
    if result.size().operands > MOST_OPERANDS {
        return result;
    }
    reshape(&result)
}

/// For every move of a choice the first move of its candidate and its
/// discriminating literals.
fn stands_for<'a>(
    net: &Propnet,
    choices: &'a Choices,
) -> IdVec<MoveId, Option<(MoveId, &'a [Signal])>> {
    let mut stands_for = IdVec::filled(None, net.moves.len());
    for moves in choices.choices.iter().flat_map(|choice| &choice.candidates) {
        for &mv in moves {
            stands_for[mv] = Some((moves[0], &choices.discriminating[mv][..]));
        }
    }
    stands_for
}

fn depends_on_moves(net: &Propnet) -> IdVec<PropNodeId, bool> {
    let mut depends: IdVec<PropNodeId, bool> = IdVec::new();
    for node in &net.nodes {
        let on_moves = match node {
            PropNode::Does(_) => true,
            PropNode::And(operands) => operands.iter().any(|operand| depends[operand.node()]),
            PropNode::True | PropNode::Base(_) | PropNode::Loop(_) => false,
        };
        depends.push(on_moves);
    }
    depends
}

struct CandidateRewriter<'a> {
    net: &'a Propnet,
    nodes: IdVec<PropNodeId, PropNode>,
    moved: IdVec<PropNodeId, Option<Signal>>,
    stands_for: IdVec<MoveId, Option<(MoveId, &'a [Signal])>>,
    /// The node of every candidate, at its first move.
    candidates: IdVec<MoveId, Option<Signal>>,
}

impl CandidateRewriter<'_> {
    fn add(&mut self, id: PropNodeId, node: &PropNode) {
        let node = match node {
            PropNode::Does(mv) if self.stands_for[*mv].is_some() => return,
            PropNode::And(operands) => {
                let operands = operands.iter().map(|&operand| self.operand(operand));
                PropNode::And(operands.collect())
            }
            input => input.clone(),
        };
        self.moved[id] = Some(Signal::of(self.nodes.push(node)));
    }

    /// The replacement of a signal. A move with a single discriminating literal gets
    /// a gate of its own wherever it is read, so that the literal can be factored
    /// out there.
    fn operand(&mut self, signal: Signal) -> Signal {
        let stands_for = match self.net.nodes[signal.node()] {
            PropNode::Does(mv) => self.stands_for[mv],
            _ => None,
        };
        let stated = match stands_for {
            Some((candidate, [])) => self.candidate(candidate),
            Some((candidate, [discriminating])) => self.push_move(candidate, &[*discriminating]),
            Some((candidate, discriminating)) => match self.moved[signal.node()] {
                Some(known) => known,
                None => {
                    let stated = self.push_move(candidate, discriminating);
                    self.moved[signal.node()] = Some(stated);
                    stated
                }
            },
            None => return self.moved(signal),
        };
        stated.invert_if(signal.inverted())
    }

    fn push_move(&mut self, candidate: MoveId, discriminating: &[Signal]) -> Signal {
        let mut operands = vec![self.candidate(candidate)];
        operands.extend(discriminating.iter().map(|&signal| self.moved(signal)));
        Signal::of(self.nodes.push(PropNode::And(operands.into())))
    }

    fn moved(&self, signal: Signal) -> Signal {
        let moved = self.moved[signal.node()].expect("operands come first");
        moved.invert_if(signal.inverted())
    }

    fn candidate(&mut self, first: MoveId) -> Signal {
        let nodes = &mut self.nodes;
        let known = &mut self.candidates[first];
        *known.get_or_insert_with(|| Signal::of(nodes.push(PropNode::Does(first))))
    }
}

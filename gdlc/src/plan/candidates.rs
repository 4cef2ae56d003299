//! Restates rules in terms of candidates instead of moves.
//!
//! Input: a propnet and its choices. Output: a propnet in which a move of a choice is the
//! conjunction of its candidate and its discriminating literals; a candidate is the `does`
//! of its first move. Since moves are restated wherever they are read, the passes can
//! factor out what the alternatives of a rule have in common: for three moves to a cell,
//! whether it is the player's turn is tested only once. Where a choice was taken apart, a
//! candidate is the conjunction of a group and a slot, and sets of moves are expressed as
//! whole groups and slots as far as possible.

use super::choices::Choices;
use super::move_sets::MoveSets;
use super::parts::PartCover;
use crate::ground::MoveId;
use crate::id::IdVec;
use crate::propnet::passes::reshape;
use crate::propnet::rebuild::push_and;
use crate::propnet::{Operands, PropNode, PropNodeId, Propnet, Signal};

/// In propnets with more operands, moves are restated and nothing is factored.
const MOST_OPERANDS: usize = 4_000_000;

pub(super) fn state_candidates(net: &Propnet, choices: &Choices) -> Propnet {
    let sets = MoveSets::find(net, choices);
    let mut rewriter = CandidateRewriter {
        net,
        choices,
        sets: &sets,
        nodes: IdVec::new(),
        moved: IdVec::filled(None, net.nodes.len()),
        stands_for: stands_for(net, choices),
        inputs: IdVec::filled(None, choices.moves_and_parts(net)),
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
    // The roots may need nodes of their own.
    let mut result = net.with_nodes(IdVec::new(), |signal| rewriter.operand(signal));
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
    choices: &'a Choices,
    sets: &'a MoveSets,
    nodes: IdVec<PropNodeId, PropNode>,
    moved: IdVec<PropNodeId, Option<Signal>>,
    stands_for: IdVec<MoveId, Option<(MoveId, &'a [Signal])>>,
    /// The node of every candidate, at its first move, and of every part.
    inputs: IdVec<MoveId, Option<Signal>>,
}

impl CandidateRewriter<'_> {
    fn add(&mut self, id: PropNodeId, node: &PropNode) {
        let node = match node {
            PropNode::Does(mv) if self.stands_for[*mv].is_some() => return,
            // Written where it is read.
            PropNode::And(_) if self.sets.is_set(id) => return,
            PropNode::And(operands) => PropNode::And(self.operands(operands).into()),
            input => input.clone(),
        };
        self.moved[id] = Some(Signal::of(self.nodes.push(node)));
    }

    /// The replacements of a conjunction's operands. Moves that must not be made, of choices
    /// that were taken apart, are written as one set.
    fn operands(&mut self, operands: &[Signal]) -> Vec<Signal> {
        let sets = self.sets;
        let (excluded, rest): (Vec<Signal>, Vec<Signal>) =
            (operands.iter()).partition(|&&operand| sets.excludes_moves(self.net, operand));
        let mut replaced: Vec<Signal> = Vec::new();
        if !excluded.is_empty() {
            let moves = sets.moves(self.net, &excluded);
            let any = self.any_of(moves);
            replaced.extend(any.into_iter().map(|signal| !signal));
        }
        replaced.extend(rest.into_iter().map(|operand| self.operand(operand)));
        replaced
    }

    /// Signals of which one holds if one of these moves is made: their choices were taken
    /// apart.
    fn any_of(&mut self, moves: Vec<MoveId>) -> Vec<Signal> {
        let choices = self.choices;
        let mut all = Vec::new();
        for ((choice, discriminating), candidates) in self.sets.by_choice(choices, moves) {
            let choice = &choices.choices[choice as usize];
            let Some(parts) = &choice.parts else { continue };
            let cover = PartCover::of(parts, &candidates);
            let mut any: Vec<Signal> = Vec::new();
            any.extend(
                cover
                    .slots
                    .iter()
                    .map(|&slot| self.input(choice.slot(slot))),
            );
            any.extend((cover.groups.iter()).map(|&group| self.input(choice.group(group))));
            for (slot, groups) in cover.rest {
                let groups = groups.into_iter();
                let groups = groups.map(|group| !self.input(choice.group(group)));
                let groups: Operands = groups.collect();
                let none = push_and(&mut self.nodes, groups);
                let both = vec![self.input(choice.slot(slot)), !none];
                any.push(push_and(&mut self.nodes, both));
            }
            if discriminating.is_empty() {
                all.extend(any);
                continue;
            }
            let none: Operands = any.into_iter().map(|signal| !signal).collect();
            let mut operands = vec![!push_and(&mut self.nodes, none)];
            operands.extend(discriminating.iter().map(|&literal| self.moved(literal)));
            all.push(push_and(&mut self.nodes, operands));
        }
        all
    }

    /// The replacement of a signal. A move with a single discriminating literal gets
    /// a gate of its own wherever it is read, so that the literal can be factored
    /// out there.
    fn operand(&mut self, signal: Signal) -> Signal {
        let node = signal.node();
        if self.sets.is_set(node) {
            let stated = match self.moved[node] {
                Some(known) => known,
                None => {
                    let moves = self.sets.moves(self.net, &[Signal::of(node)]);
                    let none = self.any_of(moves).into_iter().map(|signal| !signal);
                    let none: Operands = none.collect();
                    push_and(&mut self.nodes, none)
                }
            };
            self.moved[node] = Some(stated);
            return stated.invert_if(signal.inverted());
        }
        let mv = match self.net.nodes[node] {
            PropNode::Does(mv) => mv,
            _ => return self.moved(signal),
        };
        let stated = match self.stands_for[mv] {
            Some(_) if self.sets.place(mv).is_some() => {
                let any = self.any_of(vec![mv]).into_iter().map(|signal| !signal);
                let none: Operands = any.collect();
                !push_and(&mut self.nodes, none)
            }
            Some((candidate, [])) => self.input(candidate),
            Some((candidate, [discriminating])) => self.push_move(candidate, &[*discriminating]),
            Some((candidate, discriminating)) => match self.moved[node] {
                Some(known) => known,
                None => {
                    let stated = self.push_move(candidate, discriminating);
                    self.moved[node] = Some(stated);
                    stated
                }
            },
            None => return self.moved(signal),
        };
        stated.invert_if(signal.inverted())
    }

    fn push_move(&mut self, candidate: MoveId, discriminating: &[Signal]) -> Signal {
        let mut operands = vec![self.input(candidate)];
        operands.extend(discriminating.iter().map(|&signal| self.moved(signal)));
        Signal::of(self.nodes.push(PropNode::And(operands.into())))
    }

    fn moved(&self, signal: Signal) -> Signal {
        let moved = self.moved[signal.node()].expect("operands come first");
        moved.invert_if(signal.inverted())
    }

    /// The node of a candidate, by its first move, or of a part.
    fn input(&mut self, mv: MoveId) -> Signal {
        let nodes = &mut self.nodes;
        let known = &mut self.inputs[mv];
        *known.get_or_insert_with(|| Signal::of(nodes.push(PropNode::Does(mv))))
    }
}

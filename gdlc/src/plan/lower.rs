//! Lowering: translates a propnet and its selection trees to one circuit.

use super::candidate_legality::CandidateLegality;
use super::choices::{Choices, UniformChoice};
use super::circuit::{Circuit, CircuitInput, GateEdge, GateId};
use super::parts::{CandidateParts, PartSelection};
use super::restart::Restart;
use super::selection::SelectionTree;
use crate::ground::{BaseId, MoveId};
use crate::id::{Id, IdVec};
use crate::propnet::rebuild::count_uses;
use crate::propnet::{LoopId, PropNode, PropNodeId, Propnet, Signal};
use gdl_runtime::program::Phase;
use rustc_hash::FxHashMap;

/// A game as one circuit, moves replaced by the selection of a rank.
pub(super) struct Lowered {
    pub circuit: Circuit,
    pub terminal: GateEdge,
    /// In the order of the propnet's goals.
    pub goals: Vec<GateEdge>,
    pub legal: IdVec<MoveId, GateEdge>,
    /// For every choice the bits of its count.
    pub counts: Vec<Vec<GateEdge>>,
    /// For every choice the bits of its rank.
    pub rank_bits: Vec<u32>,
    /// The next state; after a terminal state, the initial one.
    pub next: IdVec<BaseId, GateEdge>,
    pub loops: IdVec<LoopId, GateEdge>,
}

impl Lowered {
    /// Everything that has to be computed.
    pub fn needed(&self) -> Vec<GateEdge> {
        let outputs = self.outputs().into_iter().flat_map(|(_, edges)| edges);
        outputs.chain(self.loops.iter().copied()).collect()
    }

    /// What each phase puts out.
    pub fn outputs(&self) -> [(Phase, Vec<GateEdge>); 5] {
        [
            (Phase::Terminal, vec![self.terminal]),
            (Phase::Goals, self.goals.clone()),
            (Phase::Legal, self.legal.iter().copied().collect()),
            (
                Phase::Count,
                self.counts.iter().flatten().copied().collect(),
            ),
            (Phase::Next, self.next.iter().copied().collect()),
        ]
    }

    /// Replaces everything that has to be computed.
    pub fn replace_edges(&mut self, replacement: impl Fn(GateEdge) -> GateEdge) {
        let counts = self.counts.iter_mut().flatten();
        let all = (self.goals.iter_mut())
            .chain(self.legal.iter_mut())
            .chain(counts)
            .chain(self.next.iter_mut())
            .chain(self.loops.iter_mut())
            .chain([&mut self.terminal]);
        for edge in all {
            *edge = replacement(*edge);
        }
    }

    /// For each gate that is put out, whether only its negation is.
    pub fn put_out_inverted(&self) -> IdVec<GateId, Option<bool>> {
        let mut inverted = IdVec::filled(None, self.circuit.gates.len());
        for edge in self.needed() {
            let inverted = inverted[edge.node()].get_or_insert(true);
            *inverted &= edge.inverted();
        }
        inverted
    }
}

/// Lowers the legal moves and the next fluents alone, with fluents and moves made as inputs.
pub(super) fn lower_rules(net: &Propnet) -> Lowered {
    let mut builder = CircuitBuilder::new(net);
    for mv in net.moves.ids() {
        builder.does[mv] = builder.circuit.input(CircuitInput::Does(mv.index() as u32));
    }
    let legal = net.moves.iter().map(|mv| builder.edge(mv.legal)).collect();
    let next = net.bases.iter().map(|base| builder.edge(base.next));
    let next = next.collect();
    let loops = net.loops.iter().map(|atom| builder.edge(atom.definition));
    let loops = loops.collect();
    Lowered {
        circuit: builder.circuit,
        terminal: GateEdge::FALSE,
        goals: Vec::new(),
        legal,
        counts: Vec::new(),
        rank_bits: Vec::new(),
        next,
        loops,
    }
}

/// Lowers a propnet in which moves are restated; `rules` is the one before that.
pub(super) fn lower(net: &Propnet, rules: &Propnet, choices: &Choices) -> Lowered {
    let mut builder = CircuitBuilder::new(net);
    builder.rules = rules;
    // These do not depend on the moves made, so all can be lowered before those are
    // known.
    let terminal = builder.edge(net.terminal);
    let goals = net.goals.iter().map(|goal| builder.edge(goal.holds));
    let goals = goals.collect();
    let legal: IdVec<MoveId, GateEdge> =
        net.moves.iter().map(|mv| builder.edge(mv.legal)).collect();
    builder.does = IdVec::filled(GateEdge::FALSE, choices.moves_and_parts(net));
    for (mv, &legal) in legal.iter_ids() {
        builder.does[mv] = legal;
    }
    let (counts, rank_bits) = builder.select_moves(&legal, choices, !terminal);
    let next: Vec<_> = net
        .bases
        .iter()
        .map(|base| builder.edge(base.next))
        .collect();
    let loops = net.loops.iter().map(|atom| builder.edge(atom.definition));
    let loops = loops.collect();
    let mut circuit = builder.circuit;
    let restart = Restart::find(&circuit, !terminal);
    let initially = net.bases.iter().map(|base| base.initially);
    let next = restart.next(&mut circuit, next.into_iter().zip(initially));
    Lowered {
        terminal,
        goals,
        legal,
        counts,
        rank_bits,
        next,
        loops,
        circuit,
    }
}

struct CircuitBuilder<'a> {
    net: &'a Propnet,
    /// The propnet before its moves were restated.
    rules: &'a Propnet,
    circuit: Circuit,
    /// For each node whether it is a conjunction of two that only one other node reads.
    pairs: IdVec<PropNodeId, bool>,
    edges: IdVec<PropNodeId, Option<GateEdge>>,
    /// Whether each move is made.
    does: IdVec<MoveId, GateEdge>,
}

impl<'a> CircuitBuilder<'a> {
    fn new(net: &'a Propnet) -> Self {
        let uses = count_uses(net);
        let is_pair = |(node, entry): (_, &PropNode)| match entry {
            PropNode::And(operands) => operands.len() == 2 && uses[node] == 1,
            _ => false,
        };
        Self {
            net,
            rules: net,
            circuit: Circuit::default(),
            pairs: net.nodes.iter_ids().map(is_pair).collect(),
            edges: IdVec::filled(None, net.nodes.len()),
            does: IdVec::filled(GateEdge::FALSE, net.moves.len()),
        }
    }

    /// Adds the selection trees, which select moves in games that are not over; moves outside
    /// a choice are made when legal.
    fn select_moves(
        &mut self,
        legal: &IdVec<MoveId, GateEdge>,
        choices: &Choices,
        playing: GateEdge,
    ) -> (Vec<Vec<GateEdge>>, Vec<u32>) {
        let legality = CandidateLegality::new(&self.circuit, legal);
        let mut counts = Vec::new();
        let mut rank_bits = Vec::new();
        for (index, choice) in choices.choices.iter().enumerate() {
            if let Some(parts) = &choice.parts {
                let (count, bits) = self.select_parts(choice, parts, index as u32, playing);
                counts.push(count);
                rank_bits.push(bits);
                continue;
            }
            let mut candidates = Vec::with_capacity(choice.candidates.len());
            for moves in &choice.candidates {
                let moves: Vec<GateEdge> = moves.iter().map(|&mv| legal[mv]).collect();
                candidates.push(legality.any(&mut self.circuit, &moves));
            }
            let tree = SelectionTree::count(&mut self.circuit, candidates);
            counts.push(tree.total().to_vec());
            rank_bits.push(tree.rank_bits());
            let selected = tree.select(&mut self.circuit, index as u32, playing);
            for (moves, selected) in choice.candidates.iter().zip(selected) {
                // The propnet reads candidates at their first moves.
                self.does[moves[0]] = selected;
            }
        }
        (counts, rank_bits)
    }

    /// Adds the selection of a group and a slot; returns the count and the number of bits of
    /// the rank.
    fn select_parts(
        &mut self,
        choice: &UniformChoice,
        parts: &CandidateParts,
        index: u32,
        playing: GateEdge,
    ) -> (Vec<GateEdge>, u32) {
        // Literals are those of the rules before moves were restated.
        let mut rules = CircuitBuilder::new(self.rules);
        std::mem::swap(&mut rules.circuit, &mut self.circuit);
        let edges: FxHashMap<Signal, GateEdge> = (parts.literals())
            .map(|literal| (literal, rules.edge(literal)))
            .collect();
        std::mem::swap(&mut rules.circuit, &mut self.circuit);
        let selection = PartSelection::count(&mut self.circuit, parts, |literal| edges[&literal]);
        let (groups, slots) = selection.select(&mut self.circuit, index, playing);
        for (group, drawn) in (0..).zip(groups) {
            self.does[choice.group(group)] = drawn;
        }
        for (slot, drawn) in (0..).zip(slots) {
            self.does[choice.slot(slot)] = drawn;
        }
        (selection.total().to_vec(), selection.rank_bits())
    }

    /// The edge of a signal, after those of everything it depends on.
    fn edge(&mut self, signal: Signal) -> GateEdge {
        let mut open = vec![signal.node()];
        while let Some(&node) = open.last() {
            if self.edges[node].is_some() {
                open.pop();
                continue;
            }
            let Some(edge) = self.try_node(node, &mut open) else {
                continue;
            };
            self.edges[node] = Some(edge);
            open.pop();
        }
        self.known(signal).expect("it was lowered just now")
    }

    fn known(&self, signal: Signal) -> Option<GateEdge> {
        self.edges[signal.node()].map(|edge| edge.invert_if(signal.inverted()))
    }

    /// The edge of a node, unless operands are missing: those are opened.
    fn try_node(&mut self, node: PropNodeId, open: &mut Vec<PropNodeId>) -> Option<GateEdge> {
        let net = self.net;
        Some(match &net.nodes[node] {
            PropNode::True => GateEdge::TRUE,
            PropNode::Base(base) => self.circuit.input(CircuitInput::Base(base.index() as u32)),
            PropNode::Loop(atom) => self.circuit.input(CircuitInput::Loop(atom.index() as u32)),
            PropNode::Does(mv) => self.does[*mv],
            PropNode::And(operands) => {
                let missing = operands.iter().map(|operand| operand.node());
                let missing: Vec<_> = missing.filter(|&node| self.edges[node].is_none()).collect();
                if !missing.is_empty() {
                    open.extend(missing);
                    return None;
                }
                self.conjunction(operands)
            }
        })
    }

    /// The conjunction of operands whose edges are known. An operation combines what it has so far
    /// with a pair, which it computes as well, so pairs come last and one after the other.
    fn conjunction(&mut self, operands: &[Signal]) -> GateEdge {
        let is_pair = |operand: &&Signal| self.pairs[operand.node()];
        let (pairs, others): (Vec<&Signal>, _) = operands.iter().partition(is_pair);
        let edges = |these: Vec<&Signal>| -> Vec<GateEdge> {
            let these = these.into_iter();
            these.filter_map(|&operand| self.known(operand)).collect()
        };
        let (pairs, others) = (edges(pairs), edges(others));
        let first = self.circuit.and_all(others);
        pairs
            .into_iter()
            .fold(first, |so_far, pair| self.circuit.and(so_far, pair))
    }
}

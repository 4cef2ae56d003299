//! What a role can bring about within a given number of moves if it alone moves.

use super::super::{PropNode, PropNodeId, Propnet, Signal};
use super::gates::GateBuilder;
use super::turns::RoleTurns;
use crate::ground::{BaseId, RoleId};
use crate::id::IdVec;

/// Whether a node can hold, and whether it can fail.
#[derive(Debug, Clone, Copy)]
struct Possible {
    holds: Signal,
    fails: Signal,
}

impl Possible {
    fn of(self, signal: Signal) -> Signal {
        match signal.inverted() {
            false => self.holds,
            true => self.fails,
        }
    }
}

/// What one role can bring about within as many moves as levels were added.
pub(super) struct Relaxation<'a> {
    net: &'a Propnet,
    role: RoleId,
    turns: &'a RoleTurns,
    /// For each node, whether it matters if it holds, and if it fails.
    needed: IdVec<PropNodeId, [bool; 2]>,
    /// For each fluent, whether it holds or the role can bring it about.
    pub(super) reached: IdVec<BaseId, Signal>,
}

impl<'a> Relaxation<'a> {
    /// Before any move.
    pub(super) fn new(
        net: &'a Propnet,
        role: RoleId,
        turns: &'a RoleTurns,
        gates: &GateBuilder,
    ) -> Self {
        let reached = net.bases.ids().map(|base| gates.fluent(base)).collect();
        Self {
            net,
            role,
            turns,
            needed: needed_nodes(net, role),
            reached,
        }
    }

    /// Allows for one more move. Returns what that adds, for each fluent.
    pub(super) fn add_level(&mut self, gates: &mut GateBuilder) -> IdVec<BaseId, Signal> {
        let possible = self.possible(gates);
        let bases = self.net.bases.iter_ids();
        let added: IdVec<BaseId, Signal> = bases
            .map(|(base, described)| {
                if self.turns.is_autonomous(base) {
                    return Signal::FALSE;
                }
                let mut causes = self.net.disjuncts(described.next);
                causes.retain(|&cause| !self.needs(cause, base));
                gates.or(causes.iter().map(|cause| possible[cause.node()].of(*cause)))
            })
            .collect();
        for (reached, &added) in self.reached.iter_mut().zip(&added) {
            *reached = gates.or([*reached, added]);
        }
        added
    }

    /// Whether a signal holds only if a fluent does.
    fn needs(&self, cause: Signal, base: BaseId) -> bool {
        let is_base = |signal: Signal| {
            !signal.inverted() && self.net.nodes[signal.node()] == PropNode::Base(base)
        };
        match &self.net.nodes[cause.node()] {
            PropNode::And(operands) if !cause.inverted() => operands.iter().any(|&it| is_base(it)),
            _ => is_base(cause),
        }
    }

    /// For each node, whether it can hold and whether it can fail. Legal moves depend on no
    /// move, so they are known once the nodes without moves are.
    fn possible(&self, gates: &mut GateBuilder) -> IdVec<PropNodeId, Possible> {
        let nowhere = Possible {
            holds: Signal::FALSE,
            fails: Signal::TRUE,
        };
        let mut possible = IdVec::filled(nowhere, self.net.nodes.len());
        self.evaluate(&mut possible, gates, false);
        self.evaluate(&mut possible, gates, true);
        possible
    }

    fn evaluate(
        &self,
        possible: &mut IdVec<PropNodeId, Possible>,
        gates: &mut GateBuilder,
        moves_known: bool,
    ) {
        for (id, node) in self.net.nodes.iter_ids() {
            possible[id] = match node {
                PropNode::True => Possible {
                    holds: Signal::TRUE,
                    fails: Signal::FALSE,
                },
                PropNode::Base(base) => self.fluent(*base, gates),
                PropNode::Does(mv) => {
                    let described = &self.net.moves[*mv];
                    let is_own = described.role == self.role;
                    if !moves_known || !is_own {
                        continue;
                    }
                    Possible {
                        holds: possible[described.legal.node()].of(described.legal),
                        fails: Signal::TRUE,
                    }
                }
                PropNode::Loop(_) => continue,
                PropNode::And(operands) => {
                    let [holds, fails] = self.needed[id];
                    Possible {
                        holds: match holds {
                            true => self.conjunction(operands, possible, gates),
                            false => Signal::FALSE,
                        },
                        fails: match fails {
                            true => {
                                gates.or(operands.iter().map(|it| possible[it.node()].of(!*it)))
                            }
                            false => Signal::FALSE,
                        },
                    }
                }
            };
        }
    }

    /// What it takes for all of these signals to hold.
    fn conjunction(
        &self,
        signals: &[Signal],
        possible: &IdVec<PropNodeId, Possible>,
        gates: &mut GateBuilder,
    ) -> Signal {
        let condition = self.condition(signals);
        let holds: Vec<Signal> = signals
            .iter()
            .map(|&it| self.holds_while(it, condition, possible, gates))
            .collect();
        gates.and(holds)
    }

    /// The first of these signals that is a fluent, if there is also a move among them.
    fn condition(&self, signals: &[Signal]) -> Option<BaseId> {
        let node = |signal: &Signal| match signal.inverted() {
            false => Some(&self.net.nodes[signal.node()]),
            true => None,
        };
        let mut nodes = signals.iter().filter_map(node);
        let is_move = |it: &PropNode| matches!(it, PropNode::Does(_));
        nodes.clone().any(is_move).then_some(())?;
        nodes.find_map(|it| match it {
            PropNode::Base(base) if !self.turns.is_autonomous(*base) => Some(*base),
            _ => None,
        })
    }

    /// What it takes for a signal to hold while a fluent does. If the fluent is among the reasons
    /// why a move is legal, only those reasons count: whoever goes north from a square has to be
    /// able to do so from there.
    fn holds_while(
        &self,
        signal: Signal,
        condition: Option<BaseId>,
        possible: &IdVec<PropNodeId, Possible>,
        gates: &mut GateBuilder,
    ) -> Signal {
        let known = possible[signal.node()].of(signal);
        let (Some(base), PropNode::Does(mv)) = (condition, &self.net.nodes[signal.node()]) else {
            return known;
        };
        let mut reasons = self.net.disjuncts(self.net.moves[*mv].legal);
        reasons.retain(|&reason| self.needs(reason, base));
        match reasons.is_empty() || signal.inverted() || known == Signal::FALSE {
            true => known,
            false => gates.or(reasons.iter().map(|it| possible[it.node()].of(*it))),
        }
    }

    fn fluent(&self, base: BaseId, gates: &GateBuilder) -> Possible {
        let constant = |holds: bool| Signal::FALSE.invert_if(holds);
        match self.turns.values(base) {
            Some(values) => Possible {
                holds: constant(values.can_hold),
                fails: constant(values.can_fail),
            },
            None => Possible {
                holds: self.reached[base],
                fails: !gates.fluent(base),
            },
        }
    }
}

/// For each node, whether the next fluents and the legal moves of a role need to know that it
/// holds, and that it fails.
fn needed_nodes(net: &Propnet, role: RoleId) -> IdVec<PropNodeId, [bool; 2]> {
    let mut needed = IdVec::filled([false; 2], net.nodes.len());
    let next = net.bases.iter().map(|base| base.next);
    let moves = net.moves.iter().filter(|mv| mv.role == role);
    for signal in next.chain(moves.map(|mv| mv.legal)) {
        needed[signal.node()][usize::from(signal.inverted())] = true;
    }
    for (id, node) in net.nodes.iter_ids().rev() {
        let PropNode::And(operands) = node else {
            continue;
        };
        let [holds, fails] = needed[id];
        for operand in operands {
            let of_operand = &mut needed[operand.node()];
            of_operand[usize::from(operand.inverted())] |= holds;
            of_operand[usize::from(!operand.inverted())] |= fails;
        }
    }
    needed
}

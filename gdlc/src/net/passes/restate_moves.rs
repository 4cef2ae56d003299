//! Restates what is said about the moves of one role by as few moves as can be.
//!
//! In legal play a role makes exactly one move at a time, so whatever depends on
//! the moves of one role alone is a set of moves: a conjunction is an
//! intersection, an opposite the complement. Sets are read off the gates from
//! the moves up; one that few moves make up, or all but few, is written as these;
//! equal sets become one node. It turns frame rules ("any move but those that
//! touch this cell") round to what was touched.

use crate::ground::{MoveId, RoleId};
use crate::id::IdVec;
use crate::net::rebuild::push_and;
use crate::net::{Net, Node, NodeId, Signal};
use rustc_hash::FxHashMap;

/// A set is written out if it takes at most so many moves, even where the gates
/// that say it now read fewer nodes.
const FEW: usize = 10;

/// Elements of sets that may be looked at in all.
const VISITS: usize = 20_000_000;

pub(super) fn restate_moves(net: &Net) -> Net {
    let mut restating = Restating::new(net);
    for (id, node) in net.nodes.iter_ids() {
        restating.add(id, node);
    }
    let mut result = net.clone();
    result.map_roots(|signal| restating.moved(signal));
    result.nodes = restating.nodes;
    result
}

/// Some moves of a role, or all others.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct MoveSet {
    role: RoleId,
    /// All moves of the role but `moves`.
    others: bool,
    /// Ascending.
    moves: Vec<MoveId>,
}

impl MoveSet {
    fn complement(mut self) -> Self {
        self.others = !self.others;
        self
    }

    /// The moves in both.
    fn intersect(self, other: &Self) -> Self {
        let has = |moves: &[MoveId], mv: &MoveId| moves.binary_search(mv).is_ok();
        let (mut mine, theirs) = (self.moves, &other.moves);
        let others = self.others && other.others;
        match (self.others, other.others) {
            (false, complement) => mine.retain(|mv| has(theirs, mv) != complement),
            (true, false) => {
                let mut kept = theirs.clone();
                kept.retain(|mv| !has(&mine, mv));
                mine = kept;
            }
            (true, true) => {
                mine.extend(theirs);
                mine.sort_unstable();
                mine.dedup();
            }
        }
        Self {
            role: self.role,
            others,
            moves: mine,
        }
    }
}

struct Restating<'a> {
    net: &'a Net,
    /// The possible moves of every role.
    possible: IdVec<RoleId, Vec<MoveId>>,
    nodes: IdVec<NodeId, Node>,
    /// What stands for every old node.
    replaced: IdVec<NodeId, Signal>,
    /// What the new nodes say, where they are sets.
    sets: FxHashMap<NodeId, MoveSet>,
    /// The node for a set.
    known: FxHashMap<MoveSet, Signal>,
    visits: usize,
}

impl<'a> Restating<'a> {
    fn new(net: &'a Net) -> Self {
        let mut possible = IdVec::filled(Vec::new(), net.roles.len());
        for (id, mv) in net.moves.iter_ids() {
            if mv.legal != Signal::FALSE {
                possible[mv.role].push(id);
            }
        }
        Self {
            net,
            possible,
            nodes: IdVec::new(),
            replaced: IdVec::new(),
            sets: FxHashMap::default(),
            known: FxHashMap::default(),
            visits: VISITS,
        }
    }

    fn moved(&self, signal: Signal) -> Signal {
        self.replaced[signal.node()].invert_if(signal.inverted())
    }

    fn add(&mut self, id: NodeId, node: &Node) {
        debug_assert_eq!(id, self.replaced.next_id());
        let signal = match node {
            Node::Does(mv) => self.add_move(*mv),
            Node::And(operands) => {
                let operands = operands.iter().map(|&one| self.moved(one)).collect();
                self.add_gate(operands)
            }
            input => Signal::of(self.nodes.push(input.clone())),
        };
        self.replaced.push(signal);
    }

    fn add_move(&mut self, mv: MoveId) -> Signal {
        let signal = Signal::of(self.nodes.push(Node::Does(mv)));
        let set = self.normalised(MoveSet {
            role: self.net.moves[mv].role,
            others: false,
            moves: vec![mv],
        });
        self.sets.insert(signal.node(), set.clone());
        *self.known.entry(set).or_insert(signal)
    }

    /// The shorter way to say the same; impossible moves are left out.
    fn normalised(&self, mut set: MoveSet) -> MoveSet {
        let possible = &self.possible[set.role];
        set.moves.retain(|mv| possible.binary_search(mv).is_ok());
        let rest = possible.len() - set.moves.len();
        let longer = set.moves.len() > rest || set.moves.len() == rest && set.others;
        if longer {
            let mut moves = possible.clone();
            moves.retain(|mv| set.moves.binary_search(mv).is_err());
            set = MoveSet {
                role: set.role,
                others: !set.others,
                moves,
            };
        }
        set
    }

    fn set_of(&self, signal: Signal) -> Option<MoveSet> {
        let set = self.sets.get(&signal.node())?.clone();
        Some(if signal.inverted() {
            set.complement()
        } else {
            set
        })
    }

    /// A conjunction in which the operands about one role's moves are restated.
    fn add_gate(&mut self, operands: Vec<Signal>) -> Signal {
        let about = |signal: &Signal| self.sets.get(&signal.node()).map(|set| set.role);
        let (about_moves, mut rest): (Vec<_>, Vec<_>) =
            operands.into_iter().partition(|one| about(one).is_some());
        let mut by_role: Vec<(RoleId, Vec<Signal>)> = Vec::new();
        for operand in about_moves {
            let Some(role) = about(&operand) else {
                continue;
            };
            match by_role.iter_mut().find(|(other, _)| *other == role) {
                Some((_, operands)) => operands.push(operand),
                None => by_role.push((role, vec![operand])),
            }
        }
        if let ([(_, operands)], true) = (&by_role[..], rest.is_empty()) {
            return self.add_set(operands.clone());
        }
        for (_, operands) in by_role {
            let restated = self.restate_operands(&operands);
            rest.extend(restated.unwrap_or(operands));
        }
        push_and(&mut self.nodes, rest)
    }

    /// The set of moves that all operands allow.
    fn intersection(&mut self, operands: &[Signal]) -> Option<MoveSet> {
        let mut all: Option<MoveSet> = None;
        for &operand in operands {
            let set = self.set_of(operand)?;
            let before = all.as_ref().map_or(0, |all| all.moves.len());
            self.visits = self.visits.checked_sub(set.moves.len() + before)?;
            all = Some(match all {
                Some(all) => all.intersect(&set),
                None => set,
            });
        }
        let all = all?;
        self.visits = self.visits.checked_sub(all.moves.len())?;
        Some(self.normalised(all))
    }

    /// A gate that is a set.
    fn add_set(&mut self, operands: Vec<Signal>) -> Signal {
        let Some(set) = self.intersection(&operands) else {
            return push_and(&mut self.nodes, operands);
        };
        if let Some(signal) = self.find(&set) {
            return signal;
        }
        let signal = if is_worth(&set, operands.len()) {
            let moves = set.moves.iter().map(|&mv| !self.does(mv)).collect();
            push_and(&mut self.nodes, moves).invert_if(!set.others)
        } else {
            push_and(&mut self.nodes, operands)
        };
        self.sets.insert(
            signal.node(),
            if signal.inverted() {
                set.clone().complement()
            } else {
                set.clone()
            },
        );
        self.known.insert(set, signal);
        signal
    }

    /// Operands that say the same with fewer moves, if there are such.
    fn restate_operands(&mut self, operands: &[Signal]) -> Option<Vec<Signal>> {
        let set = self.intersection(operands)?;
        if let Some(signal) = self.find(&set) {
            return Some(vec![signal]);
        }
        if !is_worth(&set, operands.len()) {
            return None;
        }
        if set.others {
            return Some(set.moves.iter().map(|&mv| !self.does(mv)).collect());
        }
        Some(vec![self.add_set(operands.to_vec())])
    }

    fn find(&self, set: &MoveSet) -> Option<Signal> {
        if set.moves.is_empty() {
            return Some(Signal::TRUE.invert_if(!set.others));
        }
        let known = self.known.get(set).copied();
        known.or_else(|| Some(!*self.known.get(&set.clone().complement())?))
    }

    fn does(&mut self, mv: MoveId) -> Signal {
        let set = MoveSet {
            role: self.net.moves[mv].role,
            others: false,
            moves: vec![mv],
        };
        match self.find(&self.normalised(set)) {
            Some(signal) => signal,
            None => self.add_move(mv),
        }
    }
}

fn is_worth(set: &MoveSet, operands: usize) -> bool {
    set.moves.len() <= operands.max(FEW)
}

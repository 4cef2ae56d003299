//! Rewrites conditions on the moves of one role to mention as few moves as possible.
//!
//! In legal play a role makes exactly one move at a time, and of two roles that take
//! turns exactly one acts. So a condition on the moves of one role, or of two roles that
//! take turns, is a set of moves: conjunction is intersection, and negation is
//! complement. Sets are read off the gates from the moves up. A set that has few moves,
//! or lacks few, is written as these moves or as their complement, and equal sets become
//! one node. Frame rules ("any move but those that touch this cell") thus become
//! conditions on the moves that touch the cell.

use super::Pass;
use crate::ground::{MoveId, RoleId};
use crate::id::IdVec;
use crate::propnet::analyses::{
    ImpliedLiterals, MutexGroups, Turns, candidate_groups, keep_proved, one_argument_groups,
    prove_mutex_groups,
};
use crate::propnet::rebuild::push_and;
use crate::propnet::{Operands, PropNode, PropNodeId, Propnet, Signal};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Leaves no two nodes for one set of a role's moves.
pub(super) const PASS: Pass = Pass {
    name: "canonical_move_sets",
    run: canonical_move_sets,
};

/// A set of at most this many moves is written out even if the gates that express it
/// now read fewer nodes.
const FEW: usize = 10;

/// In propnets with more operands, only fluents with one argument are examined to find
/// whose turn it is.
const MANY_OPERANDS: usize = 400_000;

/// In propnets with more operands, whether roles take turns is not examined.
const MOST_OPERANDS: usize = 1_000_000;

/// The total number of elements of sets that may be looked at.
const VISITS: usize = 4_000_000;

fn canonical_move_sets(net: &Propnet) -> Propnet {
    let (turns, groups) = find_turns(net);
    let mut rewriter = MoveSetRewriter::new(net, turns);
    for (id, node) in net.nodes.iter_ids() {
        rewriter.add(id, node);
    }
    let nodes = std::mem::take(&mut rewriter.nodes);
    let mut result = net.with_nodes(nodes, |signal| rewriter.moved(signal));
    result.mutex_groups = groups.map(Arc::new);
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

struct MoveSetRewriter<'a> {
    net: &'a Propnet,
    turns: Option<Turns>,
    /// The possible moves of every role.
    possible: IdVec<RoleId, Vec<MoveId>>,
    nodes: IdVec<PropNodeId, PropNode>,
    /// What stands for every old node.
    replaced: IdVec<PropNodeId, Signal>,
    /// The new nodes that say which sets the roles' moves are in: one set per role.
    sets: FxHashMap<PropNodeId, Vec<MoveSet>>,
    /// The node for a set.
    known: FxHashMap<MoveSet, Signal>,
    visits: usize,
}

impl<'a> MoveSetRewriter<'a> {
    fn new(net: &'a Propnet, turns: Option<Turns>) -> Self {
        let mut possible = IdVec::filled(Vec::new(), net.roles.len());
        for (id, mv) in net.moves.iter_ids() {
            let idle = turns.is_some_and(|turns| turns.idle.contains(&id));
            if mv.legal != Signal::FALSE && !idle {
                possible[mover(net, turns, id)].push(id);
            }
        }
        Self {
            net,
            turns,
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

    fn add(&mut self, id: PropNodeId, node: &PropNode) {
        debug_assert_eq!(id, self.replaced.next_id());
        let signal = match node {
            PropNode::Does(mv) => self.add_move(*mv),
            PropNode::And(operands) => {
                let operands = operands.iter().map(|&one| self.moved(one)).collect();
                self.add_gate(operands)
            }
            input => Signal::of(self.nodes.push(input.clone())),
        };
        self.replaced.push(signal);
    }

    fn add_move(&mut self, mv: MoveId) -> Signal {
        let signal = Signal::of(self.nodes.push(PropNode::Does(mv)));
        let set = self.set_of_move(mv);
        self.sets.insert(signal.node(), vec![set.clone()]);
        *self.known.entry(set).or_insert(signal)
    }

    /// A role that takes turns with another is idle while the other acts.
    fn set_of_move(&self, mv: MoveId) -> MoveSet {
        let idle = self.turns.is_some_and(|turns| turns.idle.contains(&mv));
        let role = self.net.moves[mv].role;
        let moves = if idle {
            let acting = self.possible.iter().flatten().copied();
            acting
                .filter(|&other| self.net.moves[other].role != role)
                .collect()
        } else {
            vec![mv]
        };
        self.normalised(MoveSet {
            role: mover(self.net, self.turns, mv),
            others: false,
            moves,
        })
    }

    /// The same set, written the shorter way; impossible moves are left out.
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

    /// Whether a signal is about moves alone, as [`Self::sets_of`] tells.
    fn has_sets(&self, signal: Signal) -> bool {
        let sets = self.sets.get(&signal.node());
        sets.is_some_and(|sets| !signal.inverted() || sets.len() == 1)
    }

    /// The sets, one per role, that the roles' moves must be in for a signal to hold,
    /// if the signal says nothing else.
    fn sets_of(&self, signal: Signal) -> Option<Vec<MoveSet>> {
        let sets = self.sets.get(&signal.node())?;
        match (&sets[..], signal.inverted()) {
            (_, false) => Some(sets.clone()),
            ([set], true) => Some(vec![set.clone().complement()]),
            _ => None,
        }
    }

    /// A conjunction in which the operands about moves are restated.
    fn add_gate(&mut self, operands: Vec<Signal>) -> Signal {
        let (about_moves, rest): (Vec<_>, Vec<_>) = operands
            .into_iter()
            .partition(|&operand| self.has_sets(operand));
        let Some(sets) = self.intersection(&about_moves) else {
            return push_and(&mut self.nodes, [about_moves, rest].concat());
        };
        match (&sets[..], rest.is_empty()) {
            ([set], true) => self.add_set(set, about_moves),
            (_, nothing_else) => {
                let restated = {
                    let restated = self.restate_operands(&sets, about_moves.len());
                    restated.unwrap_or(about_moves)
                };
                let signal = push_and(&mut self.nodes, [restated, rest].concat());
                if nothing_else && sets.len() > 1 {
                    self.sets.insert(signal.node(), sets);
                }
                signal
            }
        }
    }

    /// For each role the moves that all signals allow, where they are not all.
    fn intersection(&mut self, signals: &[Signal]) -> Option<Vec<MoveSet>> {
        let mut all: Vec<MoveSet> = Vec::new();
        for &signal in signals {
            for set in self.sets_of(signal).into_iter().flatten() {
                match all.iter_mut().find(|other| other.role == set.role) {
                    Some(other) => {
                        self.visits = self
                            .visits
                            .checked_sub(other.moves.len() + set.moves.len())?;
                        *other = other.clone().intersect(&set);
                    }
                    None => all.push(set),
                }
            }
        }
        let mut all: Vec<MoveSet> = all.into_iter().map(|set| self.normalised(set)).collect();
        all.retain(|set| !set.moves.is_empty() || !set.others);
        all.sort_by_key(|set| set.role);
        let size: usize = all.iter().map(|set| set.moves.len()).sum();
        self.visits = self.visits.checked_sub(size)?;
        Some(all)
    }

    /// The gate that stands for a set, which `operands` express so far.
    fn add_set(&mut self, set: &MoveSet, operands: Vec<Signal>) -> Signal {
        if let Some(signal) = self.find(set) {
            return signal;
        }
        if pays_off(set.moves.len(), operands.len()) {
            return self.write_out(set);
        }
        let signal = push_and(&mut self.nodes, operands);
        self.enter(set.clone(), signal);
        signal
    }

    /// A gate that lists the moves.
    fn write_out(&mut self, set: &MoveSet) -> Signal {
        let moves: Operands = set.moves.iter().map(|&mv| !self.does(mv)).collect();
        let signal = push_and(&mut self.nodes, moves).invert_if(!set.others);
        self.enter(set.clone(), signal);
        signal
    }

    fn enter(&mut self, set: MoveSet, signal: Signal) {
        let of_node = match signal.inverted() {
            true => set.clone().complement(),
            false => set.clone(),
        };
        self.sets.insert(signal.node(), vec![of_node]);
        self.known.insert(set, signal);
    }

    /// Operands that say the same as `sets`, if few moves suffice.
    fn restate_operands(&mut self, sets: &[MoveSet], operands: usize) -> Option<Vec<Signal>> {
        let known: Vec<Option<Signal>> = sets.iter().map(|set| self.find(set)).collect();
        let unknown = sets.iter().zip(&known).filter(|(_, known)| known.is_none());
        let moves: usize = unknown.map(|(set, _)| set.moves.len()).sum();
        if !pays_off(moves, operands) {
            return None;
        }
        let mut restated = Vec::new();
        for (set, known) in sets.iter().zip(known) {
            match known {
                Some(signal) => restated.push(signal),
                None if set.others => {
                    restated.extend(set.moves.iter().map(|&mv| !self.does(mv)));
                }
                None => restated.push(self.write_out(set)),
            }
        }
        Some(restated)
    }

    fn find(&self, set: &MoveSet) -> Option<Signal> {
        if set.moves.is_empty() {
            return Some(Signal::TRUE.invert_if(!set.others));
        }
        let known = self.known.get(set).copied();
        known.or_else(|| Some(!*self.known.get(&set.clone().complement())?))
    }

    fn does(&mut self, mv: MoveId) -> Signal {
        match self.find(&self.set_of_move(mv)) {
            Some(signal) => signal,
            None => self.add_move(mv),
        }
    }
}

/// The role that stands for the mutually exclusive moves of which this is one: those of
/// its own role, or those of two roles that take turns.
fn mover(net: &Propnet, turns: Option<Turns>, mv: MoveId) -> RoleId {
    match turns {
        Some(turns) => net.moves[turns.idle[0]].role,
        None => net.moves[mv].role,
    }
}

/// Whether roles take turns, and all groups of exclusive fluents if they had to be found for
/// that.
fn find_turns(net: &Propnet) -> (Option<Turns>, Option<MutexGroups>) {
    if net.roles.len() != 2 || net.size().operands > MOST_OPERANDS {
        return (None, None);
    }
    let implied = ImpliedLiterals::find(net);
    let find = |groups: &MutexGroups| Turns::find(net, &implied, groups);
    if net.size().operands > MANY_OPERANDS {
        let groups = keep_proved(net, &implied, one_argument_groups(net));
        return (find(&groups), None);
    }
    // Proving groups takes long, and is wasted effort if roles do not take turns even assuming
    // that all groups hold.
    if find(&candidate_groups(net)).is_none() {
        return (None, None);
    }
    let groups = prove_mutex_groups(net, &implied);
    (find(&groups), Some(groups))
}

/// Whether to replace gates with this number of operands by this number of moves.
fn pays_off(moves: usize, operands: usize) -> bool {
    moves <= operands.max(FEW)
}

//! Assembling a propnet from ground rules.
//!
//! An atom becomes the disjunction of its rules' bodies. Atoms that depend on
//! each other are found as strongly connected components; within one, a
//! depth-first walk cuts every edge that closes a cycle by making the atom it
//! leads to a loop atom.

use super::{
    LoopAtom, LoopId, PropNode, PropNodeId, Propnet, PropnetBase, PropnetGoal, PropnetMove, Signal,
};
use crate::components::Components;
use crate::ground::{AtomId, AtomKind, GroundProgram, GroundRule};
use crate::id::IdVec;

/// Builds the propnet exactly as the rules are written, without simplifying anything.
#[must_use]
pub fn assemble(ground: &GroundProgram) -> Propnet {
    let mut builder = PropnetBuilder::new(ground);
    for component in components(ground).members() {
        builder.add_component(component);
    }
    builder.finish()
}

/// Sets of atoms that depend on each other, dependencies first.
fn components(ground: &GroundProgram) -> Components<AtomId> {
    let edges = ground.rules.iter().flat_map(|rule| {
        let body = rule.body.iter();
        body.map(|literal| (rule.head, literal.atom))
    });
    Components::find(ground.atoms.len(), edges)
}

struct PropnetBuilder<'a> {
    ground: &'a GroundProgram,
    rules_of: IdVec<AtomId, Vec<u32>>,
    nodes: IdVec<PropNodeId, PropNode>,
    loops: IdVec<LoopId, LoopAtom>,
    /// The atoms' values; false until an atom's component is reached.
    values: IdVec<AtomId, Signal>,
    groups: u32,
}

impl<'a> PropnetBuilder<'a> {
    fn new(ground: &'a GroundProgram) -> Self {
        let mut rules_of = IdVec::filled(Vec::new(), ground.atoms.len());
        for (index, rule) in ground.rules.iter().enumerate() {
            rules_of[rule.head].push(u32::try_from(index).expect("budgets bound the rules"));
        }
        Self {
            ground,
            rules_of,
            nodes: vec![PropNode::True].into(),
            loops: IdVec::new(),
            values: IdVec::filled(Signal::FALSE, ground.atoms.len()),
            groups: 0,
        }
    }

    fn add_component(&mut self, atoms: &[AtomId]) {
        let recursive = atoms.len() > 1 || self.depends_on_itself(atoms[0]);
        if recursive {
            self.add_recursive(atoms);
        } else {
            self.values[atoms[0]] = self.value_of(atoms[0]);
        }
    }

    fn depends_on_itself(&self, atom: AtomId) -> bool {
        self.rules(atom)
            .any(|rule| rule.body.iter().any(|literal| literal.atom == atom))
    }

    fn rules(&self, atom: AtomId) -> impl Iterator<Item = &'a GroundRule> {
        let ground = self.ground;
        self.rules_of[atom]
            .iter()
            .map(move |&rule| &ground.rules[rule as usize])
    }

    fn add_recursive(&mut self, atoms: &[AtomId]) {
        let order = CutOrder::find(self, atoms);
        let group = self.groups;
        self.groups += 1;
        let loops: Vec<(AtomId, LoopId)> = order
            .cut
            .iter()
            .map(|&atom| {
                let id = self.loops.push(LoopAtom {
                    name: self.ground.atoms[atom].name.clone(),
                    group,
                    definition: Signal::FALSE,
                });
                self.values[atom] = Signal::of(self.nodes.push(PropNode::Loop(id)));
                (atom, id)
            })
            .collect();
        for &atom in &order.others {
            self.values[atom] = self.value_of(atom);
        }
        for (atom, id) in loops {
            self.loops[id].definition = self.value_of(atom);
        }
    }

    /// The value of an atom from those of the atoms it depends on.
    fn value_of(&mut self, atom: AtomId) -> Signal {
        match self.ground.atoms[atom].kind {
            AtomKind::Base(base) => Signal::of(self.nodes.push(PropNode::Base(base))),
            AtomKind::Does(mv) => Signal::of(self.nodes.push(PropNode::Does(mv))),
            AtomKind::View => {
                let bodies: Vec<_> = self.rules(atom).collect();
                let none_holds = bodies.into_iter().map(|rule| !self.body(rule)).collect();
                !self.and(none_holds)
            }
        }
    }

    fn body(&mut self, rule: &GroundRule) -> Signal {
        let operands = rule
            .body
            .iter()
            .map(|literal| self.values[literal.atom].invert_if(literal.negated))
            .collect();
        self.and(operands)
    }

    fn and(&mut self, operands: Vec<Signal>) -> Signal {
        match operands[..] {
            [] => Signal::TRUE,
            [only] => only,
            _ => Signal::of(self.nodes.push(PropNode::And(operands.into()))),
        }
    }

    fn finish(self) -> Propnet {
        let ground = self.ground;
        let value = |atom: Option<AtomId>| atom.map_or(Signal::FALSE, |atom| self.values[atom]);
        let bases = ground.bases.iter().map(|base| PropnetBase {
            name: base.name.as_str().into(),
            initially: base.initially,
            next: value(base.next),
        });
        let moves = ground.moves.iter().map(|mv| PropnetMove {
            role: mv.role,
            name: mv.name.as_str().into(),
            legal: self.values[mv.legal],
        });
        let mut goals: Vec<_> = ground
            .goals
            .iter()
            .map(|goal| PropnetGoal {
                role: goal.role,
                value: goal.value,
                holds: self.values[goal.atom],
            })
            .collect();
        goals.sort_by_key(|goal| (goal.role, goal.value));
        Propnet {
            roles: ground.roles.clone(),
            bases: bases.collect(),
            moves: moves.collect(),
            terminal: value(ground.terminal),
            goals,
            mutex_groups: None,
            nodes: self.nodes,
            loops: self.loops,
        }
    }
}

/// Which atoms of a component to cut at, and an order of the others in which
/// each depends on earlier ones and on cut ones only.
struct CutOrder {
    cut: Vec<AtomId>,
    others: Vec<AtomId>,
}

/// How far the walk has got with an atom.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitState {
    Unseen,
    OnPath,
    Done,
}

impl CutOrder {
    fn find(builder: &PropnetBuilder<'_>, atoms: &[AtomId]) -> Self {
        let position = |atom: AtomId| atoms.binary_search(&atom).ok();
        let operands = |atom: AtomId| -> Vec<usize> {
            builder
                .rules(atom)
                .flat_map(|rule| rule.body.iter())
                .filter_map(|literal| position(literal.atom))
                .collect()
        };
        let mut progress = vec![VisitState::Unseen; atoms.len()];
        let mut is_cut = vec![false; atoms.len()];
        let mut finished = Vec::with_capacity(atoms.len());
        for root in 0..atoms.len() {
            if progress[root] != VisitState::Unseen {
                continue;
            }
            progress[root] = VisitState::OnPath;
            let mut path = vec![(root, operands(atoms[root]).into_iter())];
            while let Some((atom, rest)) = path.last_mut() {
                match rest.next() {
                    Some(operand) => match progress[operand] {
                        VisitState::Unseen => {
                            progress[operand] = VisitState::OnPath;
                            path.push((operand, operands(atoms[operand]).into_iter()));
                        }
                        VisitState::OnPath => is_cut[operand] = true,
                        VisitState::Done => {}
                    },
                    None => {
                        progress[*atom] = VisitState::Done;
                        finished.push(*atom);
                        path.pop();
                    }
                }
            }
        }
        let (cut, others): (Vec<_>, Vec<_>) = finished.into_iter().partition(|&atom| is_cut[atom]);
        let atoms_at = |positions: Vec<usize>| positions.into_iter().map(|at| atoms[at]).collect();
        Self {
            cut: atoms_at(cut),
            others: atoms_at(others),
        }
    }
}

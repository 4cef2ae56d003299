//! Scheduling: luts to operations, each in the first phase that needs it.

use super::choices::Choices;
use super::circuit::{Circuit, CircuitInput, Gate, GateEdge, GateId};
use super::cover::{Cover, GateLut};
use super::lower::Lowered;
use super::truth::{canonical, invert_input};
use super::{
    Arity, Op, OpId, Phase, Plan, PlanStep, PlanValue, PlannedBase, PlannedChoice, PlannedGoal,
    PlannedMove,
};
use crate::ground::{BaseId, MoveId};
use crate::id::{Id, IdVec};
use crate::propnet::Propnet;
use rustc_hash::FxHashMap;

pub(super) fn schedule(
    net: &Propnet,
    choices: &Choices,
    lowered: &Lowered,
    cover: &Cover,
    arity: Arity,
) -> Plan {
    let mut scheduler = Scheduler::new(net, lowered, cover, arity);
    let terminal = scheduler.output(lowered.terminal);
    let legal: IdVec<MoveId, PlanValue> = outputs(&mut scheduler, &lowered.legal);
    let counts: Vec<Vec<OpId>> = lowered
        .counts
        .iter()
        .map(|bits| bits.iter().map(|&bit| scheduler.own_op(bit)).collect())
        .collect();
    let next: IdVec<BaseId, PlanValue> = outputs(&mut scheduler, &lowered.next);
    let goals: Vec<PlanValue> = outputs(&mut scheduler, &lowered.goals);
    scheduler.loop_values = outputs(&mut scheduler, &lowered.loops);

    scheduler.enter(Phase::Terminal, [terminal]);
    let counted = counts.iter().flatten().map(|&op| PlanValue::Op(op));
    scheduler.enter(Phase::Count, counted);
    scheduler.enter(Phase::Next, next.iter().copied());
    scheduler.enter_on_demand(Phase::Goals, goals.iter().copied());
    scheduler.enter_on_demand(Phase::Legal, legal.iter().copied());

    let positions = candidate_positions(net, choices);
    Plan {
        arity,
        roles: net.roles.clone(),
        bases: net
            .bases
            .iter_ids()
            .map(|(id, base)| PlannedBase {
                name: base.name.to_string(),
                initially: base.initially,
                next: next[id],
            })
            .collect(),
        moves: net
            .moves
            .iter_ids()
            .map(|(id, mv)| PlannedMove {
                role: mv.role,
                name: mv.name.to_string(),
                legal: legal[id],
                choice: positions[id],
            })
            .collect(),
        terminal,
        goals: net
            .goals
            .iter()
            .zip(goals)
            .map(|(goal, holds)| PlannedGoal {
                role: goal.role,
                value: goal.value,
                holds,
            })
            .collect(),
        choices: choices
            .choices
            .iter()
            .zip(counts)
            .zip(&lowered.rank_bits)
            .map(|((choice, count), &rank_bits)| PlannedChoice {
                candidates: choice.candidates.len(),
                count,
                rank_bits,
            })
            .collect(),
        ops: scheduler.ops,
        phases: scheduler.phases,
        loops: net.loops.len() as u32,
    }
}

fn outputs<'e, C: FromIterator<PlanValue>>(
    scheduler: &mut Scheduler<'_>,
    edges: impl IntoIterator<Item = &'e GateEdge>,
) -> C {
    edges
        .into_iter()
        .map(|&edge| scheduler.output(edge))
        .collect()
}

/// For every move its choice and the position of its candidate there.
fn candidate_positions(net: &Propnet, choices: &Choices) -> IdVec<MoveId, Option<(u32, u32)>> {
    let mut positions = IdVec::filled(None, net.moves.len());
    for (index, choice) in choices.choices.iter().enumerate() {
        for (position, moves) in choice.candidates.iter().enumerate() {
            for &mv in moves {
                positions[mv] = Some((index as u32, position as u32));
            }
        }
    }
    positions
}

struct Scheduler<'a> {
    arity: Arity,
    circuit: &'a Circuit,
    ops: IdVec<OpId, Op>,
    /// The value of every gate that is an input or a lut.
    values: IdVec<GateId, Option<PlanValue>>,
    /// For each gate that is put out, whether only its negation is.
    put_out_inverted: IdVec<GateId, Option<bool>>,
    /// Gates whose negation is computed instead; see [`Self::is_negated`].
    opposite: IdVec<GateId, bool>,
    /// For values, luts that compute their opposites.
    inverted: FxHashMap<PlanValue, PlanValue>,
    /// The group of every recursive atom, and the atoms of every group.
    group_of: Vec<u32>,
    groups: Vec<Vec<u32>>,
    /// The new values of the recursive atoms.
    loop_values: Vec<PlanValue>,
    phases: [Vec<PlanStep>; 5],
    placed: Placed,
    /// See [`Self::count_registers`].
    registers: IdVec<OpId, u32>,
}

/// What has been scheduled and can be read.
#[derive(Clone)]
struct Placed {
    ops: Vec<bool>,
    groups: Vec<bool>,
}

impl<'a> Scheduler<'a> {
    fn new(net: &Propnet, lowered: &'a Lowered, cover: &Cover, arity: Arity) -> Self {
        let group_of: Vec<u32> = net.loops.iter().map(|atom| atom.group).collect();
        let mut groups = vec![Vec::new(); group_of.iter().max().map_or(0, |&g| g as usize + 1)];
        for (atom, &group) in group_of.iter().enumerate() {
            groups[group as usize].push(atom as u32);
        }
        let mut scheduler = Self {
            arity,
            circuit: &lowered.circuit,
            ops: IdVec::new(),
            values: IdVec::filled(None, lowered.circuit.gates.len()),
            put_out_inverted: lowered.put_out_inverted(),
            opposite: IdVec::filled(false, lowered.circuit.gates.len()),
            inverted: FxHashMap::default(),
            placed: Placed {
                ops: Vec::new(),
                groups: vec![false; groups.len()],
            },
            group_of,
            groups,
            loop_values: Vec::new(),
            phases: Default::default(),
            registers: IdVec::new(),
        };
        scheduler.make_ops(cover);
        scheduler
    }

    /// Makes one operation for every lut of the cover.
    fn make_ops(&mut self, cover: &Cover) {
        for (id, gate) in self.circuit.gates.iter_ids() {
            self.values[id] = match (gate, &cover.luts[id]) {
                (Gate::CircuitInput(input), _) => Some(value_of(*input)),
                (Gate::And(..), Some(lut)) => Some(self.value_of_lut(id, lut)),
                _ => None,
            };
        }
    }

    /// The operation of a gate that is a lut.
    fn value_of_lut(&mut self, id: GateId, lut: &GateLut) -> PlanValue {
        let mut args = [PlanValue::Zero; 3];
        let mut truth = lut.truth;
        for (position, gate) in lut.reads.gates().iter().enumerate() {
            args[position] = self.values[*gate].expect("a lut reads inputs and luts");
            if self.opposite[*gate] {
                truth = invert_input(truth, position);
            }
        }
        self.opposite[id] = self.is_negated(id, lut, truth);
        if self.opposite[id] {
            truth = !truth;
        }
        self.push(truth, args)
    }

    /// Whether the negation of a gate is computed instead. Of a gate of two inputs and its
    /// negation, one is a two-input instruction: the one that is false if all its inputs are. Where
    /// there are instructions for all functions of three inputs, it is only the shorter one, and
    /// what is put out needs no inversion.
    fn is_negated(&self, gate: GateId, lut: &GateLut, truth: u8) -> bool {
        let inputs = lut.reads.gates().len();
        match (self.arity, self.put_out_inverted[gate]) {
            (Arity::Three, Some(inverted)) => inverted,
            (Arity::Three, None) if inputs == 3 => false,
            _ => truth & 1 != 0,
        }
    }

    fn push(&mut self, truth: u8, args: [PlanValue; 3]) -> PlanValue {
        PlanValue::Op(self.ops.push(canonical(truth, args)))
    }

    /// The value of an edge; takes one more operation if only its negation exists.
    fn output(&mut self, edge: GateEdge) -> PlanValue {
        let gate = edge.node();
        let (value, inverted) = match self.circuit.gates[gate] {
            Gate::True => (PlanValue::Zero, !edge.inverted()),
            _ => (
                self.values[gate].expect("outputs are covered"),
                edge.inverted() != self.opposite[gate],
            ),
        };
        if !inverted {
            return value;
        }
        if let Some(&known) = self.inverted.get(&value) {
            return known;
        }
        let opposite = match value {
            PlanValue::Op(op) if self.arity == Arity::Three => {
                let Op { truth, args } = self.ops[op];
                self.push(!truth, args)
            }
            _ => self.push(0b0000_1111, [value, PlanValue::Zero, PlanValue::Zero]),
        };
        self.inverted.insert(value, opposite);
        opposite
    }

    /// An operation that stands for this edge alone.
    fn own_op(&mut self, edge: GateEdge) -> OpId {
        let value = self.output(edge);
        self.ops.push(canonical(
            0b1111_0000,
            [value, PlanValue::Zero, PlanValue::Zero],
        ))
    }

    /// Schedules into a phase those of `values` that are missing.
    fn enter(&mut self, phase: Phase, values: impl IntoIterator<Item = PlanValue>) {
        self.placed.ops.resize(self.ops.len(), false);
        self.count_registers();
        let mut steps = std::mem::take(&mut self.phases[phase as usize]);
        for value in values {
            self.schedule_value(value, &mut steps);
        }
        self.phases[phase as usize] = steps;
    }

    /// Schedules a phase that runs on demand, after the terminal phase: it repeats
    /// what it needs of the other phases.
    fn enter_on_demand(&mut self, phase: Phase, values: impl IntoIterator<Item = PlanValue>) {
        self.placed = Placed {
            ops: vec![false; self.ops.len()],
            groups: vec![false; self.groups.len()],
        };
        let terminal = std::mem::take(&mut self.phases[Phase::Terminal as usize]);
        for step in &terminal {
            self.mark(step);
        }
        self.phases[Phase::Terminal as usize] = terminal;
        self.enter(phase, values);
    }

    fn mark(&mut self, step: &PlanStep) {
        match step {
            PlanStep::Op(op) => self.placed.ops[op.index()] = true,
            PlanStep::Loop { atoms, body } => {
                for op in body {
                    self.placed.ops[op.index()] = true;
                }
                if let Some((atom, _)) = atoms.first() {
                    self.placed.groups[self.group_of[*atom as usize] as usize] = true;
                }
            }
        }
    }

    fn is_placed(&self, value: PlanValue) -> bool {
        match value {
            PlanValue::Op(op) => self.placed.ops[op.index()],
            PlanValue::Loop(atom) => self.placed.groups[self.group_of[atom as usize] as usize],
            PlanValue::Zero | PlanValue::Base(_) | PlanValue::Rank { .. } => true,
        }
    }

    /// Schedules a value after everything it depends on.
    fn schedule_value(&mut self, value: PlanValue, steps: &mut Vec<PlanStep>) {
        let mut open = vec![value];
        while let Some(&value) = open.last() {
            if self.is_placed(value) {
                open.pop();
                continue;
            }
            let missing = match value {
                PlanValue::Op(op) => self.missing(&self.ops[op].args),
                PlanValue::Loop(atom) => {
                    let group = self.group_of[atom as usize];
                    self.missing(&self.read_by_group(group).outside)
                }
                _ => vec![],
            };
            if !missing.is_empty() {
                open.extend(missing.into_iter().rev());
                continue;
            }
            open.pop();
            let step = match value {
                PlanValue::Op(op) => PlanStep::Op(op),
                PlanValue::Loop(atom) => self.loop_step(self.group_of[atom as usize]),
                _ => continue,
            };
            self.mark(&step);
            steps.push(step);
        }
    }

    /// Values that have to be placed first, those that need the most registers
    /// before the others.
    fn missing(&self, values: &[PlanValue]) -> Vec<PlanValue> {
        let missing = values.iter().copied();
        let mut missing: Vec<PlanValue> = missing.filter(|&value| !self.is_placed(value)).collect();
        missing.sort_by_key(|&value| std::cmp::Reverse(self.registers(value)));
        missing
    }

    fn registers(&self, value: PlanValue) -> u32 {
        match value {
            PlanValue::Op(op) => self.registers[op],
            _ => 0,
        }
    }

    /// How many registers each operation would need for what it depends on, if nothing else
    /// needed any (Sethi and Ullman, "The generation of optimal code for arithmetic
    /// expressions", 1970).
    fn count_registers(&mut self) {
        for index in self.registers.len()..self.ops.len() {
            let args = self.ops[OpId::new(index)].args;
            let mut needed = args.map(|arg| self.registers(arg));
            needed.sort_unstable_by_key(|&needed| std::cmp::Reverse(needed));
            let held = needed.iter().zip(0..).filter(|(needed, _)| **needed > 0);
            let most = held.map(|(needed, held)| needed + held).max();
            self.registers.push(most.unwrap_or(1));
        }
    }

    fn loop_step(&self, group: u32) -> PlanStep {
        let atoms = self.groups[group as usize].iter();
        PlanStep::Loop {
            atoms: atoms
                .map(|&atom| (atom, self.loop_values[atom as usize]))
                .collect(),
            body: self.read_by_group(group).body,
        }
    }

    /// What the new values of a group's atoms are computed from.
    fn read_by_group(&self, group: u32) -> GroupReads {
        let definitions = self.groups[group as usize].iter();
        let definitions = definitions.map(|&atom| self.loop_values[atom as usize]);
        let mut reads = GroupReads::default();
        let mut inside: FxHashMap<OpId, bool> = FxHashMap::default();
        for definition in definitions {
            self.walk_group(group, definition, &mut inside, &mut reads);
        }
        reads
    }

    /// Finds which operations below `root` depend on the group's atoms; whether
    /// one does is known once its arguments are.
    fn walk_group(
        &self,
        group: u32,
        root: PlanValue,
        inside: &mut FxHashMap<OpId, bool>,
        reads: &mut GroupReads,
    ) {
        let depends = |value: PlanValue, inside: &FxHashMap<OpId, bool>| match value {
            PlanValue::Loop(atom) => Some(self.group_of[atom as usize] == group),
            PlanValue::Op(op) => inside.get(&op).copied(),
            _ => Some(false),
        };
        let mut open = vec![root];
        while let Some(&value) = open.last() {
            let PlanValue::Op(op) = value else {
                open.pop();
                continue;
            };
            if inside.contains_key(&op) {
                open.pop();
                continue;
            }
            let args = &self.ops[op].args;
            let unknown: Vec<PlanValue> = args
                .iter()
                .copied()
                .filter(|&arg| depends(arg, inside).is_none())
                .collect();
            if !unknown.is_empty() {
                open.extend(unknown);
                continue;
            }
            open.pop();
            let is_inside = args.iter().any(|&arg| depends(arg, inside) == Some(true));
            inside.insert(op, is_inside);
            if is_inside {
                let outside = args.iter().copied();
                let outside = outside.filter(|&arg| depends(arg, inside) == Some(false));
                reads.outside.extend(outside);
                reads.body.push(op);
            }
        }
        if depends(root, inside) == Some(false) {
            reads.outside.push(root);
        }
    }
}

/// What the new values of a group's atoms are computed from.
#[derive(Default)]
struct GroupReads {
    /// Values that do not depend on the group's atoms.
    outside: Vec<PlanValue>,
    /// Operations that do, in order.
    body: Vec<OpId>,
}

fn value_of(input: CircuitInput) -> PlanValue {
    match input {
        CircuitInput::Base(base) => PlanValue::Base(BaseId::new(base as usize)),
        CircuitInput::Rank { choice, bit } => PlanValue::Rank { choice, bit },
        CircuitInput::Loop(atom) => PlanValue::Loop(atom),
        CircuitInput::Does(_) => unreachable!("ranks select the moves"),
    }
}

//! [`Allocator`]: register allocation, and the instructions that follow from it.
//!
//! Operations are taken in their order. Where a register is needed and none is
//! free, the value whose next use is furthest is evicted (Belady 1966, "A study of
//! replacement algorithms"): it remains in its row if it has one, and is spilled
//! otherwise. A row that is read for the last time, or not again until much later,
//! is read by the instruction that needs it.

use super::encode::Assembler;
use super::operand::{Binary, Memory, Operand, Register};
use super::select::Lut;
use super::target::Target;
use super::values::{Location, NEVER, NextValues, Numbering, SpillSlots, Uses};
use crate::id::Id as _;
use crate::plan::store::Storage;
use crate::plan::{OpId, Phase, Plan, PlanStep, PlanValue};
use gdl_runtime::layout::Row;
use rustc_hash::FxHashSet;

/// Turns the operations of a plan into instructions.
pub(super) struct Allocator<'a> {
    plan: &'a Plan,
    storage: &'a Storage,
    target: Target,
    assembler: Assembler,
    phase: Phase,
    numbers: Numbering,
    next_values: NextValues,
    /// Where values are, by their numbers.
    values: Vec<Location>,
    /// The values in registers.
    held: Vec<Option<usize>>,
    /// Registers that may be used, from the first on.
    usable: Register,
    spill_slots: SpillSlots,
    /// See [`Uses::find`].
    scratch: Vec<u32>,
}

impl<'a> Allocator<'a> {
    pub fn new(plan: &'a Plan, storage: &'a Storage, target: Target) -> Self {
        let numbers = Numbering::of_plan(plan);
        Self {
            plan,
            storage,
            target,
            assembler: Assembler::new(target),
            phase: Phase::Terminal,
            next_values: NextValues::of_plan(plan, &numbers),
            values: vec![Location::NOWHERE; numbers.count],
            scratch: vec![NEVER; numbers.count],
            numbers,
            held: vec![None; usize::from(target.registers())],
            usable: target.registers(),
            spill_slots: SpillSlots::from(storage.rows),
        }
    }

    /// Begins the function of a phase; returns its offset.
    pub fn enter(&mut self, phase: Phase) -> usize {
        self.phase = phase;
        self.assembler.enter()
    }

    /// Ends the function of the phase.
    pub fn leave(&mut self) {
        if self.phase == Phase::Next {
            self.keep_values();
        }
        self.assembler.leave();
    }

    /// All code, and the number of rows that it needs.
    pub fn finish(self) -> (Vec<u8>, u32) {
        (self.assembler.finish(), self.spill_slots.end())
    }

    /// Operations without a loop.
    pub fn straight(&mut self, steps: &[PlanStep]) {
        let ops = steps.iter().filter_map(|step| match step {
            PlanStep::Op(op) => Some(*op),
            PlanStep::Loop { .. } => None,
        });
        self.operations(&ops.collect::<Vec<_>>(), &[]);
    }

    /// Starts the atoms at false and computes until none changes. A new value is
    /// put in place at once: what follows in the same round may read it, and the
    /// least fixpoint is the same.
    pub fn fixpoint(&mut self, atoms: &[(u32, PlanValue)], body: &[OpId]) {
        let mut updates: Vec<(PlanValue, Memory)> = atoms
            .iter()
            .map(|&(atom, new)| (new, self.row(PlanValue::Loop(atom))))
            .collect();
        updates.sort_unstable_by_key(|&(new, _)| new);
        let changed = self.changed();
        self.assembler.clear(changed);
        for &(_, row) in &updates {
            self.assembler.store(row, changed);
        }
        let top = self.assembler.label();
        self.assembler.clear(changed);
        self.usable = self.scratch_in_loops();
        self.operations(body, &updates);
        self.usable = self.target.registers();
        let body: FxHashSet<OpId> = body.iter().copied().collect();
        for &(new, row) in &updates {
            if !matches!(new, PlanValue::Op(op) if body.contains(&op)) {
                let from = self.row(new);
                self.assembler.load(0, Operand::Memory(from));
                self.update(row, 0);
            }
        }
        self.assembler
            .jump_if_any(changed, self.scratch_in_loops(), &top);
    }

    /// The register that collects in a loop which lanes have changed.
    fn changed(&self) -> Register {
        self.target.registers() - 1
    }

    /// A register that holds no value in a loop.
    fn scratch_in_loops(&self) -> Register {
        self.target.registers() - 2
    }

    /// Operations in order; `updates` are the rows of recursive atoms that take a
    /// value, in the order of the values.
    fn operations(&mut self, ops: &[OpId], updates: &[(PlanValue, Memory)]) {
        let uses = Uses::find(self.plan, ops, &self.numbers, &mut self.scratch);
        for (index, &op) in ops.iter().enumerate() {
            let lut = Lut::of(&self.plan.ops[op], uses.next[index]);
            let result = self.operation(&lut);
            self.bind(result, op, uses.first[index]);
            self.store_result(result, op);
            let value = PlanValue::Op(op);
            let start = updates.partition_point(|&(other, _)| other < value);
            let rows = updates[start..].iter();
            for &(_, row) in rows.take_while(|&&(other, _)| other == value) {
                self.update(row, result);
            }
            if uses.first[index] == NEVER {
                self.free(op.index());
            }
        }
        self.forget(ops);
    }

    /// Emits an operation; returns the register of its result.
    fn operation(&mut self, lut: &Lut) -> Register {
        for (value, next) in lut.inputs() {
            let number = self.numbers.of(value);
            let place = self.values[number];
            if place.register.is_none() && place.memory.is_none() {
                self.values[number].memory = Some(self.row(value));
            }
            self.values[number].next = next;
        }
        let mut numbers = [0; 3];
        for (number, (value, _)) in numbers.iter_mut().zip(lut.inputs()) {
            *number = self.numbers.of(value);
        }
        let inputs = &numbers[..lut.count];
        self.fetch(inputs);
        let result = self.compute(lut, inputs);
        for &input in inputs {
            if self.values[input].next == NEVER {
                self.free(input);
            }
        }
        result
    }

    /// Loads inputs until at most one is read from its row by the instruction.
    fn fetch(&mut self, inputs: &[usize]) {
        loop {
            let missing = inputs.iter().copied();
            let missing = missing.filter(|&input| self.values[input].register.is_none());
            let (count, soonest) = missing.fold((0, None), |(count, soonest), input| {
                let sooner = soonest
                    .is_none_or(|other: usize| self.values[input].next < self.values[other].next);
                (count + 1, if sooner { Some(input) } else { soonest })
            });
            let Some(input) = soonest else { return };
            if count == 1 && !self.deserves_register(input, inputs) {
                return;
            }
            let register = self.take_register(inputs);
            let operand = self.operand(input);
            self.assembler.load(register, operand);
            self.hold(register, input);
        }
    }

    /// Whether a value is needed earlier than one that is in a register.
    fn deserves_register(&self, input: usize, inputs: &[usize]) -> bool {
        let next = self.values[input].next;
        next != NEVER
            && (self.free_register().is_some()
                || self.furthest(inputs).is_some_and(|(other, _)| other > next))
    }

    /// The instruction of an operation whose inputs have been fetched.
    fn compute(&mut self, lut: &Lut, inputs: &[usize]) -> Register {
        let operands = [0, 1, 2].map(|index| {
            let input = inputs.get(index)?;
            Some((self.operand(*input), self.values[*input].next == NEVER))
        });
        let instruction = lut.select(operands, self.target);
        let result = instruction
            .overwrites()
            .unwrap_or_else(|| self.take_register(inputs));
        instruction.emit(&mut self.assembler, result);
        result
    }

    /// Where an instruction finds a value.
    fn operand(&self, number: usize) -> Operand {
        let place = self.values[number];
        match (place.register, place.memory) {
            (Some(register), _) => Operand::Register(register),
            (None, Some(memory)) => Operand::Memory(memory),
            (None, None) => unreachable!("a value that is read stands somewhere"),
        }
    }

    /// A register for a new value; the inputs stay where they are.
    fn take_register(&mut self, inputs: &[usize]) -> Register {
        if let Some(register) = self.free_register() {
            return register;
        }
        let (_, register) = self.furthest(inputs).expect("an operation has few inputs");
        if let Some(leaving) = self.held[usize::from(register)].take() {
            let place = &mut self.values[leaving];
            place.register = None;
            if place.memory.is_none() {
                let row = self.spill_slots.take();
                place.memory = Some(row);
                self.assembler.store(row, register);
            }
        }
        register
    }

    fn free_register(&self) -> Option<Register> {
        (0..self.usable).find(|&register| self.held[usize::from(register)].is_none())
    }

    /// The register of the value that is needed last, inputs aside, and when.
    fn furthest(&self, inputs: &[usize]) -> Option<(u32, Register)> {
        let registers = (0..self.usable).filter_map(|register| {
            let value = self.held[usize::from(register)]?;
            let place = self.values[value];
            let usable = !inputs.contains(&value);
            usable.then_some((place.next, place.memory.is_some(), register))
        });
        registers.max().map(|(next, _, register)| (next, register))
    }

    fn hold(&mut self, register: Register, number: usize) {
        self.held[usize::from(register)] = Some(number);
        self.values[number].register = Some(register);
    }

    /// Records where the result of an operation is and when it is next read.
    fn bind(&mut self, register: Register, op: OpId, next: u32) {
        self.hold(register, op.index());
        self.values[op.index()].next = next;
    }

    /// A value is not read again.
    fn free(&mut self, number: usize) {
        let place = std::mem::replace(&mut self.values[number], Location::NOWHERE);
        if let Some(register) = place.register {
            self.held[usize::from(register)] = None;
        }
        if let Some(memory) = place.memory {
            self.spill_slots.give_back(memory);
        }
    }

    /// Puts a result wherever something outside its chunk looks for it.
    fn store_result(&mut self, register: Register, op: OpId) {
        let mut memory = None;
        if self.phase == Phase::Next {
            for base in self.next_values.of_value(op.index()) {
                self.assembler.store(Memory::Next(base), register);
                memory = Some(Memory::Next(base));
            }
        }
        if let Some(row) = self.storage.filled_row(self.phase, op) {
            self.assembler.store(Memory::Work(row), register);
            memory = Some(Memory::Work(row));
        }
        self.values[op.index()].memory = memory;
    }

    /// Gives a recursive atom a new value.
    fn update(&mut self, row: Memory, new: Register) {
        let changed = self.changed();
        let old = Operand::Memory(row);
        if self.target.is_ternary() {
            let changed_or_differs = 0b1111_0110;
            self.assembler
                .ternary(changed_or_differs, changed, new, old);
        } else {
            let scratch = self.scratch_in_loops();
            self.assembler.load(scratch, old);
            let differs = Operand::Register(scratch);
            self.assembler
                .binary(Binary::Xor, scratch, scratch, Operand::Register(new));
            self.assembler.binary(Binary::Or, changed, changed, differs);
        }
        self.assembler.store(row, new);
    }

    /// Fluents take values that the next phase does not compute.
    fn keep_values(&mut self) {
        let computed = self.plan.phases[Phase::Next as usize].iter();
        let mut made = vec![false; self.plan.ops.len()];
        for step in computed {
            match step {
                PlanStep::Op(op) => made[op.index()] = true,
                PlanStep::Loop { body, .. } => body.iter().for_each(|op| made[op.index()] = true),
            }
        }
        for (base, planned) in self.plan.bases.iter_ids() {
            if !matches!(planned.next, PlanValue::Op(op) if made[op.index()]) {
                let from = self.row(planned.next);
                self.assembler.load(0, Operand::Memory(from));
                self.assembler.store(Memory::Next(base.index() as u32), 0);
            }
        }
    }

    /// The row of a value from outside the chunk.
    fn row(&self, value: PlanValue) -> Memory {
        match self.storage.row(self.phase, value) {
            Row::Base(row) => Memory::Now(row),
            Row::Work(row) => Memory::Work(row),
        }
    }

    /// After a chunk, nothing is in registers.
    fn forget(&mut self, ops: &[OpId]) {
        for &op in ops {
            let args = self.plan.ops[op].args.map(|arg| self.numbers.of(arg));
            for number in args.into_iter().chain([op.index()]) {
                self.values[number] = Location::NOWHERE;
            }
        }
        self.held.fill(None);
    }
}

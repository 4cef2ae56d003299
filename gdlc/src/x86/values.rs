//! Bookkeeping about values: their numbers, their locations, their next reads, and
//! the fluents that take them.

use super::operand::{Memory, Register};
use crate::id::Id as _;
use crate::plan::{OpId, Plan, PlanValue};

/// In place of an operation's number: never again.
pub(super) const NEVER: u32 = u32::MAX;

/// Numbers for all values of a plan.
pub(super) struct Numbering {
    ops: usize,
    bases: usize,
    loops: usize,
    /// The first number of every choice's rank.
    ranks: Vec<usize>,
    /// The number of values.
    pub count: usize,
}

impl Numbering {
    pub fn of_plan(plan: &Plan) -> Self {
        let (ops, bases) = (plan.ops.len(), plan.bases.len());
        let loops = plan.loops as usize;
        let mut count = 1 + ops + bases + loops;
        let ranks = plan.choices.iter().map(|choice| {
            count += choice.rank_bits as usize;
            count - choice.rank_bits as usize
        });
        Self {
            ranks: ranks.collect(),
            ops,
            bases,
            loops,
            count,
        }
    }

    /// The number of a value.
    pub fn of(&self, value: PlanValue) -> usize {
        match value {
            PlanValue::Op(op) => op.index(),
            PlanValue::Base(base) => self.ops + base.index(),
            PlanValue::Loop(atom) => self.ops + self.bases + atom as usize,
            PlanValue::Zero => self.ops + self.bases + self.loops,
            PlanValue::Rank { choice, bit } => self.ranks[choice as usize] + bit as usize,
        }
    }
}

/// Where a value is kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Location {
    pub register: Option<Register>,
    pub memory: Option<Memory>,
    /// The next operation that reads it.
    pub next: u32,
}

impl Location {
    pub const NOWHERE: Self = Self {
        register: None,
        memory: None,
        next: NEVER,
    };
}

/// When values are read, counted in operations of a chunk.
pub(super) struct Uses {
    /// For every operation the first one that reads it.
    pub first: Vec<u32>,
    /// For every argument the next operation that reads the same value.
    pub next: Vec<[u32; 3]>,
}

impl Uses {
    /// Those of some operations in order. `scratch` has an entry for every value,
    /// all [`NEVER`], and is left so.
    pub fn find(plan: &Plan, ops: &[OpId], numbers: &Numbering, scratch: &mut [u32]) -> Self {
        let mut uses = Self {
            first: vec![NEVER; ops.len()],
            next: vec![[NEVER; 3]; ops.len()],
        };
        for (index, &op) in ops.iter().enumerate().rev() {
            uses.first[index] = std::mem::replace(&mut scratch[op.index()], NEVER);
            let args = plan.ops[op].args;
            uses.next[index] = args.map(|arg| scratch[numbers.of(arg)]);
            for arg in args {
                scratch[numbers.of(arg)] = index as u32;
            }
        }
        for arg in ops.iter().flat_map(|&op| plan.ops[op].args) {
            scratch[numbers.of(arg)] = NEVER;
        }
        uses
    }
}

/// Rows for values that do not fit into the registers.
pub(super) struct SpillSlots {
    first: u32,
    end: u32,
    free: Vec<u32>,
}

impl SpillSlots {
    /// The rows from this one on.
    pub fn from(first: u32) -> Self {
        Self {
            first,
            end: first,
            free: Vec::new(),
        }
    }

    pub fn take(&mut self) -> Memory {
        let row = self.free.pop().unwrap_or_else(|| {
            self.end += 1;
            self.end - 1
        });
        Memory::Work(row)
    }

    /// A value is not read from here again; if this is one of these rows, it is
    /// free.
    pub fn give_back(&mut self, memory: Memory) {
        match memory {
            Memory::Work(row) if row >= self.first => self.free.push(row),
            _ => {}
        }
    }

    /// One past the last row that was ever taken.
    pub fn end(&self) -> u32 {
        self.end
    }
}

/// Which fluents take a value in the next state.
pub(super) struct NextValues {
    /// Values' numbers and fluents, ascending.
    bases: Vec<(usize, u32)>,
}

impl NextValues {
    pub fn of_plan(plan: &Plan, numbers: &Numbering) -> Self {
        let bases = plan.bases.iter_ids();
        let bases = bases.map(|(id, base)| (numbers.of(base.next), id.index() as u32));
        let mut bases: Vec<_> = bases.collect();
        bases.sort_unstable();
        Self { bases }
    }

    /// The fluents that take the value of this number.
    pub fn of_value(&self, number: usize) -> impl Iterator<Item = u32> {
        let start = self.bases.partition_point(|&(other, _)| other < number);
        let same = self.bases[start..].iter();
        same.take_while(move |&&(other, _)| other == number)
            .map(|&(_, base)| base)
    }
}

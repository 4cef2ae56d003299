//! Instruction selection: which instruction computes an operation, given where its
//! inputs are.

use super::encode::{Assembler, Binary, Operand, Register};
use crate::plan::{Op, PlanValue, permute};

/// An operation with its inputs first; arguments that are always false are not inputs.
pub(super) struct Lut {
    truth: u8,
    args: [PlanValue; 3],
    /// For every argument, the next operation that reads it.
    next: [u32; 3],
    /// The number of inputs.
    pub count: usize,
}

/// Where an input is, and whether it may be overwritten; `None` if there is none.
type LutInput = Option<(Operand, bool)>;

impl Lut {
    /// The lut of an operation; `next` are the operations that read its arguments next.
    pub fn of(op: &Op, next: [u32; 3]) -> Self {
        let mut order = [0, 1, 2];
        order.sort_by_key(|&index| op.args[index] == PlanValue::Zero);
        let count = op
            .args
            .iter()
            .filter(|&&arg| arg != PlanValue::Zero)
            .count();
        let absent = (count..3).fold(0, |absent, position| absent | 4 >> position);
        let truth = permute(op.truth, order);
        Self {
            truth: (0..8).fold(0, |all, row| all | (truth >> (row & !absent) & 1) << row),
            args: order.map(|index| op.args[index]),
            next: order.map(|index| next[index]),
            count,
        }
    }

    /// The inputs, each with the next operation that reads it.
    pub fn inputs(&self) -> impl Iterator<Item = (PlanValue, u32)> {
        let inputs = self.args.into_iter().zip(self.next);
        inputs.take(self.count)
    }

    /// The cheapest instruction; at most one of its operands can be a row.
    pub fn select(&self, inputs: [LutInput; 3]) -> SelectedInstruction {
        match inputs {
            [None, ..] => SelectedInstruction::Constant(self.truth),
            [Some(input), None, _] if self.truth == 0b1111_0000 => SelectedInstruction::Same(input),
            [Some((first, dies)), Some((second, also_dies)), None] => {
                let overwritten = free_register(first, dies).or(free_register(second, also_dies));
                self.binary(first, second)
                    .map(|(kind, first, second)| SelectedInstruction::Binary {
                        kind,
                        first,
                        second,
                        overwritten,
                    })
                    .unwrap_or_else(|| self.ternary(inputs))
            }
            _ => self.ternary(inputs),
        }
    }

    /// The two-input instruction that computes this, if there is one.
    fn binary(&self, a: Operand, b: Operand) -> Option<(Binary, Register, Operand)> {
        let (kind, first, second) = match self.truth {
            0b1100_0000 => (Binary::And, a, b),
            0b1111_1100 => (Binary::Or, a, b),
            0b0011_1100 => (Binary::Xor, a, b),
            0b0000_1100 => (Binary::AndNot, a, b),
            0b0011_0000 => (Binary::AndNot, b, a),
            _ => return None,
        };
        match (first, second) {
            (Operand::Register(first), second) => Some((kind, first, second)),
            (first, Operand::Register(second)) if kind != Binary::AndNot => {
                Some((kind, second, first))
            }
            _ => None,
        }
    }

    /// A three-input instruction, which overwrites its first operand.
    fn ternary(&self, inputs: [LutInput; 3]) -> SelectedInstruction {
        let count = self.count;
        let position = |wanted: &dyn Fn(Operand, bool) -> bool| {
            (0..count).find(|&at| inputs[at].is_some_and(|(operand, dies)| wanted(operand, dies)))
        };
        let is_row = |operand: Operand| matches!(operand, Operand::Memory(_));
        // What is overwritten is, in order of preference: a register that is not needed
        // again, a row, which has to be loaded anyway, or a copy of a register.
        let a = position(&|operand, dies| dies && !is_row(operand))
            .or_else(|| position(&|operand, _| is_row(operand)))
            .unwrap_or(0);
        let mut others: Vec<usize> = (0..count).filter(|&at| at != a).collect();
        others.sort_by_key(|&at| inputs[at].is_some_and(|(operand, _)| is_row(operand)));
        let operand = |at: usize| inputs[at].map(|(operand, _)| operand);
        let (order, b, c) = match others[..] {
            [b, c] => ([a, b, c], operand(b), operand(c)),
            [c] => ([a, 3 - a - c, c], None, operand(c)),
            _ => ([a, (a + 1) % 3, (a + 2) % 3], None, None),
        };
        let (from, dies) = inputs[a].unwrap_or((Operand::Register(0), true));
        SelectedInstruction::Ternary {
            truth: permute(self.truth, order),
            from,
            overwritten: free_register(from, dies),
            b: b.and_then(register),
            c,
        }
    }
}

fn register(operand: Operand) -> Option<Register> {
    match operand {
        Operand::Register(register) => Some(register),
        Operand::Memory(_) => None,
    }
}

fn free_register(operand: Operand, dies: bool) -> Option<Register> {
    register(operand).filter(|_| dies)
}

/// The instruction that computes an operation.
pub(super) enum SelectedInstruction {
    /// The same result for all inputs.
    Constant(u8),
    /// The input itself.
    Same((Operand, bool)),
    /// A two-input instruction.
    Binary {
        kind: Binary,
        first: Register,
        second: Operand,
        overwritten: Option<Register>,
    },
    /// A three-input instruction. The register of the result stands in for missing
    /// inputs.
    Ternary {
        truth: u8,
        /// Where the first input is, which the result overwrites.
        from: Operand,
        overwritten: Option<Register>,
        b: Option<Register>,
        c: Option<Operand>,
    },
}

impl SelectedInstruction {
    /// The register of an input that the result takes over, if there is one.
    pub fn overwrites(&self) -> Option<Register> {
        match *self {
            Self::Constant(_) => None,
            Self::Same((operand, dies)) => free_register(operand, dies),
            Self::Binary { overwritten, .. } | Self::Ternary { overwritten, .. } => overwritten,
        }
    }

    /// Writes the code that computes the operation into `to`: the register that it
    /// overwrites, or a free one.
    pub fn emit(&self, assembler: &mut Assembler, to: Register) {
        match *self {
            Self::Constant(truth) => {
                assembler.ternary(truth, to, to, Operand::Register(to));
            }
            Self::Same((from, _)) => move_to(assembler, to, from),
            Self::Binary {
                kind,
                first,
                second,
                ..
            } => assembler.binary(kind, to, first, second),
            Self::Ternary {
                truth, from, b, c, ..
            } => {
                move_to(assembler, to, from);
                let c = c.unwrap_or(Operand::Register(to));
                assembler.ternary(truth, to, b.unwrap_or(to), c);
            }
        }
    }
}

fn move_to(assembler: &mut Assembler, to: Register, from: Operand) {
    if from != Operand::Register(to) {
        assembler.load(to, from);
    }
}

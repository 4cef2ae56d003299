//! Instruction selection: which instruction computes an operation, given where its
//! inputs are.

use super::encode::Assembler;
use super::operand::{Binary, Operand, Register};
use super::target::Target;
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

/// Where an input is, and whether it may be overwritten.
type PlacedInput = (Operand, bool);

/// An input; `None` if there is none.
type LutInput = Option<PlacedInput>;

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

    /// The cheapest instruction; at most one of the operands can be a row.
    ///
    /// # Panics
    /// If the target has no instruction for it: plans for targets without one for every
    /// function of three inputs have none of those.
    pub fn select(&self, inputs: [LutInput; 3], target: Target) -> SelectedInstruction {
        let two_inputs = match inputs {
            [None, ..] => return SelectedInstruction::Constant(self.truth != 0),
            [Some(input), None, _] => self.unary(input),
            [Some(first), Some(second), None] => self.binary(first, second, target),
            _ => None,
        };
        two_inputs.unwrap_or_else(|| {
            assert!(target.is_ternary(), "a plan for another target");
            self.ternary(inputs)
        })
    }

    /// What computes a function of one input. Constants occur where passes that fold them
    /// were left out.
    fn unary(&self, input: PlacedInput) -> Option<SelectedInstruction> {
        match self.truth {
            0 => Some(SelectedInstruction::Constant(false)),
            0b1111_1111 => Some(SelectedInstruction::Constant(true)),
            0b1111_0000 => Some(SelectedInstruction::Same(input)),
            0b0000_1111 => Some(SelectedInstruction::Not(input.0)),
            _ => None,
        }
    }

    /// The two-input instruction that computes this, if there is one.
    fn binary(
        &self,
        a: PlacedInput,
        b: PlacedInput,
        target: Target,
    ) -> Option<SelectedInstruction> {
        let (kind, first, second) = match self.truth {
            0 | 0b1111_1111 | 0b0000_1111 | 0b1111_0000 => return self.unary(a),
            0b1100_1100 => return Some(SelectedInstruction::Same(b)),
            0b1100_0000 => (Binary::And, a, b),
            0b1111_1100 => (Binary::Or, a, b),
            0b0011_1100 => (Binary::Xor, a, b),
            0b0000_1100 => (Binary::AndNot, a, b),
            0b0011_0000 => (Binary::AndNot, b, a),
            0b0011_0011 => return Some(SelectedInstruction::Not(b.0)),
            _ => return None,
        };
        let first_is_row = first.0.register().is_none();
        if first_is_row && kind == Binary::AndNot && target.is_ternary() {
            return None;
        }
        let swapped = kind.is_commutative()
            && match target.is_destructive() {
                // What is overwritten is a register that is not needed again, else a row,
                // which has to be loaded anyway.
                true => rank_as_result(second) > rank_as_result(first),
                false => first_is_row,
            };
        let (first, second) = if swapped {
            (second, first)
        } else {
            (first, second)
        };
        let mut overwritten = free_register(first.0, first.1);
        if !target.is_destructive() && first.0.register().is_some() {
            overwritten = overwritten.or(free_register(second.0, second.1));
        }
        Some(SelectedInstruction::Binary {
            kind,
            first: first.0,
            second: second.0,
            overwritten,
        })
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
            b: b.and_then(Operand::register),
            c,
        }
    }
}

fn free_register(operand: Operand, dies: bool) -> Option<Register> {
    operand.register().filter(|_| dies)
}

/// How suitable an operand is to be overwritten.
fn rank_as_result((operand, dies): PlacedInput) -> u8 {
    match operand {
        Operand::Register(_) if dies => 2,
        Operand::Memory(_) => 1,
        Operand::Register(_) => 0,
    }
}

/// The instruction that computes an operation.
pub(super) enum SelectedInstruction {
    /// The same result for all inputs.
    Constant(bool),
    /// The input itself.
    Same(PlacedInput),
    /// The opposite of the input.
    Not(Operand),
    /// A two-input instruction. The result overwrites the first operand if that is a row.
    Binary {
        kind: Binary,
        first: Operand,
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
            Self::Constant(_) | Self::Not(_) => None,
            Self::Same((operand, dies)) => free_register(operand, dies),
            Self::Binary { overwritten, .. } | Self::Ternary { overwritten, .. } => overwritten,
        }
    }

    /// Writes the code that computes the operation into `to`: the register that it
    /// overwrites, or a free one.
    pub fn emit(&self, assembler: &mut Assembler, to: Register) {
        match *self {
            Self::Constant(false) => assembler.clear(to),
            Self::Constant(true) => assembler.fill(to),
            Self::Same((from, _)) => move_to(assembler, to, from),
            Self::Not(from) => {
                assembler.fill(to);
                assembler.binary(Binary::Xor, to, to, from);
            }
            Self::Binary {
                kind,
                first,
                second,
                ..
            } => assembler.binary_into(kind, to, first, second),
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

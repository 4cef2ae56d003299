//! [`Assembler`]: writes the machine code of a target.

mod address;
mod instruction;
mod opcode;
#[cfg(test)]
mod tests;

use super::operand::{Binary, Memory, Operand, Register};
use super::target::{Encoding, Target};
use address::work_pointers;
use instruction::{Map, VectorInstruction};
use opcode::Opcodes;

/// The target of a backward jump.
pub(super) struct Label(usize);

/// The size of a cache line in bytes, to which functions are aligned.
const LINE: usize = 64;

/// The opcode that compares for equality.
const EQUAL: u8 = 0x76;

/// Writes the functions of the phases one after the other.
///
/// Each takes pointers to the rows of the current state, the computed rows and the rows
/// of the next state, by the System V calling convention.
#[derive(Debug)]
pub(super) struct Assembler {
    bytes: Vec<u8>,
    target: Target,
    opcodes: Opcodes,
}

impl Assembler {
    pub fn new(target: Target) -> Self {
        Self {
            bytes: Vec::new(),
            target,
            opcodes: Opcodes::of(target.encoding),
        }
    }

    /// Begins a function; returns its offset.
    pub fn enter(&mut self) -> usize {
        while !self.bytes.len().is_multiple_of(LINE) {
            self.bytes.push(0xcc);
        }
        let start = self.bytes.len();
        for (to, from, displacement) in work_pointers(self.target) {
            self.lea(to, from, displacement);
        }
        start
    }

    /// Ends a function.
    pub fn leave(&mut self) {
        if self.target.encoding != Encoding::Legacy {
            self.bytes.extend([0xc5, 0xf8, 0x77]); // vzeroupper
        }
        self.bytes.push(0xc3); // ret
    }

    /// The code of all functions.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// `to = from`
    pub fn load(&mut self, to: Register, from: Operand) {
        self.vector(Map::TwoByte, self.opcodes.load, to, 0, from);
    }

    /// `to = from`
    pub fn store(&mut self, to: Memory, from: Register) {
        self.vector(
            Map::TwoByte,
            self.opcodes.store,
            from,
            0,
            Operand::Memory(to),
        );
    }

    /// `to = first ∘ second`; on a destructive target, `to` has to be `first`.
    pub fn binary(&mut self, kind: Binary, to: Register, first: Register, second: Operand) {
        debug_assert!(to == first || !self.target.is_destructive());
        let (first, second) = match second {
            // The shorter prefix of AVX2 has no room for a high register in this place.
            Operand::Register(high)
                if self.target.encoding == Encoding::Vex
                    && kind.is_commutative()
                    && first < high =>
            {
                (high, Operand::Register(first))
            }
            _ => (first, second),
        };
        let opcode = self.opcodes.binary(kind);
        self.vector(Map::TwoByte, opcode, to, first, second);
    }

    /// `to = first ∘ second`; a first operand that the instruction cannot take directly is
    /// first moved to `to`, in which case `to` must not be the second operand.
    pub fn binary_into(&mut self, kind: Binary, to: Register, first: Operand, second: Operand) {
        let first = match first {
            Operand::Register(first) if first == to || !self.target.is_destructive() => first,
            _ => {
                debug_assert!(second != Operand::Register(to));
                self.load(to, first);
                to
            }
        };
        self.binary(kind, to, first, second);
    }

    /// `register = 0`
    pub fn clear(&mut self, register: Register) {
        self.binary(Binary::Xor, register, register, Operand::Register(register));
    }

    /// Sets all lanes of a register.
    pub fn fill(&mut self, register: Register) {
        match self.target.encoding {
            Encoding::Evex => self.ternary(0xff, register, register, Operand::Register(register)),
            Encoding::Legacy | Encoding::Vex => {
                let same = Operand::Register(register);
                self.vector(Map::TwoByte, EQUAL, register, register, same);
            }
        }
    }

    /// `a = truth(a, b, c)`; bit `4a + 2b + c` of `truth` is the result.
    pub fn ternary(&mut self, truth: u8, a: Register, b: Register, c: Operand) {
        debug_assert!(self.target.is_ternary());
        self.vector(Map::ThreeByte3a, 0x25, a, b, c);
        self.bytes.push(truth);
    }

    /// The offset of the next instruction, to jump back to.
    pub fn label(&self) -> Label {
        Label(self.bytes.len())
    }

    /// Jumps back to `label` if any lane is set; `scratch` is overwritten.
    pub fn jump_if_any(&mut self, lanes: Register, scratch: Register, label: &Label) {
        let tested = Operand::Register(lanes);
        match self.target.encoding {
            Encoding::Legacy => {
                self.clear(scratch);
                self.vector(Map::TwoByte, EQUAL, scratch, scratch, tested);
                let unset = Operand::Register(scratch);
                self.vector(Map::TwoByte, 0xd7, 0, 0, unset); // pmovmskb eax, scratch
                self.bytes.extend([0x3d, 0xff, 0xff, 0, 0]); // cmp eax, 0xffff
            }
            Encoding::Vex => self.vector(Map::ThreeByte38, 0x17, lanes, 0, tested), // vptest
            Encoding::Evex => {
                const MASK: Register = 1;
                self.vector(Map::ThreeByte38, 0x27, MASK, lanes, tested); // vptestmq
                self.bytes.extend([0xc5, 0xf8, 0x98, 0xc9]); // kortestw k1, k1
            }
        }
        self.bytes.extend([0x0f, 0x85]); // jnz
        let end = self.bytes.len() + 4;
        let distance = label.0 as i64 - end as i64;
        self.bytes.extend((distance as i32).to_le_bytes());
    }

    /// `to = from + displacement`
    fn lea(&mut self, to: u8, from: u8, displacement: i32) {
        let extended = 0x48 | to >> 3 << 2 | from >> 3;
        self.bytes.extend([extended, 0x8d]);
        self.bytes.push(0b1000_0000 | (to & 7) << 3 | from & 7);
        self.bytes.extend(displacement.to_le_bytes());
    }

    fn vector(&mut self, map: Map, opcode: u8, reg: Register, vvvv: Register, rm: Operand) {
        let instruction = VectorInstruction {
            map,
            opcode,
            reg,
            vvvv,
            rm,
        };
        instruction.write(&mut self.bytes, self.target);
    }
}

//! [`Assembler`]: encodes AVX-512 instructions.
//!
//! The encodings are those of the Intel 64 and IA-32 Architectures Software
//! Developer's Manual, volume 2, section 2.7 (EVEX).

use gdl_runtime::lanes::Width;

/// A vector register, below [`REGISTERS`].
pub(super) type Register = u8;

/// The number of vector registers.
pub(super) const REGISTERS: u8 = 32;

/// A row in one of the arrays passed to a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    /// A fluent of the current state.
    Now(u32),
    /// A computed value.
    Work(u32),
    /// A fluent of the next state.
    Next(u32),
}

/// The last operand of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operand {
    Register(Register),
    Memory(Memory),
}

/// A two-input instruction; its result can go to any register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Binary {
    And = 0xdb,
    /// `!first & second`
    AndNot = 0xdf,
    Or = 0xeb,
    Xor = 0xef,
}

/// The target of a backward jump.
pub(super) struct Label(usize);

/// The opcode maps of the instructions in use.
const MAP_0F: u8 = 1;
const MAP_0F38: u8 = 2;
const MAP_0F3A: u8 = 3;

/// General-purpose registers, by their numbers in instructions.
const RDI: u8 = 7;
const RDX: u8 = 2;

/// The registers that point into the work rows, [`REACH`] rows apart, so that most
/// displacements take one byte instead of four. The first one receives the address of
/// the array as an argument. All are caller-saved.
const WORK: [u8; 7] = [6, 0, 1, 8, 9, 10, 11];

/// The number of rows that one-byte displacements from a register reach.
const REACH: u32 = 256;

/// The size of a cache line in bytes, to which functions are aligned.
const LINE: usize = 64;

/// Writes the functions of the phases one after the other.
///
/// Each takes pointers to the rows of the current state, the computed rows and the rows
/// of the next state, by the System V calling convention.
#[derive(Debug)]
pub(super) struct Assembler {
    bytes: Vec<u8>,
    width: Width,
}

impl Assembler {
    pub fn new(width: Width) -> Self {
        Self {
            bytes: Vec::new(),
            width,
        }
    }

    /// The size of a row in bytes.
    fn row_bytes(&self) -> i32 {
        self.width.lanes() as i32 / 8
    }

    /// The vector length as it stands in the prefix: 1 for 256 bits, 2 for 512.
    fn length_prefix(&self) -> u8 {
        (self.width.lanes() / 256) as u8 * 0b010_0000
    }

    /// Begins a function; returns its offset.
    pub fn enter(&mut self) -> usize {
        while !self.bytes.len().is_multiple_of(LINE) {
            self.bytes.push(0xcc);
        }
        let start = self.bytes.len();
        for (index, &register) in WORK.iter().enumerate().rev() {
            self.lea(register, WORK[0], middle(index) * self.row_bytes());
        }
        start
    }

    /// Ends a function.
    pub fn leave(&mut self) {
        self.bytes.extend([0xc5, 0xf8, 0x77]); // vzeroupper
        self.bytes.push(0xc3); // ret
    }

    /// The code of all functions.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// `to = from`
    pub fn load(&mut self, to: Register, from: Operand) {
        self.vector(MAP_0F, 0x6f, to, 0, from);
    }

    /// `to = from`
    pub fn store(&mut self, to: Memory, from: Register) {
        self.vector(MAP_0F, 0x7f, from, 0, Operand::Memory(to));
    }

    /// `to = first ∘ second`
    pub fn binary(&mut self, kind: Binary, to: Register, first: Register, second: Operand) {
        self.vector(MAP_0F, kind as u8, to, first, second);
    }

    /// `register = 0`
    pub fn clear(&mut self, register: Register) {
        self.binary(Binary::Xor, register, register, Operand::Register(register));
    }

    /// `a = truth(a, b, c)`; bit `4a + 2b + c` of `truth` is the result.
    pub fn ternary(&mut self, truth: u8, a: Register, b: Register, c: Operand) {
        self.vector(MAP_0F3A, 0x25, a, b, c);
        self.bytes.push(truth);
    }

    /// The offset of the next instruction, to jump back to.
    pub fn label(&self) -> Label {
        Label(self.bytes.len())
    }

    /// Jumps back to `label` if any lane is set.
    pub fn jump_if_any(&mut self, lanes: Register, label: &Label) {
        const MASK: Register = 1;
        self.vector(MAP_0F38, 0x27, MASK, lanes, Operand::Register(lanes)); // vptestmq
        self.bytes.extend([0xc5, 0xf8, 0x98, 0xc9]); // kortestw k1, k1
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

    /// An instruction on vectors of 64-bit elements, with prefix 66.
    fn vector(&mut self, map: u8, opcode: u8, reg: Register, vvvv: Register, rm: Operand) {
        // The prefix holds bits of register numbers inverted.
        let inverted = |number: u8, bit: u8, at: u8| (!number >> bit & 1) << at;
        let (b, x) = match rm {
            Operand::Register(rm) => (inverted(rm, 3, 5), inverted(rm, 4, 6)),
            Operand::Memory(memory) => (inverted(base(memory).0, 3, 5), 1 << 6),
        };
        let p0 = inverted(reg, 3, 7) | x | b | inverted(reg, 4, 4) | map;
        let p1 = 0x80 | (!vvvv & 0xf) << 3 | 0b101;
        let p2 = self.length_prefix() | inverted(vvvv, 4, 3);
        self.bytes.extend([0x62, p0, p1, p2, opcode]);
        match rm {
            Operand::Register(rm) => self.bytes.push(0b1100_0000 | (reg & 7) << 3 | rm & 7),
            Operand::Memory(memory) => self.address(reg, memory),
        }
    }

    /// Writes the operand bytes of a row. One-byte displacements count in rows.
    fn address(&mut self, reg: Register, memory: Memory) {
        let (base, rows) = base(memory);
        let fields = (reg & 7) << 3 | base & 7;
        match i8::try_from(rows) {
            Ok(rows) => self.bytes.extend([0b0100_0000 | fields, rows as u8]),
            Err(_) => {
                self.bytes.push(0b1000_0000 | fields);
                self.bytes.extend((rows * self.row_bytes()).to_le_bytes());
            }
        }
    }
}

/// The work row that a register of [`WORK`] points to.
fn middle(index: usize) -> i32 {
    index as i32 * REACH as i32 + REACH as i32 / 2
}

/// The register from which a row is addressed, and its displacement in rows.
fn base(memory: Memory) -> (u8, i32) {
    match memory {
        Memory::Now(row) => (RDI, row as i32),
        Memory::Next(row) => (RDX, row as i32),
        Memory::Work(row) => {
            let index = ((row / REACH) as usize).min(WORK.len() - 1);
            (WORK[index], row as i32 - middle(index))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `write` writes at 512 lanes, in hexadecimal.
    fn bytes(write: impl FnOnce(&mut Assembler)) -> String {
        written(Width::W512, write)
    }

    fn written(width: Width, write: impl FnOnce(&mut Assembler)) -> String {
        let mut assembler = Assembler::new(width);
        write(&mut assembler);
        let bytes = assembler.finish();
        let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        bytes.join(" ")
    }

    /// The expected bytes come from an independent assembler, GNU as.
    #[test]
    fn instructions_are_those_of_other_assemblers() {
        let registers = bytes(|a| a.ternary(0xca, 1, 17, Operand::Register(30)));
        assert_eq!(registers, "62 93 f5 40 25 ce ca");
        let near = bytes(|a| a.ternary(0xca, 9, 2, Operand::Memory(Memory::Now(5))));
        assert_eq!(near, "62 73 ed 48 25 4f 05 ca");
        let far = bytes(|a| a.load(31, Operand::Memory(Memory::Now(128))));
        assert_eq!(far, "62 61 fd 48 6f bf 00 20 00 00");
        let work = bytes(|a| a.load(8, Operand::Memory(Memory::Work(3 * 256))));
        assert_eq!(work, "62 51 fd 48 6f 40 80");
        let beyond = bytes(|a| a.load(8, Operand::Memory(Memory::Work(7 * 256 + 128))));
        assert_eq!(beyond, "62 51 fd 48 6f 83 00 40 00 00");
        let narrow = Operand::Memory(Memory::Now(5));
        let narrow = written(Width::W256, |a| a.ternary(0xca, 9, 2, narrow));
        assert_eq!(narrow, "62 73 ed 28 25 4f 05 ca");
        let store = bytes(|a| a.store(Memory::Next(127), 16));
        assert_eq!(store, "62 e1 fd 48 7f 42 7f");
        let binary = bytes(|a| a.binary(Binary::AndNot, 3, 20, Operand::Register(12)));
        assert_eq!(binary, "62 d1 dd 40 df dc");
        let lea = bytes(|a| a.lea(9, 6, 0x4000));
        assert_eq!(lea, "4c 8d 8e 00 40 00 00");
        let test = bytes(|a| {
            let label = a.label();
            a.jump_if_any(31, &label);
        });
        assert_eq!(test, "62 92 85 40 27 cf c5 f8 98 c9 0f 85 f0 ff ff ff");
    }
}

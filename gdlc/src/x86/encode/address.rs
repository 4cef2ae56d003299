//! Operand bytes: where a row is.

use crate::x86::operand::{Memory, Operand, Register};
use crate::x86::target::{Encoding, Target};

/// General-purpose registers, by their numbers in instructions.
const RDI: u8 = 7;
const RDX: u8 = 2;

/// The registers that point into the work rows where displacements of one byte count in
/// rows: [`REACH`] rows apart, so that most displacements take one byte instead of four.
/// The first one receives the address of the array as an argument. All are caller-saved.
const WORK: [u8; 7] = [6, 0, 1, 8, 9, 10, 11];

/// The number of rows that one-byte displacements from a register reach.
const REACH: u32 = 256;

/// The registers that a function sets at its beginning, in order: each with the register
/// and the displacement in bytes from which it is computed.
pub fn work_pointers(target: Target) -> impl Iterator<Item = (u8, u8, i32)> {
    let pointers = match target.encoding {
        Encoding::Evex => &WORK[..],
        Encoding::Legacy | Encoding::Vex => &[],
    };
    let pointers = pointers.iter().enumerate().rev();
    pointers.map(move |(index, &to)| (to, WORK[0], middle(index) * target.row_bytes as i32))
}

/// The general-purpose register from which a row is addressed.
pub fn base(target: Target, memory: Memory) -> u8 {
    locate(target, memory).0
}

/// Writes the operand bytes of an instruction, the ModRM byte first.
pub fn write_operands(bytes: &mut Vec<u8>, target: Target, reg: Register, rm: Operand) {
    let memory = match rm {
        Operand::Register(rm) => return bytes.push(0b1100_0000 | (reg & 7) << 3 | rm & 7),
        Operand::Memory(memory) => memory,
    };
    let (base, rows) = locate(target, memory);
    let fields = (reg & 7) << 3 | base & 7;
    let displacement = rows * target.row_bytes as i32;
    let short = match target.encoding {
        Encoding::Evex => rows,
        Encoding::Legacy | Encoding::Vex => displacement,
    };
    match i8::try_from(short) {
        Ok(short) => bytes.extend([0b0100_0000 | fields, short as u8]),
        Err(_) => {
            bytes.push(0b1000_0000 | fields);
            bytes.extend(displacement.to_le_bytes());
        }
    }
}

/// The work row that a register of [`WORK`] points to.
fn middle(index: usize) -> i32 {
    index as i32 * REACH as i32 + REACH as i32 / 2
}

/// The register from which a row is addressed, and its displacement in rows.
fn locate(target: Target, memory: Memory) -> (u8, i32) {
    match memory {
        Memory::Now(row) => (RDI, row as i32),
        Memory::Next(row) => (RDX, row as i32),
        Memory::Work(row) if target.encoding == Encoding::Evex => {
            let index = ((row / REACH) as usize).min(WORK.len() - 1);
            (WORK[index], row as i32 - middle(index))
        }
        Memory::Work(row) => (WORK[0], row as i32),
    }
}

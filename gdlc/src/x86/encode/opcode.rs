//! Opcodes of the instructions that all encodings share.

use crate::x86::operand::Binary;
use crate::x86::target::Encoding;

/// The opcodes of moves and of operations on two inputs.
///
/// For SSE2, they are those of the single-precision instructions, which do the same and
/// have no prefix: code made of integer instructions is a fifth longer, and that of
/// large games no longer fits the first-level cache.
#[derive(Debug)]
pub struct Opcodes {
    pub load: u8,
    pub store: u8,
    and: u8,
    and_not: u8,
    or: u8,
    xor: u8,
}

impl Opcodes {
    pub fn of(encoding: Encoding) -> Self {
        match encoding {
            Encoding::Legacy => Self {
                load: 0x28,
                store: 0x29,
                and: 0x54,
                and_not: 0x55,
                or: 0x56,
                xor: 0x57,
            },
            Encoding::Vex | Encoding::Evex => Self {
                load: 0x6f,
                store: 0x7f,
                and: 0xdb,
                and_not: 0xdf,
                or: 0xeb,
                xor: 0xef,
            },
        }
    }

    pub fn binary(&self, kind: Binary) -> u8 {
        match kind {
            Binary::And => self.and,
            Binary::AndNot => self.and_not,
            Binary::Or => self.or,
            Binary::Xor => self.xor,
        }
    }
}

/// Whether an SSE2 instruction has the prefix 66: those for integers have it.
pub fn has_prefix(opcode: u8) -> bool {
    opcode >= 0x60
}

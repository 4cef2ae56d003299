//! [`VectorInstruction`]: an instruction on vectors, and its bytes in each encoding.
//!
//! The encodings are those of the Intel 64 and IA-32 Architectures Software
//! Developer's Manual, volume 2, sections 2.1 (legacy), 2.3 (VEX) and 2.7 (EVEX).

use super::address::{base, write_operands};
use super::opcode::has_prefix;
use crate::x86::operand::{Operand, Register};
use crate::x86::target::{Encoding, Target};

/// The maps of opcodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Map {
    TwoByte = 1,
    ThreeByte38 = 2,
    ThreeByte3a = 3,
}

/// An instruction on vectors of integers, 64-bit ones where the element size matters; SSE2
/// also has shorter ones for single-precision numbers.
#[derive(Debug, Clone, Copy)]
pub struct VectorInstruction {
    pub map: Map,
    pub opcode: u8,
    pub reg: Register,
    /// The register that the encodings of AVX have in addition; 0 if it is not used.
    pub vvvv: Register,
    pub rm: Operand,
}

impl VectorInstruction {
    /// Appends the bytes of the instruction.
    pub fn write(&self, bytes: &mut Vec<u8>, target: Target) {
        match target.encoding {
            Encoding::Legacy => self.write_legacy_prefixes(bytes, target),
            Encoding::Vex => self.write_vex_prefix(bytes, target),
            Encoding::Evex => self.write_evex_prefix(bytes, target),
        }
        bytes.push(self.opcode);
        write_operands(bytes, target, self.reg, self.rm);
    }

    fn write_legacy_prefixes(&self, bytes: &mut Vec<u8>, target: Target) {
        if has_prefix(self.opcode) {
            bytes.push(0x66);
        }
        let extended = self.reg >> 3 << 2 | self.rm_number(target) >> 3;
        if extended != 0 {
            bytes.push(0x40 | extended);
        }
        bytes.push(0x0f);
    }

    /// The prefix of two bytes, where it has room for everything, else that of three.
    fn write_vex_prefix(&self, bytes: &mut Vec<u8>, target: Target) {
        let rm = self.rm_number(target);
        let rest = (!self.vvvv & 0xf) << 3 | 0b101;
        if self.map == Map::TwoByte && rm < 8 {
            bytes.extend([0xc5, inverted(self.reg, 3, 7) | rest]);
        } else {
            let extended = inverted(self.reg, 3, 7) | 1 << 6 | inverted(rm, 3, 5);
            bytes.extend([0xc4, extended | self.map as u8, rest]);
        }
    }

    fn write_evex_prefix(&self, bytes: &mut Vec<u8>, target: Target) {
        let rm = self.rm_number(target);
        let p0 = inverted(self.reg, 3, 7)
            | inverted(rm, 4, 6)
            | inverted(rm, 3, 5)
            | inverted(self.reg, 4, 4)
            | self.map as u8;
        let p1 = 0x80 | (!self.vvvv & 0xf) << 3 | 0b101;
        // The vector length: 1 for 256 bits, 2 for 512.
        let length = (target.row_bytes / 32) as u8 * 0b010_0000;
        bytes.extend([0x62, p0, p1, length | inverted(self.vvvv, 4, 3)]);
    }

    /// The number of the last operand's register: of a vector, or of a pointer to it.
    fn rm_number(&self, target: Target) -> u8 {
        match self.rm {
            Operand::Register(register) => register,
            Operand::Memory(memory) => base(target, memory),
        }
    }
}

/// A bit of a register number as prefixes hold it: inverted, at a place.
fn inverted(number: u8, bit: u8, at: u8) -> u8 {
    (!number >> bit & 1) << at
}

//! [`Target`]: the instructions and registers that code is written for.

use super::operand::Register;
use crate::plan::Arity;
use gdl_runtime::lanes::Width;

/// How instructions are encoded, which decides what they can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// SSE2: two operands, the first of which takes the result.
    Legacy,
    /// AVX2: the result has an operand of its own.
    Vex,
    /// AVX-512: as AVX2, and any function of three inputs.
    Evex,
}

/// The instructions and registers that code is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    pub encoding: Encoding,
    /// The size of a row in bytes.
    pub row_bytes: u32,
}

impl Target {
    /// The target for plans whose operations have this many inputs, at this width.
    pub fn of(arity: Arity, width: Width) -> Option<Self> {
        let encoding = match (arity, width) {
            (Arity::Two, Width::W128) => Encoding::Legacy,
            (Arity::Two, Width::W256) => Encoding::Vex,
            (Arity::Three, Width::W256 | Width::W512) => Encoding::Evex,
            _ => return None,
        };
        Some(Self {
            encoding,
            row_bytes: width.lanes() as u32 / 8,
        })
    }

    /// The number of vector registers.
    pub fn registers(self) -> Register {
        match self.encoding {
            Encoding::Legacy | Encoding::Vex => 16,
            Encoding::Evex => 32,
        }
    }

    /// Whether there is an instruction for every function of three inputs.
    pub fn is_ternary(self) -> bool {
        self.encoding == Encoding::Evex
    }

    /// Whether the result of a two-input instruction overwrites its first operand.
    pub fn is_destructive(self) -> bool {
        self.encoding == Encoding::Legacy
    }
}

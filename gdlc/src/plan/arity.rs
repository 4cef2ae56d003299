//! [`Arity`]: how many inputs the operations of a plan may have.

use gdl_runtime::lanes::{CpuLevel, Width};

/// How many inputs the operations of a plan may have: it depends on what the processor
/// computes in one instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arity {
    /// Conjunctions, disjunctions and exclusive ors of two inputs, one of which may be
    /// negated.
    Two,
    /// Any function of three inputs, as AVX-512 and tables compute them.
    #[default]
    Three,
}

impl Arity {
    /// What suits words of this width on processors of this level.
    #[must_use]
    pub fn of(level: CpuLevel, width: Width) -> Self {
        match (level, width) {
            (CpuLevel::Avx512, Width::W256 | Width::W512) => Self::Three,
            (_, Width::W128 | Width::W256) => Self::Two,
            _ => Self::Three,
        }
    }

    /// The most inputs of an operation.
    #[must_use]
    pub const fn inputs(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Three => 3,
        }
    }

    /// What an operation of this many inputs costs, in the same unit for all. Where one of three
    /// inputs is a single instruction, one of two is slightly better: it overwrites none of its
    /// inputs, and some processors start twice as many in a cycle.
    #[must_use]
    pub const fn cost(self, inputs: usize) -> u32 {
        match (self, inputs) {
            (_, 0 | 1) => 0,
            (Self::Three, 3..) => 9,
            _ => 8,
        }
    }
}

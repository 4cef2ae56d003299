//! What instructions compute, and on what.

/// A vector register.
pub(super) type Register = u8;

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

impl Operand {
    /// The register, if it is one.
    pub fn register(self) -> Option<Register> {
        match self {
            Self::Register(register) => Some(register),
            Self::Memory(_) => None,
        }
    }
}

/// A two-input instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    And,
    /// `!first & second`
    AndNot,
    Or,
    Xor,
}

impl Binary {
    /// Whether its operands can change places.
    pub fn is_commutative(self) -> bool {
        self != Self::AndNot
    }
}

//! [`Width`]: the kinds of words by which a machine can be chosen at run time.

use super::CpuLevel;
use std::fmt;

/// The lane widths, and the instructions that the words of each use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// 64 lanes in a general-purpose register: available everywhere.
    W64,
    /// 128 lanes in two numbers, which compilers turn into the vector instructions that
    /// every processor of the architecture has: available everywhere.
    Portable128,
    /// 256 lanes in four numbers: available everywhere.
    Portable256,
    /// 128 lanes: SSE2.
    W128,
    /// 256 lanes: AVX2.
    W256,
    /// 512 lanes: AVX-512.
    W512,
}

impl Width {
    /// All widths; those of one level stand together, narrowest first.
    pub const ALL: [Self; 6] = [
        Self::W64,
        Self::Portable128,
        Self::Portable256,
        Self::W128,
        Self::W256,
        Self::W512,
    ];

    /// The widths that a game is compiled for once and for all. On architectures other than
    /// x86-64, portable words stand in for those that do not exist there. Each width takes
    /// rustc as long as the others, so the narrowest vectors, those of the oldest processors,
    /// are left to the net engine.
    pub const COMPILED: [Self; 3] = [Self::W64, Self::W256, Self::W512];

    /// The number of lanes.
    #[must_use]
    pub const fn lanes(self) -> usize {
        match self {
            Self::W64 => 64,
            Self::W128 | Self::Portable128 => 128,
            Self::W256 | Self::Portable256 => 256,
            Self::W512 => 512,
        }
    }

    /// The lowest level that has the words.
    #[must_use]
    pub const fn level(self) -> CpuLevel {
        match self {
            Self::W64 | Self::Portable128 | Self::Portable256 => CpuLevel::Portable,
            Self::W128 => CpuLevel::Sse2,
            Self::W256 => CpuLevel::Avx2,
            Self::W512 => CpuLevel::Avx512,
        }
    }

    /// Whether this processor has the instructions, and [`CpuLevel::GDL_CPU`] allows them.
    #[must_use]
    pub fn available(self) -> bool {
        self.level().available()
    }

    /// The next narrower width that needs no instructions beyond those of this one.
    #[must_use]
    pub const fn narrower(self) -> Option<Self> {
        match self {
            Self::W512 => Some(Self::W256),
            Self::W256 => Some(Self::W128),
            Self::Portable256 => Some(Self::Portable128),
            Self::W128 | Self::Portable128 => Some(Self::W64),
            Self::W64 => None,
        }
    }

    /// The widest width at the level of this processor.
    #[must_use]
    pub fn widest() -> Self {
        CpuLevel::of_processor().widest()
    }
}

impl CpuLevel {
    /// The widest width that the level has instructions for.
    #[must_use]
    pub const fn widest(self) -> Width {
        match self {
            Self::Portable => Width::Portable256,
            Self::Sse2 => Width::W128,
            Self::Avx2 => Width::W256,
            Self::Avx512 => Width::W512,
        }
    }

    /// The widest width that is worth compiling native code for. Compilers do not turn
    /// straight-line code on portable words into vector instructions: wider ones would
    /// only take longer to compile.
    #[must_use]
    pub const fn widest_compiled(self) -> Width {
        match self {
            Self::Portable => Width::W64,
            Self::Sse2 | Self::Avx2 | Self::Avx512 => self.widest(),
        }
    }

    /// The widths of the level, widest first.
    pub fn widths(self) -> impl Iterator<Item = Width> {
        std::iter::successors(Some(self.widest()), |width| width.narrower())
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.lanes())
    }
}

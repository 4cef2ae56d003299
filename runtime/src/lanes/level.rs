//! [`CpuLevel`]: which of a processor's instructions are used.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// Which of a processor's instructions are used; each level includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CpuLevel {
    /// Whatever compilers make of portable code; no code from our own assembler.
    Portable,
    /// SSE2, which every x86-64 processor has: 128 lanes.
    Sse2,
    /// AVX2: 256 lanes. Bits are counted and found by POPCNT, LZCNT, BMI1 and BMI2, which all
    /// processors with AVX2 have.
    Avx2,
    /// AVX-512F and AVX-512VL: 512 lanes.
    Avx512,
}

/// Why a level cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnusableLevel {
    /// There is no such level.
    Unknown(String),
    /// This processor lacks the instructions; it has those of the second level.
    Unsupported(CpuLevel, CpuLevel),
}

impl CpuLevel {
    /// All levels, from the least to the most instructions.
    pub const ALL: [Self; 4] = [Self::Portable, Self::Sse2, Self::Avx2, Self::Avx512];

    /// The environment variable that holds the name of the highest level to be used,
    /// whatever else the processor supports.
    pub const GDL_CPU: &str = "GDL_CPU";

    /// The highest level that this processor supports and [`CpuLevel::GDL_CPU`] allows,
    /// determined once. A variable that holds no usable level counts as absent:
    /// [`CpuLevel::from_environment`] tells why.
    #[must_use]
    pub fn of_processor() -> Self {
        static LEVEL: LazyLock<CpuLevel> =
            LazyLock::new(|| CpuLevel::from_environment().unwrap_or_else(|_| CpuLevel::detect()));
        *LEVEL
    }

    /// The level that [`CpuLevel::GDL_CPU`] names; where it is not set, the highest one that
    /// this processor supports.
    ///
    /// # Errors
    /// If it names no level, or one that this processor does not support.
    pub fn from_environment() -> Result<Self, UnusableLevel> {
        let supported = CpuLevel::detect();
        let Some(name) = std::env::var_os(Self::GDL_CPU) else {
            return Ok(supported);
        };
        let level: Self = name.to_string_lossy().parse()?;
        if level > supported {
            return Err(UnusableLevel::Unsupported(level, supported));
        }
        Ok(level)
    }

    /// Whether this processor supports the level, and [`CpuLevel::GDL_CPU`] allows it.
    #[must_use]
    pub fn available(self) -> bool {
        self <= Self::of_processor()
    }

    /// The name by which users choose the level.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Sse2 => "sse2",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// The highest level that this processor supports.
    #[cfg(target_arch = "x86_64")]
    fn detect() -> Self {
        let has_bits = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        if !has_bits || !is_x86_feature_detected!("avx2") {
            Self::Sse2
        } else if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
            Self::Avx512
        } else {
            Self::Avx2
        }
    }

    /// The highest level that this processor supports.
    #[cfg(not(target_arch = "x86_64"))]
    fn detect() -> Self {
        Self::Portable
    }
}

impl fmt::Display for CpuLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CpuLevel {
    type Err = UnusableLevel;

    fn from_str(name: &str) -> Result<Self, UnusableLevel> {
        let mut levels = Self::ALL.into_iter();
        let level = levels.find(|level| level.name() == name);
        level.ok_or_else(|| UnusableLevel::Unknown(name.to_owned()))
    }
}

impl fmt::Display for UnusableLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let supported = match self {
            Self::Unknown(name) => {
                write!(f, "there is no processor level \"{name}\"")?;
                CpuLevel::detect()
            }
            Self::Unsupported(level, supported) => {
                write!(
                    f,
                    "this processor lacks the instructions of the level {level}"
                )?;
                *supported
            }
        };
        let usable = CpuLevel::ALL
            .into_iter()
            .filter(|&level| level <= supported);
        let names: Vec<&str> = usable.map(CpuLevel::name).collect();
        write!(f, "; this processor supports {}", names.join(", "))
    }
}

impl std::error::Error for UnusableLevel {}

//! What a machine runs: the phases of a step, whoever provides them.

/// The parts of a step, in order. `Goals` and `Legal` may be left out: nothing
/// else depends on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Bases to `terminal`.
    Terminal,
    /// Bases and what `Terminal` computed to the goal rows.
    Goals,
    /// Bases and what `Terminal` computed to the legal rows.
    Legal,
    /// Bases and what `Terminal` computed to the counts of the choices.
    Count,
    /// Bases, what `Terminal` and `Count` computed and the ranks drawn to the
    /// next bases.
    Next,
}

impl Phase {
    /// All phases in order.
    pub const ALL: [Self; 5] = [
        Self::Terminal,
        Self::Goals,
        Self::Legal,
        Self::Count,
        Self::Next,
    ];
}

/// A machine's memory.
#[derive(Clone)]
pub struct Rows<W> {
    /// The fluents of the state that each lane is in.
    pub now: Box<[W]>,
    /// Computed values.
    pub work: Box<[W]>,
    /// The fluents of the state that follows.
    pub next: Box<[W]>,
}

/// The logic of one game at one lane width. It compiles its own code for the
/// width's instructions: whoever calls it may not have them enabled.
pub trait Program<W>: Send + Sync {
    /// Runs one phase.
    fn run(&self, phase: Phase, rows: &mut Rows<W>);
}

//! What a machine runs: the phases of a step, for any implementation.

/// The phases of a step, in order. `Goals` and `Legal` may be skipped: no other phase
/// depends on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// From fluents to `terminal`.
    Terminal,
    /// From fluents and the results of `Terminal` to the goal rows.
    Goals,
    /// From fluents and the results of `Terminal` to the legal rows.
    Legal,
    /// From fluents and the results of `Terminal` to the counts of the choices.
    Count,
    /// From fluents, the results of `Terminal` and `Count`, and the ranks drawn to the
    /// next fluents. After a terminal state, these are the fluents of the initial state.
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

/// The logic of one game at one lane width. Implementations compile their own code
/// for the width's instructions, since callers may not have them enabled.
pub trait StepProgram<W>: Send + Sync {
    /// Runs one phase.
    fn run(&self, phase: Phase, rows: &mut Rows<W>);
}

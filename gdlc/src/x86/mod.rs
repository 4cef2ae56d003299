//! Machine code: a plan as x86-64 vector instructions, without a compiler.
//!
//! Input: a [`Plan`]. Output: [`Code`], one function per phase. rustc takes a
//! millisecond per operation; this takes less than a microsecond, since there is
//! nothing left to optimise: an operation is one instruction, and the only question
//! is which values are kept in registers (`allocate`). `target` describes the
//! instructions and registers of a level, `select` chooses the instruction of an
//! operation and `encode` writes it.

mod allocate;
mod encode;
mod operand;
mod select;
mod target;
mod values;

use crate::plan::store::{Chunks, Policy, Storage};
use crate::plan::{Phase, Plan, PlanStep, layout};
use allocate::Allocator;
use gdl_runtime::lanes::Width;
use gdl_runtime::layout::Layout;
use target::Target;

/// Rows are addressed with 31 bits of bytes.
const MOST_ROWS: u32 = 1 << 24;

/// A plan's phases as machine code.
#[derive(Debug)]
pub struct Code {
    /// The instructions, which are position-independent.
    pub bytes: Vec<u8>,
    /// Where the functions of the phases begin, in the order of [`Phase::ALL`].
    /// They follow the System V calling convention and take pointers to the rows of
    /// the current state, the computed rows and the rows of the next state, aligned to
    /// their size.
    pub entries: [usize; 5],
    /// What the rows mean; they include the spill slots.
    pub layout: Layout,
}

/// Assembles a plan: one of two-input operations for 128 lanes of SSE2 or 256 of AVX2, one
/// of three-input operations for 256 (AVX-512F and AVX-512VL) or 512 lanes (AVX-512F).
/// `None` for other widths, and if the plan has more rows than can be addressed.
#[must_use]
pub fn assemble(name: &str, plan: &Plan, width: Width) -> Option<Code> {
    let target = Target::of(plan.arity, width)?;
    let chunks = split_at_loops(plan);
    let mut storage = Storage::find(plan, &chunks, Policy::LiveAcross);
    let mut allocator = Allocator::new(plan, &storage, target);
    let entries = Phase::ALL.map(|phase| {
        let entry = allocator.enter(phase);
        for chunk in &chunks[phase as usize] {
            match &chunk[..] {
                [PlanStep::Loop { atoms, body }] => allocator.fixpoint(atoms, body),
                steps => allocator.straight(steps),
            }
        }
        allocator.leave();
        entry
    });
    let (bytes, rows) = allocator.finish();
    storage.rows = rows;
    (rows <= MOST_ROWS && plan.bases.len() <= MOST_ROWS as usize).then_some(Code {
        bytes,
        entries,
        layout: layout(name, plan, &storage),
    })
}

/// Makes each loop a chunk, and also whatever is between two loops.
fn split_at_loops(plan: &Plan) -> Chunks {
    let is_loop = |step: &PlanStep| matches!(step, PlanStep::Loop { .. });
    plan.phases.clone().map(|steps| {
        steps
            .chunk_by(|one, other| !is_loop(one) && !is_loop(other))
            .map(<[PlanStep]>::to_vec)
            .collect()
    })
}

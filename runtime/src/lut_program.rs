//! [`LutProgram`]: a game's logic as lookup tables, interpreted.
//!
//! A jump per operation would be mispredicted most of the time, so operations
//! are grouped into runs of one truth table each: one jump per run, then a loop
//! without branches.

use crate::lanes::{Word, kernel};
use crate::program::{Phase, Rows, StepProgram};
use crate::programs::Programs;

/// `rows[to] = table(rows[a], rows[b], rows[c])`, in work rows. The first work rows
/// hold the fluents of the current state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// First operand.
    pub a: u32,
    /// Second operand.
    pub b: u32,
    /// Third operand.
    pub c: u32,
    /// The row that receives the result.
    pub to: u32,
}

/// A part of a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LutStep {
    /// Operations of one truth table, in order.
    Run {
        /// The truth table, as [`Word::lut3`] takes it, with its inputs in the order
        /// that makes it the smallest number.
        truth: u8,
        /// The operations.
        operations: Box<[Operation]>,
    },
    /// A least fixpoint: the loop rows start empty, and the body computes new values
    /// from them until nothing changes.
    Loop {
        /// Computes the new values.
        body: Vec<LutStep>,
        /// Pairs of a loop row and the row that holds its new value.
        rows: Vec<(u32, u32)>,
    },
}

/// A game's logic as lookup tables.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LutProgram {
    /// The steps of every phase, in the order of [`Phase::ALL`].
    pub phases: [Vec<LutStep>; 5],
    /// For every fluent, the work row that holds its next value.
    pub next: Vec<u32>,
}

impl LutProgram {
    /// The same program at every width.
    #[must_use]
    pub fn programs(self) -> Programs {
        Programs::of(self)
    }
}

impl<W: Word> StepProgram<W> for LutProgram {
    fn run(&self, phase: Phase, rows: &mut Rows<W>) {
        if let Some(&proof) = rows.work.first() {
            run_phase(proof, self, phase, rows);
        }
    }
}

kernel! {
    fn run_phase<'a, W>(program: &'a LutProgram, phase: Phase, rows: &'a mut Rows<W>) {
        // The first phase of a step: those after it find the fluents there.
        if phase == Phase::Terminal {
            rows.work[..rows.now.len()].copy_from_slice(&rows.now);
        }
        run_steps(&program.phases[phase as usize], &mut rows.work);
        if phase == Phase::Next {
            for (next, &row) in rows.next.iter_mut().zip(&program.next) {
                *next = rows.work[row as usize];
            }
        }
    }
}

#[inline(always)]
fn run_steps<W: Word>(steps: &[LutStep], work: &mut [W]) {
    for step in steps {
        match step {
            LutStep::Run { truth, operations } => run_operations(*truth, operations, work),
            LutStep::Loop { body, rows } => run_loop(body, rows, work),
        }
    }
}

#[inline(always)]
fn run_loop<W: Word>(body: &[LutStep], rows: &[(u32, u32)], work: &mut [W]) {
    for &(row, _) in rows {
        let row = &mut work[row as usize];
        *row = row.xor(*row);
    }
    loop {
        for step in body {
            // Loops do not nest: a stratum's recursion is one loop.
            if let LutStep::Run { truth, operations } = step {
                run_operations(*truth, operations, work);
            }
        }
        let mut changed = false;
        for &(row, new) in rows {
            let new = work[new as usize];
            changed |= !new.xor(work[row as usize]).is_zero();
            work[row as usize] = new;
        }
        if !changed {
            return;
        }
    }
}

/// Runs operations of one truth table, in a function that is not inlined: the loops
/// of all tables are large.
fn run_operations<W: Word>(truth: u8, operations: &[Operation], work: &mut [W]) {
    dispatch_operations(work[0], truth, operations, work);
}

macro_rules! dispatch {
    ($truth:expr, $operations:expr, $work:expr; $($table:literal)*) => {
        match $truth {
            $($table => run_lut::<W, $table>($operations, $work),)*
            other => unreachable!("truth table {other} is not in its canonical order of inputs"),
        }
    };
}

kernel! {
    /// Runs operations of one truth table: one loop for each table that is the
    /// smallest number among those that differ from it in the order of inputs only.
    fn dispatch_operations<'a, W>(truth: u8, operations: &'a [Operation], work: &'a mut [W]) {
        dispatch!(truth, operations, work;
            0 1 2 3 6 7 8 9 10 11 14 15 22 23 24 25 26 27 30 31 40 41 42 43 44 45 46 47 60
            61 62 63 104 105 106 107 110 111 126 127 128 129 130 131 134 135 136 137 138 139
            142 143 150 151 152 153 154 155 158 159 168 169 170 171 172 173 174 175 188 189
            190 191 232 233 234 235 238 239 254 255
        );
    }
}

#[inline(always)]
fn run_lut<W: Word, const TRUTH: i32>(operations: &[Operation], work: &mut [W]) {
    for operation in operations {
        work[operation.to as usize] = W::lut3::<TRUTH>(
            work[operation.a as usize],
            work[operation.b as usize],
            work[operation.c as usize],
        );
    }
}

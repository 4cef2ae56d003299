//! [`Tables`]: a game's logic as data, run without a compiler.
//!
//! A jump per operation would be mispredicted most of the time, so operations
//! come in runs of one truth table each: one jump a run, then a loop without
//! branches.

use crate::lane_engine::Programs;
use crate::lanes::{Kernel, Word};
use crate::program::{Phase, Program, Rows};

/// `rows[to] = table(rows[a], rows[b], rows[c])`, in work rows. The fluents of
/// the current state stand in the first work rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// First operand.
    pub a: u32,
    /// Second operand.
    pub b: u32,
    /// Third operand.
    pub c: u32,
    /// Where the result goes.
    pub to: u32,
}

/// A part of a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Operations of one truth table, in order.
    Run {
        /// The table, as [`Word::lut3`] takes it, with its inputs in the order
        /// that makes it the smallest number.
        truth: u8,
        /// The operations.
        operations: Box<[Operation]>,
    },
    /// A least fixpoint: the loop rows start empty, the body computes better
    /// ones from them, until nothing changes.
    Loop {
        /// Computes the new values.
        body: Vec<Step>,
        /// Pairs of a loop row and the row of its new value.
        rows: Vec<(u32, u32)>,
    },
}

/// A game's logic as data.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tables {
    /// The steps of every phase, in the order of [`Phase::ALL`].
    pub phases: [Vec<Step>; 5],
    /// For every fluent the work row that holds its next value.
    pub next: Vec<u32>,
}

impl Tables {
    /// The same tables at every width.
    #[must_use]
    pub fn programs(self) -> Programs {
        Programs::of(self)
    }
}

impl<W: Word> Program<W> for Tables {
    fn run(&self, phase: Phase, rows: &mut Rows<W>) {
        if let Some(&proof) = rows.work.first() {
            W::run(
                RunPhase {
                    tables: self,
                    phase,
                    rows,
                },
                proof,
            );
        }
    }
}

struct RunPhase<'a, W> {
    tables: &'a Tables,
    phase: Phase,
    rows: &'a mut Rows<W>,
}

impl<W: Word> Kernel for RunPhase<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self {
            tables,
            phase,
            rows,
        } = self;
        // Between these two phases finished lanes may have been restarted.
        if matches!(phase, Phase::Terminal | Phase::Count) {
            rows.work[..rows.now.len()].copy_from_slice(&rows.now);
        }
        run_steps(&tables.phases[phase as usize], &mut rows.work);
        if phase == Phase::Next {
            for (next, &row) in rows.next.iter_mut().zip(&tables.next) {
                *next = rows.work[row as usize];
            }
        }
    }
}

#[inline(always)]
fn run_steps<W: Word>(steps: &[Step], work: &mut [W]) {
    for step in steps {
        match step {
            Step::Run { truth, operations } => run_operations(*truth, operations, work),
            Step::Loop { body, rows } => run_loop(body, rows, work),
        }
    }
}

#[inline(always)]
fn run_loop<W: Word>(body: &[Step], rows: &[(u32, u32)], work: &mut [W]) {
    for &(row, _) in rows {
        let row = &mut work[row as usize];
        *row = row.xor(*row);
    }
    loop {
        for step in body {
            // Loops do not nest: a stratum's recursion is one loop.
            if let Step::Run { truth, operations } = step {
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

struct RunOperations<'a, W> {
    truth: u8,
    operations: &'a [Operation],
    work: &'a mut [W],
}

/// Runs operations, in a function of its own: the loops of all tables are large.
fn run_operations<W: Word>(truth: u8, operations: &[Operation], work: &mut [W]) {
    let proof = work[0];
    let kernel = RunOperations {
        truth,
        operations,
        work,
    };
    W::run(kernel, proof);
}

macro_rules! dispatch {
    ($truth:expr, $operations:expr, $work:expr; $($table:literal)*) => {
        match $truth {
            $($table => run_table::<W, $table>($operations, $work),)*
            other => unreachable!("table {other} is not in its canonical order of inputs"),
        }
    };
}

impl<W: Word> Kernel for RunOperations<'_, W> {
    type Output = ();

    /// One loop for each table that is the smallest number among those that
    /// differ from it in the order of inputs only.
    #[inline(always)]
    fn run(self) {
        dispatch!(self.truth, self.operations, self.work;
            0 1 2 3 6 7 8 9 10 11 14 15 22 23 24 25 26 27 30 31 40 41 42 43 44 45 46 47 60
            61 62 63 104 105 106 107 110 111 126 127 128 129 130 131 134 135 136 137 138 139
            142 143 150 151 152 153 154 155 158 159 168 169 170 171 172 173 174 175 188 189
            190 191 232 233 234 235 238 239 254 255
        );
    }
}

#[inline(always)]
fn run_table<W: Word, const TRUTH: i32>(operations: &[Operation], work: &mut [W]) {
    for operation in operations {
        work[operation.to as usize] = W::lut3::<TRUTH>(
            work[operation.a as usize],
            work[operation.b as usize],
            work[operation.c as usize],
        );
    }
}

//! [`Tables`]: a game's logic as data, run without a compiler.
//!
//! A jump per operation would be mispredicted most of the time, so operations
//! come in runs of one truth table each: one jump a run, then a loop without
//! branches.

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
    /// Operations of one truth table, none of which reads what another of them
    /// writes.
    Run {
        /// The table, as [`Word::lut3`] takes it.
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
    pub phases: [Vec<Step>; 4],
    /// For every fluent the work row that holds its next value.
    pub next: Vec<u32>,
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
        if matches!(phase, Phase::Terminal | Phase::Legal) {
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

macro_rules! dispatch {
    ($truth:expr, $operations:expr, $work:expr; $($table:literal)*) => {
        match $truth {
            $($table => run_table::<W, $table>($operations, $work),)*
        }
    };
}

#[inline(always)]
fn run_operations<W: Word>(truth: u8, operations: &[Operation], work: &mut [W]) {
    dispatch!(truth, operations, work;
        0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
        32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60
        61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89
        90 91 92 93 94 95 96 97 98 99 100 101 102 103 104 105 106 107 108 109 110 111 112 113
        114 115 116 117 118 119 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135
        136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157
        158 159 160 161 162 163 164 165 166 167 168 169 170 171 172 173 174 175 176 177 178 179
        180 181 182 183 184 185 186 187 188 189 190 191 192 193 194 195 196 197 198 199 200 201
        202 203 204 205 206 207 208 209 210 211 212 213 214 215 216 217 218 219 220 221 222 223
        224 225 226 227 228 229 230 231 232 233 234 235 236 237 238 239 240 241 242 243 244 245
        246 247 248 249 250 251 252 253 254 255
    );
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

//! The machine's limit: how many operations a second this processor does at best.
//!
//! Plans of one long phase are made by hand and run by the engine net, so that what is
//! measured is code of our own assembler: operations that do not depend on each other,
//! with all inputs in registers, or with one or two in rows of the first-level cache; and
//! operations that each depend on the one before, which take one cycle each, or two.

use anyhow::Context as _;
use gdl_engines::propnet::assemble_plan;
use gdl_runtime::engine::Engine as _;
use gdl_runtime::lanes::{CpuLevel, Width};
use gdlc::ground::{BaseId, RoleId};
use gdlc::id::{Id as _, IdVec};
use gdlc::plan::{Arity, Op, OpId, Plan, PlanStep, PlanValue, PlannedBase};
use std::time::{Duration, Instant};

/// Operations of a plan: so many that a call costs next to nothing, and so few that their code
/// fits the first-level cache.
const OPERATIONS: usize = 2048;

/// Rows that operations read: half of a first-level cache of 32 KiB at 512 lanes.
const ROWS: usize = 256;

/// For how long each plan is measured at a time, and how often; the best time counts.
const TURN: Duration = Duration::from_millis(5);
const TURNS: usize = 20;

/// What a level does at best, in operations a second, each for all lanes.
pub struct Ceiling {
    pub level: CpuLevel,
    pub lanes: usize,
    /// By the number of inputs in rows.
    pub rates: [f64; 3],
    /// Operations that each depend on the one before: one per cycle, or per two cycles.
    pub dependent: f64,
}

/// The limits of the vector levels that this processor has, the highest first.
///
/// # Errors
/// If the system forbids generated code.
pub fn ceilings() -> anyhow::Result<Vec<Ceiling>> {
    let levels = [CpuLevel::Avx512, CpuLevel::Avx2, CpuLevel::Sse2];
    let available = levels.into_iter().filter(|level| level.available());
    available.map(Ceiling::measure).collect()
}

impl Ceiling {
    fn measure(level: CpuLevel) -> anyhow::Result<Self> {
        let width = level.widest();
        let arity = Arity::of(level, width);
        // Enough values in registers for no operation to wait for another.
        let values = match arity {
            Arity::Two => 12,
            Arity::Three => 24,
        };
        let measure = |values, rows| rate(&chains(arity, values, rows), width);
        Ok(Self {
            level,
            lanes: width.lanes(),
            rates: [
                measure(values, 0)?,
                measure(values, 1)?,
                measure(values, 2)?,
            ],
            dependent: measure(1, 0)?,
        })
    }
}

/// A plan whose terminal phase recomputes `values` values in turn, each from `rows` rows and
/// otherwise from values in registers.
fn chains(arity: Arity, values: usize, rows: usize) -> Plan {
    let base = |row: usize| PlanValue::Base(BaseId::new(row % ROWS));
    let mut current: Vec<PlanValue> = (0..values).map(base).collect();
    let mut ops = IdVec::new();
    let mut read = values;
    for step in 0..OPERATIONS {
        let at = step % values;
        let registers = (0..arity.inputs() - rows)
            .map(|distance| current[(at + distance) % values])
            .collect::<Vec<_>>();
        let from_rows = (0..rows).map(|row| base(read + row));
        let mut args = [PlanValue::Zero; 3];
        let inputs = registers.into_iter().chain(from_rows);
        args.iter_mut()
            .zip(inputs)
            .for_each(|(arg, input)| *arg = input);
        read += rows;
        // Not a function whose result processors know without computing it if inputs are the same.
        let truth = match arity {
            Arity::Two => 0b1100_0000,
            Arity::Three => 0b1100_1010,
        };
        current[at] = PlanValue::Op(ops.push(Op { truth, args }));
    }
    let steps = (0..OPERATIONS).map(|op| PlanStep::Op(OpId::new(op)));
    let mut roles: IdVec<RoleId, String> = IdVec::new();
    roles.push("nobody".to_owned());
    let mut bases: IdVec<BaseId, PlannedBase> = IdVec::new();
    for row in 0..ROWS {
        bases.push(PlannedBase {
            name: row.to_string(),
            initially: false,
            next: base(row),
        });
    }
    Plan {
        arity,
        roles,
        bases,
        moves: IdVec::new(),
        ops,
        phases: [steps.collect(), vec![], vec![], vec![], vec![]],
        terminal: PlanValue::Zero,
        goals: Vec::new(),
        choices: Vec::new(),
        loops: 0,
    }
}

/// The operations of a plan that this processor executes per second.
fn rate(plan: &Plan, width: Width) -> anyhow::Result<f64> {
    let engine =
        assemble_plan("ceiling", plan, width).context("the machine code cannot be loaded")?;
    let mut lanes = engine.lanes(1);
    let mut best = 0.0_f64;
    for _ in 0..TURNS {
        let start = Instant::now();
        let mut calls = 0;
        while start.elapsed() < TURN {
            for _ in 0..16 {
                lanes.evaluate();
            }
            calls += 16;
        }
        let operations = (calls * OPERATIONS) as f64;
        best = best.max(operations / start.elapsed().as_secs_f64());
    }
    Ok(best)
}

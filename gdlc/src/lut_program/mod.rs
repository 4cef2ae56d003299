//! Programs of luts: a plan as data that the runtime interprets.
//!
//! Input: a [`Plan`]. Output: [`LutProgram`], which runs at every lane width on every
//! processor without a compiler. An operation names the rows of its arguments and
//! of its result; neighbouring operations of one truth table form a run.

mod runs;

use crate::plan::store::{Chunk, Policy, Storage};
use crate::plan::{OpId, Phase, Plan, PlanStep, PlanValue, layout};
use gdl_runtime::layout::{Layout, Row};
use gdl_runtime::lut_program::{LutProgram, LutStep, Operation};
use runs::find_runs;

/// Translates a plan; returns the program with the meaning of its rows.
#[must_use]
pub fn translate(name: &str, plan: &Plan) -> (LutProgram, Layout) {
    let chunks = find_runs(plan);
    let storage = Storage::find(plan, &chunks, Policy::Everything);
    let translator = PlanTranslator {
        plan,
        storage: &storage,
    };
    let phases = Phase::ALL.map(|phase| translator.steps(phase, &chunks[phase as usize]));
    let bases = plan.bases.iter();
    let next = bases.map(|base| translator.row(Phase::Next, base.next));
    let program = LutProgram {
        next: next.collect(),
        phases,
    };
    (program, layout(name, plan, &storage))
}

struct PlanTranslator<'a> {
    plan: &'a Plan,
    storage: &'a Storage,
}

impl PlanTranslator<'_> {
    fn steps(&self, phase: Phase, chunks: &[Chunk]) -> Vec<LutStep> {
        chunks.iter().map(|chunk| self.step(phase, chunk)).collect()
    }

    /// A chunk is a run of one truth table, or a loop.
    fn step(&self, phase: Phase, chunk: &Chunk) -> LutStep {
        if let [PlanStep::Loop { atoms, body }] = &chunk[..] {
            let rows = atoms.iter().map(|(atom, new)| {
                let old = self.row(phase, PlanValue::Loop(*atom));
                (old, self.row(phase, *new))
            });
            return LutStep::Loop {
                rows: rows.collect(),
                body: self.runs(phase, body),
            };
        }
        let ops: Vec<OpId> = chunk
            .iter()
            .filter_map(|step| match step {
                PlanStep::Op(op) => Some(*op),
                PlanStep::Loop { .. } => None,
            })
            .collect();
        self.run(phase, &ops)
    }

    /// Operations in order, neighbours of one truth table as one run.
    fn runs(&self, phase: Phase, ops: &[OpId]) -> Vec<LutStep> {
        let truth = |op: &OpId| self.plan.ops[*op].truth;
        ops.chunk_by(|one, other| truth(one) == truth(other))
            .map(|run| self.run(phase, run))
            .collect()
    }

    fn run(&self, phase: Phase, ops: &[OpId]) -> LutStep {
        LutStep::Run {
            truth: ops.first().map_or(0, |op| self.plan.ops[*op].truth),
            operations: ops.iter().map(|&op| self.operation(phase, op)).collect(),
        }
    }

    fn operation(&self, phase: Phase, op: OpId) -> Operation {
        let [a, b, c] = self.plan.ops[op].args.map(|arg| self.row(phase, arg));
        Operation {
            a,
            b,
            c,
            to: self.row(phase, PlanValue::Op(op)),
        }
    }

    fn row(&self, phase: Phase, value: PlanValue) -> u32 {
        // A program of luts keeps the fluents in the first work rows.
        match self.storage.row(phase, value) {
            Row::Base(row) | Row::Work(row) => row,
        }
    }
}

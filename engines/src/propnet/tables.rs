//! From a plan to tables, which run at every width on every processor.

use super::rows::layout;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;
use gdl_runtime::lut_program::{LutProgram, LutStep, Operation};
use gdlc::plan::runs::find_runs;
use gdlc::plan::store::{Chunk, Place, Policy, Storage};
use gdlc::plan::{OpId, Phase, Plan, PlanStep, PlanValue};

/// Loads a plan as tables.
pub fn tabulate(name: &str, plan: &Plan, width: Width) -> LaneEngine {
    let chunks = find_runs(plan);
    let storage = Storage::find(plan, &chunks, Policy::Everything);
    let tables = Builder {
        plan,
        storage: &storage,
    };
    let phases = Phase::ALL.map(|phase| tables.steps(phase, &chunks[phase as usize]));
    let next = plan
        .bases
        .iter()
        .map(|base| tables.row(Phase::Next, base.next));
    let tables = LutProgram {
        next: next.collect(),
        phases,
    };
    let layout = layout(name, plan, &storage);
    LaneEngine::new("net", layout, tables.programs(), width)
        .expect("64 lanes run on every processor")
}

struct Builder<'a> {
    plan: &'a Plan,
    storage: &'a Storage,
}

impl Builder<'_> {
    fn steps(&self, phase: Phase, chunks: &[Chunk]) -> Vec<LutStep> {
        chunks.iter().map(|chunk| self.step(phase, chunk)).collect()
    }

    /// A chunk is a run of one table, or a loop.
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

    /// Operations in order, neighbours of one table as one run.
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
        // LutProgram keep the fluents in the first work rows.
        match self.storage.place(phase, value) {
            Place::Base(row) | Place::Work(row) => row,
        }
    }
}

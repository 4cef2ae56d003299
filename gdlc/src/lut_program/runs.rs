//! Runs: orders operations so that equal truth tables follow each other.
//!
//! The interpreter pays for every change of truth table. This is greedy list
//! scheduling: of all operations whose arguments are known, those with the most
//! frequent truth table run next.

use crate::id::IdVec;
use crate::plan::store::Chunks;
use crate::plan::{OpId, Plan, PlanStep, PlanValue};

/// A plan's phases as runs of one truth table each; a loop is a run of its own, its
/// body already in runs.
pub(super) fn find_runs(plan: &Plan) -> Chunks {
    plan.phases.clone().map(|steps| {
        let mut runs = Vec::new();
        let mut straight = Vec::new();
        for step in steps {
            match step {
                PlanStep::Op(op) => straight.push(op),
                PlanStep::Loop { atoms, body } => {
                    push_runs(plan, &std::mem::take(&mut straight), &mut runs);
                    let body = order_by_lut(plan, &body).concat();
                    runs.push(vec![PlanStep::Loop { atoms, body }]);
                }
            }
        }
        push_runs(plan, &straight, &mut runs);
        runs
    })
}

fn push_runs(plan: &Plan, ops: &[OpId], runs: &mut Vec<Vec<PlanStep>>) {
    let ordered = order_by_lut(plan, ops).into_iter();
    runs.extend(ordered.map(|run| run.into_iter().map(PlanStep::Op).collect()));
}

/// The operations in runs of one truth table, none reading another of its run.
fn order_by_lut(plan: &Plan, ops: &[OpId]) -> Vec<Vec<OpId>> {
    let mut position = IdVec::filled(None, plan.ops.len());
    for (index, &op) in ops.iter().enumerate() {
        position[op] = Some(index);
    }
    let mut waiting_for = vec![0_u32; ops.len()];
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); ops.len()];
    for (index, &op) in ops.iter().enumerate() {
        for arg in plan.ops[op].args {
            if let PlanValue::Op(arg) = arg
                && let Some(made) = position[arg]
            {
                waiting_for[index] += 1;
                readers[made].push(index);
            }
        }
    }
    let mut ready: Vec<Vec<usize>> = vec![Vec::new(); 256];
    let lut = |index: usize| usize::from(plan.ops[ops[index]].truth);
    for index in (0..ops.len()).filter(|&index| waiting_for[index] == 0) {
        ready[lut(index)].push(index);
    }
    let mut runs = Vec::new();
    while let Some(longest) = (0..ready.len())
        .max_by_key(|&lut| ready[lut].len())
        .filter(|&lut| !ready[lut].is_empty())
    {
        let mut run = std::mem::take(&mut ready[longest]);
        run.sort_unstable();
        for &index in &run {
            for &reader in &readers[index] {
                waiting_for[reader] -= 1;
                if waiting_for[reader] == 0 {
                    ready[lut(reader)].push(reader);
                }
            }
        }
        runs.push(run.into_iter().map(|index| ops[index]).collect());
    }
    debug_assert_eq!(runs.iter().map(Vec::len).sum::<usize>(), ops.len());
    runs
}

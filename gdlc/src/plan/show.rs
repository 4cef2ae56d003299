//! Human-readable plans.

use super::{OpId, Phase, Plan, PlanStep, PlanValue};
use crate::id::Id;
use std::fmt::Write as _;

/// A plan as text, one operation per line.
#[must_use]
pub fn show_plan(plan: &Plan) -> String {
    let mut text = String::from("; ");
    for phase in Phase::ALL {
        let ops: usize = plan.phases[phase as usize].iter().map(size).sum();
        let _ = write!(text, "{phase:?} {ops} operations, ");
    }
    let _ = writeln!(text, "{} choices", plan.choices.len());
    for choice in &plan.choices {
        let (candidates, bits) = (choice.candidates, choice.rank_bits);
        let _ = writeln!(text, "; a choice of {candidates} candidates, {bits} bits");
    }
    for phase in Phase::ALL {
        let _ = writeln!(text, "{phase:?}:");
        for step in &plan.phases[phase as usize] {
            show_step(plan, step, &mut text);
        }
    }
    let _ = writeln!(text, "terminal = {}", show_value(plan, plan.terminal));
    for mv in &plan.moves {
        let role = &plan.roles[mv.role];
        let value = show_value(plan, mv.legal);
        let _ = writeln!(text, "(legal {role} {}) = {value}", mv.name);
    }
    for goal in &plan.goals {
        let role = &plan.roles[goal.role];
        let value = show_value(plan, goal.holds);
        let _ = writeln!(text, "(goal {role} {}) = {value}", goal.value);
    }
    for base in &plan.bases {
        let value = show_value(plan, base.next);
        let _ = writeln!(text, "(next {}) = {value}", base.name);
    }
    text
}

/// How many operations a step has.
#[must_use]
pub(super) fn size(step: &PlanStep) -> usize {
    match step {
        PlanStep::Op(_) => 1,
        PlanStep::Loop { body, .. } => body.len(),
    }
}

fn show_step(plan: &Plan, step: &PlanStep, text: &mut String) {
    match step {
        PlanStep::Op(op) => show_op(plan, *op, "  ", text),
        PlanStep::Loop { atoms, body } => {
            let _ = writeln!(text, "  repeat");
            body.iter().for_each(|op| show_op(plan, *op, "    ", text));
            for (atom, value) in atoms {
                let _ = writeln!(text, "    loop{atom} = {}", show_value(plan, *value));
            }
            let _ = writeln!(text, "  until nothing changes");
        }
    }
}

fn show_op(plan: &Plan, id: OpId, indent: &str, text: &mut String) {
    let op = plan.ops[id];
    let [a, b, c] = op.args.map(|arg| show_value(plan, arg));
    let truth = op.truth;
    let _ = writeln!(text, "{indent}v{} = {truth:#010b} {a} {b} {c}", id.index());
}

fn show_value(plan: &Plan, value: PlanValue) -> String {
    match value {
        PlanValue::Zero => "0".to_owned(),
        PlanValue::Base(base) => format!("(true {})", plan.bases[base].name),
        PlanValue::Rank { choice, bit } => format!("rank{choice}.{bit}"),
        PlanValue::Loop(atom) => format!("loop{atom}"),
        PlanValue::Op(op) => format!("v{}", op.index()),
    }
}

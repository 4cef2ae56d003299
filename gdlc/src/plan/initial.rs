//! [`InitialValues`]: what the terminal phase computes in the initial state.

use super::{OpId, Phase, Plan, PlanStep, PlanValue};
use crate::id::IdVec;

/// The values of the terminal phase's operations in the initial state.
pub(super) struct InitialValues<'a> {
    plan: &'a Plan,
    ops: IdVec<OpId, bool>,
    loops: Vec<bool>,
}

impl<'a> InitialValues<'a> {
    /// Runs the phase for one game.
    pub fn find(plan: &'a Plan) -> Self {
        let mut values = Self {
            plan,
            ops: IdVec::filled(false, plan.ops.len()),
            loops: vec![false; plan.loops as usize],
        };
        for step in &plan.phases[Phase::Terminal as usize] {
            match step {
                PlanStep::Op(op) => values.compute(*op),
                PlanStep::Loop { atoms, body } => values.solve(atoms, body),
            }
        }
        values
    }

    pub fn of_op(&self, op: OpId) -> bool {
        self.ops[op]
    }

    pub fn of_loop(&self, atom: u32) -> bool {
        self.loops[atom as usize]
    }

    fn of(&self, value: PlanValue) -> bool {
        match value {
            PlanValue::Base(base) => self.plan.bases[base].initially,
            PlanValue::Loop(atom) => self.of_loop(atom),
            PlanValue::Op(op) => self.of_op(op),
            PlanValue::Zero | PlanValue::Rank { .. } => false,
        }
    }

    fn compute(&mut self, op: OpId) {
        let row = self.plan.ops[op]
            .args
            .iter()
            .fold(0, |row, &arg| row << 1 | u8::from(self.of(arg)));
        self.ops[op] = self.plan.ops[op].truth >> row & 1 != 0;
    }

    fn solve(&mut self, atoms: &[(u32, PlanValue)], body: &[OpId]) {
        loop {
            body.iter().for_each(|&op| self.compute(op));
            let mut changed = false;
            for &(atom, new) in atoms {
                let new = self.of(new);
                changed |= self.loops[atom as usize] != new;
                self.loops[atom as usize] = new;
            }
            if !changed {
                return;
            }
        }
    }
}

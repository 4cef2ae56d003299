//! From a plan and its storage to the layout that a machine reads.

use super::store::Storage;
use super::{Phase, Plan, PlanValue};
use crate::id::Id as _;
use gdl_runtime::layout::{BaseRow, Choice, Layout, MoveRow, Row};

/// The layout of a game: the names, choices and goals of its plan, and the rows
/// that its storage assigns to them.
#[must_use]
pub fn layout(name: &str, plan: &Plan, storage: &Storage) -> Layout {
    let row = |phase: Phase, value: PlanValue| -> Row { storage.row(phase, value) };
    let bases = plan.bases.iter().map(|base| BaseRow {
        name: base.name.clone(),
        initially: base.initially,
    });
    let mut moves = vec![Vec::new(); plan.roles.len()];
    for mv in &plan.moves {
        moves[mv.role.index()].push(MoveRow {
            name: mv.name.clone(),
            legal: row(Phase::Legal, mv.legal),
            choice: mv.choice.map(|(choice, _)| choice),
        });
    }
    let mut goals = vec![Vec::new(); plan.roles.len()];
    for goal in &plan.goals {
        let holds = row(Phase::Goals, goal.holds);
        goals[goal.role.index()].push((goal.value, holds));
    }
    let choices = plan
        .choices
        .iter()
        .enumerate()
        .map(|(index, choice)| Choice {
            count: storage.counts[index],
            rank: storage.ranks[index],
            count_bits: choice.count.len() as u32,
            rank_bits: choice.rank_bits,
        });
    Layout {
        name: name.to_owned(),
        roles: plan.roles.iter().cloned().collect(),
        bases: bases.collect(),
        work: storage.rows,
        operations: u32::try_from(plan.size()).unwrap_or(u32::MAX),
        moves,
        legal_order: plan
            .roles
            .ids()
            .map(|role| plan.legal_order(role))
            .collect(),
        terminal: Some(row(Phase::Terminal, plan.terminal)),
        goals,
        indifferent: plan
            .roles
            .ids()
            .map(|role| plan.is_indifferent(role))
            .collect(),
        choices: choices.collect(),
    }
}

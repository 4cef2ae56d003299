//! From a plan and its storage to the layout that a machine reads.

use gdlc::id::Id;
use gdlc::plan::store::Storage;
use gdlc::plan::{Phase, Plan, Value};
use runtime::layout::{BaseRow, Choice, Layout, MoveRow, Row};

/// The layout of a game whose values are stored so.
pub fn layout(name: &str, plan: &Plan, storage: &Storage) -> Layout {
    let row = |phase: Phase, value: Value| match value {
        Value::Base(base) => Row::Base(base.index() as u32),
        value => Row::Work(work_row(storage, phase, value)),
    };
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
        moves,
        legal_order: legal_order(plan),
        terminal: Some(row(Phase::Terminal, plan.terminal)),
        goals,
        choices: choices.collect(),
        restarts: storage.restarts.clone(),
    }
}

/// The work row of a value other than a fluent.
pub fn work_row(storage: &Storage, phase: Phase, value: Value) -> u32 {
    match value {
        Value::Zero => storage.zero,
        Value::Rank { choice, bit } => storage.ranks[choice as usize] + bit,
        Value::Loop(atom) => storage.row_of_loop(phase, atom),
        Value::Op(op) => storage
            .row_of_op(phase, op)
            .expect("what is read across chunks is stored"),
        // Tables keep the fluents in the first work rows.
        Value::Base(base) => base.index() as u32,
    }
}

/// For every role its moves in the order of their candidates.
fn legal_order(plan: &Plan) -> Vec<Vec<u32>> {
    let mut order = vec![Vec::new(); plan.roles.len()];
    let mut place = vec![0; plan.roles.len()];
    for mv in &plan.moves {
        let role = mv.role.index();
        order[role].push((mv.choice.map(|(_, place)| place), place[role]));
        place[role] += 1;
    }
    order
        .into_iter()
        .map(|mut moves: Vec<(Option<u32>, u32)>| {
            moves.sort_unstable();
            moves.into_iter().map(|(_, index)| index).collect()
        })
        .collect()
}

//! Parts of games, in terms of their engines' fluent and move numbers.

use crate::conditions::{conditions_of, fluent_numbers};
use crate::small_games::{MOST_WORK, ground_small};
use gdl_runtime::factors::GameFactor;
use gdl_runtime::layout::Layout;
use gdlc::propnet::analyses::{ImpliedLiterals, find_mutex_groups};
use gdlc::propnet::factors::{Factor, Factors};
use gdlc::propnet::passes::run_passes;
use gdlc::propnet::{Propnet, assemble};
use gdlc::rules::Program;
use std::collections::HashMap;
use std::sync::Arc;

/// The independent parts of a game; none if there is only one.
pub(crate) fn find_factors(program: &Program, layout: &Layout) -> Arc<[GameFactor]> {
    let Some(ground) = ground_small(program) else {
        return Arc::default();
    };
    let net = run_passes(assemble(&ground), &[]).0;
    let groups = find_mutex_groups(&net, &ImpliedLiterals::find(&net));
    let Some(factors) = Factors::find_within(&net, &groups, MOST_WORK) else {
        return Arc::default();
    };
    let independent = factors.independent();
    let parts = independent.iter().map(|part| in_layout(part, &net, layout));
    match independent.len() {
        0 | 1 => Arc::default(),
        _ => parts.collect::<Option<_>>().unwrap_or_default(),
    }
}

/// A part in the numbers of a layout; `None` if the layout lacks one of its fluents or moves, or
/// if a condition is recursive.
fn in_layout(part: &Factor, net: &Propnet, layout: &Layout) -> Option<GameFactor> {
    let fluents = fluent_numbers(layout);
    let bases = part.bases.iter();
    let own = bases.map(|&base| fluents.get(&*net.bases[base].name).copied());
    let moves = layout.roles.iter().zip(&layout.moves).map(|(role, rows)| {
        let names = (0..).zip(rows);
        let numbers: HashMap<&str, u32> = names.map(|(number, mv)| (&*mv.name, number)).collect();
        let own = part.moves.iter().map(|&mv| &net.moves[mv]);
        let own = own.filter(|mv| net.roles[mv.role] == *role);
        own.map(|mv| numbers.get(&*mv.name).copied()).collect()
    });
    Some(GameFactor {
        fluents: own.collect::<Option<_>>()?,
        moves: moves.collect::<Option<_>>()?,
        conditions: conditions_of(&part.conditions, net, &fluents)?,
    })
}

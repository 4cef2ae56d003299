//! Whose turn it is.

use gdl_runtime::engine::Role;
use gdl_runtime::kif::normalise;
use gdl_runtime::layout::Layout;

/// How the roles of a game take turns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnOrder {
    /// Whether at most one role can choose among moves in every state: the compiler has
    /// proved that all moves that compete share one choice.
    pub one_at_a_time: bool,
    /// The fluents that say whose turn it is, each with its role, if there are any. They decide
    /// where no role has moves that compete, such as where the one to move must pass.
    pub fluents: Vec<(u32, Role)>,
}

impl TurnOrder {
    /// The turns of a game.
    #[must_use]
    pub fn new(layout: &Layout) -> Self {
        Self {
            one_at_a_time: layout.choices.len() <= 1,
            fluents: turn_fluents(layout),
        }
    }
}

/// The fluents of a relation of one argument that holds for each role, and at first for
/// exactly one of them.
fn turn_fluents(layout: &Layout) -> Vec<(u32, Role)> {
    let roles: Vec<String> = layout.roles.iter().map(|role| normalise(role)).collect();
    let mut relations: Vec<(String, Vec<(u32, Role)>)> = Vec::new();
    for (fluent, base) in (0..).zip(&layout.bases) {
        let name = normalise(&base.name);
        let inner = name
            .strip_prefix('(')
            .and_then(|name| name.strip_suffix(')'));
        let Some((relation, argument)) = inner.and_then(|inner| inner.split_once(' ')) else {
            continue;
        };
        let Some(role) = roles.iter().position(|role| role == argument) else {
            continue;
        };
        match relations.iter_mut().find(|(name, _)| name == relation) {
            Some((_, fluents)) => fluents.push((fluent, role)),
            None => relations.push((relation.to_owned(), vec![(fluent, role)])),
        }
    }
    let is_turn = |fluents: &[(u32, Role)]| {
        let initially = fluents
            .iter()
            .filter(|(fluent, _)| layout.bases[*fluent as usize].initially);
        fluents.len() == roles.len() && initially.count() == 1
    };
    let found = relations.into_iter().find(|(_, fluents)| is_turn(fluents));
    let mut fluents = found.map_or_else(Vec::new, |(_, fluents)| fluents);
    fluents.sort_by_key(|&(_, role)| role);
    fluents
}

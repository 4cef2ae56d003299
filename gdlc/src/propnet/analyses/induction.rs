//! Finds [`MutexGroups`] by induction over the propnet.
//!
//! Candidates come from the names: fluents that differ in one argument only. A group
//! is kept if at most one of its fluents holds initially, and no two of them can follow
//! from a state that respects all groups.

use super::{Exclusion, ImpliedLiterals, MutexGroups};
use crate::ground::BaseId;
use crate::propnet::Propnet;
use gdl_runtime::kif::GroundTerm;
use indexmap::IndexMap;

/// The size of the largest groups tried: larger ones cost more to prove than they gain.
const LARGEST: usize = 512;

/// Finds the groups that can be proved.
#[must_use]
pub fn find_mutex_groups(net: &Propnet, implied: &ImpliedLiterals) -> MutexGroups {
    let candidates = MutexGroups::new(net.bases.len(), candidates(net));
    prove(net, implied, candidates, false)
}

/// Those of the groups that can be proved, assuming nothing but each other. Groups of
/// which several fluents hold initially are left out.
#[must_use]
pub fn keep_proved(
    net: &Propnet,
    implied: &ImpliedLiterals,
    mut candidates: Vec<Vec<BaseId>>,
) -> MutexGroups {
    candidates.retain(|group| held_initially(net, group) <= 1);
    let candidates = MutexGroups::new(net.bases.len(), candidates);
    prove(net, implied, candidates, true)
}

/// Drops groups that are not preserved until all are, assuming all that are left.
fn prove(
    net: &Propnet,
    implied: &ImpliedLiterals,
    mut groups: MutexGroups,
    compares_moves: bool,
) -> MutexGroups {
    loop {
        let mut proofs = Exclusion::new(net, implied, &groups);
        if compares_moves {
            proofs = proofs.with_needed_moves();
        }
        // Small groups first: whose turn it is has to be known, and a game with thousands of
        // fluents uses up the effort.
        let mut order: Vec<usize> = (0..groups.groups.len()).collect();
        order.sort_by_key(|&index| groups.groups[index].len());
        order.retain(|&index| is_preserved(net, &mut proofs, &groups.groups[index]));
        order.sort_unstable();
        let kept: Vec<_> = (order.into_iter())
            .map(|index| groups.groups[index].clone())
            .collect();
        if kept.len() == groups.groups.len() {
            return groups;
        }
        groups = MutexGroups::new(net.bases.len(), kept);
    }
}

/// Whether no two fluents of a group can hold in the next state.
fn is_preserved(net: &Propnet, exclusion: &mut Exclusion<'_>, group: &[BaseId]) -> bool {
    group.iter().enumerate().all(|(index, &first)| {
        group[index + 1..]
            .iter()
            .all(|&second| exclusion.proves(net.bases[first].next, net.bases[second].next))
    })
}

/// Sets of fluents that differ in one argument only and of which at most one holds
/// initially.
fn candidates(net: &Propnet) -> Vec<Vec<BaseId>> {
    // By the position of the argument, the relation and the other arguments.
    type Rest<'a> = (usize, &'a str, Vec<GroundTerm<'a>>);
    let mut by_rest: IndexMap<Rest<'_>, Vec<BaseId>> = IndexMap::new();
    for (id, base) in net.bases.iter_ids() {
        let Ok(fluent) = GroundTerm::parse(&base.name) else {
            continue;
        };
        for position in 0..fluent.args().len() {
            let mut rest = fluent.args().to_vec();
            rest.remove(position);
            let key = (position, fluent.symbol(), rest);
            by_rest.entry(key).or_default().push(id);
        }
    }
    by_rest
        .into_values()
        .filter(|group| (2..=LARGEST).contains(&group.len()) && held_initially(net, group) <= 1)
        .collect()
}

/// The fluents with one argument, a group for each name: whose turn it is, mostly.
#[must_use]
pub fn one_argument_groups(net: &Propnet) -> Vec<Vec<BaseId>> {
    let mut groups: IndexMap<&str, Vec<BaseId>> = IndexMap::new();
    for (id, base) in net.bases.iter_ids() {
        if let Ok(fluent) = GroundTerm::parse(&base.name)
            && fluent.args().len() == 1
        {
            groups.entry(fluent.symbol()).or_default().push(id);
        }
    }
    groups
        .into_values()
        .filter(|group| (2..=LARGEST).contains(&group.len()))
        .collect()
}

fn held_initially(net: &Propnet, group: &[BaseId]) -> usize {
    let held = group.iter().filter(|&&base| net.bases[base].initially);
    held.count()
}

//! [`MutexGroups`]: sets of fluents of which at most one holds in any state.

use super::{Exclusion, ImpliedLiterals};
use crate::ground::BaseId;
use crate::id::IdVec;
use crate::propnet::Propnet;
use gdl_runtime::kif::GroundTerm;
use indexmap::IndexMap;

/// Larger groups cost more to prove than they are worth.
const LARGEST: usize = 512;

/// Sets of fluents of which at most one holds in any reachable state.
///
/// Candidates come from the names (fluents that differ in one argument only);
/// they are proved by induction over the propnet: at most one of a group holds
/// initially, and no two of them can follow from a state that respects all
/// groups.
#[derive(Debug, Clone, Default)]
pub struct MutexGroups {
    /// The groups, each ascending.
    pub groups: Vec<Vec<BaseId>>,
    /// For every fluent, the groups that it is in.
    pub of_base: IdVec<BaseId, Vec<u32>>,
}

impl MutexGroups {
    /// Finds the groups that can be proved.
    #[must_use]
    pub fn find(net: &Propnet, implied: &ImpliedLiterals) -> Self {
        let mut groups = Self::from_groups(net, candidates(net));
        loop {
            let mut exclusion = Exclusion::new(net, implied, &groups);
            let kept: Vec<_> = groups
                .groups
                .iter()
                .filter(|group| is_preserved(net, &mut exclusion, group))
                .cloned()
                .collect();
            if kept.len() == groups.groups.len() {
                return groups;
            }
            groups = Self::from_groups(net, kept);
        }
    }

    fn from_groups(net: &Propnet, groups: Vec<Vec<BaseId>>) -> Self {
        let mut of_base = IdVec::filled(Vec::new(), net.bases.len());
        for (index, group) in groups.iter().enumerate() {
            for &base in group {
                of_base[base].push(index as u32);
            }
        }
        Self { groups, of_base }
    }

    /// Whether two different fluents are in one group.
    #[must_use]
    pub fn exclude(&self, first: BaseId, second: BaseId) -> bool {
        first != second
            && self.of_base[first]
                .iter()
                .any(|group| self.of_base[second].contains(group))
    }
}

/// Whether no two of a group can hold in the following state.
fn is_preserved(net: &Propnet, exclusion: &mut Exclusion<'_>, group: &[BaseId]) -> bool {
    group.iter().enumerate().all(|(index, &first)| {
        group[index + 1..]
            .iter()
            .all(|&second| exclusion.proves(net.bases[first].next, net.bases[second].next))
    })
}

/// Sets of fluents whose names differ in one argument only and of which at most
/// one holds initially.
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
    let initially = |group: &[BaseId]| {
        let held = group.iter().filter(|&&base| net.bases[base].initially);
        held.count()
    };
    by_rest
        .into_values()
        .filter(|group| (2..=LARGEST).contains(&group.len()) && initially(group) <= 1)
        .collect()
}

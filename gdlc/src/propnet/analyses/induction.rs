//! Finds [`MutexGroups`] by induction over the propnet.
//!
//! Candidates come from the names: fluents that differ in one argument only. A group
//! is kept if at most one of its fluents holds initially, and no two of them can follow
//! from a state that respects all groups.

use super::{Exclusion, ImpliedLiterals, MutexGroups};
use crate::ground::BaseId;
use crate::propnet::Propnet;
use fixedbitset::FixedBitSet;
use gdl_runtime::kif::GroundTerm;
use indexmap::IndexMap;
use std::sync::Arc;

/// The size of the largest groups tried: larger ones cost more to prove than they gain.
const LARGEST: usize = 512;

/// Finds the groups that can be proved; no pass has found them.
#[must_use]
pub fn prove_mutex_groups(net: &Propnet, implied: &ImpliedLiterals) -> MutexGroups {
    prove(net, implied, candidate_groups(net), false)
}

/// The groups that a pass has found, or those that can be proved.
#[must_use]
pub fn find_mutex_groups(net: &Propnet, implied: &ImpliedLiterals) -> Arc<MutexGroups> {
    let found = net.mutex_groups.clone();
    found.unwrap_or_else(|| Arc::new(prove_mutex_groups(net, implied)))
}

/// The groups that can be proved, assuming nothing but one another. Groups with several fluents
/// that hold initially are left out.
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

/// Drops groups that are not preserved, assuming all that are left, until all of them are.
fn prove(
    net: &Propnet,
    implied: &ImpliedLiterals,
    candidates: MutexGroups,
    compares_moves: bool,
) -> MutexGroups {
    let mut induction = Induction {
        net,
        implied,
        compares_moves,
        assumed: vec![None; candidates.groups.len()],
        groups: candidates,
    };
    while !induction.prove_all() {
        induction.drop_unproved();
    }
    induction.groups
}

/// Proofs that groups are preserved.
struct Induction<'a> {
    net: &'a Propnet,
    implied: &'a ImpliedLiterals,
    compares_moves: bool,
    groups: MutexGroups,
    /// For each group, the groups that its proof relies on; `None` if it is not proved.
    assumed: Vec<Option<FixedBitSet>>,
}

impl Induction<'_> {
    /// Tries to prove all groups that are not proved, from all groups. Returns whether all are.
    fn prove_all(&mut self) -> bool {
        let mut proofs = Exclusion::new(self.net, self.implied, &self.groups);
        if self.compares_moves {
            proofs = proofs.with_needed_moves();
        }
        let mut open: Vec<usize> = (0..self.groups.groups.len()).collect();
        open.retain(|&index| self.assumed[index].is_none());
        // Small groups first: whose turn it is has to be proved before the thousands of fluents
        // of a large game use up the effort.
        open.sort_by_key(|&index| self.groups.groups[index].len());
        for index in open {
            proofs.take_assumed();
            if is_preserved(self.net, &mut proofs, &self.groups.groups[index]) {
                self.assumed[index] = Some(proofs.take_assumed());
            }
        }
        self.assumed.iter().all(Option::is_some)
    }

    /// Drops the groups that are not proved, and the proofs that rely on them.
    fn drop_unproved(&mut self) {
        let is_kept: Vec<bool> = self.assumed.iter().map(Option::is_some).collect();
        let groups = std::mem::take(&mut self.groups.groups).into_iter();
        let kept = groups.zip(&is_kept).filter(|(_, is_kept)| **is_kept);
        let kept = kept.map(|(group, _)| group).collect();
        self.groups = MutexGroups::new(self.net.bases.len(), kept);
        // Their numbers among those that are kept.
        let mut kept = 0..;
        let numbers: Vec<Option<usize>> = (is_kept.iter())
            .map(|&is_kept| if is_kept { kept.next() } else { None })
            .collect();
        let renumbered =
            |assumed: FixedBitSet| assumed.ones().map(|group| numbers[group]).collect();
        let proofs = std::mem::take(&mut self.assumed).into_iter().flatten();
        self.assumed = proofs.map(renumbered).collect();
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

/// The groups that [`prove_mutex_groups`] tries to prove: fluents that differ in one argument only
/// and of which at most one holds initially.
#[must_use]
pub fn candidate_groups(net: &Propnet) -> MutexGroups {
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
    let groups = by_rest
        .into_values()
        .filter(|group| (2..=LARGEST).contains(&group.len()) && held_initially(net, group) <= 1);
    MutexGroups::new(net.bases.len(), groups.collect())
}

/// The fluents with one argument, one group per name: mostly, whose turn it is.
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

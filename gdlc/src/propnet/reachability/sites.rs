//! Sites: what several roles can bring about, each by fluents of its own with similar
//! names, such as a square being taken by its piece.

use super::super::{Propnet, Signal};
use crate::ground::{BaseId, RoleId};
use crate::id::IdVec;
use gdl_runtime::kif::GroundTerm;
use std::collections::BTreeMap;

/// The largest number of sites and roles there.
const MOST_CONTESTED: usize = 600;

/// Something that several roles can bring about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ContestedSite {
    /// What the fluents have in common, the argument in which they differ left out.
    pub(super) name: String,
    /// The roles, each with its fluents.
    pub(super) roles: Vec<(RoleId, Vec<BaseId>)>,
}

/// The sites of a game, given for each role what a move can add. Of the arguments in which names
/// may differ, the one that makes the most sites is chosen.
pub(super) fn find_sites(
    net: &Propnet,
    added: &IdVec<RoleId, IdVec<BaseId, Signal>>,
) -> Vec<ContestedSite> {
    let owners = owners(net, added);
    let mut found: BTreeMap<usize, Vec<ContestedSite>> = BTreeMap::new();
    let most = owners.iter().map(|(_, _, words)| words.len()).max();
    for left_out in 0..most.unwrap_or(0) {
        for (arity, sites) in sites_without(&owners, left_out) {
            let best = found.entry(arity).or_default();
            if sites.len() >= best.len() {
                *best = sites;
            }
        }
    }
    let mut sites: Vec<ContestedSite> = found.into_values().flatten().collect();
    let mut contested = 0;
    sites.retain(|site| {
        contested += site.roles.len();
        contested <= MOST_CONTESTED
    });
    sites
}

/// The fluents that the moves of one role alone can add, with the role and the words of their
/// names.
fn owners(
    net: &Propnet,
    added: &IdVec<RoleId, IdVec<BaseId, Signal>>,
) -> Vec<(BaseId, RoleId, Vec<String>)> {
    let owner = |base: BaseId| {
        let mut roles = added.iter_ids().filter(|(_, of)| of[base] != Signal::FALSE);
        match (roles.next(), roles.next()) {
            (Some((role, _)), None) => Some(role),
            _ => None,
        }
    };
    let words = |name: &str| GroundTerm::parse(name).ok().map(|term| term.words());
    let bases = net.bases.iter_ids();
    bases
        .filter_map(|(base, described)| Some((base, owner(base)?, words(&described.name)?)))
        .collect()
}

/// The sites whose fluents differ only in the word at this index, by their numbers of words.
fn sites_without(
    owners: &[(BaseId, RoleId, Vec<String>)],
    left_out: usize,
) -> BTreeMap<usize, Vec<ContestedSite>> {
    let mut groups: BTreeMap<Vec<&str>, BTreeMap<RoleId, Vec<BaseId>>> = BTreeMap::new();
    for (base, role, words) in owners.iter().filter(|(.., words)| left_out < words.len()) {
        let key = words.iter().enumerate();
        let key = key.map(|(at, word)| if at == left_out { "*" } else { word });
        let group = groups.entry(key.collect()).or_default();
        group.entry(*role).or_default().push(*base);
    }
    let mut sites: BTreeMap<usize, Vec<ContestedSite>> = BTreeMap::new();
    for (key, roles) in groups {
        if roles.len() > 1 {
            sites.entry(key.len()).or_default().push(ContestedSite {
                name: format!("({})", key.join(" ")),
                roles: roles.into_iter().collect(),
            });
        }
    }
    sites
}

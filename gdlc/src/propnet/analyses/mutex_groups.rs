//! [`MutexGroups`]: sets of fluents of which at most one holds in any state.

use crate::ground::BaseId;
use crate::id::IdVec;

/// Sets of fluents of which at most one holds in any reachable state.
#[derive(Debug, Clone, Default)]
pub struct MutexGroups {
    /// The groups, each ascending.
    pub groups: Vec<Vec<BaseId>>,
    /// For every fluent, the groups that it is in.
    pub of_base: IdVec<BaseId, Vec<u32>>,
}

impl MutexGroups {
    /// The groups of a game that has this number of fluents.
    pub(crate) fn new(fluents: usize, groups: Vec<Vec<BaseId>>) -> Self {
        let mut of_base = IdVec::filled(Vec::new(), fluents);
        for (index, group) in groups.iter().enumerate() {
            for &base in group {
                of_base[base].push(index as u32);
            }
        }
        Self { groups, of_base }
    }

    /// Whether two different fluents share a group.
    #[must_use]
    pub fn exclude(&self, first: BaseId, second: BaseId) -> bool {
        first != second
            && self.of_base[first]
                .iter()
                .any(|group| self.of_base[second].contains(group))
    }
}

//! [`PartCover`]: sets of candidates written by groups and slots.

use super::CandidateParts;

/// A set of candidates of a choice that was taken apart: those of some slots, those of some
/// groups, and those that are in a slot and in one of some groups.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PartCover {
    /// Slots all of whose candidates are in the set.
    pub slots: Vec<u32>,
    /// Groups all of whose candidates are in the set.
    pub groups: Vec<u32>,
    /// Slots with groups whose candidates there are in the set.
    pub rest: Vec<(u32, Vec<u32>)>,
}

impl PartCover {
    /// Writes a set of candidates, by their positions, ascending.
    pub fn of(parts: &CandidateParts, candidates: &[u32]) -> Self {
        let mut placed: Vec<(u32, u32)> = Vec::with_capacity(candidates.len());
        let mut in_groups = vec![0; parts.groups.len()];
        let mut in_slots = vec![0_usize; parts.slots];
        for &candidate in candidates {
            let group = parts.group_of(candidate);
            let members = &parts.groups[group].members;
            let (slot, _) = members[candidate as usize - parts.groups[group].first];
            placed.push((slot, group as u32));
            in_groups[group] += 1;
            in_slots[slot as usize] += 1;
        }
        let slot_sizes = parts.slot_sizes();
        let whole_slot = |slot: u32| in_slots[slot as usize] == slot_sizes[slot as usize];
        let whole_group =
            |group: u32| in_groups[group as usize] == parts.groups[group as usize].members.len();
        let slots_suffice = placed.iter().all(|&(slot, _)| whole_slot(slot));
        let groups_suffice = placed.iter().all(|&(_, group)| whole_group(group));
        let mut cover = Self::default();
        placed.sort_unstable();
        for &(slot, group) in &placed {
            if whole_slot(slot) && (slots_suffice || !groups_suffice) {
                cover.slots.push(slot);
            } else if whole_group(group) {
                cover.groups.push(group);
            } else {
                match cover.rest.last_mut() {
                    Some((last, groups)) if *last == slot => groups.push(group),
                    _ => cover.rest.push((slot, vec![group])),
                }
            }
        }
        cover.slots.dedup();
        cover.groups.sort_unstable();
        cover.groups.dedup();
        cover
    }
}

impl CandidateParts {
    /// The group of a candidate.
    fn group_of(&self, candidate: u32) -> usize {
        let after = |group: &super::PartGroup| group.first <= candidate as usize;
        self.groups.partition_point(after) - 1
    }

    /// How many candidates each slot has.
    fn slot_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.slots];
        for (slot, _) in self.groups.iter().flat_map(|group| &group.members) {
            sizes[*slot as usize] += 1;
        }
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::parts::PartGroup;

    /// Two groups of three and two candidates in three slots.
    fn parts() -> CandidateParts {
        let group = |first: usize, slots: &[u32]| PartGroup {
            guards: vec![vec![]],
            members: slots.iter().map(|&slot| (slot, 0)).collect(),
            first,
        };
        CandidateParts {
            groups: vec![group(0, &[0, 1, 2]), group(3, &[0, 1])],
            rests: vec![vec![]],
            slots: 3,
        }
    }

    fn cover(slots: &[u32], groups: &[u32], rest: &[(u32, &[u32])]) -> PartCover {
        PartCover {
            slots: slots.to_vec(),
            groups: groups.to_vec(),
            rest: (rest.iter())
                .map(|&(slot, groups)| (slot, groups.to_vec()))
                .collect(),
        }
    }

    #[test]
    fn sets_are_written_by_whole_slots_and_groups() {
        let parts = parts();
        let of = |candidates: &[u32]| PartCover::of(&parts, candidates);
        assert_eq!(of(&[0, 3]), cover(&[0], &[], &[]));
        assert_eq!(of(&[3, 4]), cover(&[], &[1], &[]));
        assert_eq!(of(&[0, 3, 4]), cover(&[0], &[1], &[]));
        assert_eq!(of(&[0, 4]), cover(&[], &[], &[(0, &[0]), (1, &[1])]));
        assert_eq!(of(&[0, 1, 2, 3, 4]), cover(&[0, 1, 2], &[], &[]));
    }
}

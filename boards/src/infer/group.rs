//! Groups: relations over the same cells.

use super::axis::{ValueSuccessors, order};
use super::candidate::{BoardCandidate, CoordinateRole};
use super::relation::SeenRelation;
use crate::flat_term::{pick, relation_of};
use crate::layout::RelationMeaning;
use crate::piece::{Palette, PaletteFacts};
use std::collections::{BTreeMap, BTreeSet};

/// Relations whose facts are about the same cells.
#[derive(Debug)]
pub(super) struct CellGroup {
    /// What each coordinate does.
    pub(super) roles: Vec<CoordinateRole>,
    /// For each coordinate, its values in order.
    pub(super) axes: Vec<Vec<String>>,
    /// The relations; the first one formed the board.
    pub(super) members: Vec<GroupMember>,
}

/// A relation of a group.
#[derive(Debug)]
pub(super) struct GroupMember {
    /// The relation, by position.
    pub(super) relation: usize,
    /// The slots that name the cell, in the order of the group's coordinates.
    pub(super) key: Vec<usize>,
    /// For facts between two cells, the slots that name the other one.
    pub(super) other_end: Option<Vec<usize>>,
    /// Whether the facts put pieces on cells.
    pub(super) is_piece: bool,
}

/// Forms groups of the candidates, and adds the relations that are about their cells.
pub(super) fn assign(
    relations: &[SeenRelation<'_>],
    mut candidates: Vec<BoardCandidate>,
    successors: &ValueSuccessors<'_>,
) -> Vec<CellGroup> {
    // Relations that fill a board come first: others may be about its cells.
    candidates.sort_by_key(|candidate| {
        let relation = &relations[candidate.relation];
        let is_bare = relation.arity == candidate.key.len();
        let by_name = candidate.roles.contains(&CoordinateRole::Name);
        let facts = std::cmp::Reverse(relation.states.iter().map(Vec::len).sum::<usize>());
        (
            by_name,
            is_bare,
            !candidate.is_exclusive,
            facts,
            candidate.relation,
        )
    });
    let mut groups: Vec<CellGroup> = Vec::new();
    for candidate in &candidates {
        let relation = &relations[candidate.relation];
        let joined = groups
            .iter_mut()
            .any(|group| group.join(candidate, relations, successors));
        // What seems to be about cells with names may be about squares of a board.
        let mut marked = || {
            candidate.roles == [CoordinateRole::Name]
                && groups
                    .iter_mut()
                    .any(|group| group.mark(candidate.relation, relation, successors))
        };
        if !joined && !marked() {
            groups.push(CellGroup::new(candidate, relations, successors));
        }
    }
    // A single property of some things does not make a board.
    groups.retain(|group| {
        let bare = |member: &&GroupMember| relations[member.relation].arity == member.key.len();
        let pieces = group.members.iter().filter(|member| member.is_piece);
        group.roles != [CoordinateRole::Name]
            || group.members.iter().any(|member| !bare(&member))
            || pieces.count() >= 2
    });
    let taken: BTreeSet<usize> = groups
        .iter()
        .flat_map(|group| &group.members)
        .map(|member| member.relation)
        .collect();
    for (index, relation) in relations.iter().enumerate() {
        if !taken.contains(&index) {
            let _ = groups
                .iter_mut()
                .any(|group| group.mark(index, relation, successors));
        }
    }
    // In the order of their names.
    groups.sort_by_key(|group| group.members.first().map(|member| member.relation));
    groups
}

impl CellGroup {
    fn new(
        candidate: &BoardCandidate,
        relations: &[SeenRelation<'_>],
        successors: &ValueSuccessors<'_>,
    ) -> Self {
        let relation = &relations[candidate.relation];
        let axis = |&slot: &usize| {
            let domain = &relation.domains[slot];
            let plain = || domain.iter().map(|word| (*word).to_owned()).collect();
            order(domain, successors).unwrap_or_else(plain)
        };
        Self {
            roles: candidate.roles.clone(),
            axes: candidate.key.iter().map(axis).collect(),
            members: vec![GroupMember {
                relation: candidate.relation,
                key: candidate.key.clone(),
                other_end: None,
                is_piece: true,
            }],
        }
    }

    /// Adds a candidate that is about the cells of this group and not a board of its own.
    fn join(
        &mut self,
        candidate: &BoardCandidate,
        relations: &[SeenRelation<'_>],
        successors: &ValueSuccessors<'_>,
    ) -> bool {
        let relation = &relations[candidate.relation];
        let fits = candidate.roles == self.roles;
        let axes = fits.then(|| grown(&self.axes, relation, &candidate.key, successors));
        let Some(axes) = axes.flatten() else {
            return false;
        };
        let first = &self.members[0];
        let own = &relations[first.relation];
        let clashes = share_of_clashes(own, &first.key, relation, &candidate.key);
        let alike = same_contents(own, &first.key, relation, &candidate.key);
        let area = |axes: &mut dyn Iterator<Item = usize>| axes.product::<usize>();
        let own_area = area(
            &mut candidate
                .key
                .iter()
                .map(|&slot| relation.domains[slot].len()),
        );
        let all_area = area(&mut axes.iter().map(Vec::len));
        let fills_another = candidate.is_exclusive
            && relation.most == own_area
            && own.most == all_area
            && own_area != all_area;
        if fills_another || alike && clashes > 0.3 {
            return false;
        }
        let pieces = self.members.iter().filter(|member| member.is_piece);
        let mut pieces = pieces.map(|member| {
            share_of_clashes(
                &relations[member.relation],
                &member.key,
                relation,
                &candidate.key,
            )
        });
        let is_bare = |relation: &SeenRelation<'_>, key: &[usize]| relation.arity == key.len();
        let like_first = is_bare(own, &first.key) || !is_bare(relation, &candidate.key);
        // Things that are somewhere stand on what is there.
        let is_piece = candidate.is_exclusive && like_first && pieces.all(|clashes| clashes < 0.02);
        self.axes = axes;
        self.members.push(GroupMember {
            relation: candidate.relation,
            key: candidate.key.clone(),
            other_end: None,
            is_piece,
        });
        true
    }

    /// Adds a relation that is not a board of its own, if two neighbouring slots of it, or two
    /// pairs of slots, have values that are coordinates of this group.
    fn mark(
        &mut self,
        index: usize,
        relation: &SeenRelation<'_>,
        successors: &ValueSuccessors<'_>,
    ) -> bool {
        let width = self.roles.len();
        if width == 1 && relation.is_single() {
            return false;
        }
        if !matches!(width, 1 | 2)
            || self.roles.contains(&CoordinateRole::Board)
            || relation.arity < width
        {
            return false;
        }
        if width == 2 && relation.arity >= 4 && self.link(index, relation, successors) {
            return true;
        }
        let starts = 0..=relation.arity - width;
        let keys = starts.map(|start| (start..start + width).collect::<Vec<usize>>());
        let keys: Vec<Vec<usize>> = keys
            .filter(|key| {
                key.iter().all(|&slot| relation.domains[slot].len() >= 2)
                    || relation.arity == width
                    || relation.most <= 2
            })
            .collect();
        let about = |key: &&Vec<usize>| {
            let pairs = self.axes.iter().zip(key.iter());
            pairs.into_iter().all(|(axis, &slot)| {
                let domain = &relation.domains[slot];
                !domain.is_empty()
                    && domain
                        .iter()
                        .all(|word| axis.iter().any(|value| value == word))
            })
        };
        let fixed = (keys.iter().find(about)).map(|key| (key.clone(), self.axes.clone()));
        let found = fixed.or_else(|| {
            let may_grow = relation.most >= 4 && width == 2;
            let mut keys = keys.iter().filter(|_| may_grow);
            keys.find_map(|key| {
                let axes = grown(&self.axes, relation, key, successors)?;
                Some((key.clone(), axes))
            })
        });
        // A single word is a cell only where a board is named by single words.
        let Some((key, axes)) = found.filter(|_| width == 2 || relation.arity == 1) else {
            return false;
        };
        self.axes = axes;
        self.members.push(GroupMember {
            relation: index,
            key,
            other_end: None,
            is_piece: false,
        });
        true
    }

    /// Adds a relation between two cells.
    fn link(
        &mut self,
        index: usize,
        relation: &SeenRelation<'_>,
        successors: &ValueSuccessors<'_>,
    ) -> bool {
        let ends = [([0, 1], [2, 3]), ([0, 2], [1, 3])];
        let found = ends.into_iter().find_map(|(from, to)| {
            let axes = grown(&self.axes, relation, &from, successors)?;
            let axes = grown(&axes, relation, &to, successors)?;
            Some((from, to, axes))
        });
        let Some((from, to, axes)) = found else {
            return false;
        };
        self.axes = axes;
        self.members.push(GroupMember {
            relation: index,
            key: from.to_vec(),
            other_end: Some(to.to_vec()),
            is_piece: false,
        });
        true
    }
}

/// The axes of a group with the values in these slots, if all of the values are on them, or so many
/// that the axes grow by the others.
fn grown(
    axes: &[Vec<String>],
    relation: &SeenRelation<'_>,
    key: &[usize],
    successors: &ValueSuccessors<'_>,
) -> Option<Vec<Vec<String>>> {
    let mut grown = axes.to_vec();
    for (axis, &slot) in grown.iter_mut().zip(key) {
        let domain = &relation.domains[slot];
        let known: BTreeSet<&str> = axis.iter().map(String::as_str).collect();
        if domain.is_subset(&known) {
            continue;
        }
        let common = domain.intersection(&known).count();
        let all: BTreeSet<&str> = domain.union(&known).copied().collect();
        let all = order(&all, successors)?;
        if 5 * common < 3 * domain.len().max(known.len()) {
            return None;
        }
        *axis = all;
    }
    Some(grown)
}

impl GroupMember {
    /// What the relation means on the boards of its group, where some symbols stand for pieces
    /// of other relations.
    pub(super) fn meaning(
        &self,
        group: usize,
        relation: &SeenRelation<'_>,
        roles: &[String],
        cells: usize,
        taken: &BTreeMap<String, String>,
    ) -> RelationMeaning {
        let mut named = self.key.clone();
        named.extend(self.other_end.iter().flatten());
        let content = relation.others(&named);
        let mut contents = BTreeMap::new();
        for (state, facts) in relation.states.iter().enumerate() {
            for words in facts {
                let name = pick(words, &content).join(" ");
                *contents.entry(name).or_insert(0) += usize::from(state == 0);
            }
        }
        let palette = Palette::new(&PaletteFacts {
            roles,
            relation: relation_of(relation.skeleton),
            contents,
            cells,
            is_mark: !self.is_piece,
            taken,
        });
        match &self.other_end {
            Some(to) => RelationMeaning::Link {
                group,
                from: self.key.clone(),
                to: to.clone(),
                content,
                palette,
            },
            None => RelationMeaning::Stand {
                group,
                key: self.key.clone(),
                content,
                palette,
                is_piece: self.is_piece,
            },
        }
    }
}

/// The share of the second relation's facts about whose cells the first has facts, too.
fn share_of_clashes(
    first: &SeenRelation<'_>,
    first_key: &[usize],
    second: &SeenRelation<'_>,
    second_key: &[usize],
) -> f64 {
    let (mut clashes, mut all) = (0_usize, 0_usize);
    for (first, second) in first.states.iter().zip(&second.states) {
        let cells: BTreeSet<Vec<&str>> = first.iter().map(|words| pick(words, first_key)).collect();
        let common = second
            .iter()
            .filter(|words| cells.contains(&pick(words, second_key)));
        clashes += common.count();
        all += second.len();
    }
    clashes as f64 / all.max(1) as f64
}

/// Whether the facts of two relations say the same kinds of things about cells.
fn same_contents(
    first: &SeenRelation<'_>,
    first_key: &[usize],
    second: &SeenRelation<'_>,
    second_key: &[usize],
) -> bool {
    let contents = |relation: &SeenRelation<'_>, key: &[usize]| -> BTreeSet<String> {
        let content = relation.others(key);
        let facts = relation.states.iter().flatten();
        facts.map(|words| pick(words, &content).join(" ")).collect()
    };
    let (first, second) = (contents(first, first_key), contents(second, second_key));
    2 * first.intersection(&second).count() >= first.len().min(second.len()).max(1)
}

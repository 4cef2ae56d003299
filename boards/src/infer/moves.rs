//! Which cells moves name.

use super::candidate::CoordinateRole;
use super::group::CellGroup;
use crate::evidence::GameEvidence;
use crate::flat_term::FlatTerm;
use crate::layout::{CellId, NamedCell, StateLayout};
use crate::picture::Picture;
use std::collections::{BTreeMap, BTreeSet};

/// The share of moves that must name cells for a reading of their words to hold.
const LEAST_SHARE: f64 = 0.95;

/// The number of moves of a skeleton that are looked at.
const MOST_MOVES: usize = 500;

/// Which slots of the moves of each skeleton name cells.
pub(super) fn find(
    layout: &StateLayout,
    groups: &[CellGroup],
    evidence: &GameEvidence,
) -> BTreeMap<String, Vec<NamedCell>> {
    let legal = evidence
        .states
        .iter()
        .flat_map(|state| state.legal.iter().flatten());
    let mut kinds: BTreeMap<&str, BTreeSet<&[String]>> = BTreeMap::new();
    for mv in evidence.moves.iter().chain(legal) {
        if !mv.words.is_empty() {
            kinds.entry(&mv.skeleton).or_default().insert(&mv.words);
        }
    }
    let changes = changes(layout, evidence);
    let read = |(skeleton, moves): (&str, BTreeSet<&[String]>)| {
        let reader = MoveReader {
            layout,
            groups,
            moves: &moves,
            changes: changes.get(skeleton).map_or(&[][..], Vec::as_slice),
        };
        let named = reader.named_cells();
        (!named.is_empty()).then(|| (skeleton.to_owned(), named))
    };
    kinds.into_iter().filter_map(read).collect()
}

/// A move that was made, and the cells that it and the moves of the other roles changed.
struct Change<'e> {
    words: &'e [String],
    cells: BTreeSet<CellId>,
}

/// The moves that were made, by skeleton.
fn changes<'e>(
    layout: &StateLayout,
    evidence: &'e GameEvidence,
) -> BTreeMap<&'e str, Vec<Change<'e>>> {
    let mut changes: BTreeMap<&str, Vec<Change<'_>>> = BTreeMap::new();
    let mut before: Option<(&[FlatTerm], Picture)> = None;
    for state in &evidence.states {
        let picture = layout.picture_of(&state.facts);
        if let Some((joint, old)) = before.take() {
            let cells: BTreeSet<CellId> = picture.changed_cells(&old).into_iter().collect();
            for mv in joint {
                let change = Change {
                    words: &mv.words,
                    cells: cells.clone(),
                };
                changes.entry(&mv.skeleton).or_default().push(change);
            }
        }
        before = (!state.joint.is_empty()).then_some((&state.joint[..], picture));
    }
    changes
}

/// Reads the words of the moves of one skeleton.
struct MoveReader<'a> {
    layout: &'a StateLayout,
    groups: &'a [CellGroup],
    moves: &'a BTreeSet<&'a [String]>,
    changes: &'a [Change<'a>],
}

impl MoveReader<'_> {
    fn named_cells(&self) -> Vec<NamedCell> {
        let arity = self.moves.first().map_or(0, |words| words.len());
        let mut named = Vec::new();
        let mut slot = 0;
        while slot < arity {
            match self.cell_at(slot, arity, &named) {
                Some((cell, width)) => {
                    named.push(cell);
                    slot += width;
                }
                None => slot += 1,
            }
        }
        if named.is_empty() {
            named.extend((0..arity).find_map(|slot| self.line_at(slot)));
        }
        named
    }

    /// The cell that the words from this slot on name, and the number of these words. Where it
    /// may be on several boards, it is on the one that changes there most often; if that does
    /// not decide, on the first that earlier words do not name.
    fn cell_at(
        &self,
        slot: usize,
        arity: usize,
        before: &[NamedCell],
    ) -> Option<(NamedCell, usize)> {
        let readings = self.groups.iter().enumerate().filter_map(|(group, own)| {
            let width = own.roles.len();
            let named = NamedCell {
                group,
                slots: (slot..slot + width).map(Some).collect(),
            };
            (slot + width <= arity && self.holds(&named)).then_some((named, width))
        });
        readings.max_by(|(left, left_width), (right, right_width)| {
            let used = |named: &NamedCell| {
                before
                    .iter()
                    .filter(|other| other.group == named.group)
                    .count()
            };
            let changed = (self.share_of_changes(left)).total_cmp(&self.share_of_changes(right));
            let close = (self.share_of_changes(left) - self.share_of_changes(right)).abs() < 0.1;
            match close {
                true => left_width
                    .cmp(right_width)
                    .then(used(right).cmp(&used(left)))
                    .then(right.group.cmp(&left.group)),
                false => changed,
            }
        })
    }

    /// A column or row that a single word names, judged by what changes.
    fn line_at(&self, slot: usize) -> Option<NamedCell> {
        let readings = self.groups.iter().enumerate().flat_map(|(group, own)| {
            let lines = own.roles.iter().enumerate();
            let lines = lines
                .filter(|(_, role)| matches!(role, CoordinateRole::Column | CoordinateRole::Row));
            lines.map(move |(at, _)| {
                let mut slots = vec![None; own.roles.len()];
                slots[at] = Some(slot);
                NamedCell { group, slots }
            })
        });
        let mut readings = readings.filter(|named| self.holds(named));
        readings.find(|named| self.changes.len() >= 3 && self.share_of_changes(named) >= 0.9)
    }

    /// Whether nearly all moves name a cell by this reading.
    fn holds(&self, named: &NamedCell) -> bool {
        let some = self
            .moves
            .iter()
            .step_by(self.moves.len().div_ceil(MOST_MOVES).max(1));
        let hits = some
            .clone()
            .filter(|words| !self.layout.named_cells(named, words).is_empty());
        hits.count() as f64 >= LEAST_SHARE * some.count() as f64
    }

    /// The share of the moves made by which a cell changed that they name.
    fn share_of_changes(&self, named: &NamedCell) -> f64 {
        let hits = self.changes.iter().filter(|change| {
            let cells = self.layout.named_cells(named, change.words);
            cells.iter().any(|cell| change.cells.contains(cell))
        });
        hits.count() as f64 / self.changes.len().max(1) as f64
    }
}

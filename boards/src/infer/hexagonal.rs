//! Hexagonal boards, recognised by the adjacency of their cells.

use super::adjacency::Adjacency;
use super::place::LatticePlace;
use std::collections::{BTreeMap, BTreeSet};

/// The shift of each row to the right, in widths of a cell, if cells of rows and columns
/// are hexagons: if some relation leads along rows, columns and one of the two diagonals,
/// and nowhere else.
pub(super) fn skew(places: &[LatticePlace], adjacency: &Adjacency) -> Option<f64> {
    adjacency.relations().find_map(|pairs| {
        let offset = |&(from, to): &(usize, usize)| {
            let (from, to) = (&places[from], &places[to]);
            let columns = to.column as i64 - from.column as i64;
            (columns, to.row as i64 - from.row as i64)
        };
        let offsets: BTreeSet<(i64, i64)> = pairs.iter().map(offset).collect();
        let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let with = |diagonal: [(i64, i64); 2]| {
            offsets
                == straight
                    .into_iter()
                    .chain(diagonal)
                    .collect::<BTreeSet<_>>()
        };
        if with([(1, 1), (-1, -1)]) {
            Some(-0.5)
        } else {
            with([(1, -1), (-1, 1)]).then_some(0.5)
        }
    })
}

/// For each row, the position of column 0, if the cells are hexagons in rows of different
/// lengths: if some relation leads along rows and to the two next cells of neighbouring
/// rows, and nowhere else.
pub(super) fn centred_rows(
    places: &[LatticePlace],
    adjacency: &Adjacency,
) -> Option<BTreeMap<usize, f64>> {
    let found = adjacency
        .relations()
        .find_map(|pairs| starts_of_rows(places, &pairs));
    // There may be a relation for each direction.
    let near = |pairs: &BTreeSet<(usize, usize)>| {
        pairs
            .iter()
            .all(|&(from, to)| places[from].row.abs_diff(places[to].row) <= 1)
    };
    found.or_else(|| {
        let all = adjacency.relations().filter(near).flatten().collect();
        starts_of_rows(places, &all)
    })
}

fn starts_of_rows(
    places: &[LatticePlace],
    pairs: &BTreeSet<(usize, usize)>,
) -> Option<BTreeMap<usize, f64>> {
    // The columns of the next row that cells touch say how the rows are shifted.
    let mut shifts: BTreeMap<usize, BTreeMap<i64, usize>> = BTreeMap::new();
    for &(from, to) in pairs {
        let (from, to) = (&places[from], &places[to]);
        let columns = to.column as i64 - from.column as i64;
        match to.row as i64 - from.row as i64 {
            0 if columns.abs() == 1 => {}
            1 => {
                let counts = shifts.entry(from.row).or_default();
                *counts.entry(columns).or_default() += 1;
            }
            -1 => {}
            _ => return None,
        }
    }
    let mut spans: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for place in places {
        let span = spans
            .entry(place.row)
            .or_insert((place.column, place.column));
        *span = (span.0.min(place.column), span.1.max(place.column));
    }
    let mut starts = BTreeMap::new();
    let mut start = 0.0;
    for (&row, &(first, last)) in &spans {
        starts.insert(row, start);
        start -= match (shifts.get(&row), spans.get(&(row + 1))) {
            (Some(counts), _) => shift(counts)?,
            // Rows about which the rules say nothing are centred above each other.
            (None, Some(next)) => ((next.0 + next.1) as f64 - (first + last) as f64) / 2.0,
            (None, None) => 0.0,
        };
    }
    let covered = spans.len() >= 3 && shifts.len() >= 2 && 2 * shifts.len() + 1 >= spans.len();
    covered.then_some(starts)
}

/// How far the columns of a row are shifted against those of the next, given the number of pairs
/// of neighbours at each shift; `None` if its cells are not between two cells of the next row.
fn shift(counts: &BTreeMap<i64, usize>) -> Option<f64> {
    // A slip in the rules should not matter: the two usual shifts count.
    let all: usize = counts.values().sum();
    let mut usual: Vec<(usize, i64)> = counts
        .iter()
        .map(|(&shift, &count)| (count, shift))
        .collect();
    usual.sort_unstable_by(|left, right| right.cmp(left));
    let [(most, one), (less, other), ..] = usual[..] else {
        return None;
    };
    let is_usual = 4 * (most + less) >= 3 * all && 5 * less >= all && one.abs_diff(other) == 1;
    is_usual.then_some((one + other) as f64 / 2.0)
}

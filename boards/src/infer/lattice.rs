//! Positions of cells: rows and columns, several boards, boards of boards, and rows of
//! cells that have names of their own.

use super::adjacency::{Adjacency, width_of_rows};
use super::candidate::CoordinateRole;
use super::group::CellGroup;
use super::place::{LatticePlace, finish};
use super::relation::SeenRelation;
use super::{axis, graph, hexagonal};
use crate::evidence::GameEvidence;
use crate::flat_term::{pick, relation_of};
use crate::layout::{AxisLabel, BoardLayout, Geometry};
use std::collections::{BTreeMap, BTreeSet};

/// The space between the boards of a board of boards, in widths of a cell.
const GAP: f64 = 0.3;

/// The largest number of cells in a row of cells that have names without an order.
const LONGEST_ROW: usize = 12;

/// The boards of a group.
pub(super) fn boards(
    group: &CellGroup,
    relations: &[SeenRelation<'_>],
    evidence: &GameEvidence,
) -> Vec<BoardLayout> {
    let roles = turned(group);
    let name = relation_of(relations[group.members[0].relation].skeleton);
    let selector = roles.iter().position(|role| *role == CoordinateRole::Board);
    let cells = cells(group, relations, evidence);
    let Some(selector) = selector else {
        let mut board = board(group, &roles, name.to_owned(), &cells, evidence);
        join_corners(group, &roles, relations, &mut board);
        return vec![board];
    };
    let mut boards = Vec::new();
    for value in &group.axes[selector] {
        let own: Vec<Vec<String>> = cells
            .iter()
            .filter(|key| &key[selector] == value)
            .cloned()
            .collect();
        if !own.is_empty() {
            boards.push(board(
                group,
                &roles,
                format!("{name} {value}"),
                &own,
                evidence,
            ));
        }
    }
    boards
}

/// Makes links join corners if they need one more column and one more row than the pieces.
fn join_corners(
    group: &CellGroup,
    roles: &[CoordinateRole],
    relations: &[SeenRelation<'_>],
    board: &mut BoardLayout,
) {
    let first = &group.members[0];
    let domains = || {
        first
            .key
            .iter()
            .map(|&slot| &relations[first.relation].domains[slot])
    };
    let is_longer = group
        .axes
        .iter()
        .zip(domains())
        .all(|(axis, domain)| axis.len() == domain.len() + 1);
    let has_links = group
        .members
        .iter()
        .any(|member| member.other_end.is_some());
    if roles.len() != 2 || board.geometry != Geometry::Squares || !has_links || !is_longer {
        return;
    }
    board.links_join_corners = true;
    for cell in &mut board.cells {
        let mut pairs = cell.coordinates.iter().zip(domains());
        cell.is_corner = !pairs.all(|(word, domain)| domain.contains(word.as_str()));
    }
}

/// The roles of the coordinates, with columns and rows swapped if only the rows are
/// letters, or if they are called r and c.
fn turned(group: &CellGroup) -> Vec<CoordinateRole> {
    let axis_of = |wanted: CoordinateRole| {
        let at = group.roles.iter().position(|role| *role == wanted)?;
        group.axes[at].first().map(String::as_str)
    };
    let (Some(column), Some(row)) = (
        axis_of(CoordinateRole::Column),
        axis_of(CoordinateRole::Row),
    ) else {
        return group.roles.clone();
    };
    let letter =
        |value: &str| value.len() == 1 && !value.ends_with(|end: char| end.is_ascii_digit());
    let swap = letter(row) && !letter(column) || column.starts_with('r') && row.starts_with('c');
    let turn = |role: &CoordinateRole| if swap { role.transposed() } else { *role };
    group.roles.iter().map(turn).collect()
}

/// The keys of all cells: those that were seen if there cannot be others, else every
/// combination.
fn cells(
    group: &CellGroup,
    relations: &[SeenRelation<'_>],
    evidence: &GameEvidence,
) -> Vec<Vec<String>> {
    let mut seen: BTreeSet<Vec<&str>> = BTreeSet::new();
    let skeleton = |at: usize| relations[at].skeleton;
    for member in &group.members {
        let ends = [Some(&member.key), member.other_end.as_ref()];
        let facts = relations[member.relation].states.iter().flatten().copied();
        let fluents = evidence
            .fluents
            .iter()
            .filter(|fluent| fluent.skeleton == skeleton(member.relation));
        for words in facts.chain(fluents.map(|fluent| &fluent.words[..])) {
            for key in ends.iter().flatten() {
                seen.insert(pick(words, key));
            }
        }
    }
    let first = &relations[group.members[0].relation];
    let is_full =
        || first.states.len() > 1 && first.states.iter().all(|facts| facts.len() == seen.len());
    let is_complete = !evidence.fluents.is_empty() || is_full();
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for axis in &group.axes {
        let longer = |key: &Vec<String>| {
            let key = key.clone();
            axis.iter()
                .map(move |value| [&key[..], std::slice::from_ref(value)].concat())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    if is_complete {
        all.retain(|key| seen.contains(&key.iter().map(String::as_str).collect::<Vec<_>>()));
    }
    all
}

/// One board.
fn board(
    group: &CellGroup,
    roles: &[CoordinateRole],
    name: String,
    keys: &[Vec<String>],
    evidence: &GameEvidence,
) -> BoardLayout {
    let position = |role: CoordinateRole| roles.iter().position(|own| *own == role);
    let names = (0..roles.len()).filter(|&at| roles[at] == CoordinateRole::Name);
    match names.collect::<Vec<usize>>()[..] {
        [at] => return named_cells(name, keys, at, &group.axes[at], evidence),
        [first, second] => {
            let places = places_by_words(keys, [first, second], &group.axes);
            return board_of_words(name, &places, evidence);
        }
        _ => {}
    }
    let index = |role: CoordinateRole, key: &Vec<String>| {
        let at = position(role)?;
        group.axes[at].iter().position(|value| *value == key[at])
    };
    let length = |role: CoordinateRole| position(role).map_or(1, |at| group.axes[at].len());
    let (columns, rows) = (length(CoordinateRole::Column), length(CoordinateRole::Row));
    let places: Vec<LatticePlace> = keys
        .iter()
        .map(|key| {
            let outer = |role| index(role, key).unwrap_or(0);
            LatticePlace {
                coordinates: key.clone(),
                column: outer(CoordinateRole::OuterColumn) * columns
                    + outer(CoordinateRole::Column),
                row: outer(CoordinateRole::OuterRow) * rows + outer(CoordinateRole::Row),
            }
        })
        .collect();
    if position(CoordinateRole::OuterColumn).is_some() {
        let step = |at: usize, size: usize| at as f64 + GAP * (at / size) as f64;
        let at = |place: &LatticePlace| (step(place.column, columns), step(place.row, rows));
        return finish(name, Geometry::Squares, &places, at);
    }
    let is_plane = position(CoordinateRole::Board).is_none();
    let adjacency = is_plane.then(|| Adjacency::find(&places, &evidence.statics));
    if let Some(skew) = adjacency
        .as_ref()
        .and_then(|adjacency| hexagonal::skew(&places, adjacency))
    {
        let at = |place: &LatticePlace| {
            (
                place.column as f64 + skew * place.row as f64,
                place.row as f64,
            )
        };
        let mut board = finish(name, Geometry::Hexagons, &places, at);
        label_slanting_columns(&mut board, &places, group, roles);
        label_rows(&mut board, &places, group, roles);
        return board;
    }
    if let Some(starts) = adjacency
        .as_ref()
        .and_then(|adjacency| hexagonal::centred_rows(&places, adjacency))
    {
        let at =
            |place: &LatticePlace| (starts[&place.row] + place.column as f64, place.row as f64);
        let mut board = finish(name, Geometry::Hexagons, &places, at);
        label_rows(&mut board, &places, group, roles);
        return board;
    }
    // Columns of different lengths are rows turned on their side.
    let turned: Vec<LatticePlace> = places.iter().map(LatticePlace::transposed).collect();
    if let Some(starts) = adjacency
        .as_ref()
        .and_then(|adjacency| hexagonal::centred_rows(&turned, adjacency))
    {
        let at =
            |place: &LatticePlace| (starts[&place.row] + place.column as f64, place.row as f64);
        let mut board = finish(name, Geometry::Hexagons, &turned, at);
        let roles: Vec<CoordinateRole> = roles.iter().map(|role| role.transposed()).collect();
        label_rows(&mut board, &turned, group, &roles);
        return board;
    }
    let at = |place: &LatticePlace| (place.column as f64, place.row as f64);
    let mut board = finish(name, Geometry::Squares, &places, at);
    label_columns(&mut board, &places, group, roles);
    label_rows(&mut board, &places, group, roles);
    board
}

/// The values of the coordinate with this role, by the number that `line` gives to places.
fn values(
    places: &[LatticePlace],
    group: &CellGroup,
    roles: &[CoordinateRole],
    wanted: CoordinateRole,
    line: impl Fn(&LatticePlace) -> usize,
) -> BTreeMap<usize, String> {
    let Some(at) = roles.iter().position(|role| *role == wanted) else {
        return BTreeMap::new();
    };
    debug_assert_eq!(group.axes.len(), roles.len());
    places
        .iter()
        .map(|place| (line(place), place.coordinates[at].clone()))
        .collect()
}

fn label_columns(
    board: &mut BoardLayout,
    places: &[LatticePlace],
    group: &CellGroup,
    roles: &[CoordinateRole],
) {
    let least = places.iter().map(|place| place.column).min().unwrap_or(0);
    let values = values(places, group, roles, CoordinateRole::Column, |place| {
        place.column
    });
    let labels = values.into_iter().map(|(column, text)| AxisLabel {
        text,
        at: (column - least) as f64,
    });
    board.column_labels = labels.collect();
}

/// Labels columns below the cells of the last row, if that has all of them.
fn label_slanting_columns(
    board: &mut BoardLayout,
    places: &[LatticePlace],
    group: &CellGroup,
    roles: &[CoordinateRole],
) {
    label_columns(board, places, group, roles);
    let last = board.cells.iter().filter(|cell| cell.row + 1 == board.rows);
    let positions: BTreeMap<u32, f64> = last.map(|cell| (cell.column, cell.x)).collect();
    for label in &mut board.column_labels {
        label.at = positions
            .get(&(label.at as u32))
            .copied()
            .unwrap_or(label.at);
    }
    if positions.len() < board.columns as usize {
        board.column_labels.clear();
    }
}

fn label_rows(
    board: &mut BoardLayout,
    places: &[LatticePlace],
    group: &CellGroup,
    roles: &[CoordinateRole],
) {
    let last = places.iter().map(|place| place.row).max().unwrap_or(0);
    let values = values(places, group, roles, CoordinateRole::Row, |place| place.row);
    let labels = values.into_iter().filter_map(|(row, text)| {
        let mut own = board
            .cells
            .iter()
            .filter(|cell| cell.row as usize == last - row);
        Some(AxisLabel {
            text,
            at: own.next()?.y,
        })
    });
    board.row_labels = labels.collect();
}

/// Cells with names of two words: the first chooses the column, the second the row.
fn places_by_words(
    keys: &[Vec<String>],
    at: [usize; 2],
    axes: &[Vec<String>],
) -> Vec<LatticePlace> {
    let index = |key: &[String], at: usize| axes[at].iter().position(|value| *value == key[at]);
    let places = keys.iter().map(|key| LatticePlace {
        coordinates: key.clone(),
        column: index(key, at[0]).unwrap_or(0),
        row: axes[at[1]].len() - 1 - index(key, at[1]).unwrap_or(0),
    });
    places.collect()
}

/// A board whose cells have names of two words.
fn board_of_words(name: String, places: &[LatticePlace], evidence: &GameEvidence) -> BoardLayout {
    let adjacency = Adjacency::find(places, &evidence.statics);
    if !adjacency.is_empty() {
        return graph::board(name, places, &adjacency);
    }
    finish(name, Geometry::Squares, places, |place| {
        (place.column as f64, place.row as f64)
    })
}

/// A board whose cells have names of their own.
fn named_cells(
    name: String,
    keys: &[Vec<String>],
    at: usize,
    axis: &[String],
    evidence: &GameEvidence,
) -> BoardLayout {
    if let Some(places) = lettered_rows(keys, at) {
        let adjacency = Adjacency::find(&places, &evidence.statics);
        if let Some(starts) = hexagonal::centred_rows(&places, &adjacency) {
            let at =
                |place: &LatticePlace| (starts[&place.row] + place.column as f64, place.row as f64);
            return finish(name, Geometry::Hexagons, &places, at);
        }
        if !adjacency.is_empty() && !adjacency.is_square(&places) {
            return graph::board(name, &places, &adjacency);
        }
        return finish(name, Geometry::Squares, &places, |place| {
            (place.column as f64, place.row as f64)
        });
    }
    let index = |key: &Vec<String>| axis.iter().position(|value| *value == key[at]).unwrap_or(0);
    let line: Vec<LatticePlace> = keys
        .iter()
        .map(|key| LatticePlace {
            coordinates: key.clone(),
            column: index(key),
            row: 0,
        })
        .collect();
    let adjacency = Adjacency::find(&line, &evidence.statics);
    if !adjacency.is_empty() && !adjacency.is_path(&line) {
        return graph::board(name, &line, &adjacency);
    }
    let width = width_of_rows(axis, &evidence.statics).unwrap_or(LONGEST_ROW);
    let rows = axis.len().div_ceil(width);
    let fold = |place: &LatticePlace| LatticePlace {
        coordinates: place.coordinates.clone(),
        column: place.column % width,
        row: rows - 1 - place.column / width,
    };
    let places: Vec<LatticePlace> = line.iter().map(fold).collect();
    let mut board = finish(name, Geometry::Squares, &places, |place| {
        (place.column as f64, place.row as f64)
    });
    if rows == 1 {
        let label = |place: &LatticePlace| AxisLabel {
            text: place.coordinates[at].clone(),
            at: place.column as f64,
        };
        board.column_labels = places.iter().map(label).collect();
    }
    board
}

/// Rows of cells whose names are a letter for the row, from the top, and a number.
fn lettered_rows(keys: &[Vec<String>], at: usize) -> Option<Vec<LatticePlace>> {
    let mut rows: BTreeMap<&str, Vec<(usize, &Vec<String>)>> = BTreeMap::new();
    for key in keys {
        let name = &key[at];
        let (prefix, number) = axis::ordinal(name)?;
        let column = usize::try_from(number).ok()?;
        let is_name = (1..=2).contains(&prefix.len()) && prefix.len() < name.len();
        if !is_name || column > axis::LONGEST {
            return None;
        }
        rows.entry(prefix).or_default().push((column, key));
    }
    if rows.len() < 2 {
        return None;
    }
    let count = rows.len();
    let mut places = Vec::new();
    for (row, cells) in rows.into_values().enumerate() {
        places.extend(cells.into_iter().map(|(column, key)| LatticePlace {
            coordinates: key.clone(),
            column,
            row: count - 1 - row,
        }));
    }
    Some(places)
}

//! Positions of cells of which only adjacency is known.

use super::adjacency::Adjacency;
use super::place::{LatticePlace, finish};
use crate::layout::{BoardLayout, Geometry};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The number of rounds in which positions are improved.
const ROUNDS: usize = 300;

/// The board of a graph, with lines between adjacent cells.
pub(super) fn board(name: String, places: &[LatticePlace], adjacency: &Adjacency) -> BoardLayout {
    let pairs = adjacency.likeliest(places.len()).unwrap_or_default();
    let positions = spread(&distances(places.len(), &pairs), &pairs);
    let index: BTreeMap<&[String], usize> = places
        .iter()
        .enumerate()
        .map(|(index, place)| (&place.coordinates[..], index))
        .collect();
    let mut board = finish(name, Geometry::Points, places, |place| {
        positions[index[&place.coordinates[..]]]
    });
    // The order of positions: there are no true rows and columns.
    let mut order: Vec<usize> = (0..board.cells.len()).collect();
    order.sort_by(|&left, &right| {
        let key = |index: usize| (board.cells[index].y, board.cells[index].x);
        key(left)
            .partial_cmp(&key(right))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    board.cells = order
        .iter()
        .map(|&index| board.cells[index].clone())
        .collect();
    for (column, cell) in board.cells.iter_mut().enumerate() {
        (cell.column, cell.row) = (column as u32, 0);
    }
    (board.columns, board.rows) = (board.cells.len() as u32, 1);
    let cells = board.cells.iter().enumerate();
    let at: BTreeMap<usize, u32> = cells
        .map(|(cell, place)| (index[&place.coordinates[..]], cell as u32))
        .collect();
    let lines = pairs.iter().filter(|(from, to)| from < to);
    board.lines = lines.map(|(from, to)| (at[from], at[to])).collect();
    board
}

/// The number of steps between all cells; where there is no path, a little more than the
/// square root of the number of cells.
fn distances(cells: usize, pairs: &BTreeSet<(usize, usize)>) -> Vec<Vec<f64>> {
    let mut neighbours = vec![Vec::new(); cells];
    for &(from, to) in pairs {
        neighbours[from].push(to);
    }
    let far = (cells as f64).sqrt().ceil() + 1.0;
    let from = |start: usize| {
        let mut distance = vec![far; cells];
        distance[start] = 0.0;
        let mut queue = VecDeque::from([start]);
        let mut seen = BTreeSet::from([start]);
        while let Some(at) = queue.pop_front() {
            for &next in &neighbours[at] {
                if seen.insert(next) {
                    distance[next] = distance[at] + 1.0;
                    queue.push_back(next);
                }
            }
        }
        distance
    };
    (0..cells).map(from).collect()
}

/// Positions whose distances are close to these: stress majorisation (Gansner, Koren and
/// North, "Graph Drawing by Stress Majorization", 2004), one cell after the other.
fn spread(distances: &[Vec<f64>], pairs: &BTreeSet<(usize, usize)>) -> Vec<(f64, f64)> {
    let cells = distances.len();
    let angle = |index: usize| index as f64 / cells.max(1) as f64 * std::f64::consts::TAU;
    let mut at: Vec<(f64, f64)> = (0..cells)
        .map(|index| {
            let radius = cells as f64 / 4.0;
            (radius * angle(index).sin(), radius * angle(index).cos())
        })
        .collect();
    for _ in 0..ROUNDS {
        for moved in 0..cells {
            at[moved] = majorise(moved, &at, &distances[moved]);
        }
    }
    // Lines are one unit long on average, but room for a piece is left everywhere.
    let length =
        |left: usize, right: usize| (at[left].0 - at[right].0).hypot(at[left].1 - at[right].1);
    let all = (0..cells).flat_map(|left| (0..left).map(move |right| (left, right)));
    let closest = all
        .map(|(left, right)| length(left, right))
        .fold(f64::INFINITY, f64::min);
    let mean = pairs
        .iter()
        .map(|&(from, to)| length(from, to))
        .sum::<f64>()
        / pairs.len().max(1) as f64;
    let scale = (1.0 / closest.max(0.05)).min(2.2 / mean.max(0.05));
    at.iter().map(|&(x, y)| (x * scale, y * scale)).collect()
}

/// The best position of a cell, given the others.
fn majorise(moved: usize, at: &[(f64, f64)], distances: &[f64]) -> (f64, f64) {
    let (mut x, mut y, mut weights) = (0.0, 0.0, 0.0);
    for (other, &position) in at.iter().enumerate().filter(|&(other, _)| other != moved) {
        let wanted = distances[other];
        let weight = 1.0 / (wanted * wanted);
        let (dx, dy) = (at[moved].0 - position.0, at[moved].1 - position.1);
        let length = dx.hypot(dy).max(1e-9);
        x += weight * (position.0 + wanted * dx / length);
        y += weight * (position.1 + wanted * dy / length);
        weights += weight;
    }
    match weights > 0.0 {
        true => (x / weights, y / weights),
        false => at[moved],
    }
}

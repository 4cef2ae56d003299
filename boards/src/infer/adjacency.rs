//! Which cells are adjacent, by the static relations of the rules.

use super::place::LatticePlace;
use crate::flat_term::FlatTerm;
use std::collections::{BTreeMap, BTreeSet};

/// Pairs of cells, by position in the list of places, for each static relation between
/// cells.
#[derive(Debug, Default)]
pub(super) struct Adjacency(Vec<BTreeSet<(usize, usize)>>);

/// The smallest share of a relation's facts that are about cells of the board, if a single
/// word names a cell: words may mean something else.
const LEAST_SHARE: f64 = 0.6;

/// The smallest share if several words name a cell: rules often hold beyond the board.
const LEAST_SHARE_OF_WORDS: f64 = 0.2;

/// The largest number of neighbours that cells have on average.
const MOST_NEIGHBOURS: usize = 7;

impl Adjacency {
    /// Finds the static relations whose facts name two cells each.
    pub(super) fn find(places: &[LatticePlace], statics: &[FlatTerm]) -> Self {
        let mut cells: BTreeMap<Vec<String>, usize> = BTreeMap::new();
        for (index, place) in places.iter().enumerate() {
            cells.insert(lower(&place.coordinates), index);
        }
        let width = places.first().map_or(0, |place| place.coordinates.len());
        let mut relations: BTreeMap<&str, Vec<&FlatTerm>> = BTreeMap::new();
        for fact in statics {
            if fact.words.len() >= 2 * width && fact.words.len() <= 2 * width + 2 {
                relations.entry(&fact.skeleton).or_default().push(fact);
            }
        }
        let relations = relations
            .into_values()
            .filter(|facts| facts.len() >= places.len().div_ceil(2));
        Self(
            relations
                .filter_map(|facts| pairs(&facts, width, &cells))
                .collect(),
        )
    }

    /// Whether no relation is about two cells.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pairs of each relation, in both directions.
    pub(super) fn relations(&self) -> impl Iterator<Item = BTreeSet<(usize, usize)>> {
        self.0.iter().map(|pairs| {
            pairs
                .iter()
                .flat_map(|&(from, to)| [(from, to), (to, from)])
                .collect()
        })
    }

    /// The relation that is most likely to mean adjacency: the one with the most pairs of
    /// those that are about most cells, and about few pairs for each.
    pub(super) fn likeliest(&self, cells: usize) -> Option<BTreeSet<(usize, usize)>> {
        let fits = |pairs: &BTreeSet<(usize, usize)>| {
            let touched: BTreeSet<usize> = pairs.iter().map(|&(from, _)| from).collect();
            2 * touched.len() > cells && pairs.len() <= MOST_NEIGHBOURS * cells
        };
        self.relations().filter(fits).max_by_key(BTreeSet::len)
    }

    /// Whether some relation holds of neighbours in rows and columns alone.
    pub(super) fn is_square(&self, places: &[LatticePlace]) -> bool {
        let next = |&(from, to): &(usize, usize)| {
            let (from, to) = (&places[from], &places[to]);
            from.column.abs_diff(to.column) <= 1 && from.row.abs_diff(to.row) <= 1
        };
        self.relations().any(|pairs| pairs.iter().all(next))
    }

    /// Whether all relations lead from a cell to the next of the line, or say nothing
    /// about adjacency, being about most pairs of cells.
    pub(super) fn is_path(&self, places: &[LatticePlace]) -> bool {
        let next =
            |&(from, to): &(usize, usize)| places[from].column.abs_diff(places[to].column) == 1;
        let dense = MOST_NEIGHBOURS * places.len();
        self.relations()
            .all(|pairs| pairs.iter().all(next) || pairs.len() > dense)
    }
}

/// The width of the rows into which a line of cells folds, if some static relation lists
/// rows of consecutive cells that fill the line, as those about three in a row do.
pub(super) fn width_of_rows(axis: &[String], statics: &[FlatTerm]) -> Option<usize> {
    let row = |fact: &FlatTerm| {
        let at = |word: &String| {
            axis.iter()
                .position(|value| value.eq_ignore_ascii_case(word))
        };
        let cells: BTreeSet<usize> = fact.words.iter().map(at).collect::<Option<_>>()?;
        let (&first, &last) = (cells.first()?, cells.last()?);
        let is_row = cells.len() >= 3 && last - first + 1 == cells.len();
        is_row.then_some((first, cells.len()))
    };
    let rows: BTreeSet<(usize, usize)> = statics.iter().filter_map(row).collect();
    let width = rows.first()?.1;
    let mut starts = (0..axis.len()).step_by(width);
    let whole = axis.len().is_multiple_of(width) && width < axis.len();
    (whole && starts.all(|start| rows.contains(&(start, width)))).then_some(width)
}

/// The pairs of cells of a relation; `None` if it is not about two cells.
fn pairs(
    facts: &[&FlatTerm],
    width: usize,
    cells: &BTreeMap<Vec<String>, usize>,
) -> Option<BTreeSet<(usize, usize)>> {
    let arity = facts.first()?.words.len();
    let is_line = |fact: &&FlatTerm| {
        let names: BTreeSet<&[String]> = fact.words.chunks(width).collect();
        names.len() > 2 && names.iter().all(|words| cells.contains_key(&lower(words)))
    };
    if facts.iter().any(is_line) {
        return None;
    }
    let cell = |words: &[String]| cells.get(&lower(words)).copied();
    let starts = (0..=arity - 2 * width)
        .flat_map(|from| (from + width..=arity - width).map(move |to| (from, to)));
    for (from, to) in starts {
        let pair = |fact: &&FlatTerm| {
            let from = cell(&fact.words[from..from + width])?;
            let to = cell(&fact.words[to..to + width])?;
            Some((from, to)).filter(|(from, to)| from != to)
        };
        let found: BTreeSet<(usize, usize)> = facts.iter().filter_map(pair).collect();
        let share =
            facts.iter().filter(|fact| pair(fact).is_some()).count() as f64 / facts.len() as f64;
        let least = match width {
            1 => LEAST_SHARE,
            _ => LEAST_SHARE_OF_WORDS,
        };
        if share >= least {
            return Some(found);
        }
    }
    None
}

fn lower(words: &[String]) -> Vec<String> {
    words.iter().map(|word| word.to_lowercase()).collect()
}

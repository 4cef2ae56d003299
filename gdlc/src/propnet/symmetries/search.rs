//! Finds generators: follows a path of individualised elements to a colouring in
//! which all colours differ, and finds for each element of the path the others that
//! it can be exchanged with.

use petgraph::unionfind::UnionFind;

use super::graph::SymmetryGraph;
use super::group::SymmetryGroup;
use super::refinement::Coloring;

/// One choice on the path to the reference leaf.
struct PathLevel {
    /// Before the choice.
    coloring: Coloring,
    /// The colour class from which an element is chosen.
    class: Vec<usize>,
    /// The colours after the choice, sorted.
    after: Vec<u64>,
}

impl PathLevel {
    fn chosen(&self) -> usize {
        self.class[0]
    }

    fn color(&self) -> u64 {
        self.coloring.colors[self.chosen()]
    }
}

struct SymmetrySearch<'a> {
    graph: &'a SymmetryGraph<'a>,
    levels: Vec<PathLevel>,
    /// The colouring in which all elements differ.
    leaf: Coloring,
    work: u64,
    most_work: u64,
}

/// Finds generators of all symmetries, as long as that takes no more than `most_work` looks
/// at gates and operands.
pub(super) fn find_generators(graph: &SymmetryGraph<'_>, most_work: u64) -> SymmetryGroup {
    let mut work = 0;
    let mut levels = Vec::new();
    let mut leaf = Coloring::initial(graph);
    while let Some(class) = leaf.smallest_class() {
        if work > most_work {
            return SymmetryGroup {
                generators: Vec::new(),
                order: Some(1),
                is_complete: false,
            };
        }
        let next = leaf.individualized(graph, class[0], &mut work);
        levels.push(PathLevel {
            coloring: leaf,
            class,
            after: next.sorted(),
        });
        leaf = next;
    }
    let mut search = SymmetrySearch {
        graph,
        levels,
        leaf,
        work,
        most_work,
    };
    search.run()
}

impl SymmetrySearch<'_> {
    /// From the deepest level up: symmetries that keep what was chosen above a level are
    /// products of those found there and deeper (Schreier and Sims).
    fn run(&mut self) -> SymmetryGroup {
        let elements = self.graph.elements.count();
        let mut orbits: UnionFind<usize> = UnionFind::new(elements);
        let mut found = SymmetryGroup {
            generators: Vec::new(),
            order: Some(1),
            is_complete: true,
        };
        for level in (0..self.levels.len()).rev() {
            let chosen = self.levels[level].chosen();
            let class = self.levels[level].class.clone();
            let mut failed: Vec<usize> = Vec::new();
            for &other in &class[1..] {
                let is_known = orbits.equiv(chosen, other)
                    || failed.iter().any(|&one| orbits.equiv(one, other));
                if is_known {
                    continue;
                }
                match self.exchange(level, other) {
                    Some(images) => {
                        for (element, &image) in images.iter().enumerate() {
                            orbits.union(element, image);
                        }
                        found
                            .generators
                            .extend(self.graph.elements.symmetry(&images));
                    }
                    None => failed.push(other),
                }
                if self.work > self.most_work {
                    found.is_complete = false;
                    break;
                }
            }
            let orbit = class.iter().filter(|&&one| orbits.equiv(chosen, one));
            let orbit = orbit.count() as u128;
            found.order = found.order.and_then(|order| order.checked_mul(orbit));
        }
        found
    }

    /// A symmetry that keeps what was chosen above a level and exchanges what was chosen
    /// there for another element of its class: the image of every element.
    fn exchange(&mut self, level: usize, other: usize) -> Option<Vec<usize>> {
        let coloring = self.levels[level].coloring.clone();
        self.descend(level, &coloring, other)
    }

    fn descend(&mut self, level: usize, coloring: &Coloring, chosen: usize) -> Option<Vec<usize>> {
        if self.work > self.most_work {
            return None;
        }
        let next = coloring.individualized(self.graph, chosen, &mut self.work);
        if next.sorted() != self.levels[level].after {
            return None;
        }
        let Some(below) = self.levels.get(level + 1) else {
            let images = self.images(&next);
            return self.graph.is_symmetry(&images).then_some(images);
        };
        let color = below.color();
        let class: Vec<usize> = (0..next.colors.len())
            .filter(|&element| next.colors[element] == color)
            .collect();
        class
            .into_iter()
            .find_map(|other| self.descend(level + 1, &next, other))
    }

    /// The element of the same colour at another leaf, for each element.
    fn images(&self, other: &Coloring) -> Vec<usize> {
        let order = |coloring: &Coloring| {
            let mut order: Vec<usize> = (0..coloring.colors.len()).collect();
            order.sort_unstable_by_key(|&element| coloring.colors[element]);
            order
        };
        let mut images = vec![0; other.colors.len()];
        for (from, to) in order(&self.leaf).into_iter().zip(order(other)) {
            images[from] = to;
        }
        images
    }
}

//! Parts of a game that have nothing to do with each other.

use petgraph::unionfind::UnionFind;

use super::{Factor, Factors};
use crate::id::Id as _;

impl Factors {
    /// The factors, joined wherever one comes after another, so that none depends on
    /// any other; in the order of their first factors.
    #[must_use]
    pub fn independent(&self) -> Vec<Factor> {
        let mut joined: UnionFind<usize> = UnionFind::new(self.factors.len());
        for (id, factor) in self.factors.iter_ids() {
            for other in &factor.after {
                joined.union(id.index(), other.index());
            }
        }
        let mut parts: Vec<(usize, Factor)> = Vec::new();
        for (id, factor) in self.factors.iter_ids() {
            let joint = joined.find(id.index());
            match parts.iter_mut().find(|(other, _)| *other == joint) {
                Some((_, part)) => {
                    part.bases.extend(&factor.bases);
                    part.moves.extend(&factor.moves);
                    part.conditions.extend(factor.conditions.iter().cloned());
                }
                None => parts.push((
                    joint,
                    Factor {
                        after: Vec::new(),
                        ..factor.clone()
                    },
                )),
            }
        }
        let mut parts: Vec<Factor> = parts.into_iter().map(|(_, part)| part).collect();
        for part in &mut parts {
            part.bases.sort_unstable();
            part.moves.sort_unstable();
        }
        parts
    }
}

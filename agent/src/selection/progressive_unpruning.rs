//! Progressive unpruning: few moves at first, more with every visit.

use super::history::HistoryHeuristic;
use super::{Knowledge, MoveChoice};
use crate::component::{Component, Parameter, ParameterKind, Slot};
use crate::episode::Continuations;

/// The component.
pub const COMPONENT: Component = Component {
    name: "unpruning",
    slot: Slot::Knowledge,
    summary: "only the moves with the highest H(a) are considered, where H(a) is the average \
              return of all simulations in which the role made the move, in whatever state: few \
              at first, and one more each time the visits of the node have grown by a factor",
    source: "Chaslot et al. 2007; Finnsson and Björnsson 2009, section 5",
    parameters: &[
        Parameter {
            name: "moves",
            meaning: "the moves considered at first",
            kind: ParameterKind::Number {
                default: 5.0,
                range: 1.0..=1e6,
            },
        },
        Parameter {
            name: "visits",
            meaning: "A, the visits of a node at which the next move is considered",
            kind: ParameterKind::Number {
                default: 50.0,
                range: 1.0..=1e9,
            },
        },
        Parameter {
            name: "growth",
            meaning: "B, the factor between these visits and those for each further move",
            kind: ParameterKind::Number {
                default: 1.3,
                range: 1.001..=1e6,
            },
        },
    ],
    build: |builder, values, _| {
        builder.knowledge(ProgressiveUnpruning {
            first: values.get(0) as usize,
            visits: values.get(1) as f32,
            growth: values.get(2) as f32,
            history: HistoryHeuristic::default(),
            ranked: Vec::new(),
        });
    },
};

/// Progressive unpruning (Chaslot, Winands, Uiterwijk, van den Herik and Bouzy 2007), one
/// of the progressive strategies of section 5 of Finnsson and Björnsson 2009: the k-th
/// move after the first ones is considered from A·B^(k−1) visits of the node on.
///
/// The published knowledge is about Go. That of a general player is what simulations have
/// shown of moves: their average return in whatever state, 100 for moves never made. It
/// changes during the search, and the moves that are considered with it. Moves that need
/// no more simulations do not count among them.
///
/// Cost: all moves of all simulations are observed, and each is counted; the moves of a
/// node are sorted at each choice.
#[derive(Debug)]
pub struct ProgressiveUnpruning {
    first: usize,
    visits: f32,
    growth: f32,
    history: HistoryHeuristic,
    /// Moves by what is known of them.
    ranked: Vec<(f32, usize)>,
}

impl ProgressiveUnpruning {
    /// The number of moves considered after this many visits of the node.
    fn width(&self, visits: u32) -> usize {
        let ratio = visits as f32 / self.visits;
        match ratio < 1.0 {
            true => self.first,
            false => self.first + 1 + ratio.log(self.growth) as usize,
        }
    }
}

impl Knowledge for ProgressiveUnpruning {
    fn apply(&mut self, choice: &MoveChoice<'_>, values: &mut [f32]) {
        let width = self.width(choice.visits);
        let known = |index: usize| self.history.value(choice.role, choice.edges[index].mv);
        let open = (0..values.len()).filter(|&index| values[index] > f32::NEG_INFINITY);
        self.ranked.clear();
        self.ranked.extend(open.map(|index| (known(index), index)));
        self.ranked
            .sort_by(|(one, _), (other, _)| other.total_cmp(one));
        for &(_, index) in self.ranked.iter().skip(width) {
            values[index] = f32::NEG_INFINITY;
        }
    }

    fn learn(&mut self, inside: &[u32], continuations: &Continuations) {
        self.history.learn(inside, continuations);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_added_as_visits_grow() {
        let unpruning = ProgressiveUnpruning {
            first: 5,
            visits: 50.0,
            growth: 2.0,
            history: HistoryHeuristic::default(),
            ranked: Vec::new(),
        };
        let widths = [0, 49, 50, 99, 100, 199, 201, 801].map(|visits| unpruning.width(visits));
        assert_eq!(widths, [5, 5, 6, 6, 7, 7, 8, 10]);
    }
}

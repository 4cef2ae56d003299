//! [`MoveSets`]: the gates that say that none of some moves is made.

use super::choices::Choices;
use crate::ground::MoveId;
use crate::id::IdVec;
use crate::propnet::{PropNode, PropNodeId, Propnet, Signal};
use indexmap::IndexMap;

/// A choice by its number, and the literals that discriminate some of its moves.
type MovesOf<'a> = (u32, &'a [Signal]);

/// Which gates exclude moves of choices that were taken apart, and say nothing else.
pub(super) struct MoveSets {
    /// For every node, whether it is such a gate.
    sets: IdVec<PropNodeId, bool>,
    /// For every move of such a choice the choice and the position of its candidate.
    places: IdVec<MoveId, Option<(u32, u32)>>,
}

impl MoveSets {
    pub fn find(net: &Propnet, choices: &Choices) -> Self {
        let mut places = IdVec::filled(None, net.moves.len());
        let apart = (0..).zip(&choices.choices);
        for (number, choice) in apart.filter(|(_, choice)| choice.parts.is_some()) {
            for (position, moves) in (0..).zip(&choice.candidates) {
                for &mv in moves {
                    places[mv] = Some((number, position));
                }
            }
        }
        let mut found = Self {
            sets: IdVec::new(),
            places,
        };
        for node in &net.nodes {
            let is_set = match node {
                PropNode::And(operands) => {
                    (operands.iter()).all(|&operand| found.excludes_moves(net, operand))
                }
                _ => false,
            };
            found.sets.push(is_set);
        }
        found
    }

    /// Whether a node is such a gate.
    pub fn is_set(&self, node: PropNodeId) -> bool {
        self.sets[node]
    }

    /// The choice that was taken apart and the candidate to which a move belongs.
    pub fn place(&self, mv: MoveId) -> Option<(u32, u32)> {
        self.places[mv]
    }

    /// Whether a signal says that none of some moves is made.
    pub fn excludes_moves(&self, net: &Propnet, signal: Signal) -> bool {
        match (&net.nodes[signal.node()], signal.inverted()) {
            (PropNode::Does(mv), true) => self.places[*mv].is_some(),
            (PropNode::And(_), false) => self.sets[signal.node()],
            _ => false,
        }
    }

    /// The moves that such signals exclude.
    pub fn moves(&self, net: &Propnet, signals: &[Signal]) -> Vec<MoveId> {
        let mut moves = Vec::new();
        let mut open = signals.to_vec();
        while let Some(signal) = open.pop() {
            match &net.nodes[signal.node()] {
                PropNode::And(operands) => open.extend(operands),
                PropNode::Does(mv) => moves.push(*mv),
                _ => {}
            }
        }
        moves
    }

    /// Moves by choice and by what discriminates them, as the positions of candidates,
    /// ascending. Nothing has to discriminate the moves of a candidate if all are there.
    pub fn by_choice<'c>(
        &self,
        choices: &'c Choices,
        moves: Vec<MoveId>,
    ) -> IndexMap<MovesOf<'c>, Vec<u32>> {
        let mut placed: Vec<((u32, u32), MoveId)> = (moves.into_iter())
            .filter_map(|mv| Some((self.places[mv]?, mv)))
            .collect();
        placed.sort_unstable();
        placed.dedup();
        let mut found: IndexMap<MovesOf<'c>, Vec<u32>> = IndexMap::new();
        for of_candidate in placed.chunk_by(|one, other| one.0 == other.0) {
            let (number, position) = of_candidate[0].0;
            let candidate = &choices.choices[number as usize].candidates[position as usize];
            if of_candidate.len() == candidate.len() {
                found.entry((number, &[])).or_default().push(position);
                continue;
            }
            for (_, mv) in of_candidate {
                let discriminating = &choices.discriminating[*mv][..];
                let candidates = found.entry((number, discriminating)).or_default();
                candidates.push(position);
            }
        }
        found
    }
}

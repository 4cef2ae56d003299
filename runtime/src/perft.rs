//! Perft: the number of sequences of joint moves of a given length.
//!
//! The name and the practice come from chess programming: the counts of a game are
//! known or can be compared between engines, and nearly any mistake in move
//! generation changes them.

use crate::engine::{Engine, Move, Position, State};

/// The number of sequences of exactly `depth` joint moves from `state`; games
/// that end earlier contribute nothing.
pub fn count(engine: &mut dyn Engine, state: &State, depth: u8) -> u64 {
    if depth == 0 {
        return 1;
    }
    let position = engine.examine(state);
    if position.terminal {
        return 0;
    }
    if depth == 1 {
        return joint_moves(&position);
    }
    let mut total = 0;
    for_each_joint(&position, |joint| {
        let successor = engine.next(state, joint);
        total += count(engine, &successor, depth - 1);
    });
    total
}

/// The summands of [`count`], one per joint move at `state`, each with that joint
/// move; empty if `depth` is 0 or the game is over.
pub fn divide(engine: &mut dyn Engine, state: &State, depth: u8) -> Vec<(Vec<Move>, u64)> {
    let mut parts = Vec::new();
    let position = engine.examine(state);
    if depth == 0 || position.terminal {
        return parts;
    }
    for_each_joint(&position, |joint| {
        let successor = engine.next(state, joint);
        parts.push((joint.to_vec(), count(engine, &successor, depth - 1)));
    });
    parts
}

/// The number of joint moves; `u64::MAX` if there are more.
#[must_use]
pub fn joint_moves(position: &Position) -> u64 {
    let counts = position.legal.iter().map(|moves| moves.len() as u64);
    counts.fold(1, u64::saturating_mul)
}

/// Calls `visit` with every joint move; the last role's move changes fastest.
pub fn for_each_joint(position: &Position, mut visit: impl FnMut(&[Move])) {
    if position.legal.iter().any(Vec::is_empty) {
        return;
    }
    let mut choice = vec![0; position.legal.len()];
    let mut joint: Vec<Move> = position.legal.iter().map(|moves| moves[0]).collect();
    loop {
        visit(&joint);
        let Some(role) = (0..choice.len())
            .rev()
            .find(|&role| choice[role] + 1 < position.legal[role].len())
        else {
            return;
        };
        choice[role] += 1;
        joint[role] = position.legal[role][choice[role]];
        for later in role + 1..choice.len() {
            choice[later] = 0;
            joint[later] = position.legal[later][0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joint_moves_are_enumerated_in_order() {
        let position = Position {
            legal: vec![
                vec![Move(4), Move(7)],
                vec![Move(0)],
                vec![Move(1), Move(2)],
            ],
            ..Position::default()
        };
        let mut seen = Vec::new();
        for_each_joint(&position, |joint| {
            seen.push(joint.iter().map(|mv| mv.0).collect::<Vec<_>>());
        });
        assert_eq!(
            seen,
            [vec![4, 0, 1], vec![4, 0, 2], vec![7, 0, 1], vec![7, 0, 2]]
        );
    }

    #[test]
    fn more_joint_moves_than_numbers_are_still_some() {
        let position = Position {
            legal: vec![(0..256).map(Move).collect(); 8],
            ..Position::default()
        };
        assert_eq!(joint_moves(&position), u64::MAX);
    }

    #[test]
    fn a_role_without_moves_stops_the_game() {
        let position = Position {
            legal: vec![vec![Move(4)], vec![]],
            ..Position::default()
        };
        for_each_joint(&position, |_| panic!("there is no joint move"));
    }
}

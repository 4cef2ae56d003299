//! Games in which what a move leads to decides.

use super::{Toy, WAIT, Words};
use gdl_runtime::engine::{Move, Role};

/// The first role makes one of two moves, and the second one of sixteen replies. The first
/// move loses against one reply and wins against all others; the second always gets 20.
/// Words: the moves made, the first move, the reply.
#[derive(Clone, Copy)]
pub struct Trap;

impl Toy for Trap {
    fn roles(&self) -> Vec<String> {
        vec!["chooses".to_owned(), "replies".to_owned()]
    }
    fn initial(&self) -> Words {
        [0, 0, 0]
    }
    fn terminal(&self, state: &Words) -> bool {
        state[0] == 2
    }
    fn goal(&self, state: &Words, role: Role) -> i32 {
        let first = match state {
            [_, 0, 11] => 0,
            [_, 0, _] => 100,
            _ => 20,
        };
        if role == 0 { first } else { 100 - first }
    }
    fn legal(&self, state: &Words, role: Role, moves: &mut Vec<Move>) {
        match (state[0] == role as u64, role) {
            (false, _) => moves.push(WAIT),
            (true, 0) => moves.extend((0..2).map(Move)),
            (true, _) => moves.extend((0..16).map(Move)),
        }
    }
    fn next(&self, state: &Words, joint: &[Move]) -> Words {
        match state[0] {
            0 => [1, joint[0].0.into(), 0],
            _ => [2, state[1], joint[1].0.into()],
        }
    }
}

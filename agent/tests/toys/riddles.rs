//! A game in which a reply depends on the move before.

use super::{Toy, WAIT, Words};
use gdl_runtime::engine::{Move, Role};

/// The first role asks and the second answers, in turn. In the last round, whose moves
/// have numbers of their own, exactly one answer to each question is right; it alone
/// decides who wins. Words: moves made so far, the last question, and all moves made, so
/// that no two ways lead to one state.
#[derive(Clone, Copy)]
pub struct Riddles {
    pub kinds: u32,
    pub rounds: u64,
}

impl Riddles {
    fn is_last_round(self, state: &Words) -> bool {
        state[0] / 2 == self.rounds - 1
    }
}

impl Toy for Riddles {
    fn roles(&self) -> Vec<String> {
        vec!["asks".to_owned(), "answers".to_owned()]
    }
    fn initial(&self) -> Words {
        [0, 0, 0]
    }
    fn terminal(&self, state: &Words) -> bool {
        state[0] == 2 * self.rounds
    }
    fn goal(&self, state: &Words, role: Role) -> i32 {
        let kinds = u64::from(self.kinds);
        let is_right = state[2] % kinds == (3 * state[1] + 1) % kinds;
        if self.terminal(state) && is_right == (role == 1) {
            100
        } else {
            0
        }
    }
    fn legal(&self, state: &Words, role: Role, moves: &mut Vec<Move>) {
        if state[0] % 2 != role as u64 {
            moves.push(WAIT);
            return;
        }
        let first = self.kinds * u32::from(self.is_last_round(state));
        moves.extend((first..first + self.kinds).map(Move));
    }
    fn next(&self, state: &Words, joint: &[Move]) -> Words {
        let side = state[0] % 2;
        let mv = u64::from(joint[side as usize].0 % self.kinds);
        let question = if side == 0 { mv } else { state[1] };
        let way = state[2].wrapping_mul(u64::from(self.kinds));
        [state[0] + 1, question, way.wrapping_add(mv)]
    }
}

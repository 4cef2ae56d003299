//! The rules.

use super::{Toy, Words};
use gdl_runtime::engine::{Move, Role};

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// The only move of a side while the other one is to move.
pub const WAIT: Move = Move(u32::MAX);

/// Three heaps; whoever takes the last piece wins. Words: heaps (a byte each),
/// player to move.
#[derive(Clone, Copy)]
pub struct Nim(pub [u8; 3]);

pub fn heaps(state: &Words) -> [u8; 3] {
    let bytes = state[0].to_le_bytes();
    [bytes[0], bytes[1], bytes[2]]
}

impl Toy for Nim {
    fn roles(&self) -> Vec<String> {
        names(&["first", "second"])
    }
    fn initial(&self) -> Words {
        let [a, b, c] = self.0;
        [u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0]), 0, 0]
    }
    fn terminal(&self, state: &Words) -> bool {
        state[0] == 0
    }
    fn goal(&self, state: &Words, role: Role) -> i32 {
        if state[0] != 0 {
            return 0;
        }
        if state[1] as usize == role { 0 } else { 100 }
    }
    fn legal(&self, state: &Words, role: Role, moves: &mut Vec<Move>) {
        if state[1] as usize != role {
            moves.push(WAIT);
            return;
        }
        for (heap, &size) in heaps(state).iter().enumerate() {
            moves.extend((1..=size).map(|take| Move(heap as u32 * 256 + u32::from(take))));
        }
    }
    fn next(&self, state: &Words, joint: &[Move]) -> Words {
        let mv = joint[state[1] as usize].0;
        [
            state[0] - (u64::from(mv % 256) << (8 * (mv / 256))),
            1 - state[1],
            0,
        ]
    }
}

/// Lines of `need` stones on a board of up to 64 cells, with gravity or
/// without. Words: stones of each side, player to move.
#[derive(Clone, Copy)]
pub struct Line {
    pub width: u32,
    pub height: u32,
    pub need: u32,
    pub gravity: bool,
}

pub const TIC_TAC_TOE: Line = Line {
    width: 3,
    height: 3,
    need: 3,
    gravity: false,
};

pub const CONNECT_FOUR: Line = Line {
    width: 7,
    height: 6,
    need: 4,
    gravity: true,
};

impl Line {
    /// Columns are a bit taller than the board, so that lines do not wrap.
    fn stride(self) -> u32 {
        self.height + 1
    }
    fn full(self) -> u64 {
        let column = (1u64 << self.height) - 1;
        (0..self.width).fold(0, |cells, x| cells | column << (x * self.stride()))
    }
    pub fn cell(self, x: u32, y: u32) -> u64 {
        1 << (x * self.stride() + y)
    }
    fn has_line(self, stones: u64) -> bool {
        let stride = self.stride();
        [1, stride, stride - 1, stride + 1].iter().any(|shift| {
            let runs = (1..self.need).fold(stones, |runs, k| runs & stones >> (k * shift));
            runs != 0
        })
    }
}

impl Toy for Line {
    fn roles(&self) -> Vec<String> {
        names(&["white", "black"])
    }
    fn initial(&self) -> Words {
        [0, 0, 0]
    }
    fn terminal(&self, state: &Words) -> bool {
        self.has_line(state[1 - state[2] as usize]) || state[0] | state[1] == self.full()
    }
    fn goal(&self, state: &Words, role: Role) -> i32 {
        match (self.has_line(state[role]), self.has_line(state[1 - role])) {
            (true, _) => 100,
            (_, true) => 0,
            _ => 50,
        }
    }
    fn legal(&self, state: &Words, role: Role, moves: &mut Vec<Move>) {
        if state[2] as usize != role {
            moves.push(WAIT);
            return;
        }
        let taken = state[0] | state[1];
        let mut open = if self.gravity {
            let floor = (0..self.width).fold(0, |cells, x| cells | self.cell(x, 0));
            (taken << 1 | floor) & !taken & self.full()
        } else {
            !taken & self.full()
        };
        while open != 0 {
            moves.push(Move(open.trailing_zeros()));
            open &= open - 1;
        }
    }
    fn next(&self, state: &Words, joint: &[Move]) -> Words {
        let side = state[2] as usize;
        let mut next = *state;
        next[side] |= 1 << joint[side].0;
        next[2] = 1 - state[2];
        next
    }
}

/// One simultaneous move, paid from a table: `payoff[role][row][column]`.
/// Words: 1 + 3·row + column once moved.
#[derive(Clone, Copy)]
pub struct Matrix(pub [[[i32; 3]; 3]; 2]);

impl Toy for Matrix {
    fn roles(&self) -> Vec<String> {
        names(&["row", "column"])
    }
    fn initial(&self) -> Words {
        [0, 0, 0]
    }
    fn terminal(&self, state: &Words) -> bool {
        state[0] != 0
    }
    fn goal(&self, state: &Words, role: Role) -> i32 {
        let Some(cell) = (state[0] as usize).checked_sub(1) else {
            return 0;
        };
        self.0[role][cell / 3][cell % 3]
    }
    fn legal(&self, _state: &Words, _role: Role, moves: &mut Vec<Move>) {
        moves.extend((0..3).map(Move));
    }
    fn next(&self, _state: &Words, joint: &[Move]) -> Words {
        [1 + u64::from(3 * joint[0].0 + joint[1].0), 0, 0]
    }
}

/// A row of lamps. Pressing one flips it and its neighbours; all must be out within
/// `presses` presses. Words: lamps, presses made.
#[derive(Clone, Copy)]
pub struct Lamps {
    pub count: u32,
    pub lit: u64,
    pub presses: u64,
}

impl Toy for Lamps {
    fn roles(&self) -> Vec<String> {
        names(&["solver"])
    }
    fn initial(&self) -> Words {
        [self.lit, 0, 0]
    }
    fn terminal(&self, state: &Words) -> bool {
        state[0] == 0 || state[1] == self.presses
    }
    fn goal(&self, state: &Words, _role: Role) -> i32 {
        if state[0] == 0 { 100 } else { 0 }
    }
    fn legal(&self, _state: &Words, _role: Role, moves: &mut Vec<Move>) {
        moves.extend((0..self.count).map(Move));
    }
    fn next(&self, state: &Words, joint: &[Move]) -> Words {
        let around = 0b111u64 << joint[0].0 >> 1;
        [state[0] ^ around & ((1 << self.count) - 1), state[1] + 1, 0]
    }
}

/// A walk on a ring without a step counter: 0 forward, 1 back, 2 stays. It ends
/// only at the marked place, if that is on the ring.
#[derive(Clone, Copy)]
pub struct Ring {
    pub size: u64,
    pub goal: u64,
}

impl Toy for Ring {
    fn roles(&self) -> Vec<String> {
        names(&["walker"])
    }
    fn initial(&self) -> Words {
        [0, 0, 0]
    }
    fn terminal(&self, state: &Words) -> bool {
        state[0] == self.goal
    }
    fn goal(&self, state: &Words, _role: Role) -> i32 {
        if state[0] == self.goal { 100 } else { 0 }
    }
    fn legal(&self, _state: &Words, _role: Role, moves: &mut Vec<Move>) {
        moves.extend((0..3).map(Move));
    }
    fn next(&self, state: &Words, joint: &[Move]) -> Words {
        let by = [1, self.size - 1, 0][joint[0].0 as usize];
        [(state[0] + by) % self.size, 0, 0]
    }
}

/// Three roles in turn add 1 to 3; whoever reaches the target wins. Words: the
/// sum, role to move.
#[derive(Clone, Copy)]
pub struct Count(pub u64);

impl Toy for Count {
    fn roles(&self) -> Vec<String> {
        names(&["a", "b", "c"])
    }
    fn initial(&self) -> Words {
        [0, 0, 0]
    }
    fn terminal(&self, state: &Words) -> bool {
        state[0] >= self.0
    }
    fn goal(&self, state: &Words, role: Role) -> i32 {
        let last = (state[1] + 2) % 3;
        if state[0] >= self.0 && last as usize == role {
            100
        } else {
            0
        }
    }
    fn legal(&self, state: &Words, role: Role, moves: &mut Vec<Move>) {
        if state[1] as usize == role {
            moves.extend((1..=3).map(Move));
        } else {
            moves.push(WAIT);
        }
    }
    fn next(&self, state: &Words, joint: &[Move]) -> Words {
        let added = u64::from(joint[state[1] as usize].0);
        [state[0] + added, (state[1] + 1) % 3, 0]
    }
}

/// Faulty rules: move 0 wins 30, move 1 leads to a state without moves that is not
/// terminal.
#[derive(Clone, Copy)]
pub struct Stuck;

impl Toy for Stuck {
    fn roles(&self) -> Vec<String> {
        names(&["lost"])
    }
    fn initial(&self) -> Words {
        [0, 0, 0]
    }
    fn terminal(&self, state: &Words) -> bool {
        state[0] == 1
    }
    fn goal(&self, state: &Words, _role: Role) -> i32 {
        if state[0] == 1 { 30 } else { 0 }
    }
    fn legal(&self, state: &Words, _role: Role, moves: &mut Vec<Move>) {
        if state[0] == 0 {
            moves.extend([Move(0), Move(1)]);
        }
    }
    fn next(&self, _state: &Words, joint: &[Move]) -> Words {
        [1 + u64::from(joint[0].0), 0, 0]
    }
}

/// Two roles step at once on a small grid towards each other's home; a role
/// that reaches it alone wins. Words: positions, rounds.
#[derive(Clone, Copy)]
pub struct Race {
    pub length: u64,
    pub rounds: u64,
}

impl Toy for Race {
    fn roles(&self) -> Vec<String> {
        names(&["left", "right"])
    }
    fn initial(&self) -> Words {
        [0, 0, 0]
    }
    fn terminal(&self, state: &Words) -> bool {
        state[0] >= self.length || state[1] >= self.length || state[2] >= self.rounds
    }
    fn goal(&self, state: &Words, role: Role) -> i32 {
        match state[role].cmp(&state[1 - role]) {
            std::cmp::Ordering::Greater => 100,
            std::cmp::Ordering::Equal => 50,
            std::cmp::Ordering::Less => 0,
        }
    }
    fn legal(&self, _state: &Words, _role: Role, moves: &mut Vec<Move>) {
        moves.extend((0..3).map(Move));
    }
    fn next(&self, state: &Words, joint: &[Move]) -> Words {
        let step = |role: usize| state[role] + u64::from(joint[role].0);
        [step(0), step(1), state[2] + 1]
    }
}

/// One role makes a move in each of some rounds, and in the end gets the sum of
/// their values, at most 100; before that, the sum so far. In the last round
/// moves have numbers of their own. Words: a bit for the round, the sum and a bit
/// for the last move, and all moves made, so that no two ways lead to one state.
#[derive(Clone, Copy)]
pub struct Picks {
    pub moves: u32,
    pub rounds: u64,
    pub value: fn(round: u64, before: u32, mv: u32) -> u64,
}

const LAST: u32 = 16;

impl Toy for Picks {
    fn roles(&self) -> Vec<String> {
        names(&["picker"])
    }
    fn initial(&self) -> Words {
        [1, 1 << LAST, 0]
    }
    fn terminal(&self, state: &Words) -> bool {
        state[0] >> self.rounds != 0
    }
    fn goal(&self, state: &Words, _role: Role) -> i32 {
        (state[1] & 0xffff).min(100) as i32
    }
    fn legal(&self, state: &Words, _role: Role, moves: &mut Vec<Move>) {
        let last = state[0] >> (self.rounds - 1) & 1;
        let first = self.moves * last as u32;
        moves.extend((first..first + self.moves).map(Move));
    }
    fn next(&self, state: &Words, joint: &[Move]) -> Words {
        let (round, mv) = (state[0].trailing_zeros(), joint[0].0 % self.moves);
        let before = (state[1] >> LAST).trailing_zeros();
        let sum = (state[1] & 0xffff) + (self.value)(round.into(), before, mv);
        let way = state[2].wrapping_mul(self.moves.into());
        let last = 1 << (LAST + mv % 32);
        [state[0] << 1, sum | last, way.wrapping_add(mv.into())]
    }
}

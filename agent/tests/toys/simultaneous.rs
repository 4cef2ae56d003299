//! Games of simultaneous moves whose equilibria are mixed.

use super::{Toy, Words};
use gdl_runtime::engine::{Move, Role};

fn players() -> Vec<String> {
    vec!["one".to_owned(), "other".to_owned()]
}

/// Both roles choose one of some moves, once; the second gets what the first does not.
/// Words: 1 + the joint move, once moved.
#[derive(Clone, Copy)]
pub struct Duel<const N: usize>(pub [[i32; N]; N]);

/// The first role wins if both show the same side.
pub const MATCHING_PENNIES: Duel<2> = Duel([[100, 0], [0, 100]]);

/// Rock, paper, scissors, where rock wins twice as much as the others.
pub const BIASED_ROCK_PAPER_SCISSORS: Duel<3> = Duel([[50, 25, 100], [75, 50, 25], [0, 75, 50]]);

/// How often each move of the latter is made in equilibrium: as often as pays what the
/// other two win of each other.
pub const BIASED_EQUILIBRIUM: [f64; 3] = [0.25, 0.5, 0.25];

impl<const N: usize> Toy for Duel<N> {
    fn roles(&self) -> Vec<String> {
        players()
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
        let goal = self.0[cell / N][cell % N];
        if role == 0 { goal } else { 100 - goal }
    }
    fn legal(&self, _state: &Words, _role: Role, moves: &mut Vec<Move>) {
        moves.extend((0..N as u32).map(Move));
    }
    fn next(&self, _state: &Words, joint: &[Move]) -> Words {
        [
            1 + u64::from(joint[0].0) * N as u64 + u64::from(joint[1].0),
            0,
            0,
        ]
    }
}

/// Both roles hold the cards 1 to `N` and bid one of them for each of `N` prizes, whose
/// order is known. The higher bid takes the prize, equal ones leave it; more points win.
/// Words: the cards left (a byte for each role), points (16 bits for each role), round.
#[derive(Clone, Copy)]
pub struct Goofspiel<const N: usize>(pub [u64; N]);

impl<const N: usize> Goofspiel<N> {
    fn points(state: &Words, role: Role) -> u64 {
        state[1] >> (16 * role) & 0xffff
    }
}

impl<const N: usize> Toy for Goofspiel<N> {
    fn roles(&self) -> Vec<String> {
        players()
    }
    fn initial(&self) -> Words {
        let hand = (1 << N) - 1;
        [hand | hand << 8, 0, 0]
    }
    fn terminal(&self, state: &Words) -> bool {
        state[2] as usize == N
    }
    fn goal(&self, state: &Words, role: Role) -> i32 {
        match Self::points(state, role).cmp(&Self::points(state, 1 - role)) {
            std::cmp::Ordering::Greater => 100,
            std::cmp::Ordering::Equal => 50,
            std::cmp::Ordering::Less => 0,
        }
    }
    fn legal(&self, state: &Words, role: Role, moves: &mut Vec<Move>) {
        let hand = state[0] >> (8 * role);
        let cards = (0..N as u32).filter(|card| hand >> card & 1 == 1);
        moves.extend(cards.map(Move));
    }
    fn next(&self, state: &Words, joint: &[Move]) -> Words {
        let [one, other] = [joint[0].0, joint[1].0];
        let prize = self.0[state[2] as usize];
        let won = match one.cmp(&other) {
            std::cmp::Ordering::Greater => prize,
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Less => prize << 16,
        };
        [
            state[0] & !(1 << one) & !(1 << (8 + other)),
            state[1] + won,
            state[2] + 1,
        ]
    }
}

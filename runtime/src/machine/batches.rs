//! What a tree search does with a machine between two steps: lanes loaded,
//! forced and scored by the set, columns of bits read.
//!
//! A set of lanes is a row, so that bringing many lanes into one state costs as
//! much as bringing one. A column costs a cache line for every bit: whatever is
//! read lane by lane is read word by word of the result, without branches.

use super::Machine;
use crate::engine::{Move, Pick, Role};
use crate::lanes::{Kernel, Word};
use crate::layout::Row;

impl<W: Word> Machine<W> {
    /// The row of a set of lanes.
    pub(super) fn set_of(&self, lanes: &[u64]) -> W {
        let mut set = self.zero;
        for (word, &bits) in set.words_mut().iter_mut().zip(lanes) {
            *word = bits;
        }
        set
    }

    /// Brings a set of lanes into a state, given as its words.
    pub(super) fn load_set(&mut self, lanes: W, state: &[u64]) {
        let load = Load {
            lanes,
            state,
            rows: &mut self.rows.now,
        };
        W::run(load, lanes);
    }

    /// The state in a lane.
    pub(super) fn read_column(&self, lane: usize, words: &mut [u64]) {
        let (word, bit) = (lane / 64, lane % 64);
        for (rows, column) in self.rows.now.chunks(64).zip(words) {
            *column = rows
                .iter()
                .rev()
                .fold(0, |bits, row| bits << 1 | row.words()[word] >> bit & 1);
        }
    }

    /// Appends the legal moves of a role in a lane.
    pub(super) fn read_legal(&self, lane: usize, role: Role, moves: &mut Vec<Move>) {
        let (word, bit) = (lane / 64, lane % 64);
        let rows = &self.layout.moves[role];
        for order in self.layout.legal_order[role].chunks(64) {
            let mut bits = order.iter().rev().fold(0_u64, |bits, &mv| {
                let row = match rows[mv as usize].legal {
                    Row::Base(index) => &self.rows.now[index as usize],
                    Row::Work(index) => &self.rows.work[index as usize],
                };
                bits << 1 | row.words()[word] >> bit & 1
            });
            while bits != 0 {
                moves.push(Move(order[bits.trailing_zeros() as usize]));
                bits &= bits - 1;
            }
        }
    }

    /// Forces the choices by which the roles make these moves, in a set of
    /// lanes. Where roles share a choice, at most one of them has a candidate
    /// in a lane, and the others' moves belong to no choice.
    pub(super) fn force_set(&mut self, lanes: W, picks: &[Pick]) {
        let force = Force {
            machine: self,
            lanes,
            picks,
        };
        W::run(force, lanes);
    }

    /// The lanes of a set by role and goal value.
    pub(super) fn visit_goals(&mut self, lanes: W, visit: &mut dyn FnMut(Role, i32, &[u64])) {
        self.know_goals();
        let goals = Goals {
            machine: self,
            lanes,
            visit,
        };
        W::run(goals, lanes);
    }
}

struct Force<'a, W> {
    machine: &'a mut Machine<W>,
    lanes: W,
    picks: &'a [Pick],
}

impl<W: Word> Kernel for Force<'_, W> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self {
            machine,
            lanes,
            picks,
        } = self;
        for (pick, moves) in picks.iter().zip(&machine.layout.moves) {
            let Some(choice) = moves[pick.mv.0 as usize].choice else {
                continue;
            };
            let forced = &mut machine.forced[choice as usize];
            *forced = forced.or(lanes);
            for (bit, row) in machine.forced_ranks[choice as usize].iter_mut().enumerate() {
                *row = match pick.index >> bit & 1 {
                    0 => row.and_not(lanes),
                    _ => row.or(lanes),
                };
            }
        }
    }
}

struct Goals<'a, W> {
    machine: &'a Machine<W>,
    lanes: W,
    visit: &'a mut dyn FnMut(Role, i32, &[u64]),
}

impl<W: Word> Kernel for Goals<'_, W> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        for (role, goals) in self.machine.layout.goals.iter().enumerate() {
            let mut open = self.lanes;
            // Descending, so that the highest goal value that holds counts.
            for &(value, row) in goals.iter().rev() {
                let reached = open.and(self.machine.row(row));
                if value != 0 && !reached.is_zero() {
                    (self.visit)(role, value, reached.words());
                }
                open = open.and_not(reached);
            }
        }
    }
}

struct Load<'a, W> {
    lanes: W,
    state: &'a [u64],
    rows: &'a mut [W],
}

impl<W: Word> Kernel for Load<'_, W> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { lanes, state, rows } = self;
        let nothing = lanes.xor(lanes);
        for (rows, &bits) in rows.chunks_mut(64).zip(state) {
            let mut bits = bits;
            for row in rows {
                // Both values are at hand: no branch on the bit.
                let wanted = [nothing, lanes][(bits & 1) as usize];
                *row = row.and_not(lanes).or(wanted);
                bits >>= 1;
            }
        }
    }
}

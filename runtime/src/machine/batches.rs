//! Access to a machine between two steps, for tree search: sets of lanes are loaded,
//! forced and scored, single lanes are read.
//!
//! A set of lanes is a row, so loading many lanes with one state costs as much as
//! loading one. A lane is a column of bits, each in a cache line of its own, and is
//! read word by word of the result, without branches.

use super::Machine;
use crate::engine::{Move, Pick, Role};
use crate::lanes::{Word, kernel};
use crate::layout::Row;
use crate::transpose::{transpose_rows, transpose_table};

impl<W: Word> Machine<W> {
    /// A set of lanes as a row.
    pub(super) fn set_of(&self, lanes: &[u64]) -> W {
        let mut set = self.zero;
        for (word, &bits) in set.words_mut().iter_mut().zip(lanes) {
            *word = bits;
        }
        set
    }

    /// Loads a set of lanes with a state, given as its words.
    pub(super) fn load_set(&mut self, lanes: W, state: &[u64]) {
        load(lanes, lanes, state, &mut self.rows.now);
    }

    /// Reads the state in a lane.
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

    /// Transposes which of these moves of a role are legal.
    pub(super) fn read_legal_rows(
        &mut self,
        role: Role,
        moves: impl Iterator<Item = u32>,
        lanes: usize,
        table: &mut Vec<u64>,
    ) {
        self.know_legal();
        let legal = &self.layout.moves[role];
        self.read_rows.clear();
        for mv in moves {
            self.read_rows.push(self.row(legal[mv as usize].legal));
        }
        transpose_rows(&self.read_rows, lanes, table);
    }

    /// Forces the choices by which the roles make these moves, in a set of
    /// lanes. Where roles share a choice, at most one of them has a candidate
    /// in a lane, and the others' moves belong to no choice.
    pub(super) fn force_set(&mut self, lanes: W, picks: &[Pick]) {
        force(lanes, self, lanes, picks);
    }

    /// As [`force_set`](Self::force_set) for the lowest lanes one by one, lane after
    /// lane with a move per role, or `None` for a role that has a single one.
    pub(super) fn force_each(&mut self, picks: &[Option<Pick>]) {
        let (roles, choices) = (self.choice_of.len(), self.layout.choices.len());
        let lanes = picks.len() / roles;
        self.rank_table.resize(choices * lanes, 0);
        let mut sets = vec![self.zero; choices];
        for (lane, picks) in picks.chunks_exact(roles).enumerate() {
            for (pick, choice_of) in picks.iter().zip(&self.choice_of) {
                let choice = |pick: &Pick| choice_of[pick.mv.0 as usize];
                if let Some((pick, choice)) = pick.and_then(|pick| Some((pick, choice(&pick)?))) {
                    sets[choice as usize].words_mut()[lane / 64] |= 1 << (lane % 64);
                    self.rank_table[choice as usize * lanes + lane] = pick.index.into();
                }
            }
        }
        let table = std::mem::take(&mut self.rank_table);
        for (choice, (&set, ranks)) in sets.iter().zip(table.chunks(lanes.max(1))).enumerate() {
            if !set.is_zero() {
                self.force_choice(choice, set, ranks);
            }
        }
        self.rank_table = table;
    }

    /// Forces the ranks of a choice in a set of lanes, given one for each of the lowest.
    pub(super) fn force_choice(&mut self, choice: usize, lanes: W, ranks: &[u64]) {
        let forced_ranks = &mut self.forced_ranks[choice];
        self.rank_rows.resize(forced_ranks.len(), self.zero);
        transpose_table(ranks, &mut self.rank_rows);
        force_ranks(lanes, lanes, &self.rank_rows, forced_ranks);
        self.forced[choice] = self.forced[choice].or(lanes);
    }

    /// Visits the lanes of a set by role and goal value.
    pub(super) fn visit_goals(&mut self, lanes: W, visit: &mut dyn FnMut(Role, i32, &[u64])) {
        self.know_goals();
        visit_goals(lanes, self, lanes, visit);
    }
}

kernel! {
    fn force<'a, W>(machine: &'a mut Machine<W>, lanes: W, picks: &'a [Pick]) {
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

kernel! {
    /// Replaces forced ranks in a set of lanes.
    fn force_ranks<'a, W>(set: W, ranks: &'a [W], forced_ranks: &'a mut [W]) {
        for (forced, &rank) in forced_ranks.iter_mut().zip(ranks) {
            *forced = set.select(rank, *forced);
        }
    }
}

kernel! {
    fn visit_goals<'a, W>(
        machine: &'a Machine<W>,
        lanes: W,
        visit: &'a mut dyn FnMut(Role, i32, &[u64]),
    ) {
        for (role, goals) in machine.layout.goals.iter().enumerate() {
            let mut open = lanes;
            // Descending, so that the highest goal value that holds counts.
            for &(value, row) in goals.iter().rev() {
                let reached = open.and(machine.row(row));
                if value != 0 && !reached.is_zero() {
                    visit(role, value, reached.words());
                }
                open = open.and_not(reached);
            }
        }
    }
}

kernel! {
    fn load<'a, W>(lanes: W, state: &'a [u64], rows: &'a mut [W]) {
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

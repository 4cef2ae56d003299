//! Whose turn it is in each lane, and what moves that role has: found for all lanes at once,
//! before anything is transposed.

use super::Machine;
use crate::engine::{Move, Role};
use crate::lanes::{Word, kernel};
use crate::transpose::transpose_rows;

impl<W: Word> Machine<W> {
    /// See [`player_sets`](crate::engine::LaneSets::player_sets).
    pub(super) fn find_players(&mut self, told: &[(u32, Role)], sets: &mut Vec<u64>) {
        self.know_legal();
        sets.clear();
        find_players(self.zero, self, told, sets);
    }

    /// See [`player_table`](crate::engine::LaneSets::player_table).
    pub(super) fn read_player_moves(
        &mut self,
        sets: &[u64],
        moves: &[Vec<Move>],
        all: &[u64],
        lanes: usize,
        table: &mut Vec<u64>,
    ) {
        self.know_legal();
        let mut rows = std::mem::take(&mut self.read_rows);
        rows.clear();
        rows.resize(
            moves.iter().map(Vec::len).max().unwrap_or(0),
            self.set_of(all),
        );
        for (set, (role, moves)) in sets.chunks(W::LANES / 64).zip(moves.iter().enumerate()) {
            add_moves(self.zero, self, self.set_of(set), role, moves, &mut rows);
        }
        transpose_rows(&rows, lanes, table);
        self.read_rows = rows;
    }
}

kernel! {
    fn find_players<'a, W>(
        machine: &'a Machine<W>,
        told: &'a [(u32, Role)],
        sets: &'a mut Vec<u64>,
    ) {
        let zero = machine.zero;
        let mut nobody = W::lut3::<0xff>(zero, zero, zero);
        for moves in &machine.layout.moves {
            let mut competes = zero;
            for mv in moves.iter().filter(|mv| mv.choice.is_some()) {
                competes = competes.or(machine.row(mv.legal));
            }
            let competes = competes.and(nobody);
            nobody = nobody.and_not(competes);
            sets.extend_from_slice(competes.words());
        }
        let words = W::LANES / 64;
        let mut give = |role: usize, lanes: W| {
            let set = sets[role * words..][..words].iter_mut();
            set.zip(lanes.words()).for_each(|(set, lanes)| *set |= lanes);
        };
        for &(fluent, role) in told {
            let lanes = nobody.and(machine.rows.now[fluent as usize]);
            give(role, lanes);
            nobody = nobody.and_not(lanes);
        }
        give(0, nobody);
    }
}

kernel! {
    /// Adds, to one row for each of these moves of a role, the lanes of a set in which it is
    /// legal.
    fn add_moves<'a, W>(
        machine: &'a Machine<W>,
        set: W,
        role: Role,
        moves: &'a [Move],
        rows: &'a mut [W],
    ) {
        let legal = &machine.layout.moves[role];
        for (row, mv) in rows.iter_mut().zip(moves) {
            // row | (set & legal)
            *row = W::lut3::<0b1111_1000>(*row, set, machine.row(legal[mv.0 as usize].legal));
        }
    }
}

//! The lane interfaces of a machine.

use super::Machine;
use crate::engine::{
    LaneObservation, LanePlayouts, LaneSets, LaneSteps, LaneWeights, Lanes, Move, Pick, Role,
    State, Tally,
};
use crate::features::{FeatureSet, append_features};
use crate::lanes::{Word, kernel};
use crate::layout::Layout;
use crate::transpose::{transpose_rows, transpose_table};
use std::sync::Arc;

/// Lanes that report every goal value that holds, not only the highest.
pub(crate) trait Stepper: Lanes {
    /// Every goal value of a role that holds in a lane, ascending.
    fn all_goals(&mut self, lane: usize, role: Role) -> Vec<i32>;
}

impl<W: Word> Stepper for Machine<W> {
    fn all_goals(&mut self, lane: usize, role: Role) -> Vec<i32> {
        self.know_goals();
        let rows = &self.layout.goals[role];
        rows.iter()
            .filter(|(_, row)| self.row(*row).lane(lane))
            .map(|(value, _)| *value)
            .collect()
    }
}

kernel! {
    fn evaluate<'a, W>(machine: &'a mut Machine<W>) {
        machine.evaluate_now();
    }
}

kernel! {
    fn advance<'a, W>(machine: &'a mut Machine<W>) {
        let (layout, rows) = (&machine.layout, &mut machine.rows);
        let drawn = match &mut machine.selection {
            Some(selection) => selection.draw(layout, rows, &mut machine.random, machine.zero),
            None => false,
        };
        if !drawn {
            machine.draw();
        }
        machine.apply_forced();
        if let Some(selection) = &mut machine.selection {
            selection.observe(&machine.layout, &mut machine.rows.work);
        }
        machine.move_on();
    }
}

impl<W: Word> LaneSteps for Machine<W> {
    fn count(&self) -> usize {
        W::LANES
    }

    fn roles(&self) -> usize {
        self.layout.roles.len()
    }

    fn operations(&self) -> u32 {
        let selection = self.selection.as_ref().map_or(0, |part| part.operations());
        self.layout.operations.saturating_add(selection as u32)
    }

    fn load(&mut self, lane: usize, state: &State) {
        self.sequence.load();
        for (base, row) in self.rows.now.iter_mut().enumerate() {
            row.set_lane(lane, Layout::holds(&state.0, base));
        }
    }

    fn evaluate(&mut self) {
        evaluate(self.zero, self);
        self.sequence.evaluate();
    }

    fn terminal(&self) -> &[u64] {
        self.sequence.assert_evaluated();
        self.terminal.words()
    }

    fn goals(&mut self, lane: usize, goals: &mut [i32]) {
        self.know_goals();
        for (goal, rows) in goals.iter_mut().zip(&self.layout.goals) {
            *goal = rows
                .iter()
                .rev()
                .find(|(_, row)| self.row(*row).lane(lane))
                .map_or(0, |(value, _)| *value);
        }
    }

    fn state(&self, lane: usize) -> State {
        let mut words = vec![0; self.layout.state_words()];
        self.read_column(lane, &mut words);
        State(words.into())
    }

    fn legal(&mut self, lane: usize, role: Role, moves: &mut Vec<Move>) {
        self.know_legal();
        self.read_legal(lane, role, moves);
    }

    fn force(&mut self, lanes: &[u64], picks: &[Pick]) {
        self.sequence.assert_evaluated();
        self.force_set(self.set_of(lanes), picks);
    }

    fn advance(&mut self) {
        let selection = self.selection.as_ref();
        if selection.is_some_and(|selection| selection.needs_legal()) {
            self.know_legal();
        }
        self.sequence.advance();
        advance(self.zero, self);
    }
}

impl<W: Word> LaneSets for Machine<W> {
    fn load_all(&mut self, lanes: &[u64], state: &[u64]) {
        self.sequence.load();
        self.load_set(self.set_of(lanes), state);
    }

    fn load_table(&mut self, table: &[u64]) {
        self.sequence.load();
        transpose_table(table, &mut self.rows.now);
    }

    fn force_table(&mut self, picks: &[Option<Pick>]) {
        self.sequence.assert_evaluated();
        self.force_each(picks);
    }

    fn force_ranks(&mut self, choice: usize, lanes: &[u64], ranks: &[u64]) {
        self.sequence.assert_evaluated();
        self.force_choice(choice, self.set_of(lanes), ranks);
    }

    fn goals_all(&mut self, lanes: &[u64], visit: &mut dyn FnMut(Role, i32, &[u64])) {
        self.visit_goals(self.set_of(lanes), visit);
    }

    fn read_state(&self, lane: usize, words: &mut Vec<u64>) {
        words.resize(self.layout.state_words(), 0);
        self.read_column(lane, words);
    }

    fn state_table(&self, lanes: usize, table: &mut Vec<u64>) {
        match self.rows.now.is_empty() {
            true => {
                table.clear();
                table.resize(self.layout.state_words() * lanes, 0);
            }
            false => transpose_rows(&self.rows.now, lanes, table),
        }
    }

    fn fluent_table(&mut self, fluents: &[Option<u32>], lanes: usize, table: &mut Vec<u64>) {
        let rows = &mut self.read_rows;
        let row = |fluent: &Option<u32>| {
            fluent.map_or(self.zero, |fluent| self.rows.now[fluent as usize])
        };
        rows.clear();
        rows.extend(fluents.iter().map(row));
        transpose_rows(rows, lanes, table);
    }

    fn fluents(&self) -> usize {
        self.layout.bases.len()
    }

    fn feature_table(&mut self, set: &FeatureSet, lanes: usize, table: &mut Vec<u64>) {
        self.sequence.assert_evaluated();
        let rows = &mut self.read_rows;
        rows.clear();
        rows.extend_from_slice(&self.rows.now);
        let (choices, work) = (&self.layout.choices, &self.rows.work);
        append_features(self.zero, set, choices, work, rows);
        if let Some(program) = set.reachability() {
            let own = &mut self.reachability_rows;
            let own = own.get_or_insert_with(|| program.rows(self.zero));
            rows.extend_from_slice(program.run(&self.rows.now, own));
        }
        transpose_rows(rows, lanes, table);
    }

    fn table_moves(&mut self, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        moves.extend(self.layout.legal_order[role].iter().copied().map(Move));
    }

    fn legal_table(&mut self, role: Role, lanes: usize, table: &mut Vec<u64>) {
        let layout = Arc::clone(&self.layout);
        let order = layout.legal_order[role].iter();
        self.read_legal_rows(role, order.copied(), lanes, table);
    }

    fn move_table(&mut self, role: Role, moves: &[Move], lanes: usize, table: &mut Vec<u64>) {
        self.read_legal_rows(role, moves.iter().map(|mv| mv.0), lanes, table);
    }

    fn player_sets(&mut self, told: &[(u32, Role)], sets: &mut Vec<u64>) {
        self.find_players(told, sets);
    }

    fn player_table(
        &mut self,
        sets: &[u64],
        moves: &[Vec<Move>],
        all: &[u64],
        lanes: usize,
        table: &mut Vec<u64>,
    ) {
        self.read_player_moves(sets, moves, all, lanes, table);
    }
}

impl<W: Word> LaneWeights for Machine<W> {
    fn weigh(&mut self, lanes: &[u64], role: Role, mv: Move, weight: u32) {
        let zero = self.zero;
        self.selection().weigh(lanes, role, mv, weight, zero);
    }

    fn weigh_alike(&mut self, lanes: &[u64]) {
        if let Some(selection) = &mut self.selection {
            selection.weigh_alike(lanes);
        }
    }

    fn choose_by_weight(&mut self, on: bool) {
        let zero = self.zero;
        self.selection().choose_by_weight(on, zero);
    }
}

impl<W: Word> LaneObservation for Machine<W> {
    fn observe_moves(&mut self, on: bool) {
        self.sequence.observe_moves(on);
        self.selection().observed = on;
    }

    fn made(&self, role: Role) -> &[u32] {
        self.sequence.assert_observed();
        let selection = self.selection.as_ref();
        selection.map_or(&[], |selection| selection.made(role))
    }
}

impl<W: Word> LanePlayouts for Machine<W> {
    fn playouts(&mut self, keep_going: &mut dyn FnMut(&Tally) -> bool) -> Tally {
        self.sequence.load();
        super::playouts::play_out(self.zero, self, keep_going)
    }
}

//! [`Machine`]: one game in many lanes, whoever computes its logic.

mod batches;
mod playouts;
mod selection;

use crate::columns::gather_columns;
use crate::draw::draw_ranks;
use crate::engine::{Lanes, Move, Pick, Role, State, Tally};
use crate::lanes::{Kernel, Word};
use crate::layout::{Layout, Row};
use crate::program::{Phase, Program, Rows};
use crate::random::Random;
use playouts::Playouts;
use selection::Selection;
use std::sync::Arc;

/// One game, played in [`Word::LANES`] lanes.
pub struct Machine<W> {
    layout: Arc<Layout>,
    program: Arc<dyn Program<W>>,
    /// The initial state, as fluents and as computed rows.
    initial: [InitialRows; 2],
    rows: Rows<W>,
    random: Random<W>,
    /// Terminal lanes of the last evaluation.
    terminal: W,
    /// Lanes whose choices are forced, per choice of the layout.
    forced: Vec<W>,
    /// The forced ranks, in the order of the layout's rank rows.
    forced_ranks: Vec<Vec<W>>,
    /// Weights and observation, from when they were first asked for.
    selection: Option<Box<Selection<W>>>,
    /// Whether the goal rows belong to the last evaluation.
    goals_known: bool,
    /// Whether the legal rows do.
    legal_known: bool,
    zero: W,
}

impl<W: Word> Machine<W> {
    /// All lanes in the initial state.
    ///
    /// Returns none if this processor lacks the word's instructions.
    #[must_use]
    pub fn new(layout: Arc<Layout>, program: Arc<dyn Program<W>>, seed: u64) -> Option<Self> {
        if !W::available() {
            return None;
        }
        // SAFETY: the word is available.
        #[allow(unsafe_code)]
        let zero = unsafe { W::splat(false) };
        let bases = layout.bases.len();
        let rows = Rows {
            now: vec![zero; bases].into_boxed_slice(),
            work: vec![zero; layout.work as usize].into_boxed_slice(),
            next: vec![zero; bases].into_boxed_slice(),
        };
        let forced_ranks = layout
            .choices
            .iter()
            .map(|choice| vec![zero; choice.rank_bits as usize])
            .collect();
        let bases = layout.bases.iter().map(|base| base.initially);
        let initial = [
            (0..).zip(bases).collect(),
            layout.restarts.iter().copied().collect(),
        ];
        let mut machine = Self {
            initial,
            forced: vec![zero; layout.choices.len()],
            forced_ranks,
            selection: None,
            random: Random::new(seed, zero),
            terminal: zero,
            goals_known: false,
            legal_known: false,
            layout,
            program,
            rows,
            zero,
        };
        machine.start_all();
        Some(machine)
    }

    fn start_all(&mut self) {
        let all = W::lut3::<0xff>(self.zero, self.zero, self.zero);
        self.initial[0].restore(all, &mut self.rows.now);
    }

    #[inline(always)]
    fn row(&self, row: Row) -> W {
        match row {
            Row::Base(index) => self.rows.now[index as usize],
            Row::Work(index) => self.rows.work[index as usize],
        }
    }

    #[inline(always)]
    fn find_terminal(&mut self) {
        self.program.run(Phase::Terminal, &mut self.rows);
        self.terminal = self.layout.terminal.map_or(self.zero, |row| self.row(row));
        self.goals_known = false;
        self.legal_known = false;
    }

    #[inline(always)]
    fn evaluate_now(&mut self) {
        self.find_terminal();
        self.program.run(Phase::Count, &mut self.rows);
    }

    /// Puts finished lanes back to the initial state, together with everything
    /// that the terminal phase computed and later phases read.
    #[inline(always)]
    fn restart(&mut self, ended: W) {
        let [bases, computed] = &self.initial;
        bases.restore(ended, &mut self.rows.now);
        computed.restore(ended, &mut self.rows.work);
    }

    #[inline(always)]
    fn draw(&mut self) {
        for choice in &self.layout.choices {
            let (count, rank) = choice_rows(&mut self.rows.work, choice);
            draw_ranks(count, rank, &mut self.random);
        }
    }

    #[inline(always)]
    fn apply_forced(&mut self) {
        for (index, choice) in self.layout.choices.iter().enumerate() {
            let forced = std::mem::replace(&mut self.forced[index], self.zero);
            if !forced.is_zero() {
                let (_, rank) = choice_rows(&mut self.rows.work, choice);
                for (row, &wanted) in rank.iter_mut().zip(&self.forced_ranks[index]) {
                    *row = forced.select(wanted, *row);
                }
            }
        }
    }

    #[inline(always)]
    fn move_on(&mut self) {
        self.program.run(Phase::Next, &mut self.rows);
        std::mem::swap(&mut self.rows.now, &mut self.rows.next);
    }

    #[inline(always)]
    fn count_goals(&mut self, ended: W, tally: &mut Tally) {
        self.program.run(Phase::Goals, &mut self.rows);
        for (role, goals) in self.layout.goals.iter().enumerate() {
            let mut open = ended;
            // Descending, so that the highest goal value that holds counts.
            for &(value, row) in goals.iter().rev() {
                let reached = i64::from(open.and(self.row(row)).count());
                tally.goals[role] += reached * i64::from(value);
                tally.squared_goals[role] += reached * i64::from(value) * i64::from(value);
                open = open.and_not(self.row(row));
            }
        }
    }
}

/// The count and rank rows of a choice.
#[inline(always)]
fn choice_rows<'a, W>(work: &'a mut [W], choice: &crate::layout::Choice) -> (&'a [W], &'a mut [W]) {
    let (count, rank) = (choice.count as usize, choice.rank as usize);
    let (before, from_rank) = work.split_at_mut(rank);
    (
        &before[count..count + choice.count_bits as usize],
        &mut from_rank[..choice.rank_bits as usize],
    )
}

/// Rows that have a known value in the initial state: sorted by it, so that
/// restoring them takes no branches.
struct InitialRows {
    /// Those that hold.
    set: Box<[u32]>,
    /// Those that do not.
    clear: Box<[u32]>,
}

impl FromIterator<(u32, bool)> for InitialRows {
    fn from_iter<I: IntoIterator<Item = (u32, bool)>>(rows: I) -> Self {
        let (set, clear): (Vec<_>, Vec<_>) =
            rows.into_iter().partition(|(_, initially)| *initially);
        let numbers = |rows: Vec<(u32, bool)>| rows.into_iter().map(|(row, _)| row).collect();
        Self {
            set: numbers(set),
            clear: numbers(clear),
        }
    }
}

impl InitialRows {
    /// Gives some lanes the values of the initial state.
    #[inline(always)]
    fn restore<W: Word>(&self, lanes: W, rows: &mut [W]) {
        for &row in &self.set {
            let row = &mut rows[row as usize];
            *row = row.or(lanes);
        }
        for &row in &self.clear {
            let row = &mut rows[row as usize];
            *row = row.and_not(lanes);
        }
    }
}

/// Lanes that also tell every goal value that holds, not only the highest.
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

struct Evaluate<'a, W>(&'a mut Machine<W>);

impl<W: Word> Kernel for Evaluate<'_, W> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.evaluate_now();
    }
}

struct Advance<'a, W>(&'a mut Machine<W>);

impl<W: Word> Kernel for Advance<'_, W> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let machine = self.0;
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

impl<W: Word> Lanes for Machine<W> {
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
        for (base, row) in self.rows.now.iter_mut().enumerate() {
            row.set_lane(lane, Layout::holds(&state.0, base));
        }
    }

    fn evaluate(&mut self) {
        let proof = self.zero;
        W::run(Evaluate(self), proof);
    }

    fn terminal(&self) -> &[u64] {
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

    fn load_all(&mut self, lanes: &[u64], state: &[u64]) {
        self.load_set(self.set_of(lanes), state);
    }

    fn goals_all(&mut self, lanes: &[u64], visit: &mut dyn FnMut(Role, i32, &[u64])) {
        self.visit_goals(self.set_of(lanes), visit);
    }

    fn state(&self, lane: usize) -> State {
        let mut words = vec![0; self.layout.state_words()];
        self.read_column(lane, &mut words);
        State(words.into())
    }

    fn read_state(&self, lane: usize, words: &mut Vec<u64>) {
        words.resize(self.layout.state_words(), 0);
        self.read_column(lane, words);
    }

    fn legal(&mut self, lane: usize, role: Role, moves: &mut Vec<Move>) {
        self.know_legal();
        self.read_legal(lane, role, moves);
    }

    fn force(&mut self, lanes: &[u64], picks: &[Pick]) {
        self.force_set(self.set_of(lanes), picks);
    }

    fn advance(&mut self) {
        let proof = self.zero;
        if self
            .selection
            .as_ref()
            .is_some_and(|selection| selection.needs_legal())
        {
            self.know_legal();
        }
        W::run(Advance(self), proof);
    }

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

    fn observe_moves(&mut self, on: bool) {
        self.selection().observed = on;
    }

    fn made(&self, role: Role) -> &[u32] {
        self.selection
            .as_ref()
            .map_or(&[], |selection| selection.made(role))
    }

    fn places(&mut self, role: Role, moves: &mut Vec<Move>) {
        moves.clear();
        moves.extend(self.layout.legal_order[role].iter().copied().map(Move));
    }

    fn legal_table(&mut self, role: Role, table: &mut Vec<u64>) {
        self.know_legal();
        let moves = &self.layout.moves[role];
        let order = self.layout.legal_order[role].iter();
        let rows: Vec<W> = order
            .map(|&mv| self.row(moves[mv as usize].legal))
            .collect();
        gather_columns(&rows, table);
    }

    fn state_table(&self, table: &mut Vec<u64>) {
        gather_columns(&self.rows.now, table);
    }

    fn playouts(&mut self, keep_going: &mut dyn FnMut(&Tally) -> bool) -> Tally {
        let proof = self.zero;
        W::run(
            Playouts {
                machine: self,
                keep_going,
            },
            proof,
        )
    }
}

impl<W: Word> Machine<W> {
    /// Runs the goal phase unless it ran since the last evaluation.
    fn know_goals(&mut self) {
        if !std::mem::replace(&mut self.goals_known, true) {
            self.program.run(Phase::Goals, &mut self.rows);
        }
    }

    /// Runs the legal phase unless it ran since the last evaluation.
    fn know_legal(&mut self) {
        if !std::mem::replace(&mut self.legal_known, true) {
            self.program.run(Phase::Legal, &mut self.rows);
        }
    }

    /// Weights and observation, which are not there before they are asked for.
    fn selection(&mut self) -> &mut Selection<W> {
        let (layout, zero) = (&self.layout, self.zero);
        (self.selection).get_or_insert_with(|| Box::new(Selection::new(layout, zero)))
    }
}

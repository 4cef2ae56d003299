//! [`Machine`]: one game in many lanes, for any implementation of its logic.

mod batches;
mod lanes;
mod playouts;
mod selection;
mod turns;

pub(crate) use lanes::Stepper;

use crate::draw::draw_ranks;
use crate::engine::{StepSequence, Tally};
use crate::lanes::Word;
use crate::layout::{Layout, Row};
use crate::program::{Phase, Rows, StepProgram};
use crate::random::Random;
use selection::WeightedSelection;
use std::sync::Arc;

/// One game, played in [`Word::LANES`] lanes.
pub struct Machine<W> {
    layout: Arc<Layout>,
    program: Arc<dyn StepProgram<W>>,
    rows: Rows<W>,
    random: Random<W>,
    /// Terminal lanes of the last evaluation.
    terminal: W,
    /// Lanes whose choices are forced, per choice of the layout.
    forced: Vec<W>,
    /// The forced ranks, in the order of the layout's rank rows.
    forced_ranks: Vec<Vec<W>>,
    /// For every role and move, the choice that it is a candidate of.
    choice_of: Vec<Vec<Option<u32>>>,
    /// The ranks of a table of picks, choice after choice, one per lane; and the rows of
    /// one of these choices.
    rank_table: Vec<u64>,
    rank_rows: Vec<W>,
    /// The rows that were last read as a table.
    read_rows: Vec<W>,
    /// The rows of the program of a set of features, made when first needed.
    reachability_rows: Option<Rows<W>>,
    /// Weights and observation, made when first requested.
    selection: Option<Box<WeightedSelection<W>>>,
    sequence: StepSequence,
    /// Whether the goal rows were computed since the last evaluation.
    goals_known: bool,
    /// Whether the legal rows were.
    legal_known: bool,
    zero: W,
}

impl<W: Word> Machine<W> {
    /// A machine with all lanes in the initial state; `None` if this processor lacks
    /// the word's instructions.
    #[must_use]
    pub fn new(layout: Arc<Layout>, program: Arc<dyn StepProgram<W>>, seed: u64) -> Option<Self> {
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
        let moves = layout.moves.iter();
        let choice_of = moves.map(|moves| moves.iter().map(|mv| mv.choice).collect());
        let choice_of = choice_of.collect();
        let mut machine = Self {
            forced: vec![zero; layout.choices.len()],
            forced_ranks,
            choice_of,
            rank_table: Vec::new(),
            rank_rows: Vec::new(),
            read_rows: Vec::new(),
            reachability_rows: None,
            selection: None,
            sequence: StepSequence::default(),
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
        for (row, base) in self.rows.now.iter_mut().zip(&self.layout.bases) {
            *row = if base.initially { all } else { self.zero };
        }
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

    #[inline(always)]
    fn draw(&mut self) {
        for choice in &self.layout.choices {
            let (count, rank) = choice.rows(&mut self.rows.work);
            draw_ranks(count, rank, &mut self.random);
        }
    }

    #[inline(always)]
    fn apply_forced(&mut self) {
        for (index, choice) in self.layout.choices.iter().enumerate() {
            let forced = std::mem::replace(&mut self.forced[index], self.zero);
            if !forced.is_zero() {
                let (_, rank) = choice.rows(&mut self.rows.work);
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
                if value != 0 {
                    let reached = i64::from(open.and(self.row(row)).count());
                    let sum = reached * i64::from(value);
                    tally.goals[role] += sum;
                    tally.squared_goals[role] += i128::from(sum) * i128::from(value);
                }
                open = open.and_not(self.row(row));
            }
        }
    }
}

impl<W: Word> Machine<W> {
    /// Runs the goal phase unless it ran since the last evaluation.
    #[track_caller]
    fn know_goals(&mut self) {
        self.sequence.assert_evaluated();
        if !std::mem::replace(&mut self.goals_known, true) {
            self.program.run(Phase::Goals, &mut self.rows);
        }
    }

    /// Runs the legal phase unless it ran since the last evaluation.
    #[track_caller]
    fn know_legal(&mut self) {
        self.sequence.assert_evaluated();
        if !std::mem::replace(&mut self.legal_known, true) {
            self.program.run(Phase::Legal, &mut self.rows);
        }
    }

    /// Weights and observation, made at the first call.
    fn selection(&mut self) -> &mut WeightedSelection<W> {
        let (layout, zero) = (&self.layout, self.zero);
        (self.selection).get_or_insert_with(|| Box::new(WeightedSelection::new(layout, zero)))
    }
}

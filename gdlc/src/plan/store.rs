//! [`Storage`]: assigns rows of memory to the values of a plan.
//!
//! An engine runs a plan in chunks. Inside a chunk values cost no memory; they are
//! stored if something outside the chunk reads them. A row is reused after the last
//! read of its value, so that the rows in use are few and stay in the first-level
//! cache.

use super::{OpId, Phase, Plan, PlanStep, PlanValue};
use crate::id::{Id, IdVec};
use gdl_runtime::layout::Row;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Steps that run as a unit.
pub type Chunk = Vec<PlanStep>;

/// The chunks of every phase, in execution order.
pub type Chunks = [Vec<Chunk>; 5];

/// Which values an engine stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Those read outside their chunk. The next phase writes next values directly to
    /// the rows of the next state.
    LiveAcross,
    /// All of them. Next values are copied after the last chunk, and the fluents
    /// occupy the first rows.
    Everything,
}

/// Which row of a machine's memory holds which value.
#[derive(Debug, Clone)]
pub struct Storage {
    /// The number of rows.
    pub rows: u32,
    /// A row that is always false.
    pub zero: u32,
    /// For every choice, the first row of its count.
    pub counts: Vec<u32>,
    /// For every choice, the first row of its rank.
    pub ranks: Vec<u32>,
    loops: u32,
    rows_of: IdVec<OpId, Option<u32>>,
    /// The rows of the phases that run on demand.
    goals: OnDemandRows,
    legal: OnDemandRows,
}

/// The rows that an on-demand phase has to itself.
#[derive(Debug, Clone)]
struct OnDemandRows {
    /// By recursive atom; `None` for those that are not solved in the phase.
    loops: Vec<Option<u32>>,
    rows_of: IdVec<OpId, Option<u32>>,
}

impl Storage {
    /// Assigns rows to the values of a plan.
    #[must_use]
    pub fn find(plan: &Plan, chunks: &Chunks, policy: Policy) -> Self {
        let mut rows = match policy {
            Policy::Everything => plan.bases.len() as u32,
            Policy::LiveAcross => 0,
        };
        let mut reserve = |count: u32| {
            let first = rows;
            rows += count;
            first
        };
        let zero = reserve(1);
        let counts = plan.choices.iter().map(|choice| choice.count.len() as u32);
        let counts: Vec<u32> = counts.map(&mut reserve).collect();
        let ranks = plan.choices.iter().map(|choice| choice.rank_bits);
        let ranks: Vec<u32> = ranks.map(&mut reserve).collect();
        let loops = reserve(plan.loops);

        let mut rows_of = IdVec::filled(None, plan.ops.len());
        for (choice, &first) in plan.choices.iter().zip(&counts) {
            for (bit, &op) in choice.count.iter().enumerate() {
                rows_of[op] = Some(first + bit as u32);
            }
        }
        let main = Lifetimes::of_main(plan, chunks, policy);
        let rows = main.assign(rows, &mut rows_of);
        let (goals, rows) = OnDemandRows::find(plan, chunks, policy, Phase::Goals, rows);
        let (legal, rows) = OnDemandRows::find(plan, chunks, policy, Phase::Legal, rows);
        Self {
            rows,
            zero,
            counts,
            ranks,
            loops,
            rows_of,
            goals,
            legal,
        }
    }

    /// The row from which a phase reads a value.
    ///
    /// # Panics
    /// If the value is not stored.
    #[must_use]
    pub fn row(&self, phase: Phase, value: PlanValue) -> Row {
        match value {
            PlanValue::Base(base) => Row::Base(base.index() as u32),
            PlanValue::Zero => Row::Work(self.zero),
            PlanValue::Rank { choice, bit } => Row::Work(self.ranks[choice as usize] + bit),
            PlanValue::Loop(atom) => Row::Work(self.row_of_loop(phase, atom)),
            PlanValue::Op(op) => Row::Work(
                self.filled_row(phase, op)
                    .or(self.rows_of[op])
                    .expect("what is read across chunks is stored"),
            ),
        }
    }

    /// The row to which a phase writes an operation's value, if it is stored. A phase
    /// that runs on demand writes no rows of the others, since it runs between them.
    #[must_use]
    pub fn filled_row(&self, phase: Phase, op: OpId) -> Option<u32> {
        match self.on_demand(phase) {
            Some(own) => own.rows_of[op],
            None => self.rows_of[op],
        }
    }

    fn on_demand(&self, phase: Phase) -> Option<&OnDemandRows> {
        match phase {
            Phase::Goals => Some(&self.goals),
            Phase::Legal => Some(&self.legal),
            Phase::Terminal | Phase::Count | Phase::Next => None,
        }
    }

    /// The row of a recursive atom.
    fn row_of_loop(&self, phase: Phase, atom: u32) -> u32 {
        let own = self.on_demand(phase);
        let own = own.and_then(|own| own.loops[atom as usize]);
        own.unwrap_or(self.loops + atom)
    }
}

impl OnDemandRows {
    /// Assigns rows from `first` on; also returns the number of all rows so far.
    fn find(plan: &Plan, chunks: &Chunks, policy: Policy, phase: Phase, first: u32) -> (Self, u32) {
        let mut rows = first;
        let mut loops = vec![None; plan.loops as usize];
        for atom in solved_in(&plan.phases[phase as usize]) {
            loops[atom as usize] = Some(rows);
            rows += 1;
        }
        let mut rows_of = IdVec::filled(None, plan.ops.len());
        let lifetimes = Lifetimes::of_on_demand(plan, chunks, policy, phase);
        let rows = lifetimes.assign(rows, &mut rows_of);
        (Self { loops, rows_of }, rows)
    }
}

/// The values that an on-demand phase, or the machine after it, reads without the
/// phase computing them.
fn read_from_main(plan: &Plan, phase: Phase, chunks: &[Chunk]) -> Vec<PlanValue> {
    let steps = || chunks.iter().flatten();
    let own: FxHashSet<OpId> = steps().flat_map(made_by).collect();
    let read = steps().flat_map(|step| arguments(plan, step));
    let read = read.chain(results(plan, phase));
    read.filter(|value| !matches!(value, PlanValue::Op(op) if own.contains(op)))
        .collect()
}

/// The results of a phase that runs on demand.
fn results(plan: &Plan, phase: Phase) -> Vec<PlanValue> {
    match phase {
        Phase::Goals => plan.goals.iter().map(|goal| goal.holds).collect(),
        Phase::Legal => plan.moves.iter().map(|mv| mv.legal).collect(),
        Phase::Terminal | Phase::Count | Phase::Next => vec![],
    }
}

/// When values are computed and last read. Time is counted in chunks.
struct Lifetimes {
    /// Operations that need a row, each with the chunk that computes it.
    made: Vec<(u32, OpId)>,
    /// For every operation, the last chunk that reads it.
    last_read: IdVec<OpId, u32>,
}

impl Lifetimes {
    /// The lifetimes in the terminal, count and next phases.
    fn of_main(plan: &Plan, chunks: &Chunks, policy: Policy) -> Self {
        let [terminal, goals, legal, count, next] = chunks;
        let next_starts = (terminal.len() + count.len()) as u32;
        let end = next_starts + next.len() as u32;
        let sequence = terminal.iter().chain(count).chain(next);
        let mut reads = Reads::new(plan, sequence, policy);

        for choice in &plan.choices {
            choice
                .count
                .iter()
                .for_each(|&op| reads.read(PlanValue::Op(op), end));
        }
        for base in &plan.bases {
            reads.read_next(base.next, next_starts, end);
        }
        // Before the next phase, the machine reads this, and may run the on-demand
        // phases.
        reads.read(plan.terminal, next_starts);
        for (phase, chunks) in [(Phase::Goals, goals), (Phase::Legal, legal)] {
            for value in read_from_main(plan, phase, chunks) {
                reads.read(value, next_starts);
            }
        }
        reads.finish()
    }

    /// The lifetimes in a phase that runs on demand.
    fn of_on_demand(plan: &Plan, chunks: &Chunks, policy: Policy, phase: Phase) -> Self {
        let chunks = &chunks[phase as usize];
        let mut reads = Reads::new(plan, chunks.iter(), policy);
        let end = chunks.len() as u32;
        for value in results(plan, phase) {
            reads.read(value, end);
        }
        reads.finish()
    }

    /// Assigns rows from `first` on to the values that have none; returns the number
    /// of all rows so far.
    fn assign(&self, first: u32, rows_of: &mut IdVec<OpId, Option<u32>>) -> u32 {
        let mut rows = first;
        let mut free: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
        let mut busy: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
        for &(chunk, op) in &self.made {
            while let Some(&Reverse((last, row))) = busy.peek() {
                if last >= chunk {
                    break;
                }
                busy.pop();
                free.push(Reverse(row));
            }
            if rows_of[op].is_none() {
                let row = free.pop().map_or_else(
                    || {
                        rows += 1;
                        rows - 1
                    },
                    |Reverse(row)| row,
                );
                rows_of[op] = Some(row);
                busy.push(Reverse((self.last_read[op], row)));
            }
        }
        rows
    }
}

/// Records when operations are computed and read.
struct Reads {
    policy: Policy,
    /// The chunk that computes an operation, if one of the sequence does.
    made: IdVec<OpId, Option<u32>>,
    last_read: IdVec<OpId, u32>,
    /// Whether an operation needs a row.
    stored: IdVec<OpId, bool>,
    /// The operations in execution order.
    order: Vec<OpId>,
}

impl Reads {
    fn new<'c>(plan: &Plan, sequence: impl Iterator<Item = &'c Chunk>, policy: Policy) -> Self {
        let mut reads = Self {
            policy,
            made: IdVec::filled(None, plan.ops.len()),
            last_read: IdVec::filled(0, plan.ops.len()),
            stored: IdVec::filled(policy == Policy::Everything, plan.ops.len()),
            order: Vec::new(),
        };
        for (index, chunk) in sequence.enumerate() {
            let index = index as u32;
            for op in chunk.iter().flat_map(made_by) {
                reads.made[op] = Some(index);
                reads.last_read[op] = reads.last_read[op].max(index);
                reads.order.push(op);
            }
            for value in chunk.iter().flat_map(|step| arguments(plan, step)) {
                reads.read(value, index);
            }
        }
        reads
    }

    /// Records that a chunk reads a value.
    fn read(&mut self, value: PlanValue, chunk: u32) {
        if let PlanValue::Op(op) = value {
            self.last_read[op] = self.last_read[op].max(chunk);
            if self.made[op].is_some_and(|made| made != chunk) {
                self.stored[op] = true;
            }
        }
    }

    /// Records the read of a next value: at the end, unless the next phase writes it
    /// directly to its row.
    fn read_next(&mut self, value: PlanValue, next_starts: u32, end: u32) {
        let PlanValue::Op(op) = value else { return };
        let in_place = self.made[op].is_some_and(|made| made >= next_starts);
        if self.policy == Policy::Everything || !in_place {
            self.read(value, end);
        }
    }

    fn finish(self) -> Lifetimes {
        let stored = self.order.into_iter().filter(|&op| self.stored[op]);
        let mut made: Vec<(u32, OpId)> =
            stored.filter_map(|op| Some((self.made[op]?, op))).collect();
        made.sort_by_key(|(chunk, _)| *chunk);
        Lifetimes {
            made,
            last_read: self.last_read,
        }
    }
}

/// The recursive atoms that steps solve.
fn solved_in(steps: &[PlanStep]) -> impl Iterator<Item = u32> {
    steps.iter().flat_map(|step| match step {
        PlanStep::Op(_) => vec![],
        PlanStep::Loop { atoms, .. } => atoms.iter().map(|(atom, _)| *atom).collect(),
    })
}

/// The operations of a step.
fn made_by(step: &PlanStep) -> Vec<OpId> {
    match step {
        PlanStep::Op(op) => vec![*op],
        PlanStep::Loop { body, .. } => body.clone(),
    }
}

/// The values that a step reads.
fn arguments(plan: &Plan, step: &PlanStep) -> Vec<PlanValue> {
    let mut arguments: Vec<PlanValue> = made_by(step)
        .into_iter()
        .flat_map(|op| plan.ops[op].args)
        .collect();
    if let PlanStep::Loop { atoms, .. } = step {
        arguments.extend(atoms.iter().map(|(_, new)| *new));
    }
    arguments
}

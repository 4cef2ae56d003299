//! Where values are kept: rows for what one part of a step leaves to another.
//!
//! An engine runs a plan in chunks: values live inside a chunk for free and are
//! stored if something outside reads them. Rows are used again once their value
//! has been read for the last time, so that few rows are in use and stay in the
//! first-level cache.

use super::initial::InitialValues;
use super::{OpId, Phase, Plan, Step, Value};
use crate::id::{Id, IdVec};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Steps that run as one.
pub type Chunk = Vec<Step>;

/// A plan's phases in chunks, in the order in which they run.
pub type Chunks = [Vec<Chunk>; 4];

/// What an engine keeps in rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// What is read outside its chunk; next values go straight to their row.
    Crossing,
    /// Every value; next values are fetched after the last chunk. The fluents
    /// stand in the first rows.
    Everything,
}

/// A row of a machine's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A fluent of the current state.
    Base(u32),
    /// A computed value.
    Work(u32),
}

/// The rows of a machine's memory.
#[derive(Debug, Clone)]
pub struct Storage {
    /// The number of rows.
    pub rows: u32,
    /// A row that is always false.
    pub zero: u32,
    /// For every choice the first row of its count.
    pub counts: Vec<u32>,
    /// For every choice the first row of its rank.
    pub ranks: Vec<u32>,
    /// The rows that have to be put to their initial value where a game restarts
    /// between the terminal and the legal phase, with that value.
    pub restarts: Vec<(u32, bool)>,
    loops: u32,
    /// Of recursive atoms solved in the goal phase, the row there.
    goal_loops: Vec<Option<u32>>,
    rows_of: IdVec<OpId, Option<u32>>,
    goal_rows_of: IdVec<OpId, Option<u32>>,
}

impl Storage {
    /// Assigns rows.
    #[must_use]
    pub fn find(plan: &Plan, chunks: &Chunks, policy: Policy) -> Self {
        let mut rows = match policy {
            Policy::Everything => plan.bases.len() as u32,
            Policy::Crossing => 0,
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
        let first_goal_loop = reserve(plan.loops);

        let mut rows_of = IdVec::filled(None, plan.ops.len());
        for (choice, &first) in plan.choices.iter().zip(&counts) {
            for (bit, &op) in choice.count.iter().enumerate() {
                rows_of[op] = Some(first + bit as u32);
            }
        }
        let main = Lifetimes::of_main(plan, chunks, policy);
        let rows = main.assign(rows, &mut rows_of);
        let goal_rows = Lifetimes::of_goals(plan, chunks, policy);
        let mut goal_rows_of = IdVec::filled(None, plan.ops.len());
        let rows = goal_rows.assign(rows, &mut goal_rows_of);
        let mut goal_loops = vec![None; plan.loops as usize];
        for atom in solved_in(&plan.phases[Phase::Goals as usize]) {
            goal_loops[atom as usize] = Some(first_goal_loop + atom);
        }
        let mut storage = Self {
            rows,
            zero,
            counts,
            ranks,
            restarts: Vec::new(),
            loops,
            goal_loops,
            rows_of,
            goal_rows_of,
        };
        storage.restarts = storage.find_restarts(plan, &main);
        storage
    }

    /// Rows made in the terminal phase and read after it, recursive atoms among
    /// them.
    fn find_restarts(&self, plan: &Plan, main: &Lifetimes) -> Vec<(u32, bool)> {
        let initial = InitialValues::find(plan);
        let crossing = main.made.iter().filter(|(chunk, op)| {
            *chunk < main.legal_starts && main.last_read[*op] >= main.legal_starts
        });
        let rows = crossing.filter_map(|(_, op)| Some((self.rows_of[*op]?, initial.of_op(*op))));
        let atoms = solved_in(&plan.phases[Phase::Terminal as usize]);
        let loops = atoms.map(|atom| (self.loops + atom, initial.of_loop(atom)));
        rows.chain(loops).collect()
    }

    /// Where a phase finds a value.
    ///
    /// # Panics
    /// If the value lives inside a chunk only.
    #[must_use]
    pub fn place(&self, phase: Phase, value: Value) -> Place {
        match value {
            Value::Base(base) => Place::Base(base.index() as u32),
            Value::Zero => Place::Work(self.zero),
            Value::Rank { choice, bit } => Place::Work(self.ranks[choice as usize] + bit),
            Value::Loop(atom) => Place::Work(self.row_of_loop(phase, atom)),
            Value::Op(op) => Place::Work(
                self.filled_row(phase, op)
                    .or(self.rows_of[op])
                    .expect("what is read across chunks is stored"),
            ),
        }
    }

    /// The row that a phase puts an operation's value in, if it is stored. The
    /// goal phase leaves the rows of the others alone: it runs between them.
    #[must_use]
    pub fn filled_row(&self, phase: Phase, op: OpId) -> Option<u32> {
        match phase {
            Phase::Goals => self.goal_rows_of[op],
            _ => self.rows_of[op],
        }
    }

    /// The row of a recursive atom.
    fn row_of_loop(&self, phase: Phase, atom: u32) -> u32 {
        let of_goals = match phase {
            Phase::Goals => self.goal_loops[atom as usize],
            _ => None,
        };
        of_goals.unwrap_or(self.loops + atom)
    }
}

/// When values are made and last read, in chunks.
struct Lifetimes {
    /// Operations that need a row, with the chunk that makes them.
    made: Vec<(u32, OpId)>,
    /// For every operation the last chunk that reads it.
    last_read: IdVec<OpId, u32>,
    /// The first chunk of the legal phase.
    legal_starts: u32,
}

impl Lifetimes {
    /// Those of the terminal, legal and next phases.
    fn of_main(plan: &Plan, chunks: &Chunks, policy: Policy) -> Self {
        let [terminal, goals, legal, next] = chunks;
        let legal_starts = terminal.len() as u32;
        let next_starts = legal_starts + legal.len() as u32;
        let end = next_starts + next.len() as u32;
        let sequence = terminal.iter().chain(legal).chain(next);
        let mut reads = Reads::new(plan, sequence, policy);

        // The machine reads these after the terminal or legal phase; goals may
        // be asked for after the legal phase.
        let moves = plan.moves.iter().map(|mv| mv.legal);
        for value in moves.chain([plan.terminal]) {
            reads.read(value, next_starts);
        }
        for choice in &plan.choices {
            choice
                .count
                .iter()
                .for_each(|&op| reads.read(Value::Op(op), end));
        }
        for value in goals
            .iter()
            .flatten()
            .flat_map(|step| arguments(plan, step))
        {
            reads.read(value, next_starts);
        }
        plan.goals
            .iter()
            .for_each(|goal| reads.read(goal.holds, next_starts));
        for base in &plan.bases {
            reads.read_next(base.next, next_starts, end);
        }
        reads.finish(legal_starts)
    }

    /// Those of the goal phase.
    fn of_goals(plan: &Plan, chunks: &Chunks, policy: Policy) -> Self {
        let goals = &chunks[Phase::Goals as usize];
        let mut reads = Reads::new(plan, goals.iter(), policy);
        let end = goals.len() as u32;
        plan.goals
            .iter()
            .for_each(|goal| reads.read(goal.holds, end));
        reads.finish(0)
    }

    /// Gives rows from `first` on to values without one; returns the number of
    /// rows.
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

/// Collects who reads what when.
struct Reads {
    policy: Policy,
    /// The chunk that makes an operation, if one of the sequence does.
    made: IdVec<OpId, Option<u32>>,
    last_read: IdVec<OpId, u32>,
    /// Whether an operation needs a row.
    stored: IdVec<OpId, bool>,
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

    /// Something reads a value in a chunk.
    fn read(&mut self, value: Value, chunk: u32) {
        if let Value::Op(op) = value {
            self.last_read[op] = self.last_read[op].max(chunk);
            if self.made[op].is_some_and(|made| made != chunk) {
                self.stored[op] = true;
            }
        }
    }

    /// A next value is fetched at the end, or put in its place where it is made.
    fn read_next(&mut self, value: Value, next_starts: u32, end: u32) {
        let Value::Op(op) = value else { return };
        let in_place = self.made[op].is_some_and(|made| made >= next_starts);
        if self.policy == Policy::Everything || !in_place {
            self.read(value, end);
        }
    }

    fn finish(self, legal_starts: u32) -> Lifetimes {
        let stored = self.order.into_iter().filter(|&op| self.stored[op]);
        let mut made: Vec<(u32, OpId)> =
            stored.filter_map(|op| Some((self.made[op]?, op))).collect();
        made.sort_by_key(|(chunk, _)| *chunk);
        Lifetimes {
            made,
            last_read: self.last_read,
            legal_starts,
        }
    }
}

/// The recursive atoms that steps solve.
fn solved_in(steps: &[Step]) -> impl Iterator<Item = u32> {
    steps.iter().flat_map(|step| match step {
        Step::Op(_) => vec![],
        Step::Loop { atoms, .. } => atoms.iter().map(|(atom, _)| *atom).collect(),
    })
}

/// The operations of a step.
fn made_by(step: &Step) -> Vec<OpId> {
    match step {
        Step::Op(op) => vec![*op],
        Step::Loop { body, .. } => body.clone(),
    }
}

/// What a step reads.
fn arguments(plan: &Plan, step: &Step) -> Vec<Value> {
    let mut arguments: Vec<Value> = made_by(step)
        .into_iter()
        .flat_map(|op| plan.ops[op].args)
        .collect();
    if let Step::Loop { atoms, .. } = step {
        arguments.extend(atoms.iter().map(|(_, new)| *new));
    }
    arguments
}

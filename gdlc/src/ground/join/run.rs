//! Runs join plans: finds every instance of a rule in which one literal is the
//! triggering atom, derives its head and records it.
//!
//! Invariant: rows are found through indices, which hold joined rows only, and
//! the trigger is the latest of them. Therefore an instance is found exactly
//! once: when the latest of its atoms is the trigger, at the first literal that
//! it matches.

use super::plan::{Build, Construct, JoinOperand, JoinPlan, JoinStep, Matcher, Scan};
use crate::ground::atom_table::{AtomStore, AtomTable, NIL, Status, fill_frame};
use crate::ground::budget::{Exceeded, GroundingMeter};
use crate::ground::clause::Keywords;
use crate::ground::term::GroundTermId;
use crate::id::{Id, IdVec};
use crate::rules::RelationId;
use fixedbitset::FixedBitSet;
use std::collections::VecDeque;

/// What ends early if the budget is exceeded. The error is boxed because it is
/// returned through the inner loop.
pub(in crate::ground) type WithinBudget<T> = Result<T, Box<Exceeded>>;

/// Everything found so far, and the state of the inner loop.
pub(in crate::ground) struct Joiner {
    pub store: AtomStore,
    pub meter: GroundingMeter,
    /// Atoms derived but not joined yet, in the order of their discovery.
    pub queue: VecDeque<(RelationId, u32)>,
    /// Instances, as described at [`Instances`](crate::ground::semi_naive::Instances).
    pub instances: Vec<u32>,
    /// The number of instances found of every rule.
    pub found: Vec<u64>,
    /// The rows of `true` that hold in every state.
    pub permanent: FixedBitSet,
    keywords: Keywords,
    is_role: IdVec<GroundTermId, bool>,
    /// The row of the triggering atom, or [`NIL`].
    trigger: u32,
    registers: Vec<GroundTermId>,
    chosen: Vec<u32>,
    denied: Vec<u32>,
    cursors: Vec<u32>,
    frame: Vec<GroundTermId>,
    key: Vec<GroundTermId>,
}

impl Joiner {
    pub fn new(store: AtomStore, meter: GroundingMeter, keywords: Keywords) -> Self {
        Self {
            store,
            meter,
            queue: VecDeque::new(),
            instances: Vec::new(),
            found: Vec::new(),
            permanent: FixedBitSet::new(),
            keywords,
            is_role: IdVec::new(),
            trigger: NIL,
            registers: Vec::new(),
            chosen: Vec::new(),
            denied: Vec::new(),
            cursors: Vec::new(),
            frame: Vec::new(),
            key: Vec::new(),
        }
    }

    /// Bytes of all tables and of what the instances will become.
    pub fn bytes(&self) -> u64 {
        /// Words as recorded, conditions as sorted, simplified rules and ground rules.
        const COPIES: u64 = 4;
        let tables = self.store.tables.iter().map(AtomTable::bytes);
        tables.sum::<u64>()
            + self.store.terms.bytes()
            + (self.instances.len() * size_of::<u32>()) as u64 * COPIES
    }

    /// Sets the terms that make moves.
    pub fn set_roles(&mut self, roles: impl Iterator<Item = GroundTermId>) {
        for role in roles {
            if self.is_role.len() <= role.index() {
                self.is_role.resize(role.index() + 1, false);
            }
            self.is_role[role] = true;
        }
    }

    /// Marks an atom as possible, and with it what follows in time: `true` from
    /// `next`, `does` from a role's `legal`. Returns the atom's row.
    pub fn derive(&mut self, relation: RelationId, args: &[GroundTermId]) -> u32 {
        let row = self.derive_alone(relation, args);
        if relation == self.keywords.next {
            self.derive_alone(self.keywords.holds, args);
        } else if relation == self.keywords.legal
            && args
                .first()
                .is_some_and(|&role| self.is_role.get(role) == Some(&true))
        {
            self.derive_alone(self.keywords.does, args);
        }
        row
    }

    fn derive_alone(&mut self, relation: RelationId, args: &[GroundTermId]) -> u32 {
        let table = &mut self.store.tables[relation];
        let (row, new) = table.intern(args);
        self.meter.count_atom(args.len(), new);
        if table.derive(row) {
            self.queue.push_back((relation, row));
        }
        row
    }

    /// Marks all fluents that hold so far and match the plan's trigger as holding
    /// for ever.
    pub fn make_permanent(&mut self, plan: &JoinPlan) {
        let Some((holds, matcher, _)) = &plan.trigger else {
            return;
        };
        self.prepare(plan);
        let rows = self.store.tables[*holds].len();
        self.permanent.grow(rows);
        for row in 0..rows as u32 {
            if self.matches(*holds, row, matcher) {
                self.permanent.insert(row as usize);
            }
        }
    }

    /// Removes the next atom from the queue and puts it into the indices.
    pub fn take(&mut self) -> Option<(RelationId, u32)> {
        let (relation, row) = self.queue.pop_front()?;
        self.store.tables[relation].join(row, &self.store.terms, &mut self.frame);
        Some((relation, row))
    }

    /// Finds the instances of a rule without a trigger.
    pub fn run(&mut self, plan: &JoinPlan) -> WithinBudget<()> {
        self.prepare(plan);
        self.trigger = NIL;
        self.search(plan)
    }

    /// Finds the instances of a rule in which the trigger is this row.
    pub fn run_triggered(&mut self, plan: &JoinPlan, row: u32) -> WithinBudget<()> {
        let Some((relation, matcher, slot)) = &plan.trigger else {
            return Ok(());
        };
        self.prepare(plan);
        self.trigger = row;
        if let Some(slot) = *slot {
            self.chosen[slot] = row;
        }
        if self.matches(*relation, row, matcher) {
            self.search(plan)?;
        }
        Ok(())
    }

    fn prepare(&mut self, plan: &JoinPlan) {
        let grow = |vector: &mut Vec<u32>, len| {
            if vector.len() < len {
                vector.resize(len, NIL);
            }
        };
        if self.found.len() <= plan.clause {
            self.found.resize(plan.clause + 1, 0);
        }
        grow(&mut self.chosen, plan.slots);
        grow(&mut self.cursors, plan.steps.len());
        if self.registers.len() < plan.registers {
            self.registers.resize(plan.registers, GroundTermId::new(0));
        }
    }

    /// Searches the steps depth first, without recursion.
    fn search(&mut self, plan: &JoinPlan) -> WithinBudget<()> {
        let mut depth = 0;
        let mut fresh = true;
        loop {
            let deeper = match plan.steps.get(depth) {
                Some(step) => self.advance(step, depth, fresh)?,
                None => {
                    self.emit(plan)?;
                    false
                }
            };
            if deeper {
                depth += 1;
                fresh = true;
            } else if depth == 0 {
                return Ok(());
            } else {
                depth -= 1;
                fresh = false;
            }
        }
    }

    /// Moves a step to its next solution; returns whether there is one.
    fn advance(&mut self, step: &JoinStep, depth: usize, fresh: bool) -> WithinBudget<bool> {
        match step {
            JoinStep::Scan(scan) => self.scan(scan, depth, fresh),
            _ if !fresh => Ok(false),
            JoinStep::Find {
                atom,
                slot,
                excludes_trigger,
            } => Ok(self.find_joined(atom, *slot, *excludes_trigger)),
            JoinStep::Absent(atom) => Ok(self.find(atom).is_none()),
            JoinStep::Differ(sides) => {
                self.build(&sides.builds)?;
                Ok(self.value(sides.args[0]) != self.value(sides.args[1]))
            }
        }
    }

    fn scan(&mut self, scan: &Scan, depth: usize, fresh: bool) -> WithinBudget<bool> {
        let mut row = if fresh {
            self.key.clear();
            for &operand in &scan.key {
                self.key.push(value_of(operand, &self.registers));
            }
            let index = self.store.tables[scan.relation].index(scan.index);
            index.first(&self.key)
        } else {
            self.after(scan, self.cursors[depth])
        };
        while row != NIL {
            self.step()?;
            let passed = scan.excludes_trigger && row == self.trigger;
            if !passed && self.matches(scan.relation, row, &scan.matcher) {
                self.cursors[depth] = row;
                if let Some(slot) = scan.slot {
                    self.chosen[slot] = row;
                }
                return Ok(true);
            }
            row = self.after(scan, row);
        }
        Ok(false)
    }

    #[inline]
    fn after(&self, scan: &Scan, row: u32) -> u32 {
        self.store.tables[scan.relation]
            .index(scan.index)
            .after(row)
    }

    #[inline]
    fn step(&mut self) -> WithinBudget<()> {
        if self.meter.is_due() {
            let bytes = self.bytes();
            self.meter.check(bytes)?;
        }
        Ok(())
    }

    /// Takes a row apart into registers; returns whether it matches.
    #[inline]
    fn matches(&mut self, relation: RelationId, row: u32, matcher: &Matcher) -> bool {
        let args = self.store.tables[relation].row(row);
        let frame = if matcher.opens.is_empty() {
            args
        } else {
            if !fill_frame(&mut self.frame, args, &matcher.opens, &self.store.terms) {
                return false;
            }
            &self.frame[..]
        };
        for &(place, register) in &matcher.binds {
            self.registers[register as usize] = frame[place as usize];
        }
        matcher
            .checks
            .iter()
            .all(|&(place, operand)| frame[place as usize] == value_of(operand, &self.registers))
    }

    #[inline]
    fn value(&self, operand: JoinOperand) -> GroundTermId {
        value_of(operand, &self.registers)
    }

    fn find_joined(&mut self, atom: &Construct, slot: Option<usize>, excludes: bool) -> bool {
        let Some(row) = self.find(atom) else {
            return false;
        };
        let joined = self.store.tables[atom.relation].status(row) == Status::Joined;
        if !joined || (excludes && row == self.trigger) {
            return false;
        }
        if let Some(slot) = slot {
            self.chosen[slot] = row;
        }
        true
    }

    /// The row of an atom, if the atom has been mentioned. Makes no terms.
    fn find(&mut self, atom: &Construct) -> Option<u32> {
        for build in &atom.builds {
            self.gather(&build.args);
            let term = self.store.terms.find(build.functor, &self.key)?;
            self.registers[build.into as usize] = term;
        }
        self.gather(&atom.args);
        self.store.tables[atom.relation].find(&self.key)
    }

    fn gather(&mut self, operands: &[JoinOperand]) {
        self.key.clear();
        for &operand in operands {
            let value = self.value(operand);
            self.key.push(value);
        }
    }

    /// Makes the nested terms of an atom.
    fn build(&mut self, builds: &[Build]) -> WithinBudget<()> {
        for build in builds {
            self.gather(&build.args);
            let term = self.store.terms.intern(build.functor, &self.key);
            if self.store.terms.size(term) > self.meter.term_size() {
                return Err(self.meter.term_too_large(self.bytes()));
            }
            self.registers[build.into as usize] = term;
        }
        Ok(())
    }

    /// Derives the head and records the instance.
    fn emit(&mut self, plan: &JoinPlan) -> WithinBudget<()> {
        self.step()?;
        self.found[plan.clause] += 1;
        if plan.records && self.contradicts(&plan.negatives)? {
            return Ok(());
        }
        self.build(&plan.head.builds)?;
        self.gather(&plan.head.args);
        let key = std::mem::take(&mut self.key);
        let head = self.derive(plan.head.relation, &key);
        self.key = key;
        if !plan.records {
            return Ok(());
        }
        self.meter.instances += 1;
        self.instances.push(plan.clause as u32);
        self.instances.push(head);
        self.instances.extend_from_slice(&self.chosen[..plan.slots]);
        self.instances.extend_from_slice(&self.denied);
        Ok(())
    }

    /// Looks up the atoms that must not hold; returns whether one always does.
    fn contradicts(&mut self, negatives: &[Construct]) -> WithinBudget<bool> {
        self.denied.clear();
        for negative in negatives {
            self.build(&negative.builds)?;
            self.gather(&negative.args);
            let (row, new) = self.store.tables[negative.relation].intern(&self.key);
            self.meter.count_atom(self.key.len(), new);
            if negative.relation == self.keywords.holds && self.permanent.contains(row as usize) {
                return Ok(true);
            }
            self.denied.push(row);
        }
        Ok(false)
    }
}

#[inline]
fn value_of(operand: JoinOperand, registers: &[GroundTermId]) -> GroundTermId {
    match operand {
        JoinOperand::Register(register) => registers[register as usize],
        JoinOperand::Constant(term) => term,
    }
}

//! Makes join plans: greedily, the literal with the fewest expected rows first.

use super::pattern::{FramePattern, Leaves, operand};
use super::plan::{Construct, JoinOperand, JoinPlan, JoinStep, Matcher, Scan};
use crate::ground::atom_table::{AtomStore, OpenFunction, fill_frame};
use crate::ground::clause::{Clause, Clauses};
use crate::ground::table::{NumberTable, hash_key};
use crate::id::{Id, IdVec};
use crate::rules::{Atom, Literal, RelationId, Term};
use rustc_hash::FxHashMap;

/// Makes plans for the relations that are growing.
pub(in crate::ground) struct JoinPlanner<'a> {
    pub clauses: &'a Clauses,
    pub store: &'a mut AtomStore,
    /// Relations that are not complete yet.
    pub growing: &'a IdVec<RelationId, bool>,
    fan_outs: FxHashMap<(RelationId, Vec<OpenFunction>, Vec<u32>), f64>,
}

/// The number of values that an argument is assumed to have while nothing is
/// known.
const UNKNOWN_VALUES: f64 = 8.0;
/// A growing relation with fewer rows says nothing about its final size.
const FEW_ROWS: usize = 64;
/// The number of rows that a fan-out is estimated from.
const SAMPLE: usize = 1 << 14;

impl<'a> JoinPlanner<'a> {
    pub fn new(
        clauses: &'a Clauses,
        store: &'a mut AtomStore,
        growing: &'a IdVec<RelationId, bool>,
    ) -> Self {
        Self {
            clauses,
            store,
            growing,
            fan_outs: FxHashMap::default(),
        }
    }

    /// The plan for rule `number`, triggered by the literal at position `trigger`,
    /// or by none.
    pub fn plan(&mut self, number: usize, trigger: Option<usize>) -> JoinPlan {
        let clause = &self.clauses.clauses[number];
        let mut builder = PlanBuilder {
            bound: vec![false; clause.variables],
            registers: clause.variables,
            done: vec![false; clause.body.len()],
            slots: self.slots(clause),
            trigger,
            steps: Vec::new(),
        };
        let trigger =
            trigger.and_then(|position| self.take_trigger(clause, position, &mut builder));
        self.push_checks(clause, &mut builder);
        while let Some(position) = self.cheapest(clause, &builder) {
            self.push_lookup(clause, position, &mut builder);
            self.push_checks(clause, &mut builder);
        }
        let negatives = self.recorded_negatives(clause, &mut builder);
        let head = self.construct(clause.head.relation, &clause.head.args, &mut builder);
        JoinPlan {
            clause: number,
            registers: builder.registers,
            trigger,
            steps: builder.steps,
            slots: builder.slots.iter().flatten().count(),
            records: self.clauses.varies(clause.head.relation),
            negatives,
            head,
        }
    }

    /// The slot of each literal of the body: positive ones that vary have one.
    fn slots(&self, clause: &Clause) -> Vec<Option<usize>> {
        let mut used = 0;
        let slot = |literal: &Literal| match literal {
            Literal::Positive(atom) if self.clauses.varies(atom.relation) => {
                used += 1;
                Some(used - 1)
            }
            _ => None,
        };
        clause.body.iter().map(slot).collect()
    }

    fn take_trigger(
        &mut self,
        clause: &Clause,
        position: usize,
        builder: &mut PlanBuilder,
    ) -> Option<(RelationId, Matcher, Option<usize>)> {
        let (atom, _) = clause.body[position].atom()?;
        let pattern = FramePattern::of(&atom.args, &mut self.store.terms);
        let mut matcher = Matcher::default();
        for &(place, leaf) in &pattern.leaves {
            builder.match_leaf(place, leaf, &mut matcher);
        }
        matcher.opens = pattern.opens;
        builder.done[position] = true;
        Some((atom.relation, matcher, builder.slots[position]))
    }

    /// Appends every test whose variables are all bound.
    fn push_checks(&mut self, clause: &Clause, builder: &mut PlanBuilder) {
        for (position, literal) in clause.body.iter().enumerate() {
            if builder.done[position] {
                continue;
            }
            match literal {
                Literal::Negative(atom) if self.is_complete(atom) => {
                    if builder.binds_all(&atom.args) {
                        let atom = self.construct(atom.relation, &atom.args, builder);
                        builder.steps.push(JoinStep::Absent(atom));
                        builder.done[position] = true;
                    }
                }
                Literal::Distinct(left, right, _) => {
                    let sides = [left.clone(), right.clone()];
                    if builder.binds_all(&sides) {
                        let sides = self.construct(clause.head.relation, &sides, builder);
                        builder.steps.push(JoinStep::Differ(sides));
                        builder.done[position] = true;
                    }
                }
                Literal::Positive(_) | Literal::Negative(_) => {}
            }
        }
    }

    /// Whether a negative literal is evaluated, since its relation is the same in
    /// every state; if the relation varies, the literal is recorded instead.
    fn is_complete(&self, atom: &Atom) -> bool {
        !self.clauses.varies(atom.relation)
    }

    /// The positive literal with the fewest expected rows, the first of several.
    fn cheapest(&mut self, clause: &Clause, builder: &PlanBuilder) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for (position, literal) in clause.body.iter().enumerate() {
            if let (false, Literal::Positive(atom)) = (builder.done[position], literal) {
                let rows = self.fan_out(atom, builder);
                if best.is_none_or(|(least, _)| rows < least) {
                    best = Some((rows, position));
                }
            }
        }
        best.map(|(_, position)| position)
    }

    /// The average number of rows that a look-up will find.
    fn fan_out(&mut self, atom: &Atom, builder: &PlanBuilder) -> f64 {
        let pattern = FramePattern::of(&atom.args, &mut self.store.terms);
        let (keys, rest) = builder.split_leaves(&pattern);
        if rest.is_empty() {
            return 0.0;
        }
        let few = self.store.tables[atom.relation].len() < FEW_ROWS;
        if self.growing[atom.relation] && few {
            return UNKNOWN_VALUES.powi(i32::try_from(rest.len()).unwrap_or(i32::MAX));
        }
        let places: Vec<u32> = keys.iter().map(|&(place, _)| place).collect();
        let question = (atom.relation, pattern.opens, places);
        if let Some(&known) = self.fan_outs.get(&question) {
            return known;
        }
        let (_, opens, places) = &question;
        let fan_out = self.measure_fan_out(atom.relation, opens, places);
        self.fan_outs.insert(question, fan_out);
        fan_out
    }

    /// The number of rows per key, in a sample of the rows of this shape.
    fn measure_fan_out(&self, relation: RelationId, opens: &[OpenFunction], keys: &[u32]) -> f64 {
        let table = &self.store.tables[relation];
        if keys.is_empty() {
            return table.len() as f64;
        }
        let (mut frame, mut seen, mut known) = (Vec::new(), Vec::new(), NumberTable::default());
        let (mut rows, mut distinct) = (0u32, 0u32);
        for row in table.derived().take(SAMPLE) {
            if !fill_frame(&mut frame, table.row(row), opens, &self.store.terms) {
                continue;
            }
            rows += 1;
            let start = seen.len();
            seen.extend(keys.iter().map(|&key| frame[key as usize]));
            let hash = hash_key(0, &seen[start..]);
            let same = |number: u32| {
                let other = number as usize * keys.len();
                seen[other..other + keys.len()] == seen[start..]
            };
            if known.find(hash, same).is_some() {
                seen.truncate(start);
            } else {
                known.insert(hash, distinct);
                distinct += 1;
            }
        }
        f64::from(rows) / f64::from(distinct.max(1))
    }

    fn push_lookup(&mut self, clause: &Clause, position: usize, builder: &mut PlanBuilder) {
        let Literal::Positive(atom) = &clause.body[position] else {
            return;
        };
        builder.done[position] = true;
        let slot = builder.slots[position];
        let excludes_trigger = builder.trigger.is_some_and(|trigger| {
            let known = clause.body[trigger].atom();
            position < trigger && known.is_some_and(|(known, _)| known.relation == atom.relation)
        });
        let pattern = FramePattern::of(&atom.args, &mut self.store.terms);
        let (keys, rest) = builder.split_leaves(&pattern);
        if rest.is_empty() {
            let atom = self.construct(atom.relation, &atom.args, builder);
            builder.steps.push(JoinStep::Find {
                atom,
                slot,
                excludes_trigger,
            });
            return;
        }
        let mut matcher = Matcher::default();
        for (place, leaf) in rest {
            builder.match_leaf(place, leaf, &mut matcher);
        }
        let places: Vec<u32> = keys.iter().map(|&(place, _)| place).collect();
        let terms = &self.store.terms;
        let table = &mut self.store.tables[atom.relation];
        builder.steps.push(JoinStep::Scan(Scan {
            relation: atom.relation,
            index: table.index_over(&pattern.opens, &places, terms),
            key: keys.into_iter().map(|(_, leaf)| leaf).collect(),
            matcher: Matcher {
                opens: pattern.opens,
                ..matcher
            },
            slot,
            excludes_trigger,
        }));
    }

    fn recorded_negatives(&mut self, clause: &Clause, builder: &mut PlanBuilder) -> Vec<Construct> {
        let mut negatives = Vec::new();
        for literal in &clause.body {
            if let Literal::Negative(atom) = literal
                && !self.is_complete(atom)
            {
                negatives.push(self.construct(atom.relation, &atom.args, builder));
            }
        }
        negatives
    }

    fn construct(
        &mut self,
        relation: RelationId,
        args: &[Term],
        builder: &mut PlanBuilder,
    ) -> Construct {
        let mut builds = Vec::new();
        let terms = &mut self.store.terms;
        let args = args
            .iter()
            .map(|arg| operand(arg, terms, &mut builds, &mut builder.registers))
            .collect();
        Construct {
            relation,
            builds,
            args,
        }
    }
}

/// A plan under construction.
struct PlanBuilder {
    bound: Vec<bool>,
    registers: usize,
    done: Vec<bool>,
    slots: Vec<Option<usize>>,
    trigger: Option<usize>,
    steps: Vec<JoinStep>,
}

impl PlanBuilder {
    fn binds_all(&self, args: &[Term]) -> bool {
        let mut all = true;
        for arg in args {
            arg.for_each_variable(&mut |variable| all &= self.bound[variable.index()]);
        }
        all
    }

    fn is_bound(&self, leaf: JoinOperand) -> bool {
        match leaf {
            JoinOperand::Register(register) => self.bound[register as usize],
            JoinOperand::Constant(_) => true,
        }
    }

    /// The leaves of a pattern whose values are known, and the others.
    fn split_leaves(&self, pattern: &FramePattern) -> (Leaves, Leaves) {
        pattern
            .leaves
            .iter()
            .partition(|&&(_, leaf)| self.is_bound(leaf))
    }

    /// Binds or checks what stands at a place of the frame.
    fn match_leaf(&mut self, place: u32, leaf: JoinOperand, matcher: &mut Matcher) {
        match leaf {
            JoinOperand::Register(register) if !self.bound[register as usize] => {
                self.bound[register as usize] = true;
                matcher.binds.push((place, register));
            }
            _ => matcher.checks.push((place, leaf)),
        }
    }
}

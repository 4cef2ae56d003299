//! Join plans: in which order the literals of a rule are looked up once one of
//! them is given, compiled to flat instructions over registers.
//!
//! A rule's variables are its first registers; nested terms that have to be
//! built use those behind. Constants and ground subterms are interned when the
//! plan is made.

use super::atom_table::{AtomTable, Open, fill_frame};
use super::clause::{Clause, Clauses};
use super::table::{Table, hash_key};
use super::term::{FunctorId, GroundTermId, TermStore};
use crate::id::{Id, IdVec};
use crate::rules::{Atom, Literal, RelationId, Term};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The terms and atoms found so far.
pub(super) struct AtomStore {
    pub terms: TermStore,
    pub tables: IdVec<RelationId, AtomTable>,
}

/// A value at hand.
#[derive(Debug, Clone, Copy)]
pub(super) enum JoinOperand {
    Register(u32),
    Constant(GroundTermId),
}

/// Makes a nested term.
#[derive(Debug)]
pub(super) struct Build {
    pub functor: FunctorId,
    pub args: Vec<JoinOperand>,
    pub into: u32,
}

/// Makes an atom's arguments (or the two sides of a `distinct`).
#[derive(Debug)]
pub(super) struct Construct {
    pub relation: RelationId,
    pub builds: Vec<Build>,
    pub args: Vec<JoinOperand>,
}

/// Takes an atom apart.
#[derive(Debug, Default)]
pub(super) struct Matcher {
    pub opens: Vec<Open>,
    /// Place in the frame, register that receives it.
    pub binds: Vec<(u32, u32)>,
    /// Place in the frame, what it has to equal; after the binds.
    pub checks: Vec<(u32, JoinOperand)>,
}

/// One literal of the body in the order of the plan.
#[derive(Debug)]
pub(super) enum JoinStep {
    /// All rows of an index under a key.
    Scan(Scan),
    /// The one row of an atom whose variables are all bound.
    Find {
        atom: Construct,
        slot: Option<usize>,
        excludes_trigger: bool,
    },
    /// A negative literal over a relation that is complete.
    Absent(Construct),
    /// A `distinct`.
    Differ(Construct),
}

/// See [`JoinStep::Scan`].
#[derive(Debug)]
pub(super) struct Scan {
    pub relation: RelationId,
    pub index: usize,
    pub key: Vec<JoinOperand>,
    pub matcher: Matcher,
    /// Where the row goes in the instance.
    pub slot: Option<usize>,
    /// Whether the atom that triggered the plan is passed over: every instance
    /// belongs to the first of its literals that is the latest atom.
    pub excludes_trigger: bool,
}

/// How to find the instances of a rule in which one literal is a given atom.
#[derive(Debug)]
pub(super) struct JoinPlan {
    pub clause: usize,
    pub registers: usize,
    /// The given literal: its relation, how to take it apart, its slot.
    pub trigger: Option<(RelationId, Matcher, Option<usize>)>,
    pub steps: Vec<JoinStep>,
    /// How many positive literals an instance records.
    pub slots: usize,
    /// Whether instances are recorded at all.
    pub records: bool,
    /// Negative literals that an instance records.
    pub negatives: Vec<Construct>,
    pub head: Construct,
}

/// Makes plans for the relations that grow at the moment.
pub(super) struct JoinPlanner<'a> {
    pub clauses: &'a Clauses,
    pub store: &'a mut AtomStore,
    /// Relations that are not complete yet.
    pub growing: &'a IdVec<RelationId, bool>,
    fan_outs: FxHashMap<(RelationId, Vec<Open>, Vec<u32>), f64>,
}

/// Values that an argument is taken to have while nothing is known.
const UNKNOWN_VALUES: f64 = 8.0;
/// Growing relations with fewer rows say nothing about their final size.
const FEW_ROWS: usize = 64;
/// Rows looked at to estimate a fan-out.
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

    /// The plan for a rule whose `trigger`-th literal is given, if any is.
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

    /// Appends what only tests, as soon as its variables are bound.
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

    /// A negative literal over a relation that is the same in every state is
    /// evaluated; over one that varies it is recorded.
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

    /// How many rows a look-up will find, on the average.
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

    /// Rows a key, in a sample of the rows of this shape.
    fn measure_fan_out(&self, relation: RelationId, opens: &[Open], keys: &[u32]) -> f64 {
        let table = &self.store.tables[relation];
        if keys.is_empty() {
            return table.len() as f64;
        }
        let (mut frame, mut seen, mut known) = (Vec::new(), Vec::new(), Table::default());
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
            let given = clause.body[trigger].atom();
            position < trigger && given.is_some_and(|(given, _)| given.relation == atom.relation)
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

/// A plan half made.
struct PlanBuilder {
    bound: Vec<bool>,
    registers: usize,
    done: Vec<bool>,
    slots: Vec<Option<usize>>,
    trigger: Option<usize>,
    steps: Vec<JoinStep>,
}

type Leaves = Vec<(u32, JoinOperand)>;

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

    /// The leaves of a pattern whose value is at hand, and the others.
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

/// An atom's arguments as the places of a frame.
struct FramePattern {
    opens: Vec<Open>,
    /// What stands at the places that are not opened.
    leaves: Leaves,
}

impl FramePattern {
    /// Functions are opened breadth first, so that equal shapes are equal lists.
    fn of(args: &[Term], terms: &mut TermStore) -> Self {
        let mut pattern = Self {
            opens: Vec::new(),
            leaves: Vec::new(),
        };
        let mut pending: VecDeque<(u32, &Term)> = (0u32..).zip(args).collect();
        let mut places = pending.len() as u32;
        while let Some((place, term)) = pending.pop_front() {
            match term {
                Term::Variable(variable) => pattern
                    .leaves
                    .push((place, JoinOperand::Register(variable.index() as u32))),
                Term::Function(symbol, args) if !term.is_ground() => {
                    let functor = terms.functor_id(*symbol, args.len());
                    pattern.opens.push(Open {
                        source: place,
                        functor,
                    });
                    pending.extend((places..).zip(args));
                    places += args.len() as u32;
                }
                ground => {
                    let constant = intern_ground(ground, terms);
                    pattern
                        .leaves
                        .push((place, JoinOperand::Constant(constant)));
                }
            }
        }
        pattern
    }
}

/// A term without variables. The parser bounds its depth.
fn intern_ground(term: &Term, terms: &mut TermStore) -> GroundTermId {
    match term {
        Term::Function(symbol, args) => {
            let args: Vec<GroundTermId> =
                args.iter().map(|arg| intern_ground(arg, terms)).collect();
            let functor = terms.functor_id(*symbol, args.len());
            terms.intern(functor, &args)
        }
        Term::Constant(symbol) => terms.constant(*symbol),
        Term::Variable(_) => unreachable!("asked only of ground terms"),
    }
}

/// Where a term's value is, after `builds` have run. The parser bounds its
/// depth.
fn operand(
    term: &Term,
    terms: &mut TermStore,
    builds: &mut Vec<Build>,
    registers: &mut usize,
) -> JoinOperand {
    match term {
        Term::Variable(variable) => JoinOperand::Register(variable.index() as u32),
        Term::Function(symbol, args) if !term.is_ground() => {
            let functor = terms.functor_id(*symbol, args.len());
            let args = args
                .iter()
                .map(|arg| operand(arg, terms, builds, registers))
                .collect();
            let into = *registers as u32;
            *registers += 1;
            builds.push(Build {
                functor,
                args,
                into,
            });
            JoinOperand::Register(into)
        }
        ground => JoinOperand::Constant(intern_ground(ground, terms)),
    }
}

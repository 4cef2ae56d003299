//! Join plans: in which order the literals of a rule are looked up once one of
//! them is given, compiled to flat instructions over registers.
//!
//! A rule's variables are its first registers; nested terms that have to be
//! built use those behind. Constants and ground subterms are interned when the
//! plan is made.

use super::clause::{Clause, Clauses};
use super::extension::{Extension, Open, fill_frame};
use super::table::{Table, hash_terms};
use super::term::{FunctorId, TermId, Terms};
use crate::id::{Id, IdVec};
use crate::rules::{Atom, Literal, RelationId, Term};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Terms and atoms found so far.
pub(super) struct Store {
    pub terms: Terms,
    pub extensions: IdVec<RelationId, Extension>,
}

/// A value at hand.
#[derive(Debug, Clone, Copy)]
pub(super) enum Operand {
    Register(u32),
    Constant(TermId),
}

/// Makes a nested term.
#[derive(Debug)]
pub(super) struct Build {
    pub functor: FunctorId,
    pub args: Vec<Operand>,
    pub into: u32,
}

/// Makes an atom's arguments (or the two sides of a `distinct`).
#[derive(Debug)]
pub(super) struct Construct {
    pub relation: RelationId,
    pub builds: Vec<Build>,
    pub args: Vec<Operand>,
}

/// Takes an atom apart.
#[derive(Debug, Default)]
pub(super) struct Matcher {
    pub opens: Vec<Open>,
    /// Place in the frame, register that receives it.
    pub binds: Vec<(u32, u32)>,
    /// Place in the frame, what it has to equal; after the binds.
    pub checks: Vec<(u32, Operand)>,
}

/// One literal of the body in the order of the plan.
#[derive(Debug)]
pub(super) enum Step {
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

/// See [`Step::Scan`].
#[derive(Debug)]
pub(super) struct Scan {
    pub relation: RelationId,
    pub index: usize,
    pub key: Vec<Operand>,
    pub matcher: Matcher,
    /// Where the row goes in the instance.
    pub slot: Option<usize>,
    /// Whether the atom that triggered the plan is passed over: every instance
    /// belongs to the first of its literals that is the latest atom.
    pub excludes_trigger: bool,
}

/// How to find the instances of a rule in which one literal is a given atom.
#[derive(Debug)]
pub(super) struct Plan {
    pub clause: usize,
    pub registers: usize,
    /// The given literal: its relation, how to take it apart, its slot.
    pub trigger: Option<(RelationId, Matcher, Option<usize>)>,
    pub steps: Vec<Step>,
    /// How many positive literals an instance records.
    pub slots: usize,
    /// Whether instances are recorded at all.
    pub records: bool,
    /// Negative literals that an instance records.
    pub negatives: Vec<Construct>,
    pub head: Construct,
}

/// Makes plans for the relations that grow at the moment.
pub(super) struct Planner<'a> {
    pub clauses: &'a Clauses,
    pub store: &'a mut Store,
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

impl<'a> Planner<'a> {
    pub fn new(
        clauses: &'a Clauses,
        store: &'a mut Store,
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
    pub fn plan(&mut self, number: usize, trigger: Option<usize>) -> Plan {
        let clause = &self.clauses.clauses[number];
        let mut making = Making {
            bound: vec![false; clause.variables],
            registers: clause.variables,
            done: vec![false; clause.body.len()],
            slots: self.slots(clause),
            trigger,
            steps: Vec::new(),
        };
        let trigger = trigger.and_then(|position| self.take_trigger(clause, position, &mut making));
        self.push_checks(clause, &mut making);
        while let Some(position) = self.cheapest(clause, &making) {
            self.push_lookup(clause, position, &mut making);
            self.push_checks(clause, &mut making);
        }
        let negatives = self.recorded_negatives(clause, &mut making);
        let head = self.construct(clause.head.relation, &clause.head.args, &mut making);
        Plan {
            clause: number,
            registers: making.registers,
            trigger,
            steps: making.steps,
            slots: making.slots.iter().flatten().count(),
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
        making: &mut Making,
    ) -> Option<(RelationId, Matcher, Option<usize>)> {
        let (atom, _) = clause.body[position].atom()?;
        let pattern = Pattern::of(&atom.args, &mut self.store.terms);
        let mut matcher = Matcher::default();
        for &(place, leaf) in &pattern.leaves {
            making.match_leaf(place, leaf, &mut matcher);
        }
        matcher.opens = pattern.opens;
        making.done[position] = true;
        Some((atom.relation, matcher, making.slots[position]))
    }

    /// Appends what only tests, as soon as its variables are bound.
    fn push_checks(&mut self, clause: &Clause, making: &mut Making) {
        for (position, literal) in clause.body.iter().enumerate() {
            if making.done[position] {
                continue;
            }
            match literal {
                Literal::Negative(atom) if self.is_complete(atom) => {
                    if making.binds_all(&atom.args) {
                        let atom = self.construct(atom.relation, &atom.args, making);
                        making.steps.push(Step::Absent(atom));
                        making.done[position] = true;
                    }
                }
                Literal::Distinct(left, right, _) => {
                    let sides = [left.clone(), right.clone()];
                    if making.binds_all(&sides) {
                        let sides = self.construct(clause.head.relation, &sides, making);
                        making.steps.push(Step::Differ(sides));
                        making.done[position] = true;
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
    fn cheapest(&mut self, clause: &Clause, making: &Making) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for (position, literal) in clause.body.iter().enumerate() {
            if let (false, Literal::Positive(atom)) = (making.done[position], literal) {
                let rows = self.fan_out(atom, making);
                if best.is_none_or(|(least, _)| rows < least) {
                    best = Some((rows, position));
                }
            }
        }
        best.map(|(_, position)| position)
    }

    /// How many rows a look-up will find, on the average.
    fn fan_out(&mut self, atom: &Atom, making: &Making) -> f64 {
        let pattern = Pattern::of(&atom.args, &mut self.store.terms);
        let (keys, rest) = making.split_leaves(&pattern);
        if rest.is_empty() {
            return 0.0;
        }
        let few = self.store.extensions[atom.relation].len() < FEW_ROWS;
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
        let extension = &self.store.extensions[relation];
        if keys.is_empty() {
            return extension.len() as f64;
        }
        let (mut frame, mut seen, mut table) = (Vec::new(), Vec::new(), Table::default());
        let (mut rows, mut distinct) = (0u32, 0u32);
        for row in extension.derived().take(SAMPLE) {
            if !fill_frame(&mut frame, extension.row(row), opens, &self.store.terms) {
                continue;
            }
            rows += 1;
            let start = seen.len();
            seen.extend(keys.iter().map(|&key| frame[key as usize]));
            let hash = hash_terms(0, &seen[start..]);
            let same = |number: u32| {
                let other = number as usize * keys.len();
                seen[other..other + keys.len()] == seen[start..]
            };
            if table.find(hash, same).is_some() {
                seen.truncate(start);
            } else {
                table.insert(hash, distinct);
                distinct += 1;
            }
        }
        f64::from(rows) / f64::from(distinct.max(1))
    }

    fn push_lookup(&mut self, clause: &Clause, position: usize, making: &mut Making) {
        let Literal::Positive(atom) = &clause.body[position] else {
            return;
        };
        making.done[position] = true;
        let slot = making.slots[position];
        let excludes_trigger = making.trigger.is_some_and(|trigger| {
            let given = clause.body[trigger].atom();
            position < trigger && given.is_some_and(|(given, _)| given.relation == atom.relation)
        });
        let pattern = Pattern::of(&atom.args, &mut self.store.terms);
        let (keys, rest) = making.split_leaves(&pattern);
        if rest.is_empty() {
            let atom = self.construct(atom.relation, &atom.args, making);
            making.steps.push(Step::Find {
                atom,
                slot,
                excludes_trigger,
            });
            return;
        }
        let mut matcher = Matcher::default();
        for (place, leaf) in rest {
            making.match_leaf(place, leaf, &mut matcher);
        }
        let places: Vec<u32> = keys.iter().map(|&(place, _)| place).collect();
        let terms = &self.store.terms;
        let extension = &mut self.store.extensions[atom.relation];
        making.steps.push(Step::Scan(Scan {
            relation: atom.relation,
            index: extension.index_over(&pattern.opens, &places, terms),
            key: keys.into_iter().map(|(_, leaf)| leaf).collect(),
            matcher: Matcher {
                opens: pattern.opens,
                ..matcher
            },
            slot,
            excludes_trigger,
        }));
    }

    fn recorded_negatives(&mut self, clause: &Clause, making: &mut Making) -> Vec<Construct> {
        let mut negatives = Vec::new();
        for literal in &clause.body {
            if let Literal::Negative(atom) = literal
                && !self.is_complete(atom)
            {
                negatives.push(self.construct(atom.relation, &atom.args, making));
            }
        }
        negatives
    }

    fn construct(&mut self, relation: RelationId, args: &[Term], making: &mut Making) -> Construct {
        let mut builds = Vec::new();
        let terms = &mut self.store.terms;
        let args = args
            .iter()
            .map(|arg| operand(arg, terms, &mut builds, &mut making.registers))
            .collect();
        Construct {
            relation,
            builds,
            args,
        }
    }
}

/// A plan half made.
struct Making {
    bound: Vec<bool>,
    registers: usize,
    done: Vec<bool>,
    slots: Vec<Option<usize>>,
    trigger: Option<usize>,
    steps: Vec<Step>,
}

type Leaves = Vec<(u32, Operand)>;

impl Making {
    fn binds_all(&self, args: &[Term]) -> bool {
        let mut all = true;
        for arg in args {
            arg.for_each_variable(&mut |variable| all &= self.bound[variable.index()]);
        }
        all
    }

    fn is_bound(&self, leaf: Operand) -> bool {
        match leaf {
            Operand::Register(register) => self.bound[register as usize],
            Operand::Constant(_) => true,
        }
    }

    /// The leaves of a pattern whose value is at hand, and the others.
    fn split_leaves(&self, pattern: &Pattern) -> (Leaves, Leaves) {
        pattern
            .leaves
            .iter()
            .partition(|&&(_, leaf)| self.is_bound(leaf))
    }

    /// Binds or checks what stands at a place of the frame.
    fn match_leaf(&mut self, place: u32, leaf: Operand, matcher: &mut Matcher) {
        match leaf {
            Operand::Register(register) if !self.bound[register as usize] => {
                self.bound[register as usize] = true;
                matcher.binds.push((place, register));
            }
            _ => matcher.checks.push((place, leaf)),
        }
    }
}

/// An atom's arguments as the places of a frame.
struct Pattern {
    opens: Vec<Open>,
    /// What stands at the places that are not opened.
    leaves: Leaves,
}

impl Pattern {
    /// Functions are opened breadth first, so that equal shapes are equal lists.
    fn of(args: &[Term], terms: &mut Terms) -> Self {
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
                    .push((place, Operand::Register(variable.index() as u32))),
                Term::Function(symbol, args) if !is_ground(term) => {
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
                    pattern.leaves.push((place, Operand::Constant(constant)));
                }
            }
        }
        pattern
    }
}

fn is_ground(term: &Term) -> bool {
    let mut ground = true;
    term.for_each_variable(&mut |_| ground = false);
    ground
}

/// A term without variables. The parser bounds its depth.
fn intern_ground(term: &Term, terms: &mut Terms) -> TermId {
    match term {
        Term::Function(symbol, args) => {
            let args: Vec<TermId> = args.iter().map(|arg| intern_ground(arg, terms)).collect();
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
    terms: &mut Terms,
    builds: &mut Vec<Build>,
    registers: &mut usize,
) -> Operand {
    match term {
        Term::Variable(variable) => Operand::Register(variable.index() as u32),
        Term::Function(symbol, args) if !is_ground(term) => {
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
            Operand::Register(into)
        }
        ground => Operand::Constant(intern_ground(ground, terms)),
    }
}

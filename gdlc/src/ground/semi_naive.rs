//! Finds everything that can ever hold: [`Clauses`] to [`Fixpoint`].
//!
//! First the relations that are the same in every state, one strongly connected
//! component after the other, with exact negation. Then all others in one
//! fixpoint: `true` can hold for whatever `init` or `next` derives, `does` for
//! whatever `legal` derives for a role, and negative literals over them count as
//! possibly true, unless the fluent holds initially and for ever. Each instance
//! of a rule that varies is recorded on the way, exactly once.
//!
//! This is semi-naive evaluation, one atom at a time (Ullman, Principles of
//! database and knowledge-base systems, 1988).

use super::atom_table::{AtomStore, AtomTable};
use super::budget::{GroundError, GroundingBudget, GroundingMeter};
use super::clause::{Clauses, PredicateKind};
use super::join::{JoinPlan, JoinPlanner, Joiner, WithinBudget};
use super::term::{GroundTermId, TermStore};
use crate::components::Components;
use crate::id::IdVec;
use crate::rules::{Literal, Program, RelationId};
use fixedbitset::FixedBitSet;

/// The atoms that can hold, and the rules between them.
pub(super) struct Fixpoint {
    pub store: AtomStore,
    pub instances: Instances,
    /// The rows of `true` that hold in every state.
    pub permanent: FixedBitSet,
    pub meter: GroundingMeter,
}

/// Rule instances in one flat array. Each consists of the number of its clause,
/// the row of its head, then the rows of its positive and of its negative
/// literals that vary, both in the order of the body. The clause tells the
/// relations.
pub(super) struct Instances {
    pub words: Vec<u32>,
}

/// Plans are remade when the number of atoms has grown by this factor, since the
/// order of a join depends on how many atoms each relation has.
const REPLANNING_GROWTH: u64 = 4;
const REPLANNING_START: u64 = 2000;

/// Finds what can hold.
///
/// # Errors
/// If the budget does not suffice.
pub(super) fn evaluate(
    program: &Program,
    clauses: &Clauses,
    budget: &GroundingBudget,
) -> Result<Fixpoint, GroundError> {
    let mut evaluation = SemiNaiveEvaluation::new(program, clauses, budget);
    let done = evaluation.run_all();
    evaluation.report();
    done?;
    let Joiner {
        store,
        instances,
        meter,
        permanent,
        ..
    } = evaluation.joiner;
    Ok(Fixpoint {
        store,
        instances: Instances { words: instances },
        permanent,
        meter,
    })
}

/// Whether the relations that do not vary can be evaluated in full within the sizes of a
/// budget.
///
/// # Errors
/// If something else ends the evaluation.
pub(super) fn statics_fit(
    program: &Program,
    clauses: &Clauses,
    budget: &GroundingBudget,
) -> Result<bool, GroundError> {
    let mut evaluation = SemiNaiveEvaluation::new(program, clauses, budget);
    match evaluation.run_static() {
        Ok(()) => Ok(true),
        Err(error) if error.refusal.is_about_size() => Ok(false),
        Err(error) => Err(error),
    }
}

struct SemiNaiveEvaluation<'a> {
    program: &'a Program,
    clauses: &'a Clauses,
    /// The rules of every relation.
    clauses_of: IdVec<RelationId, Vec<usize>>,
    /// Whether a relation is being closed now.
    growing: IdVec<RelationId, bool>,
    /// The plans that a new atom of each growing relation triggers.
    triggers: IdVec<RelationId, Vec<JoinPlan>>,
    joiner: Joiner,
}

impl<'a> SemiNaiveEvaluation<'a> {
    fn new(program: &'a Program, clauses: &'a Clauses, budget: &GroundingBudget) -> Self {
        let tables = clauses
            .predicates
            .iter()
            .map(|predicate| AtomTable::new(predicate.arity))
            .collect();
        let store = AtomStore {
            terms: TermStore::default(),
            tables,
        };
        let mut joiner = Joiner::new(store, GroundingMeter::new(budget), clauses.keywords);
        let roles: Vec<GroundTermId> = program
            .roles
            .iter()
            .map(|&role| joiner.store.terms.constant(role))
            .collect();
        joiner.set_roles(roles.into_iter());
        let relations = clauses.predicates.len();
        let mut clauses_of = IdVec::filled(Vec::new(), relations);
        for (number, clause) in clauses.clauses.iter().enumerate() {
            clauses_of[clause.head.relation].push(number);
        }
        Self {
            program,
            clauses,
            clauses_of,
            growing: IdVec::filled(false, relations),
            triggers: clauses.predicates.iter().map(|_| Vec::new()).collect(),
            joiner,
        }
    }

    fn run_all(&mut self) -> Result<(), GroundError> {
        self.run_static()?;
        self.seed();
        self.run(&growing_relations(self.clauses))
    }

    fn run_static(&mut self) -> Result<(), GroundError> {
        for component in static_components(self.clauses) {
            self.run(&component)?;
        }
        Ok(())
    }

    /// Logs how many atoms each relation has, and how many instances each rule.
    fn report(&self) {
        for (relation, predicate) in self.clauses.predicates.iter_ids() {
            let atoms = self.joiner.store.tables[relation].len();
            if atoms > 0 {
                tracing::trace!(relation = predicate.name, kind = ?predicate.kind, atoms);
            }
        }
        for (clause, &instances) in self.clauses.clauses.iter().zip(&self.joiner.found) {
            if instances > 0 {
                let head = &self.clauses.predicates[clause.head.relation].name;
                let line = self
                    .program
                    .source
                    .position(self.program.rules[clause.origin].span);
                tracing::trace!(head, rule = %line, instances);
            }
        }
    }

    /// Derives what holds initially.
    fn seed(&mut self) {
        let keywords = self.clauses.keywords;
        let initially = &self.joiner.store.tables[keywords.init];
        let facts: Vec<GroundTermId> = initially
            .joined()
            .map(|row| initially.row(row)[0])
            .collect();
        for fact in facts {
            self.joiner.derive(keywords.holds, &[fact]);
        }
        for number in self.clauses_of[keywords.next].clone() {
            if self.keeps_everything(number) {
                let plan = self.planner().plan(number, Some(0));
                self.joiner.make_permanent(&plan);
            }
        }
    }

    /// Whether a rule says only that fluents of some form persist for ever, as the
    /// walls of a maze do.
    fn keeps_everything(&self, rule: usize) -> bool {
        let clause = &self.clauses.clauses[rule];
        matches!(&clause.body[..], [Literal::Positive(atom)]
            if atom.relation == self.clauses.keywords.holds && atom.args == clause.head.args)
    }

    /// Closes these relations under their rules.
    fn run(&mut self, relations: &[RelationId]) -> Result<(), GroundError> {
        self.set_growing(relations, true);
        for number in self.rules_of(relations) {
            if self.triggers_of(number).is_empty() {
                let plan = self.planner().plan(number, None);
                let done = self.joiner.run(&plan);
                self.blame(number, done)?;
            }
        }
        self.join_all(relations)?;
        self.set_growing(relations, false);
        Ok(())
    }

    /// Joins every atom with those before it, until none is left.
    fn join_all(&mut self, relations: &[RelationId]) -> Result<(), GroundError> {
        self.plan_all(relations);
        let mut replanning = REPLANNING_START.max(self.joiner.meter.atoms * REPLANNING_GROWTH);
        while let Some((relation, row)) = self.joiner.take() {
            if self.joiner.meter.atoms > replanning {
                replanning *= REPLANNING_GROWTH;
                self.plan_all(relations);
            }
            for plan in &self.triggers[relation] {
                let done = self.joiner.run_triggered(plan, row);
                self.blame(plan.clause, done)?;
            }
        }
        Ok(())
    }

    fn set_growing(&mut self, relations: &[RelationId], growing: bool) {
        for &relation in relations {
            self.growing[relation] = growing;
            self.triggers[relation].clear();
        }
    }

    /// The rules of these relations, in the order of the text.
    fn rules_of(&self, relations: &[RelationId]) -> Vec<usize> {
        let of = relations.iter().map(|&relation| &self.clauses_of[relation]);
        let mut rules: Vec<usize> = of.flatten().copied().collect();
        rules.sort_unstable();
        rules
    }

    /// The positions of a rule's positive literals whose relation still grows.
    fn triggers_of(&self, clause: usize) -> Vec<usize> {
        let grows = |literal: &Literal| matches!(literal, Literal::Positive(atom) if self.growing[atom.relation]);
        let body = self.clauses.clauses[clause].body.iter().enumerate();
        body.filter(|(_, literal)| grows(literal))
            .map(|(position, _)| position)
            .collect()
    }

    fn plan_all(&mut self, relations: &[RelationId]) {
        for &relation in relations {
            self.triggers[relation].clear();
        }
        let mut jobs = Vec::new();
        for number in self.rules_of(relations) {
            let positions = self.triggers_of(number);
            jobs.extend(positions.into_iter().map(|position| (number, position)));
        }
        let mut planner = JoinPlanner::new(self.clauses, &mut self.joiner.store, &self.growing);
        for (number, position) in jobs {
            let plan = planner.plan(number, Some(position));
            if let Some((relation, ..)) = plan.trigger {
                self.triggers[relation].push(plan);
            }
        }
    }

    fn planner(&mut self) -> JoinPlanner<'_> {
        JoinPlanner::new(self.clauses, &mut self.joiner.store, &self.growing)
    }

    /// Names the rule that exceeded the budget.
    fn blame(&self, clause: usize, done: WithinBudget<()>) -> Result<(), GroundError> {
        let origin = self.clauses.clauses[clause].origin;
        done.map_err(|exceeded| GroundError::new(self.program, origin, *exceeded))
    }
}

/// The relations that vary, and the magic predicates.
fn growing_relations(clauses: &Clauses) -> Vec<RelationId> {
    let predicates = clauses.predicates.iter_ids();
    predicates
        .filter(|(_, predicate)| predicate.kind != PredicateKind::Static)
        .map(|(relation, _)| relation)
        .collect()
}

/// The strongly connected components of the relations that do not vary, each
/// after all that it depends on.
fn static_components(clauses: &Clauses) -> Vec<Vec<RelationId>> {
    let is_static =
        |relation: &RelationId| clauses.predicates[*relation].kind == PredicateKind::Static;
    let rules = clauses.clauses.iter();
    let edges = rules
        .filter(|clause| is_static(&clause.head.relation))
        .flat_map(|clause| {
            let atoms = clause.body.iter().filter_map(Literal::atom);
            atoms.map(|(atom, _)| (clause.head.relation, atom.relation))
        });
    let components = Components::find(clauses.predicates.len(), edges);
    let all_static = |component: &&Vec<RelationId>| component.iter().all(is_static);
    let components = components.members().iter().filter(all_static);
    components.cloned().collect()
}

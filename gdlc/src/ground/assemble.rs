//! Numbers and names fluents, moves and atoms: [`Simplified`] to
//! [`GroundProgram`].
//!
//! Fluents and the moves of each role are numbered in the order of
//! `TermStore::compare`, in which a board's cells come row by row. The atoms are
//! the fluents that some rule asks for, then the moves that some rule asks for,
//! then all others relation by relation in the order of their discovery.

use super::atom_table::AtomTable;
use super::budget::{Exceeded, GroundError, Refusal};
use super::clause::Clauses;
use super::program::{
    AtomId, AtomKind, BaseId, GroundAtom, GroundBase, GroundGoal, GroundLiteral, GroundMove,
    GroundProgram, GroundRule, RoleId,
};
use super::semi_naive::Fixpoint;
use super::simplify::{Simplified, VaryingAtomId};
use super::term::GroundTermId;
use crate::id::{Id, IdVec};
use crate::rules::{Program, RelationId, RuleId};
use gdl_runtime::kif::write_list;

/// Makes the ground program.
///
/// # Errors
/// If a goal value is not a whole number.
pub(super) fn assemble(
    program: &Program,
    clauses: &Clauses,
    fixpoint: &Fixpoint,
    simplified: &Simplified,
) -> Result<GroundProgram, GroundError> {
    let mut assembler = GroundAssembler {
        program,
        clauses,
        fixpoint,
        simplified,
        atom_of: IdVec::filled(None, simplified.atoms.len()),
        ground: GroundProgram {
            roles: program
                .roles
                .iter()
                .map(|&role| program.symbols[role].clone())
                .collect(),
            ..GroundProgram::default()
        },
    };
    let fluents = assembler.number_bases();
    let moves = assembler.number_moves();
    assembler.number_views();
    assembler.push_bases(&fluents);
    assembler.push_moves(&moves);
    assembler.push_goals()?;
    assembler.push_rules();
    let terminal = clauses.keywords.terminal;
    assembler.ground.terminal = assembler.atom(terminal, &[]);
    Ok(assembler.ground)
}

struct GroundAssembler<'a> {
    program: &'a Program,
    clauses: &'a Clauses,
    fixpoint: &'a Fixpoint,
    simplified: &'a Simplified,
    atom_of: IdVec<VaryingAtomId, Option<AtomId>>,
    ground: GroundProgram,
}

impl GroundAssembler<'_> {
    fn table(&self, relation: RelationId) -> &AtomTable {
        &self.fixpoint.store.tables[relation]
    }

    /// The rows that can hold, with their numbers.
    fn possible(&self, relation: RelationId) -> impl Iterator<Item = (u32, VaryingAtomId)> {
        self.table(relation)
            .joined()
            .map(move |row| (row, self.simplified.atoms.id(relation, row)))
            .filter(|&(_, varying)| self.simplified.is_possible(varying))
    }

    /// The id of an atom, if it is part of the ground program.
    fn atom(&self, relation: RelationId, args: &[GroundTermId]) -> Option<AtomId> {
        let row = self.table(relation).find(args)?;
        self.atom_of[self.simplified.atoms.id(relation, row)]
    }

    fn show(&self, term: GroundTermId) -> String {
        let mut text = String::new();
        let terms = &self.fixpoint.store.terms;
        terms.show(term, &self.program.symbols, &mut text);
        text
    }

    fn show_atom(&self, relation: RelationId, row: u32) -> String {
        let name = &self.clauses.predicates[relation].name;
        let args = self.table(relation).row(row);
        if args.is_empty() {
            return name.clone();
        }
        let terms = &self.fixpoint.store.terms;
        let mut text = String::new();
        let _ = write_list(&mut text, name, args, |text, &arg| {
            terms.show(arg, &self.program.symbols, text);
            Ok(())
        });
        text
    }

    fn push_atom(&mut self, relation: RelationId, row: u32, kind: AtomKind) {
        let varying = self.simplified.atoms.id(relation, row);
        if self.simplified.needed[varying] {
            let name = self.show_atom(relation, row);
            let atom = self.ground.atoms.push(GroundAtom { name, kind });
            self.atom_of[varying] = Some(atom);
        }
    }

    /// The fluents in order; those that some rule asks for get atoms.
    fn number_bases(&mut self) -> Vec<GroundTermId> {
        let holds = self.clauses.keywords.holds;
        let mut rows: Vec<(GroundTermId, u32)> = self
            .possible(holds)
            .map(|(row, _)| (self.table(holds).row(row)[0], row))
            .collect();
        self.sort(&mut rows);
        for (number, &(_, row)) in rows.iter().enumerate() {
            self.push_atom(holds, row, AtomKind::Base(BaseId::new(number)));
        }
        rows.into_iter().map(|(fluent, _)| fluent).collect()
    }

    fn sort<T>(&self, rows: &mut [(GroundTermId, T)]) {
        let terms = &self.fixpoint.store.terms;
        rows.sort_by(|(left, _), (right, _)| terms.compare(*left, *right, &self.program.symbols));
    }

    /// The moves of every role in order; those that some rule asks for get atoms.
    fn number_moves(&mut self) -> Vec<(RoleId, GroundTermId, GroundTermId)> {
        let keywords = self.clauses.keywords;
        let mut moves = Vec::new();
        for (number, &role) in self.program.roles.iter().enumerate() {
            let mut rows: Vec<(GroundTermId, GroundTermId)> = self
                .possible(keywords.legal)
                .map(|(row, _)| self.table(keywords.legal).row(row))
                .filter(|args| self.fixpoint.store.terms.is_constant(args[0], role))
                .map(|args| (args[1], args[0]))
                .collect();
            self.sort(&mut rows);
            let of_role = rows
                .into_iter()
                .map(|(action, role)| (RoleId::new(number), role, action));
            moves.extend(of_role);
        }
        for (number, &(_, role, action)) in moves.iter().enumerate() {
            if let Some(row) = self.table(keywords.does).find(&[role, action]) {
                let kind = AtomKind::Does(super::program::MoveId::new(number));
                self.push_atom(keywords.does, row, kind);
            }
        }
        moves
    }

    fn number_views(&mut self) {
        let keywords = self.clauses.keywords;
        for relation in self.clauses.predicates.ids() {
            let varies = self.clauses.varies(relation);
            if varies && relation != keywords.holds && relation != keywords.does {
                for row in 0..self.table(relation).len() as u32 {
                    self.push_atom(relation, row, AtomKind::View);
                }
            }
        }
    }

    fn push_bases(&mut self, fluents: &[GroundTermId]) {
        let keywords = self.clauses.keywords;
        for &fluent in fluents {
            let base = GroundBase {
                name: self.show(fluent),
                initially: self.table(keywords.init).find(&[fluent]).is_some(),
                holds: self.atom(keywords.holds, &[fluent]),
                next: self.atom(keywords.next, &[fluent]),
            };
            self.ground.bases.push(base);
        }
    }

    fn push_moves(&mut self, moves: &[(RoleId, GroundTermId, GroundTermId)]) {
        let keywords = self.clauses.keywords;
        for &(role, role_term, action) in moves {
            let args = [role_term, action];
            if let Some(legal) = self.atom(keywords.legal, &args) {
                let made = GroundMove {
                    role,
                    name: self.show(action),
                    legal,
                    does: self.atom(keywords.does, &args),
                };
                self.ground.moves.push(made);
            }
        }
    }

    /// Adds the goals of roles; `goal` atoms of anything else are ignored.
    fn push_goals(&mut self) -> Result<(), GroundError> {
        let goal = self.clauses.keywords.goal;
        let terms = &self.fixpoint.store.terms;
        let mut goals = Vec::new();
        for (row, varying) in self.possible(goal) {
            let args = self.table(goal).row(row);
            let role = self
                .program
                .roles
                .iter()
                .position(|&role| terms.is_constant(args[0], role));
            let (Some(role), Some(atom)) = (role, self.atom_of[varying]) else {
                continue;
            };
            let Ok(value) = self.show(args[1]).parse() else {
                return Err(self.bad_goal(goal, row, varying));
            };
            goals.push(GroundGoal {
                role: RoleId::new(role),
                value,
                atom,
            });
        }
        goals.sort_by_key(|goal| (goal.role, goal.value));
        self.ground.goals = goals;
        Ok(())
    }

    fn bad_goal(&self, goal: RelationId, row: u32, varying: VaryingAtomId) -> GroundError {
        let mut rules = self.simplified.rules.rules.iter();
        let origin = rules
            .find(|rule| rule.head == varying)
            .map_or(RuleId::new(0), |rule| {
                self.clauses.clauses[rule.clause as usize].origin
            });
        let exceeded = Exceeded {
            refusal: Refusal::GoalValue {
                atom: self.show_atom(goal, row),
            },
            progress: self.fixpoint.meter.progress(0),
        };
        GroundError::new(self.program, origin, exceeded)
    }

    fn push_rules(&mut self) {
        for &rule in &self.simplified.rules.rules {
            let Some(head) = self.atom_of[rule.head] else {
                continue;
            };
            let body = self.simplified.rules.body(rule).iter();
            let body = body.filter_map(|condition| {
                let atom = self.atom_of[condition.node()]?;
                Some(GroundLiteral {
                    atom,
                    negated: condition.inverted(),
                })
            });
            let body = body.collect();
            self.ground.rules.push(GroundRule { head, body });
        }
    }
}

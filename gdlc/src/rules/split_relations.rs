//! Splits relations so that a program that is stratified by arguments becomes
//! stratified by relation, as the documentation of [`Program`] states.
//!
//! Input: a program and its [`Negations`], none of which closes a cycle of rules.
//! Output: the same program, in which the relation of every negation that closes
//! a cycle of relations is replaced by a part of it: a new relation with copies
//! of only those rules whose heads may match the negated atom. The copies use
//! parts as well. A cycle of parts through a negation would be a cycle of rules,
//! so there is none.

use super::dependencies::Dependencies;
use super::negations::{Heads, Link, Negations};
use super::{Atom, Literal, Program, Relation, RelationId, Rule, RuleId, strata};
use crate::id::IdVec;
use indexmap::IndexMap;

/// Splits the relations of `negations.apart`, and recomputes the strata.
pub fn split_relations(program: &mut Program, dependencies: &Dependencies, negations: &Negations) {
    if negations.apart.is_empty() {
        return;
    }
    let mut splitter = RelationSplitter {
        dependencies,
        heads: &negations.heads,
        originals: program.rules.clone(),
        parts: IndexMap::new(),
        program,
    };
    for &Link { rule, literal } in &negations.apart {
        let original = splitter.originals[rule].body[literal].clone();
        splitter.program.rules[rule].body[literal] = splitter.restrict(original);
    }
    splitter.copy_rules();
    let dependencies = Dependencies::find(program);
    strata::assign(program, &dependencies);
}

struct RelationSplitter<'a> {
    program: &'a mut Program,
    dependencies: &'a Dependencies,
    heads: &'a Heads,
    originals: IdVec<RuleId, Rule>,
    /// The parts by their relation and their rules.
    parts: IndexMap<(RelationId, Vec<RuleId>), RelationId>,
}

impl RelationSplitter<'_> {
    /// Adds the rules of every part, which may need further parts.
    fn copy_rules(&mut self) {
        let mut next = 0;
        while let Some(((relation, rules), &part)) = self.parts.get_index(next) {
            let (relation, rules) = (*relation, rules.clone());
            for rule in rules {
                let mut copy = self.originals[rule].clone();
                copy.head.relation = part;
                for literal in &mut copy.body {
                    let inside = literal.atom().is_some_and(|(atom, _)| {
                        self.dependencies.are_connected(relation, atom.relation)
                    });
                    if inside {
                        *literal = self.restrict(literal.clone());
                    }
                }
                self.program.rules.push(copy);
            }
            next += 1;
        }
    }

    /// The literal over the part of its relation that its atom may match.
    fn restrict(&mut self, literal: Literal) -> Literal {
        match literal {
            Literal::Positive(atom) => Literal::Positive(self.restrict_atom(atom)),
            Literal::Negative(atom) => Literal::Negative(self.restrict_atom(atom)),
            distinct @ Literal::Distinct(..) => distinct,
        }
    }

    fn restrict_atom(&mut self, mut atom: Atom) -> Atom {
        let rules = self.heads.matching(&self.originals, &atom);
        let number = self.parts.len() + 1;
        let program = &mut *self.program;
        atom.relation = *self.parts.entry((atom.relation, rules)).or_insert_with(|| {
            let whole = program.relations[atom.relation].clone();
            let name = format!("{}#{number}", program.symbols[whole.name]);
            program.relations.push(Relation {
                name: program.symbols.push(name),
                keyword: None,
                ..whole
            })
        });
        atom
    }
}

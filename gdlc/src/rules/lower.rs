//! Lowers a description to a program: interns names and distributes `or`.
//!
//! Input: statements, checked or not. Output: a [`Program`] whose strata and
//! dependences are still missing, and whose documented properties hold only if
//! the checks find no error. What has no counterpart in a program (a `not` of
//! anything but an atom) is left out; a check reports it.

use super::{
    Atom, Dependence, Keyword, Literal, Program, Relation, RelationId, Rule, SymbolId, Term,
};
use crate::diag::Sink;
use crate::id::IdVec;
use crate::source::Span;
use crate::syntax::{AtomSyntax, ConditionSyntax, Description, Name, Statement, TermSyntax};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::fmt;

/// The maximum size to which the `or`s of one rule may expand.
const MAX_SIZE: ExpansionSize = ExpansionSize {
    alternatives: 100_000,
    literals: 100_000,
    text: 4_000_000,
};

/// The maximum size to which all rules with `or` may expand.
const MAX_SIZE_OF_ALL: ExpansionSize = ExpansionSize {
    alternatives: 1_000_000,
    literals: 1_000_000,
    text: 20_000_000,
};

type Interned<K, V> = IndexMap<K, V, FxBuildHasher>;

/// The program of `description`.
pub fn lower(description: &Description, sink: &mut Sink) -> Program {
    let mut builder = ProgramBuilder {
        program: Program {
            source: sink.source().clone(),
            symbols: IdVec::new(),
            relations: IdVec::new(),
            rules: IdVec::new(),
            roles: Vec::new(),
            strata: Vec::new(),
        },
        symbols: Interned::default(),
        relations: Interned::default(),
        multiplied: ExpansionSize::NOTHING,
    };
    for statement in &description.statements {
        builder.statement(statement, sink);
    }
    builder.program.roles = roles(&builder.program);
    builder.program
}

/// The constants of the `role` facts, each once.
fn roles(program: &Program) -> Vec<SymbolId> {
    let Some(role) = program.keyword(Keyword::Role) else {
        return Vec::new();
    };
    let mut roles = Interned::default();
    for rule in program.rules_of(role).filter(|rule| rule.body.is_empty()) {
        if let [Term::Constant(name)] = rule.head.args[..] {
            roles.insert(name, ());
        }
    }
    roles.into_keys().collect()
}

struct ProgramBuilder {
    program: Program,
    symbols: Interned<String, SymbolId>,
    relations: Interned<(SymbolId, usize), RelationId>,
    /// The size of all rules with `or` so far.
    multiplied: ExpansionSize,
}

/// The variables of one rule, under their folded names.
type VariableNames = Interned<String, String>;

impl ProgramBuilder {
    fn statement(&mut self, statement: &Statement, sink: &mut Sink) {
        let size = size_of_all(statement.body()).and(ExpansionSize::head(statement.head().span));
        if size.alternatives > 1 {
            let multiplied = self.multiplied.or(size);
            if size.exceeds(&MAX_SIZE) || multiplied.exceeds(&MAX_SIZE_OF_ALL) {
                report_size(statement, size, sink);
                return;
            }
            self.multiplied = multiplied;
        }
        for literals in alternatives_of_all(statement.body()) {
            self.rule(statement, &literals);
        }
    }

    fn rule(&mut self, statement: &Statement, literals: &[&ConditionSyntax]) {
        let mut variables = VariableNames::default();
        let head = self.atom(statement.head(), &mut variables);
        let body = literals
            .iter()
            .filter_map(|literal| self.literal(literal, &mut variables))
            .collect();
        self.program.rules.push(Rule {
            head,
            body,
            variables: variables.into_values().collect(),
            span: statement.span(),
        });
    }

    fn literal(
        &mut self,
        literal: &ConditionSyntax,
        variables: &mut VariableNames,
    ) -> Option<Literal> {
        match literal {
            ConditionSyntax::Atom(atom) => Some(Literal::Positive(self.atom(atom, variables))),
            ConditionSyntax::Distinct(left, right, span) => Some(Literal::Distinct(
                self.term(left, variables),
                self.term(right, variables),
                *span,
            )),
            ConditionSyntax::Not(inner, _) => match &**inner {
                ConditionSyntax::Atom(atom) => Some(Literal::Negative(self.atom(atom, variables))),
                _ => None,
            },
            ConditionSyntax::And(..) | ConditionSyntax::Or(..) => None,
        }
    }

    fn atom(&mut self, atom: &AtomSyntax, variables: &mut VariableNames) -> Atom {
        Atom {
            relation: self.relation(&atom.name, atom.args.len()),
            args: self.args(&atom.args, variables),
            span: atom.span,
        }
    }

    fn args(&mut self, args: &[TermSyntax], variables: &mut VariableNames) -> Vec<Term> {
        args.iter().map(|arg| self.term(arg, variables)).collect()
    }

    fn term(&mut self, term: &TermSyntax, variables: &mut VariableNames) -> Term {
        match term {
            TermSyntax::Variable(name) => {
                let entry = variables.entry(name.folded());
                let variable = crate::id::Id::new(entry.index());
                entry.or_insert_with(|| name.text.clone());
                Term::Variable(variable)
            }
            TermSyntax::Constant(name) => Term::Constant(self.symbol(name)),
            TermSyntax::Function(name, args, _) => {
                Term::Function(self.symbol(name), self.args(args, variables))
            }
        }
    }

    fn symbol(&mut self, name: &Name) -> SymbolId {
        let symbols = &mut self.program.symbols;
        *self
            .symbols
            .entry(name.folded())
            .or_insert_with(|| symbols.push(name.text.clone()))
    }

    fn relation(&mut self, name: &Name, arity: usize) -> RelationId {
        let symbol = self.symbol(name);
        let relations = &mut self.program.relations;
        *self.relations.entry((symbol, arity)).or_insert_with(|| {
            relations.push(Relation {
                name: symbol,
                arity,
                keyword: Keyword::from_word(&name.text).filter(|word| word.arity() == arity),
                dependence: Dependence::Static,
            })
        })
    }
}

fn report_size(statement: &Statement, size: ExpansionSize, sink: &mut Sink) {
    let message = match size.text {
        usize::MAX => "the `or`s of this rule expand into too many rules to count".to_owned(),
        _ => format!("the `or`s of this rule expand into {size}"),
    };
    sink.error("too-many-alternatives", statement.span(), message)
        .label("split this rule")
        .note(format!(
            "at most {MAX_SIZE} are accepted per rule, and {MAX_SIZE_OF_ALL} in all"
        ));
}

/// The size of a condition or a rule once it is expanded into alternatives.
#[derive(Clone, Copy)]
struct ExpansionSize {
    alternatives: usize,
    /// The number of literals in all alternatives together.
    literals: usize,
    /// The bytes of the text of all heads and literals.
    text: usize,
}

impl ExpansionSize {
    /// The size of no alternatives.
    const NOTHING: Self = Self {
        alternatives: 0,
        literals: 0,
        text: 0,
    };

    /// The size of one alternative without literals.
    const EMPTY: Self = Self {
        alternatives: 1,
        ..Self::NOTHING
    };

    fn head(span: Span) -> Self {
        Self {
            text: span.end.saturating_sub(span.start) as usize,
            ..Self::EMPTY
        }
    }

    fn literal(span: Span) -> Self {
        Self {
            literals: 1,
            ..Self::head(span)
        }
    }

    /// The size of the alternatives of both.
    fn or(self, other: Self) -> Self {
        Self {
            alternatives: self.alternatives.saturating_add(other.alternatives),
            literals: self.literals.saturating_add(other.literals),
            text: self.text.saturating_add(other.text),
        }
    }

    /// The size of every alternative of one joined with every alternative of the other.
    fn and(self, other: Self) -> Self {
        let joined = |own: usize, others: usize| {
            let own = own.saturating_mul(other.alternatives);
            own.saturating_add(others.saturating_mul(self.alternatives))
        };
        Self {
            alternatives: self.alternatives.saturating_mul(other.alternatives),
            literals: joined(self.literals, other.literals),
            text: joined(self.text, other.text),
        }
    }

    const fn exceeds(&self, limit: &Self) -> bool {
        self.alternatives > limit.alternatives
            || self.literals > limit.literals
            || self.text > limit.text
    }
}

impl fmt::Display for ExpansionSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            alternatives,
            literals,
            text,
        } = self;
        write!(
            f,
            "{alternatives} rules with {literals} literals and {text} bytes"
        )
    }
}

/// The size of a condition. An `or` without alternatives counts as one: what is multiplied
/// before it is known to be in vain takes memory, too.
fn size_of(condition: &ConditionSyntax) -> ExpansionSize {
    match condition {
        ConditionSyntax::And(parts, _) => size_of_all(parts),
        ConditionSyntax::Or(parts, _) => (parts.iter().map(size_of))
            .reduce(ExpansionSize::or)
            .unwrap_or(ExpansionSize::EMPTY),
        literal => ExpansionSize::literal(literal.span()),
    }
}

fn size_of_all(conditions: &[ConditionSyntax]) -> ExpansionSize {
    (conditions.iter().map(size_of)).fold(ExpansionSize::EMPTY, ExpansionSize::and)
}

/// The alternatives of a condition, each a conjunction without `and` and `or`.
fn alternatives(condition: &ConditionSyntax) -> Vec<Vec<&ConditionSyntax>> {
    match condition {
        ConditionSyntax::And(parts, _) => alternatives_of_all(parts),
        ConditionSyntax::Or(parts, _) => parts.iter().flat_map(alternatives).collect(),
        literal => vec![vec![literal]],
    }
}

/// The alternatives of a conjunction; the first condition varies slowest.
fn alternatives_of_all(conditions: &[ConditionSyntax]) -> Vec<Vec<&ConditionSyntax>> {
    let mut all = vec![Vec::new()];
    for condition in conditions {
        let parts = alternatives(condition);
        if let [part] = &parts[..] {
            all.iter_mut().for_each(|one| one.extend(part));
            continue;
        }
        all = all
            .iter()
            .flat_map(|one| parts.iter().map(move |part| [&one[..], part].concat()))
            .collect();
    }
    all
}

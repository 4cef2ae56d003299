//! [`Program`]: a checked rule sheet as rules over relations.
//!
//! This is what the reference engine evaluates and what grounding instantiates.
//! `or` has been distributed over rule bodies, names are interned without regard
//! to case, variables are numbered per rule, every rule is safe, and the program
//! is stratified.

use crate::id::{IdVec, ids};
use crate::source::{Source, Span};
use crate::syntax::is_connective;
use gdl_runtime::kif::write_list;
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::sync::Arc;

ids! {
    /// The interned name of a constant, a function or a relation.
    pub struct SymbolId;
    /// A relation: one name at one arity.
    pub struct RelationId;
    /// A rule (a fact is a rule with an empty body).
    pub struct RuleId;
    /// A variable, numbered within its rule.
    pub struct VariableId;
}

/// A checked rule sheet.
#[derive(Debug, Clone)]
pub struct Program {
    /// The text that all spans refer to.
    pub source: Arc<Source>,
    /// The names, in the spelling of their first occurrence.
    pub symbols: IdVec<SymbolId, String>,
    /// The relations that occur, including keywords.
    pub relations: IdVec<RelationId, Relation>,
    /// Rules and facts in the order of the text, the alternatives of an `or` next to
    /// each other; then the rules of relations that `split_relations` added.
    pub rules: IdVec<RuleId, Rule>,
    /// The roles, in the order in which they are declared; at least one.
    pub roles: Vec<SymbolId>,
    /// Relations of a stratum depend only on their own and earlier strata, and
    /// through negation only on earlier strata. `true` and `does` have no rules
    /// and are in the first strata. `true` does not depend on `next` here: strata
    /// describe a single state.
    pub strata: Vec<Vec<RelationId>>,
}

/// One name at one arity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// Its name.
    pub name: SymbolId,
    /// The number of arguments.
    pub arity: usize,
    /// The keyword that it is, if its name and arity are those of one.
    pub keyword: Option<Keyword>,
    /// What its facts vary with.
    pub dependence: Dependence,
}

/// The relations to which GDL gives a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Keyword {
    /// `(role r)`: r plays.
    Role,
    /// `(init f)`: f holds at the start.
    Init,
    /// `(true f)`: f holds now.
    True,
    /// `(does r m)`: r makes the move m.
    Does,
    /// `(next f)`: f holds in the following state.
    Next,
    /// `(legal r m)`: r may make the move m.
    Legal,
    /// `(goal r v)`: r's value of the state is v.
    Goal,
    /// `terminal`: the game is over.
    Terminal,
    /// `(base f)`: f may hold at some time.
    Base,
    /// `(input r m)`: r may make the move m at some time.
    Input,
}

/// What the facts of a relation vary with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dependence {
    /// Nothing: it is the same in every state.
    Static,
    /// The state: it depends on `true`.
    State,
    /// The moves made: it depends on `does`.
    Moves,
}

/// `head` holds if every literal of `body` does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// What is derived.
    pub head: Atom,
    /// The conditions; empty for a fact.
    pub body: Vec<Literal>,
    /// The names of the rule's variables, with their `?`.
    pub variables: IdVec<VariableId, String>,
    /// The whole rule in the text.
    pub span: Span,
}

/// A relation applied to terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Atom {
    /// The relation.
    pub relation: RelationId,
    /// The arguments; their number is the relation's arity.
    pub args: Vec<Term>,
    /// Its position in the text.
    pub span: Span,
}

/// One condition of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Literal {
    /// The atom holds.
    Positive(Atom),
    /// The atom does not hold; every variable is bound by a positive literal.
    Negative(Atom),
    /// The two terms differ; every variable is bound by a positive literal.
    Distinct(Term, Term, Span),
}

/// An argument.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// `?x`.
    Variable(VariableId),
    /// `a`.
    Constant(SymbolId),
    /// `(f t …)`, at least one argument.
    Function(SymbolId, Vec<Term>),
}

impl Program {
    /// The relation of a keyword, if the rules mention it.
    #[must_use]
    pub fn keyword(&self, keyword: Keyword) -> Option<RelationId> {
        self.relations
            .iter_ids()
            .find(|(_, relation)| relation.keyword == Some(keyword))
            .map(|(id, _)| id)
    }

    /// The rules whose head is of `relation`, in the order of the text.
    pub fn rules_of(&self, relation: RelationId) -> impl Iterator<Item = &Rule> {
        self.rules
            .iter()
            .filter(move |rule| rule.head.relation == relation)
    }

    /// The relations of `from`, and those on which they depend through literals that
    /// `follows` accepts, which is told whether a literal is negated.
    pub(crate) fn depended_on(
        &self,
        from: BTreeSet<RelationId>,
        follows: impl Fn(bool) -> bool,
    ) -> BTreeSet<RelationId> {
        let mut reached = from;
        loop {
            let before = reached.len();
            for rule in &self.rules {
                if reached.contains(&rule.head.relation) {
                    let atoms = rule.body.iter().filter_map(Literal::atom);
                    let followed = atoms.filter(|&(_, negated)| follows(negated));
                    reached.extend(followed.map(|(atom, _)| atom.relation));
                }
            }
            if reached.len() == before {
                return reached;
            }
        }
    }

    /// The facts that an atom may match, if its relation is defined only by facts without
    /// variables.
    pub(crate) fn listed_facts(&self, atom: &Atom) -> Option<Vec<&Rule>> {
        let is_fact = |rule: &Rule| rule.body.is_empty() && rule.variables.is_empty();
        if self.is_supplied(atom.relation) || !self.rules_of(atom.relation).all(is_fact) {
            return None;
        }
        let matches = |fact: &&Rule| {
            let pairs = fact.head.args.iter().zip(&atom.args);
            let mut constants = pairs.filter(|(_, arg)| arg.is_ground());
            constants.all(|(fact, arg)| fact == arg)
        };
        Some(self.rules_of(atom.relation).filter(matches).collect())
    }

    /// For every role, the goal value that it gets however the game ends, if the rules say so
    /// explicitly: by facts, or by rules whose only condition is that the game is over.
    #[must_use]
    pub fn constant_goals(&self) -> Vec<Option<i32>> {
        let goals = self.keyword(Keyword::Goal);
        let goals: Vec<&Rule> = goals.map_or(Vec::new(), |goal| self.rules_of(goal).collect());
        let of_role = |&role: &SymbolId| {
            let own = |rule: &&&Rule| match rule.head.args[0] {
                Term::Constant(symbol) => symbol == role,
                Term::Variable(_) | Term::Function(..) => true,
            };
            let values = goals.iter().filter(own).map(|rule| self.plain_goal(rule));
            values.collect::<Option<Vec<i32>>>()?.into_iter().max()
        };
        self.roles.iter().map(of_role).collect()
    }

    /// The value in the head of a `goal` rule, if the rule applies whenever the game is over.
    fn plain_goal(&self, rule: &Rule) -> Option<i32> {
        let holds_in_the_end = rule.body.iter().all(|literal| match literal {
            Literal::Positive(atom) => {
                self.relations[atom.relation].keyword == Some(Keyword::Terminal)
            }
            Literal::Negative(_) | Literal::Distinct(..) => false,
        });
        match rule.head.args[1] {
            Term::Constant(value) if holds_in_the_end => self.symbols[value].parse().ok(),
            _ => None,
        }
    }

    /// Whether a relation is `true` or `does`, which are supplied by the state and
    /// the players instead of rules.
    #[must_use]
    pub fn is_supplied(&self, relation: RelationId) -> bool {
        let keyword = self.relations[relation].keyword;
        matches!(keyword, Some(Keyword::True | Keyword::Does))
    }

    /// The name of a relation, as first written.
    #[must_use]
    pub fn relation_name(&self, relation: RelationId) -> String {
        self.symbols[self.relations[relation].name].clone()
    }

    /// An atom as KIF.
    #[must_use]
    pub fn show_atom(&self, rule: &Rule, atom: &Atom) -> String {
        let mut text = String::new();
        let name = self.relations[atom.relation].name;
        self.write_applied(rule, name, &atom.args, &mut text);
        text
    }

    /// A term as KIF.
    #[must_use]
    pub fn show_term(&self, rule: &Rule, term: &Term) -> String {
        let mut text = String::new();
        self.write_term(rule, term, &mut text);
        text
    }

    fn write_term(&self, rule: &Rule, term: &Term, text: &mut String) {
        match term {
            Term::Variable(variable) => text.push_str(&rule.variables[*variable]),
            Term::Constant(symbol) => text.push_str(&self.symbols[*symbol]),
            Term::Function(symbol, args) => self.write_applied(rule, *symbol, args, text),
        }
    }

    /// Appends a relation or a function with its arguments.
    fn write_applied(&self, rule: &Rule, symbol: SymbolId, args: &[Term], text: &mut String) {
        let name = &self.symbols[symbol];
        if args.is_empty() {
            text.push_str(name);
            return;
        }
        let _ = write_list(text, name, args, |text, arg| {
            self.write_term(rule, arg, text);
            Ok(())
        });
    }

    /// A literal as KIF.
    #[must_use]
    pub fn show_literal(&self, rule: &Rule, literal: &Literal) -> String {
        match literal {
            Literal::Positive(atom) => self.show_atom(rule, atom),
            Literal::Negative(atom) => format!("(not {})", self.show_atom(rule, atom)),
            Literal::Distinct(left, right, _) => format!(
                "(distinct {} {})",
                self.show_term(rule, left),
                self.show_term(rule, right)
            ),
        }
    }

    /// A rule as KIF on one line.
    #[must_use]
    pub fn show_rule(&self, rule: &Rule) -> String {
        let head = self.show_atom(rule, &rule.head);
        if rule.body.is_empty() {
            return head;
        }
        let mut text = format!("(<= {head}");
        for literal in &rule.body {
            let _ = write!(text, " {}", self.show_literal(rule, literal));
        }
        text.push(')');
        text
    }
}

/// Whether a name is a word of GDL, a keyword or a connective.
#[must_use]
pub fn is_reserved(name: &str) -> bool {
    Keyword::from_word(name).is_some() || is_connective(name)
}

impl Keyword {
    /// All keywords.
    pub const ALL: [Self; 10] = [
        Self::Role,
        Self::Init,
        Self::True,
        Self::Does,
        Self::Next,
        Self::Legal,
        Self::Goal,
        Self::Terminal,
        Self::Base,
        Self::Input,
    ];

    /// The keyword that `word` spells, in any case.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|keyword| keyword.word().eq_ignore_ascii_case(word))
    }

    /// Its usual spelling.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Role => "role",
            Self::Init => "init",
            Self::True => "true",
            Self::Does => "does",
            Self::Next => "next",
            Self::Legal => "legal",
            Self::Goal => "goal",
            Self::Terminal => "terminal",
            Self::Base => "base",
            Self::Input => "input",
        }
    }

    /// The number of its arguments.
    #[must_use]
    pub fn arity(self) -> usize {
        match self {
            Self::Terminal => 0,
            Self::Role | Self::Init | Self::True | Self::Next | Self::Base => 1,
            Self::Does | Self::Legal | Self::Goal | Self::Input => 2,
        }
    }
}

impl fmt::Display for Keyword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Atom {
    /// Calls `visit` for every occurrence of a variable in the atom, in order.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(VariableId)) {
        self.args
            .iter()
            .for_each(|arg| arg.for_each_variable(visit));
    }

    /// The variables that occur in the atom.
    pub(crate) fn variables(&self) -> BTreeSet<VariableId> {
        let mut variables = BTreeSet::new();
        self.for_each_variable(&mut |variable| _ = variables.insert(variable));
        variables
    }
}

impl Literal {
    /// Calls `visit` for every occurrence of a variable in the literal, in order.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(VariableId)) {
        match self {
            Self::Positive(atom) | Self::Negative(atom) => atom.for_each_variable(visit),
            Self::Distinct(left, right, _) => {
                left.for_each_variable(visit);
                right.for_each_variable(visit);
            }
        }
    }

    /// The variables that occur in the literal.
    pub(crate) fn variables(&self) -> BTreeSet<VariableId> {
        let mut variables = BTreeSet::new();
        self.for_each_variable(&mut |variable| _ = variables.insert(variable));
        variables
    }

    /// The literal's atom, and whether it is negated.
    #[must_use]
    pub fn atom(&self) -> Option<(&Atom, bool)> {
        match self {
            Self::Positive(atom) => Some((atom, false)),
            Self::Negative(atom) => Some((atom, true)),
            Self::Distinct(..) => None,
        }
    }
}

impl Term {
    /// Whether the term contains no variable.
    #[must_use]
    pub fn is_ground(&self) -> bool {
        match self {
            Self::Variable(_) => false,
            Self::Constant(_) => true,
            Self::Function(_, args) => args.iter().all(Self::is_ground),
        }
    }

    /// Calls `visit` for every occurrence of a variable in the term, in order.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(VariableId)) {
        match self {
            Self::Variable(variable) => visit(*variable),
            Self::Constant(_) => {}
            Self::Function(_, args) => args.iter().for_each(|arg| arg.for_each_variable(visit)),
        }
    }
}

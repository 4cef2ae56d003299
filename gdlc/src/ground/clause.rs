//! The rules that are instantiated: [`Program`] to [`Clauses`].
//!
//! Only what `role`, `init`, `legal`, `next`, `goal` and `terminal` depend on is
//! kept; `base` and `input` are ignored, since grounding infers what can be
//! reached. Later steps add relations that have no symbol, so relations carry
//! their names from here on.

use crate::id::IdVec;
use crate::rules::{Atom, Dependence, Keyword, Literal, Program, RelationId, RuleId};

/// Rules that matter, and the relations in them.
pub(super) struct Clauses {
    /// The program's relations under their own ids, then those that steps of
    /// grounding add.
    pub predicates: IdVec<RelationId, Predicate>,
    pub clauses: Vec<Clause>,
    pub keywords: Keywords,
}

/// A relation.
pub(super) struct Predicate {
    pub name: String,
    pub arity: usize,
    pub kind: PredicateKind,
    /// The highest kind that it can become: a magic predicate stays one whatever
    /// it depends on.
    pub highest: PredicateKind,
}

/// What a relation's atoms become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PredicateKind {
    /// The same in every state: evaluated away.
    Static,
    /// A magic predicate: says which instances are needed, and grows with those
    /// found.
    Magic,
    /// Varies with the state or the moves: atoms of the ground program.
    Varying,
}

/// A rule or a part of one.
#[derive(Clone)]
pub(super) struct Clause {
    pub head: Atom,
    pub body: Vec<Literal>,
    /// Variables are numbered below this.
    pub variables: usize,
    /// The rule that it comes from.
    pub origin: RuleId,
}

/// The relations of GDL; those that the rules never mention exist too, and are
/// empty.
#[derive(Clone, Copy)]
pub(super) struct Keywords {
    pub role: RelationId,
    pub init: RelationId,
    pub holds: RelationId,
    pub does: RelationId,
    pub next: RelationId,
    pub legal: RelationId,
    pub goal: RelationId,
    pub terminal: RelationId,
}

impl Clauses {
    /// The relevant rules of a program.
    pub fn of(program: &Program) -> Self {
        let mut predicates: IdVec<RelationId, Predicate> = program
            .relations
            .iter()
            .map(|relation| Predicate {
                name: program.symbols[relation.name].clone(),
                arity: relation.arity,
                kind: match relation.dependence {
                    Dependence::Static => PredicateKind::Static,
                    Dependence::State | Dependence::Moves => PredicateKind::Varying,
                },
                highest: PredicateKind::Varying,
            })
            .collect();
        let keywords = Keywords::find(program, &mut predicates);
        let relevant = find_relevant(program, predicates.len(), keywords);
        let clauses = program
            .rules
            .iter_ids()
            .filter(|(_, rule)| relevant[rule.head.relation])
            .map(|(origin, rule)| Clause {
                head: rule.head.clone(),
                body: rule.body.clone(),
                variables: rule.variables.len(),
                origin,
            })
            .collect();
        let mut clauses = Self {
            predicates,
            clauses,
            keywords,
        };
        clauses.mark_varying();
        clauses
    }

    /// Marks as varying all that depends on the state, the moves or a relation of
    /// the ground program. Those relations are part of the program even if they
    /// are the same in every state, as `legal` may be.
    fn mark_varying(&mut self) {
        let Keywords {
            holds,
            does,
            next,
            legal,
            goal,
            terminal,
            ..
        } = self.keywords;
        for relation in [holds, does, next, legal, goal, terminal] {
            self.predicates[relation].kind = PredicateKind::Varying;
        }
        self.spread_kinds();
    }

    /// Raises each relation to the highest kind that it depends on.
    pub fn spread_kinds(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for clause in &self.clauses {
                let kind = self.kind_of(&clause.body);
                let head = &mut self.predicates[clause.head.relation];
                let kind = kind.min(head.highest).max(head.kind);
                changed |= kind != head.kind;
                head.kind = kind;
            }
        }
    }

    /// What atoms that are derived from these literals become.
    pub fn kind_of(&self, body: &[Literal]) -> PredicateKind {
        let atoms = body.iter().filter_map(Literal::atom);
        let kinds = atoms.map(|(atom, _)| self.predicates[atom.relation].kind);
        kinds.max().unwrap_or(PredicateKind::Static)
    }

    /// Whether a relation's atoms are atoms of the ground program.
    pub fn varies(&self, relation: RelationId) -> bool {
        self.predicates[relation].kind == PredicateKind::Varying
    }
}

impl Keywords {
    /// Whether GDL gives this relation a meaning.
    pub fn contains(self, relation: RelationId) -> bool {
        [
            self.role,
            self.init,
            self.holds,
            self.does,
            self.next,
            self.legal,
            self.goal,
            self.terminal,
        ]
        .contains(&relation)
    }

    fn find(program: &Program, predicates: &mut IdVec<RelationId, Predicate>) -> Self {
        let mut find = |keyword: Keyword, arity: usize| {
            program.keyword(keyword).unwrap_or_else(|| {
                predicates.push(Predicate {
                    name: keyword.to_string(),
                    arity,
                    kind: PredicateKind::Static,
                    highest: PredicateKind::Varying,
                })
            })
        };
        Self {
            role: find(Keyword::Role, 1),
            init: find(Keyword::Init, 1),
            holds: find(Keyword::True, 1),
            does: find(Keyword::Does, 2),
            next: find(Keyword::Next, 1),
            legal: find(Keyword::Legal, 2),
            goal: find(Keyword::Goal, 2),
            terminal: find(Keyword::Terminal, 0),
        }
    }
}

/// Whether a part of the ground program depends on each relation.
fn find_relevant(
    program: &Program,
    relations: usize,
    keywords: Keywords,
) -> IdVec<RelationId, bool> {
    let mut relevant = IdVec::filled(false, relations);
    let mut rules_of: IdVec<RelationId, Vec<RuleId>> = IdVec::filled(Vec::new(), relations);
    for (id, rule) in program.rules.iter_ids() {
        rules_of[rule.head.relation].push(id);
    }
    let Keywords {
        role,
        init,
        next,
        legal,
        goal,
        terminal,
        ..
    } = keywords;
    let mut pending = vec![role, init, next, legal, goal, terminal];
    while let Some(relation) = pending.pop() {
        if std::mem::replace(&mut relevant[relation], true) {
            continue;
        }
        for &rule in &rules_of[relation] {
            let body = program.rules[rule].body.iter();
            let atoms = body.filter_map(Literal::atom);
            pending.extend(atoms.map(|(atom, _)| atom.relation));
        }
    }
    relevant
}

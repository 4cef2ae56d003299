//! The order in which relations are evaluated.
//!
//! A stratum is a strongly connected component of the dependencies: relations
//! that all depend on one another, or a single one. Everything else that a
//! stratum depends on is in earlier strata. This is the finest stratification of
//! the program, so that a query evaluates only what it depends on.
//!
//! Strata without recursion that tell what happens in every state (whether it is terminal, its
//! moves and its successor) can be kept up to date from state to state; others are evaluated
//! when a query needs them.

use super::error::ReferenceError;
use super::extension::ViewIndex;
use super::join::PreparedRule;
use super::trials::StratumWork;
use crate::components::Components;
use crate::rules::{Dependence, Keyword, Literal, Program, RelationId, Rule, RuleId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Relations that are evaluated together, and how far that has got.
#[derive(Debug, Clone)]
pub(super) struct Stratum {
    pub(super) relations: Vec<RelationId>,
    /// The rules that derive one of the relations.
    pub(super) rules: Vec<RuleId>,
    pub(super) dependence: Dependence,
    /// The strata that the rules ask for, except this one.
    earlier: BTreeSet<usize>,
    /// Whether the extensions are those of the current state and moves.
    pub(super) evaluated: bool,
    /// Whether to try magic sets if the stratum becomes large.
    pub(super) may_be_restricted: bool,
    /// Whether derivations are counted, so that the extensions can be taken from one state to
    /// the next.
    pub(super) is_kept: bool,
    /// The rules, prepared at the first evaluation.
    pub(super) joins: Option<PreparedRules>,
    /// What it takes to evaluate the stratum, and to keep it up to date.
    pub(super) work: StratumWork,
}

/// The prepared rules of a stratum.
#[derive(Debug, Clone, Default)]
pub(super) struct PreparedRules {
    /// Every rule, applied to all facts.
    pub(super) whole: Vec<(RuleId, PreparedRule)>,
    /// Every rule once per literal of the stratum's own relations, which is matched
    /// against the facts of the last round only.
    pub(super) fresh: Vec<(RuleId, PreparedRule)>,
    /// For a relation that varies, every rule once per literal of it, which is matched against a
    /// fact that begins or ceases to hold. Prepared when the first one does.
    pub(super) seeded: BTreeMap<RelationId, Arc<[SeededRule]>>,
    /// The relations of earlier strata that the rules ask for, with the largest numbers
    /// of facts for which the rules have been prepared.
    pub(super) sizes: BTreeMap<RelationId, usize>,
}

/// A rule that begins with a fact that begins or ceases to hold.
#[derive(Debug, Clone)]
pub(super) struct SeededRule {
    pub(super) rule: RuleId,
    /// Whether the literal of the fact is negated.
    pub(super) is_negated: bool,
    /// The view of the literal: facts that are not in it match nothing.
    pub(super) view: ViewIndex,
    pub(super) join: PreparedRule,
}

/// All strata in order of evaluation, and those that each keyword needs.
#[derive(Debug, Clone)]
pub(super) struct Strata {
    pub(super) list: Vec<Stratum>,
    needed: BTreeMap<Keyword, Arc<[usize]>>,
    /// For every stratum, those whose rules ask for it.
    pub(super) later: Vec<Vec<usize>>,
}

impl Strata {
    /// Finds the strata of a program.
    pub(super) fn find(program: &Program) -> Result<Self, ReferenceError> {
        let components = find_components(program);
        check_stratification(program, &components)?;
        let relations = components.members().iter().cloned();
        let mut list: Vec<Stratum> = relations
            .map(|relations| Stratum::new(program, relations))
            .collect();
        for (id, rule) in program.rules.iter_ids() {
            list[components.component_of(rule.head.relation)]
                .rules
                .push(id);
        }
        for at in 0..list.len() {
            let earlier = list[at].earlier_strata(program, &components);
            let dependence = earlier.iter().map(|&earlier| list[earlier].dependence);
            list[at].dependence = dependence.fold(list[at].dependence, Dependence::max);
            list[at].earlier = earlier;
        }
        let mut later = vec![Vec::new(); list.len()];
        for (at, stratum) in list.iter().enumerate() {
            for &earlier in &stratum.earlier {
                later[earlier].push(at);
            }
        }
        let needed: BTreeMap<Keyword, Arc<[usize]>> = (program.relations.iter_ids())
            .filter_map(|(id, relation)| {
                let stratum = components.component_of(id);
                Some((relation.keyword?, with_all_earlier(&list, stratum)))
            })
            .collect();
        let mut strata = Self {
            list,
            needed,
            later,
        };
        strata.choose_kept(program);
        Ok(strata)
    }

    /// Chooses the strata that are kept up to date: those of what is asked of every state, if
    /// neither they nor any stratum that they depend on is recursive.
    fn choose_kept(&mut self, program: &Program) {
        let always = [
            Keyword::True,
            Keyword::Does,
            Keyword::Terminal,
            Keyword::Legal,
            Keyword::Next,
        ];
        let needed = always.map(|keyword| self.needed_by(keyword));
        let needed: BTreeSet<usize> = needed.iter().flat_map(|at| at.iter().copied()).collect();
        for at in needed {
            let stratum = &self.list[at];
            let recurs =
                |&rule: &RuleId| !stratum.recursive_literals(&program.rules[rule]).is_empty();
            let is_settled = |&earlier: &usize| {
                let earlier = &self.list[earlier];
                earlier.dependence == Dependence::Static || earlier.is_kept
            };
            self.list[at].is_kept = stratum.dependence != Dependence::Static
                && !stratum.rules.iter().any(recurs)
                && stratum.earlier.iter().all(is_settled);
        }
    }

    /// Stops keeping a stratum up to date, and all that depends on it.
    pub(super) fn give_up(&mut self, at: usize) {
        if std::mem::replace(&mut self.list[at].is_kept, false) {
            self.list[at].joins = None;
            for later in self.later[at].clone() {
                self.give_up(later);
            }
        }
    }

    /// The strata that a keyword depends on, in order.
    pub(super) fn needed_by(&self, keyword: Keyword) -> Arc<[usize]> {
        self.needed.get(&keyword).cloned().unwrap_or_default()
    }
}

impl Stratum {
    fn new(program: &Program, relations: Vec<RelationId>) -> Self {
        Self {
            dependence: match program.relations[relations[0]].keyword {
                Some(Keyword::True) => Dependence::State,
                Some(Keyword::Does) => Dependence::Moves,
                _ => Dependence::Static,
            },
            earlier: BTreeSet::new(),
            may_be_restricted: (relations.iter())
                .all(|&relation| program.relations[relation].keyword.is_none()),
            relations,
            rules: Vec::new(),
            evaluated: false,
            is_kept: false,
            joins: None,
            work: StratumWork::default(),
        }
    }

    /// The other strata that the rules ask for.
    fn earlier_strata(
        &self,
        program: &Program,
        components: &Components<RelationId>,
    ) -> BTreeSet<usize> {
        let rules = self.rules.iter().map(|&rule| &program.rules[rule]);
        let atoms = rules.flat_map(|rule| rule.body.iter().filter_map(Literal::atom));
        atoms
            .filter(|(atom, _)| !self.relations.contains(&atom.relation))
            .map(|(atom, _)| components.component_of(atom.relation))
            .collect()
    }

    /// The positions in the rule's body of positive literals of this stratum.
    pub(super) fn recursive_literals(&self, rule: &Rule) -> Vec<usize> {
        let is_own = |literal: &Literal| match literal {
            Literal::Positive(atom) => self.relations.contains(&atom.relation),
            Literal::Negative(_) | Literal::Distinct(..) => false,
        };
        (0..rule.body.len())
            .filter(|&place| is_own(&rule.body[place]))
            .collect()
    }
}

/// Every relation depends on those that its rules ask for.
fn find_components(program: &Program) -> Components<RelationId> {
    let edges = program.rules.iter().flat_map(|rule| {
        let atoms = rule.body.iter().filter_map(Literal::atom);
        atoms.map(|(atom, _)| (rule.head.relation, atom.relation))
    });
    Components::find(program.relations.len(), edges)
}

/// A stratum and all that it depends on, in order.
fn with_all_earlier(list: &[Stratum], stratum: usize) -> Arc<[usize]> {
    let mut needed = BTreeSet::new();
    let mut pending = vec![stratum];
    while let Some(at) = pending.pop() {
        if needed.insert(at) {
            pending.extend(&list[at].earlier);
        }
    }
    needed.into_iter().collect()
}

fn check_stratification(
    program: &Program,
    components: &Components<RelationId>,
) -> Result<(), ReferenceError> {
    for rule in &program.rules {
        for literal in &rule.body {
            if let Literal::Negative(atom) = literal
                && components.are_connected(atom.relation, rule.head.relation)
            {
                let name = program.relations[atom.relation].name;
                return Err(ReferenceError::Unstratified {
                    relation: program.symbols[name].clone(),
                });
            }
        }
    }
    Ok(())
}

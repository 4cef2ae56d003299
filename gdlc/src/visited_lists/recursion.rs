//! Finds recursions with an argument that may be a list.

use crate::id::Id;
use crate::rules::{
    Atom, Dependence, Dependencies, Literal, Program, RelationId, Rule, RuleId, Term, VariableId,
    VariableOrder,
};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Relations that depend on one another, and an argument of theirs that every rule passes on
/// unchanged or with one more element.
pub(super) struct Recursion {
    /// The relations.
    pub relations: BTreeSet<RelationId>,
    /// Which of their arguments is the list.
    pub position: usize,
    /// The lists that rules outside the recursion pass.
    pub starts: Vec<Term>,
    /// What its rules ask of lists that they pass on unchanged.
    pub tests: Vec<Step>,
    /// What its rules ask of lists to which they add an element.
    pub extension: Step,
    /// The rules that add an element, or end the recursion as if they did, and the variable
    /// that stands for it.
    pub extending: Vec<(RuleId, VariableId)>,
    /// For every rule of the recursion, the positions of the literals about lists.
    pub about_lists: BTreeMap<RuleId, BTreeSet<usize>>,
}

/// What a rule asks of a list, and what it passes on. The variables are the list, the
/// element if one is added, and then any others.
#[derive(PartialEq, Eq)]
pub(super) struct Step {
    /// The conditions.
    pub literals: Vec<Literal>,
    /// The list that is passed on.
    pub result: Term,
    /// The number of variables.
    pub variables: usize,
}

/// All recursions of a program whose arguments have the form of a list.
pub(super) fn find_recursions(program: &Program) -> Vec<Recursion> {
    let dependencies = Dependencies::find(program);
    let depends_on_itself = |members: &&Vec<RelationId>| {
        let mut of_first = dependencies.of(members[0]).iter();
        members.len() > 1 || of_first.any(|dependency| dependency.to == members[0])
    };
    let recursive = dependencies.components().iter().filter(depends_on_itself);
    recursive
        .filter_map(|members| RecursionReader::new(program, members))
        .flat_map(|reader| reader.read_all())
        .collect()
}

struct RecursionReader<'a> {
    program: &'a Program,
    relations: BTreeSet<RelationId>,
    arity: usize,
    rules: Vec<(RuleId, &'a Rule)>,
}

impl<'a> RecursionReader<'a> {
    /// None unless all relations have the same number of arguments and none is a keyword.
    fn new(program: &'a Program, members: &[RelationId]) -> Option<Self> {
        let relations: BTreeSet<RelationId> = members.iter().copied().collect();
        let mut declared = members.iter().map(|&member| &program.relations[member]);
        let arity = declared.clone().map(|relation| relation.arity).max()?;
        if declared.any(|relation| relation.keyword.is_some() || relation.arity != arity) {
            return None;
        }
        let rules = program.rules.iter_ids();
        let rules = rules.filter(|(_, rule)| relations.contains(&rule.head.relation));
        Some(Self {
            program,
            arity,
            rules: rules.collect(),
            relations,
        })
    }

    /// The recursion with each argument that has the form of a list.
    fn read_all(&self) -> Vec<Recursion> {
        (0..self.arity)
            .filter_map(|position| self.read(position))
            .collect()
    }

    fn read(&self, position: usize) -> Option<Recursion> {
        let mut tests = Vec::new();
        let mut adding = Vec::new();
        let mut extending = Vec::new();
        let mut about_lists = BTreeMap::new();
        for &(id, rule) in &self.rules {
            let read = self.read_rule(rule, position)?;
            about_lists.insert(id, read.about_lists);
            if let Some(element) = read.element {
                extending.push((id, element));
                adding.push(read.step);
            } else {
                tests.push(read.step);
            }
        }
        let first = adding.iter().position(Step::extends)?;
        let extension = adding.swap_remove(first);
        let asks_no_more = |other: &Step| {
            let mut literals = other.literals.iter();
            *other == extension
                || !other.extends() && literals.all(|one| extension.literals.contains(one))
        };
        if !adding.iter().all(asks_no_more) {
            return None;
        }
        Some(Recursion {
            relations: self.relations.clone(),
            position,
            starts: self.starts(position)?,
            tests,
            extension,
            extending,
            about_lists,
        })
    }

    /// The lists that rules outside the recursion pass, if all are terms without variables.
    fn starts(&self, position: usize) -> Option<Vec<Term>> {
        let mut starts = Vec::new();
        let rules = self.program.rules.iter();
        let callers = rules.filter(|rule| !self.relations.contains(&rule.head.relation));
        for (atom, _) in callers.flat_map(|rule| rule.body.iter().filter_map(Literal::atom)) {
            if self.relations.contains(&atom.relation) {
                let start = &atom.args[position];
                if !start.is_ground() {
                    return None;
                }
                if !starts.contains(start) {
                    starts.push(start.clone());
                }
            }
        }
        Some(starts)
    }

    fn read_rule(&self, rule: &'a Rule, position: usize) -> Option<ListRule> {
        let Term::Variable(list) = rule.head.args[position] else {
            return None;
        };
        let mut handed_on = (rule.body.iter())
            .filter_map(|literal| self.call(literal))
            .map(|call| &call.args[position]);
        let first = handed_on.next();
        let result = first.unwrap_or(&rule.head.args[position]);
        if handed_on.any(|other| other != result) {
            return None;
        }
        let mut lists = BTreeSet::from([list]);
        if let Term::Variable(longer) = result {
            lists.insert(*longer);
        }
        let is_about_lists = |literal: &Literal| {
            self.call(literal).is_none() && !literal.variables().is_disjoint(&lists)
        };
        let positions = rule.body.iter().enumerate();
        let about_lists = positions.filter(|(_, literal)| is_about_lists(literal));
        let about_lists: BTreeSet<usize> = about_lists.map(|(at, _)| at).collect();
        let literals: Vec<&Literal> = about_lists.iter().map(|&at| &rule.body[at]).collect();
        let mut inside = lists.clone();
        inside.extend(literals.iter().flat_map(|literal| literal.variables()));
        result.for_each_variable(&mut |variable| _ = inside.insert(variable));
        let outside = self.variables_outside(rule, position, &about_lists);
        let mut elements = inside.intersection(&outside).copied();
        let element = elements.next();
        let step = Step::new(list, element, &literals, result, self.rules[0].1.span);
        let adds = step.extends() || (first.is_none() && element.is_some());
        let is_static = literals.iter().all(|literal| self.is_static(literal));
        let has_the_form = elements.next().is_none()
            && element.is_some() == adds
            && lists.is_disjoint(&outside)
            && is_static;
        has_the_form.then_some(ListRule {
            step,
            element,
            about_lists,
        })
    }

    /// The variables of a rule beside its lists and what it asks of them.
    fn variables_outside(
        &self,
        rule: &'a Rule,
        position: usize,
        about_lists: &BTreeSet<usize>,
    ) -> BTreeSet<VariableId> {
        let beside_list = |atom: &'a Atom| {
            let args = atom.args.iter().enumerate();
            args.filter(|(at, _)| *at != position).map(|(_, arg)| arg)
        };
        let calls = rule.body.iter().filter_map(|literal| self.call(literal));
        let args = [&rule.head].into_iter().chain(calls).flat_map(beside_list);
        let others = rule
            .body
            .iter()
            .enumerate()
            .filter(|(at, literal)| self.call(literal).is_none() && !about_lists.contains(at));
        let mut outside = BTreeSet::new();
        args.for_each(|arg| arg.for_each_variable(&mut |variable| _ = outside.insert(variable)));
        outside.extend(others.flat_map(|(_, literal)| literal.variables()));
        outside
    }

    /// The atom of a literal that continues the recursion. There are no negated ones, since
    /// programs are stratified.
    fn call<'l>(&self, literal: &'l Literal) -> Option<&'l Atom> {
        let (atom, _) = literal.atom()?;
        self.relations.contains(&atom.relation).then_some(atom)
    }

    fn is_static(&self, literal: &Literal) -> bool {
        literal.atom().is_none_or(|(atom, _)| {
            let relation = &self.program.relations[atom.relation];
            relation.dependence == Dependence::Static && relation.keyword.is_none()
        })
    }
}

/// What a rule of the recursion does with its list.
struct ListRule {
    step: Step,
    /// The variable of the element that it adds, if it adds one.
    element: Option<VariableId>,
    about_lists: BTreeSet<usize>,
}

impl Step {
    /// The literals get `span` as their position in the text.
    fn new(
        list: VariableId,
        element: Option<VariableId>,
        literals: &[&Literal],
        result: &Term,
        span: Span,
    ) -> Self {
        let mut order = VariableOrder::default();
        order.variable(list);
        element.map(|element| order.variable(element));
        let literals = literals.iter().map(|literal| order.literal(literal, span));
        let literals = literals.collect();
        let result = order.all(std::slice::from_ref(result)).remove(0);
        Self {
            literals,
            result,
            variables: order.variables.len(),
        }
    }

    /// Whether it passes on a list other than the one that it was given.
    fn extends(&self) -> bool {
        self.result != Term::Variable(VariableId::new(0))
    }
}

//! Evaluates a ground program by its definition: component by component of the
//! atoms' dependencies, each iterated to its least fixpoint.

use gdlc::components::Components;
use gdlc::ground::{AtomId, AtomKind, GroundProgram};
use gdlc::id::{Id, IdVec};
use std::collections::HashMap;

/// A ground program with its rules in an order in which they can be evaluated.
pub struct Evaluator<'a> {
    ground: &'a GroundProgram,
    /// Rules by component, those that others depend on first; whether the
    /// component has to be iterated.
    components: Vec<(Vec<usize>, bool)>,
    bases: HashMap<String, usize>,
    moves: HashMap<(usize, String), usize>,
}

/// What holds in one state.
#[derive(Debug, PartialEq, Eq)]
pub struct Situation {
    /// Whether the state is terminal.
    pub terminal: bool,
    /// Every role's legal moves, sorted.
    pub legal: Vec<Vec<String>>,
    /// Every role's goal values, ascending.
    pub goals: Vec<Vec<i32>>,
    /// The facts of the next state, sorted.
    pub next: Vec<String>,
}

impl<'a> Evaluator<'a> {
    /// Orders the rules.
    pub fn new(ground: &'a GroundProgram) -> Self {
        let mut edges = Vec::new();
        let mut rules_of = vec![Vec::new(); ground.atoms.len()];
        for (number, rule) in ground.rules.iter().enumerate() {
            rules_of[rule.head.index()].push(number);
            for literal in &rule.body {
                edges.push((rule.head, literal.atom));
            }
        }
        let components = Components::find(ground.atoms.len(), edges)
            .members()
            .iter()
            .map(|component| {
                let rules = component
                    .iter()
                    .flat_map(|member| rules_of[member.index()].clone());
                (rules.collect(), component.len() > 1)
            })
            .collect();
        let bases = ground.bases.iter().enumerate();
        let moves = ground.moves.iter().enumerate();
        Self {
            ground,
            components,
            bases: bases
                .map(|(number, base)| (base.name.to_lowercase(), number))
                .collect(),
            moves: moves
                .map(|(number, made)| ((made.role.index(), made.name.to_lowercase()), number))
                .collect(),
        }
    }

    /// The facts of the initial state, sorted.
    pub fn initial(&self) -> Vec<String> {
        let bases = self.ground.bases.iter().filter(|base| base.initially);
        sorted(bases.map(|base| base.name.to_lowercase()))
    }

    /// What holds in a state if these moves (one a role, or none at all) are
    /// made; an error if a fact or a move is unknown.
    pub fn examine(&self, state: &[String], joint: &[String]) -> Result<Situation, String> {
        let mut held = vec![false; self.ground.bases.len()];
        for fact in state {
            let base = self.bases.get(&fact.to_lowercase());
            held[*base.ok_or_else(|| format!("unknown fact {fact}"))?] = true;
        }
        let mut made = vec![false; self.ground.moves.len()];
        for (role, action) in joint.iter().enumerate() {
            let number = self.moves.get(&(role, action.to_lowercase()));
            made[*number.ok_or_else(|| format!("unknown move {action}"))?] = true;
        }
        let values = self.evaluate(&held, &made);
        Ok(self.situation(&values))
    }

    fn evaluate(&self, held: &[bool], made: &[bool]) -> IdVec<AtomId, bool> {
        let mut values: IdVec<AtomId, bool> = self
            .ground
            .atoms
            .iter()
            .map(|atom| match atom.kind {
                AtomKind::Base(base) => held[base.index()],
                AtomKind::Does(action) => made[action.index()],
                AtomKind::View => false,
            })
            .collect();
        for (rules, cyclic) in &self.components {
            loop {
                let mut changed = false;
                for &rule in rules {
                    let rule = &self.ground.rules[rule];
                    let fires = !values[rule.head]
                        && rule
                            .body
                            .iter()
                            .all(|literal| values[literal.atom] != literal.negated);
                    changed |= fires;
                    values[rule.head] |= fires;
                }
                if !(changed && *cyclic) {
                    break;
                }
            }
        }
        values
    }

    fn situation(&self, values: &IdVec<AtomId, bool>) -> Situation {
        let ground = self.ground;
        let holds = |atom: Option<AtomId>| atom.is_some_and(|atom| values[atom]);
        let roles = 0..ground.roles.len();
        let legal = roles.clone().map(|role| {
            let of_role = ground.moves.iter();
            let legal = of_role.filter(|made| made.role.index() == role && values[made.legal]);
            sorted(legal.map(|made| made.name.to_lowercase()))
        });
        let goals = roles.map(|role| {
            let of_role = ground.goals.iter();
            let held = of_role.filter(|goal| goal.role.index() == role && values[goal.atom]);
            held.map(|goal| goal.value).collect()
        });
        let next = ground.bases.iter().filter(|base| holds(base.next));
        Situation {
            terminal: holds(ground.terminal),
            legal: legal.collect(),
            goals: goals.collect(),
            next: sorted(next.map(|base| base.name.to_lowercase())),
        }
    }
}

fn sorted(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.dedup();
    names
}

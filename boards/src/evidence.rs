//! What inference looks at: some states of a game with their legal moves, and what the
//! rules state once and for all.

use crate::flat_term::FlatTerm;
use gdl_runtime::engine::{Engine, Move};
use gdl_runtime::random::SplitMix;
use gdlc::reference::{EvaluationBudget, Reference};
use gdlc::rules::Program;
use gdlc::source::Source;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The largest number of states that inference uses.
const MOST_STATES: usize = 240;

/// The largest number of facts in all states together.
const MOST_FACTS: usize = 60_000;

/// The largest number of static facts of one relation.
const MOST_STATIC_FACTS: usize = 20_000;

/// What is known of a game before its layout is inferred.
#[derive(Debug, Clone, Default)]
pub struct GameEvidence {
    pub(crate) roles: Vec<String>,
    pub(crate) states: Vec<ObservedState>,
    /// All fluents, if they are known.
    pub(crate) fluents: Vec<FlatTerm>,
    /// All moves of all roles, if they are known.
    pub(crate) moves: Vec<FlatTerm>,
    /// The facts of relations that are the same in every state.
    pub(crate) statics: Vec<FlatTerm>,
    facts: usize,
}

/// A state that was seen.
#[derive(Debug, Clone)]
pub(crate) struct ObservedState {
    pub(crate) facts: Vec<FlatTerm>,
    /// For each role, its legal moves; empty if they are not known.
    pub(crate) legal: Vec<Vec<FlatTerm>>,
    /// The move of each role that led to the next state, if that follows.
    pub(crate) joint: Vec<FlatTerm>,
}

impl GameEvidence {
    /// Nothing but the names of the roles.
    #[must_use]
    pub fn new(roles: &[String]) -> Self {
        Self {
            roles: roles.to_vec(),
            ..Self::default()
        }
    }

    /// Adds a state: its facts as KIF without `true`, the legal moves of each role and the
    /// moves made, both empty where they are not known. The first state that is added is
    /// taken for the initial one, and a state with moves for the predecessor of the next.
    ///
    /// Texts that are not KIF are left out. Returns whether more states are of use.
    pub fn add_state(&mut self, facts: &[String], legal: &[Vec<String>], joint: &[String]) -> bool {
        if !self.wants_more() {
            return false;
        }
        let flat = |texts: &[String]| -> Vec<FlatTerm> {
            texts
                .iter()
                .filter_map(|text| FlatTerm::parse(text))
                .collect()
        };
        self.facts += facts.len();
        self.states.push(ObservedState {
            facts: flat(facts),
            legal: legal.iter().map(|moves| flat(moves)).collect(),
            joint: flat(joint),
        });
        self.wants_more()
    }

    /// Adds what does not change: the facts of all static relations of the rules, such as
    /// which cells are adjacent and which number follows which. Rules that cannot be
    /// evaluated quickly add nothing.
    pub fn add_rules(&mut self, program: &Arc<Program>) {
        let budget = EvaluationBudget {
            facts: 500_000,
            matches: 50_000_000,
            terms: 2_000_000,
            ..EvaluationBudget::default()
        };
        let Ok(reference) = Reference::with_budget(Arc::clone(program), budget) else {
            return;
        };
        for facts in reference.static_relations() {
            if facts.len() <= MOST_STATIC_FACTS {
                let flat = facts.iter().filter_map(|fact| FlatTerm::parse(fact));
                self.statics.extend(flat);
            }
        }
    }

    /// The evidence from a game's rules and from random games on its engine. The games take at most
    /// `patience`, and mostly less.
    pub fn of_game(engine: &mut dyn Engine, rules: &Arc<Source>, patience: Duration) -> Self {
        let mut evidence = Self::new(engine.roles());
        if let Some(program) = gdlc::rules::check(Arc::clone(rules)).program {
            evidence.add_rules(&Arc::new(program));
        }
        evidence.survey(engine, 1, patience);
        evidence
    }

    /// Plays random games on an engine and adds their states, and all fluents and moves if
    /// the engine knows them. The same seed adds the same, unless the time runs out.
    pub fn survey(&mut self, engine: &mut dyn Engine, seed: u64, time: Duration) {
        let deadline = Instant::now() + time;
        if let Some(layout) = engine.layout() {
            let flat = |name: &String| FlatTerm::parse(name);
            self.fluents = layout
                .bases
                .iter()
                .filter_map(|base| flat(&base.name))
                .collect();
            let moves = layout.moves.iter().flatten();
            self.moves = moves.filter_map(|row| flat(&row.name)).collect();
        }
        let mut random = SplitMix::new(seed);
        let mut state = engine.initial();
        loop {
            let facts = engine.facts(&state);
            let position = engine.examine(&state);
            let mut pick = |moves: &Vec<Move>| {
                let index = random.next_u64() % moves.len().max(1) as u64;
                moves.get(index as usize).copied()
            };
            let joint: Option<Vec<Move>> = position.legal.iter().map(&mut pick).collect();
            let joint = joint.filter(|_| !position.terminal);
            let named = joint.iter().flatten().enumerate();
            let named: Vec<String> = named
                .map(|(role, &mv)| engine.move_name(role, mv))
                .collect();
            let legal = position.legal.iter().enumerate().map(|(role, moves)| {
                let names = moves.iter().map(|&mv| engine.move_name(role, mv));
                names.collect::<Vec<String>>()
            });
            let legal: Vec<Vec<String>> = match position.terminal {
                true => Vec::new(),
                false => legal.collect(),
            };
            if !self.add_state(&facts, &legal, &named) || Instant::now() > deadline {
                break;
            }
            state = match joint {
                Some(joint) => engine.next(&state, &joint),
                None => engine.initial(),
            };
        }
    }

    fn wants_more(&self) -> bool {
        self.states.len() < MOST_STATES && self.facts < MOST_FACTS
    }
}

//! [`LaneEngine`]: the engine of every game whose logic is a [`StepProgram`](crate::program::StepProgram).

use crate::automorphism::AutomorphismFinder;
use crate::engine::{Engine, Lanes, Move, Pick, Position, Role, State, UnknownFact};
use crate::factors::FactorFinder;
use crate::goal_conditions::GoalConditionFinder;
use crate::kif::normalise;
use crate::lanes::{Portable128, Portable256, Width, Word, Word128, Word256, Word512};
use crate::layout::Layout;
use crate::machine::{Machine, Stepper};
use crate::programs::Programs;
use crate::reachability::ReachabilityFinder;
use std::collections::HashMap;
use std::sync::Arc;

/// A machine of this width, if there is code for it and this processor can run it.
fn machine(
    programs: &Programs,
    layout: &Arc<Layout>,
    width: Width,
    seed: u64,
) -> Option<Box<dyn Stepper>> {
    if !width.available() {
        return None;
    }
    match width {
        Width::W64 => boxed::<u64>(programs, layout, seed),
        Width::Portable128 => boxed::<Portable128>(programs, layout, seed),
        Width::Portable256 => boxed::<Portable256>(programs, layout, seed),
        Width::W128 => boxed::<Word128>(programs, layout, seed),
        Width::W256 => boxed::<Word256>(programs, layout, seed),
        Width::W512 => boxed::<Word512>(programs, layout, seed),
    }
}

fn boxed<W: Word>(
    programs: &Programs,
    layout: &Arc<Layout>,
    seed: u64,
) -> Option<Box<dyn Stepper>> {
    let program = Arc::clone(programs.of_word::<W>()?);
    let machine = Machine::new(Arc::clone(layout), program, seed)?;
    Some(Box::new(machine))
}

/// An engine whose states are bits and whose lanes are words.
pub struct LaneEngine {
    name: &'static str,
    layout: Arc<Layout>,
    programs: Programs,
    width: Width,
    /// Computes single positions, in its lane 0.
    single: Box<dyn Stepper>,
    bases_by_name: HashMap<String, usize>,
    automorphism_finder: Option<AutomorphismFinder>,
    factor_finder: Option<FactorFinder>,
    goal_condition_finder: Option<GoalConditionFinder>,
    reachability_finder: Option<ReachabilityFinder>,
}

impl LaneEngine {
    /// The engine of a game at the widest width up to `width` for which there is code
    /// and which this processor supports; `None` if there is none.
    #[must_use]
    pub fn new(
        name: &'static str,
        layout: Layout,
        programs: Programs,
        width: Width,
    ) -> Option<Self> {
        let layout = Arc::new(layout);
        let machine = |width| Some((width, machine(&programs, &layout, width, 0)?));
        let mut widths = std::iter::successors(Some(width), |width| width.narrower());
        let (width, single) = widths.find_map(machine)?;
        let bases_by_name = layout
            .bases
            .iter()
            .enumerate()
            .map(|(index, base)| (normalise(&base.name), index))
            .collect();
        Some(Self {
            name,
            layout,
            programs,
            width,
            single,
            bases_by_name,
            automorphism_finder: None,
            factor_finder: None,
            goal_condition_finder: None,
            reachability_finder: None,
        })
    }

    /// The same, with a finder of the game's automorphisms.
    #[must_use]
    pub fn with_automorphism_finder(self, finder: AutomorphismFinder) -> Self {
        Self {
            automorphism_finder: Some(finder),
            ..self
        }
    }

    /// The same, with a finder of the game's parts.
    #[must_use]
    pub fn with_factor_finder(self, finder: FactorFinder) -> Self {
        Self {
            factor_finder: Some(finder),
            ..self
        }
    }

    /// The same, with a finder of the conditions of the goals.
    #[must_use]
    pub fn with_goal_condition_finder(self, finder: GoalConditionFinder) -> Self {
        Self {
            goal_condition_finder: Some(finder),
            ..self
        }
    }

    /// The same, with a finder of which role is the first to reach what several can
    /// bring about.
    #[must_use]
    pub fn with_reachability_finder(self, finder: ReachabilityFinder) -> Self {
        Self {
            reachability_finder: Some(finder),
            ..self
        }
    }

    /// The lane width of its machines.
    #[must_use]
    pub fn width(&self) -> Width {
        self.width
    }

    /// The meaning of the rows.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The size of all rows of a machine in bytes: current and next fluents, and
    /// computed rows.
    #[must_use]
    pub fn row_bytes(&self) -> usize {
        let rows = 2 * self.layout.bases.len() + self.layout.work as usize;
        rows * self.width.lanes() / 8
    }

    fn show(&mut self, state: &State) {
        self.single.load(0, state);
        self.single.evaluate();
    }
}

impl Engine for LaneEngine {
    fn name(&self) -> String {
        format!("{}, {} lanes", self.name, self.width)
    }

    fn roles(&self) -> &[String] {
        &self.layout.roles
    }

    fn layout(&self) -> Option<Arc<Layout>> {
        Some(Arc::clone(&self.layout))
    }

    fn automorphism_finder(&self) -> Option<AutomorphismFinder> {
        self.automorphism_finder.clone()
    }

    fn factor_finder(&self) -> Option<FactorFinder> {
        self.factor_finder.clone()
    }

    fn goal_condition_finder(&self) -> Option<GoalConditionFinder> {
        self.goal_condition_finder.clone()
    }

    fn reachability_finder(&self) -> Option<ReachabilityFinder> {
        self.reachability_finder.clone()
    }

    fn initial(&self) -> State {
        let mut words = vec![0; self.layout.state_words()];
        for (index, base) in self.layout.bases.iter().enumerate() {
            words[index / 64] |= u64::from(base.initially) << (index % 64);
        }
        State(words.into())
    }

    fn facts(&self, state: &State) -> Vec<String> {
        let mut facts: Vec<_> = self
            .layout
            .bases
            .iter()
            .enumerate()
            .filter(|(index, _)| Layout::holds(&state.0, *index))
            .map(|(_, base)| base.name.clone())
            .collect();
        facts.sort();
        facts
    }

    fn state(&mut self, facts: &[String]) -> Result<State, UnknownFact> {
        let mut words = vec![0; self.layout.state_words()];
        for fact in facts {
            let base = *self
                .bases_by_name
                .get(&normalise(fact))
                .ok_or_else(|| UnknownFact(fact.clone()))?;
            words[base / 64] |= 1 << (base % 64);
        }
        Ok(State(words.into()))
    }

    fn examine(&mut self, state: &State) -> Position {
        self.show(state);
        let roles = 0..self.layout.roles.len();
        let legal = roles.clone().map(|role| {
            let mut moves = Vec::new();
            self.single.legal(0, role, &mut moves);
            moves
        });
        let legal = legal.collect();
        Position {
            terminal: self.single.terminal()[0] & 1 != 0,
            legal,
            goals: roles.map(|role| self.single.all_goals(0, role)).collect(),
        }
    }

    fn next(&mut self, state: &State, joint: &[Move]) -> State {
        self.show(state);
        let mut legal = Vec::new();
        let mut picks = Vec::with_capacity(joint.len());
        for (role, &mv) in joint.iter().enumerate() {
            legal.clear();
            self.single.legal(0, role, &mut legal);
            let index = legal.iter().position(|&candidate| candidate == mv);
            picks.push(Pick {
                mv,
                index: index.map_or(0, |index| index as u32),
            });
        }
        self.single.force(&[1], &picks);
        self.single.advance();
        self.single.state(0)
    }

    fn move_name(&self, role: Role, mv: Move) -> String {
        self.layout.moves[role][mv.0 as usize].name.clone()
    }

    fn lanes(&self, seed: u64) -> Box<dyn Lanes> {
        machine(&self.programs, &self.layout, self.width, seed)
            .expect("the width was tried when the engine was made")
    }
}

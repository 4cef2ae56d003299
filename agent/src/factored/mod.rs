//! Games of one role that are sums of games: each part is searched separately, and the plans
//! are joined.
//!
//! `factor_states` searches a part, `classes` groups its states by what they are good for,
//! and `joining` combines the plans of the parts into one.

mod classes;
mod factor_states;
mod joining;

use std::sync::Arc;
use std::time::{Duration, Instant};

use gdl_runtime::engine::{Engine, Lanes, Move, Role, State};
use gdl_runtime::factors::{FactorFinder, GameFactor};
use gdl_runtime::stop_flag::StopFlag;

use crate::component::{Component, Slot};
use crate::expander::Expander;
use crate::search::evaluation::MoveEvaluation;
use crate::search::move_search::MoveSearch;
use crate::search::{SearchBudget, SearchReport, SearchResult};
use classes::find_classes;
use factor_states::{FactorStates, PlanningLimits};
use joining::{GoalLookup, JoinedPlan, join_plans};

/// The component.
///
/// The parts are factors of the game's propnet ([`Engine::factor_finder`]) of which none depends
/// on another. The states of each are searched breadth first, with the moves of that part
/// alone, while the others stay as they are. Its states are told apart by what goals and the end of
/// the game need of it, and the shortest plan to each class of them is kept. Plans of all parts,
/// one after another, are then played on the whole game, in order of the goals that they promise,
/// and the best is followed (after Günther, Schiffel and Thielscher, "Factoring general games",
/// 2009, who tell plans apart by their signatures). A part of n moves to
/// choose from and depth d costs n^d states at worst, and all parts together the sum of
/// that; the whole game costs the product, times the ways of mixing the plans.
///
/// A plan that reaches the highest goal of the game is followed without any further search.
/// Otherwise the rest of the agent searches, and the plan is followed unless that search
/// expects more. Where a state is not that of the plan, planning starts again.
///
/// Factors of which one comes after another are searched as one part, since how the first ends
/// decides where the other begins. Moves that act on several parts at once keep these together.
/// Where parts change although no move is made in them, plans do not fit together: this shows when
/// they are played, and the rest of the agent plays.
///
/// Not for games of several roles. There, a part has no single value, but one for each order of
/// turns: a role may move in it several times in a row while the others move elsewhere. Zhao,
/// Schiffel and Thielscher ("Decomposition of multi-player games", 2009) search parts for all
/// orders to their ends, which parts as large as those of the games that we know do not allow,
/// and which averages of playouts do not replace.
///
/// [`Engine::factor_finder`]: gdl_runtime::engine::Engine::factor_finder
pub const COMPONENT: Component = Component {
    name: "factored",
    slot: Slot::Decomposition,
    summary: "in games of one role that are sums of independent games, each is searched \
              separately, and the plans are joined; the rest of the agent plays all other games, \
              and those for which no plan is found",
    source: "Günther, Schiffel and Thielscher 2009",
    parameters: &[],
    build: |builder, _, _| {
        builder.reserves_lanes = true;
        builder.is_factored = true;
    },
};

/// The share of a move's time for planning.
const PLANNING_SHARE: f64 = 0.5;

/// A search that plans part by part where that is possible.
pub struct FactoredSearch {
    /// What plays where there is no plan.
    whole: Box<dyn MoveSearch>,
    finder: Option<FactorFinder>,
    /// The parts of the game, once they have been asked for; fewer than two if plans are of no use.
    parts: Option<Arc<[GameFactor]>>,
    /// What plans are found with: one machine for steps, one for goals.
    expander: Expander,
    lanes: Box<dyn Lanes>,
    /// The highest goal of the only role.
    highest: i32,
    stop_flag: StopFlag,
    plan: Option<JoinedPlan>,
    /// The state for which no plan was found last, and the time that planning had there.
    unplannable: Option<(State, Duration)>,
    /// Whether a plan for the last state reaches the highest goal.
    is_certain: bool,
}

impl FactoredSearch {
    /// A search for an engine's game, which plays by `whole` where there is no plan.
    #[must_use]
    pub fn new(engine: &dyn Engine, whole: Box<dyn MoveSearch>, seed: u64) -> Self {
        let is_single = engine.roles().len() == 1;
        let goals = engine.layout().map(|layout| layout.goals.clone());
        let goals = goals.and_then(|goals| goals.into_iter().next());
        let highest = goals.and_then(|goals| goals.iter().map(|&(value, _)| value).max());
        Self {
            finder: engine.factor_finder().filter(|_| is_single),
            parts: None,
            expander: Expander::new(engine.lanes(seed), engine.initial().0.len()),
            lanes: engine.lanes(seed),
            highest: highest.unwrap_or(i32::MAX),
            stop_flag: whole.stop_flag(),
            whole,
            plan: None,
            unplannable: None,
            is_certain: false,
        }
    }

    /// The move of the plan in a state, if there is one.
    fn planned(&self, state: &State) -> Option<Move> {
        let steps = &self.plan.as_ref()?.steps;
        let step = steps.iter().find(|(before, _)| before == state);
        step.map(|&(_, mv)| mv)
    }

    /// Whether there is a plan for a state that reaches the highest goal, once planning has had its
    /// share of the budget.
    fn has_certain_plan(&mut self, state: &State, budget: SearchBudget) -> bool {
        if self.planned(state).is_none() && budget != SearchBudget::Simulations(0) {
            self.plan_within(state, planning_time(budget));
        }
        let plan = self.plan.as_ref();
        let reaches_all = plan.is_some_and(|plan| plan.goal >= self.highest);
        self.is_certain = reaches_all && self.planned(state).is_some();
        self.is_certain
    }

    /// Looks for a plan from a state, unless that found nothing in about as much time.
    fn plan_within(&mut self, state: &State, time: Duration) {
        let before = self.unplannable.as_ref();
        if before.is_some_and(|(other, had)| other == state && time <= had.saturating_mul(2)) {
            return;
        }
        self.plan = self.find_plan(state, Instant::now().checked_add(time));
        // What was interrupted may be found the next time.
        if self.plan.is_none() && !self.stop_flag.is_raised() {
            self.unplannable = Some((state.clone(), time));
        }
    }

    /// A plan from a state, if there is one and it is found before the deadline.
    fn find_plan(&mut self, state: &State, deadline: Option<Instant>) -> Option<JoinedPlan> {
        let finder = self.finder.as_ref()?;
        let game = self.parts.get_or_insert_with(|| finder());
        if game.len() < 2 {
            return None;
        }
        let limits = PlanningLimits {
            deadline,
            stop_flag: &self.stop_flag,
        };
        let expander = &mut self.expander;
        let (mut parts, mut classes) = (Vec::new(), Vec::new());
        for part in game.iter() {
            let states = FactorStates::reach(part, &state.0, expander, &limits);
            classes.push(find_classes(&states, &part.conditions, &state.0));
            parts.push(states);
        }
        let mut lookup = GoalLookup {
            lanes: &mut *self.lanes,
            from: &state.0,
        };
        join_plans(game, &parts, &classes, &mut lookup, expander, &limits)
    }
}

/// The time for planning within a budget; without end if the budget is counted.
fn planning_time(budget: SearchBudget) -> Duration {
    let end = budget.fraction_of_time(PLANNING_SHARE);
    end.map_or(Duration::MAX, |end| {
        end.saturating_duration_since(Instant::now())
    })
}

impl MoveSearch for FactoredSearch {
    fn prepare(
        &mut self,
        state: &State,
        role: Role,
        budget: SearchBudget,
        watch: &mut dyn FnMut(&SearchReport),
    ) {
        if !self.has_certain_plan(state, budget) {
            self.whole.prepare(state, role, budget, watch);
        }
    }

    fn run(
        &mut self,
        state: &State,
        role: Role,
        budget: SearchBudget,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        match self.has_certain_plan(state, budget) {
            true => SearchReport::default(),
            false => self.whole.run(state, role, budget, watch),
        }
    }

    fn use_idle_time(
        &mut self,
        state: &State,
        role: Role,
        budget: SearchBudget,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        match self.has_certain_plan(state, budget) {
            true => SearchReport::default(),
            false => self.whole.use_idle_time(state, role, budget, watch),
        }
    }

    fn result(&self, state: &State, role: Role, legal: &[Move]) -> SearchResult {
        let plan = self.planned(state).zip(self.plan.as_ref());
        let Some((mv, plan)) = plan.filter(|(mv, _)| legal.contains(mv)) else {
            return self.whole.result(state, role, legal);
        };
        let value = f64::from(plan.goal);
        let planned = SearchResult {
            evaluations: vec![MoveEvaluation {
                mv,
                visits: 1,
                value,
                proven: plan.goal >= self.highest,
                pruned: false,
            }],
            ..SearchResult::without_search(mv)
        };
        if plan.goal >= self.highest {
            return planned;
        }
        let searched = self.whole.result(state, role, legal);
        let expected = searched.evaluation().map(|found| found.value);
        match expected.is_some_and(|expected| expected > value) {
            true => searched,
            false => SearchResult {
                report: searched.report,
                ..planned
            },
        }
    }

    fn is_exhausted(&self) -> bool {
        self.is_certain || self.whole.is_exhausted()
    }

    fn stop_flag(&self) -> StopFlag {
        self.stop_flag.clone()
    }

    fn set_stop_flag(&mut self, stop_flag: StopFlag) {
        self.whole.set_stop_flag(stop_flag.clone());
        self.stop_flag = stop_flag;
    }

    fn move_to(&mut self, lanes: &dyn Fn(u64) -> Box<dyn Lanes>) {
        self.whole.move_to(lanes);
        self.expander = self.expander.on(lanes(0));
        self.lanes = lanes(0);
    }
}

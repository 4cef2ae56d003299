//! Games of one role that are sums of games: each is searched by itself, and the plans are
//! joined.
//!
//! `part_states` searches a part, `classes` tells apart what its states are good for, and
//! `joining` makes one plan of those of the parts.

mod classes;
mod joining;
mod part_states;

use std::sync::Arc;

use gdl_runtime::engine::{Engine, Lanes, Move, Role, State};
use gdl_runtime::parts::{GamePart, PartFinder};
use gdl_runtime::stop_flag::StopFlag;

use crate::component::{Component, Slot};
use crate::expander::Expander;
use crate::search::evaluation::MoveEvaluation;
use crate::search::move_search::MoveSearch;
use crate::search::{Search, SearchBudget, SearchReport, SearchResult};
use classes::find_classes;
use joining::{GoalLookup, JoinedPlan, join_plans};
use part_states::{PartStates, PlanningLimits};

/// The component.
///
/// The parts are factors of the game's propnet ([`Engine::part_finder`]) of which none depends
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
/// Moves of all parts have to be made one at a time; where parts change while nothing is done in
/// them, or follow one another, plans that do not fit are found out when they are played, and
/// the rest of the agent plays.
///
/// Not for games of several roles. There the parts are not independent: each move in one part
/// leaves the others to the opponent, so that a part has no value but depends on who may move
/// first how often, and results for sums (Cerexhe, Rajaratnam, Saffidine and Thielscher, "A
/// systematic solution to the (de-)composition problem in general game playing", 2014) need
/// parts in which the goals are those of combinatorial games, which rules seldom have.
///
/// [`Engine::part_finder`]: gdl_runtime::engine::Engine::part_finder
pub const COMPONENT: Component = Component {
    name: "factored",
    slot: Slot::Decomposition,
    summary: "in games of one role that are sums of independent games, each is searched by \
              itself, and the plans are joined; the rest of the agent plays all other games, and \
              where no plan is found",
    source: "Günther, Schiffel and Thielscher 2009",
    parameters: &[],
    build: |builder, _, _| {
        builder.reserves_lanes = true;
        builder.is_factored = true;
    },
};

/// The share of a move's time in which plans are looked for.
const PLANNING_SHARE: f64 = 0.5;

/// A search that plans part by part where that is possible.
pub struct FactoredSearch {
    plain: Search,
    finder: Option<PartFinder>,
    /// The parts of the game once they were asked for; fewer than two if plans are of no use.
    parts: Option<Arc<[GamePart]>>,
    /// What plans are found with: one machine for steps, one for goals.
    expander: Expander,
    lanes: Box<dyn Lanes>,
    /// The highest goal of the only role.
    highest: i32,
    stop_flag: StopFlag,
    plan: Option<JoinedPlan>,
}

impl FactoredSearch {
    /// A search for an engine's game, that plays by `plain` where there is no plan.
    #[must_use]
    pub fn new(engine: &dyn Engine, plain: Search, seed: u64) -> Self {
        let is_single = engine.roles().len() == 1;
        let goals = engine.layout().map(|layout| layout.goals.clone());
        let goals = goals.and_then(|goals| goals.into_iter().next());
        let highest = goals.and_then(|goals| goals.iter().map(|&(value, _)| value).max());
        Self {
            finder: engine.part_finder().filter(|_| is_single),
            parts: None,
            expander: Expander::new(engine.lanes(seed), engine.initial().0.len()),
            lanes: engine.lanes(seed),
            highest: highest.unwrap_or(i32::MAX),
            stop_flag: plain.stop_flag(),
            plain,
            plan: None,
        }
    }

    /// The move of the plan in a state, if there is one.
    fn planned(&self, state: &State) -> Option<Move> {
        let steps = &self.plan.as_ref()?.steps;
        let step = steps.iter().find(|(before, _)| before == state);
        step.map(|&(_, mv)| mv)
    }

    /// The move of the plan in a state, with the goal to which it leads, if no move can
    /// lead to more.
    fn is_certain(&self, state: &State) -> bool {
        let plan = self.plan.as_ref();
        plan.is_some_and(|plan| plan.goal >= self.highest) && self.planned(state).is_some()
    }

    /// Looks for a plan from a state.
    fn find_plan(&mut self, state: &State, budget: SearchBudget) {
        let Some(finder) = &self.finder else {
            return;
        };
        let game = self.parts.get_or_insert_with(|| finder());
        if game.len() < 2 {
            return;
        }
        let limits = PlanningLimits {
            deadline: budget.share_of_time(PLANNING_SHARE),
            stop_flag: &self.stop_flag,
        };
        let expander = &mut self.expander;
        let (mut parts, mut classes) = (Vec::new(), Vec::new());
        for part in game.iter() {
            let states = PartStates::reach(part, &state.0, expander, &limits);
            classes.push(find_classes(&states, &part.conditions, &state.0));
            parts.push(states);
        }
        let mut lookup = GoalLookup {
            lanes: &mut *self.lanes,
            from: &state.0,
        };
        self.plan = join_plans(game, &parts, &classes, &mut lookup, expander, &limits);
    }
}

impl MoveSearch for FactoredSearch {
    fn run(
        &mut self,
        state: &State,
        role: Role,
        budget: SearchBudget,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> SearchReport {
        if self.planned(state).is_none() {
            self.find_plan(state, budget);
        }
        match self.is_certain(state) {
            true => SearchReport::default(),
            false => self.plain.run(state, role, budget, watch),
        }
    }

    fn result(&self, state: &State, role: Role, legal: &[Move]) -> SearchResult {
        let plan = self.planned(state).zip(self.plan.as_ref());
        let Some((mv, plan)) = plan.filter(|(mv, _)| legal.contains(mv)) else {
            return SearchResult::of(self.plain.searchers(), state, role, legal);
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
        let plain = SearchResult::of(self.plain.searchers(), state, role, legal);
        match plain.evaluation().is_some_and(|found| found.value > value) {
            true => plain,
            false => SearchResult {
                report: plain.report,
                ..planned
            },
        }
    }

    fn is_exhausted(&self) -> bool {
        self.plain.is_exhausted()
    }

    fn stop_flag(&self) -> StopFlag {
        self.stop_flag.clone()
    }

    fn set_stop_flag(&mut self, stop_flag: StopFlag) {
        self.plain.set_stop_flag(stop_flag.clone());
        self.stop_flag = stop_flag;
    }

    fn move_to(&mut self, lanes: &dyn Fn(u64) -> Box<dyn Lanes>) {
        self.plain.move_to(lanes);
        self.expander = self.expander.on(lanes(0));
        self.lanes = lanes(0);
    }
}

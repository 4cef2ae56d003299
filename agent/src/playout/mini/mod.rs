//! MINI-Player's strategies: each simulation is driven by one of several light heuristics.
//!
//! `successors` computes the states after a role's moves, which `exploration`, `symbols`, `goals`
//! and mobility compare; `bandit` chooses the strategy of each simulation.

mod bandit;
mod exploration;
mod goals;
mod successors;
mod symbols;

use gdl_runtime::engine::Role;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::history::MoveHistory;
use super::mast::{LearningScope, Mast};
use super::sampling::MoveSampling;
use super::{Observed, Playout, PlayoutPlan, SamplingMode, Situation};
use crate::component::builder::{AgentBuilder, GameContext};
use crate::component::{Component, Parameter, ParameterKind, ParameterValues, Slot};
use crate::episode::Episode;
use crate::expander::Positions;
use bandit::StrategyBandit;
use exploration::Visited;
use goals::GoalDegrees;
use successors::MoveSuccessors;
use symbols::SymbolCounts;

/// The component.
pub const COMPONENT: Component = Component {
    name: "mini",
    slot: Slot::Playout,
    summary: "each simulation is driven, for each role, by one of the strategies random, history \
              (as mast), mobility (more moves for the role than for the others), exploration \
              (states unlike those visited), symbols (words in the state that go with high \
              goals) and goals (conditions of high goals that are nearly fulfilled), chosen by UCB \
              on the returns of its simulations",
    source: "Świechowski and Mańdziuk 2014; Schiffel and Thielscher 2007",
    parameters: &[
        Parameter {
            name: "c",
            meaning: "the weight of exploration of strategies, in goal points",
            kind: ParameterKind::Number {
                default: 40.0,
                range: 0.0..=10_000.0,
            },
        },
        Parameter {
            name: "epsilon",
            meaning: "the probability of a uniformly random move instead of the strategy's",
            kind: ParameterKind::Number {
                default: 0.2,
                range: 0.0..=1.0,
            },
        },
        Parameter {
            name: "tau",
            meaning: "the temperature of history, in goal points",
            kind: ParameterKind::Number {
                default: 10.0,
                range: 0.01..=10_000.0,
            },
        },
        Parameter {
            name: "only",
            meaning: "all: as UCB chooses; or the one strategy that drives all simulations",
            kind: ParameterKind::Choice {
                names: &[
                    "all",
                    "random",
                    "history",
                    "mobility",
                    "exploration",
                    "symbols",
                    "goals",
                ],
            },
        },
    ],
    build,
};

fn build(builder: &mut AgentBuilder, values: &ParameterValues, game: &GameContext<'_>) {
    let Some(engine) = game.engine else { return };
    let symbols = game.layout.as_deref().map(SymbolCounts::new);
    let find_goals = engine.goal_condition_finder();
    let goals = find_goals.and_then(|find| find()).map(GoalDegrees::new);
    let compares = game.layout.is_some();
    let usable = |strategy: &Strategy| match strategy {
        Strategy::Random | Strategy::History => true,
        Strategy::Mobility | Strategy::Exploration => compares,
        Strategy::Symbols => symbols.is_some(),
        Strategy::Goals => compares && goals.is_some(),
    };
    let only = values.text(3).and_then(Strategy::named);
    let asked = |strategy: &Strategy| only.is_none_or(|only| only == *strategy);
    let all = Strategy::ALL.into_iter();
    let mut strategies: Vec<Strategy> = all.filter(asked).filter(usable).collect();
    if strategies.is_empty() {
        strategies.push(Strategy::Random);
    }
    let scope = LearningScope::Simulation;
    builder.playout(Mini {
        bandit: StrategyBandit::new(game.moves.len(), strategies.len(), values.get(0) as f32),
        strategies,
        epsilon: values.get(1) as f32,
        history: Mast::new(&game.moves, values.get(2) as f32, 100.0, scope),
        successors: MoveSuccessors::new(engine),
        visited: Visited::default(),
        symbols,
        goals,
        plan: PlayoutPlan::default(),
        values: Vec::new(),
    });
}

/// What drives the moves of a role in a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strategy {
    /// Uniformly random moves.
    Random,
    /// In proportion to exp(Q(a)/τ), as MAST; it learns from all simulations.
    History,
    /// The highest number of moves for the role, less the average of the others', after the
    /// move.
    Mobility,
    /// The state after the move that differs most from the most similar one visited.
    Exploration,
    /// The highest evaluation of the state after the move by counts of words.
    Symbols,
    /// The state after the move in which the conditions of high goals are most nearly fulfilled.
    Goals,
}

impl Strategy {
    const ALL: [Self; 6] = [
        Self::Random,
        Self::History,
        Self::Mobility,
        Self::Exploration,
        Self::Symbols,
        Self::Goals,
    ];

    fn named(name: &str) -> Option<Self> {
        match name {
            "random" => Some(Self::Random),
            "history" => Some(Self::History),
            "mobility" => Some(Self::Mobility),
            "exploration" => Some(Self::Exploration),
            "symbols" => Some(Self::Symbols),
            "goals" => Some(Self::Goals),
            _ => None,
        }
    }
}

/// The simulation heuristics of MINI-Player (Świechowski and Mańdziuk 2014; survey of 2015,
/// section 2.3.5). Symbols are counted in the simulations of the search, not in games of the
/// start clock, and only where the engine knows the names of all fluents. Goals are evaluated by
/// the conditions of the propnet in fuzzy logic, where the engine has them; the publication
/// evaluates the rules.
///
/// The policy depends on the state, so it is asked in every state of every lane. Mobility,
/// exploration, symbols and goals need the states after all legal moves: two steps of another
/// machine for each choice, with the transposed tables that read them. In Breakthrough, a
/// simulation takes fourteen times as long as with PAST, about a millisecond (`gdl bench
/// games/breakthrough.kif --engine net --tree=uct+mini`). Learning compares no states but counts
/// the words of each.
pub struct Mini {
    strategies: Vec<Strategy>,
    bandit: StrategyBandit,
    epsilon: f32,
    history: Mast,
    successors: MoveSuccessors,
    visited: Visited,
    symbols: Option<SymbolCounts>,
    goals: Option<GoalDegrees>,
    /// The strategies of the simulation whose moves are chosen.
    plan: PlayoutPlan,
    values: Vec<f32>,
}

impl Mini {
    /// The strategy of a role in the simulation whose moves are chosen.
    fn strategy(&self, role: Role) -> Strategy {
        self.strategies[self.bandit.strategy(self.plan, role)]
    }

    /// Values the moves in `values` by the states after them. Returns how to choose by that.
    fn rate_successors(
        &mut self,
        strategy: Strategy,
        situation: &Situation<'_>,
        random: &mut Xoshiro256PlusPlus,
    ) -> MoveSampling {
        let roles = self.successors.roles();
        let counts_moves = strategy == Strategy::Mobility;
        let after = self.successors.expand(situation, counts_moves, random);
        let (role, visited) = (situation.role, &self.visited);
        let (symbols, goals) = (&mut self.symbols, &mut self.goals);
        let value = |index: usize| match strategy {
            Strategy::Mobility => mobility(after, index, role, roles),
            Strategy::Exploration => visited.difference(after.state(index)),
            Strategy::Goals => goals
                .as_mut()
                .map_or(0.0, |goals| goals.evaluate(role, after.state(index))),
            _ => symbols
                .as_mut()
                .map_or(0.0, |symbols| symbols.evaluate(role, after.state(index))),
        };
        self.values.clear();
        self.values.extend((0..situation.moves.len()).map(value));
        MoveSampling::Greedy(self.epsilon)
    }
}

/// The number of moves of a role, less the average of the other roles'.
fn mobility(positions: &Positions, index: usize, role: Role, roles: usize) -> f32 {
    let moves = |role| positions.moves(index, role).len() as f32;
    let all: f32 = (0..roles).map(moves).sum();
    let others = (roles - 1).max(1) as f32;
    moves(role) - (all - moves(role)) / others
}

impl Playout for Mini {
    fn sampling_mode(&mut self) -> SamplingMode<'_> {
        SamplingMode::PerLane
    }

    /// Outside of simulations there is no strategy, and history chooses.
    fn choose(&mut self, situation: &Situation<'_>, random: &mut Xoshiro256PlusPlus) -> usize {
        self.history.choose(situation, random)
    }

    fn choose_after(
        &mut self,
        situation: &Situation<'_>,
        _history: &MoveHistory<'_>,
        random: &mut Xoshiro256PlusPlus,
    ) -> usize {
        match self.strategy(situation.role) {
            Strategy::Random => {
                MoveSampling::Greedy(1.0).choose(&vec![0.0; situation.moves.len()], random)
            }
            Strategy::History => self.history.choose(situation, random),
            other => {
                let sampling = self.rate_successors(other, situation, random);
                sampling.choose(&self.values, random)
            }
        }
    }

    fn preferences(
        &mut self,
        situation: &Situation<'_>,
        history: &MoveHistory<'_>,
        random: &mut Xoshiro256PlusPlus,
        logarithms: &mut Vec<f32>,
    ) -> bool {
        match self.strategy(situation.role) {
            Strategy::Random => false,
            Strategy::History => self
                .history
                .preferences(situation, history, random, logarithms),
            other => {
                let sampling = self.rate_successors(other, situation, random);
                sampling.preferences(&self.values, logarithms)
            }
        }
    }

    fn begin_playout(&mut self) -> PlayoutPlan {
        self.bandit.choose()
    }

    fn resume_playout(&mut self, plan: PlayoutPlan) {
        self.plan = plan;
    }

    fn end_playout(&mut self, plan: PlayoutPlan, goals: &[i32]) {
        self.bandit.learn(plan, goals);
    }

    fn observes(&self) -> Observed {
        Observed::States
    }

    fn learn(&mut self, role: Role, episode: &Episode<'_>) {
        self.history.learn(role, episode);
        (episode.inside..=episode.len()).for_each(|step| self.visited.add(episode.state(step)));
        if let Some(symbols) = &mut self.symbols {
            symbols.learn(episode);
        }
    }
}

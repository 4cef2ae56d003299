//! Matches between agents.

use crate::errors;
use crate::game::PyGame;
use crate::player::parse_agent;
use gdl_agent::agents::Agent;
use gdl_agent::matches::{Ending, MatchError};
use gdl_agent::player::Player;
use gdl_agent::search::{SearchLimits, TimeControl};
use gdl_agent::shared_engine::SharedEngine;
use gdl_contests::game_record::GameRecord;
use gdl_contests::idle_search::IdleSearch;
use gdl_contests::runner::{DedicatedRunner, GameEvent, InterleavedRunner, Runner};
use gdl_contests::schedule::Schedule;
use gdl_contests::statistics::elo;
use gdl_contests::statistics::interval::Scores;
use gdl_contests::statistics::score::{mean_goals, score};
use gdl_engines::{EngineKind, EngineOptions};
use gdl_runtime::engine::Engine;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;
use std::time::Duration;

/// Plays games between agents, roles swapped from game to game, and returns the fields of
/// `gdl.ContestResult`. Exactly one of `sims` and `seconds` is the budget of a move.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn contest<'py>(
    py: Python<'py>,
    game: &PyGame,
    agents: Vec<String>,
    games: u64,
    sims: Option<u64>,
    seconds: Option<f64>,
    seed: u64,
    threads: usize,
    max_steps: usize,
    memory: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let parsed: Vec<Agent> = agents
        .iter()
        .map(|text| parse_agent(py, text))
        .collect::<PyResult<_>>()?;
    let time_control = match (sims, seconds) {
        (Some(sims), None) => TimeControl::Simulations(sims),
        (None, Some(seconds)) => {
            let time = Duration::try_from_secs_f64(seconds);
            TimeControl::Time(time.map_err(|error| PyValueError::new_err(error.to_string()))?)
        }
        _ => return Err(PyValueError::new_err("give either sims or time")),
    };
    let mut tally = Tallied::new(parsed.len());
    let mut interrupted = Ok(());
    let schedule = Schedule {
        roles: game.layout().roles.len(),
        agents: parsed.len(),
        seed,
    };
    let played = py.detach(|| -> Result<(), String> {
        let engine = own_engine(game)?;
        for agent in &parsed {
            agent
                .check_files(&*engine)
                .map_err(|error| error.to_string())?;
        }
        let engine = SharedEngine::new(engine);
        let mut fixtures = (0..games).map(|number| GameRecord::new(schedule.fixture(number)));
        let mut report = |event: GameEvent| {
            interrupted = Python::attach(|py| py.check_signals());
            if let GameEvent::Finished(finished) = event {
                tally.add(
                    &finished.record.fixture.agents,
                    &finished.goals,
                    finished.ending,
                );
            }
            match interrupted {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        };
        let limits = SearchLimits {
            memory,
            ..SearchLimits::default()
        };
        let make_player = |agent: usize, engine: &dyn Engine, seed: u64| -> Box<dyn Player> {
            parsed[agent].player(engine, limits, seed)
        };
        let played = match time_control {
            TimeControl::Time(_) => DedicatedRunner {
                engine,
                make_player: &make_player,
                time_control,
                idle: IdleSearch::default(),
                start: None,
                rounds: max_steps,
                threads,
                watch: &(),
            }
            .play(&mut fixtures, &mut report),
            _ => InterleavedRunner {
                engine,
                agents: &parsed,
                time_control,
                idle: IdleSearch::default(),
                rounds: max_steps,
                memory,
                games_per_thread: 64,
                threads,
                watch: &(),
            }
            .play(&mut fixtures, &mut report),
        };
        played.map_err(|error: MatchError| error.to_string())
    });
    interrupted?;
    played.map_err(|error| errors::error(py, error))?;
    tally.fields(py)
}

/// A second engine for a game, so that the contest does not hold the game's own.
fn own_engine(game: &PyGame) -> Result<Box<dyn Engine>, String> {
    gdl_engines::load(game.source(), EngineKind::Net, &EngineOptions::default())
        .map_err(|error| error.to_string())
}

/// The results of games so far.
struct Tallied {
    /// Agents, goals of the roles, and whether the game came to its end.
    games: Vec<(Vec<usize>, Vec<i32>, bool)>,
    agents: usize,
}

impl Tallied {
    const fn new(agents: usize) -> Self {
        Self {
            games: Vec::new(),
            agents,
        }
    }

    fn add(&mut self, agents: &[usize], goals: &[i32], ending: Ending) {
        self.games
            .push((agents.to_vec(), goals.to_vec(), ending == Ending::Terminal));
    }

    /// The scores of an agent, one per game; none in games of one role.
    fn scores(&self, agent: usize) -> Scores {
        let mut scores = Scores::default();
        for (agents, goals, _) in &self.games {
            let means = mean_goals(self.agents, [(&agents[..], &goals[..])]);
            if let Some(found) = score(&means, agent) {
                scores.add(found);
            }
        }
        scores
    }

    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let intervals: Vec<_> = (0..self.agents)
            .map(|agent| self.scores(agent).interval())
            .collect();
        let list =
            |value: fn(&gdl_contests::statistics::interval::Interval) -> f64| -> Vec<Option<f64>> {
                intervals
                    .iter()
                    .map(|interval| interval.as_ref().map(value))
                    .collect()
            };
        let goals = self
            .games
            .iter()
            .map(|(agents, goals, _)| (&agents[..], &goals[..]));
        let means = mean_goals(self.agents, goals);
        let fields = PyDict::new(py);
        fields.set_item("games", self.games.len())?;
        fields.set_item(
            "unfinished",
            self.games.iter().filter(|(_, _, ended)| !ended).count(),
        )?;
        fields.set_item("scores", list(|interval| interval.score))?;
        fields.set_item("lower", list(|interval| interval.lower))?;
        fields.set_item("upper", list(|interval| interval.upper))?;
        fields.set_item("elo", list(|interval| elo::difference(interval.score)))?;
        fields.set_item(
            "goals",
            means
                .into_iter()
                .map(|mean| mean.map(|mean| mean / 100.0))
                .collect::<Vec<_>>(),
        )?;
        fields.set_item(
            "records",
            self.games
                .iter()
                .map(|(agents, goals, _)| (agents.clone(), goals.clone()))
                .collect::<Vec<_>>(),
        )?;
        Ok(fields)
    }
}

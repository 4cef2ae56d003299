//! Contests between agents.

use crate::errors;
use crate::game::PyGame;
use crate::player::parse_agent;
use gdl_contests::budget::MoveBudget;
use gdl_contests::contest_game::ContestGame;
use gdl_contests::error::ContestError;
use gdl_contests::game_record::GameRecord;
use gdl_contests::journal::{GameLine, StoredContest};
use gdl_contests::options::RunOptions;
use gdl_contests::runner::{GameEvent, RunnerOptions, with_runner};
use gdl_contests::statistics::elo;
use gdl_contests::summary::{AgentSummary, ContestSummary};
use gdl_engines::{EngineKind, EngineOptions, LoadError};
use gdl_network::host::PlayerSpec;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

/// Memory for the tree of each player, in MiB.
const MEMORY: usize = 64;

/// The maximum number of games at a time on a thread.
const GAMES_PER_THREAD: usize = 64;

/// Plays games between agents, roles swapped from game to game, and returns the fields of
/// `gdl.ContestResult`. Exactly one of `sims` and `seconds` is the budget of a move; `start` are
/// the seconds in which champions learn before a game.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn contest<'py>(
    py: Python<'py>,
    game: &PyGame,
    agents: Vec<String>,
    games: u64,
    sims: Option<u64>,
    seconds: Option<f64>,
    start: f64,
    seed: u64,
    threads: Option<usize>,
    max_steps: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let agents = contenders(py, &agents)?;
    let budget = budget(sims, seconds)?;
    let options = RunOptions {
        threads,
        memory: MEMORY,
        rounds: max_steps,
        start: duration(start)?,
        ..RunOptions::default()
    };
    let mut interrupted = Ok(());
    let played = py.detach(|| {
        let contest = UnrecordedContest::new(game, &agents, budget, seed, &options)?;
        contest.play(games, &mut || {
            interrupted = Python::attach(|py| py.check_signals());
            match interrupted {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })
    });
    interrupted?;
    let stored = played.map_err(|error| errors::chained(py, &*error))?;
    fields(py, &stored)
}

fn contenders(py: Python<'_>, agents: &[String]) -> PyResult<Vec<PlayerSpec>> {
    if agents.is_empty() {
        return Err(PyValueError::new_err("a contest needs an agent"));
    }
    let agents = agents.iter().map(|text| parse_agent(py, text));
    agents.map(|agent| agent.map(PlayerSpec::Agent)).collect()
}

fn duration(seconds: f64) -> PyResult<Duration> {
    let time = Duration::try_from_secs_f64(seconds);
    time.map_err(|error| PyValueError::new_err(error.to_string()))
}

fn budget(sims: Option<u64>, seconds: Option<f64>) -> PyResult<MoveBudget> {
    match (sims, seconds) {
        (Some(sims), None) => Ok(MoveBudget::Simulations(sims)),
        (None, Some(seconds)) => duration(seconds).map(|_| MoveBudget::Seconds(seconds)),
        _ => Err(PyValueError::new_err("give either sims or time")),
    }
}

/// Any error of a contest.
type ContestFailure = Box<dyn std::error::Error + Send + Sync>;

/// A contest that no file keeps.
struct UnrecordedContest<'a> {
    game: ContestGame,
    agents: &'a [PlayerSpec],
    stored: StoredContest,
    runner_options: RunnerOptions,
}

impl<'a> UnrecordedContest<'a> {
    fn new(
        game: &PyGame,
        agents: &'a [PlayerSpec],
        budget: MoveBudget,
        seed: u64,
        options: &RunOptions,
    ) -> Result<Self, ContestFailure> {
        let game = own_game(game)?;
        Ok(Self {
            stored: StoredContest {
                configuration: game.configuration(agents, budget, seed, options, None)?,
                games: BTreeMap::new(),
            },
            runner_options: RunnerOptions {
                threads: options.threads_for(agents),
                games_per_thread: GAMES_PER_THREAD,
                stop: options.stop.clone(),
            },
            game,
            agents,
        })
    }

    /// Plays games until `proceed`, which is called from time to time, breaks off.
    fn play(
        mut self,
        games: u64,
        proceed: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<StoredContest, ContestFailure> {
        let (game, stored) = (&self.game, &mut self.stored);
        let schedule = stored.configuration.schedule();
        let mut fixtures = (0..games).map(|number| GameRecord::new(schedule.fixture(number)));
        let mut report = |event: GameEvent| {
            if let GameEvent::Finished(finished) = event {
                let line = GameLine::new(&game.engine, &finished);
                stored.games.insert(line.game, line);
            }
            proceed()
        };
        let played = with_runner(
            &stored.configuration,
            self.agents,
            game,
            &self.runner_options,
            &(),
            |runner| runner.play(&mut fixtures, &mut report),
        );
        played.map_err(|source| ContestError::Match {
            game: game.name.clone(),
            source,
        })?;
        Ok(self.stored)
    }
}

/// The game in a second engine, so that the contest does not hold the first.
fn own_game(game: &PyGame) -> Result<ContestGame, LoadError> {
    let kind = EngineKind::Net;
    let engine = gdl_engines::load(game.source(), kind, &EngineOptions::default())?;
    let name = game.layout().name.clone();
    Ok(ContestGame::from_rules(
        name,
        &game.source().text,
        engine,
        kind,
    ))
}

fn fields<'py>(py: Python<'py>, stored: &StoredContest) -> PyResult<Bound<'py, PyDict>> {
    let summary = ContestSummary::new(stored, u64::MAX);
    let of_agents = |figure: fn(&AgentSummary) -> Option<f64>| -> Vec<Option<f64>> {
        summary.agents.iter().map(figure).collect()
    };
    let records = stored.games.values();
    let records: Vec<_> = records
        .map(|game| (game.agents.clone(), game.goals.clone()))
        .collect();
    let fields = PyDict::new(py);
    fields.set_item("games", summary.games)?;
    fields.set_item("unfinished", summary.unfinished)?;
    fields.set_item("scores", of_agents(|agent| agent.score))?;
    fields.set_item("lower", of_agents(|agent| agent.lower))?;
    fields.set_item("upper", of_agents(|agent| agent.upper))?;
    let points = |agent: &AgentSummary| agent.score.map(elo::difference);
    fields.set_item("elo", of_agents(points))?;
    let goal = |agent: &AgentSummary| agent.mean_goal.map(|goal| goal / 100.0);
    fields.set_item("goals", of_agents(goal))?;
    fields.set_item("records", records)?;
    Ok(fields)
}

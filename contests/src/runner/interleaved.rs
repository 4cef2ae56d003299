//! Many games of one rule sheet side by side in the lanes of a machine, each with one
//! simulation in flight.
//!
//! Every lane holds a game. The simulations of the player to move there run in that
//! lane one after the other, each knowing the results of all before it: the search is
//! strictly sequential, as in the papers, and yet the machine is full.
//!
//! Games are dealt to the threads in turn, so that with one thread the same fixtures
//! give the same games. A single game cannot be repeated on its own: the lanes of a
//! machine draw from a common source of random numbers.

use super::report_timer::ReportTimer;
use super::{EventResult, GameEvent, GameProgress, GameWatch, Runner, report_events};
use crate::game_record::{FinishedGame, GameRecord};
use crate::idle_search::IdleSearch;
use gdl_agent::agents::Agent;
use gdl_agent::lane_scheduler::lane_set::LaneSet;
use gdl_agent::lane_scheduler::{LaneAssignment, LaneScheduler};
use gdl_agent::matches::{Ending, MatchError, MatchStepper};
use gdl_agent::player::{Player, Reply, Turn};
use gdl_agent::search::SearchBudget;
use gdl_agent::search::SearchLimits;
use gdl_agent::search::SearchResult;
use gdl_agent::search::TimeControl;
use gdl_agent::search::searcher::Searcher;
use gdl_agent::shared_engine::SharedEngine;
use gdl_runtime::engine::{Engine, Move, Role};
use gdl_runtime::stop_flag::StopFlag;
use std::ops::ControlFlow;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// Plays as many games at a time as fit into the lanes of one machine per thread.
pub struct InterleavedRunner<'a> {
    /// The game.
    pub engine: SharedEngine,
    /// The agents, which fixtures name by their indices here.
    pub agents: &'a [Agent],
    /// What a move may cost: something that is counted, since all games of a thread
    /// share its time.
    pub time_control: TimeControl,
    /// What players search while they have nothing to decide.
    pub idle: IdleSearch,
    /// Rounds after which a game is given up.
    pub rounds: usize,
    /// Bytes for the tree of each player.
    pub memory: usize,
    /// The greatest number of games at a time on each thread.
    pub games_per_thread: usize,
    /// The number of threads, at least one.
    pub threads: usize,
    /// Follows the games.
    pub watch: &'a dyn GameWatch,
}

impl Runner for InterleavedRunner<'_> {
    fn play(
        &mut self,
        games: &mut dyn Iterator<Item = GameRecord>,
        report: &mut dyn FnMut(GameEvent) -> ControlFlow<()>,
    ) -> Result<(), MatchError> {
        let threads = self.threads.max(1);
        let mut batches = vec![Vec::new(); threads];
        for (number, game) in games.enumerate() {
            batches[number % threads].push(game);
        }
        let (events, received) = mpsc::channel();
        let stop = StopFlag::default();
        thread::scope(|scope| {
            for batch in batches {
                let (runner, stop, events) = (&*self, &stop, events.clone());
                scope.spawn(move || Worker::new(runner, &batch, events).run(batch, stop));
            }
            drop(events);
            report_events(&received, &stop, report)
        })
    }
}

/// A player of a game in a lane.
enum LanePlayer {
    /// Searches; while it has to move, its search is in the worker's list.
    Searching(Box<Searcher>),
    /// Answers at once.
    Immediate(Box<dyn Player>),
}

/// A game in play.
struct LaneGame {
    record: GameRecord,
    timer: ReportTimer,
    stepper: MatchStepper,
    /// The moves of this round chosen so far, in role order.
    chosen: Vec<Move>,
    players: Vec<LanePlayer>,
    /// The number of roles, in role order, that have used their start clock.
    started: usize,
    /// The value of [`Worker::share`] when the player to move was asked.
    asked: f64,
}

/// The games of one machine, on one thread.
struct Worker<'a> {
    runner: &'a InterleavedRunner<'a>,
    engine: SharedEngine,
    events: Sender<EventResult>,
    scheduler: LaneScheduler,
    /// By lane: the search of the player to move there, or an idle one.
    searchers: Vec<Searcher>,
    games: Vec<Option<LaneGame>>,
    /// Lanes whose game waits for a search.
    thinking: LaneSet,
    /// The seconds that a search would have had if it had run from the beginning: the
    /// time of every step is divided equally among the running searches.
    share: f64,
}

impl<'a> Worker<'a> {
    fn new(
        runner: &'a InterleavedRunner<'a>,
        batch: &[GameRecord],
        events: Sender<EventResult>,
    ) -> Self {
        let engine = runner.engine.clone();
        let seed = batch.first().map_or(0, |record| record.fixture.seed);
        let scheduler = LaneScheduler::new(engine.lanes(seed), LaneAssignment::OnePerSearcher);
        let lanes = scheduler.cost_model().lanes;
        let mut worker = Self {
            runner,
            engine,
            events,
            scheduler,
            searchers: Vec::new(),
            games: (0..lanes).map(|_| None).collect(),
            thinking: LaneSet::new(lanes),
            share: 0.0,
        };
        let idle = Agent::default();
        worker.searchers = (0..lanes).map(|_| worker.search(&idle, 0)).collect();
        worker
    }

    fn run(mut self, batch: Vec<GameRecord>, stop: &StopFlag) {
        let mut games = batch.into_iter();
        for lane in 0..self.games.len().min(self.runner.games_per_thread.max(1)) {
            if let Some(record) = games.next() {
                self.games[lane] = Some(self.set_up(record));
                self.play_on(lane, &mut games);
            }
        }
        let mut last = Instant::now();
        while !self.thinking.is_empty() && !stop.is_raised() {
            let now = Instant::now();
            self.share += (now - last).as_secs_f64() / self.thinking.len() as f64;
            last = now;
            let mut idle = self.thinking.clone();
            idle.intersect(&self.thinking, self.scheduler.free().words());
            for lane in idle.iter() {
                if self.searchers[lane].is_done() {
                    self.conclude(lane);
                    self.play_on(lane, &mut games);
                }
                if self.thinking.contains(lane) {
                    self.scheduler.launch(&mut self.searchers, lane);
                }
            }
            if self.scheduler.occupied() > 0 {
                self.scheduler.evaluate();
                self.scheduler.process(&mut self.searchers);
                self.scheduler.advance();
            }
        }
    }

    fn set_up(&mut self, record: GameRecord) -> LaneGame {
        let state = record.state(&mut self.engine);
        let player = |(role, &agent): (usize, &usize)| {
            let seed = record.fixture.player_seeds[role];
            let agent = &self.runner.agents[agent];
            match agent.searches() {
                true => LanePlayer::Searching(Box::new(self.search(agent, seed))),
                false => LanePlayer::Immediate(agent.player(&self.engine, self.limits(), seed)),
            }
        };
        let agents = record.fixture.agents.iter().enumerate();
        let players: Vec<LanePlayer> = agents.map(player).collect();
        let (played, rounds) = (record.moves.len(), self.runner.rounds);
        let game = LaneGame {
            started: match self.runner.idle.start {
                Some(_) => 0,
                None => players.len(),
            },
            players,
            stepper: MatchStepper::resume(&mut self.engine, state, played, rounds),
            chosen: Vec::new(),
            asked: self.share,
            record,
            timer: ReportTimer::start(),
        };
        self.runner.watch.reached(&game.progress());
        game
    }

    fn limits(&self) -> SearchLimits {
        SearchLimits {
            memory: self.runner.memory,
            in_flight: Some(1),
            playouts_per_leaf: Some(1),
            tidy: true,
        }
    }

    fn search(&self, agent: &Agent, seed: u64) -> Searcher {
        let settings = agent.settings(&self.engine, self.limits());
        let cost_model = self.scheduler.cost_model();
        let roles = self.engine.roles().len();
        Searcher::new(&self.engine.initial(), roles, settings, cost_model, seed)
    }

    /// Plays on in a lane until a player has to search; when the game ends, the next
    /// one begins.
    fn play_on(&mut self, lane: usize, games: &mut impl Iterator<Item = GameRecord>) {
        while let Some(mut game) = self.games[lane].take() {
            match self.advance(lane, &mut game) {
                Ok(None) => {
                    self.games[lane] = Some(game);
                    return;
                }
                Ok(Some(ending)) => self.send(Ok(GameEvent::Finished(game.finish(ending)))),
                Err(error) => self.send(Err(error)),
            }
            let next = games.next();
            self.games[lane] = next.map(|record| self.set_up(record));
        }
    }

    fn send(&self, result: EventResult) {
        // After the run was stopped this has no receiver.
        let _ = self.events.send(result);
    }

    /// Plays a game on until a player has to search (`None`) or it ends.
    fn advance(&mut self, lane: usize, game: &mut LaneGame) -> Result<Option<Ending>, MatchError> {
        loop {
            if let Some(ending) = game.stepper.ending(&self.engine)? {
                return Ok(Some(ending));
            }
            if self.start(lane, game) {
                return Ok(None);
            }
            while game.chosen.len() < game.players.len() {
                if self.ask(lane, game)? {
                    return Ok(None);
                }
            }
            let joint = std::mem::take(&mut game.chosen);
            game.stepper.advance(&mut self.engine, &joint);
            game.record.moves.push(joint);
            self.runner.watch.reached(&game.progress());
            if game.timer.is_due() {
                self.send(Ok(GameEvent::Advanced(game.record.clone())));
            }
        }
    }

    /// Starts the start clock of the next role that searches; false if none is left.
    fn start(&mut self, lane: usize, game: &mut LaneGame) -> bool {
        let Some(clock) = self.runner.idle.start_clock() else {
            return false;
        };
        while game.started < game.players.len() {
            if let LanePlayer::Searching(_) = game.players[game.started] {
                self.think(lane, game, clock.budget());
                return true;
            }
            game.started += 1;
        }
        false
    }

    /// Lets the role whose turn it is search in its lane.
    fn think(&mut self, lane: usize, game: &mut LaneGame, budget: SearchBudget) {
        game.asked = self.share;
        let role = game.thinker();
        if let LanePlayer::Searching(search) = &mut game.players[role] {
            search.begin(game.stepper.state(), role, budget);
            std::mem::swap(&mut **search, &mut self.searchers[lane]);
            self.scheduler.attach(&mut self.searchers, lane);
            self.thinking.insert(lane);
        }
    }

    /// Asks the next role for its move. True if it has to search.
    fn ask(&mut self, lane: usize, game: &mut LaneGame) -> Result<bool, MatchError> {
        let role = game.chosen.len();
        let turn = turn(self.runner, &self.engine, &game.stepper, role);
        let forced = self.runner.idle.forced;
        match (&mut game.players[role], turn.legal()) {
            (LanePlayer::Searching(_), [only]) if !forced => game.chosen.push(*only),
            (LanePlayer::Immediate(_), [only]) => game.chosen.push(*only),
            (LanePlayer::Immediate(player), legal) => {
                game.chosen.push(match player.choose(&turn, &mut |_| {})? {
                    Reply::Play(result) => result.chosen,
                    Reply::Undo | Reply::Quit => legal[0],
                });
            }
            (LanePlayer::Searching(_), _) => {
                let budget = turn.budget;
                self.think(lane, game, budget);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes the move of a search that is done, unless that was on the start clock.
    fn conclude(&mut self, lane: usize) {
        self.thinking.remove(lane);
        let Some(game) = &mut self.games[lane] else {
            return;
        };
        let role = game.thinker();
        if game.started < game.players.len() {
            game.started += 1;
            game.return_search(role, &mut self.searchers[lane]);
            return;
        }
        let turn = turn(self.runner, &self.engine, &game.stepper, role);
        let mut result = SearchResult::of(
            self.searchers[lane..=lane].iter(),
            turn.state,
            turn.role,
            turn.legal(),
        );
        result.report.elapsed = Duration::from_secs_f64(self.share - game.asked);
        let taken = result.report.elapsed;
        game.record.players[role].add(&result, taken, self.runner.time_control);
        game.chosen.push(result.chosen);
        game.return_search(role, &mut self.searchers[lane]);
    }
}

/// What a role is asked in a game.
fn turn<'t>(
    runner: &InterleavedRunner<'_>,
    engine: &'t SharedEngine,
    stepper: &'t MatchStepper,
    role: usize,
) -> Turn<'t> {
    Turn {
        engine,
        role,
        state: stepper.state(),
        position: stepper.position(),
        budget: runner.time_control.budget(),
    }
}

impl LaneGame {
    fn progress(&self) -> GameProgress<'_> {
        GameProgress {
            fixture: &self.record.fixture,
            rounds: self.record.moves.len(),
            led_by: self.record.moves.last().map_or(&[][..], Vec::as_slice),
            state: self.stepper.state(),
        }
    }

    /// The role whose turn it is to search.
    fn thinker(&self) -> Role {
        match self.started < self.players.len() {
            true => self.started,
            false => self.chosen.len(),
        }
    }

    /// Takes a role's search back from its lane.
    fn return_search(&mut self, role: Role, in_lane: &mut Searcher) {
        if let LanePlayer::Searching(waiting) = &mut self.players[role] {
            std::mem::swap(&mut **waiting, in_lane);
        }
    }

    fn finish(self, ending: Ending) -> FinishedGame {
        FinishedGame {
            goals: self.stepper.goals(),
            record: self.record,
            ending,
            errors: Vec::new(),
        }
    }
}

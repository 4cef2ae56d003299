//! Every game on a machine of its own, several games at once on threads.

use super::report_timer::ReportTimer;
use super::{EventResult, GameEvent, GameProgress, GameWatch, Runner, report_events};
use crate::game_record::{FinishedGame, GameRecord};
use crate::idle_search::IdleSearch;
use crate::schedule::Fixture;
use gdl_agent::matches::{self, Ending, MatchError, MatchEvent, MatchStepper, PlayerReport};
use gdl_agent::player::{NoMove, Player, Reply, Turn};
use gdl_agent::search::SearchReport;
use gdl_agent::search::TimeControl;
use gdl_agent::shared_engine::SharedEngine;
use gdl_runtime::engine::Engine;
use gdl_runtime::stop_flag::StopFlag;
use parking_lot::Mutex;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// Makes a player from the number of its agent, the game's engine and a seed.
pub type MakePlayer<'a> = &'a (dyn Fn(usize, &dyn Engine, u64) -> Box<dyn Player> + Sync);

/// Plays one game per thread at a time, with players who know nothing of other games
/// and whose searches have a whole machine each.
pub struct DedicatedRunner<'a> {
    /// The game.
    pub engine: SharedEngine,
    /// Makes the players.
    pub make_player: MakePlayer<'a>,
    /// What a move may cost.
    pub time_control: TimeControl,
    /// What players search while they have nothing to decide.
    pub idle: IdleSearch,
    /// The time in which each player prepares before its first move, if any.
    pub start: Option<Duration>,
    /// Rounds after which a game is given up.
    pub rounds: usize,
    /// The number of threads, at least one.
    pub threads: usize,
    /// Follows the games.
    pub watch: &'a dyn GameWatch,
}

impl Runner for DedicatedRunner<'_> {
    fn play(
        &mut self,
        games: &mut dyn Iterator<Item = GameRecord>,
        report: &mut dyn FnMut(GameEvent) -> ControlFlow<()>,
    ) -> Result<(), MatchError> {
        let threads = self.threads.max(1);
        let (jobs, waiting) = mpsc::channel();
        let (events, received) = mpsc::channel();
        let shared = SharedRun {
            runner: self,
            waiting: Mutex::new(waiting),
            stop: StopFlag::default(),
        };
        thread::scope(|scope| {
            for _ in 0..threads {
                let (shared, events) = (&shared, events.clone());
                scope.spawn(move || shared.work(&events));
            }
            drop(events);
            // Without this sender the threads run out of work, and their events end.
            let mut jobs = Some(jobs).filter(|jobs| enqueue(games.take(threads), jobs));
            report_events(&received, &shared.stop, move |event| {
                let is_over = matches!(event, GameEvent::Finished(_));
                let flow = report(event);
                if is_over && flow.is_continue() {
                    jobs = jobs.take().filter(|jobs| enqueue(games.take(1), jobs));
                }
                flow
            })
        })
    }
}

/// Gives games to the threads; false if there was none.
fn enqueue(games: impl Iterator<Item = GameRecord>, jobs: &Sender<GameRecord>) -> bool {
    games.map_while(|game| jobs.send(game).ok()).count() > 0
}

/// What the threads of a run share.
struct SharedRun<'a> {
    runner: &'a DedicatedRunner<'a>,
    waiting: Mutex<Receiver<GameRecord>>,
    stop: StopFlag,
}

impl SharedRun<'_> {
    /// Plays waiting games until there are no more.
    fn work(&self, events: &Sender<EventResult>) {
        let next = || self.waiting.lock().recv().ok();
        while let Some(record) = next() {
            let result = self.play(record, events).transpose();
            if result.is_some_and(|result| events.send(result).is_err()) {
                break;
            }
        }
    }

    /// Plays a game to its end; `None` if it was given up.
    fn play(
        &self,
        mut record: GameRecord,
        events: &Sender<EventResult>,
    ) -> Result<Option<GameEvent>, MatchError> {
        let mut engine = self.runner.engine.clone();
        let share = |report: &PlayerReport| Arc::new(Mutex::new(report.clone()));
        let reports: Vec<SharedReport> = record.players.iter().map(share).collect();
        let mut players = self.players(&record.fixture, &reports);
        let state = record.state(&mut engine);
        let played = record.moves.len();
        let stepper = MatchStepper::resume(&mut engine, state, played, self.runner.rounds);
        // A game that is resumed may be over.
        if stepper.ending(&engine).is_ok_and(|ending| ending.is_none()) {
            self.use_start_clock(&stepper, &engine, &mut players);
        }
        let mut timer = ReportTimer::start();
        let mut watch = |_: &dyn Engine, event: &MatchEvent<'_>| {
            let round = match event {
                MatchEvent::Reached(state, _, rounds) => {
                    return self.runner.watch.reached(&GameProgress {
                        fixture: &record.fixture,
                        rounds: *rounds,
                        led_by: record.moves.last().map_or(&[][..], Vec::as_slice),
                        state,
                    });
                }
                MatchEvent::Thinking(_) => return,
                MatchEvent::Moved(round) => round,
            };
            let chosen = round.results.iter().map(|result| result.chosen);
            record.moves.push(chosen.collect());
            record.players = reports.iter().map(|report| report.lock().clone()).collect();
            if timer.is_due() {
                // After the run was stopped this has no receiver.
                let _ = events.send(Ok(GameEvent::Advanced(record.clone())));
            }
        };
        let time_control = self.runner.time_control;
        let played =
            matches::play_from(stepper, &mut engine, &mut players, time_control, &mut watch)?;
        let finished = FinishedGame {
            record,
            goals: played.goals,
            ending: played.ending,
            errors: Vec::new(),
        };
        Ok((played.ending != Ending::Quit).then_some(GameEvent::Finished(finished)))
    }

    /// Lets the players of a game learn and search before its first move.
    fn use_start_clock(
        &self,
        stepper: &MatchStepper,
        engine: &dyn Engine,
        players: &mut [Box<dyn Player>],
    ) {
        if let Some(time) = self.runner.start {
            matches::prepare(stepper, engine, players, time);
        }
        if let Some(start_clock) = self.runner.idle.start_clock() {
            matches::search_ahead(stepper, engine, players, start_clock);
        }
    }

    /// The players of a fixture, each with the report that it continues.
    fn players(&self, fixture: &Fixture, reports: &[SharedReport]) -> Vec<Box<dyn Player>> {
        let player = |(role, (&agent, report)): (usize, (&usize, &SharedReport))| {
            let seed = fixture.player_seeds[role];
            Box::new(TimedPlayer {
                player: (self.runner.make_player)(agent, &self.runner.engine, seed),
                time_control: self.runner.time_control,
                forced: self.runner.idle.forced,
                stop: self.stop.clone(),
                report: Arc::clone(report),
            }) as Box<dyn Player>
        };
        let agents = fixture.agents.iter().zip(reports).enumerate();
        agents.map(player).collect()
    }
}

type SharedReport = Arc<Mutex<PlayerReport>>;

/// A player whose moves are timed, and who quits when the run is stopped.
struct TimedPlayer {
    player: Box<dyn Player>,
    time_control: TimeControl,
    /// Whether it searches where its role has one legal move.
    forced: bool,
    stop: StopFlag,
    report: SharedReport,
}

impl Player for TimedPlayer {
    fn name(&self) -> String {
        self.player.name()
    }

    fn prepare(&mut self, turn: &Turn<'_>, watch: &mut dyn FnMut(&SearchReport)) {
        if !self.stop.is_raised() {
            self.player.prepare(turn, watch);
        }
    }

    fn use_idle_time(&mut self, turn: &Turn<'_>, watch: &mut dyn FnMut(&SearchReport)) {
        if !self.stop.is_raised() {
            self.player.use_idle_time(turn, watch);
        }
    }

    fn choose(
        &mut self,
        turn: &Turn<'_>,
        watch: &mut dyn FnMut(&SearchReport),
    ) -> Result<Reply, NoMove> {
        if self.forced && turn.legal().len() == 1 {
            self.use_idle_time(turn, watch);
        }
        if self.stop.is_raised() {
            return Ok(Reply::Quit);
        }
        let begun = Instant::now();
        let reply = self.player.choose(turn, watch)?;
        if let Reply::Play(result) = &reply {
            let mut report = self.report.lock();
            report.add(result, begun.elapsed(), self.time_control);
        }
        Ok(reply)
    }
}

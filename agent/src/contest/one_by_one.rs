//! Each game by itself, several at once on the threads of the processor.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use gdl_runtime::engine::Engine;

use super::course::Told;
use super::{Course, Fixture, News, Played, SeatReport, SharedEngine, Venue};
use crate::clock::Allowance;
use crate::matches::{self, Ending, MatchError};
use crate::player::{NoMove, Player, Reply, Turn};
use crate::search::Report;

/// Makes the player of an agent, by its number, from a seed.
pub type MakePlayer<'a> = &'a (dyn Fn(usize, &dyn Engine, u64) -> Box<dyn Player> + Sync);

/// Plays every game by itself, each on a thread, with players who know nothing
/// of other games.
pub struct OneByOne<'a> {
    /// The game.
    pub engine: SharedEngine,
    /// Makes the players.
    pub make_player: MakePlayer<'a>,
    /// What a move may cost.
    pub allowance: Allowance,
    /// Rounds after which a game is given up.
    pub rounds: usize,
    /// Games at a time, at least one.
    pub threads: usize,
}

impl Venue for OneByOne<'_> {
    fn play(
        &mut self,
        games: &mut dyn Iterator<Item = Course>,
        hear: &mut dyn FnMut(News) -> ControlFlow<()>,
    ) -> Result<(), MatchError> {
        let threads = self.threads.max(1);
        let (jobs, waiting) = mpsc::channel();
        let (tell, told) = mpsc::channel();
        let table = Table {
            venue: self,
            waiting: Mutex::new(waiting),
            stop: Arc::default(),
        };
        thread::scope(|scope| {
            for _ in 0..threads {
                let (table, tell) = (&table, tell.clone());
                scope.spawn(move || table.work(&tell));
            }
            drop(tell);
            // Without this sender the threads run out of work, and their news end.
            let mut jobs = Some(jobs).filter(|jobs| hand_out(games.take(threads), jobs));
            let mut outcome = Ok(());
            for news in told {
                if table.stop.load(Ordering::Relaxed) {
                    continue;
                }
                let over = matches!(news, Ok(News::Ended(_)));
                let more = match news {
                    Ok(news) => hear(news).is_continue(),
                    Err(error) => {
                        outcome = Err(error);
                        false
                    }
                };
                table.stop.store(!more, Ordering::Relaxed);
                jobs = jobs.filter(|jobs| more && (!over || hand_out(games.take(1), jobs)));
            }
            outcome
        })
    }
}

/// Whether there was a game to hand out.
fn hand_out(games: impl Iterator<Item = Course>, jobs: &Sender<Course>) -> bool {
    games.map_while(|course| jobs.send(course).ok()).count() > 0
}

type Message = Result<News, MatchError>;

/// What the threads of a run share.
struct Table<'a> {
    venue: &'a OneByOne<'a>,
    waiting: Mutex<Receiver<Course>>,
    stop: Arc<AtomicBool>,
}

impl Table<'_> {
    /// Plays what there is to play.
    fn work(&self, tell: &Sender<Message>) {
        let next = || {
            let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.recv().ok()
        };
        while let Some(course) = next() {
            let message = self.play(course, tell).transpose();
            if message.is_some_and(|message| tell.send(message).is_err()) {
                break;
            }
        }
    }

    /// Plays a game to its end; none if it was given up.
    fn play(&self, mut course: Course, tell: &Sender<Message>) -> Result<Option<News>, MatchError> {
        let mut engine = self.venue.engine.clone();
        let share = |report: &SeatReport| Arc::new(Mutex::new(*report));
        let reports: Vec<SharedReport> = course.seats.iter().map(share).collect();
        let mut players = self.players(&course.fixture, &reports);
        let start = matches::Start {
            state: course.state(&mut engine),
            rounds: self.venue.rounds.saturating_sub(course.moves.len()),
        };
        let mut told = Told::now();
        let mut watch = |_: &dyn Engine, event: &matches::Event<'_>| {
            let matches::Event::Moved(round) = event else {
                return;
            };
            let chosen = round.thoughts.iter().map(|thought| thought.chosen);
            course.moves.push(chosen.collect());
            course.seats = reports.iter().map(|report| *lock(report)).collect();
            if told.is_due() {
                // Nobody listens any more where the run was stopped.
                let _ = tell.send(Ok(News::UnderWay(course.clone())));
            }
        };
        let allowance = self.venue.allowance;
        let record = matches::play_from(start, &mut engine, &mut players, allowance, &mut watch)?;
        let played = Played {
            course,
            goals: record.goals,
            ending: record.ending,
            errors: Vec::new(),
        };
        Ok((record.ending != Ending::Quit).then_some(News::Ended(played)))
    }

    /// The players of a fixture, each with the report that it continues.
    fn players(&self, fixture: &Fixture, reports: &[SharedReport]) -> Vec<Box<dyn Player>> {
        let seat = |(role, (&agent, report)): (usize, (&usize, &SharedReport))| {
            let seed = fixture.seat_seed(role);
            Box::new(Seat {
                player: (self.venue.make_player)(agent, &self.venue.engine, seed),
                allowance: self.venue.allowance,
                stop: Arc::clone(&self.stop),
                report: Arc::clone(report),
            }) as Box<dyn Player>
        };
        let seats = fixture.seats.iter().zip(reports).enumerate();
        seats.map(seat).collect()
    }
}

type SharedReport = Arc<Mutex<SeatReport>>;

/// A player whose moves are timed, and who leaves when all has to stop.
struct Seat {
    player: Box<dyn Player>,
    allowance: Allowance,
    stop: Arc<AtomicBool>,
    report: SharedReport,
}

impl Player for Seat {
    fn name(&self) -> String {
        self.player.name()
    }

    fn choose(&mut self, turn: &Turn<'_>, watch: &mut dyn FnMut(&Report)) -> Result<Reply, NoMove> {
        if self.stop.load(Ordering::Relaxed) {
            return Ok(Reply::Quit);
        }
        let begun = Instant::now();
        let reply = self.player.choose(turn, watch)?;
        if let Reply::Play(thought) = &reply {
            lock(&self.report).add(thought, begun.elapsed(), self.allowance);
        }
        Ok(reply)
    }
}

fn lock(report: &Mutex<SeatReport>) -> std::sync::MutexGuard<'_, SeatReport> {
    report.lock().unwrap_or_else(PoisonError::into_inner)
}

//! Each game by itself, several at once on the threads of the processor.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use runtime::engine::{Engine, Move};

use super::{Fixture, Played, SeatReport, SharedEngine, Venue};
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
        fixtures: &mut dyn Iterator<Item = Fixture>,
        finished: &mut dyn FnMut(Played) -> ControlFlow<()>,
    ) -> Result<(), MatchError> {
        let threads = self.threads.max(1);
        let (jobs, waiting) = mpsc::channel();
        let (done, results) = mpsc::channel();
        let table = Table {
            venue: self,
            waiting: Mutex::new(waiting),
            stop: Arc::default(),
        };
        thread::scope(|scope| {
            for _ in 0..threads {
                let (table, done) = (&table, done.clone());
                scope.spawn(move || table.work(&done));
            }
            drop(done);
            // Without this sender the threads run out of work, and their
            // results end.
            let mut jobs = Some(jobs).filter(|jobs| hand_out(fixtures.take(threads), jobs));
            let mut outcome = Ok(());
            for result in results {
                if table.stop.load(Ordering::Relaxed) {
                    continue;
                }
                let more = match result {
                    Ok(played) => played.is_none_or(|played| finished(played).is_continue()),
                    Err(error) => {
                        outcome = Err(error);
                        false
                    }
                };
                table.stop.store(!more, Ordering::Relaxed);
                jobs = jobs.filter(|jobs| more && hand_out(fixtures.take(1), jobs));
            }
            outcome
        })
    }
}

/// Whether there was a fixture to hand out.
fn hand_out(fixtures: impl Iterator<Item = Fixture>, jobs: &Sender<Fixture>) -> bool {
    fixtures
        .map_while(|fixture| jobs.send(fixture).ok())
        .count()
        > 0
}

type Outcome = Result<Option<Played>, MatchError>;

/// What the threads of a run share.
struct Table<'a> {
    venue: &'a OneByOne<'a>,
    waiting: Mutex<Receiver<Fixture>>,
    stop: Arc<AtomicBool>,
}

impl Table<'_> {
    /// Plays what there is to play.
    fn work(&self, done: &Sender<Outcome>) {
        let next = || {
            let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.recv().ok()
        };
        while let Some(fixture) = next() {
            if done.send(self.play(fixture)).is_err() {
                break;
            }
        }
    }

    /// Plays a game; none if it was given up.
    fn play(&self, fixture: Fixture) -> Outcome {
        let mut engine = self.venue.engine.clone();
        let reports: Vec<Arc<Mutex<SeatReport>>> =
            fixture.seats.iter().map(|_| Arc::default()).collect();
        let seat = |(role, &agent): (usize, &usize)| -> Box<dyn Player> {
            let seed = fixture.seat_seed(role);
            Box::new(Seat {
                player: (self.venue.make_player)(agent, &engine, seed),
                allowance: self.venue.allowance,
                stop: Arc::clone(&self.stop),
                report: Arc::clone(&reports[role]),
            })
        };
        let mut players: Vec<Box<dyn Player>> =
            fixture.seats.iter().enumerate().map(seat).collect();
        let (allowance, rounds) = (self.venue.allowance, self.venue.rounds);
        let mut deaf = |_: &dyn Engine, _: &matches::Event<'_>| {};
        let record = matches::play(&mut engine, &mut players, allowance, rounds, &mut deaf)?;
        let joint = |round: &matches::Round| -> Vec<Move> {
            round
                .thoughts
                .iter()
                .map(|thought| thought.chosen)
                .collect()
        };
        Ok((record.ending != Ending::Quit).then(|| Played {
            goals: record.goals,
            moves: record.rounds.iter().map(joint).collect(),
            ending: record.ending,
            seats: reports.iter().map(|report| *lock(report)).collect(),
            errors: Vec::new(),
            fixture,
        }))
    }
}

/// A player whose moves are timed, and who leaves when all has to stop.
struct Seat {
    player: Box<dyn Player>,
    allowance: Allowance,
    stop: Arc<AtomicBool>,
    report: Arc<Mutex<SeatReport>>,
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

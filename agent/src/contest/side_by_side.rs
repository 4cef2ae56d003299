//! Many games of one rule sheet side by side in the lanes of a machine, each
//! with one simulation in flight.
//!
//! A lane is a board: at it sits whoever has to move, and all its simulations
//! run there one after the other, each knowing the results of all before it: the
//! search is strictly sequential, as in the papers, and yet the machine is full.
//!
//! Games are dealt to the threads in turn, so that with one thread the same
//! fixtures give the same games. A game by itself cannot be repeated: the boards
//! of a machine draw from common random numbers.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use gdl_runtime::engine::{Engine, Move, Position, State};

use super::course::Told;
use super::{Course, News, Played, SharedEngine, Venue};
use crate::agents::{Agent, Limits};
use crate::clock::Allowance;
use crate::fleet::{Berths, Fleet};
use crate::lane_set::LaneSet;
use crate::matches::{Ending, MatchError, highest_goals};
use crate::mind::Mind;
use crate::player::{NoMove, Player, Reply, Thought, Turn};

/// Plays as many games at a time as fit into the lanes of a machine a thread.
pub struct SideBySide<'a> {
    /// The game.
    pub engine: SharedEngine,
    /// The agents that fixtures name by number.
    pub agents: &'a [Agent],
    /// What a move may cost: something that is counted, since all boards share the
    /// time.
    pub allowance: Allowance,
    /// Rounds after which a game is given up.
    pub rounds: usize,
    /// Bytes for the tree of each player.
    pub memory: usize,
    /// Games at a time, on each thread.
    pub boards: usize,
    /// Threads, at least one.
    pub threads: usize,
}

type Message = Result<News, MatchError>;

impl Venue for SideBySide<'_> {
    fn play(
        &mut self,
        games: &mut dyn Iterator<Item = Course>,
        hear: &mut dyn FnMut(News) -> ControlFlow<()>,
    ) -> Result<(), MatchError> {
        let threads = self.threads.max(1);
        let mut hands = vec![Vec::new(); threads];
        for (number, game) in games.enumerate() {
            hands[number % threads].push(game);
        }
        let (tell, told) = mpsc::channel();
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            for hand in hands {
                let (venue, stop, tell) = (&*self, &stop, tell.clone());
                scope.spawn(move || Hall::new(venue, &hand, tell).run(hand, stop));
            }
            drop(tell);
            let mut outcome = Ok(());
            for news in told {
                if stop.load(Ordering::Relaxed) {
                    continue;
                }
                let more = match news {
                    Ok(news) => hear(news).is_continue(),
                    Err(error) => {
                        outcome = Err(error);
                        false
                    }
                };
                stop.store(!more, Ordering::Relaxed);
            }
            outcome
        })
    }
}

/// Whoever has a seat at a board.
enum Seat {
    /// Searches; its mind is in the fleet while it has to move.
    Searcher(Box<Mind>),
    /// Answers at once.
    Other(Box<dyn Player>),
}

/// A game in play.
struct Board {
    course: Course,
    told: Told,
    state: State,
    position: Position,
    /// What those that have been asked play in this round, roles in order.
    answers: Vec<Move>,
    seats: Vec<Seat>,
    /// The hall's share when whoever has to move was asked.
    asked: f64,
}

/// The boards of one machine.
struct Hall<'a> {
    venue: &'a SideBySide<'a>,
    engine: SharedEngine,
    tell: Sender<Message>,
    fleet: Fleet,
    /// By lane: the mind of whoever has to move at the board, or of nobody.
    minds: Vec<Mind>,
    boards: Vec<Option<Board>>,
    /// Lanes whose board waits for a mind.
    thinking: LaneSet,
    /// Seconds that a mind which had been thinking all along would have had: of
    /// every step of the machine, each that is thinking has an equal share.
    share: f64,
}

impl<'a> Hall<'a> {
    fn new(venue: &'a SideBySide<'a>, hand: &[Course], tell: Sender<Message>) -> Self {
        let engine = venue.engine.clone();
        let seed = hand.first().map_or(0, |course| course.fixture.seed);
        let fleet = Fleet::new(engine.lanes(seed), Berths::OneEach);
        let lanes = fleet.machinery().lanes;
        let mut hall = Self {
            venue,
            engine,
            tell,
            fleet,
            minds: Vec::new(),
            boards: (0..lanes).map(|_| None).collect(),
            thinking: LaneSet::new(lanes),
            share: 0.0,
        };
        let nobody = Agent::default();
        hall.minds = (0..lanes).map(|_| hall.mind(&nobody, 0)).collect();
        hall
    }

    fn run(mut self, hand: Vec<Course>, stop: &AtomicBool) {
        let mut games = hand.into_iter();
        for lane in 0..self.boards.len().min(self.venue.boards.max(1)) {
            self.open(lane, &mut games);
        }
        let mut last = Instant::now();
        while !self.thinking.is_empty() && !stop.load(Ordering::Relaxed) {
            let now = Instant::now();
            self.share += (now - last).as_secs_f64() / self.thinking.len() as f64;
            last = now;
            let mut idle = self.thinking.clone();
            idle.intersect(&self.thinking, self.fleet.free().words());
            for lane in idle.iter() {
                if self.minds[lane].is_done() {
                    self.conclude(lane);
                    self.go_on(lane, &mut games);
                }
                if self.thinking.contains(lane) {
                    self.fleet.launch(&mut self.minds, lane);
                }
            }
            if self.fleet.in_flight() > 0 {
                self.fleet.evaluate();
                self.fleet.tend(&mut self.minds);
                self.fleet.advance();
            }
        }
    }

    /// Begins games at a lane until one needs thought.
    fn open(&mut self, lane: usize, games: &mut impl Iterator<Item = Course>) {
        if let Some(course) = games.next() {
            self.boards[lane] = Some(self.set_up(course));
            self.go_on(lane, games);
        }
    }

    fn set_up(&mut self, course: Course) -> Board {
        let state = course.state(&mut self.engine);
        let seat = |(role, &agent): (usize, &usize)| {
            let seed = course.fixture.seat_seed(role);
            let agent = &self.venue.agents[agent];
            match agent.searches() {
                true => Seat::Searcher(Box::new(self.mind(agent, seed))),
                false => Seat::Other(agent.player(&self.engine, self.limits(), seed)),
            }
        };
        Board {
            seats: course.fixture.seats.iter().enumerate().map(seat).collect(),
            position: self.engine.examine(&state),
            state,
            answers: Vec::new(),
            asked: self.share,
            course,
            told: Told::now(),
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            memory: self.venue.memory,
            in_flight: Some(1),
            playouts: Some(1),
            tidy: true,
        }
    }

    fn mind(&self, agent: &Agent, seed: u64) -> Mind {
        let settings = agent.settings(&self.engine, self.limits());
        let machinery = self.fleet.machinery();
        let roles = self.engine.roles().len();
        Mind::new(&self.engine.initial(), roles, settings, machinery, seed)
    }

    /// Plays on at a lane until somebody has to think; if the game ends, another
    /// one begins.
    fn go_on(&mut self, lane: usize, games: &mut impl Iterator<Item = Course>) {
        while let Some(mut board) = self.boards[lane].take() {
            match self.play_on(lane, &mut board) {
                Ok(None) => {
                    self.boards[lane] = Some(board);
                    return;
                }
                Ok(Some(ending)) => self.send(Ok(News::Ended(board.record(ending)))),
                Err(error) => self.send(Err(error)),
            }
            let next = games.next();
            self.boards[lane] = next.map(|course| self.set_up(course));
        }
    }

    fn send(&self, message: Message) {
        // Nobody listens any more where the run was stopped.
        let _ = self.tell.send(message);
    }

    /// Plays on until somebody has to think, or to the end.
    fn play_on(&mut self, lane: usize, board: &mut Board) -> Result<Option<Ending>, MatchError> {
        loop {
            if board.position.terminal {
                return Ok(Some(Ending::Terminal));
            }
            if board.course.moves.len() >= self.venue.rounds {
                return Ok(Some(Ending::TooLong));
            }
            while board.answers.len() < board.seats.len() {
                if self.ask(lane, board)? {
                    return Ok(None);
                }
            }
            let joint = std::mem::take(&mut board.answers);
            board.state = self.engine.next(&board.state, &joint);
            board.position = self.engine.examine(&board.state);
            board.course.moves.push(joint);
            if board.told.is_due() {
                self.send(Ok(News::UnderWay(board.course.clone())));
            }
        }
    }

    /// Asks the next role for its move. True if it has to think.
    fn ask(&mut self, lane: usize, board: &mut Board) -> Result<bool, MatchError> {
        let role = board.answers.len();
        let turn = Turn {
            engine: &self.engine,
            role,
            state: &board.state,
            position: &board.position,
            budget: self.venue.allowance.budget(),
        };
        board.asked = self.share;
        match (&mut board.seats[role], turn.legal()) {
            (_, []) => {
                let role = self.engine.roles()[role].clone();
                Err(MatchError::NoMove(NoMove { role }))
            }
            (_, [only]) => {
                board.answers.push(*only);
                Ok(false)
            }
            (Seat::Other(player), _) => {
                match player
                    .choose(&turn, &mut |_| {})
                    .map_err(MatchError::NoMove)?
                {
                    Reply::Play(thought) => board.answers.push(thought.chosen),
                    Reply::Undo | Reply::Quit => board.answers.push(turn.legal()[0]),
                }
                Ok(false)
            }
            (Seat::Searcher(mind), _) => {
                mind.begin(turn.state, role, turn.budget);
                std::mem::swap(&mut **mind, &mut self.minds[lane]);
                self.fleet.seat(&mut self.minds, lane);
                self.thinking.insert(lane);
                Ok(true)
            }
        }
    }

    /// The mind at a lane has made up itself.
    fn conclude(&mut self, lane: usize) {
        self.thinking.remove(lane);
        let Some(board) = &mut self.boards[lane] else {
            return;
        };
        let role = board.answers.len();
        let turn = Turn {
            engine: &self.engine,
            role,
            state: &board.state,
            position: &board.position,
            budget: self.venue.allowance.budget(),
        };
        let mut thought = Thought::of(self.minds[lane..=lane].iter(), &turn);
        thought.report.elapsed = Duration::from_secs_f64(self.share - board.asked);
        let taken = thought.report.elapsed;
        board.course.seats[role].add(&thought, taken, self.venue.allowance);
        board.answers.push(thought.chosen);
        if let Seat::Searcher(parked) = &mut board.seats[role] {
            std::mem::swap(&mut **parked, &mut self.minds[lane]);
        }
    }
}

impl Board {
    fn record(self, ending: Ending) -> Played {
        Played {
            goals: highest_goals(&self.position),
            course: self.course,
            ending,
            errors: Vec::new(),
        }
    }
}

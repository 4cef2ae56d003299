//! The thread of a match: it hears of engines and messages, thinks, and answers.
//!
//! It never waits while there is something to think about: the start clock, the
//! opponents' time and its own are all spent searching from the state that has
//! been reached. Whoever has a message for it interrupts the search.

use super::chooser::Chooser;
use super::course::{BadMoves, Course};
use super::events::{Event, Events};
use super::keeper::Keeper;
use super::ongoing::{About, Answer, Command, End, Ongoing, Question};
use crate::engines::EngineKind;
use agent::agents::{Agent, Limits};
use agent::clock::Budget;
use agent::player::Thought;
use runtime::engine::Engine;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Before the end of its time a search gives what it has, so that the answer is
/// there in time: at least so long before, longer where searches were seen to end
/// late.
const SLACK: Duration = Duration::from_millis(40);

/// A search that somebody waits for is looked at when half of the time left is
/// over, and again, until less than this is left.
const LAST_LOOK: Duration = Duration::from_millis(100);

/// What a match is about.
pub struct Terms {
    pub id: String,
    pub role: String,
    pub start_clock: Duration,
    pub play_clock: Duration,
    pub agent: Agent,
    pub limits: Limits,
    pub seed: u64,
}

impl Terms {
    /// After so long without a message the host is taken to be gone.
    fn patience(&self) -> Duration {
        3 * self.start_clock.max(self.play_clock) + Duration::from_secs(30)
    }
}

/// Plays one match.
pub struct Thinker {
    terms: Terms,
    ongoing: Arc<Ongoing>,
    inbox: Receiver<Command>,
    events: Events,
    keeper: Keeper,
    begun: Instant,
    /// When the host was last heard of.
    heard: Instant,
    /// The game on an engine, once there is one, and who plays it.
    seat: Option<(Course, Chooser)>,
    /// The joint moves so far.
    rounds: Vec<Vec<String>>,
    question: Option<Question>,
    unplayable: bool,
    /// Nothing is left to find out in this state.
    settled: bool,
    /// Simulations since the last move.
    simulations: u64,
    /// The most by which a search ended late so far.
    overrun: Duration,
}

impl Thinker {
    pub fn new(
        terms: Terms,
        ongoing: Arc<Ongoing>,
        inbox: Receiver<Command>,
        keeper: Keeper,
        events: Events,
    ) -> Self {
        let now = Instant::now();
        Self {
            terms,
            ongoing,
            inbox,
            events,
            keeper,
            begun: now,
            heard: now,
            seat: None,
            rounds: Vec::new(),
            question: None,
            unplayable: false,
            settled: false,
            simulations: 0,
            overrun: Duration::ZERO,
        }
    }

    /// Plays until the match ends.
    pub fn run(mut self) {
        let end = loop {
            if let Some(end) = self.hear().or_else(|| self.work()) {
                break end;
            }
        };
        self.leave(&end);
    }

    fn tell(&self, event: &Event) {
        self.events.tell(&self.terms.id, event);
    }

    /// Takes in all that was said.
    fn hear(&mut self) -> Option<End> {
        if let Some(bell) = self.seat.as_ref().and_then(|(_, chooser)| chooser.bell()) {
            bell.silence();
        }
        while let Ok(command) = self.inbox.try_recv() {
            if let Some(end) = self.take_in(command) {
                return Some(end);
            }
        }
        None
    }

    fn take_in(&mut self, command: Command) -> Option<End> {
        match command {
            Command::Engine(engine, kind) => self.take_engine(engine, kind),
            Command::Unplayable(reason) => {
                self.unplayable = self.seat.is_none();
                self.tell(&Event::Unplayable { reason });
            }
            Command::Ask(question) => {
                self.heard = Instant::now();
                self.take_question(question);
            }
            Command::End(end) => return Some(end),
        }
        None
    }

    /// Goes on with a better engine; one whose states and moves have the same
    /// numbers continues the search.
    fn take_engine(&mut self, engine: Box<dyn Engine>, kind: EngineKind) {
        let worse = |(course, _): &(Course, _)| course.kind() >= kind;
        if self.seat.as_ref().is_some_and(worse) {
            return;
        }
        let name = engine.name();
        let search = self.seat.as_mut();
        let tree_kept = search.is_some_and(|(_, chooser)| chooser.move_to(&*engine));
        match &mut self.seat {
            Some((course, _)) if tree_kept => course.move_to(engine, kind),
            _ => {
                if !self.sit_down(engine, kind) {
                    return;
                }
            }
        }
        let bell = self.seat.as_ref().and_then(|(_, chooser)| chooser.bell());
        self.ongoing.hang(bell);
        let seconds = self.begun.elapsed().as_secs_f64();
        self.tell(&Event::Engine {
            engine: name,
            seconds,
            tree_kept,
        });
    }

    /// Goes through the match so far on an engine; false if that cannot be.
    fn sit_down(&mut self, engine: Box<dyn Engine>, kind: EngineKind) -> bool {
        let Some(mut course) = Course::begin(engine, kind, &self.terms.role) else {
            let reason = format!("the game has no role {}", self.terms.role);
            self.unplayable = true;
            self.tell(&Event::Unplayable { reason });
            return false;
        };
        self.keeper.begin(&self.terms, &course);
        for (round, moves) in self.rounds.iter().enumerate() {
            if let Err(bad) = course.advance(moves) {
                let reason = format!("this is not the game on {}: {bad}", course.engine().name());
                self.tell(&Event::Trouble { reason });
                return false;
            }
            self.keeper.reach(&self.terms, round, moves, &course);
        }
        let Terms {
            agent,
            limits,
            seed,
            ..
        } = &self.terms;
        let chooser = Chooser::new(agent, course.engine(), *limits, *seed);
        self.seat = Some((course, chooser));
        self.arrive();
        true
    }

    /// In a new state the first legal move is better than none.
    fn arrive(&mut self) {
        self.settled = false;
        let Some((course, _)) = &self.seat else {
            return;
        };
        let first = course.legal().first();
        self.ongoing.intend(first.map(|&mv| course.name(mv)));
    }

    fn take_question(&mut self, question: Question) {
        if let About::Play(Some(moves)) = &question.about
            && let Err(bad) = self.advance(moves.clone())
        {
            let reason = bad.to_string();
            self.tell(&Event::Refused { reason });
            let _ = question.reply.send(Answer::Impossible(bad));
            return;
        }
        self.question = Some(question);
    }

    fn advance(&mut self, moves: Vec<String>) -> Result<(), BadMoves> {
        if let Some((course, _)) = &mut self.seat {
            course.advance(&moves)?;
            let round = self.rounds.len();
            self.keeper.reach(&self.terms, round, &moves, course);
        }
        self.rounds.push(moves);
        self.arrive();
        Ok(())
    }

    /// Thinks for a while, or waits where there is nothing to think about.
    fn work(&mut self) -> Option<End> {
        let until = self.until();
        let now = Instant::now();
        let idle = self.settled || !self.can_think();
        match &self.question {
            Some(_) if self.unplayable || now >= until => self.answer(),
            // Nothing more can be found out.
            Some(_) if idle && self.seat.is_some() => self.answer(),
            None if now >= until => return Some(End::Silence),
            _ if idle => return self.wait(until),
            _ => self.think(until),
        }
        None
    }

    /// Until when to go on without a word from the host.
    fn until(&self) -> Instant {
        let Some(question) = &self.question else {
            return self.heard + self.terms.patience();
        };
        let left = question.deadline.saturating_duration_since(self.heard);
        let slack = SLACK.max(2 * self.overrun).min(left / 2);
        question.deadline.checked_sub(slack).unwrap_or(self.heard)
    }

    /// Whether there is something to think about: a choice now, or one to come in
    /// the time that remains.
    fn can_think(&self) -> bool {
        let Some((course, _)) = &self.seat else {
            return false;
        };
        let forced = matches!(
            self.question,
            Some(Question {
                about: About::Play(_),
                ..
            })
        ) && course.legal().len() == 1;
        !course.position().terminal && !forced
    }

    fn wait(&mut self, until: Instant) -> Option<End> {
        let left = until.saturating_duration_since(Instant::now());
        match self.inbox.recv_timeout(left) {
            Ok(command) => self.take_in(command),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(End::Leaving),
        }
    }

    /// Searches on, and says what it would play if somebody waits for it.
    fn think(&mut self, until: Instant) {
        let Some((course, chooser)) = &mut self.seat else {
            return;
        };
        let now = Instant::now();
        let left = until.saturating_duration_since(now);
        let asked = self.question.is_some();
        let look = if asked && left > LAST_LOOK {
            left / 2
        } else {
            left
        };
        self.simulations += chooser.ponder(course, Budget::Until(now + look));
        self.settled = chooser.is_settled();
        let late = Instant::now().saturating_duration_since(until);
        self.overrun = self.overrun.max(late);
        if asked && late.is_zero() {
            let thought = chooser.choose(course);
            let mv = thought.map(|thought| course.name(thought.chosen));
            self.ongoing.intend(mv);
        }
    }

    /// Answers what was asked, as well as possible.
    fn answer(&mut self) {
        let Some(question) = self.question.take() else {
            return;
        };
        let answer = match (&question.about, self.unplayable) {
            (_, true) => Some(Answer::Unplayable),
            (About::Start, false) => Some(Answer::Ready),
            // Without an engine or a legal move whoever asked knows better.
            (About::Play(_), false) => self.play().map(Answer::Move),
        };
        if let Some(answer) = answer {
            let _ = question.reply.send(answer);
        }
    }

    fn play(&mut self) -> Option<String> {
        let (course, chooser) = self.seat.as_mut()?;
        let thought: Thought = chooser.choose(course)?;
        let name = course.name(thought.chosen);
        let engine = course.engine().name();
        let simulations = std::mem::take(&mut self.simulations);
        self.tell(&Event::Move {
            round: self.rounds.len(),
            mv: name.clone(),
            engine,
            simulations,
            value: thought.opinion().map(|opinion| opinion.value),
            seconds: self.heard.elapsed().as_secs_f64(),
        });
        self.ongoing.intend(Some(name.clone()));
        Some(name)
    }

    /// The end: what is kept of the match is made complete.
    fn leave(mut self, end: &End) {
        self.ongoing.hang(None);
        if let End::Stopped(Some(moves)) = end
            && let Err(bad) = self.advance(moves.clone())
        {
            let reason = format!("the last moves: {bad}");
            self.tell(&Event::Refused { reason });
        }
        let over = self.seat.as_ref().map(|(course, _)| course);
        let over = over.filter(|course| course.position().terminal);
        let goals = over.map(|course| agent::matches::highest_goals(course.position()));
        let how = match end {
            End::Stopped(_) => "stopped",
            End::Aborted => "aborted",
            End::Leaving => "left",
            End::Silence => "abandoned",
        };
        let aborted = *end == End::Aborted;
        self.keeper.end(&self.terms.id, aborted, goals.as_deref());
        self.tell(&Event::End {
            how,
            rounds: self.rounds.len(),
            goals,
        });
    }
}

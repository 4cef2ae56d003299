//! The thread of a match that keeps its order: it hears of engines and messages,
//! knows the state that has been reached, tells the searcher what to think about,
//! and answers in time, whatever the searcher is doing.
//!
//! There is always something to think about: the start clock, the opponents' time
//! and our own are all spent searching from the last state.

use super::course::{BadMoves, Course};
use super::events::{Event, Events};
use super::keeper::Keeper;
use super::ongoing::{About, Answer, Command, End, Ongoing, Question};
use super::searcher::{Order, Searcher, Task};
use gdl_agent::contest::SharedEngine;
use gdl_agent::matches::highest_goals;
use gdl_engines::engines::EngineKind;
use gdl_runtime::engine::Engine;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// So long before its deadline a question is answered, also if the searcher has not
/// finished.
const LAST_MOMENT: Duration = Duration::from_millis(30);

/// What a match is about.
pub struct Terms {
    pub id: String,
    pub role: String,
    pub start_clock: Duration,
    pub play_clock: Duration,
    /// What plays our role.
    pub agent: String,
}

impl Terms {
    /// After so long without a message the host is taken to be gone.
    fn patience(&self) -> Duration {
        3 * self.start_clock.max(self.play_clock) + Duration::from_secs(30)
    }
}

/// Keeps order in one match.
pub struct Referee {
    terms: Terms,
    ongoing: Arc<Ongoing>,
    searcher: Searcher,
    keeper: Keeper,
    events: Events,
    begun: Instant,
    /// When the host was last heard of.
    heard: Instant,
    /// The game on an engine, once there is one.
    course: Option<Course>,
    /// The joint moves so far.
    rounds: Vec<Vec<String>>,
    question: Option<Question>,
    unplayable: bool,
    /// The number of what is being thought about.
    task: u64,
    /// Whether the searcher has finished with that.
    finished: bool,
    /// Simulations before the last move.
    simulations: u64,
}

impl Referee {
    pub fn new(
        terms: Terms,
        ongoing: Arc<Ongoing>,
        searcher: Searcher,
        keeper: Keeper,
        events: Events,
    ) -> Self {
        let now = Instant::now();
        Self {
            terms,
            ongoing,
            searcher,
            keeper,
            events,
            begun: now,
            heard: now,
            course: None,
            rounds: Vec::new(),
            question: None,
            unplayable: false,
            task: 0,
            finished: false,
            simulations: 0,
        }
    }

    /// Keeps order until the match ends; why it does.
    pub fn run(mut self, inbox: &Receiver<Command>) -> End {
        let end = loop {
            let left = self.until().saturating_duration_since(Instant::now());
            let end = match inbox.recv_timeout(left) {
                Ok(command) => self.take_in(command),
                Err(RecvTimeoutError::Timeout) => self.time_is_up(),
                Err(RecvTimeoutError::Disconnected) => Some(End::Leaving),
            };
            if let Some(end) = end {
                break end;
            }
        };
        self.leave(&end);
        end
    }

    fn tell(&self, event: &Event) {
        self.events.tell(&self.terms.id, event);
    }

    /// Until when to wait for a command.
    fn until(&self) -> Instant {
        match &self.question {
            Some(question) => {
                let deadline = question.deadline;
                deadline.checked_sub(LAST_MOMENT).unwrap_or(deadline)
            }
            None => self.heard + self.terms.patience(),
        }
    }

    fn time_is_up(&mut self) -> Option<End> {
        if self.question.is_none() {
            return Some(End::Silence);
        }
        self.answer();
        None
    }

    fn take_in(&mut self, command: Command) -> Option<End> {
        match command {
            Command::Engine(engine, kind) => self.take_engine(SharedEngine::new(engine), kind),
            Command::Unplayable(reason) => self.give_up(reason),
            Command::Ask(question) => {
                self.heard = Instant::now();
                self.take_question(question);
            }
            Command::Finished(task) => {
                self.finished |= task == self.task;
                self.answer_if_decided();
            }
            Command::End(end) => return Some(end),
        }
        None
    }

    fn give_up(&mut self, reason: String) {
        self.unplayable = self.course.is_none();
        self.tell(&Event::Unplayable { reason });
        self.answer_if_decided();
    }

    /// Goes on with a better engine; one whose states and moves have the same
    /// numbers continues the search.
    fn take_engine(&mut self, engine: SharedEngine, kind: EngineKind) {
        let worse = |course: &Course| course.kind() >= kind;
        if self.course.as_ref().is_some_and(worse) {
            return;
        }
        let name = engine.name();
        let tree_kept = match &mut self.course {
            Some(course) => course.move_to(&engine, kind),
            None => false,
        };
        if tree_kept {
            self.searcher.tell(Order::Continue(engine));
        } else if self.change_to(engine.clone(), kind) {
            self.searcher.tell(Order::Begin(engine));
        } else {
            return;
        }
        let seconds = self.begun.elapsed().as_secs_f64();
        self.tell(&Event::Engine {
            engine: name,
            seconds,
            tree_kept,
        });
        self.arrive();
        self.answer_if_decided();
    }

    /// Goes on with the match on an engine whose numbers differ; false if that cannot
    /// be.
    fn change_to(&mut self, engine: SharedEngine, kind: EngineKind) -> bool {
        let course = match &self.course {
            // Not move by move: on a large net each takes a while.
            Some(course) => course.on(engine, kind),
            None => self.catch_up(engine, kind),
        };
        let changed = course.is_some();
        if !changed && self.course.is_some() {
            let reason = format!("the {kind} engine does not know the state that was reached");
            self.tell(&Event::Trouble { reason });
        }
        self.course = course.or(self.course.take());
        changed
    }

    /// Goes through the match so far on the first engine.
    fn catch_up(&mut self, engine: SharedEngine, kind: EngineKind) -> Option<Course> {
        let Some(mut course) = Course::begin(engine, kind, &self.terms.role) else {
            self.give_up(format!("the game has no role {}", self.terms.role));
            return None;
        };
        self.keeper.begin(&self.terms, &course);
        for moves in &self.rounds {
            if let Err(bad) = course.advance(moves) {
                let name = course.engine().name();
                let reason = format!("{name} cannot take over: {bad}");
                self.tell(&Event::Trouble { reason });
                return None;
            }
            self.keeper.reach(&self.terms, moves, &course);
        }
        Some(course)
    }

    fn take_question(&mut self, question: Question) {
        if let About::Play(Some(moves)) = &question.about
            && let Err(bad) = self.advance(moves.clone())
        {
            let reason = bad.to_string();
            self.tell(&Event::Refused { reason });
            let _ = question.reply.send(Answer::Impossible);
        } else {
            self.question = Some(question);
        }
        self.arrive();
        self.answer_if_decided();
    }

    fn advance(&mut self, moves: Vec<String>) -> Result<(), BadMoves> {
        // A slow engine is not to be shared now.
        self.searcher.tell(Order::Rest);
        if let Some(course) = &mut self.course {
            course.advance(&moves)?;
            self.keeper.reach(&self.terms, &moves, course);
        }
        self.rounds.push(moves);
        Ok(())
    }

    /// Has the state thought about, by when it is wanted, and puts a legal move by.
    fn arrive(&mut self) {
        self.finished = false;
        let Some(course) = &self.course else { return };
        if let Some(&first) = course.legal().first() {
            let round = self.rounds.len();
            self.ongoing.keep_spare(round, course.name(first));
        }
        if course.position().terminal {
            return;
        }
        self.task += 1;
        self.searcher.tell(Order::Think(Task {
            number: self.task,
            round: self.rounds.len(),
            role: course.role(),
            state: course.state().clone(),
            position: course.position().clone(),
            deadline: self.question.as_ref().map(|question| question.deadline),
        }));
    }

    /// Answers before the time is up if more of it would change nothing.
    fn answer_if_decided(&mut self) {
        let Some(question) = &self.question else {
            return;
        };
        let decided = self.course.as_ref().is_some_and(|course| {
            let forced = question.about != About::Start && course.legal().len() < 2;
            self.finished || forced || course.position().terminal
        });
        if decided || self.unplayable {
            self.answer();
        }
    }

    /// Answers what was asked, as well as possible, and has the searcher go on.
    fn answer(&mut self) {
        let Some(question) = self.question.take() else {
            return;
        };
        let answer = match question.about {
            _ if self.unplayable => Some(Answer::Unplayable),
            About::Start => Some(Answer::Ready),
            // Without an engine or a legal move whoever asked knows better.
            About::Play(_) => self.play().map(Answer::Move),
        };
        if let Some(answer) = answer {
            let _ = question.reply.send(answer);
        }
        self.arrive();
    }

    fn play(&mut self) -> Option<String> {
        let course = self.course.as_ref()?;
        let board = self.searcher.board();
        let round = self.rounds.len();
        let finding = board.finding.filter(|finding| finding.round == round);
        let first = course.legal().first().copied();
        let mv = finding.map(|finding| finding.mv).or(first)?;
        let name = course.name(mv);
        self.tell(&Event::Move {
            round,
            mv: name.clone(),
            engine: course.engine().name(),
            simulations: board.simulations - self.simulations,
            value: finding.and_then(|finding| finding.value),
            seconds: self.heard.elapsed().as_secs_f64(),
        });
        self.simulations = board.simulations;
        Some(name)
    }

    /// The end: what is kept of the match is made complete.
    fn leave(mut self, end: &End) {
        if let End::Stopped(Some(moves)) = end
            && let Err(bad) = self.advance(moves.clone())
        {
            let reason = format!("the last moves: {bad}");
            self.tell(&Event::Refused { reason });
        }
        let over = self.course.as_ref().map(Course::position);
        let goals = over.filter(|position| position.terminal).map(highest_goals);
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

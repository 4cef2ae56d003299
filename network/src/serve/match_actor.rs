//! The thread of a match that keeps its command: it hears of engines and messages,
//! knows the state that has been reached, tells the searcher what to think about,
//! and answers in time, whatever the searcher is doing.
//!
//! There is always something to think about: the start clock, the opponents' time
//! and our own are all spent searching from the last state.

use super::engine_game::{BadMoves, EngineGame};
use super::events::{Events, PlayerEvent};
use super::match_handle::{
    HostRequest, MatchAnswer, MatchCommand, MatchEnd, MatchHandle, RequestKind,
};
use super::recorder::MatchRecorder;
use super::search_thread::{SearchCommand, SearchTask, SearchThread};
use gdl_agent::matches::highest_goals;
use gdl_agent::shared_engine::SharedEngine;
use gdl_engines::engines::EngineKind;
use gdl_runtime::engine::Engine;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// So long before its deadline a request is answered, also if the searcher has not
/// finished.
const LAST_MOMENT: Duration = Duration::from_millis(30);

/// What a match is about.
pub struct MatchParameters {
    pub id: String,
    pub role: String,
    pub start_clock: Duration,
    pub play_clock: Duration,
    /// What plays our role.
    pub agent: String,
}

impl MatchParameters {
    /// After so long without a message the host is taken to be gone.
    fn patience(&self) -> Duration {
        3 * self.start_clock.max(self.play_clock) + Duration::from_secs(30)
    }
}

/// Keeps command in one match.
pub struct MatchActor {
    parameters: MatchParameters,
    handle: Arc<MatchHandle>,
    searcher: SearchThread,
    recorder: MatchRecorder,
    events: Events,
    begun: Instant,
    /// When the host was last heard of.
    heard: Instant,
    /// The game on an engine, once there is one.
    game: Option<EngineGame>,
    /// The joint moves so far.
    rounds: Vec<Vec<String>>,
    request: Option<HostRequest>,
    unplayable: bool,
    /// The number of what is being thought about.
    task: u64,
    /// Whether the searcher has finished with that.
    finished: bool,
    /// Simulations before the last move.
    simulations: u64,
}

impl MatchActor {
    pub fn new(
        parameters: MatchParameters,
        handle: Arc<MatchHandle>,
        searcher: SearchThread,
        recorder: MatchRecorder,
        events: Events,
    ) -> Self {
        let now = Instant::now();
        Self {
            parameters,
            handle,
            searcher,
            recorder,
            events,
            begun: now,
            heard: now,
            game: None,
            rounds: Vec::new(),
            request: None,
            unplayable: false,
            task: 0,
            finished: false,
            simulations: 0,
        }
    }

    /// Keeps command until the match ends; why it does.
    pub fn run(mut self, inbox: &Receiver<MatchCommand>) -> MatchEnd {
        let end = loop {
            let left = self.until().saturating_duration_since(Instant::now());
            let end = match inbox.recv_timeout(left) {
                Ok(command) => self.take_in(command),
                Err(RecvTimeoutError::Timeout) => self.time_is_up(),
                Err(RecvTimeoutError::Disconnected) => Some(MatchEnd::Leaving),
            };
            if let Some(end) = end {
                break end;
            }
        };
        self.leave(&end);
        end
    }

    fn tell(&self, event: &PlayerEvent) {
        self.events.tell(&self.parameters.id, event);
    }

    /// Until when to wait for a command.
    fn until(&self) -> Instant {
        match &self.request {
            Some(request) => {
                let deadline = request.deadline;
                deadline.checked_sub(LAST_MOMENT).unwrap_or(deadline)
            }
            None => self.heard + self.parameters.patience(),
        }
    }

    fn time_is_up(&mut self) -> Option<MatchEnd> {
        if self.request.is_none() {
            return Some(MatchEnd::Silence);
        }
        self.answer();
        None
    }

    fn take_in(&mut self, command: MatchCommand) -> Option<MatchEnd> {
        match command {
            MatchCommand::Engine(engine, kind) => self.take_engine(SharedEngine::new(engine), kind),
            MatchCommand::Unplayable(reason) => self.give_up(reason),
            MatchCommand::Ask(request) => {
                self.heard = Instant::now();
                self.take_question(request);
            }
            MatchCommand::Finished(task) => {
                self.finished |= task == self.task;
                self.answer_if_decided();
            }
            MatchCommand::End(end) => return Some(end),
        }
        None
    }

    fn give_up(&mut self, reason: String) {
        self.unplayable = self.game.is_none();
        self.tell(&PlayerEvent::Unplayable { reason });
        self.answer_if_decided();
    }

    /// Goes on with a better engine; one whose states and moves have the same
    /// numbers continues the search.
    fn take_engine(&mut self, engine: SharedEngine, kind: EngineKind) {
        let worse = |game: &EngineGame| game.kind() >= kind;
        if self.game.as_ref().is_some_and(worse) {
            return;
        }
        let name = engine.name();
        let tree_kept = match &mut self.game {
            Some(game) => game.move_to(&engine, kind),
            None => false,
        };
        if tree_kept {
            self.searcher.tell(SearchCommand::Continue(engine));
        } else if self.change_to(engine.clone(), kind) {
            self.searcher.tell(SearchCommand::Begin(engine));
        } else {
            return;
        }
        let seconds = self.begun.elapsed().as_secs_f64();
        self.tell(&PlayerEvent::Engine {
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
        let game = match &self.game {
            // Not move by move: on a large net each takes a while.
            Some(game) => game.on(engine, kind),
            None => self.catch_up(engine, kind),
        };
        let changed = game.is_some();
        if !changed && self.game.is_some() {
            let reason = format!("the {kind} engine does not know the state that was reached");
            self.tell(&PlayerEvent::Trouble { reason });
        }
        self.game = game.or(self.game.take());
        changed
    }

    /// Goes through the match so far on the first engine.
    fn catch_up(&mut self, engine: SharedEngine, kind: EngineKind) -> Option<EngineGame> {
        let Some(mut game) = EngineGame::begin(engine, kind, &self.parameters.role) else {
            self.give_up(format!("the game has no role {}", self.parameters.role));
            return None;
        };
        self.recorder.begin(&self.parameters, &game);
        for moves in &self.rounds {
            if let Err(bad) = game.advance(moves) {
                let name = game.engine().name();
                let reason = format!("{name} cannot take over: {bad}");
                self.tell(&PlayerEvent::Trouble { reason });
                return None;
            }
            self.recorder.reach(&self.parameters, moves, &game);
        }
        Some(game)
    }

    fn take_question(&mut self, request: HostRequest) {
        if let RequestKind::Play(Some(moves)) = &request.about
            && let Err(bad) = self.advance(moves.clone())
        {
            let reason = bad.to_string();
            self.tell(&PlayerEvent::Refused { reason });
            let _ = request.reply.send(MatchAnswer::Impossible);
        } else {
            self.request = Some(request);
        }
        self.arrive();
        self.answer_if_decided();
    }

    fn advance(&mut self, moves: Vec<String>) -> Result<(), BadMoves> {
        // A slow engine is not to be shared now.
        self.searcher.tell(SearchCommand::Rest);
        if let Some(game) = &mut self.game {
            game.advance(&moves)?;
            self.recorder.reach(&self.parameters, &moves, game);
        }
        self.rounds.push(moves);
        Ok(())
    }

    /// Has the state thought about, by when it is wanted, and puts a legal move by.
    fn arrive(&mut self) {
        self.finished = false;
        let Some(game) = &self.game else { return };
        if let Some(&first) = game.legal().first() {
            let round = self.rounds.len();
            self.handle.keep_fallback(round, game.name(first));
        }
        if game.position().terminal {
            return;
        }
        self.task += 1;
        self.searcher.tell(SearchCommand::Think(SearchTask {
            number: self.task,
            round: self.rounds.len(),
            role: game.role(),
            state: game.state().clone(),
            position: game.position().clone(),
            deadline: self.request.as_ref().map(|request| request.deadline),
        }));
    }

    /// Answers before the time is up if more of it would change nothing.
    fn answer_if_decided(&mut self) {
        let Some(request) = &self.request else {
            return;
        };
        let decided = self.game.as_ref().is_some_and(|game| {
            let forced = request.about != RequestKind::Start && game.legal().len() < 2;
            self.finished || forced || game.position().terminal
        });
        if decided || self.unplayable {
            self.answer();
        }
    }

    /// Answers what was asked, as well as possible, and has the searcher go on.
    fn answer(&mut self) {
        let Some(request) = self.request.take() else {
            return;
        };
        let answer = match request.about {
            _ if self.unplayable => Some(MatchAnswer::Unplayable),
            RequestKind::Start => Some(MatchAnswer::Ready),
            // Without an engine or a legal move whoever asked knows better.
            RequestKind::Play(_) => self.play().map(MatchAnswer::Move),
        };
        if let Some(answer) = answer {
            let _ = request.reply.send(answer);
        }
        self.arrive();
    }

    fn play(&mut self) -> Option<String> {
        let game = self.game.as_ref()?;
        let published = self.searcher.published();
        let round = self.rounds.len();
        let found = published.found.filter(|found| found.round == round);
        let first = game.legal().first().copied();
        let mv = found.map(|found| found.mv).or(first)?;
        let name = game.name(mv);
        self.tell(&PlayerEvent::Move {
            round,
            mv: name.clone(),
            engine: game.engine().name(),
            simulations: published.simulations - self.simulations,
            value: found.and_then(|found| found.value),
            seconds: self.heard.elapsed().as_secs_f64(),
        });
        self.simulations = published.simulations;
        Some(name)
    }

    /// The end: what is kept of the match is made complete.
    fn leave(mut self, end: &MatchEnd) {
        if let MatchEnd::Stopped(Some(moves)) = end
            && let Err(bad) = self.advance(moves.clone())
        {
            let reason = format!("the last moves: {bad}");
            self.tell(&PlayerEvent::Refused { reason });
        }
        let over = self.game.as_ref().map(EngineGame::position);
        let goals = over.filter(|position| position.terminal).map(highest_goals);
        let how = match end {
            MatchEnd::Stopped(_) => "stopped",
            MatchEnd::Aborted => "aborted",
            MatchEnd::Leaving => "left",
            MatchEnd::Silence => "abandoned",
        };
        let aborted = *end == MatchEnd::Aborted;
        self.recorder
            .end(&self.parameters.id, aborted, goals.as_deref());
        self.tell(&PlayerEvent::End {
            how,
            rounds: self.rounds.len(),
            goals,
        });
    }
}

//! The actor of a match: follows the match through engines and messages, tells the
//! search what to think about, and answers in time whatever the search is doing.
//!
//! The search always has something to do: it spends the start clock, the opponents'
//! time and our own on the latest known state.

use super::engine_game::{BadMoves, EngineGame};
use super::events::Events;
use super::match_handle::{
    HostRequest, MatchAnswer, MatchCommand, MatchEnd, MatchHandle, RequestKind,
};
use super::match_observer::{ServedFacts, ServedState};
use super::match_parameters::MatchParameters;
use super::player_event::PlayerEvent;
use super::publication::FoundMove;
use super::recorder::MatchRecorder;
use super::search_task::SearchTask;
use super::search_thread::{SearchCommand, SearchThread};
use gdl_agent::shared_engine::SharedEngine;
use gdl_engines::EngineKind;
use gdl_runtime::engine::Engine;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// A request is answered this long before its deadline even if the search has not
/// finished.
const LAST_MOMENT: Duration = Duration::from_millis(30);

/// The actor of one match.
pub struct MatchActor {
    parameters: MatchParameters,
    handle: Arc<MatchHandle>,
    search: SearchThread,
    recorder: MatchRecorder,
    events: Events,
    begun: Instant,
    /// When the last message of the host arrived.
    heard: Instant,
    /// The game on the current engine; `None` until the first engine is ready.
    game: Option<EngineGame>,
    /// The joint moves so far.
    rounds: Vec<Vec<String>>,
    request: Option<HostRequest>,
    unplayable: bool,
    /// The number of the current search task.
    task: u64,
    /// The number of the last search task on an engine that numbers moves differently.
    outdated: u64,
    /// Whether the search has finished the current task.
    finished: bool,
    /// The number of simulations before the last move.
    simulations: u64,
    /// Whether the agent's choice has been reported.
    choice_reported: bool,
}

impl MatchActor {
    pub fn new(
        parameters: MatchParameters,
        handle: Arc<MatchHandle>,
        search: SearchThread,
        recorder: MatchRecorder,
        events: Events,
    ) -> Self {
        let now = Instant::now();
        Self {
            parameters,
            handle,
            search,
            recorder,
            events,
            begun: now,
            heard: now,
            game: None,
            rounds: Vec::new(),
            request: None,
            unplayable: false,
            task: 0,
            outdated: 0,
            finished: false,
            simulations: 0,
            choice_reported: false,
        }
    }

    /// Runs until the match ends, and returns the reason.
    pub fn run(mut self, inbox: &Receiver<MatchCommand>) -> MatchEnd {
        self.report(&PlayerEvent::Start {
            role: self.parameters.role.clone(),
            start_clock: self.parameters.start_clock.as_secs_f64(),
            play_clock: self.parameters.play_clock.as_secs_f64(),
            rules: self.parameters.rules.len(),
        });
        let end = loop {
            let left = self.until().saturating_duration_since(Instant::now());
            let end = match inbox.recv_timeout(left) {
                Ok(command) => self.handle_command(command),
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

    fn report(&self, event: &PlayerEvent) {
        self.events.report(&self.parameters.id, event);
    }

    /// The time until which to wait for a command.
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

    fn handle_command(&mut self, command: MatchCommand) -> Option<MatchEnd> {
        match command {
            MatchCommand::Engine(engine, kind) => self.take_engine(SharedEngine::new(engine), kind),
            MatchCommand::Unplayable(reason) => self.give_up(reason),
            MatchCommand::Ask(request) => {
                self.heard = Instant::now();
                self.accept_request(request);
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
        self.report(&PlayerEvent::Unplayable { reason });
        self.answer_if_decided();
    }

    /// Continues on a faster engine. The search keeps its tree if the engine numbers
    /// states and moves alike.
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
            self.search.send(SearchCommand::Continue(engine));
        } else if self.change_to(engine.clone(), kind) {
            self.outdated = self.task;
            self.search.send(SearchCommand::Begin(engine));
        } else {
            return;
        }
        let seconds = self.begun.elapsed().as_secs_f64();
        self.report(&PlayerEvent::Engine {
            engine: name,
            seconds,
            tree_kept,
        });
        self.think();
        self.answer_if_decided();
    }

    /// Continues on an engine that numbers states or moves differently; returns whether
    /// that is possible.
    fn change_to(&mut self, engine: SharedEngine, kind: EngineKind) -> bool {
        let game = match &self.game {
            // Replaying the moves would take long on a large propnet.
            Some(game) if !game.is_lost() => game.on(engine, kind),
            _ => self.catch_up(engine, kind),
        };
        if let Some(game) = &game {
            self.show(game, self.rounds.last());
        }
        let changed = game.is_some();
        if !changed && self.game.as_ref().is_some_and(|game| !game.is_lost()) {
            let reason = format!("the {kind} engine does not know the current state");
            self.report(&PlayerEvent::Trouble { reason });
        }
        self.game = game.or(self.game.take());
        changed
    }

    /// Replays the match so far on the first engine, or on one that follows an engine that lost
    /// the current state.
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
                self.report(&PlayerEvent::Trouble { reason });
                return None;
            }
            self.recorder.advance(moves, &game);
        }
        Some(game)
    }

    fn accept_request(&mut self, request: HostRequest) {
        if let RequestKind::Play(Some(moves)) = &request.kind
            && let Err(bad) = self.advance(moves.clone())
        {
            let _ = request.reply.send(MatchAnswer::Impossible);
            let reason = bad.to_string();
            self.report(&PlayerEvent::Refused { reason });
        } else {
            self.request = Some(request);
        }
        self.think();
        self.answer_if_decided();
    }

    fn advance(&mut self, moves: Vec<String>) -> Result<(), BadMoves> {
        // The search must not use a slow engine at the same time.
        self.search.send(SearchCommand::Rest);
        if let Some(game) = &mut self.game {
            game.advance(&moves)?;
            self.recorder.advance(&moves, game);
        }
        if let Some(game) = &self.game {
            self.show(game, Some(&moves));
        }
        self.rounds.push(moves);
        Ok(())
    }

    /// Shows the state of a game to the observer. If the engine is slow, the search must not be
    /// using it.
    fn show(&self, game: &EngineGame, moves: Option<&Vec<String>>) {
        if !self.events.are_observed() {
            return;
        }
        let facts = (game.kind() == EngineKind::Reference).then(|| game.facts());
        let goals = game.goals();
        let reached = ServedState {
            rules: &self.parameters.rules,
            role: &self.parameters.role,
            agent: &self.parameters.agent,
            state: match &facts {
                Some(facts) => ServedFacts::Listed(game.engine().roles(), facts),
                None => ServedFacts::Numbered(game.engine(), game.state()),
            },
            rounds: game.rounds(),
            moves: moves.map(Vec::as_slice),
            goals: goals.as_deref(),
        };
        self.events.reached(&self.parameters.id, &reached);
    }

    /// Has the search think about the current state, and sets the fallback move.
    fn think(&mut self) {
        self.finished = false;
        let Some(game) = &self.game else { return };
        if let Some(&first) = game.legal().first() {
            let round = self.rounds.len();
            self.handle.offer_fallback(round, game.name(first));
        }
        if game.position().terminal {
            return;
        }
        self.task += 1;
        self.search.send(SearchCommand::Think(SearchTask {
            number: self.task,
            round: self.rounds.len(),
            role: game.role(),
            state: game.state().clone(),
            position: game.position().clone(),
            deadline: self.request.as_ref().map(|request| request.deadline),
            prepares: (self.request.as_ref())
                .is_some_and(|request| request.kind == RequestKind::Start),
        }));
    }

    /// Answers at once if more time would not change the answer.
    fn answer_if_decided(&mut self) {
        let Some(request) = &self.request else {
            return;
        };
        let decided = self.game.as_ref().is_some_and(|game| {
            if game.is_lost() {
                // The next engine may be ready before the deadline.
                return false;
            }
            let forced = request.kind != RequestKind::Start && game.legal().len() < 2;
            self.finished || forced || game.position().terminal
        });
        if decided || self.unplayable {
            self.answer();
        }
    }

    /// Answers the pending request as well as possible, and continues to think.
    fn answer(&mut self) {
        let Some(request) = self.request.take() else {
            return;
        };
        // The connection may have stopped waiting.
        let send = |answer| drop(request.reply.send(answer));
        match request.kind {
            _ if self.unplayable => send(MatchAnswer::Unplayable),
            RequestKind::Start => send(MatchAnswer::Ready),
            RequestKind::Play(_) => self.play(send),
        }
        self.think();
    }

    /// Answers with a move, and reports it afterwards. Without an engine or a legal move, it
    /// sends nothing, and the connection answers with its fallback.
    fn play(&mut self, send: impl FnOnce(MatchAnswer)) {
        let Some(game) = &self.game else {
            return;
        };
        let published = self.search.published();
        let round = self.rounds.len();
        let is_current = |found: &FoundMove| found.round == round && found.task > self.outdated;
        let found = published.found.filter(is_current);
        let legal = game.legal();
        let Some(mv) = found.map(|found| found.mv).or(legal.first().copied()) else {
            return;
        };
        let name = game.name(mv);
        send(MatchAnswer::Move(name.clone()));
        if found.is_none() && legal.len() > 1 {
            let late = || "no move was found in time".to_owned();
            self.report(&PlayerEvent::Fallback {
                round,
                mv: name.clone(),
                reason: published.failure.unwrap_or_else(late),
            });
        }
        self.report(&PlayerEvent::Move {
            round,
            mv: name,
            engine: game.engine().name(),
            simulations: published.simulations - self.simulations,
            value: found.and_then(|found| found.value),
            seconds: self.heard.elapsed().as_secs_f64(),
        });
        self.simulations = published.simulations;
        self.report_choice(published.choice);
    }

    /// Reports the agent's choice, with the first move after it.
    fn report_choice(&mut self, choice: Option<String>) {
        if let Some(choice) = choice.filter(|_| !self.choice_reported) {
            self.report(&PlayerEvent::Choice { choice });
            self.choice_reported = true;
        }
    }

    /// Ends the match: completes its record and reports the end.
    fn leave(mut self, end: &MatchEnd) {
        if let MatchEnd::Stopped(Some(moves)) = end
            && let Err(bad) = self.advance(moves.clone())
        {
            let reason = format!("the last moves: {bad}");
            self.report(&PlayerEvent::Refused { reason });
        }
        let goals = self.game.as_ref().and_then(EngineGame::goals);
        let how = match end {
            MatchEnd::Stopped(_) => "stopped",
            MatchEnd::Aborted => "aborted",
            MatchEnd::Leaving => "left",
            MatchEnd::Silence => "abandoned",
        };
        let aborted = *end == MatchEnd::Aborted;
        self.recorder.end(aborted, goals.as_deref());
        self.report(&PlayerEvent::End {
            how,
            rounds: self.rounds.len(),
            goals,
        });
    }
}

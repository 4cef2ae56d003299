//! The session of a page: answers requests, and works between them.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};

use gdl_runtime::stop_flag::StopFlag;

use super::event_sink::EventSink;
use super::open_game::{OpenGame, WorkDone};
use super::request_error::RequestError;
use crate::findings;
use crate::library::{GameLibrary, LibraryItem};
use crate::limits::Limits;
use crate::messages::{FindingsEvent, LibraryEvent, PageEvent, PageRequest};
use crate::playground;
use crate::records;

/// What all sessions of a server share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) library: Arc<GameLibrary>,
    pub(crate) limits: Limits,
}

/// The session of a page.
pub(crate) struct PageSession<S> {
    shared: Shared,
    events: S,
    requests: Receiver<PageRequest>,
    /// Raised with every request, and when the page is gone.
    stop: StopFlag,
    /// Raised when the page is gone: ends what a request must not interrupt.
    gone: StopFlag,
    game: Option<OpenGame>,
}

/// Whether anything is left to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    /// There is more to do.
    Going,
    /// There is nothing to do until the page asks for something.
    Idle,
}

impl<S: EventSink> PageSession<S> {
    pub(crate) fn new(
        shared: Shared,
        events: S,
        requests: Receiver<PageRequest>,
        [stop, gone]: [StopFlag; 2],
    ) -> Self {
        Self {
            shared,
            events,
            requests,
            stop,
            gone,
            game: None,
        }
    }

    /// Serves the page until it is gone.
    pub(crate) fn run(mut self) {
        let library = LibraryEvent {
            entries: self.shared.library.listed(),
            first: self.shared.library.first().map(str::to_owned),
            components: crate::components::listed(),
        };
        let mut connected = self.events.send(PageEvent::Library(library));
        let mut work = Work::Idle;
        while connected {
            let request = match work {
                // The flag is cleared before the channel is read: no request is missed.
                Work::Going => {
                    self.stop.clear();
                    self.requests.try_recv()
                }
                Work::Idle => self.requests.recv().map_err(|_| TryRecvError::Disconnected),
            };
            match request {
                Ok(request) => connected = self.answer(request),
                Err(TryRecvError::Disconnected) => break,
                Err(TryRecvError::Empty) => {}
            }
            work = self.work();
        }
    }

    fn answer(&mut self, request: PageRequest) -> bool {
        match self.handle(request) {
            Ok(()) => true,
            Err(error) => self.events.send(PageEvent::Failed {
                message: error.to_string(),
            }),
        }
    }

    fn handle(&mut self, request: PageRequest) -> Result<(), RequestError> {
        match request {
            PageRequest::Open { name } => self.open(&name),
            PageRequest::OpenText { text } => {
                let game = OpenGame::of_text("playground", &text, &self.gone)?;
                self.show(game);
                Ok(())
            }
            PageRequest::OpenRecord { text } => {
                let recorded = records::parse(&text)?;
                self.replay(recorded)
            }
            PageRequest::Check { text, version } => {
                let (findings, playable) = findings::check(&text);
                let event = FindingsEvent {
                    version,
                    playable,
                    findings,
                };
                self.events.send(PageEvent::Findings(event));
                Ok(())
            }
            PageRequest::Measure => {
                let game = self.game.as_mut().ok_or(RequestError::NoGame)?;
                let measured = playground::measure(&mut game.engine, 1);
                self.events.send(PageEvent::Measured(measured));
                Ok(())
            }
            PageRequest::Game(request) => {
                let game = self.game.as_mut().ok_or(RequestError::NoGame)?;
                let changes = request.changes_what_is_shown();
                game.handle(request, &self.shared.limits, &self.stop)?;
                if changes {
                    self.report();
                }
                Ok(())
            }
        }
    }

    fn open(&mut self, name: &str) -> Result<(), RequestError> {
        let library = Arc::clone(&self.shared.library);
        let entry = library.find(name);
        let entry = entry.ok_or_else(|| RequestError::NoEntry(name.to_owned()))?;
        if let LibraryItem::Record(path) = entry {
            let bytes = std::fs::read(path).map_err(records::RecordError::from)?;
            let recorded = records::read(&bytes)?;
            return self.replay(recorded);
        }
        let game = OpenGame::of_entry(name, entry, &self.gone)?;
        self.show(game);
        Ok(())
    }

    /// Plays a recorded match again, in the game that it names or else in the one that is open.
    fn replay(&mut self, recorded: records::Recorded) -> Result<(), RequestError> {
        let library = Arc::clone(&self.shared.library);
        let known = recorded
            .game
            .as_deref()
            .and_then(|game| Some((game, library.game_of_record(game)?)));
        if let Some((name, entry)) = known {
            self.game = Some(OpenGame::of_entry(name, entry, &self.gone)?);
        }
        let named = recorded.game.clone().unwrap_or_else(|| "a game".to_owned());
        let Some(mut game) = self.game.take() else {
            return Err(RequestError::NoGameOfRecord(named));
        };
        let replayed = game.replay(recorded);
        self.show(game);
        replayed
    }

    /// Shows a game that was opened.
    fn show(&mut self, game: OpenGame) {
        self.events.send(PageEvent::Opened(game.describe()));
        self.game = Some(game);
        self.report();
    }

    /// Tells the page about the state that is shown and the match so far.
    fn report(&mut self) {
        if let Some(game) = &mut self.game {
            self.events.send(PageEvent::History(game.history_event()));
            let position = game.position_event();
            self.events.send(PageEvent::Position(Box::new(position)));
        }
    }

    /// Does a piece of work that a request can interrupt.
    fn work(&mut self) -> Work {
        let Some(game) = &mut self.game else {
            return Work::Idle;
        };
        if !game.has_work() {
            return Work::Idle;
        }
        match game.work(&self.events) {
            WorkDone::Nothing => {}
            WorkDone::Values => {
                self.events.send(PageEvent::History(game.history_event()));
            }
            WorkDone::Match => self.report(),
        }
        Work::Going
    }
}

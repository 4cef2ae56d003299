//! The registry of matches: starts and ends matches, and answers messages.

use super::events::Events;
use super::guest::ServedAgent;
use super::loader::{Loader, LoaderStop, PROPNET_OPERANDS};
use super::margin::Margin;
use super::match_actor::MatchActor;
use super::match_handle::{MatchAnswer, MatchCommand, MatchEnd, MatchHandle, RequestKind};
use super::match_parameters::MatchParameters;
use super::permits::Permits;
use super::player_event::PlayerEvent;
use super::recorder::MatchRecorder;
use super::search_thread::{SearchSetup, SearchThread};
use crate::protocol::message::Message;
use gdl_engines::native::{self, CompileLimits, CompilerCache, PrecompiledGame};
use gdl_runtime::stop_flag::StopFlag;
use gdlc::source::Source;
use parking_lot::{Mutex, MutexGuard};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The answer where no legal move is known in time; in many games it is legal.
const DEFAULT_MOVE: &str = "noop";

/// The answer to a request that cannot be met.
const BUSY: &str = "busy";

/// How long a player that shuts down waits for its matches to end.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// The number of concurrent compilations of each kind, per allowed match: one of them
/// may outlive its match.
const COMPILATIONS_PER_MATCH: usize = 2;

/// The settings of a player.
#[derive(Debug, Clone)]
pub struct PlayerSettings {
    /// The name that INFO reports.
    pub name: String,
    /// The agent that chooses the moves.
    pub agent: ServedAgent,
    /// The greatest number of concurrent matches.
    pub matches: usize,
    /// The size of the search tree of each match, in bytes.
    pub memory: usize,
    /// A game that is played by its compiled engine from the first move, whether native
    /// code is compiled or not.
    pub precompiled: Option<Arc<PrecompiledGame>>,
    /// Whether native code is compiled.
    pub native: bool,
    /// The folder of the match records; without one, matches are not recorded.
    pub folder: Option<PathBuf>,
    /// Where events are reported.
    pub events: Events,
}

/// The matches of a player.
pub struct MatchRegistry {
    settings: PlayerSettings,
    matches: Mutex<BTreeMap<String, Arc<RegisteredMatch>>>,
    /// Limit the compilations of propnets and of native code.
    propnet_permits: Permits,
    native_permits: Permits,
}

/// A match and the thread of its actor.
struct RegisteredMatch {
    handle: Arc<MatchHandle>,
    play_clock: Duration,
    margin: Mutex<Margin>,
    stop: LoaderStop,
    thread: JoinHandle<()>,
}

/// A reply to a message. Report its arrival with [`arrived`](Self::arrived).
pub struct Response {
    /// The text of the reply.
    pub text: String,
    /// The match whose answer this is, and its deadline.
    timed: Option<(Arc<RegisteredMatch>, Instant)>,
}

impl Response {
    fn of(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            timed: None,
        }
    }

    /// Records when the reply arrived at the host.
    pub fn arrived(&self, at: Instant) {
        if let Some((entry, due)) = &self.timed {
            entry.margin.lock().answered(*due, at);
        }
    }
}

impl MatchRegistry {
    /// A registry without matches.
    #[must_use]
    pub fn new(settings: PlayerSettings) -> Self {
        Self {
            propnet_permits: Permits::new(COMPILATIONS_PER_MATCH * settings.matches),
            native_permits: Permits::new(COMPILATIONS_PER_MATCH * settings.matches),
            settings,
            matches: Mutex::default(),
        }
    }

    /// Answers a message that was received at the given time. Blocks while the match
    /// thinks, but no longer than its clock allows.
    pub fn answer(&self, message: Message, received: Instant) -> Response {
        match message {
            Message::Info => Response::of(self.info()),
            Message::Preview { rules, clock } => self.preview(rules, clock),
            Message::Start {
                id,
                role,
                rules,
                start_clock,
                play_clock,
            } => {
                let parameters = MatchParameters {
                    id,
                    rules: rules.as_str().into(),
                    role,
                    start_clock,
                    play_clock,
                    agent: self.settings.agent.to_string(),
                };
                self.start(parameters, rules, received)
            }
            Message::Play { id, moves } => self.play(&id, moves, received),
            Message::Stop { id, moves } => self.end(&id, MatchEnd::Stopped(moves), "done"),
            Message::Abort { id } => self.end(&id, MatchEnd::Aborted, "aborted"),
        }
    }

    fn info(&self) -> String {
        let status = match self.open().len() < self.settings.matches {
            true => "available",
            false => BUSY,
        };
        let name = &self.settings.name;
        format!("( ( name {name} ) ( status {status} ) ( species computer ) )")
    }

    /// Begins to compile, so that a later match finds the game compiled. The engines
    /// themselves are dropped, since no actor receives them.
    fn preview(&self, rules: String, clock: Duration) -> Response {
        let (handle, _) = MatchHandle::new();
        let stop = LoaderStop::default();
        let loader = self.loader("preview", rules, clock, Arc::new(handle), &stop);
        let begun = self.propnet_permits.take().and_then(|permit| {
            let mut permit = Some(permit);
            spawn("preview", move || loader.run(&mut || permit.take()))
        });
        Response::of(if begun.is_some() { "ready" } else { BUSY })
    }

    fn start(&self, parameters: MatchParameters, rules: String, received: Instant) -> Response {
        let due = Margin::default().deadline(received, parameters.start_clock);
        let id = parameters.id.clone();
        let entry = match self.admit(parameters, rules) {
            Ok(entry) => entry,
            Err(reason) => {
                self.refuse(&id, reason);
                return Response::of(BUSY);
            }
        };
        let text = match entry.handle.ask(RequestKind::Start, due) {
            Some(MatchAnswer::Unplayable) => {
                self.matches.lock().remove(&key(&id));
                entry.leave(MatchEnd::Leaving);
                BUSY
            }
            _ => "ready",
        };
        Response {
            text: text.to_owned(),
            timed: Some((entry, due)),
        }
    }

    /// Begins a match if there is room for it and none of the same name; otherwise, the reason
    /// why not.
    fn admit(
        &self,
        parameters: MatchParameters,
        rules: String,
    ) -> Result<Arc<RegisteredMatch>, &'static str> {
        let mut matches = self.open();
        let key = key(&parameters.id);
        if matches.len() >= self.settings.matches || matches.contains_key(&key) {
            return Err("there is a match of this name already, or there are too many");
        }
        let entry = self.begin(parameters, rules);
        let entry = Arc::new(entry.ok_or("the system has no threads for another match")?);
        matches.insert(key, Arc::clone(&entry));
        Ok(entry)
    }

    /// Starts the three threads of a match: its search, its actor and its loader. If the system
    /// refuses one, those that were started end.
    fn begin(&self, parameters: MatchParameters, rules: String) -> Option<RegisteredMatch> {
        let (handle, inbox) = MatchHandle::new();
        let handle = Arc::new(handle);
        let stop = LoaderStop::default();
        let (id, play_clock) = (parameters.id.clone(), parameters.play_clock);
        let loader = self.loader(
            &id,
            rules,
            parameters.start_clock,
            Arc::clone(&handle),
            &stop,
        );
        let events = self.settings.events.clone();
        let folder = self.settings.folder.as_deref();
        let recorder = MatchRecorder::new(folder, &id, events.clone());
        let search = SearchThread::start(self.search_setup(&parameters), Arc::clone(&handle))?;
        let actor = MatchActor::new(parameters, Arc::clone(&handle), search, recorder, events);
        let ended = stop.clone();
        let thread = spawn("match", move || {
            ended.end(&actor.run(&inbox));
        })?;
        let entry = RegisteredMatch {
            handle,
            play_clock,
            margin: Mutex::default(),
            stop,
            thread,
        };
        let permits = self.propnet_permits.clone();
        if spawn("loader", move || loader.run(&mut || permits.take())).is_none() {
            entry.leave(MatchEnd::Leaving);
            return None;
        }
        Some(entry)
    }

    fn search_setup(&self, parameters: &MatchParameters) -> SearchSetup {
        SearchSetup {
            agent: self.settings.agent.clone(),
            rules: Arc::clone(&parameters.rules),
            limits: gdl_agent::search::SearchLimits {
                memory: self.settings.memory,
                ..gdl_agent::search::SearchLimits::default()
            },
            seed: rand::random(),
        }
    }

    fn loader(
        &self,
        id: &str,
        rules: String,
        start_clock: Duration,
        handle: Arc<MatchHandle>,
        stop: &LoaderStop,
    ) -> Loader {
        Loader {
            id: id.to_owned(),
            // Not the name of the match, since this name is written into emitted code.
            source: Source::new("rules", rules),
            start_clock,
            precompiled: self.settings.precompiled.clone(),
            operands: PROPNET_OPERANDS,
            native: self.settings.native,
            stop: stop.clone(),
            native_permits: self.native_permits.clone(),
            handle,
            events: self.settings.events.clone(),
        }
    }

    fn play(&self, id: &str, moves: Option<Vec<String>>, received: Instant) -> Response {
        let Some(entry) = self.open().get(&key(id)).cloned() else {
            self.refuse(id, "there is no match of this name");
            return Response::of(BUSY);
        };
        let due = entry.margin.lock().deadline(received, entry.play_clock);
        // After the moves of a round, a fallback for the state before it is of no use.
        let past = moves.as_ref().and(entry.handle.fallback_round());
        let text = match entry.handle.ask(RequestKind::Play(moves), due) {
            Some(MatchAnswer::Move(mv)) => mv,
            Some(_) => BUSY.to_owned(),
            None => {
                let mv = entry.handle.fallback_after(past);
                let mv = mv.unwrap_or_else(|| DEFAULT_MOVE.to_owned());
                let event = PlayerEvent::Late { mv: mv.clone() };
                self.settings.events.report(id, &event);
                mv
            }
        };
        Response {
            text,
            timed: Some((entry, due)),
        }
    }

    fn end(&self, id: &str, end: MatchEnd, reply: &str) -> Response {
        let Some(entry) = self.open().remove(&key(id)) else {
            self.refuse(id, "there is no match of this name");
            return Response::of(BUSY);
        };
        entry.leave(end);
        Response::of(reply)
    }

    /// Ends all matches and waits for their threads, but not for long.
    pub fn close(&self) {
        let matches = std::mem::take(&mut *self.open());
        for entry in matches.values() {
            entry.leave(MatchEnd::Leaving);
        }
        let deadline = Instant::now() + CLOSE_TIMEOUT;
        while Instant::now() < deadline && !matches.values().all(|entry| entry.is_over()) {
            thread::sleep(Duration::from_millis(5));
        }
        // Nothing can be compiled in this process after that.
        if self.settings.native {
            native::stop_all(CLOSE_TIMEOUT);
        }
        Events::flush(CLOSE_TIMEOUT);
    }

    /// Compiles in the background what all games need, so that the first match does not
    /// wait for it.
    pub fn prepare(&self) {
        if !self.settings.native {
            return;
        }
        spawn("preparation", || {
            let cache = CompilerCache::from_environment();
            let stop = StopFlag::default();
            let prepared = cache.and_then(|cache| cache.prepare(&CompileLimits::BACKGROUND, &stop));
            if let Err(error) = prepared {
                tracing::warn!("native code cannot be compiled: {error:#}");
            }
        });
    }

    /// The current matches; removes those that have ended on their own.
    fn open(&self) -> MutexGuard<'_, BTreeMap<String, Arc<RegisteredMatch>>> {
        let mut matches = self.matches.lock();
        matches.retain(|_, entry| !entry.is_over());
        matches
    }

    fn refuse(&self, id: &str, reason: &str) {
        let reason = reason.to_owned();
        self.settings
            .events
            .report(id, &PlayerEvent::Refused { reason });
    }
}

impl RegisteredMatch {
    fn leave(&self, end: MatchEnd) {
        self.stop.end(&end);
        self.handle.send(MatchCommand::End(end));
    }

    fn is_over(&self) -> bool {
        self.thread.is_finished()
    }
}

/// The key of a match, since names compare case-insensitively.
fn key(id: &str) -> String {
    id.to_ascii_lowercase()
}

/// Starts a thread; `None` if the system refuses.
fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread
        .inspect_err(|error| tracing::error!("cannot start a thread for a {name}: {error}"))
        .ok()
}

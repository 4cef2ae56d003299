//! The matches that are being played, and the answers to messages.

use super::events::{Event, Events};
use super::keeper::Keeper;
use super::loader::Loader;
use super::margin::Margin;
use super::ongoing::{About, Answer, Command, End, Ongoing};
use super::thinker::{Terms, Thinker};
use crate::protocol::message::Message;
use agent::agents::{Agent, Limits};
use gdlc::source::Source;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What to say where no legal move is known in time: in many games it is one.
const LAST_RESORT: &str = "noop";

/// What a player says that cannot do what it is asked.
const BUSY: &str = "busy";

/// How long a player that leaves waits for its matches to end.
const FAREWELL: Duration = Duration::from_secs(2);

/// Loaders that may outlive their match, a match that is allowed: some steps of a
/// compilation cannot be interrupted.
const LOADERS: usize = 2;

/// How a player is set up.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What it is called.
    pub name: String,
    /// Who chooses its moves.
    pub agent: Agent,
    /// Matches at a time.
    pub matches: usize,
    /// Bytes for the tree of each match.
    pub memory: usize,
    /// Whether native code is compiled.
    pub native: bool,
    /// Where records of matches are kept.
    pub folder: PathBuf,
    /// Where events go.
    pub events: Events,
}

/// All matches of a player.
pub struct Lobby {
    settings: Settings,
    matches: Mutex<BTreeMap<String, Arc<Entry>>>,
    loaders: Arc<AtomicUsize>,
}

/// A match and its thread.
struct Entry {
    ongoing: Arc<Ongoing>,
    play_clock: Duration,
    margin: Mutex<Margin>,
    over: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

/// What to send, and whom to tell when that is done.
pub struct Response {
    /// The reply.
    pub text: String,
    /// A match that wants to know how late its answer was.
    timed: Option<(Arc<Entry>, Instant)>,
}

impl Response {
    fn of(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            timed: None,
        }
    }

    /// The host has the reply.
    pub fn arrived(&self) {
        if let Some((entry, due)) = &self.timed {
            lock(&entry.margin).answered(*due, Instant::now());
        }
    }
}

/// A match that a host wants us to play.
struct Invitation {
    id: String,
    role: String,
    rules: String,
    start_clock: Duration,
    play_clock: Duration,
}

impl Lobby {
    /// No match yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            matches: Mutex::default(),
            loaders: Arc::default(),
        }
    }

    /// What to reply to a message that came then.
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
                let invitation = Invitation {
                    id,
                    role,
                    rules,
                    start_clock,
                    play_clock,
                };
                self.start(invitation, received)
            }
            Message::Play { id, moves } => self.play(&id, moves, received),
            Message::Stop { id, moves } => self.end(&id, End::Stopped(moves), "done"),
            Message::Abort { id } => self.end(&id, End::Aborted, "aborted"),
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

    /// Begins to compile: who plays the game later finds it compiled.
    fn preview(&self, rules: String, clock: Duration) -> Response {
        // Nobody listens: the engines themselves are dropped.
        let (nobody, _) = Ongoing::new();
        let source = Source::new("preview", rules);
        match self.load("preview", source, clock, Arc::new(nobody)) {
            Some(_) => Response::of("ready"),
            None => Response::of(BUSY),
        }
    }

    fn start(&self, invitation: Invitation, received: Instant) -> Response {
        let due = Margin::default().deadline(received, invitation.start_clock);
        let id = invitation.id.clone();
        let Some(entry) = self.admit(invitation) else {
            self.refuse(&id, "there is such a match, or there are too many");
            return Response::of(BUSY);
        };
        let text = match entry.ongoing.ask(About::Start, due) {
            Some(Answer::Unplayable) => {
                lock(&self.matches).remove(&key(&id));
                entry.leave(End::Leaving);
                BUSY
            }
            _ => "ready",
        };
        Response {
            text: text.to_owned(),
            timed: Some((entry, due)),
        }
    }

    /// Lets a match begin, if there is room for it and none of that name.
    fn admit(&self, invitation: Invitation) -> Option<Arc<Entry>> {
        let mut matches = self.open();
        let key = key(&invitation.id);
        if matches.len() >= self.settings.matches || matches.contains_key(&key) {
            return None;
        }
        let (ongoing, inbox) = Ongoing::new();
        let ongoing = Arc::new(ongoing);
        let Invitation {
            id,
            role,
            rules,
            start_clock,
            play_clock,
        } = invitation;
        self.settings.events.tell(
            &id,
            &Event::Start {
                role: role.clone(),
                start_clock: start_clock.as_secs_f64(),
                play_clock: play_clock.as_secs_f64(),
                rules: rules.len(),
            },
        );
        let source = Source::new(id.clone(), rules);
        let over = self.load(&id, source, start_clock, Arc::clone(&ongoing))?;
        let keeper = Keeper::new(&self.settings.folder, &id, self.settings.events);
        let terms = Terms {
            id,
            role,
            start_clock,
            play_clock,
            agent: self.settings.agent.clone(),
            limits: Limits {
                memory: self.settings.memory,
                ..Limits::default()
            },
            seed: rand::random(),
        };
        let thinker = Thinker::new(
            terms,
            Arc::clone(&ongoing),
            inbox,
            keeper,
            self.settings.events,
        );
        let ended = Arc::clone(&over);
        let thread = spawn("match", move || {
            thinker.run();
            ended.store(true, Ordering::Relaxed);
        })?;
        let entry = Arc::new(Entry {
            ongoing,
            play_clock,
            margin: Mutex::default(),
            over,
            thread,
        });
        matches.insert(key, Arc::clone(&entry));
        Some(entry)
    }

    /// Begins to load engines; none if there is no room for another loader.
    fn load(
        &self,
        id: &str,
        source: Arc<Source>,
        start_clock: Duration,
        ongoing: Arc<Ongoing>,
    ) -> Option<Arc<AtomicBool>> {
        let place = Place::take(&self.loaders, LOADERS * self.settings.matches)?;
        let over = Arc::new(AtomicBool::new(false));
        let loader = Loader {
            id: id.to_owned(),
            source,
            start_clock,
            native: self.settings.native,
            over: Arc::clone(&over),
            ongoing,
            events: self.settings.events,
        };
        spawn("loader", move || {
            loader.run();
            drop(place);
        })?;
        Some(over)
    }

    fn play(&self, id: &str, moves: Option<Vec<String>>, received: Instant) -> Response {
        let Some(entry) = self.open().get(&key(id)).cloned() else {
            self.refuse(id, "there is no such match");
            return Response::of(BUSY);
        };
        let due = lock(&entry.margin).deadline(received, entry.play_clock);
        let text = match entry.ongoing.ask(About::Play(moves), due) {
            Some(Answer::Move(mv)) => mv,
            Some(_) => BUSY.to_owned(),
            None => {
                let mv = entry.ongoing.intended();
                let mv = mv.unwrap_or_else(|| LAST_RESORT.to_owned());
                let event = Event::Late { mv: mv.clone() };
                self.settings.events.tell(id, &event);
                mv
            }
        };
        Response {
            text,
            timed: Some((entry, due)),
        }
    }

    fn end(&self, id: &str, end: End, reply: &str) -> Response {
        let Some(entry) = self.open().remove(&key(id)) else {
            self.refuse(id, "there is no such match");
            return Response::of(BUSY);
        };
        entry.leave(end);
        Response::of(reply)
    }

    /// Ends all matches, and waits a little for their threads.
    pub fn close(&self) {
        let matches = std::mem::take(&mut *self.open());
        for entry in matches.values() {
            entry.leave(End::Leaving);
        }
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline && !matches.values().all(|entry| entry.is_over()) {
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// The matches, without those that have ended by themselves.
    fn open(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Entry>>> {
        let mut matches = lock(&self.matches);
        matches.retain(|_, entry| !entry.is_over());
        matches
    }

    fn refuse(&self, id: &str, reason: &str) {
        let reason = reason.to_owned();
        self.settings.events.tell(id, &Event::Refused { reason });
    }
}

impl Entry {
    fn leave(&self, end: End) {
        self.over.store(true, Ordering::Relaxed);
        self.ongoing.tell(Command::End(end));
    }

    fn is_over(&self) -> bool {
        self.thread.is_finished()
    }
}

/// One of a limited number of places, free again when dropped.
struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(taken: &Arc<AtomicUsize>, limit: usize) -> Option<Self> {
        let place = Self(Arc::clone(taken));
        (taken.fetch_add(1, Ordering::Relaxed) < limit).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Names compare without case.
fn key(id: &str) -> String {
    id.to_ascii_lowercase()
}

/// A thread; none if the system has none.
fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread
        .inspect_err(|error| tracing::error!("no thread for a {name}: {error}"))
        .ok()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

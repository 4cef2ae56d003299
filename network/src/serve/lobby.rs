//! The matches that are being played, and the answers to messages.

use super::events::{Event, Events};
use super::keeper::Keeper;
use super::loader::{Demand, Loader};
use super::margin::Margin;
use super::ongoing::{About, Answer, Command, End, Ongoing};
use super::places::Places;
use super::referee::{Referee, Terms};
use super::searcher::{Means, Searcher};
use crate::protocol::message::Message;
use gdl_agent::agents::{self, Agent};
use gdl_engines::native::{self, Cancel, Limits};
use gdlc::source::Source;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What to say where no legal move is known in time: in many games it is one.
const LAST_RESORT: &str = "noop";

/// What a player says that cannot do what it is asked.
const BUSY: &str = "busy";

/// How long a player that leaves waits for its matches to end.
const FAREWELL: Duration = Duration::from_secs(2);

/// Compilations of each kind at a time, a match that is allowed: one may outlive its
/// match.
const COMPILATIONS: usize = 2;

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
    /// Where nets are made, and native code.
    places: Places,
    workbenches: Places,
}

/// A match and its thread.
struct Entry {
    ongoing: Arc<Ongoing>,
    play_clock: Duration,
    margin: Mutex<Margin>,
    demand: Demand,
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

    /// The host has the reply since then.
    pub fn arrived(&self, at: Instant) {
        if let Some((entry, due)) = &self.timed {
            lock(&entry.margin).answered(*due, at);
        }
    }
}

impl Lobby {
    /// No match yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            places: Places::new(COMPILATIONS * settings.matches),
            workbenches: Places::new(COMPILATIONS * settings.matches),
            settings,
            matches: Mutex::default(),
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
                let terms = Terms {
                    id,
                    role,
                    start_clock,
                    play_clock,
                    agent: self.settings.agent.to_string(),
                };
                self.start(terms, rules, received)
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

    /// Begins to compile: who plays the game later finds it compiled. Nobody listens
    /// to the loader, so that its engines themselves are dropped.
    fn preview(&self, rules: String, clock: Duration) -> Response {
        let (nobody, _) = Ongoing::new();
        let demand = Demand::default();
        let loader = self.loader("preview", rules, clock, Arc::new(nobody), &demand);
        let begun = self.places.take().and_then(|place| {
            let mut place = Some(place);
            spawn("preview", move || loader.run(&mut || place.take()))
        });
        Response::of(if begun.is_some() { "ready" } else { BUSY })
    }

    fn start(&self, terms: Terms, rules: String, received: Instant) -> Response {
        let due = Margin::default().deadline(received, terms.start_clock);
        let id = terms.id.clone();
        let Some(entry) = self.admit(terms, rules) else {
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
    fn admit(&self, terms: Terms, rules: String) -> Option<Arc<Entry>> {
        let mut matches = self.open();
        let key = key(&terms.id);
        if matches.len() >= self.settings.matches || matches.contains_key(&key) {
            return None;
        }
        self.settings.events.tell(
            &terms.id,
            &Event::Start {
                role: terms.role.clone(),
                start_clock: terms.start_clock.as_secs_f64(),
                play_clock: terms.play_clock.as_secs_f64(),
                rules: rules.len(),
            },
        );
        let entry = Arc::new(self.begin(terms, rules)?);
        matches.insert(key, Arc::clone(&entry));
        Some(entry)
    }

    /// Begins a match: a thread that loads engines, one that searches and one that
    /// keeps order.
    fn begin(&self, terms: Terms, rules: String) -> Option<Entry> {
        let (ongoing, inbox) = Ongoing::new();
        let ongoing = Arc::new(ongoing);
        let demand = Demand::default();
        let (id, play_clock) = (terms.id.clone(), terms.play_clock);
        let loader = self.loader(&id, rules, terms.start_clock, Arc::clone(&ongoing), &demand);
        let places = self.places.clone();
        spawn("loader", move || loader.run(&mut || places.take()))?;
        let events = self.settings.events;
        let keeper = Keeper::new(&self.settings.folder, &id, events);
        let searcher = Searcher::start(self.means(), Arc::clone(&ongoing))?;
        let referee = Referee::new(terms, Arc::clone(&ongoing), searcher, keeper, events);
        let ended = demand.clone();
        let thread = spawn("match", move || {
            ended.end(&referee.run(&inbox));
        })?;
        Some(Entry {
            ongoing,
            play_clock,
            margin: Mutex::default(),
            demand,
            thread,
        })
    }

    fn means(&self) -> Means {
        Means {
            agent: self.settings.agent.clone(),
            limits: agents::Limits {
                memory: self.settings.memory,
                ..agents::Limits::default()
            },
            seed: rand::random(),
        }
    }

    fn loader(
        &self,
        id: &str,
        rules: String,
        start_clock: Duration,
        ongoing: Arc<Ongoing>,
        demand: &Demand,
    ) -> Loader {
        Loader {
            id: id.to_owned(),
            // Not the match's name: this one is written into emitted code.
            source: Source::new("rules", rules),
            start_clock,
            native: self.settings.native,
            demand: demand.clone(),
            workbenches: self.workbenches.clone(),
            ongoing,
            events: self.settings.events,
        }
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
                let mv = entry.ongoing.spare();
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
        native::call_all_off(FAREWELL);
    }

    /// Compiles what all games need, so that the first need not wait for it.
    pub fn prepare(&self) {
        if !self.settings.native {
            return;
        }
        spawn("preparation", || {
            if let Err(error) = native::prepare(&Limits::BACKGROUND, &Cancel::default()) {
                tracing::warn!("no game can be compiled: {error:#}");
            }
        });
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
        self.demand.end(&end);
        self.ongoing.tell(Command::End(end));
    }

    fn is_over(&self) -> bool {
        self.thread.is_finished()
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

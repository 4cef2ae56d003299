//! The thread of a match that searches: it thinks about what it is told to, until it
//! is told something else, and publishes what it has found.
//!
//! It may be busy with what cannot be interrupted, such as clearing out a large tree
//! or one step of a slow engine. Nobody waits for it: whoever wants an answer takes
//! what was published last.

use super::agent_player::AgentPlayer;
use super::match_handle::{MatchCommand, MatchHandle};
use gdl_agent::agents::{Agent, Limits};
use gdl_agent::clock::{Bell, Budget};
use gdl_agent::player::Turn;
use gdl_agent::shared_engine::SharedEngine;
use gdl_runtime::engine::{Engine as _, Move, Position, Role, State};
use std::sync::mpsc::{Receiver, RecvError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Before the end of its time a search gives what it has, so that the answer is
/// there in time: so long before, longer where searches were seen to end late.
const SLACK: Duration = Duration::from_millis(60);

/// A search with a deadline says what it has found when half of the time left is
/// over, and again, until less than this is left.
const LAST_LOOK: Duration = Duration::from_millis(100);

/// What a searcher is told.
pub enum SearchCommand {
    /// Another engine, in which states and moves have the same numbers.
    Continue(SharedEngine),
    /// Another engine, on which all begins anew.
    Begin(SharedEngine),
    /// Something to think about.
    Think(SearchTask),
    /// To leave the engine alone.
    Rest,
}

/// Something to think about.
#[derive(Clone)]
pub struct SearchTask {
    /// Tells it from all others of the match.
    pub number: u64,
    /// Rounds played before.
    pub round: usize,
    /// Who is to move.
    pub role: Role,
    /// In which state, not terminal.
    pub state: State,
    /// Its legal moves.
    pub position: Position,
    /// By when the result is needed; if it is.
    pub deadline: Option<Instant>,
}

/// What has been found out so far.
#[derive(Debug, Clone, Copy)]
pub struct FoundMove {
    /// Rounds played before.
    pub round: usize,
    /// What to play.
    pub mv: Move,
    /// Its expected goal value, if it was searched.
    pub value: Option<f64>,
}

/// What others see of a searcher.
#[derive(Debug, Clone, Copy, Default)]
pub struct PublishedResult {
    /// The last found.
    pub found: Option<FoundMove>,
    /// Simulations in all.
    pub simulations: u64,
}

/// A thread that searches; it ends when this is dropped.
pub struct SearchThread {
    commands: Sender<SearchCommand>,
    bell: Bell,
    published: Arc<Mutex<PublishedResult>>,
}

/// Who searches, and how.
pub struct SearchSetup {
    pub agent: Agent,
    pub limits: Limits,
    pub seed: u64,
}

impl SearchThread {
    /// A searcher that tells a match when it has finished; none if the system has no
    /// thread for it.
    pub fn start(setup: SearchSetup, handle: Arc<MatchHandle>) -> Option<Self> {
        let (commands, inbox) = channel();
        let bell = Bell::default();
        let published = Arc::<Mutex<PublishedResult>>::default();
        let mut work = SearchWorker {
            setup,
            handle,
            inbox,
            bell: bell.clone(),
            published: Arc::clone(&published),
            player: None,
            task: None,
            overrun: Duration::ZERO,
        };
        let thread = thread::Builder::new().name("search".to_owned());
        thread.spawn(move || work.run()).ok()?;
        Some(Self {
            commands,
            bell,
            published,
        })
    }

    /// Tells it something, and calls back its search.
    pub fn tell(&self, command: SearchCommand) {
        // If the thread is gone, there are no findings, and that is seen.
        let _ = self.commands.send(command);
        self.bell.ring();
    }

    /// What it has found out.
    pub fn published(&self) -> PublishedResult {
        *self
            .published
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SearchThread {
    /// The thread sees that nobody can tell it anything any more.
    fn drop(&mut self) {
        let (nobody, _) = channel();
        self.commands = nobody;
        self.bell.ring();
    }
}

/// What the thread has.
struct SearchWorker {
    setup: SearchSetup,
    handle: Arc<MatchHandle>,
    inbox: Receiver<SearchCommand>,
    bell: Bell,
    published: Arc<Mutex<PublishedResult>>,
    player: Option<(AgentPlayer, SharedEngine)>,
    task: Option<SearchTask>,
    /// The most by which a search ended late so far.
    overrun: Duration,
}

impl SearchWorker {
    fn run(&mut self) {
        while self.hear().is_ok() {
            self.think();
        }
    }

    /// Takes in all commands, waiting for some where there is nothing to do.
    fn hear(&mut self) -> Result<(), RecvError> {
        self.bell.silence();
        loop {
            let command = if self.task.is_some() && self.player.is_some() {
                match self.inbox.try_recv() {
                    Ok(command) => command,
                    Err(TryRecvError::Empty) => return Ok(()),
                    Err(TryRecvError::Disconnected) => return Err(RecvError),
                }
            } else {
                self.inbox.recv()?
            };
            self.take(command);
        }
    }

    fn take(&mut self, command: SearchCommand) {
        match command {
            SearchCommand::Continue(engine) => {
                if let Some((player, old)) = &mut self.player {
                    player.move_to(&engine);
                    *old = engine;
                }
            }
            SearchCommand::Begin(engine) => {
                let SearchSetup {
                    agent,
                    limits,
                    seed,
                } = &self.setup;
                let mut player = AgentPlayer::new(agent, &engine, *limits, *seed);
                player.answer_to(self.bell.clone());
                self.player = Some((player, engine));
            }
            SearchCommand::Think(task) => self.task = Some(task),
            SearchCommand::Rest => self.task = None,
        }
    }

    /// Thinks for a while. A task ends when its time is up or nothing more can be
    /// found out.
    fn think(&mut self) {
        let (Some(task), Some((player, engine))) = (&self.task, &mut self.player) else {
            return;
        };
        let until = task.deadline.map(|deadline| {
            let slack = SLACK.max(2 * self.overrun);
            let left = deadline.saturating_duration_since(Instant::now());
            deadline
                .checked_sub(slack.min(left / 2))
                .unwrap_or(deadline)
        });
        let simulations = player.ponder(task, slice(until));
        let late = until.map(|until| Instant::now().saturating_duration_since(until));
        self.overrun = self.overrun.max(late.unwrap_or_default());
        let turn = Turn {
            engine,
            role: task.role,
            state: &task.state,
            position: &task.position,
            budget: Budget::Simulations(0),
        };
        if let Some(thought) = player.choose(&turn) {
            let name = engine.move_name(task.role, thought.chosen);
            self.handle.keep_found(task.round, name);
            let mut published = self
                .published
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            published.simulations += simulations;
            published.found = Some(FoundMove {
                round: task.round,
                mv: thought.chosen,
                value: thought.opinion().map(|opinion| opinion.value),
            });
        }
        let time_is_up = until.is_some_and(|until| Instant::now() >= until);
        if time_is_up || player.is_settled() {
            self.handle.tell(MatchCommand::Finished(task.number));
            self.task = None;
        }
    }
}

/// How long to search before looking at what was found.
fn slice(until: Option<Instant>) -> Budget {
    let now = Instant::now();
    let Some(until) = until else {
        return Budget::within(Duration::from_secs(1));
    };
    let left = until.saturating_duration_since(now);
    Budget::within(if left > LAST_LOOK { left / 2 } else { left })
}

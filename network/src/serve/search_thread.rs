//! The search of a match, on a thread of its own: works on a task until it receives
//! another command, and publishes its results as it goes.
//!
//! The thread may be busy with something that cannot be interrupted, such as pruning a
//! large tree or one step of a slow engine. No one waits for it: answers are based on
//! the result that was published last.

use super::agent_player::AgentPlayer;
use super::guest::{GuestFailure, GuestPlayer, GuestTurn, ServedAgent};
use super::match_handle::{MatchCommand, MatchHandle};
use super::publication::{FoundMove, Publication, PublishedResult};
use super::search_task::SearchTask;
use gdl_agent::search::{SearchBudget, SearchLimits};
use gdl_agent::shared_engine::SharedEngine;
use gdl_runtime::engine::{Engine as _, Move};
use gdl_runtime::stop_flag::StopFlag;
use parking_lot::Mutex;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvError, Sender, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// A search ends at least this long before its deadline, so that the answer is in time;
/// earlier if previous searches ended late.
const SLACK: Duration = Duration::from_millis(60);

/// A search with a deadline publishes its result each time half of the remaining time
/// has passed, until less than this remains.
const LAST_LOOK: Duration = Duration::from_millis(100);

/// The greatest lateness that counts: a player that was held up once does not lose half of its
/// time for the rest of the match.
const MOST_OVERRUN: Duration = Duration::from_millis(500);

/// A command to the search.
pub enum SearchCommand {
    /// Continue on an engine that numbers states and moves alike.
    Continue(SharedEngine),
    /// Begin anew on another engine, and drop the task.
    Begin(SharedEngine),
    /// Work on a task.
    Think(SearchTask),
    /// Drop the task, so that the engine is free for others.
    Rest,
}

/// The handle of a search thread, which ends when the handle is dropped.
pub struct SearchThread {
    commands: Sender<SearchCommand>,
    stop_flag: StopFlag,
    published: Arc<Mutex<PublishedResult>>,
}

/// The agent that searches, the rules of the game, its limits and its seed.
pub struct SearchSetup {
    pub agent: ServedAgent,
    pub rules: Arc<str>,
    pub limits: SearchLimits,
    pub seed: u64,
}

impl SearchThread {
    /// Starts a search, which tells the match when it has finished a task; `None` if the
    /// system refuses a thread.
    pub fn start(setup: SearchSetup, handle: Arc<MatchHandle>) -> Option<Self> {
        let (commands, inbox) = channel();
        let stop_flag = StopFlag::default();
        let published = Arc::<Mutex<PublishedResult>>::default();
        let mut worker = SearchWorker {
            setup,
            handle,
            inbox,
            stop_flag: stop_flag.clone(),
            published: Arc::clone(&published),
            player: None,
            task: None,
            begun: None,
            failed: None,
            overrun: Duration::ZERO,
        };
        let thread = thread::Builder::new().name("search".to_owned());
        thread.spawn(move || worker.run()).ok()?;
        Some(Self {
            commands,
            stop_flag,
            published,
        })
    }

    /// Sends a command and interrupts the search.
    pub fn send(&self, command: SearchCommand) {
        // If the thread is gone, no result will be published, which the actor handles.
        let _ = self.commands.send(command);
        self.stop_flag.raise();
    }

    /// The latest published result.
    pub fn published(&self) -> PublishedResult {
        self.published.lock().clone()
    }
}

impl Drop for SearchThread {
    /// Disconnects the inbox, which ends the thread, and interrupts the search.
    fn drop(&mut self) {
        self.commands = channel().0;
        self.stop_flag.raise();
    }
}

/// The state of the search thread.
struct SearchWorker {
    setup: SearchSetup,
    handle: Arc<MatchHandle>,
    inbox: Receiver<SearchCommand>,
    stop_flag: StopFlag,
    published: Arc<Mutex<PublishedResult>>,
    player: Option<(AgentPlayer, SharedEngine)>,
    task: Option<SearchTask>,
    /// The number of the last task that was begun, and of the last one in which the search
    /// failed.
    begun: Option<u64>,
    failed: Option<u64>,
    /// The longest time by which a search on this engine has ended late so far, up to
    /// [`MOST_OVERRUN`].
    overrun: Duration,
}

impl SearchWorker {
    /// Works until the handle is dropped.
    fn run(&mut self) {
        loop {
            match panic::catch_unwind(AssertUnwindSafe(|| self.work())) {
                Ok(Ok(())) => {}
                Ok(Err(RecvError)) => return,
                Err(_) => self.start_over(),
            }
        }
    }

    fn work(&mut self) -> Result<(), RecvError> {
        self.receive()?;
        self.think();
        Ok(())
    }

    /// Handles all pending commands; waits for commands if there is nothing to do.
    fn receive(&mut self) -> Result<(), RecvError> {
        self.stop_flag.clear();
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
            self.handle_command(command);
        }
    }

    fn handle_command(&mut self, command: SearchCommand) {
        match command {
            SearchCommand::Continue(engine) => {
                if let Some((player, current)) = &mut self.player {
                    *current = engine;
                    player.move_to(current);
                }
            }
            SearchCommand::Begin(engine) => self.begin(engine),
            SearchCommand::Think(task) => self.task = Some(task),
            SearchCommand::Rest => self.task = None,
        }
    }

    /// Begins anew on an engine, with a new player.
    fn begin(&mut self, engine: SharedEngine) {
        // The task's state belongs to the last engine, whose numbering may differ.
        self.task = None;
        self.overrun = Duration::ZERO;
        let SearchSetup {
            agent,
            rules,
            limits,
            seed,
        } = &self.setup;
        let new = || AgentPlayer::new(agent, rules, &engine, *limits, *seed);
        let player = panic::catch_unwind(AssertUnwindSafe(new))
            .unwrap_or_else(|_| Err(GuestFailure("its player cannot be made".to_owned())));
        let player = player.map_err(|failure| self.fail(&failure)).ok();
        self.player = player.map(|mut player| {
            player.set_stop_flag(self.stop_flag.clone());
            (player, engine)
        });
    }

    /// Counts how late a search has ended.
    fn note_overrun(&mut self, late: Duration) {
        self.overrun = self.overrun.max(late.min(MOST_OVERRUN));
    }

    /// Publishes the answer of a guest, which ends the task.
    fn take_answer(&mut self, answer: Result<Option<Move>, GuestFailure>) {
        let Some(task) = self.task.take() else {
            return;
        };
        let now = Instant::now();
        let late = (task.deadline).map_or(Duration::ZERO, |due| now.saturating_duration_since(due));
        self.note_overrun(late);
        let Some((_, engine)) = &self.player else {
            return;
        };
        match answer {
            Ok(None) => {}
            Ok(Some(mv)) => {
                let name = engine.move_name(task.role, mv);
                self.handle.update_fallback(task.round, name);
                self.published.lock().found = Some(FoundMove {
                    task: task.number,
                    round: task.round,
                    mv,
                    value: None,
                });
            }
            Err(failure) => self.fail(&failure),
        }
        self.handle.send(MatchCommand::Finished(task.number));
    }

    fn fail(&self, failure: &GuestFailure) {
        tracing::warn!("the agent has failed: {failure}");
        self.published.lock().failure = Some(failure.to_string());
    }

    /// Thinks for a while, and publishes the result. The task ends when its time is up
    /// or further search would not change the result.
    fn think(&mut self) {
        let (Some(task), Some((player, engine))) = (&self.task, &mut self.player) else {
            return;
        };
        let until = task.deadline.map(|deadline| end(deadline, self.overrun));
        if let AgentPlayer::Guest(guest) = player {
            self.published.lock().failure = None;
            let asked = until.map_or(Ok(None), |until| ask(&mut **guest, task, until));
            self.take_answer(asked);
            return;
        }
        if let Some(until) = until.filter(|_| task.prepares) {
            player.prepare(&task.state, task.role, SearchBudget::Until(until));
        }
        let (state, role, time) = (&task.state, task.role, slice(until));
        let has_choice = task.position.legal[role].len() > 1;
        let publication = Publication {
            task,
            engine,
            handle: &self.handle,
            published: &self.published,
        };
        if self.begun.replace(task.number) != Some(task.number) && has_choice {
            player.ponder(state, role, SearchBudget::Simulations(0));
            publication.publish_known(player);
        }
        let simulations = match has_choice {
            false => player.use_idle_time(state, role, time),
            true => player.ponder(state, role, time),
        };
        let late = until.map(|until| Instant::now().saturating_duration_since(until));
        publication.publish(player, simulations);
        let time_is_up = until.is_some_and(|until| Instant::now() >= until);
        if time_is_up || player.is_exhausted() {
            self.handle.send(MatchCommand::Finished(task.number));
            self.task = None;
        }
        self.note_overrun(late.unwrap_or_default());
    }

    /// Continues with a new player after the last one has panicked, which is a defect but
    /// must not cost the rest of the match. What it knew is lost. The task goes on unless it
    /// has failed before.
    fn start_over(&mut self) {
        let task = self.task.take();
        let Some((_, engine)) = self.player.take() else {
            return;
        };
        tracing::error!("the search has failed and starts over");
        self.begin(engine);
        self.task = task.filter(|task| self.failed.replace(task.number) != Some(task.number));
    }
}

/// Asks a guest for a move, if one is needed and there is time.
fn ask(
    guest: &mut dyn GuestPlayer,
    task: &SearchTask,
    until: Instant,
) -> Result<Option<Move>, GuestFailure> {
    let turn = GuestTurn {
        state: &task.state,
        role: task.role,
        until,
    };
    let legal = &task.position.legal[task.role];
    if task.prepares {
        return guest.prepare(&turn).map(|()| None);
    }
    if legal.len() < 2 || until <= Instant::now() {
        return Ok(None);
    }
    let mv = guest.choose(&turn)?;
    match legal.contains(&mv) {
        true => Ok(Some(mv)),
        false => Err(GuestFailure(format!("move {} is not legal", mv.0))),
    }
}

/// When to end a search with this deadline, if earlier ones ended late by up to `overrun`.
fn end(deadline: Instant, overrun: Duration) -> Instant {
    let slack = SLACK.max(2 * overrun);
    let left = deadline.saturating_duration_since(Instant::now());
    deadline
        .checked_sub(slack.min(left / 2))
        .unwrap_or(deadline)
}

/// How long to search before publishing the result.
fn slice(until: Option<Instant>) -> SearchBudget {
    let now = Instant::now();
    let Some(until) = until else {
        return SearchBudget::within(Duration::from_secs(1));
    };
    let left = until.saturating_duration_since(now);
    SearchBudget::within(if left > LAST_LOOK { left / 2 } else { left })
}

#[cfg(test)]
mod tests {
    use super::super::guest::GuestAgent;
    use super::*;
    use gdl_agent::agents::Agent;
    use gdl_engines::{EngineKind, EngineOptions, load};
    use gdlc::source::Source;
    use std::sync::atomic::{AtomicBool, Ordering};

    const PAIR: &str = "(role r) (init (s 0)) (legal r a) (legal r b)
        (<= (next (s 1)) (true (s 0)) (does r b)) (<= (next over) (does r ?m))
        (<= terminal (true over)) (<= (goal r 100) (true (s 1))) (<= (goal r 0) (not (true (s 1))))";

    fn engine(kind: EngineKind) -> SharedEngine {
        let source = Source::new("pair", PAIR);
        let engine = load(&source, kind, &EngineOptions::default());
        SharedEngine::new(engine.expect("the game is small"))
    }

    fn task(number: u64, mut engine: SharedEngine) -> SearchTask {
        let state = engine.initial();
        SearchTask {
            number,
            round: 0,
            role: 0,
            position: engine.examine(&state),
            state,
            deadline: None,
            prepares: false,
        }
    }

    /// Engines number fluents and moves differently, so the last task is over with its engine.
    #[test]
    fn an_engine_begins_without_a_task() {
        let (handle, inbox) = MatchHandle::new();
        let setup = SearchSetup {
            agent: "uct".parse::<Agent>().expect("it is an agent").into(),
            rules: PAIR.into(),
            limits: SearchLimits::default(),
            seed: 1,
        };
        let search = SearchThread::start(setup, Arc::new(handle)).expect("it starts");
        let finished = || match inbox.recv_timeout(Duration::from_secs(60)) {
            Ok(MatchCommand::Finished(task)) => task,
            _ => panic!("the search does not answer"),
        };
        let reference = engine(EngineKind::Reference);
        search.send(SearchCommand::Begin(reference.clone()));
        search.send(SearchCommand::Think(task(1, reference.clone())));
        assert_eq!(finished(), 1);

        search.send(SearchCommand::Think(task(2, reference)));
        let net = engine(EngineKind::Net);
        search.send(SearchCommand::Begin(net.clone()));
        thread::sleep(Duration::from_millis(100));
        search.send(SearchCommand::Think(task(3, net)));
        // Unless it was faster than the new engine.
        let last = Some(finished())
            .filter(|&task| task == 3)
            .unwrap_or_else(finished);
        assert_eq!(last, 3);
        assert_eq!(search.published().found.map(|found| found.task), Some(3));
    }

    /// An agent whose first player panics when it is asked for a move.
    #[derive(Debug, Default)]
    struct FailingAgent(AtomicBool);

    struct FailingPlayer {
        fails: bool,
        answer: Move,
    }

    impl GuestAgent for FailingAgent {
        fn name(&self) -> String {
            "failing".to_owned()
        }

        fn player(
            &self,
            _rules: &str,
            mut engine: SharedEngine,
        ) -> Result<Box<dyn GuestPlayer>, GuestFailure> {
            let initial = engine.initial();
            Ok(Box::new(FailingPlayer {
                fails: !self.0.swap(true, Ordering::Relaxed),
                answer: engine.examine(&initial).legal[0][1],
            }))
        }
    }

    impl GuestPlayer for FailingPlayer {
        fn prepare(&mut self, _turn: &GuestTurn<'_>) -> Result<(), GuestFailure> {
            Ok(())
        }

        fn choose(&mut self, _turn: &GuestTurn<'_>) -> Result<Move, GuestFailure> {
            assert!(!self.fails, "a defect");
            Ok(self.answer)
        }
    }

    /// An agent whose first player panics while it is made; there is no second one.
    #[derive(Debug, Default)]
    struct UnmadeAgent(AtomicBool);

    impl GuestAgent for UnmadeAgent {
        fn name(&self) -> String {
            "unmade".to_owned()
        }

        fn player(
            &self,
            _rules: &str,
            _engine: SharedEngine,
        ) -> Result<Box<dyn GuestPlayer>, GuestFailure> {
            assert!(self.0.swap(true, Ordering::Relaxed), "a defect");
            Err(GuestFailure("there is no second player".to_owned()))
        }
    }

    #[test]
    fn a_panic_while_a_player_is_made_does_not_end_the_search() {
        let (handle, _inbox) = MatchHandle::new();
        let setup = SearchSetup {
            agent: ServedAgent::Guest(Arc::new(UnmadeAgent::default())),
            rules: PAIR.into(),
            limits: SearchLimits::default(),
            seed: 1,
        };
        let search = SearchThread::start(setup, Arc::new(handle)).expect("it starts");
        let until = Instant::now() + Duration::from_secs(60);
        for failure in ["its player cannot be made", "there is no second player"] {
            search.send(SearchCommand::Begin(engine(EngineKind::Net)));
            while search.published().failure.as_deref() != Some(failure) {
                assert!(Instant::now() < until, "not reported: {failure}");
                thread::sleep(Duration::from_millis(5));
            }
        }
    }

    #[test]
    fn a_player_that_panics_is_replaced_and_its_task_goes_on() {
        let (handle, inbox) = MatchHandle::new();
        let setup = SearchSetup {
            agent: ServedAgent::Guest(Arc::new(FailingAgent::default())),
            rules: PAIR.into(),
            limits: SearchLimits::default(),
            seed: 1,
        };
        let search = SearchThread::start(setup, Arc::new(handle)).expect("it starts");
        let engine = engine(EngineKind::Net);
        search.send(SearchCommand::Begin(engine.clone()));
        search.send(SearchCommand::Think(SearchTask {
            deadline: Some(Instant::now() + Duration::from_secs(60)),
            ..task(1, engine.clone())
        }));
        let finished = inbox.recv_timeout(Duration::from_secs(60));
        assert!(matches!(finished, Ok(MatchCommand::Finished(1))));
        let found = search.published().found.expect("the second player answers");
        assert_eq!(engine.move_name(0, found.mv), "b");
    }
}

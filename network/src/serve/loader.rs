//! Engines for a match, one after another as they become ready: what was compiled
//! before; else the net, and native code after it; and the reference engine, if the
//! net lets one wait.

use super::events::{Events, PlayerEvent};
use super::match_handle::{MatchCommand, MatchEnd, MatchHandle};
use super::permits::{Permit, Permits};
use gdl_engines::engines::{self, EngineKind, Game};
use gdl_engines::input;
use gdl_engines::native::{self, Limits};
use gdl_runtime::engine::Engine;
use gdl_runtime::lanes::Width;
use gdl_runtime::stop_flag::StopFlag;
use gdlc::compile::compile;
use gdlc::plan::Plan;
use gdlc::rules::Program;
use gdlc::source::Source;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// The net gets this part of the start clock before the reference engine is
/// loaded beside it.
const PATIENCE: u32 = 4;

/// What one evaluation by the reference engine may cost: some seconds.
const EVALUATION: gdlc::reference::EvaluationBudget = gdlc::reference::EvaluationBudget {
    facts: 5_000_000,
    matches: 500_000_000,
    depth: 500,
    unrestricted: 50_000,
};

/// What grounding may cost beside time: less than where nothing else goes on.
const GROUNDING_BYTES: u64 = 1 << 30;

/// How a loader hears of the end of its match.
#[derive(Debug, Clone, Default)]
pub struct LoaderStop {
    /// Nothing new is begun.
    over: StopFlag,
    /// Native code that is being compiled is given up.
    unwanted: StopFlag,
}

impl LoaderStop {
    /// The match has ended so. One that was stopped leaves the native code that is
    /// being compiled for the next.
    pub fn end(&self, end: &MatchEnd) {
        self.over.raise();
        if !matches!(end, MatchEnd::Stopped(_)) {
            self.unwanted.raise();
        }
    }

    fn is_over(&self) -> bool {
        self.over.is_raised()
    }
}

/// A match that wants engines.
pub struct Loader {
    /// What the match is called.
    pub id: String,
    /// Its rules.
    pub source: Arc<Source>,
    /// The time until it has to be ready.
    pub start_clock: Duration,
    /// Whether to compile native code.
    pub native: bool,
    /// Whether engines are wanted still.
    pub stop: LoaderStop,
    /// Where native code is compiled, which may take minutes: nets never wait for
    /// it.
    pub native_permits: Permits,
    /// Where the engines go.
    pub handle: Arc<MatchHandle>,
    /// Where it is said what went wrong.
    pub events: Events,
}

impl Loader {
    /// Loads what can be loaded, best last; makes a net only at a permit.
    pub fn run(&self, take_permit: &mut dyn FnMut() -> Option<Permit>) {
        let program = match input::check(Arc::clone(&self.source)) {
            Ok(program) => program,
            Err(refused) => {
                let reason = refused.to_string();
                self.handle.tell(MatchCommand::Unplayable(reason));
                return;
            }
        };
        if self.native
            && let Some(engine) = native::cached(&self.source.text, Width::widest())
        {
            self.give(Box::new(engine), EngineKind::Native);
            return;
        }
        thread::scope(|scope| {
            // Dropped when the net is there.
            let (compiling, compiled) = channel();
            let reference = program.clone();
            scope.spawn(move || self.load_reference(reference, &compiled));
            let permit = self.wait_for(take_permit);
            self.load_compiled(&program, compiling, permit);
        });
    }

    /// Waits for a permit, unless the match is over first.
    fn wait_for(&self, take_permit: &mut dyn FnMut() -> Option<Permit>) -> Option<Permit> {
        loop {
            match take_permit() {
                None if !self.stop.is_over() => thread::sleep(Duration::from_millis(20)),
                permit => return permit,
            }
        }
    }

    /// Hands an engine over; false if nobody listens.
    fn give(&self, engine: Box<dyn Engine>, kind: EngineKind) -> bool {
        self.handle.tell(MatchCommand::Engine(engine, kind))
    }

    fn trouble(&self, reason: String) {
        if !self.stop.is_over() {
            self.events.tell(&self.id, &PlayerEvent::Trouble { reason });
        }
    }

    /// Loads the net, gives the permit back, and loads native code of the same plan.
    fn load_compiled(
        &self,
        program: &Program,
        compiling: Sender<PropnetLoad>,
        permit: Option<Permit>,
    ) {
        if self.stop.is_over() {
            return;
        }
        let mut options = gdlc::compile::CompileOptions::default();
        options.budget.bytes = GROUNDING_BYTES;
        options.budget.stop = Some(self.stop.over.clone());
        let plan = match compile(program, &options) {
            // All but the plan gives its memory back here.
            Ok(compilation) => compilation.plan,
            Err(error) => {
                self.trouble(format!("the reference engine has to do: {error}"));
                let _ = compiling.send(PropnetLoad::Failed);
                return;
            }
        };
        if self.stop.is_over() {
            return;
        }
        let width = Width::widest();
        let net = engines::load_net(&self.source.name, &plan, width);
        let is_heard = self.give(Box::new(net), EngineKind::Net);
        let _ = compiling.send(PropnetLoad::Loaded);
        drop((compiling, permit));
        if !self.native {
            return;
        }
        let permit = match is_heard {
            true => self.wait_for(&mut || self.native_permits.take()),
            false => self.native_permits.take(),
        };
        if permit.is_some() {
            self.load_native(program, &plan, width);
        }
    }

    fn load_native(&self, program: &Program, plan: &Plan, width: Width) {
        let game = Game {
            name: &self.source.name,
            rules: Some(&self.source.text),
            program,
            plan,
            width,
        };
        match engines::compile_native(&game, &Limits::BACKGROUND, &self.stop.unwanted) {
            Ok(engine) => drop(self.give(Box::new(engine), EngineKind::Native)),
            Err(error) => self.trouble(format!("the net engine has to do: {error:#}")),
        }
    }

    /// Loads the reference engine unless there is a net soon.
    fn load_reference(&self, program: Program, compiled: &Receiver<PropnetLoad>) {
        let patience = self.start_clock / PATIENCE;
        let outcome = compiled.recv_timeout(patience);
        let wanted = match outcome {
            Ok(PropnetLoad::Failed) | Err(RecvTimeoutError::Timeout) => true,
            Ok(PropnetLoad::Loaded) | Err(RecvTimeoutError::Disconnected) => false,
        };
        if !wanted || self.stop.is_over() {
            return;
        }
        match engines::load_reference(program, EVALUATION) {
            Ok(engine) => drop(self.give(engine, EngineKind::Reference)),
            Err(error) => {
                let reason = format!("{error:#}");
                match outcome {
                    // There may be a net yet.
                    Err(_) => self.trouble(reason),
                    Ok(_) => drop(self.handle.tell(MatchCommand::Unplayable(reason))),
                }
            }
        }
    }
}

/// What became of the net.
enum PropnetLoad {
    Loaded,
    Failed,
}

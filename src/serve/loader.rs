//! Engines for a match, one after another as they become ready: what was compiled
//! before; else the net, and native code after it; and the reference engine, if the
//! net lets one wait.

use super::events::{Event, Events};
use super::ongoing::{Command, Ongoing};
use super::places::Place;
use crate::engines::{self, EngineKind, Game};
use crate::input;
use crate::native::{self, Cancel, Limits};
use gdlc::compile::compile;
use gdlc::plan::Plan;
use gdlc::rules::Program;
use gdlc::source::Source;
use runtime::engine::Engine;
use runtime::lanes::Width;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// The net gets this part of the start clock before the reference engine is
/// loaded beside it.
const PATIENCE: u32 = 4;

/// What one evaluation by the reference engine may cost: some seconds.
const EVALUATION: gdlc::reference::Budget = gdlc::reference::Budget {
    facts: 5_000_000,
    matches: 500_000_000,
    depth: 500,
    unrestricted: 50_000,
};

/// What grounding may cost beside time: less than where nothing else goes on.
const GROUNDING_BYTES: u64 = 1 << 30;

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
    /// Whether the match is over.
    pub over: Cancel,
    /// Where the engines go.
    pub ongoing: Arc<Ongoing>,
    /// Where it is said what went wrong.
    pub events: Events,
}

impl Loader {
    /// Loads what can be loaded, best last; compiles only at a place.
    pub fn run(&self, take_place: &mut dyn FnMut() -> Option<Place>) {
        let program = match input::check(Arc::clone(&self.source)) {
            Ok(program) => program,
            Err(refused) => {
                let reason = refused.to_string();
                self.ongoing.tell(Command::Unplayable(reason));
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
            let place = self.wait_for(take_place);
            self.load_compiled(&program, compiling);
            drop(place);
        });
    }

    /// Waits for a place, unless the match is over first.
    fn wait_for(&self, take_place: &mut dyn FnMut() -> Option<Place>) -> Option<Place> {
        loop {
            match take_place() {
                None if !self.over.is_cancelled() => thread::sleep(Duration::from_millis(20)),
                place => return place,
            }
        }
    }

    fn give(&self, engine: Box<dyn Engine>, kind: EngineKind) {
        self.ongoing.tell(Command::Engine(engine, kind));
    }

    fn trouble(&self, reason: String) {
        if !self.over.is_cancelled() {
            self.events.tell(&self.id, &Event::Trouble { reason });
        }
    }

    /// Loads the net, and then native code of the same plan.
    fn load_compiled(&self, program: &Program, compiling: Sender<Outcome>) {
        if self.over.is_cancelled() {
            return;
        }
        let mut options = gdlc::compile::Options::default();
        options.budget.bytes = GROUNDING_BYTES;
        let plan = match compile(program, &options) {
            // All but the plan gives its memory back here.
            Ok(compilation) => compilation.plan,
            Err(error) => {
                self.trouble(format!("the reference engine has to do: {error}"));
                let _ = compiling.send(Outcome::Failed);
                return;
            }
        };
        if self.over.is_cancelled() {
            return;
        }
        let width = Width::widest();
        let net = engines::load_net(&self.source.name, &plan, width);
        self.give(Box::new(net), EngineKind::Net);
        let _ = compiling.send(Outcome::Loaded);
        drop(compiling);
        if self.native {
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
        match engines::compile_native(&game, &Limits::BACKGROUND, &self.over) {
            Ok(engine) => self.give(Box::new(engine), EngineKind::Native),
            Err(error) => self.trouble(format!("the net engine has to do: {error:#}")),
        }
    }

    /// Loads the reference engine unless there is a net soon.
    fn load_reference(&self, program: Program, compiled: &Receiver<Outcome>) {
        let patience = self.start_clock / PATIENCE;
        let outcome = compiled.recv_timeout(patience);
        let wanted = match outcome {
            Ok(Outcome::Failed) | Err(RecvTimeoutError::Timeout) => true,
            Ok(Outcome::Loaded) | Err(RecvTimeoutError::Disconnected) => false,
        };
        if !wanted || self.over.is_cancelled() {
            return;
        }
        match engines::load_reference(program, EVALUATION) {
            Ok(engine) => self.give(engine, EngineKind::Reference),
            Err(error) => {
                let reason = format!("{error:#}");
                match outcome {
                    // There may be a net yet.
                    Err(_) => self.trouble(reason),
                    Ok(_) => drop(self.ongoing.tell(Command::Unplayable(reason))),
                }
            }
        }
    }
}

/// What became of the net.
enum Outcome {
    Loaded,
    Failed,
}

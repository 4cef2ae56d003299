//! Loads ever faster engines for a match: native code at once if it is in the cache;
//! otherwise the propnet and then native code, with the reference engine as a stopgap
//! if the propnet takes long.

use super::events::Events;
use super::match_handle::{MatchCommand, MatchEnd, MatchHandle};
use super::permits::{Permit, Permits};
use super::player_event::PlayerEvent;
use gdl_engines::EngineKind;
use gdl_engines::input;
use gdl_engines::native::{self, CompileLimits, CompilerCache, NativeGame, PrecompiledGame};
use gdl_engines::reference::ReferenceEngine;
use gdl_runtime::engine::Engine;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::{CpuLevel, Width};
use gdl_runtime::stop_flag::StopFlag;
use gdlc::compile::compile;
use gdlc::plan::{Arity, Plan};
use gdlc::rules::Program;
use gdlc::source::Source;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// The start clock divided by this is how long to wait for the propnet before the
/// reference engine is loaded as well.
const PATIENCE_DIVISOR: u32 = 4;

/// Limits one evaluation by the reference engine to a few seconds.
const EVALUATION: gdlc::reference::EvaluationBudget = gdlc::reference::EvaluationBudget {
    facts: 5_000_000,
    matches: 500_000_000,
    depth: 500,
    length: 20_000,
    terms: 10_000_000,
    unrestricted: 5_000,
};

/// The memory limit of grounding, in bytes: lower than by default, since other matches
/// may be running.
const GROUNDING_BYTES: u64 = 1 << 30;

/// The greatest number of operands of a propnet, for the same reason; all public games fit.
pub const PROPNET_OPERANDS: usize = 6_000_000;

/// Tells a loader that its match has ended.
#[derive(Debug, Clone, Default)]
pub struct LoaderStop {
    /// Raised when no further work is to begin.
    over: StopFlag,
    /// Raised when a running compilation of native code is to be given up.
    unwanted: StopFlag,
}

impl LoaderStop {
    /// Reports how the match ended. If it was stopped, a running compilation of native
    /// code continues, since the next match is likely to use it.
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

/// Loads the engines of one match.
pub struct Loader {
    /// The name of the match.
    pub id: String,
    /// The rules of the match.
    pub source: Arc<Source>,
    /// The time until the match must be ready.
    pub start_clock: Duration,
    /// A game that needs no compiling.
    pub precompiled: Option<Arc<PrecompiledGame>>,
    /// The greatest number of operands of a propnet.
    pub operands: usize,
    /// Whether to compile native code.
    pub native: bool,
    /// Signals the end of the match.
    pub stop: LoaderStop,
    /// Limits the compilations of native code, which may take minutes; propnets have
    /// permits of their own, so that they never wait for these.
    pub native_permits: Permits,
    /// The match that receives the engines.
    pub handle: Arc<MatchHandle>,
    /// Where problems are reported.
    pub events: Events,
}

impl Loader {
    /// Loads all engines that can be loaded, the fastest last. A propnet is built only
    /// with a permit.
    pub fn run(&self, take_permit: &mut dyn FnMut() -> Option<Permit>) {
        let program = match input::check(Arc::clone(&self.source)) {
            Ok(program) => program,
            Err(refused) => {
                let reason = refused.to_string();
                self.handle.send(MatchCommand::Unplayable(reason));
                return;
            }
        };
        if let Some(engine) = self.find_compiled() {
            self.deliver(Box::new(engine), EngineKind::Native);
            return;
        }
        thread::scope(|scope| {
            // Dropped when there is a propnet.
            let (compiling, compiled) = channel();
            let reference = program.clone();
            scope.spawn(move || self.load_reference(reference, &compiled));
            let permit = self.wait_for(take_permit);
            self.load_compiled(&program, compiling, permit);
        });
    }

    /// Native code that exists already: the player's own game, or one in the cache.
    fn find_compiled(&self) -> Option<LaneEngine> {
        let (rules, width) = (
            &self.source.text,
            CpuLevel::of_processor().widest_compiled(),
        );
        let own = self.precompiled.as_ref();
        own.and_then(|game| game.engine_for(rules, width))
            .or_else(|| {
                let cache = self.native.then(CompilerCache::from_environment);
                cache?.ok()?.find_compiled(rules, width)
            })
    }

    /// Waits for a permit; `None` if the match ends first.
    fn wait_for(&self, take_permit: &mut dyn FnMut() -> Option<Permit>) -> Option<Permit> {
        loop {
            match take_permit() {
                None if !self.stop.is_over() => thread::sleep(Duration::from_millis(20)),
                permit => return permit,
            }
        }
    }

    /// Hands over an engine; returns whether the match still runs.
    fn deliver(&self, engine: Box<dyn Engine>, kind: EngineKind) -> bool {
        self.handle.send(MatchCommand::Engine(engine, kind))
    }

    fn trouble(&self, reason: String) {
        if !self.stop.is_over() {
            self.events
                .report(&self.id, &PlayerEvent::Trouble { reason });
        }
    }

    /// Loads the propnet, returns the permit, and loads native code of the same plan.
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
        options.propnet_budget.operands = self.operands;
        let level = CpuLevel::of_processor();
        let width = level.widest();
        options.arity = Arity::of(level, width);
        let plan = match compile(program, &options) {
            // Everything but the plan is freed here.
            Ok(compilation) => compilation.plan,
            Err(error) => {
                self.trouble(format!("the game cannot be compiled: {error}"));
                let _ = compiling.send(PropnetLoad::Failed);
                return;
            }
        };
        if self.stop.is_over() {
            return;
        }
        let net = gdl_engines::propnet::load_plan(&self.source.name, &plan, width);
        let net = gdl_engines::find_structure_later(net, program);
        let is_heard = self.deliver(Box::new(net), EngineKind::Net);
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
            self.load_native(program, &plan, level.widest_compiled());
        }
    }

    fn load_native(&self, program: &Program, plan: &Plan, width: Width) {
        let game = NativeGame {
            name: &self.source.name,
            rules: Some(&self.source.text),
            program,
            plan,
            width,
        };
        match native::compile_game(&game, &CompileLimits::BACKGROUND, &self.stop.unwanted) {
            Ok(engine) => drop(self.deliver(Box::new(engine), EngineKind::Native)),
            Err(error) => self.trouble(format!("playing on the net engine: {error:#}")),
        }
    }

    /// Loads the reference engine unless the propnet is ready soon.
    fn load_reference(&self, program: Program, compiled: &Receiver<PropnetLoad>) {
        let patience = self.start_clock / PATIENCE_DIVISOR;
        let outcome = compiled.recv_timeout(patience);
        let wanted = match outcome {
            Ok(PropnetLoad::Failed) | Err(RecvTimeoutError::Timeout) => true,
            Ok(PropnetLoad::Loaded) | Err(RecvTimeoutError::Disconnected) => false,
        };
        if !wanted || self.stop.is_over() {
            return;
        }
        match ReferenceEngine::load(program, EVALUATION) {
            Ok(engine) => drop(self.deliver(Box::new(engine), EngineKind::Reference)),
            Err(error) => {
                let reason = format!("{error:#}");
                let outcome = outcome.or_else(|_| {
                    // The propnet may still be finished.
                    self.trouble(reason.clone());
                    compiled.recv()
                });
                if matches!(outcome, Ok(PropnetLoad::Failed)) {
                    self.handle.send(MatchCommand::Unplayable(reason));
                }
            }
        }
    }
}

/// The outcome of building the propnet.
enum PropnetLoad {
    Loaded,
    Failed,
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "(role r) (init (s 0)) (legal r a) (legal r b)
        (<= (next (s 1)) (true (s 0)) (does r b)) (<= (next over) (does r ?m))
        (<= terminal (true over)) (goal r 100)";

    /// The engines that a match receives, given a limit on operands.
    fn engines(operands: usize) -> Vec<EngineKind> {
        let (handle, inbox) = MatchHandle::new();
        let permits = Permits::new(1);
        let loader = Loader {
            id: "m".to_owned(),
            source: Source::new("rules", RULES),
            start_clock: Duration::from_secs(3600),
            precompiled: None,
            operands,
            native: false,
            stop: LoaderStop::default(),
            native_permits: permits.clone(),
            handle: Arc::new(handle),
            events: Events::default(),
        };
        loader.run(&mut || permits.take());
        drop(loader);
        let engines = inbox.iter().filter_map(|command| match command {
            MatchCommand::Engine(_, kind) => Some(kind),
            _ => None,
        });
        engines.collect()
    }

    #[test]
    fn games_with_too_many_operands_are_played_on_the_reference_engine() {
        assert_eq!(engines(PROPNET_OPERANDS), [EngineKind::Net]);
        assert_eq!(engines(1), [EngineKind::Reference]);
    }
}

//! One engine for several threads.

use std::sync::Arc;

use gdl_runtime::automorphism::AutomorphismFinder;
use gdl_runtime::engine::{Engine, Lanes, Move, Position, Role, State, UnknownFact};
use gdl_runtime::factors::FactorFinder;
use gdl_runtime::goal_conditions::GoalConditionFinder;
use gdl_runtime::layout::Layout;
use gdl_runtime::reachability::ReachabilityFinder;
use parking_lot::{Mutex, MutexGuard};

/// An engine that threads use in turn: it is loaded once, and its move numbers mean the same to
/// all. Searches, which take the time, run in lanes of their own.
#[derive(Clone)]
pub struct SharedEngine {
    engine: Arc<Mutex<Box<dyn Engine>>>,
    roles: Vec<String>,
}

impl SharedEngine {
    /// Shares an engine.
    #[must_use]
    pub fn new(engine: Box<dyn Engine>) -> Self {
        Self {
            roles: engine.roles().to_vec(),
            engine: Arc::new(Mutex::new(engine)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Box<dyn Engine>> {
        self.engine.lock()
    }
}

impl Engine for SharedEngine {
    fn name(&self) -> String {
        self.lock().name()
    }

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn layout(&self) -> Option<Arc<Layout>> {
        self.lock().layout()
    }

    fn constant_goals(&self) -> Vec<Option<i32>> {
        self.lock().constant_goals()
    }

    fn automorphism_finder(&self) -> Option<AutomorphismFinder> {
        self.lock().automorphism_finder()
    }

    fn factor_finder(&self) -> Option<FactorFinder> {
        self.lock().factor_finder()
    }

    fn goal_condition_finder(&self) -> Option<GoalConditionFinder> {
        self.lock().goal_condition_finder()
    }

    fn reachability_finder(&self) -> Option<ReachabilityFinder> {
        self.lock().reachability_finder()
    }

    fn initial(&self) -> State {
        self.lock().initial()
    }

    fn facts(&self, state: &State) -> Vec<String> {
        self.lock().facts(state)
    }

    fn state(&mut self, facts: &[String]) -> Result<State, UnknownFact> {
        self.lock().state(facts)
    }

    fn examine(&mut self, state: &State) -> Position {
        self.lock().examine(state)
    }

    fn next(&mut self, state: &State, joint: &[Move]) -> State {
        self.lock().next(state, joint)
    }

    fn move_name(&self, role: Role, mv: Move) -> String {
        self.lock().move_name(role, mv)
    }

    fn lanes(&self, seed: u64) -> Box<dyn Lanes> {
        self.lock().lanes(seed)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use gdl_engines::{EngineKind, EngineOptions};

    use super::*;

    /// A shared engine passes on what the engine knows of its game: learning and searches use
    /// symmetries only if the engine reports them.
    #[test]
    fn symmetries_are_shared() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/tictactoe.kif");
        let loaded = gdl_engines::open(&path, EngineKind::Net, &EngineOptions::default());
        let shared = SharedEngine::new(loaded.expect("it loads").engine);
        let automorphisms = shared.automorphism_finder().expect("it has rules")();
        let symmetries = shared.symmetry_finder().expect("it has rules")();
        assert!(!symmetries.is_empty());
        let states = automorphisms.iter().map(|found| &found.states);
        assert!(states.eq(symmetries.iter()));
        assert!(shared.factor_finder().is_some());
        assert!(shared.goal_condition_finder().is_some());
        assert!(shared.reachability_finder().is_some());
    }
}

//! Games, surveyed.

use gdl_boards::{GameEvidence, StateLayout};
use gdl_engines::{EngineKind, EngineOptions};
use gdl_runtime::engine::Engine;
use gdlc::source::Source;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A game with its layout.
pub struct SurveyedGame {
    pub engine: Box<dyn Engine>,
    pub layout: StateLayout,
}

impl SurveyedGame {
    /// One of our games, by name.
    pub fn builtin(name: &str) -> Self {
        let options = EngineOptions::default();
        let opened = gdl_engines::open_with_rules(Path::new(name), EngineKind::Net, &options);
        let (loaded, rules) = opened.unwrap();
        Self::survey(loaded.engine, &rules)
    }

    /// The game of a rule sheet.
    pub fn of_rules(text: &str) -> Self {
        let source = Source::new("test", text);
        let engine = gdl_engines::load(&source, EngineKind::Reference, &EngineOptions::default());
        Self::survey(engine.unwrap(), &source)
    }

    fn survey(mut engine: Box<dyn Engine>, rules: &Arc<Source>) -> Self {
        let mut evidence = GameEvidence::new(engine.roles());
        let program = gdlc::rules::check(Arc::clone(rules)).program.unwrap();
        evidence.add_rules(&Arc::new(program));
        // Without haste, so that the same is seen every time.
        evidence.survey(&mut *engine, 1, Duration::from_secs(600));
        let layout = StateLayout::infer(&evidence);
        Self { engine, layout }
    }

    /// The facts of the states of a game whose moves vary but are not random.
    pub fn states(&mut self, steps: usize) -> Vec<Vec<String>> {
        let mut state = self.engine.initial();
        let mut states = vec![self.engine.facts(&state)];
        for step in 0..steps {
            let position = self.engine.examine(&state);
            if position.terminal {
                break;
            }
            let legal = position.legal.iter();
            let joint: Vec<_> = legal
                .map(|legal| legal[(step * 7 + 3) % legal.len()])
                .collect();
            state = self.engine.next(&state, &joint);
            states.push(self.engine.facts(&state));
        }
        states
    }
}

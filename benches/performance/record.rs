//! [`Record`]: what was measured of a game.

use gdlc::plan::Phase;
use serde::{Deserialize, Serialize};

/// A game and the outcome of its measurement.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    pub sheet: String,
    pub outcome: Outcome,
}

/// Figures, or why there are none.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Outcome {
    Measured(Box<Figures>),
    Failed { error: String },
}

/// The figures of a game.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Figures {
    pub roles: usize,
    pub fluents: usize,
    pub moves: usize,
    pub gates: usize,
    /// Three-input operations per step.
    pub operations: usize,
    /// Operations of the net engine by phase, in the order of `Phase::ALL`.
    pub phase_operations: [usize; 5],
    /// Bytes of rows: of the native engine if it runs the game, otherwise of net.
    pub bytes: usize,
    /// The peak memory until the net engine was ready, in bytes.
    pub peak_bytes: Option<u64>,
    /// Stages with their seconds, `rustc` among them if the native engine runs the game.
    pub setup: Vec<(String, f64)>,
    /// The average length of a playout, in joint moves.
    pub length: Option<f64>,
    /// Playouts per second of our engines and hand-written ones, by name.
    pub speeds: Vec<(String, f64)>,
    pub tree: Option<Tree>,
    /// Why there is no native engine.
    pub native_error: Option<String>,
    /// The fastest other engine and its playouts per second.
    pub peer: Option<(String, f64)>,
}

/// The tree search, on the native engine, or on net where there is none.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Tree {
    pub simulations_per_second: f64,
    /// The ratio to plain playouts of the same engine, measured in turns.
    pub ratio: f64,
    /// Whether most simulations ended at nodes with known goals: then little was left to
    /// play, and neither figure means anything.
    pub known: bool,
}

impl Tree {
    /// The ratio, if it means anything.
    pub fn sound_ratio(&self) -> Option<f64> {
        (!self.known).then_some(self.ratio)
    }
}

/// The name of a rule sheet.
pub fn name_of(sheet: &str) -> &str {
    let file = sheet.rsplit('/').next().unwrap_or(sheet);
    file.trim_end_matches(".kif")
}

impl Record {
    /// The name of the game. Those of public games are marked, since some of ours have
    /// the same.
    pub fn name(&self) -> String {
        match self.is_ours() {
            true => name_of(&self.sheet).to_owned(),
            false => format!("corpus {}", name_of(&self.sheet)),
        }
    }

    pub fn is_ours(&self) -> bool {
        self.sheet.starts_with("games/")
    }

    pub fn figures(&self) -> Option<&Figures> {
        match &self.outcome {
            Outcome::Measured(figures) => Some(figures),
            Outcome::Failed { .. } => None,
        }
    }
}

impl Figures {
    /// The playouts per second of an engine.
    pub fn speed(&self, engine: &str) -> Option<f64> {
        let found = self.speeds.iter().find(|(name, _)| name == engine);
        found.map(|(_, speed)| *speed)
    }

    /// How many times as fast one engine is as another.
    pub fn ratio(&self, one: &str, other: &str) -> Option<f64> {
        Some(self.speed(one)? / self.speed(other)?)
    }

    /// How many times as fast an engine is as the best other program.
    pub fn to_peer(&self, engine: &str) -> Option<f64> {
        Some(self.speed(engine)? / self.peer.as_ref()?.1)
    }

    /// The operations of a step of playouts on the net engine with this many lanes: those
    /// of the goals only in steps at which a game ends in any lane, taking the ends of
    /// games as independent, and those of the legal moves never.
    pub fn operations_a_step(&self, lanes: usize) -> Option<f64> {
        let ends = 1.0 - (-(lanes as f64) / self.steps_a_game()?).exp();
        let operations = |phase: Phase| self.phase_operations[phase as usize] as f64;
        let always = [Phase::Terminal, Phase::Count, Phase::Next].map(operations);
        Some(always.iter().sum::<f64>() + ends * operations(Phase::Goals))
    }

    /// The operations that the net engine does in a second, each for all lanes.
    pub fn operations_a_second(&self, lanes: usize) -> Option<f64> {
        let steps = self.speed("net")? * self.steps_a_game()? / lanes as f64;
        Some(steps * self.operations_a_step(lanes)?)
    }

    /// The steps of a lane in a playout: one for each move, and one to begin again.
    fn steps_a_game(&self) -> Option<f64> {
        Some(self.length? + 1.0)
    }

    /// Seconds of a stage of the set-up.
    pub fn stage(&self, name: &str) -> Option<f64> {
        let found = self.setup.iter().find(|(stage, _)| stage == name);
        found.map(|(_, seconds)| *seconds)
    }
}

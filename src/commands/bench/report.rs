//! The result of measuring one engine on one game, in the form in which it is printed as
//! JSON and kept in files of results.

use crate::measure::{Effort, Mean, Measurement, TreeMeasurement};
use gdl_engines::{LoadedEngine, input};
use serde::{Deserialize, Serialize};
use serde_json::Map;
use std::path::Path;

/// What is measured, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct BenchSubject {
    /// The rule sheet's name without folder and extension.
    pub(super) game: String,
    /// The path of the rule sheet, as given.
    pub(super) file: String,
    /// The digest of the rules, if they could be read. Older results have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rules: Option<String>,
    /// The engine's name.
    pub(super) engine: String,
    pub(super) settings: BenchSettings,
}

/// The settings that affect the figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct BenchSettings {
    #[serde(flatten)]
    pub(super) effort: Effort,
    /// The name of the level of instructions.
    pub(super) level: String,
    /// Lanes per word; `None` is the widest that the processor supports.
    pub(super) width: Option<usize>,
    /// The agent whose tree search is also measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tree: Option<String>,
}

/// One result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct BenchReport {
    #[serde(flatten)]
    pub(super) subject: BenchSubject,
    #[serde(flatten)]
    pub(super) outcome: BenchOutcome,
}

/// Figures, or why there are none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum BenchOutcome {
    Measured(Box<Figures>),
    Failed { error: String },
}

/// The figures of a run. Errors are standard errors of the means; values that are unknown
/// because no game was finished are null or empty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Figures {
    pub(super) lanes: usize,
    /// Wall-clock time, including games that were unfinished at the end.
    pub(super) seconds: f64,
    pub(super) playouts: u64,
    pub(super) playouts_per_second: f64,
    /// State transitions.
    pub(super) states: u64,
    pub(super) states_per_second: f64,
    /// In joint moves.
    pub(super) average_length: Option<f64>,
    pub(super) average_length_error: Option<f64>,
    pub(super) roles: Vec<String>,
    /// One value per role.
    pub(super) mean_goals: Vec<f64>,
    pub(super) mean_goals_error: Vec<Option<f64>>,
    pub(super) setup_seconds: f64,
    /// Seconds by stage, in order.
    pub(super) setup: Map<String, serde_json::Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tree: Option<TreeFigures>,
}

/// The figures of tree searches from the initial state, on one thread.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct TreeFigures {
    pub(super) simulations: u64,
    pub(super) simulations_per_second: f64,
    /// Rate of plain playouts on one thread, measured in turns with the searches.
    pub(super) plain_playouts_per_second: f64,
    /// Ratio of simulations to plain playouts per second.
    pub(super) ratio: f64,
    /// The fraction of lanes that were busy with a simulation.
    pub(super) busy_lanes: f64,
    /// Nodes added per simulation.
    pub(super) nodes_per_simulation: f64,
    /// Whether so few simulations were played out that the rates say nothing.
    #[serde(default)]
    pub(super) mostly_known: bool,
}

impl TreeFigures {
    pub(super) fn new(measurement: &TreeMeasurement) -> Self {
        let simulations = measurement.simulations;
        Self {
            simulations,
            simulations_per_second: measurement.simulations_per_second(),
            plain_playouts_per_second: measurement.plain.playouts_per_second(),
            ratio: measurement.ratio(),
            busy_lanes: measurement.busy(),
            nodes_per_simulation: measurement.nodes as f64 / simulations.max(1) as f64,
            mostly_known: measurement.is_mostly_known(),
        }
    }
}

impl BenchSubject {
    pub(super) fn new(file: &Path, engine: String, settings: BenchSettings) -> Self {
        Self {
            game: input::stem(file),
            file: file.display().to_string(),
            rules: None,
            engine,
            settings,
        }
    }
}

impl BenchReport {
    pub(super) fn figures(&self) -> Option<&Figures> {
        match &self.outcome {
            BenchOutcome::Measured(figures) => Some(figures),
            BenchOutcome::Failed { .. } => None,
        }
    }
}

impl Figures {
    pub(super) fn new(loaded: &LoadedEngine, measurement: &Measurement) -> Self {
        let length = measurement.length();
        let goals = measurement.goals();
        let stages = loaded.setup.iter();
        Self {
            lanes: measurement.lanes,
            seconds: measurement.seconds,
            playouts: measurement.tally.playouts,
            playouts_per_second: measurement.playouts_per_second(),
            states: measurement.tally.transitions,
            states_per_second: measurement.states_per_second(),
            average_length: length.map(|mean| mean.value),
            average_length_error: length.and_then(|mean| mean.error),
            roles: loaded.engine.roles().to_vec(),
            mean_goals: goals.iter().map(|mean| mean.value).collect(),
            mean_goals_error: goals.iter().map(|mean| mean.error).collect(),
            setup_seconds: stages.clone().map(|(_, seconds)| seconds).sum(),
            setup: stages
                .map(|&(stage, seconds)| (stage.to_owned(), seconds.into()))
                .collect(),
            tree: None,
        }
    }

    /// Returns the average length as a mean.
    pub(super) fn length(&self) -> Option<Mean> {
        self.mean(self.average_length, self.average_length_error)
    }

    /// Returns the goals as means, one per role.
    pub(super) fn goals(&self) -> impl Iterator<Item = Mean> + '_ {
        self.mean_goals
            .iter()
            .zip(&self.mean_goals_error)
            .filter_map(|(&value, &error)| self.mean(Some(value), error))
    }

    fn mean(&self, value: Option<f64>, error: Option<f64>) -> Option<Mean> {
        value.map(|value| Mean {
            value,
            error,
            count: self.playouts,
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A report of the given speed: 400 games of length 10 ± 0.5, goals 60 and
    /// 40, ± 2 each.
    pub(in super::super) fn report(
        game: &str,
        engine: &str,
        playouts_per_second: f64,
    ) -> BenchReport {
        let effort = Effort {
            seconds: 1.0,
            threads: 1,
            seed: 1,
        };
        let settings = BenchSettings {
            effort,
            level: "portable".to_owned(),
            width: None,
            tree: None,
        };
        let figures = Figures {
            lanes: 64,
            seconds: 1.0,
            playouts: 400,
            playouts_per_second,
            states: 4000,
            states_per_second: playouts_per_second * 10.0,
            average_length: Some(10.0),
            average_length_error: Some(0.5),
            roles: vec!["x".to_owned(), "o".to_owned()],
            mean_goals: vec![60.0, 40.0],
            mean_goals_error: vec![Some(2.0), Some(2.0)],
            setup_seconds: 0.75,
            setup: [("check", 0.25), ("ground", 0.5)]
                .map(|(stage, seconds)| (stage.to_owned(), seconds.into()))
                .into_iter()
                .collect(),
            tree: None,
        };
        BenchReport {
            subject: BenchSubject::new(
                &Path::new("games").join(game).with_extension("kif"),
                engine.to_owned(),
                settings,
            ),
            outcome: BenchOutcome::Measured(Box::new(figures)),
        }
    }

    /// A report of a failure.
    pub(in super::super) fn failure(game: &str, engine: &str, error: &str) -> BenchReport {
        BenchReport {
            outcome: BenchOutcome::Failed {
                error: error.to_owned(),
            },
            ..report(game, engine, 0.0)
        }
    }

    #[test]
    fn reports_survive_json() {
        let mut unfinished = report("tictactoe", "reference", 0.1);
        if let BenchOutcome::Measured(figures) = &mut unfinished.outcome {
            figures.average_length = None;
            figures.mean_goals_error = vec![None, None];
        }
        for report in [
            report("tictactoe", "net", 1.0 / 3.0),
            unfinished,
            failure("tictactoe", "native", "no compiler"),
        ] {
            let text = serde_json::to_string(&report).expect("reports are JSON");
            assert!(text.contains(r#""game":"tictactoe""#), "{text}");
            let read: BenchReport = serde_json::from_str(&text).expect(&text);
            assert_eq!(read, report);
        }
    }
}

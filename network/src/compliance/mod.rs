//! Tests a player for compliance with the protocol: a list of checks, each of which
//! behaves like some host, or as no host should.

mod checks;
mod session;
pub mod sheets;
mod tested_player;

pub use tested_player::TestedPlayer;

use serde::Serialize;
use std::time::Instant;

/// A group of checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// The reply to every kind of message
    Messages,
    /// Case, spacing and headers, in which hosts differ
    Spelling,
    /// Messages that are malformed or out of place
    Faults,
    /// Connections that are slow, half-closed, dropped or idle
    Connections,
    /// Whole matches, with every move legal and in time
    Games,
}

/// The result of a check: the reason if the player fails it.
type CheckResult = Result<(), String>;

/// One check.
struct ComplianceCheck {
    group: Group,
    name: &'static str,
    run: fn(&TestedPlayer) -> CheckResult,
}

/// The report on a check.
#[derive(Debug, Clone, Serialize)]
pub struct CheckReport {
    /// The group of the check.
    pub group: Group,
    /// The name of the check, which says what is expected of the player.
    pub check: &'static str,
    /// Whether the player passed.
    pub passed: bool,
    /// The reason if the player failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The duration of the check.
    pub seconds: f64,
}

/// Runs all checks, or those of one group, one after another. Calls `announce` with
/// the name of each check before it runs.
pub fn run(
    player: &TestedPlayer,
    only: Option<Group>,
    mut announce: impl FnMut(&'static str),
) -> Vec<CheckReport> {
    let chosen = (checks::ALL.iter()).filter(|check| only.is_none_or(|only| check.group == only));
    chosen
        .map(|check| {
            announce(check.name);
            check.report(player)
        })
        .collect()
}

impl ComplianceCheck {
    /// Runs the check. Afterwards the player must still answer INFO.
    fn report(&self, player: &TestedPlayer) -> CheckReport {
        let began = Instant::now();
        let verdict = (self.run)(player).and_then(|()| {
            let answer = player.info();
            answer.map_err(|error| format!("afterwards, {error}"))
        });
        CheckReport {
            group: self.group,
            check: self.name,
            passed: verdict.is_ok(),
            reason: verdict.err(),
            seconds: began.elapsed().as_secs_f64(),
        }
    }
}

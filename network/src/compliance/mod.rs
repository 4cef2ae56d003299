//! Tries a player against the protocol: a table of checks, each of which talks to
//! it as some host does, or as none should.

mod checks;
mod session;
pub mod sheets;
mod tested_player;

pub use tested_player::TestedPlayer;

use serde::Serialize;
use std::time::Instant;

/// What checks are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// What every message is answered with
    Messages,
    /// Case, spacing, headers: how hosts differ
    Spelling,
    /// Messages that are wrong
    Faults,
    /// Connections that are slow, half-closed, dropped or idle
    Connections,
    /// Whole matches, every move legal and in time
    Games,
}

/// What a check finds: nothing, or why the player fails.
type CheckResult = Result<(), String>;

/// One thing that is tried.
struct ComplianceCheck {
    group: Group,
    name: &'static str,
    run: fn(&TestedPlayer) -> CheckResult,
}

/// What came of a check.
#[derive(Debug, Clone, Serialize)]
pub struct CheckReport {
    /// What it was about.
    pub group: Group,
    /// What the player should do, in a few words.
    pub check: &'static str,
    /// Whether it did.
    pub passed: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How long it took.
    pub seconds: f64,
}

/// Runs all checks, or those of one group, one after another; tells the name of
/// each before.
pub fn run(
    player: &TestedPlayer,
    only: Option<Group>,
    mut announce: impl FnMut(&'static str),
) -> Vec<CheckReport> {
    let chosen = (checks::ALL.iter()).filter(|check| only.is_none_or(|only| check.group == only));
    chosen
        .map(|check| {
            announce(check.name);
            check.outcome(player)
        })
        .collect()
}

impl ComplianceCheck {
    /// Whatever was tried, the player must still be there.
    fn outcome(&self, player: &TestedPlayer) -> CheckReport {
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

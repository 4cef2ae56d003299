//! Improvements of a net, one a file: what runs when is said here.

mod drop_implied;
mod extract_common;
mod factor_gates;
mod flatten_gates;
mod fold_constants;
mod freeze_bases;
mod remove_unreachable;
mod restate_moves;
mod share_nodes;

use super::{Net, NetSize};

/// A pass: a net in, a better one with the same behaviour in legal play out.
#[derive(Clone, Copy)]
pub struct Pass {
    /// What `--without` calls it.
    pub name: &'static str,
    /// What can no longer occur afterwards.
    pub ensures: &'static str,
    run: fn(&Net) -> Net,
}

impl std::fmt::Debug for Pass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All passes in the order in which they run. A pass stands twice where a later
/// one gives it new work.
pub const PASSES: &[Pass] = &[
    fold_constants::PASS,
    freeze_bases::PASS,
    share_nodes::PASS,
    drop_implied::PASS,
    remove_unreachable::PASS,
    flatten_gates::PASS,
    fold_constants::PASS,
    share_nodes::PASS,
    factor_gates::PASS,
    remove_unreachable::PASS,
    restate_moves::PASS,
    flatten_gates::PASS,
    fold_constants::PASS,
    share_nodes::PASS,
    factor_gates::PASS,
    extract_common::PASS,
    remove_unreachable::PASS,
];

/// What a pass did.
#[derive(Debug, Clone, Copy)]
pub struct PassReport {
    /// Its name.
    pub name: &'static str,
    /// The size after it.
    pub after: NetSize,
    /// How long it took.
    pub seconds: f64,
}

/// Takes out what gates have in common once more, after a net was rewritten;
/// nothing is assumed about the moves.
#[must_use]
pub fn reshape(net: &Net) -> Net {
    let passes = [
        fold_constants::PASS,
        remove_unreachable::PASS,
        flatten_gates::PASS,
        fold_constants::PASS,
        factor_gates::PASS,
        remove_unreachable::PASS,
        share_nodes::PASS,
        extract_common::PASS,
        remove_unreachable::PASS,
    ];
    passes
        .iter()
        .fold(net.clone(), |net, pass| (pass.run)(&net))
}

/// Runs all passes but those named in `without`.
#[must_use]
pub fn run_passes(mut net: Net, without: &[String]) -> (Net, Vec<PassReport>) {
    let mut reports = Vec::new();
    for pass in PASSES {
        if without.iter().any(|name| name == pass.name) {
            continue;
        }
        let start = std::time::Instant::now();
        net = (pass.run)(&net);
        let report = PassReport {
            name: pass.name,
            after: net.size(),
            seconds: start.elapsed().as_secs_f64(),
        };
        tracing::debug!(pass = report.name, size = %report.after, seconds = report.seconds);
        reports.push(report);
    }
    (net, reports)
}

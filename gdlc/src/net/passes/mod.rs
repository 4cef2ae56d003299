//! Improvements of a net, one a file, in the order in which they run.

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
    Pass {
        name: "fold_constants",
        ensures: "no constant, repeated or contradictory operand",
        run: fold_constants::fold_constants,
    },
    Pass {
        name: "freeze_bases",
        ensures: "no fluent that keeps its initial value for ever is read",
        run: freeze_bases::freeze_bases,
    },
    Pass {
        name: "share_nodes",
        ensures: "no two gates with the same operands",
        run: share_nodes::share_nodes,
    },
    Pass {
        name: "drop_implied",
        ensures: "no operand that follows from a move's legality beside that move",
        run: drop_implied::drop_implied,
    },
    Pass {
        name: "remove_unreachable",
        ensures: "no node that nothing needs",
        run: remove_unreachable::remove_unreachable,
    },
    Pass {
        name: "flatten_gates",
        ensures: "no conjunction read by one other conjunction only",
        run: flatten_gates::flatten_gates,
    },
    Pass {
        name: "fold_constants",
        ensures: "no constant, repeated or contradictory operand",
        run: fold_constants::fold_constants,
    },
    Pass {
        name: "share_nodes",
        ensures: "no two gates with the same operands",
        run: share_nodes::share_nodes,
    },
    Pass {
        name: "factor_gates",
        ensures: "no operand that alternatives read by one gate only have in common",
        run: factor_gates::factor_gates,
    },
    Pass {
        name: "remove_unreachable",
        ensures: "no node that nothing needs",
        run: remove_unreachable::remove_unreachable,
    },
    Pass {
        name: "restate_moves",
        ensures: "no two nodes for one set of a role's moves",
        run: restate_moves::restate_moves,
    },
    Pass {
        name: "flatten_gates",
        ensures: "no conjunction read by one other conjunction only",
        run: flatten_gates::flatten_gates,
    },
    Pass {
        name: "fold_constants",
        ensures: "no constant, repeated or contradictory operand",
        run: fold_constants::fold_constants,
    },
    Pass {
        name: "share_nodes",
        ensures: "no two gates with the same operands",
        run: share_nodes::share_nodes,
    },
    Pass {
        name: "factor_gates",
        ensures: "no operand that alternatives read by one gate only have in common",
        run: factor_gates::factor_gates,
    },
    Pass {
        name: "extract_common",
        ensures: "no two operands that stand together in two conjunctions",
        run: extract_common::extract_common,
    },
    Pass {
        name: "remove_unreachable",
        ensures: "no node that nothing needs",
        run: remove_unreachable::remove_unreachable,
    },
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
        fold_constants::fold_constants,
        remove_unreachable::remove_unreachable,
        flatten_gates::flatten_gates,
        fold_constants::fold_constants,
        factor_gates::factor_gates,
        remove_unreachable::remove_unreachable,
        share_nodes::share_nodes,
        extract_common::extract_common,
        remove_unreachable::remove_unreachable,
    ];
    passes.iter().fold(net.clone(), |net, pass| pass(&net))
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

//! Passes that improve a propnet, one per file, and the order in which they run.
//!
//! To add a pass, touch two files: write `passes/NAME.rs` with a constant `PASS` and
//! its function, and declare the module and list `NAME::PASS` in [`PASSES`] below.
//! The tests run every listed pass, alone and left out, and compare behaviour in
//! random legal play.

mod canonical_move_sets;
mod constant_folding;
mod constant_latches;
mod cube_extraction;
mod dead_code_elimination;
mod factoring;
mod gate_flattening;
mod implied_operands;
mod structural_hashing;
mod subset_sharing;

use super::{Propnet, PropnetSize};
use std::convert::Infallible;

/// A pass: from a propnet to a better one with the same behaviour in legal play.
#[derive(Clone, Copy)]
pub struct Pass {
    /// The name by which
    /// [`CompileOptions::without`](crate::compile::CompileOptions::without) leaves it out.
    pub name: &'static str,
    run: fn(&Propnet) -> Propnet,
}

impl std::fmt::Debug for Pass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All passes in the order in which they run. A pass is listed again where an
/// earlier one gives it new work.
pub const PASSES: &[Pass] = &[
    constant_folding::PASS,
    constant_latches::PASS,
    structural_hashing::PASS,
    implied_operands::PASS,
    dead_code_elimination::PASS,
    gate_flattening::PASS,
    constant_folding::PASS,
    structural_hashing::PASS,
    factoring::PASS,
    dead_code_elimination::PASS,
    canonical_move_sets::PASS,
    gate_flattening::PASS,
    constant_folding::PASS,
    structural_hashing::PASS,
    factoring::PASS,
    structural_hashing::PASS,
    subset_sharing::PASS,
    cube_extraction::PASS,
    dead_code_elimination::PASS,
];

/// What a pass did.
#[derive(Debug, Clone, Copy)]
pub struct PassReport {
    /// Its name.
    pub name: &'static str,
    /// The size after it.
    pub after: PropnetSize,
    /// How long it took.
    pub seconds: f64,
}

/// Factors out again what gates have in common, after a propnet has been rewritten; assumes
/// nothing about the moves.
#[must_use]
pub fn reshape(net: &Propnet) -> Propnet {
    let passes = [
        constant_folding::PASS,
        dead_code_elimination::PASS,
        gate_flattening::PASS,
        constant_folding::PASS,
        factoring::PASS,
        dead_code_elimination::PASS,
        structural_hashing::PASS,
        subset_sharing::PASS,
        cube_extraction::PASS,
        dead_code_elimination::PASS,
    ];
    passes
        .iter()
        .fold(net.clone(), |net, pass| (pass.run)(&net))
}

/// Runs all passes but those named in `without`.
#[must_use]
pub fn run_passes(net: Propnet, without: &[String]) -> (Propnet, Vec<PassReport>) {
    let Ok(done) = run_passes_while(net, without, || Ok::<(), Infallible>(()));
    done
}

/// Runs all passes but those named in `without`, and asks before each whether to go on.
///
/// # Errors
/// The error that `proceed` returns.
pub fn run_passes_while<E>(
    mut net: Propnet,
    without: &[String],
    proceed: impl Fn() -> Result<(), E>,
) -> Result<(Propnet, Vec<PassReport>), E> {
    let mut reports = Vec::new();
    for pass in PASSES {
        if without.iter().any(|name| name == pass.name) {
            continue;
        }
        proceed()?;
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
    Ok((net, reports))
}

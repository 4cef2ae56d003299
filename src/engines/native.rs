//! The native engine: a plan emitted as Rust, compiled and loaded.

use crate::native::{Library, build_library};
use anyhow::bail;
use gdlc::emit::{self, Header, MOST_OPERATIONS};
use gdlc::plan::Plan;
use gdlc::rules::Program;
use runtime::lane_engine::LaneEngine;
use runtime::lanes::Width;

/// Compiles and loads a plan, for one width only: the compiler's time is in
/// proportion to their number.
pub fn load(
    name: &str,
    program: &Program,
    plan: &Plan,
    width: Width,
) -> anyhow::Result<LaneEngine> {
    let widths = [match width {
        Width::W64 => emit::Width::W64,
        Width::W256 => emit::Width::W256,
        Width::W512 => emit::Width::W512,
    }];
    let code = emit_game(name, program, plan, &widths)?;
    Library::load(&build_library(&code)?)?.engine(width)
}

/// The emitted code of a game.
///
/// # Errors
/// If the game is too large for a compiler.
pub fn emit_game(
    name: &str,
    program: &Program,
    plan: &Plan,
    widths: &[emit::Width],
) -> anyhow::Result<String> {
    let size = plan.size();
    if size > MOST_OPERATIONS {
        bail!(
            "{name} takes {size} operations a step, and above {MOST_OPERATIONS} \
             a compiler takes too long; the net engine runs it"
        );
    }
    let rules = gdlc::build::rules_of(program);
    emit::emit(
        plan,
        &Header {
            name,
            rules: &rules,
            widths,
        },
    )
}

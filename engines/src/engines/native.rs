//! The native engine: a plan emitted as Rust, compiled and loaded.

use crate::native::{Library, Limits, Order, build_library};
use anyhow::bail;
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;
use gdl_runtime::stop_flag::StopFlag;
use gdlc::emit::{self, MOST_OPERATIONS, ModuleHeader};
use gdlc::plan::Plan;
use gdlc::rules::Program;

/// A game that is to be compiled.
#[derive(Debug, Clone, Copy)]
pub struct Game<'a> {
    /// What it is called.
    pub name: &'a str,
    /// The text of its rules, by which [`cached`](crate::native::cached) finds it
    /// later; none if the plan does not follow from them alone.
    pub rules: Option<&'a str>,
    /// The checked rules.
    pub program: &'a Program,
    /// What is to be compiled.
    pub plan: &'a Plan,
    /// For how many lanes: for one width only, since the compiler's time is in
    /// proportion to their number.
    pub width: Width,
}

/// Compiles and loads a game.
///
/// # Errors
/// If it is too large for a compiler; else as [`build_library`].
pub fn compile_native(
    game: &Game<'_>,
    limits: &Limits,
    cancel: &StopFlag,
) -> anyhow::Result<LaneEngine> {
    let widths = [match game.width {
        Width::W64 => emit::Width::W64,
        Width::W256 => emit::Width::W256,
        Width::W512 => emit::Width::W512,
    }];
    let code = emit_game(game.name, game.program, game.plan, &widths)?;
    let order = Order {
        code: &code,
        rules: game.rules.map(|rules| (rules, game.width)),
    };
    Library::load(&build_library(&order, limits, cancel)?)?.engine(game.width)
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
        &ModuleHeader {
            name,
            rules: &rules,
            widths,
        },
    )
}

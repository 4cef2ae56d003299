//! The engine `net`: runs the plan of a propnet at once, without a compiler.

#[cfg(all(target_arch = "x86_64", unix))]
mod machine_code;
mod rows;
mod tables;

use crate::load::{CheckedGame, LoadError, LoadedEngine};
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::Width;
use gdlc::plan::Plan;
#[cfg(all(target_arch = "x86_64", unix))]
use gdlc::x86::Lanes;
use rows::layout;
use tables::tabulate;

/// Loads a checked game.
pub(crate) fn load(mut game: CheckedGame<'_>) -> Result<LoadedEngine, LoadError> {
    let compilation = game.compile()?;
    let engine = load_plan(&game.source.name, &compilation.plan, game.width());
    Ok(game.loaded_compiled(engine, &compilation, "assemble"))
}

/// Loads a plan: as machine code if this processor has the instructions for it and the
/// system allows generated code, else as tables.
#[must_use]
pub fn load_plan(name: &str, plan: &Plan, width: Width) -> LaneEngine {
    assemble(name, plan, width).unwrap_or_else(|| tabulate(name, plan, width))
}

#[cfg(all(target_arch = "x86_64", unix))]
fn assemble(name: &str, plan: &Plan, width: Width) -> Option<LaneEngine> {
    let lanes = match width {
        Width::W512 if Width::W512.available() => Lanes::L512,
        Width::W256 if is_x86_feature_detected!("avx512vl") => Lanes::L256,
        _ => return None,
    };
    let code = gdlc::x86::assemble(plan, lanes)?;
    let layout = layout(name, plan, &code.storage);
    match machine_code::load_code(&code, lanes, &layout) {
        Ok(programs) => LaneEngine::new("net", layout, programs, width),
        Err(error) => {
            tracing::warn!("tables run {name}, since its machine code cannot be loaded: {error}");
            None
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", unix)))]
fn assemble(_: &str, _: &Plan, _: Width) -> Option<LaneEngine> {
    None
}

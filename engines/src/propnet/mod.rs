//! The engine `net`: runs the plan of a propnet at once, without a compiler.

#[cfg(unix)]
mod machine_code;

use crate::game::{CheckedGame, LoadError, LoadedEngine};
use gdl_runtime::lane_engine::LaneEngine;
use gdl_runtime::lanes::{CpuLevel, Width};
use gdlc::lut_program;
use gdlc::plan::{Arity, Plan};

/// Loads a checked game.
pub(crate) fn load(mut game: CheckedGame<'_>) -> Result<LoadedEngine, LoadError> {
    let width = game.options.width();
    let compilation = game.compile(Arity::of(game.options.level(), width))?;
    let engine = load_plan(&game.source.name, &compilation.plan, width);
    Ok(game.loaded_compiled(engine, &compilation, "assemble"))
}

/// Loads a plan: as machine code if this processor has the instructions for it and the
/// system allows generated code, else as tables.
#[must_use]
pub fn load_plan(name: &str, plan: &Plan, width: Width) -> LaneEngine {
    assemble(name, plan, width).unwrap_or_else(|| {
        let (program, layout) = lut_program::translate(name, plan);
        LaneEngine::new("net", layout, program.programs(), width)
            .expect("64 lanes run on every processor")
    })
}

#[cfg(unix)]
fn assemble(name: &str, plan: &Plan, width: Width) -> Option<LaneEngine> {
    let level = match (plan.arity, width) {
        (Arity::Two, _) => width.level(),
        // Its instructions at 256 lanes, too, are those of AVX-512.
        (Arity::Three, _) => CpuLevel::Avx512,
    };
    if !level.available() {
        return None;
    }
    let code = gdlc::x86::assemble(name, plan, width)?;
    match machine_code::load_code(&code, width) {
        Ok(programs) => LaneEngine::new("net", code.layout, programs, width),
        Err(error) => {
            tracing::warn!("tables run {name}, since its machine code cannot be loaded: {error}");
            None
        }
    }
}

#[cfg(not(unix))]
fn assemble(_: &str, _: &Plan, _: Width) -> Option<LaneEngine> {
    None
}
